"""Writes the parts of the docs that are made from the code: `python -m docs.generate`.

A generated part stands between `<!-- name -->` and `<!-- /name -->`; the rest of a page is written by hand
and stays untouched. Pictures are generated whole. Tests compare every page and picture with what would be
generated now. `--check` compares without writing. `--runs` also makes anew what the quickstart shows of real
runs, for which it starts stacks.
"""

import io
import re
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from ace.api.problem_types import SECTIONS
from ace.claims.checks import RULES
from ace.claims.checks.remarks import RULES as REMARK_RULES
from ace.claims.findings import Finding, Remark
from ace.claims.model import ClaimInput
from ace.claims.readers import read_text
from ace.claims.reports.report import checked
from ace.claims.reports.text import render, underlined
from ace.claims.rules import Jurisdiction, Provision, RemarkRule, Rule
from ace.claims.taxonomy import ErrorClass
from ace.expert.prompt import copt
from ace.expert.prompt.tokens import count_tokens
from ace.metrics import METRICS, SHOWN_BY
from ace.settings import Settings
from ace.store.tables import FINAL, MOVES, State
from ace_lab.readings import manifest
from ace_lab.readings.records import MODEL
from docs import transcripts
from docs.plans import plans_tables

ROOT: Final = Path(__file__).parents[1]

# What each move means; MOVES knows only from which states to which.
MOVERS: Final[dict[str, str]] = {
    "submit": "the API has stored a filing",
    "dispatch": "the dispatcher leases what is due and publishes it",
    "decide": "a worker has a verdict",
    "escalate": "the gatekeeper doubts: its doubt exceeds tau, or its score is not a number",
    "defer": "the expert failed in a way that may pass; due again later",
    "release": "a worker shuts down, or the broker is unreachable: the lease goes back and no try is counted",
    "expire": "the dispatcher takes over the lease of a worker that has gone silent",
    "fail": "the expert failed permanently or too often, or the claim killed its worker too often",
    "replay": "a client requests it; the evaluation waits again for the stage that failed",
    "cancel": "a client requests it",
}

EXAMPLE_COLUMNS: Final = 100
PROSE_COLUMNS: Final = 120
# Rich's SVG loads its font from a content delivery network.
_FONT_FACE: Final = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
SAMPLE: Final = """1. A bracket comprising a plate and a hook fixed to the plate.
2. The bracket of claim 1, wherein the lever is made of steel.
3. The bracket of claim 5, wherein the hook is bent
"""


def table(*rows: tuple[str, ...]) -> str:
    """A Markdown table; the first row is its header."""
    head, *body = rows
    rule = tuple("---" for _ in head)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *body))


def settings_table() -> str:
    """Every setting: its variable, its default and its meaning."""
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
    """Every move: its states before and after, and when it happens."""
    rows = [(f"`{name}`", _ways(pairs), MOVERS[name]) for name, pairs in MOVES.items()]
    return table(("move", "from → to", "when"), *rows)


def diagram() -> str:
    """The states as a Mermaid diagram, without the many edges of `cancel` and `release`."""
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
    """Every state, and the moves that lead out of it."""
    rows = []
    for state in State:
        moves = [name for name, pairs in MOVES.items() if any(before is state for before, _ in pairs)]
        leaving = ", ".join(f"`{name}`" for name in moves) or "none"
        rows.append((f"`{state}`", "yes" if state in FINAL else "no", leaving))
    return table(("state", "settled", "moves that lead out"), *rows)


def metrics_table() -> str:
    """Every metric with its kind, its labels, its meaning and its objective, and who shows it."""
    rows = [
        (
            f"`{one.name}`",
            str(one.kind),
            ", ".join(f"`{label}`" for label in one.labels) or "–",
            one.meaning,
            one.objective or "–",
            ", ".join(part for part, shown in SHOWN_BY.items() if one in shown),
        )
        for one in METRICS
    ]
    return table(("metric", "kind", "labels", "meaning", "objective", "shown by"), *rows)


def problems_tables() -> str:
    """Every type of problem, by section."""
    parts: list[str] = []
    for section, types in SECTIONS.items():
        rows = [(f"`{one.uri}`", str(one.status), one.title, one.meaning, one.remedy) for one in types]
        parts += [f"## {section}", table(("type", "status", "title", "meaning", "remedy"), *rows)]
    return "\n\n".join(parts)


def checked_sample() -> str:
    """What `ace check` prints for the sample."""
    return f"```\n{render(checked(read_text(SAMPLE)))}```"


