"""Checks a model's answer against its task; nothing that the model says about its edits is trusted.

Reasons for a rejection are single words, because answers quote claims. Spans come from a comparison of the
texts. A defect counts as confirmed if the rules see a flaw of its class that was not there before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from pydantic import BaseModel, Field, ValidationError

from ace.claims.chains import kept_set
from ace.claims.checks import flaws_of
from ace.claims.checks.confidence import DEFAULT_THRESHOLD, confidence
from ace.claims.findings import Flaw
from ace.claims.model import ClaimSet
from ace.claims.reading import Reading
from ace.claims.taxonomy import PASS
from ace.gatekeeper.canonical import canonical
from ace_lab.llm.prompts import LEAST_EDITS, MOST_EDITS
from ace_lab.llm.tasks import Task

MAX_EDIT_CHARACTERS = 200
"""Maximum length of one edit, before and after it."""
MAX_CHANGED = 0.5
"""Share of a claim's characters that all edits may change; SMALL_EDIT characters may change in any claim."""
SMALL_EDIT = 60

_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCED = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.DOTALL)
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")

Hunk = tuple[int, int, int, int]
"""[start:end] in the old text, then in the new."""


class Rejected(Exception):
    """An unusable answer; the message is the reason, one word."""


class _Numbered(BaseModel):
    number: int
    text: str


class Change(BaseModel):
    """One edit as the model reports it."""

    claim: int
    quote: str = Field(min_length=1)
    explanation: str


class _Answer(BaseModel):
    claims: list[_Numbered]
    changes: list[Change]


@dataclass(frozen=True, slots=True)
class Edited:
    """A set after its edits. `places` are (claim, start, end) of the defects, none in a placebo.

    `confirmed`: the rules see a flaw of the class that the sound twin does not have; placebos always are.
    """

    claims: ClaimSet
    places: tuple[tuple[int, int, int], ...]
    confirmed: bool


def edited(content: str, finish_reason: str | None, task: Task) -> Edited:
    """The set that a model returned for a task. Raises Rejected."""
    answer = _parsed(content, finish_reason)
    old = {claim.number: claim.text for claim in task.source.claims}
    new = {claim.number: canonical(claim.text) for claim in answer.claims}
    _same_numbers(old, [claim.number for claim in answer.claims])
    # Checked before a comparison that could take minutes; a claim without text would be a canceled one.
    if any(
        not new[number] or abs(len(new[number]) - len(text)) > _room(text, new[number])
        for number, text in old.items()
    ):
        raise Rejected("too_large")
    hunks = {number: found for number in old if (found := differences(old[number], new[number]))}
    edits = _reported(old, new, hunks, answer.changes)
    _bounded(old, new, edits)
    _asked_for(edits, task)
    before, after = task.source.claims, kept_set(new.items())
    fresh = _fresh_flaws(before, after)
    if task.label == PASS:
        if any(confidence(flaw) >= DEFAULT_THRESHOLD for flaws in fresh.values() for flaw in flaws):
            raise Rejected("spoilt")
        return Edited(after, (), confirmed=True)
    fresh = {
        number: own
        for number, flaws in fresh.items()
        if (own := [flaw for flaw in flaws if flaw.rule.error_class == task.label])
    }
    places = tuple(_places(after, task.label, edits, fresh))
    if task.number is not None and {number for number, _, _ in places} != {task.number}:
        raise Rejected("elsewhere")
    return Edited(after, places, confirmed=bool(fresh))


