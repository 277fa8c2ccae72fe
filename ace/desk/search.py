"""What is typed into the query box of the filings: words of the form `qualifier:value`.

`docket:` (which a bare word stands for too), `state:`, `verdict:`, `by:`, `class:`, `error:`, `model:`,
`disputed:`, `reviewed:` and `since:`. A value with spaces stands in quotation marks.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from ace.claims.taxonomy import ErrorClass, Verdict
from ace.store.filings import REVIEWED, FilingFilter
from ace.store.tables import State
from ace.types.faults import ERRORS

QUERY_CHARACTERS: Final = 500
_WORD: Final = re.compile(r'\s*(?:(\w+):)?(?:"([^"]*)"|([^\s"]+))(?=\s|$)')
_AGO: Final = re.compile(r"(\d{1,4})([hd])")
_UNITS: Final = {"h": "hours", "d": "days"}


class NotUnderstood(ValueError):
    """A query that cannot be understood. The message is written for the person who typed it."""


class Qualifier(NamedTuple):
    """A qualifier: the field of the filter it sets, how its value is read, and values to offer."""

    field: str
    read: Callable[[str, datetime], Any]
    values: tuple[str, ...] = ()


def _one_of(*values: str) -> Callable[[str, datetime], str]:
    by_folded = {value.casefold(): value for value in values}

    def read(value: str, _: datetime) -> str:
        try:
            return by_folded[value.casefold()]
        except KeyError:
            raise NotUnderstood(f"must be one of {', '.join(values)}") from None

    return read


def _yes(value: str, _: datetime) -> bool:
    if value.casefold() not in {"yes", "true"}:
        raise NotUnderstood("must be yes")
    return True


def _since(value: str, now: datetime) -> datetime:
    if ago := _AGO.fullmatch(value):
        return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        raise NotUnderstood("must be a date such as 2026-11-20, or an age such as 7d or 24h") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _listed(field: str, *values: str) -> Qualifier:
    return Qualifier(field, _one_of(*values), values)


QUALIFIERS: Final[Mapping[str, Qualifier]] = {
    "docket": Qualifier("docket", lambda value, _: value),
    "state": _listed("state", *State),
    "verdict": _listed("verdict", *Verdict),
    "by": _listed("decided_by", "gatekeeper", "expert"),
    "class": _listed("error_class", *ErrorClass),
    "error": _listed("error", *ERRORS),
    "model": Qualifier("model", lambda value, _: value),
    "reviewed": _listed("reviewed", *REVIEWED),
    "disputed": Qualifier("disputed", _yes, ("yes",)),
    "since": Qualifier("since", _since, ("24h", "7d")),
}


def understood(query: str, now: datetime) -> FilingFilter:
    """The filter that a query describes at `now`. Raises NotUnderstood."""
    if len(query) > QUERY_CHARACTERS or not query.isprintable():
        raise NotUnderstood(f"A query has up to {QUERY_CHARACTERS} printable characters.")
    given: dict[str, Any] = {}
    place = 0
    query = query.rstrip()
    while place < len(query):
        word = _WORD.match(query, place)
        if word is None:
            raise NotUnderstood("A quotation mark is not closed.")
        name, value = word[1] or "docket", word[2] if word[3] is None else word[3]
        qualifier = QUALIFIERS.get(name)
        if qualifier is None:
            raise NotUnderstood(f"There is no qualifier {name}: use {', '.join(QUALIFIERS)}.")
        if qualifier.field in given:
            raise NotUnderstood(f"{name}: can be given only once.")
        try:
            given[qualifier.field] = qualifier.read(value, now)
        except NotUnderstood as fault:
            raise NotUnderstood(f"{name}: {fault}.") from None
        place = word.end()
    return FilingFilter(**given)
