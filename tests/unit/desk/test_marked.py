"""Pieces of a claim: together they are its text, and every link has its place."""

from hypothesis import given
from hypothesis import strategies as st

from ace.claims.analysis import ClaimAnalysis, Place, ResolvedPhrase, analyse
from ace.claims.findings import Finding
from ace.claims.readers import read_text
from ace.claims.references.graph import Basis
from ace.claims.rules import Severity
from ace.claims.taxonomy import ErrorClass
from ace.desk.marked import Origins, introductions, pieces, things

TEXT = "The hook of the plate is a hook."
SPAN = st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))).map(sorted).map(tuple)


def finding(start: int, end: int) -> Finding:
    quote = TEXT[start:end]
    return Finding(2, ErrorClass.SYNTAX, "s", "37 CFR 1.75", Severity.WARNING, start, end, quote, "", 0.9)


def phrase(span: tuple[int, int], source: tuple[int, int]) -> ResolvedPhrase:
    return ResolvedPhrase(*span, next(iter(Basis)), Place(2, *source), (2,))


@given(st.lists(SPAN, max_size=5), st.lists(st.tuples(SPAN, SPAN), max_size=5))
def test_pieces_are_the_text_and_each_place_is_there_once(
    found: list[tuple[int, int]], resolved: list[tuple[tuple[int, int], tuple[int, int]]]
) -> None:
    phrases = tuple(phrase(*each) for each in resolved if each[0][0] < each[0][1] and each[1][0] < each[1][1])
    analysis = ClaimAnalysis(phrases=phrases, findings=tuple(finding(*each) for each in found))
    made = pieces(2, TEXT, analysis, introductions({2: analysis}).get(2, ()), origins=Origins({2: analysis}))

    assert "".join(piece.text for piece in made) == TEXT
    ids = [id_ for piece in made for id_ in (piece.id, *piece.also) if id_]
    assert len(ids) == len(set(ids))
    assert {f"words-2-{index}" for index in range(len(found))} <= set(ids)
    for piece in made:
        if piece.href and piece.href.startswith("#intro"):
            assert piece.href[1:] in ids


def test_a_phrase_leads_to_its_introduction_in_another_claim() -> None:
    claims = read_text(
        "1. A bracket comprising a plate.\n2. The bracket of claim 1, wherein the plate is flat."
    )
    made = analyse(claims)
    introduced = introductions(made)
    shown = pieces(
        2, claims[2].text, made[2], introduced.get(2, ()), origins=Origins(made), elsewhere="/filings/x"
    )
    hrefs = {piece.text: piece.href for piece in shown if piece.href}
    start = claims[1].text.index("a plate")
    assert hrefs["the plate"] == f"/filings/x#intro-1-{start}-{start + 7}"
    (plate,) = [
        piece
        for piece in pieces(1, claims[1].text, made[1], introduced[1], origins=Origins(made))
        if piece.text == "a plate"
    ]
    assert plate.id == f"intro-1-{start}-{start + 7}"


def test_a_thing_is_listed_with_every_use_also_by_way_of_other_claims() -> None:
    claims = read_text(
        "1. A bracket comprising a plate.\n2. The bracket of claim 1, wherein the plate is flat."
        "\n3. The bracket of claim 2, wherein the plate is red."
    )
    made = analyse(claims)
    listed = things({claim.number: claim.text for claim in claims}, made)
    assert [(each.words, [claim for claim, _ in each.uses]) for each in listed[1]] == [
        ("A bracket", [2, 3]),
        ("a plate", [2, 3]),
    ]
    assert list(listed) == [1]
    (plate,) = [
        phrase for phrase in made[3].phrases if claims[3].text[phrase.start :].startswith("the plate")
    ]
    origin = Origins(made).of(plate)
    assert origin is not None
    assert (origin[0].claim, origin[1]) == (1, (3, 2, 1))
