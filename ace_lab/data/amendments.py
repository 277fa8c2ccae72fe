"""What applicants repaired: claims as published that had a defect, and the same claims as granted.

A claim counts as repaired if the amendment shows it, not if it merely changed: a definite phrase without a
basis has one in the granted claim or is definite no longer, or a finding of the rules is gone. The former
does not ask how sure the rules were, so that it includes defects on which they are silent. Limitations that
were added, and ranges that were narrowed within what their parent allows, answer the prior art and repair
nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import cached_property
from typing import Final, NamedTuple

from ace.claims.analysis import ClaimAnalysis, Place, ResolvedPhrase, analyse, is_on_set
from ace.claims.reading import Reading
from ace.claims.references.graph import Basis
from ace.claims.taxonomy import PASS, ErrorClass
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace_lab.data.pools import split_of
from ace_lab.data.published_pairs import Pair
from ace_lab.data.rows import Row, Span
from ace_lab.data.sources import SourceSet

GENERATOR: Final = "applicant"

_LEAST_ALIKE = 0.6
"""Share of the words of two claims that are the same and in the same order."""
_WORD = re.compile(r"\w+|[^\w\s]")
_BASELESS = frozenset(
    {Basis.NONE, Basis.TYPO, Basis.AMBIGUOUS, Basis.SIBLING_ONLY, Basis.SOME_PATHS, Basis.LATER}
)
_FIRM = frozenset({Basis.EXPLICIT, Basis.INHERITED})
_FOUND = _FIRM | {Basis.HEAD_MATCH, Basis.ABBREVIATION, Basis.DERIVED}


class Repair(NamedTuple):
    """A defect of the published claim, at text[start:end], that the granted one has no longer. `kind` is a
    stable word."""

    error_class: ErrorClass
    kind: str
    start: int
    end: int


class _Text:
    """A claim in words. All numbers of claims that it refers to are alike, because claims are renumbered."""

    def __init__(self, reading: Reading, number: int) -> None:
        self.number = number
        cited = [(one.start, one.end) for one in reading.references(number)]
        found = list(_WORD.finditer(reading.claims[number].text))
        self.words = [(match.start(), match.end()) for match in found]
        self.spelling = tuple(_spelling(match, cited) for match in found)
        self.keys = tuple(word.lower() for word in self.spelling)
        self.counted = Counter(self.keys)

    def at(self, start: int, end: int) -> range:
        """The indices of the words within text[start:end]."""
        inside = [at for at, (begin, stop) in enumerate(self.words) if begin >= start and stop <= end]
        return range(inside[0], inside[-1] + 1) if inside else range(0)


def _spelling(match: re.Match[str], cited: list[Span]) -> str:
    is_cited = match[0].isdigit() and any(start <= match.start() < end for start, end in cited)
    return "#" if is_cited else match[0]


class _Side:
    """One of the two claim sets."""

    def __init__(self, source: SourceSet) -> None:
        self.source = source
        self.reading = Reading(source.claims)
        self.texts = {claim.number: _Text(self.reading, claim.number) for claim in source.claims}

    @cached_property
    def analyses(self) -> Mapping[int, ClaimAnalysis]:
        return analyse(self.reading)


def amended_rows(pair: Pair, counts: Counter[str]) -> Iterator[Row]:
    """Two rows for each claim that was repaired: as published, with the places of its commonest class of
    defect, and as granted, sound. `origin` is the granted claim in both."""
    before, after = _Side(pair.published), _Side(pair.granted)
    amendment = _Amendment(before, after, aligned(before, after))
    counts["claims_published"] += len(before.texts)
    counts["claims_aligned"] += len(amendment.matched)
    for old, new in amendment.matched.items():
        repairs = amendment.repairs(old, new)
        if not repairs:
            continue
        classes = Counter(each.error_class for each in repairs)
        label = max(ErrorClass, key=lambda kind: classes[kind])
        own = [each for each in repairs if each.error_class is label]
        counts[f"repaired_{label.value}"] += 1
        counts["claims_repaired_of_several_classes"] += len(classes) > 1
        spans = tuple(sorted({(each.start, each.end) for each in own}))
        origin = pair.granted.origin(new)
        yield _row(before, old, label.value, f"amended_{own[0].kind}", spans, origin, pair.granted.family)
        yield _row(after, new, PASS, "amended", (), origin, pair.granted.family)


def aligned(before: _Side, after: _Side) -> dict[int, int]:
    """The granted claim of each published one that has one, the likest pairs first."""
    likenesses = [
        (-likeness, old.number, new.number)
        for old in before.texts.values()
        for new in after.texts.values()
        if (likeness := _likeness(old, new)) >= _LEAST_ALIKE
    ]
    matched: dict[int, int] = {}
    taken: set[int] = set()
    for _, old_number, new_number in sorted(likenesses):
        if old_number not in matched and new_number not in taken:
            matched[old_number] = new_number
            taken.add(new_number)
    return dict(sorted(matched.items()))


def _likeness(old: _Text, new: _Text) -> float:
    if old.keys == new.keys:
        return 1.0
    shared = 2 * (old.counted & new.counted).total() / max(1, len(old.keys) + len(new.keys))
    return (
        shared if shared < _LEAST_ALIKE else SequenceMatcher(None, old.keys, new.keys, autojunk=False).ratio()
    )


class _Amendment:
    """What became of the claims of one application."""

    def __init__(self, before: _Side, after: _Side, matched: dict[int, int]) -> None:
        self.matched = matched
        self._before, self._after = before, after
        self._published = {new: old for old, new in matched.items()}
        self._kept: dict[int, dict[int, int]] = {}

    def repairs(self, old: int, new: int) -> list[Repair]:
        """The defects of a published claim that its granted version has no longer."""
        if self._as_it_was(old, new):
            return []
        was, now = self._before.analyses[old], self._after.analyses[new]
        left = {each.rule_id for each in now.findings}
        gone = [
            Repair(each.error_class, each.subtype, each.start, each.end)
            for each in was.reported()
            if each.fails and each.error_class is not ErrorClass.ANTECEDENT
            if not is_on_set(each) and each.rule_id not in left
        ]
        return gone if self._hangs_loose(old) else [*gone, *self._grounded(old, new)]

    def _as_it_was(self, old: int, new: int) -> bool:
        """Whether neither the claim nor a claim that it depends on was amended."""
        was, now = self._before.source.claims, self._after.source.claims
        chains = (old, *was.ancestors(old)), (new, *now.ancestors(new))
        return [self.matched.get(each) for each in chains[0]] == list(chains[1]) and all(
            self._before.texts[one].spelling == self._after.texts[other].spelling
            for one, other in zip(*chains, strict=True)
        )

    def _hangs_loose(self, old: int) -> bool:
        """Whether a reference in the published chain is defective: what it brings in is then unknown."""
        return any(
            each.error_class is ErrorClass.DEPENDENCY and each.fails
            for number in (old, *self._before.source.claims.ancestors(old))
            for each in self._before.analyses[number].reported()
        )

    def _grounded(self, old: int, new: int) -> Iterator[Repair]:
        """The definite phrases that had no basis."""
        for phrase in self._before.analyses[old].phrases:
            shifted = phrase.basis is Basis.NUMBER_SHIFT
            if (shifted or phrase.basis in _BASELESS) and (kind := self._kind(phrase, old, new)):
                yield Repair(ErrorClass.ANTECEDENT, kind, phrase.start, phrase.end)

    def _kind(self, phrase: ResolvedPhrase, old: int, new: int) -> str | None:
        """How the phrase was repaired; None if it was not."""
        text, kept = self._after.texts[new], self._kept_words(old, new)
        words = self._before.texts[old].at(phrase.start, phrase.end)
        if len(words) < 2:
            return None
        article, head = kept.get(words[0]), kept.get(words[-1])
        phrases = self._after.analyses[new].phrases
        spans = {(ends.start, ends.stop - 1): each for each in phrases if (ends := text.at(*each[:2]))}
        found = next((each for ends, each in spans.items() if article == ends[0] or head == ends[1]), None)
        if found is None:
            return "article" if words[0] not in kept and all(at in kept for at in words[1:]) else None
        if found.basis not in (_FIRM if phrase.basis is Basis.NUMBER_SHIFT else _FOUND):
            return None
        if any(at not in kept for at in words):
            return "number" if phrase.basis is Basis.NUMBER_SHIFT else "name"
        return "basis" if found.source is not None and self._is_new(found.source, old) else None

    def _is_new(self, source: Place, old: int) -> bool:
        """Whether the amendment put the source of a phrase where the published claim can see it."""
        published = self._published.get(source.claim)
        if published is None or published not in {old, *self._before.source.claims.ancestors(old)}:
            return True
        places = set(self._kept_words(published, source.claim).values())
        return any(at not in places for at in self._after.texts[source.claim].at(source.start, source.end))

    def _kept_words(self, old: int, new: int) -> dict[int, int]:
        """Where each word of the published claim that was kept is in the granted one."""
        if old not in self._kept:
            one, other = self._before.texts[old].keys, self._after.texts[new].keys
            blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
            self._kept[old] = {a + at: b + at for a, b, size in blocks for at in range(size)}
        return self._kept[old]


def _row(
    side: _Side, number: int, label: str, edit: str, spans: tuple[Span, ...], origin: str, family: str
) -> Row:
    shown = side.source.claims.input_of(number, max_chain_characters=CHAIN_CHARACTERS)
    return Row(
        split=split_of(family),
        family=family,
        source=side.source.source,
        number=shown.number,
        text=shown.text,
        ancestors=shown.ancestors,
        label=label,
        edit=edit,
        generator=GENERATOR,
        spans=spans,
        origin=origin,
    )
