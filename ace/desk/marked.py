"""The text of a claim cut into pieces, each with what is known of it: a finding, or what it rests on.

The things that claims introduce are listed with all their uses, which scripts light up together.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

from ace.claims.analysis import ClaimAnalysis, Place, ResolvedPhrase
from ace.claims.findings import Finding
from ace.claims.references.ancestry import MAX_PATH_CLAIMS


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters of a claim that are alike. Links to it name `id`; it leads to `href`.

    `of` is the id of the first introduction that it rests on, by way of others or at once, and `path` the
    claims from its own to that one.
    """

    text: str
    id: str | None = None
    also: tuple[str, ...] = ()  # further places that begin here
    href: str | None = None
    finding: Finding | None = None
    of: str | None = None
    path: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Thing:
    """What a claim introduces, in its own words, and the phrases that rest on it, by way of others or at
    once: (claim, id)."""

    id: str
    words: str
    uses: tuple[tuple[int, str], ...]


def introduction_id(place: Place) -> str:
    """The id of a phrase that others rest on."""
    return f"intro-{place.claim}-{place.start}-{place.end}"


def use_id(number: int, phrase: ResolvedPhrase) -> str:
    """The id of a definite phrase of a claim."""
    return f"use-{number}-{phrase.start}-{phrase.end}"


def finding_id(finding: Finding, index: int) -> str:
    """The id of a finding, by its place among those reported on its claim."""
    return f"finding-{finding.claim}-{index}"


def words_id(finding: Finding, index: int) -> str:
    """The id of the words that a finding is about."""
    return f"words-{finding.claim}-{index}"


def introductions(analyses: Mapping[int, ClaimAnalysis]) -> dict[int, list[Place]]:
    """The phrases of each claim that definite phrases of the set rest on, each once."""
    found: dict[int, dict[Place, None]] = {}
    for analysis in analyses.values():
        for phrase in analysis.phrases:
            if phrase.source is not None:
                found.setdefault(phrase.source.claim, {})[phrase.source] = None
    return {number: list(places) for number, places in found.items()}


class Origins:
    """What the definite phrases of a set rest on in the end: "the hook" of claim 3 may rest on "the hook" of
    claim 2, which rests on "a hook" of claim 1."""

    def __init__(self, analyses: Mapping[int, ClaimAnalysis]) -> None:
        self._phrases = {
            Place(number, phrase.start, phrase.end): phrase
            for number, analysis in analyses.items()
            for phrase in analysis.phrases
            if phrase.source is not None
        }
        self._origins: dict[Place, tuple[Place, tuple[int, ...]]] = {}

    def of(self, phrase: ResolvedPhrase) -> tuple[Place, tuple[int, ...]] | None:
        """The first introduction, and the claims on the way to it; None if the phrase rests on nothing.

        A way of more than MAX_PATH_CLAIMS leaves out those before the introduction.
        """
        if phrase.source is None:
            return None
        place, way = self._origin(phrase.source)
        return place, _shortened(phrase.path + way[1:])

    def _origin(self, place: Place) -> tuple[Place, tuple[int, ...]]:
        """What a place rests on in the end, and the way from its claim. Each place is followed once."""
        passed: dict[Place, tuple[int, ...]] = {}
        while place not in self._origins:
            before = self._phrases.get(place)
            if before is None or before.source is None or place == before.source or before.source in passed:
                self._origins[place] = place, (place.claim,)  # the first of all, or of a circle
            else:
                passed[place] = before.path
                place = before.source
        origin, way = self._origins[place]
        for earlier, path in reversed(passed.items()):
            way = _shortened(path + way[1:])
            self._origins[earlier] = origin, way
        return origin, way


def _shortened(way: tuple[int, ...]) -> tuple[int, ...]:
    return way if len(way) <= MAX_PATH_CLAIMS else (*way[: MAX_PATH_CLAIMS - 1], way[-1])


def things(texts: Mapping[int, str], analyses: Mapping[int, ClaimAnalysis]) -> dict[int, list[Thing]]:
    """What each claim introduces and other phrases of the set rest on, in order, with every use."""
    origins = Origins(analyses)
    uses: dict[Place, list[tuple[int, str]]] = {}
    for number, analysis in analyses.items():
        for phrase in analysis.phrases:
            if (origin := origins.of(phrase)) is not None:
                uses.setdefault(origin[0], []).append((number, use_id(number, phrase)))
    found: dict[int, list[Thing]] = {}
    for place in sorted(uses):
        words = texts[place.claim][place.start : place.end]
        found.setdefault(place.claim, []).append(Thing(introduction_id(place), words, tuple(uses[place])))
    return found


