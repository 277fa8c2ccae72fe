"""Pieces of a claim: together they are its text, and every link has its place."""

from hypothesis import given
from hypothesis import strategies as st

from ace.claims.analysis import ClaimAnalysis, Place, ResolvedPhrase, analyse
from ace.claims.chains import kept_set
from ace.claims.findings import Finding
from ace.claims.readers import read_text
from ace.claims.references.ancestry import MAX_PATH_CLAIMS
from ace.claims.references.graph import Basis
from ace.claims.rules import Severity
from ace.claims.taxonomy import ErrorClass
from ace.desk.marked import Origins, introductions, pieces, things
from tests.growth import growths

Read = tuple[dict[int, str], dict[int, ClaimAnalysis]]
"""The texts of a set and their analyses."""

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


def read(texts: list[str]) -> Read:
    claims = dict(enumerate(texts, 1))
    return claims, analyse(kept_set([*claims.items()]))


def chain(count: int) -> Read:
    """Each claim takes up the hook of the one before it."""
    first = "A bracket comprising a plate and a hook."
    return read(
        [first] + [f"The bracket of claim {at}, wherein the hook is on the plate." for at in range(1, count)]
    )


def one_claim(count: int) -> Read:
    """A finding and a link in each of so many limbs."""
    return read([f"A bracket comprising a plate, wherein {'the lever is on the plate, ' * count}flat."])


def marked(given: Read) -> None:
    texts, made = given
    origins, introduced = Origins(made), introductions(made)
    things(texts, made)
    for number, text in texts.items():
        pieces(number, text, made[number], introduced.get(number, ()), origins=origins)


def test_the_way_through_a_long_chain_leaves_out_claims_before_the_first() -> None:
    # Given a chain of claims in which every "the hook" rests on that of the claim before
    _, made = chain(150)
    hook = next(phrase for phrase in made[150].phrases if phrase.source and phrase.source.claim == 149)
    # When its first introduction is looked for
    found = Origins(made).of(hook)
    # Then the way there begins at the claim, ends at the first one, and is not longer than others
    assert found is not None
    place, way = found
    assert (place.claim, way[:3], way[-1], len(way)) == (1, (150, 149, 148), 1, MAX_PATH_CLAIMS)


def test_the_work_grows_with_the_set() -> None:
    assert growths(marked, chain, size=20, largest=1_000, most=1_000_000) == []
    assert growths(marked, one_claim, size=20, largest=1_800, most=1_000_000) == []
