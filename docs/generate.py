"""Writes what the docs repeat of the code: `python -m docs.generate`.

Each generated part stands between `<!-- name -->` and `<!-- /name -->`; the rest of a page is written
by hand and never touched. Tests hold every page against what would be generated now. `--check` only
compares. `--demo FILE` puts the output of `ace demo`, kept in FILE, into the README, shortened.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from ace.api.metrics import METRICS
from ace.claims.checks import RULES
from ace.claims.readers import read_text
from ace.claims.reports.report import checked
from ace.claims.reports.text import render, underlined
from ace.claims.rules import Jurisdiction, Provision, Rule
from ace.claims.taxonomy import ErrorClass
from ace.settings import Settings
from ace.store.tables import FINAL, MOVES, State

ROOT: Final = Path(__file__).parents[1]

# What to say of a move, beside from where and to where, which MOVES knows.
MOVERS: Final[dict[str, str]] = {
    "submit": "the API stores a filing",
    "dispatch": "the dispatcher leases what is due and publishes it",
    "decide": "a worker has a verdict",
    "escalate": "a gatekeeper worker doubts (its score of doubt > tau, or a score that is no number)",
    "defer": "an expert worker met a fault that may pass; due again later",
    "release": "whoever holds it gives it back unharmed: shutdown, or a broker that is away",
    "expire": "the dispatcher takes back what a silent worker held",
    "fail": "the expert failed for good or too often, or the claim took its worker down too often",
    "replay": "a client orders it; the evaluation waits again for the stage that failed",
    "cancel": "a client orders it",
}

EXAMPLE_COLUMNS: Final = 100
SAMPLE: Final = """1. A bracket comprising a plate and a hook fixed to the plate.
2. The bracket of claim 1, wherein the lever is made of steel.
3. The bracket of claim 5, wherein the hook is bent
"""


def table(*rows: tuple[str, ...]) -> str:
    """A Markdown table; the first row is its head."""
    head, *body = rows
    rule = tuple("---" for _ in head)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *body))


def settings_table() -> str:
    """Every setting: its variable, its default, what it means."""
    rows = [
        (f"`ACE_{name.upper()}`", _default(field), _meaning(field))
        for name, field in Settings.model_fields.items()
    ]
    return table(("variable", "default", "meaning"), *rows)


def _default(field: FieldInfo) -> str:
    value: Any = field.default
    if value is None or value is PydanticUndefined:
        return "–"
    shown = value.get_secret_value() if isinstance(value, SecretStr) else value
    return f"`{shown}`"


def _meaning(field: FieldInfo) -> str:
    meaning = (field.description or "").replace("|", "\\|")
    if get_origin(field.annotation) is Literal:
        words = ", ".join(f"`{word}`" for word in get_args(field.annotation))
        return f"{meaning} One of {words}."
    return meaning


def moves_table() -> str:
    """Every move: from which states to which, and who makes it."""
    rows = [(f"`{name}`", _ways(pairs), MOVERS[name]) for name, pairs in MOVES.items()]
    return table(("move", "from → to", "when"), *rows)


def diagram() -> str:
    """The states as a Mermaid diagram; `cancel` and `release` are told in words, to keep it readable."""
    lines = ["```mermaid", "stateDiagram-v2"]
    edges: dict[tuple[State | None, State], list[str]] = {}
    for name, pairs in MOVES.items():
        if name not in {"cancel", "release"}:
            for pair in _ordered(pairs):
                edges.setdefault(pair, []).append(name)
    for (before, after), names in edges.items():
        lines.append(f"    {before or '[*]'} --> {after}: {', '.join(names)}")
    lines += [f"    {state} --> [*]" for state in (State.DECIDED, State.CANCELLED)]
    cancelled = ", ".join(str(state) for state, _ in _ordered(MOVES["cancel"]))
    lines += [f"    note right of cancelled : from {cancelled}", "```"]
    return "\n".join(lines)


def states_table() -> str:
    """Every state, and which moves lead out of it."""
    rows = []
    for state in State:
        moves = [name for name, pairs in MOVES.items() if any(before is state for before, _ in pairs)]
        told = ", ".join(f"`{name}`" for name in moves) or "none"
        rows.append((f"`{state}`", "yes" if state in FINAL else "no", told))
    return table(("state", "settled", "moves that lead out"), *rows)


def metrics_table() -> str:
    """Every metric, its labels and its meaning."""
    rows = [
        (f"`{one.name}`", ", ".join(f"`{label}`" for label in one.labels) or "–", one.meaning)
        for one in METRICS
    ]
    return table(("metric", "labels", "meaning"), *rows)


def checked_sample() -> str:
    """What `ace check` prints of two claims."""
    return f"```\n{render(checked(read_text(SAMPLE)))}```"


def jurisdictions_table() -> str:
    """Every rule, and what it rests on in each jurisdiction."""
    rows = [(f"[`{rule.id}`](#{_anchor(rule)})", _rests(rule.us), _rests(rule.epc)) for rule in RULES]
    return table(("rule", *(str(jurisdiction) for jurisdiction in Jurisdiction)), *rows)


def _rests(provision: Provision | None) -> str:
    return "–" if provision is None else f"{provision.severity.value}: {provision.law}"


def rules_by_class() -> str:
    """Every rule under its class: what is wrong, an example with the words marked, what is not flagged."""
    parts: list[str] = []
    for error_class in ErrorClass:
        parts.append(f"## {error_class.value.capitalize()}")
        parts += [_described(rule) for rule in RULES if rule.error_class is error_class]
    return "\n\n".join(parts)


def _described(rule: Rule) -> str:
    parts = [f"### {rule.id}", rule.what, f"```\n{flagged(rule)}\n```"]
    if rule.silent:
        parts.append(f"Not flagged: {rule.silent.rstrip('.')}.")
    if rule.whole_set:
        parts.append("Needs the whole claim set.")
    return "\n\n".join(parts)


def flagged(rule: Rule) -> str:
    """The rule's example with the words underlined that the check finds in it."""
    claims = read_text(rule.example, partial=True)
    jurisdiction = Jurisdiction.US if rule.us is not None else Jurisdiction.EPC
    found = [one for one in checked(claims, jurisdiction=jurisdiction).findings if one.rule_id == rule.id]
    spans = [claims[one.claim].source_span(one.start, one.end) for one in found]
    start, end = next((span for span in spans if span is not None), (0, 0))
    rows = underlined(rule.example.strip("\n"), start, end, EXAMPLE_COLUMNS)
    if start == end:
        return "\n".join(row for row, _ in rows)
    return "\n".join(line for row in rows for line in row if line or row == ("", ""))


