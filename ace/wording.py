"""How counts are worded wherever people read them, and texts of strangers where a spreadsheet does."""

import re
from typing import Final

# What begins a formula, in any width, also behind what does not show; and what may begin another cell.
_FORMULA: Final = re.compile(
    r"[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n]"
)


def plural(count: int, noun: str) -> str:
    """ "1 claim", "2 claims"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def csv_cell(value: object) -> object:
    """The value, and an apostrophe before a text that a spreadsheet would run (OWASP, "CSV Injection")."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def percent(share: float) -> str:
    """A share of 1 in per cent, whole from 1 to 99: "20 %", "0.5 %", "99.9 %". What is not nothing is never
    shown as nothing, and what is not all never as all."""
    if not 0 < share < 1:
        return f"{share:.0%}".replace("%", " %")
    if 0.01 <= share <= 0.99:
        return f"{100 * share:.0f} %"
    if share < 0.5:
        return f"{100 * share:.1g} %" if share >= 0.0001 else "<0.01 %"
    return f"{100 * share:.1f} %" if share <= 0.999 else ">99.9 %"
