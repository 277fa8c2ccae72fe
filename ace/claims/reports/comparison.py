"""Two versions of a claim set: which claim became which, what changed in its words, and which findings went,
came and stayed.

An amendment keeps the numbers of claims and says of each what became of it (37 CFR 1.121(c), 1.126). Versions
that number claims anew are followed by their words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final, NamedTuple

from ace.claims.analysis import ClaimAnalysis
from ace.claims.findings import Finding
from ace.claims.model import Claim, ClaimSet, Status

_CLAIM_NUMBERS: Final = re.compile(r"(?i)(?<=claim )\d+|(?<=claims )\d+")
_WORD: Final = re.compile(r"\w+|[^\w\s]")
_ALIKE: Final = 0.5
"""The share of words in common from which claims of the same number are versions of one claim; claims of
different numbers need more."""
_ALIKE_ELSEWHERE: Final = 0.7
_PAIRS: Final = 40_000
"""Claims without a partner that are compared with each other at most: more were written anew."""
_EXACT_WORDS: Final = 3_000  # beyond which frequent words do not begin a match: it would take seconds


class Change(StrEnum):
    """What happened to a run of words."""

    SAME = "same"
    DELETED = "deleted"
    INSERTED = "inserted"


class Run(NamedTuple):
    """Words of a claim, with the white space around them."""

    change: Change
    text: str


class Fate(StrEnum):
    """What became of a claim."""

    SAME = "unchanged"
    AMENDED = "amended"
    NEW = "new"
    CANCELED = "canceled"
    LEFT_OUT = "left out"


FITTING: Final[Mapping[Fate, tuple[Status, ...]]] = {
    Fate.SAME: (Status.ORIGINAL, Status.PREVIOUSLY_PRESENTED, Status.WITHDRAWN),
    Fate.AMENDED: (Status.CURRENTLY_AMENDED, Status.WITHDRAWN),
    Fate.NEW: (Status.NEW,),
    Fate.CANCELED: (Status.CANCELED, Status.NOT_ENTERED),
    Fate.LEFT_OUT: (),
}
"""The status identifiers that 37 CFR 1.121(c) has for a claim with this fate."""


@dataclass(frozen=True, slots=True)
class ComparedClaim:
    """A claim of either version. `before` and `after` are null where it has none; `remarks` say in sentences
    where the amendment departs from 37 CFR 1.121(c)."""

    before: Claim | None
    after: Claim | None
    fate: Fate
    runs: tuple[Run, ...]
    went: tuple[Finding, ...]
    came: tuple[Finding, ...]
    stayed: tuple[Finding, ...]
    remarks: tuple[str, ...]

    @property
    def number(self) -> int:
        """Its number in the new version, or the old one if it is not there any more."""
        claim = self.after or self.before
        return 0 if claim is None else claim.number

    @property
    def identifier(self) -> str | None:
        """The status identifier that fits, as an amendment writes it; the first if several do."""
        fitting = FITTING[self.fate]
        return fitting[0].value.replace("_", " ").capitalize() if fitting else None


def compared(
    before: ClaimSet,
    after: ClaimSet,
    found_before: Mapping[int, ClaimAnalysis],
    found_after: Mapping[int, ClaimAnalysis],
) -> list[ComparedClaim]:
    """The claims of the new version in its order; after them those of the old one that are left out."""
    partners = paired(before, after)
    made = [
        _compared(before.get(partners.get(claim.number, 0)), claim, found_before, found_after)
        for claim in after
    ]
    taken = set(partners.values())
    left = [claim for claim in before if claim.number not in taken and claim.pending]
    return made + [_compared(claim, None, found_before, found_after) for claim in left]


def paired(before: ClaimSet, after: ClaimSet) -> dict[int, int]:
    """For numbers of the new version the number that the claim had in the old one.

    In a listing with status identifiers claims keep their numbers. Otherwise a claim is followed to where the
    same words stand, then to its number if what stands there is alike, then to what is most alike.
    """
    if any(claim.status is not None for claim in after):
        return {claim.number: claim.number for claim in after if before.get(claim.number) is not None}
    words_before, words_after = _word_counts(before), _word_counts(after)
    partners = _verbatim(before, after)
    taken = set(partners.values())
    for number in words_after.keys() - partners.keys() - taken:
        old = words_before.get(number)
        if old is not None and likeness(old, words_after[number]) >= _ALIKE:
            partners[number] = number
    return partners | dict(_elsewhere(words_before, words_after, partners))


def _verbatim(before: ClaimSet, after: ClaimSet) -> dict[int, int]:
    """Claims whose words are the same but for the numbers of claims, those of the same number first."""
    olds: dict[str, list[int]] = {}
    for claim in before:
        if claim.pending:
            olds.setdefault(_CLAIM_NUMBERS.sub("", claim.text), []).append(claim.number)
    same = {
        claim.number: olds.get(_CLAIM_NUMBERS.sub("", claim.text), []) for claim in after if claim.pending
    }
    partners = {number: number for number, found in same.items() if number in found}
    for number, found in same.items():
        left = [each for each in found if each not in partners.values()]
        if number not in partners and left:
            partners[number] = left[0]
    return partners


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """Twice the words in common, over all words: 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def word_runs(before: str, after: str) -> tuple[Run, ...]:
    """Both texts word by word. The runs that are not deleted make up `after`."""
    spans_before, spans_after = ([match.span() for match in _WORD.finditer(text)] for text in (before, after))
    words = [[before[a:b] for a, b in spans_before], [after[a:b] for a, b in spans_after]]
    many = max(map(len, words)) > _EXACT_WORDS
    matcher = SequenceMatcher(None, words[0], words[1], autojunk=many)
    found: list[Run] = []
    for kind, low, high, start, end in matcher.get_opcodes():
        if kind == "equal":
            found.append(Run(Change.SAME, _cut(after, spans_after, start, end)))
            continue
        if low < high:
            lost = "" if _gap(after, spans_after, start) else _gap(before, spans_before, low)
            found.append(Run(Change.DELETED, lost + _cut(before, spans_before, low, high)))
        if start < end:
            found.append(Run(Change.INSERTED, _cut(after, spans_after, start, end)))
    return tuple(found)