def check_picture() -> str:
    """The terminal, as SVG, after `ace check` of the sample. No font is fetched from elsewhere."""
    console = Console(record=True, width=82, file=io.StringIO(), force_terminal=True, legacy_windows=False)
    console.print(Text("$ ace check claims.txt", style="bold"))
    console.print(Text.from_ansi(render(checked(read_text(SAMPLE)), colour=True)))
    svg = _FONT_FACE.sub("", console.export_svg(title="ace check", theme=MONOKAI, unique_id="ace-check"))
    label = "A terminal after `ace check`: three findings under the words they concern"
    kept = 'xml:space="preserve"'  # some viewers drop the spaces that put a mark under its words
    return svg.replace("<svg ", f'<svg {kept} role="img" aria-label="{label}" ', 1) + "\n"


def decisions_list() -> str:
    """A link to every decision record, by its title."""
    records = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    titles = [path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ") for path in records]
    return "\n".join(f"- [{title}]({path.name})" for title, path in zip(titles, records, strict=True))


def jurisdictions_table() -> str:
    """Every rule with its severity, ground and law in each jurisdiction; of a remark, the law."""
    rows = [(f"[`{rule.id}`](#{_anchor(rule)})", _rests(rule.us), _rests(rule.epc)) for rule in RULES]
    noted = [
        (
            f"[`{rule.id}`](#{_anchor(rule)})",
            *(f"remark: {law}" if law else "–" for law in (rule.us, rule.epc)),
        )
        for rule in REMARK_RULES
    ]
    return table(("rule", *(str(jurisdiction) for jurisdiction in Jurisdiction)), *rows, *noted)


def _rests(provision: Provision | None) -> str:
    if provision is None:
        return "–"
    return f"{provision.severity.value}, {provision.ground.value}: {provision.law}"


def rules_by_class() -> str:
    """Every rule under its class: what is wrong, a marked example, and what is not flagged."""
    parts: list[str] = []
    for error_class in ErrorClass:
        parts.append(f"## {error_class.value.capitalize()}")
        parts += [_described(rule) for rule in RULES if rule.error_class is error_class]
    return "\n\n".join([*parts, "## Remarks", *(_remarked(rule) for rule in REMARK_RULES)])


def prompt_versions() -> str:
    """Every version of the expert's prompt, and the estimated tokens of its fixed messages."""
    rows = []
    for name, prompt in copt.PROMPTS.items():
        *fixed, _ = prompt.messages(ClaimInput(1, ""), 1)
        tokens = sum(count_tokens(message["content"]) for message in fixed)
        rows.append((name, f"`{prompt.version}`", f"{tokens:,}"))
    return table(("prompt", "version", "tokens of the fixed messages"), *rows)


def prompt_kinds() -> str:
    """The kinds of defect that the prompts name, and those that they call no defect."""
    kinds = [textwrap.fill(kind, PROSE_COLUMNS, subsequent_indent="  ") for kind in copt.kinds().split("\n")]
    return "\n".join([*kinds, "", wrapped(f"No defects: {copt.notes()}.")])


def wrapped(text: str) -> str:
    """A paragraph in lines that a reader of the source can take in."""
    return textwrap.fill(text, PROSE_COLUMNS, break_long_words=False, break_on_hyphens=False)


def _described(rule: Rule) -> str:
    parts = [f"### {rule.id}", wrapped(f"{rule.what} In brief: {rule.brief}."), f"```\n{flagged(rule)}\n```"]
    if rule.silent:
        parts.append(wrapped(f"Not flagged: {rule.silent.rstrip('.')}."))
    if rule.whole_set:
        parts.append("Needs the whole claim set.")
    return "\n\n".join(parts)


def _remarked(rule: RemarkRule) -> str:
    parts = [f"### {rule.id}", wrapped(rule.what), f"```\n{flagged(rule)}\n```"]
    if rule.silent:
        parts.append(wrapped(f"Not remarked on: {rule.silent.rstrip('.')}."))
    return "\n\n".join(parts)


def flagged(rule: Rule | RemarkRule) -> str:
    """The rule's example, with the words that the check finds underlined."""
    claims = read_text(rule.example, partial=True)
    law = Jurisdiction.US if rule.us is not None else Jurisdiction.EPC
    report = checked(claims, jurisdiction=law, threshold=0.0)
    shown: list[Finding | Remark] = [*report.findings, *report.remarks]
    found = [one for one in shown if one.rule_id == rule.id]
    spans = [claims[one.claim].source_span(one.start, one.end) for one in found]
    start, end = next((span for span in spans if span is not None), (0, 0))
    rows = underlined(rule.example.strip("\n"), start, end, EXAMPLE_COLUMNS)
    if start == end:
        return "\n".join(row for row, _ in rows)
    return "\n".join(line for row in rows for line in row if line or row == ("", ""))


def _anchor(rule: Rule | RemarkRule) -> str:
    """The anchor that GitHub and the docs site give to the rule's heading."""
    return rule.id.replace(".", "")


def _ordered(pairs: frozenset[tuple[State | None, State]]) -> list[tuple[State | None, State]]:
    order = {state: place for place, state in enumerate(State)}
    return sorted(pairs, key=lambda pair: (order[pair[0]] if pair[0] else -1, order[pair[1]]))


def _ways(pairs: frozenset[tuple[State | None, State]]) -> str:
    """The pairs in words, grouped by the state that they lead to."""
    ways: dict[State, list[str]] = {}
    for before, after in _ordered(pairs):
        ways.setdefault(after, []).append("nothing" if before is None else str(before))
    return "; ".join(f"{', '.join(befores)} → {after}" for after, befores in ways.items())


def labels_manifest() -> str:
    """Who read and wrote which labels."""
    rows = [
        (
            row["work"],
            row["split"],
            row["role"] if row["reader"] == MODEL else f"{row['role']} ({row['reader']})",
            f"{row['records']:,}",
            f"{row['with_defect']:,}",
            row["first"] if row["first"] == row["last"] else f"{row['first']} to {row['last']}",
            ", ".join(f"`{name}`" for name in row["instructions"]),
        )
        for row in manifest.load()
    ]
    columns = ("work", "families", "role", "number", "with a defect", "stored", "instruction")
    return table(columns, *rows)


PAGES: Final[dict[str, dict[str, Callable[[], str]]]] = {
    "docs/quickstart.md": {"check": checked_sample},
    "docs/reference/settings.md": {"settings": settings_table},
    "docs/reference/metrics.md": {"metrics": metrics_table},
    "docs/how-to/capacity.md": {"plans": plans_tables},
    "docs/reference/problems.md": {"problems": problems_tables},
    "docs/decisions/index.md": {"decisions": decisions_list},
    "docs/reference/states.md": {"states": states_table, "diagram": diagram, "moves": moves_table},
    "docs/reference/claims.md": {"jurisdictions": jurisdictions_table, "rules": rules_by_class},
    "docs/reference/labels.md": {"manifest": labels_manifest},
    "docs/reference/copt.md": {"versions": prompt_versions, "kinds": prompt_kinds},
}
PICTURES: Final[dict[str, Callable[[], str]]] = {"docs/figures/check.svg": check_picture}
WITH_RUNS: Final = "docs/quickstart.md"
RUNS: Final[dict[str, Callable[[], str]]] = {
    "demo": transcripts.demo,
    "submitted": partial(transcripts.submitted, SAMPLE),
}
"""Parts that take a real stack, and some time."""


def filled(page: str, text: str) -> str:
    """The page with every generated part made anew. Raises ValueError if a mark is missing."""
    for name, make in PAGES[page].items():
        text = put(name, make(), text)
    return text


def put(name: str, made: str, text: str) -> str:
    """The text with `made` between the marks of `name`. Raises ValueError unless each mark occurs once."""
    marked = re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", re.DOTALL)
    text, count = marked.subn(lambda _: f"\n{made}\n\n", text)
    if count != 1:
        raise ValueError(f"expected the marks of {name!r} once, found them {count} times")
    return text


def main(arguments: list[str]) -> int:
    """Rewrites pages and pictures, or with `--check` only names those out of date and returns 1 if any is."""
    check = "--check" in arguments
    made = {page: filled(page, (ROOT / page).read_text(encoding="utf-8")) for page in PAGES}
    made |= {name: make() for name, make in PICTURES.items()}
    if "--runs" in arguments:
        for name, run in RUNS.items():
            made[WITH_RUNS] = put(name, f"```\n{run()}\n```", made[WITH_RUNS])
    stale = [name for name, text in made.items() if _current(name) != text]
    for name in stale:
        sys.stderr.write(f"{name} {'is out of date' if check else 'rewritten'}\n")
        if not check:
            (ROOT / name).write_text(made[name], encoding="utf-8")
    return 1 if check and stale else 0


def _current(name: str) -> str:
    path = ROOT / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