def differences(old: str, new: str) -> list[Hunk]:
    """Where two texts differ, by words; differences separated only by a space are merged."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    starts_before, starts_after = _starts(before), _starts(after)
    found: list[Hunk] = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        hunk = (starts_before[a], starts_before[b], starts_after[c], starts_after[d])
        if found and not old[found[-1][1] : hunk[0]].strip():
            hunk = (found[-1][0], hunk[1], found.pop()[2], hunk[3])
        found.append(hunk)
    return found


def _parsed(content: str, finish_reason: str | None) -> _Answer:
    if finish_reason == "length":
        raise Rejected("truncated")
    content = _THOUGHTS.sub("", content).strip()
    if fenced := _FENCED.match(content):
        content = fenced[1]
    try:
        return _Answer.model_validate_json(content)
    except ValidationError as error:
        kind = "unreadable" if error.errors()[0]["type"] == "json_invalid" else "schema"
    raise Rejected(kind)


def _same_numbers(old: Mapping[int, str], numbers: list[int]) -> None:
    if numbers != list(old):
        lost = len(numbers) < len(old) and set(numbers) < set(old)
        raise Rejected("claim_lost" if lost else "renumbered")


def _reported(
    old: Mapping[int, str], new: Mapping[int, str], hunks: Mapping[int, list[Hunk]], changes: list[Change]
) -> dict[int, list[Hunk]]:
    """The edits: differences, merged if one quotation covers them. Every edit must be reported, and every
    report must name an edit."""
    if not hunks:
        raise Rejected("unchanged")
    if hunks.keys() - {change.claim for change in changes}:
        raise Rejected("unreported")
    spans: dict[int, list[tuple[int, int]]] = {}
    for change in changes:
        quote = canonical(change.quote)
        if change.claim not in hunks or not _is_new(quote, old[change.claim], new[change.claim]):
            raise Rejected("not_there")
        spans.setdefault(change.claim, []).extend(_occurrences(quote, new[change.claim]))
    if not all(_is_within(hunk, spans[number], touching=True) for number in hunks for hunk in hunks[number]):
        raise Rejected("unreported")
    return {number: _joined(found, spans[number]) for number, found in hunks.items()}


def _joined(hunks: list[Hunk], spans: list[tuple[int, int]]) -> list[Hunk]:
    edits: list[Hunk] = []
    for hunk in hunks:
        whole = (edits[-1][0], hunk[1], edits[-1][2], hunk[3]) if edits else hunk
        if edits and _is_within(whole, spans):
            edits[-1] = whole
        else:
            edits.append(hunk)
    return edits


def _is_within(hunk: Hunk, spans: list[tuple[int, int]], *, touching: bool = False) -> bool:
    """Whether a span of the new text has the hunk in it, or at least touches it."""
    _, _, first, last = hunk
    if touching:
        return any(start <= last and first <= end for start, end in spans)
    return any(start <= first and last <= end for start, end in spans)


def _is_new(quote: str, old: str, new: str) -> bool:
    """Whether the words are in the new text only, or end it without having ended the old one."""
    return bool(quote) and (
        quote in new and (quote not in old or (new.endswith(quote) and not old.endswith(quote)))
    )


def _bounded(old: Mapping[int, str], new: Mapping[int, str], edits: Mapping[int, list[Hunk]]) -> None:
    for number, found in edits.items():
        sizes = [max(b - a, d - c) for a, b, c, d in found]
        if max(sizes) > MAX_EDIT_CHARACTERS or sum(sizes) > _room(old[number], new[number]):
            raise Rejected("too_large")


def _room(old: str, new: str) -> float:
    """How many characters of a claim may change."""
    return max(SMALL_EDIT, MAX_CHANGED * max(len(old), len(new)))


def _asked_for(edits: Mapping[int, list[Hunk]], task: Task) -> None:
    made = sum(len(found) for found in edits.values())
    if task.number is None:
        if not LEAST_EDITS <= made <= MOST_EDITS:
            raise Rejected("count")
    elif set(edits) != {task.number}:
        raise Rejected("elsewhere")
    elif made != 1:
        raise Rejected("count")


def _fresh_flaws(before: ClaimSet, after: ClaimSet) -> dict[int, list[Flaw]]:
    """The flaws of a set that an earlier version of it does not have, by claim."""
    known = Counter(key for key, _ in _keyed_flaws(before))
    fresh: dict[int, list[Flaw]] = {}
    for key, flaw in _keyed_flaws(after):
        if known[key] > 0:
            known[key] -= 1
        else:
            fresh.setdefault(key[0], []).append(flaw)
    return fresh


def _keyed_flaws(claims: ClaimSet) -> list[tuple[tuple[int, str, str], Flaw]]:
    reading = Reading(claims)
    return [
        ((claim.number, flaw.rule.id, claim.text[flaw.start : flaw.end].casefold()), flaw)
        for claim in claims
        for flaw in flaws_of(reading, claim)
    ]


def _places(
    claims: ClaimSet, label: str, edits: Mapping[int, list[Hunk]], fresh: Mapping[int, list[Flaw]]
) -> list[tuple[int, int, int]]:
    """Where the defects are. Usually that is where words changed, but an element renamed at its introduction
    lacks its basis where it is referred to, perhaps in another claim."""
    spans = {number: [(c, d) for _, _, c, d in found] for number, found in edits.items()}
    away = {
        number
        for number, flaws in fresh.items()
        if not all(any(f.start < d and c < f.end for c, d in spans.get(number, ())) for f in flaws)
    }
    heirs = {ancestor for number in away for ancestor in claims.ancestors(number)}
    places: set[tuple[int, int, int]] = set()
    for claim in claims:
        number, text = claim.number, claim.text
        if number in fresh and (label == "antecedent" or number not in edits):
            places |= {(number, flaw.start, flaw.end) for flaw in fresh[number]}
        elif number in edits and (number in fresh or number not in heirs):
            places |= {(number, *_widened(text, c, d)) for c, d in spans[number]}
    return sorted(places)


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """The span, or the words around it if it is a gap left by deleted words."""
    if start < end and text[start:end].strip():
        return start, end
    while start > 0 and (text[start:end].strip() == "" or text[start - 1].isalnum()):
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return start, end


def _starts(tokens: list[str]) -> list[int]:
    starts = [0]
    for token in tokens:
        starts.append(starts[-1] + len(token))
    return starts


def _occurrences(quote: str, text: str) -> list[tuple[int, int]]:
    return [(found.start(), found.end()) for found in re.finditer(re.escape(quote), text)]
