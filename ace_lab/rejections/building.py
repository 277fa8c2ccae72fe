"""From office actions and claim sets to a file of rejections, one line per rejected claim and reason."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from ace.claims.chains import kept_set
from ace_lab.rejections.claim_versions import Version, examined, read_versions
from ace_lab.rejections.office_actions import OfficeAction, read_actions
from ace_lab.rejections.quotes import place_of
from ace_lab.rejections.statements import Parsed, Statement, parse

Progress = Callable[[int], None]


def build(
    actions: Sequence[Path], claims: Sequence[Path], out: Path, *, progress: Progress | None = None
) -> Counter[str]:
    """Writes the file and returns what was read, written and left out, as counts.

    The file appears once it is complete, gzipped if its name ends in .gz. Raises Refused if a path cannot
    be read.
    """
    counts: Counter[str] = Counter()
    # Bulk files of claims have far more applications than a few weeks of actions concern.
    wanted = {action.application for path in actions for action in read_actions(path, Counter())}
    versions = read_versions(claims, counts, wanted)
    unfinished = out.with_name(f"{out.name}.tmp")
    try:
        with ExitStack() as stack:
            lines = stack.enter_context(_writing(unfinished, packed=out.suffix == ".gz"))
            for action in _with_progress(_each(actions, counts), progress):
                for line in _lines(action, versions, counts):
                    lines.write(json.dumps(line, ensure_ascii=False) + "\n")
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)
    return +counts


def _writing(path: Path, *, packed: bool) -> TextIO:
    if packed:
        return gzip.open(path, "wt", encoding="utf-8")
    return path.open("w", encoding="utf-8")


def _each(paths: Sequence[Path], counts: Counter[str]) -> Iterator[OfficeAction]:
    """Each action once, though archives overlap."""
    seen: set[tuple[str, str, str, int]] = set()
    for path in paths:
        for action in read_actions(path, counts):
            key = (action.application, action.code, action.date, hash(action.body))
            if key in seen:
                counts["actions_repeated"] += 1
            else:
                seen.add(key)
                yield action


def _with_progress(actions: Iterable[OfficeAction], progress: Progress | None) -> Iterator[OfficeAction]:
    for action in actions:
        yield action
        if progress is not None:
            progress(1)


def _lines(
    action: OfficeAction, versions: Mapping[str, Sequence[Version]], counts: Counter[str]
) -> Iterator[dict[str, Any]]:
    known = versions.get(action.application)
    if known is None:
        counts["actions_without_claims"] += 1
        return
    parsed = parse(action.body)
    counts.update({f"text_{name}": count for name, count in parsed.counts.items()})
    if not parsed.statements:
        counts["actions_with_112_unread" if parsed.rejected else "actions_without_112"] += 1
        return
    version = examined(known, action, parsed.statements)
    if version is None:
        counts["actions_before_all_claims"] += 1
        return
    counts["actions_with_lines"] += 1
    shared = _shared(action, version, parsed)
    against = list(_by_claim(version, parsed, counts))
    own = {number for number, _ in against}
    resting = {*parsed.dependent_on, *parsed.rejected} & set(version.claims) - own
    counts["claims_rejected_for_their_parents"] += len(resting)
    shared["dependent_on"] = sorted(resting)
    for number, statement in against:
        yield _line(number, statement, version, shared, counts)


def _shared(action: OfficeAction, version: Version, parsed: Parsed) -> dict[str, Any]:
    """What all lines of one action have in common."""
    return {
        "application": action.application,
        "date": action.date or None,
        "document": action.code or None,
        "claims": [{"num": number, "text": text} for number, text in version.claims.items()],
        "dependent_on": [],
        "objected": list(parsed.objected),
        "not_examined": list(parsed.unexamined),
    }


def _by_claim(version: Version, parsed: Parsed, counts: Counter[str]) -> Iterator[tuple[int, Statement]]:
    """Each claim in the version with each statement against it. A statement that names no claims is against
    the claims of its heading that contain its words; if none does, it is dropped."""
    resting = _resting_on_reasoned(version, parsed)
    for statement in parsed.statements:
        numbers: Sequence[int] = statement.claims
        if statement.assumed and statement.quote:
            numbers = [n for n in numbers if place_of(statement.quote, version.claims.get(n, "")) is not None]
            counts["statements_without_place"] += not numbers
        if statement.assumed and not statement.quote:
            numbers = [number for number in numbers if number not in resting]
        for number in numbers:
            if number in version.claims:
                yield number, statement
            else:
                counts["rejected_claims_not_in_set"] += 1


def _resting_on_reasoned(version: Version, parsed: Parsed) -> set[int]:
    """The claims that depend on one that was given a reason."""
    claims = kept_set(version.claims.items())
    reasoned = {number for each in parsed.statements if not each.assumed for number in each.claims}
    return {claim.number for claim in claims if reasoned & set(claims.ancestors(claim.number))}


def _line(
    number: int, statement: Statement, version: Version, shared: Mapping[str, Any], counts: Counter[str]
) -> dict[str, Any]:
    text = version.claims[number]
    place = place_of(statement.quote, text) if statement.quote else None
    counts["lines"] += 1
    counts[f"lines_{statement.category}"] += 1
    counts["quotes_not_in_claim"] += bool(statement.quote) and place is None
    return {
        "application": shared["application"],
        "claims": shared["claims"],
        "claim_num": number,
        "reason": statement.reason,
        "category": statement.category,
        "quote": text[place[0] : place[1]] if place else statement.quote or None,
        "quote_in_claim": place is not None if statement.quote else None,
        "form_paragraph": statement.form or None,
        **{name: shared[name] for name in ("date", "document", "dependent_on", "objected", "not_examined")},
    }