def pieces(
    number: int,
    text: str,
    analysis: ClaimAnalysis,
    introduced: Iterable[Place],
    *,
    origins: Origins,
    elsewhere: str = "",
    quoted: Iterable[tuple[int, int]] = (),
) -> list[Piece]:
    """The text of claim `number` in pieces. `elsewhere` is the page that introductions in other claims are
    on; `quoted` are spans that the expert quotes, to which links `#quote-<start>-<end>` lead."""
    findings = list(enumerate(analysis.reported()))
    links = [phrase for phrase in analysis.phrases if phrase.source is not None]
    here = {(place.start, place.end): introduction_id(place) for place in introduced}
    quotes = {(start, end): f"quote-{start}-{end}" for start, end in quoted if start < end}
    spans = [*here, *quotes, *((each.start, each.end) for _, each in findings), *(link[:2] for link in links)]
    named_spans = [*here.items(), *quotes.items(), *((each[:2], use_id(number, each)) for each in links)]
    cuts = sorted({0, len(text), *(end for span in spans for end in span if 0 <= end <= len(text))})
    ids, points = _ids_by_start(findings, named_spans), _points(findings)
    found_at = _covering([(each.start, each.end) for _, each in findings], cuts)
    link_at = _covering([link[:2] for link in links], cuts)
    introduced_here = frozenset(here.values())
    made: list[Piece] = []
    for (start, end), at, link in zip(pairwise(cuts), found_at, link_at, strict=True):
        made += points.get(start, ())
        found = None if at is None else findings[at]
        phrase = None if link is None else links[link]
        href, of, path = _rests_on(phrase, origins, introduced_here, elsewhere)
        if found is not None:
            href = f"#{finding_id(found[1], found[0])}"
        named = ids.get(start, [])
        id_ = named[0] if named else None
        made.append(Piece(text[start:end], id_, tuple(named[1:]), href, found and found[1], of, path))
    return [*made, *points.get(len(text), ())]


def _covering(spans: Sequence[tuple[int, int]], cuts: Sequence[int]) -> Iterator[int | None]:
    """For each piece between two cuts, the index of the first span that covers it. Spans begin at cuts."""
    beginning: dict[int, list[int]] = {}
    for index, (start, _) in enumerate(spans):
        beginning.setdefault(start, []).append(index)
    waiting: list[int] = []
    for cut in cuts[:-1]:
        for index in beginning.get(cut, ()):
            heappush(waiting, index)
        while waiting and spans[waiting[0]][1] <= cut:
            heappop(waiting)
        yield waiting[0] if waiting else None


def _ids_by_start(
    findings: Iterable[tuple[int, Finding]], spans: Iterable[tuple[tuple[int, int], str]]
) -> dict[int, list[str]]:
    """The ids of the places that begin at each character, each once; those without words are `_points`."""
    found: dict[int, list[str]] = {}
    for start, id_ in dict.fromkeys((span[0], id_) for span, id_ in spans):
        found.setdefault(start, []).append(id_)
    for at, each in findings:
        if each.start < each.end:
            found.setdefault(each.start, []).append(words_id(each, at))
    return found


def _rests_on(
    phrase: ResolvedPhrase | None, origins: Origins, here: Collection[str], elsewhere: str
) -> tuple[str | None, str | None, tuple[int, ...]]:
    """Where a phrase leads, the id of the first introduction that it rests on, and the claims on the way."""
    origin = None if phrase is None else origins.of(phrase)
    if phrase is None or phrase.source is None or origin is None:
        return None, None, ()
    to = introduction_id(phrase.source)
    return f"#{to}" if to in here else f"{elsewhere}#{to}", introduction_id(origin[0]), origin[1]


def _points(findings: Iterable[tuple[int, Finding]]) -> dict[int, list[Piece]]:
    """The findings that have a place and no words, by their place."""
    found: dict[int, list[Piece]] = {}
    for index, each in findings:
        if each.start == each.end:
            point = Piece("", words_id(each, index), (), f"#{finding_id(each, index)}", each)
            found.setdefault(each.start, []).append(point)
    return found