def _anchor(rule: Rule) -> str:
    """The anchor of the rule's heading, as forges make them."""
    return rule.id.replace(".", "")


def _ordered(pairs: frozenset[tuple[State | None, State]]) -> list[tuple[State | None, State]]:
    order = {state: place for place, state in enumerate(State)}
    return sorted(pairs, key=lambda pair: (order[pair[0]] if pair[0] else -1, order[pair[1]]))


def _ways(pairs: frozenset[tuple[State | None, State]]) -> str:
    """Pairs as words, those that lead to one state together."""
    ways: dict[State, list[str]] = {}
    for before, after in _ordered(pairs):
        ways.setdefault(after, []).append("nothing" if before is None else str(before))
    return "; ".join(f"{', '.join(befores)} → {after}" for after, befores in ways.items())


PAGES: Final[dict[str, dict[str, Callable[[], str]]]] = {
    "README.md": {"check": checked_sample, "settings": settings_table},
    "docs/states.md": {"states": states_table, "diagram": diagram, "moves": moves_table},
    "docs/operations.md": {"metrics": metrics_table},
    "docs/claims.md": {"jurisdictions": jurisdictions_table, "rules": rules_by_class},
}


def filled(page: str, text: str) -> str:
    """The text of a page with every generated part as it is now. Raises ValueError for a lost mark."""
    for name, make in PAGES[page].items():
        text = put(name, make(), text)
    return text


def put(name: str, made: str, text: str) -> str:
    """The text with `made` between the marks of `name`. Raises ValueError unless they are there once."""
    marked = re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", re.DOTALL)
    text, count = marked.subn(lambda _: f"\n{made}\n\n", text)
    if count != 1:
        raise ValueError(f"the marks of {name!r} are there {count} times")
    return text


def demo(output: str, *, filings: int = 2) -> str:
    """What `ace demo` printed, shortened to the first filings, the rationale and the summary."""
    shown = "\n".join(line.rstrip() for line in output.strip().splitlines())
    blocks = shown.split("\n\n")
    ending = next((at for at, block in enumerate(blocks) if block.startswith("The rationale")), -1)
    kept = "\n\n".join([*blocks[:filings], "…", *blocks[ending:]])
    return f"```\n{kept}\n```"


def main(arguments: list[str]) -> int:
    """Rewrites the pages, or with `--check` says which are out of date; 1 if any is."""
    check = "--check" in arguments
    stale = 0
    for page in PAGES:
        path = ROOT / page
        text = path.read_text(encoding="utf-8")
        now = filled(page, text)
        if page == "README.md" and arguments[:1] == ["--demo"]:
            now = put("demo", demo(Path(arguments[1]).read_text(encoding="utf-8")), now)
        if now != text:
            stale = 1
            sys.stderr.write(f"{page} {'is out of date' if check else 'rewritten'}\n")
            if not check:
                path.write_text(now, encoding="utf-8")
    return stale if check else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