def _cut(text: str, spans: Sequence[tuple[int, int]], first: int, last: int) -> str:
    """The words first to last, with what stands before the first word of all and after each."""
    start = 0 if first == 0 else spans[first][0]
    return text[start : spans[last][0] if last < len(spans) else len(text)]


def _gap(text: str, spans: Sequence[tuple[int, int]], at: int) -> str:
    """What stands between the word at this place and the one before it."""
    return "" if at == 0 else text[spans[at - 1][1] : spans[at][0] if at < len(spans) else len(text)]


def _word_counts(claims: ClaimSet) -> dict[int, Counter[str]]:
    return {claim.number: Counter(_WORD.findall(claim.text.casefold())) for claim in claims if claim.pending}


def _elsewhere(
    before: Mapping[int, Counter[str]], after: Mapping[int, Counter[str]], partners: Mapping[int, int]
) -> Iterator[tuple[int, int]]:
    """Pairs of numbers, (new, old), of claims that have no partner yet, the most alike first."""
    taken = set(partners.values())
    news = [number for number in after if number not in partners]
    olds = [number for number in before if number not in taken]
    if len(news) * len(olds) > _PAIRS:
        return
    pairs = sorted(
        ((likeness(before[old], after[new]), -new, -old) for new in news for old in olds), reverse=True
    )
    seen_new: set[int] = set()
    for alike, new, old in pairs:
        if alike >= _ALIKE_ELSEWHERE and -new not in seen_new and -old not in taken:
            seen_new.add(-new)
            taken.add(-old)
            yield -new, -old


def _compared(
    before: Claim | None,
    after: Claim | None,
    found_before: Mapping[int, ClaimAnalysis],
    found_after: Mapping[int, ClaimAnalysis],
) -> ComparedClaim:
    fate = _fate(before, after)
    texts = [claim.text if claim is not None and claim.pending else "" for claim in (before, after)]
    old = () if before is None else found_before[before.number].reported()
    new = () if after is None else found_after[after.number].reported()
    kept_old, kept_new = Counter(map(_key, old)), Counter(map(_key, new))
    came = tuple(_beyond(new, kept_old))
    return ComparedClaim(
        before,
        after,
        fate,
        word_runs(*texts),
        went=tuple(_beyond(old, kept_new)),
        came=came,
        stayed=tuple(each for each in new if not any(each is one for one in came)),
        remarks=tuple(words for holds, words in _remarks(before, after, fate) if holds),
    )


def _fate(before: Claim | None, after: Claim | None) -> Fate:
    if after is None:
        return Fate.LEFT_OUT
    if not after.pending:
        return Fate.CANCELED
    if before is None or not before.pending:
        return Fate.NEW
    return Fate.SAME if before.text == after.text else Fate.AMENDED


def _key(finding: Finding) -> tuple[str, str]:
    return finding.rule_id, " ".join(finding.quote.casefold().split())


def _beyond(findings: Iterable[Finding], others: Counter[tuple[str, str]]) -> Iterator[Finding]:
    """The findings that are not among the others, each of which stands for one alone."""
    left = others.copy()
    for each in findings:
        if left[_key(each)] > 0:
            left[_key(each)] -= 1
        else:
            yield each


def _remarks(before: Claim | None, after: Claim | None, fate: Fate) -> Iterator[tuple[bool, str]]:
    """What an amendment should have done otherwise: whether it holds, and the words."""
    stated = None if after is None else after.status
    named = "" if stated is None else stated.value.replace("_", " ").capitalize()
    yield (
        fate is Fate.LEFT_OUT,
        "It is not in the new listing, which must name every claim (37 CFR 1.121(c)).",
    )
    yield (
        fate is Fate.NEW and before is not None and not before.pending,
        "It was canceled: it can come back only as a new claim with a new number (37 CFR 1.121(c)(5)).",
    )
    yield (
        before is not None and after is not None and before.number != after.number,
        f"It was claim {0 if before is None else before.number}: numbers are to be preserved (37 CFR 1.126).",
    )
    misfit = stated is not None and stated not in FITTING[fate]
    yield misfit, f"It is marked “({named})”, but it is {fate.value} (37 CFR 1.121(c))."
