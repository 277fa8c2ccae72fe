"""The text of a claim cut into pieces, each with what is known of it: a finding, or what it rests on."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ace.claims.analysis import ClaimAnalysis, Place
from ace.claims.findings import Finding


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters of a claim that are alike. Links to it name `id`; it leads to `href`."""

    text: str
    id: str | None = None
    also: tuple[str, ...] = ()  # further places that begin here
    href: str | None = None
    finding: Finding | None = None


def introduction_id(place: Place) -> str:
    """The id of a phrase that others rest on."""
    return f"intro-{place.claim}-{place.start}-{place.end}"


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


def pieces(
    text: str,
    analysis: ClaimAnalysis,
    introduced: Iterable[Place],
    *,
    elsewhere: str = "",
    quoted: Iterable[tuple[int, int]] = (),
) -> list[Piece]:
    """The text of a claim in pieces. `elsewhere` is the page that introductions in other claims are on;
    `quoted` are spans that the expert quotes, to which links `#quote-<start>-<end>` lead."""
    findings = list(enumerate(analysis.reported()))
    links = [
        (phrase.start, phrase.end, phrase.source) for phrase in analysis.phrases if phrase.source is not None
    ]
    here = {(place.start, place.end): introduction_id(place) for place in introduced}
    quotes = {(start, end): f"quote-{start}-{end}" for start, end in quoted if start < end}
    spans = [*here, *quotes, *((each.start, each.end) for _, each in findings), *(link[:2] for link in links)]
    cuts = sorted({0, len(text), *(end for span in spans for end in span if 0 <= end <= len(text))})
    ids = _ids_by_start(findings, (*here.items(), *quotes.items()))
    made = []
    for start, end in pairwise(cuts):
        made += _points(findings, start)
        found = next(((at, each) for at, each in findings if each.start <= start < each.end), None)
        if found is not None:
            href: str | None = f"#{finding_id(found[1], found[0])}"
        else:
            href = _to_introduction(start, links, here.values(), elsewhere)
        named = ids.get(start, [])
        id_ = named[0] if named else None
        made.append(Piece(text[start:end], id_, tuple(named[1:]), href, found and found[1]))
    return [*made, *_points(findings, len(text))]


def _ids_by_start(
    findings: Iterable[tuple[int, Finding]], spans: Iterable[tuple[tuple[int, int], str]]
) -> dict[int, list[str]]:
    """The ids of the places that begin at each character; those without words are `_points`."""
    found: dict[int, list[str]] = {}
    for (start, _), id_ in spans:
        found.setdefault(start, []).append(id_)
    for at, each in findings:
        if each.start < each.end:
            found.setdefault(each.start, []).append(words_id(each, at))
    return found


def _to_introduction(
    at: int, links: Iterable[tuple[int, int, Place]], here: Collection[str], elsewhere: str
) -> str | None:
    """Where the phrase around a character leads, if one stands there."""
    source = next((source for start, end, source in links if start <= at < end), None)
    if source is None:
        return None
    id_ = introduction_id(source)
    return f"#{id_}" if id_ in here else f"{elsewhere}#{id_}"


def _points(findings: Iterable[tuple[int, Finding]], at: int) -> list[Piece]:
    """The findings that have a place and no words."""
    return [
        Piece("", words_id(each, index), (), f"#{finding_id(each, index)}", each)
        for index, each in findings
        if each.start == each.end == at
    ]
