"""What each definite phrase rests on: every kind of basis with its proof, and what holds for all proofs."""

import sys
from itertools import pairwise
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of
from ace.claims.references.graph import Basis, Proof

PUMP = "A pump comprising a housing and a rotor in the housing."


def reading(*texts: str) -> Reading:
    return Reading(
        ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in enumerate(texts, start=1)))
    )


def proof_of(quote: str, *texts: str) -> Proof:
    """The last proof of this quote in the last claim."""
    graph = reading(*texts).graph
    text = texts[-1]
    return [
        each for each in graph.proofs[len(texts)] if text[each.mention.start : each.mention.end] == quote
    ][-1]


def source_of(proof: Proof, *texts: str) -> str:
    assert proof.source is not None
    return texts[proof.source.claim - 1][proof.source.start : proof.source.end]


SUPPORTED: list[tuple[str, list[str], str, Basis, str, tuple[int, ...]]] = [
    ("in the same claim", [PUMP], "the housing", Basis.EXPLICIT, "a housing", (1,)),
    (
        "in a parent",
        [PUMP, "The pump of claim 1, wherein the rotor is red."],
        "the rotor",
        Basis.INHERITED,
        "a rotor",
        (2, 1),
    ),
    (
        "two hops away",
        [PUMP, "The pump of claim 1 in a case.", "The pump of claim 2, wherein said rotor is red."],
        "said rotor",
        Basis.INHERITED,
        "a rotor",
        (3, 2, 1),
    ),
    (
        "in the preamble",
        ["A kit for a pump, wherein the pump is red."],
        "the pump",
        Basis.EXPLICIT,
        "a pump",
        (1,),
    ),
    (
        "a bare plural",
        ["A mat with moulded clips, the clips being red."],
        "the clips",
        Basis.HEAD_MATCH,
        "moulded clips",
        (1,),
    ),
    (
        "a mass noun",
        ["A paste comprising water, the water being cold."],
        "the water",
        Basis.EXPLICIT,
        "water",
        (1,),
    ),
    (
        "at least one",
        ["A set of at least one pin, the pins being red."],
        "the pins",
        Basis.NUMBER_SHIFT,
        "at least one pin",
        (1,),
    ),
    (
        "one or more",
        ["A set of one or more pins, the one or more pins being red."],
        "the one or more pins",
        Basis.EXPLICIT,
        "one or more pins",
        (1,),
    ),
    (
        "a plurality",
        ["A set of a plurality of pins, the plurality of pins being red."],
        "the plurality of pins",
        Basis.EXPLICIT,
        "a plurality of pins",
        (1,),
    ),
    (
        "a numeral",
        ["A pump comprising a housing (12), the housing (12) being red."],
        "the housing (12)",
        Basis.EXPLICIT,
        "a housing (12)",
        (1,),
    ),
    (
        "spelt with a hyphen",
        ["A set of a band-pass filter, the band pass filter being red."],
        "the band pass filter",
        Basis.EXPLICIT,
        "a band-pass filter",
        (1,),
    ),
    (
        "a verb after it",
        ["A hub with a relay unit, wherein the relay unit forwards mail."],
        "the relay unit",
        Basis.EXPLICIT,
        "a relay unit",
        (1,),
    ),
    (
        "several of one",
        [PUMP, "The pump of claim 1, wherein the rotors are red."],
        "the rotors",
        Basis.NUMBER_SHIFT,
        "a rotor",
        (2, 1),
    ),
    (
        "one of several",
        ["A set of pins, wherein the pin is red."],
        "the pin",
        Basis.NUMBER_SHIFT,
        "pins",
        (1,),
    ),
    (
        "less said",
        ["A mill with a drive shaft, the shaft being red."],
        "the shaft",
        Basis.HEAD_MATCH,
        "a drive shaft",
        (1,),
    ),
    (
        "said after the noun",
        ["A hub with a module for control, the control module being red."],
        "the control module",
        Basis.HEAD_MATCH,
        "a module",
        (1,),
    ),
    (
        "the second of two",
        ["A stool with two legs, the second leg being red."],
        "the second leg",
        Basis.HEAD_MATCH,
        "two legs",
        (1,),
    ),
    (
        "first and second",
        ["A stool with first and second legs, the first leg being red."],
        "the first leg",
        Basis.EXPLICIT,
        "first",
        (1,),
    ),
    (
        "a participle of a verb",
        ["A method comprising detecting a motion and storing the detected motion."],
        "the detected motion",
        Basis.DERIVED,
        "a motion",
        (1,),
    ),
    (
        "initials",
        ["A radio with a band pass filter, the BPF being red."],
        "the BPF",
        Basis.ABBREVIATION,
        "a band pass filter",
        (1,),
    ),
]


@pytest.mark.parametrize(("name", "texts", "quote", "basis", "source", "path"), SUPPORTED)
def test_a_supported_phrase_is_proved_from_its_source(
    name: str, texts: list[str], quote: str, basis: Basis, source: str, path: tuple[int, ...]
) -> None:
    proof = proof_of(quote, *texts)
    if name == "at least one":  # the same element, and the number is left open
        assert proof.basis in {Basis.NUMBER_SHIFT, Basis.EXPLICIT}
    else:
        assert proof.basis is basis
    assert source_of(proof, *texts) == source
    assert proof.path == path


WANTING: list[tuple[str, list[str], str, Basis]] = [
    ("nowhere", [PUMP, "The pump of claim 1, wherein the gasket is red."], "the gasket", Basis.NONE),
    (
        "of another kind",
        [PUMP, "The pump of claim 1, wherein the metal rotor is red."],
        "the metal rotor",
        Basis.NONE,
    ),
    (
        "not counted",
        [PUMP, "The pump of claim 1, wherein the second rotor is red."],
        "the second rotor",
        Basis.NONE,
    ),
    ("misspelt", [PUMP, "The pump of claim 1, wherein the huosing is red."], "the huosing", Basis.TYPO),
    (
        "on another branch",
        [PUMP, "The pump of claim 1 with a gasket.", "The pump of claim 1, wherein the gasket is red."],
        "the gasket",
        Basis.SIBLING_ONLY,
    ),
    ("further on", ["A pump wherein the gasket is red, and a gasket."], "the gasket", Basis.LATER),
    (
        "two of them",
        ["A mill with a first shaft and a second shaft, the shaft being red."],
        "the shaft",
        Basis.AMBIGUOUS,
    ),
    ("a surface", [PUMP, "The pump of claim 1, wherein the surface is red."], "the surface", Basis.INHERENT),
    (
        "of a thing",
        [PUMP, "The pump of claim 1, wherein the colour of the rotor is red."],
        "the colour",
        Basis.INHERENT,
    ),
    (
        "a superlative",
        [PUMP, "The pump of claim 1, wherein the largest gap is 1 mm."],
        "the largest gap",
        Basis.INHERENT,
    ),
    (
        "a step",
        ["A method of heating milk, wherein the heating step is short."],
        "the heating step",
        Basis.DERIVED,
    ),
    (
        "a noun of a verb",
        [PUMP, "The pump of claim 1 with a disc that rotates, the rotation being slow."],
        "the rotation",
        Basis.DERIVED,
    ),
]


@pytest.mark.parametrize(("name", "texts", "quote", "basis"), WANTING)
def test_a_phrase_that_nothing_names_is_told_apart(
    name: str, texts: list[str], quote: str, basis: Basis
) -> None:
    proof = proof_of(quote, *texts)
    assert proof.basis is basis, name
    assert proof.source is None


SETTLED: list[tuple[str, list[str], str, set[Basis]]] = [
    (
        "verb at the end",
        ["A method of issuing a token, wherein the token expires."],
        "the token",
        {Basis.EXPLICIT},
    ),
    (
        "verb before a comma",
        ["A fan with a motor, wherein, when the motor stalls, it hums."],
        "the motor",
        {Basis.EXPLICIT},
    ),
    (
        "verb of a plural with of",
        ["A method of treating a patient until the symptoms of the patient resolve."],
        "the patient",
        {Basis.EXPLICIT},
    ),
    (
        "verb after an introduction",
        ["A method comprising waiting until a token expires, and deleting the token."],
        "the token",
        {Basis.EXPLICIT},
    ),
    (
        "at least one, then several",
        ["A robot with at least one arm, the arms being red."],
        "the arms",
        {Basis.EXPLICIT},
    ),
    (
        "at least one, then one",
        ["A robot with at least one arm, the arm being red."],
        "the arm",
        {Basis.EXPLICIT},
    ),
    (
        "in -most",
        ["A rack with shelves on it, wherein the lowermost rail is red."],
        "the lowermost rail",
        {Basis.INHERENT},
    ),
    (
        "each limb has one",
        ["A loom: each of the bars on a side of it has, near its end, a hook; the hooks are red."],
        "the hooks",
        {Basis.EXPLICIT},
    ),
    (
        "set forth",
        [PUMP, "The pump set forth in claim 1, wherein the rotor is red."],
        "The pump",
        {Basis.INHERITED},
    ),
    ("later", ["A pump with a rotor, wherein the rotor later turns."], "the rotor", {Basis.EXPLICIT}),
    (
        "removing",
        ["A method comprising removing oil, wherein the removing is slow."],
        "the removing",
        {Basis.DERIVED},
    ),
    (
        "choice",
        ["A method comprising choosing a route and storing the choice."],
        "the choice",
        {Basis.DERIVED},
    ),
    (
        "exposure",
        ["A method comprising exposing a film, the exposure being short."],
        "the exposure",
        {Basis.DERIVED},
    ),
    (
        "comparison",
        ["A method comprising comparing two films, the comparison being slow."],
        "the comparison",
        {Basis.DERIVED},
    ),
    ("growth", ["A method of growing cells, wherein the growth is slow."], "the growth", {Basis.DERIVED}),
    (
        "sent",
        ["A server sending a message and logging the sent message."],
        "the sent message",
        {Basis.DERIVED},
    ),
    ("cut", ["A method of cutting a sheet and bending the cut sheet."], "the cut sheet", {Basis.DERIVED}),
]


@pytest.mark.parametrize(("name", "texts", "quote", "bases"), SETTLED)
def test_a_phrase_that_an_attorney_accepts_is_settled(
    name: str, texts: list[str], quote: str, bases: set[Basis]
) -> None:
    assert proof_of(quote, *texts).basis in bases, name


TRAITS: list[tuple[str, list[str], str, set[str], set[str]]] = [
    (
        "stood as a modifier only",
        ["An image processing apparatus with a lens, wherein the lens filters the image."],
        "the image",
        {"act"},
        set(),
    ),
    (
        "stood as a modifier only, and is qualified itself",
        ["A fan with an airflow guide, wherein the round airflow is strong."],
        "the round airflow",
        {"act"},
        set(),
    ),
    (
        "stood as a verb",
        ["A mill with a lens configured to plough soil, the plough being red."],
        "the plough",
        {"act"},
        set(),
    ),
    ("restrictive", [PUMP + " The gasket that leaks is red."], "The gasket", {"relative"}, {"adverbial"}),
    ("adverbial", [PUMP + " The gasket in it is red."], "The gasket", {"adverbial"}, {"complement"}),
    (
        "one picked out",
        ["A set of a plurality of pins, wherein, for each pin, the pin is red."],
        "the pin",
        set(),
        {"counted"},
    ),
    (
        "picked from a plural",
        ["A set of pins, any of which is red, the pin being cut."],
        "the pin",
        {"singular_of_plural"},
        {"counted"},
    ),
    (
        "picked out far away",
        [
            "A set of two pins on a board, each of the pins made of brass, with a head, a neck and a nut.",
            "The set of claim 1, wherein the pin is red.",
        ],
        "the pin",
        {"singular_of_plural"},
        {"counted"},
    ),
    (
        "one or more",
        ["A set of one or more pins, the pin being red."],
        "the pin",
        {"singular_of_plural"},
        {"counted"},
    ),
    (
        "introduced twice",
        ["A box comprising a lid with a pin and a base with a pin, wherein the pins are round."],
        "the pins",
        set(),
        {"plural_of_singular"},
    ),
    (
        "introduced as a substance",
        ["A mill filled with sand, wherein the sands are red."],
        "the sands",
        set(),
        {"plural_of_singular"},
    ),
    (
        "a number that belongs to the adjective",
        ["A camera with a three dimensional imager, wherein said three dimensional imager is red."],
        "said three dimensional imager",
        set(),
        {"plural_of_singular", "singular_of_plural"},
    ),
    (
        "introduced once",
        ["A box comprising a lid with a pin, wherein the pin is red, so that the pins are round."],
        "the pins",
        {"plural_of_singular"},
        {"distributive"},
    ),
    ("counted", ["A set of two pins, the pin being red."], "the pin", {"counted"}, {"distributive"}),
    (
        "counted, and taken up before a verb",
        ["A set of two pins, wherein the pins mesh.", "The set of claim 1, wherein the pin is red."],
        "the pin",
        {"counted"},
        set(),
    ),
    (
        "torque of an element",
        ["A drill with a motor, the motor torque being low."],
        "the motor torque",
        {"inherent_known"},
        set(),
    ),
    (
        "current of nothing",
        ["A drill with a motor, the current being low."],
        "the current",
        set(),
        {"inherent_known", "inherent"},
    ),
    (
        "a preset value",
        ["A drill with a motor, wherein the predetermined threshold value is low."],
        "the predetermined threshold value",
        {"preset"},
        {"inherent_known", "limiting"},
    ),
    (
        "qualifies another noun",
        ["A mill with a metal lid and a shaft, the metal shaft being red."],
        "the metal shaft",
        {"qualifier_elsewhere"},
        {"qualifier_known"},
    ),
    (
        "qualifies this noun",
        ["A mill with a thin metal shaft and a thick shaft, the thick metal shaft being red."],
        "the thick metal shaft",
        {"qualifier_known"},
        {"qualifier_elsewhere"},
    ),
    (
        "a proper name",
        ["A method of filtering data by the Kalman filter."],
        "the Kalman filter",
        {"proper"},
        set(),
    ),
    (
        "capital letters",
        ["A METHOD OF SORTING MAIL BY THE SPEEDY FILTER."],
        "THE SPEEDY FILTER",
        set(),
        {"proper"},
    ),
    (
        "a proper name of no kind",
        ["A method of sending data over the Kafka broker."],
        "the Kafka broker",
        {"proper"},
        set(),
    ),
    (
        "an element of the list",
        ["A mill comprising: a lid; and the blade."],
        "the blade",
        {"listed"},
        {"subject", "governed"},
    ),
    (
        "the subject of a clause, named again",
        ["A mill with a lid, wherein the blade is red and the blade is long."],
        "the blade",
        set(),
        {"listed", "governed"},
    ),
    (
        "behind a preposition",
        ["A mill with a lid on the blade.", "The mill of claim 1, wherein the lid rests on the hopper."],
        "the hopper",
        {"located", "ended", "dependent"},
        {"listed", "subject"},
    ),
    (
        "the object of a verb, explained behind it",
        ["A mill with a lid, the lid touching the hopper (a tub)."],
        "the hopper",
        {"object", "glossed"},
        {"governed"},
    ),
    (
        "stated of something",
        ["A mill with a lid, wherein the lid is the hopper that leaks."],
        "the hopper",
        {"stated", "relative"},
        {"object"},
    ),
    (
        "the subject of a relative clause, before a predicate",
        ["A mill with a lid which the hopper has."],
        "the hopper",
        {"relative_subject", "predicate"},
        {"subject"},
    ),
    (
        "the only one",
        ["A mill with a lid, wherein the only blade is red."],
        "the only blade",
        {"limiting"},
        set(),
    ),
    (
        "corresponding",
        ["A mill with a lid, wherein the corresponding blade is red."],
        "the corresponding blade",
        {"respective"},
        {"limiting"},
    ),
    (
        "a qualifier that stands near",
        ["A mill with a drum that has a lid, the drum lid being red."],
        "the drum lid",
        {"qualifier_near", "of_element"},
        {"qualifier_known"},
    ),
    (
        "a qualifier from far away",
        ["A mill with a drum on a stand, a hopper over a chute, a belt, and a lid, the drum lid being red."],
        "the drum lid",
        {"of_element"},
        {"qualifier_near"},
    ),
    (
        "a number that the verb denies",
        ["A mill with a lid, wherein the lids is red."],
        "the lids",
        {"disagreeing", "plural_of_singular"},
        set(),
    ),
    (
        "the same qualifier with another head",
        ["A mill with a drive shaft, wherein the drive rod is red."],
        "the drive rod",
        {"orphan"},
        {"of_element"},
    ),
    (
        "a part of an element",
        ["A mill with a reactor, wherein the reactor hatch is red."],
        "the reactor hatch",
        {"of_element"},
        {"orphan"},
    ),
    ("a symbol before a kind", ["A cell that lacks the STMN1 gene."], "the STMN1 gene", {"proper"}, set()),
    ("a symbol behind a kind", ["A cell that lacks the gene UCP1."], "the gene UCP1", {"proper"}, set()),
    ("an ordinary name", ["A cell that lacks the round box."], "the round box", set(), {"proper"}),
    ("such", ["A mill, wherein such impellers are red."], "such impellers", {"such"}, {"said"}),
    (
        "an ordinal without a count",
        ["A mill with a plurality of lids, wherein the first lid is red."],
        "the first lid",
        {"one_of_several", "counted"},
        {"other_known"},
    ),
    (
        "an ordinal of another thing",
        ["A net of neighbour nodes, wherein the first node is red."],
        "the first node",
        {"one_of_several", "other_known"},
        set(),
    ),
]


@pytest.mark.parametrize(("name", "texts", "quote", "has", "lacks"), TRAITS)
def test_what_is_noticed_of_a_phrase(
    name: str, texts: list[str], quote: str, has: set[str], lacks: set[str]
) -> None:
    traits = set(proof_of(quote, *texts).traits)
    assert has <= traits, name
    assert not lacks & traits, name


@pytest.mark.parametrize(
    ("texts", "quote"),
    [
        (["A fan with a blade, wherein the blade seats are red."], "the blade seats"),
        (
            ["A dose of a growth hormone binding salt, the growth hormone binding salt layer being red."],
            "the growth hormone binding salt layer",
        ),
        (["A kit for a rod, wherein the individual is trained."], "the individual"),
        (
            ["A rod with a tip, wherein the expansive, elastic sleeve is red."],
            "the expansive, elastic sleeve",
        ),
    ],
)
def test_what_only_looks_introduced_wants_basis(texts: list[str], quote: str) -> None:
    assert proof_of(quote, *texts).basis in {Basis.NONE, Basis.AMBIGUOUS}


@pytest.mark.parametrize(
    "text",
    [
        "The pump according to any of the preceding claims, wherein the rotor is red.",
        "The pump of one of the previous claims, wherein the rotor is red.",
        "The pump of claim 1, wherein the following claims hold for the rotor.",
    ],
)
def test_claims_are_nothing_that_a_claim_speaks_of(text: str) -> None:
    graph = reading(PUMP, text).graph
    assert "claim" not in {mention.head for mention in graph.mentions(2)}


def test_basis_on_some_paths_tells_those_that_lack_it() -> None:
    texts = [
        PUMP,
        "The pump of claim 1 with a gasket.",
        "The pump of claim 1 or 2, wherein the gasket is red.",
    ]
    proof = proof_of("the gasket", *texts)
    assert proof.basis is Basis.SOME_PATHS
    assert proof.path == (3, 2)
    assert proof.missing == ((3, 1),)


def test_each_alternative_may_bring_its_own() -> None:
    texts = [
        PUMP,
        "The pump of claim 1 with a gasket.",
        "The pump of claim 1 with a gasket and a lid.",
        "The pump of claim 2 or 3, wherein the gasket is red.",
    ]
    assert proof_of("the gasket", *texts).basis is Basis.INHERITED


def test_rivals_and_other_places_are_named() -> None:
    two = proof_of("the shaft", "A mill with a first shaft and a second shaft, the shaft being red.")
    assert [each.words for each in two.candidates] == [("first", "shaft"), ("second", "shaft")]
    sister = proof_of(
        "the gasket",
        PUMP,
        "The pump of claim 1 with a gasket.",
        "The pump of claim 1, wherein the gasket is red.",
    )
    assert [each.claim for each in sister.candidates] == [2]


def test_a_want_of_basis_is_told_once_and_then_repeated() -> None:
    graph = reading(
        "A pump wherein the gasket is red and the gasket is soft.",
        "The pump of claim 1, wherein the gasket is thin.",
    ).graph
    first, second = (each for each in graph.proofs[1] if each.mention.head == "gasket")
    [third] = (each for each in graph.proofs[2] if each.mention.head == "gasket")
    assert first.repeats is None
    assert second.repeats == third.repeats == first.mention


def test_what_a_dependent_claim_introduces_again_is_known() -> None:
    graph = reading(PUMP, "The pump of claim 1, further comprising a rotor.").graph
    [proof] = graph.reintroduced[2]
    assert (proof.mention.words, proof.path) == (("rotor",), (2, 1))


WORDS = """
    a an the said each first second two plurality of at least one sensor sensors rotor drive shaft shafts
    rotates rotating detected motion BPF band pass filter and or , ; wherein comprising claim claims 1 2 3 4
    1-3 any preceding of the user's (12) step heating
"""
TEXTS = st.lists(st.lists(st.sampled_from(WORDS.split()), max_size=40).map(" ".join), min_size=1, max_size=6)


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_proofs_quote_their_claims_and_walk_real_paths(texts: list[str]) -> None:
    here = reading(*texts)
    graph = here.graph
    assert set(graph.proofs) == set(graph.phrases) == set(range(1, len(texts) + 1))
    for number, proofs in graph.proofs.items():
        text = texts[number - 1]
        for mention in graph.mentions(number):
            assert 0 <= mention.start < mention.end <= len(text)
            assert mention.claim == number
        assert [each.mention for each in proofs] == [each for each in graph.mentions(number) if each.definite]
        for proof in proofs:
            for way in (proof.path, *proof.missing):
                assert all(b in graph.parents(a) for a, b in pairwise(way))
                assert not way or way[0] == number
            if proof.source is not None:
                assert proof.path[-1:] == (proof.source.claim,)
                assert proof.source.claim != number or proof.source.start < proof.mention.start


@given(st.text())
def test_any_text_gives_a_graph(text: str) -> None:
    graph = reading(text).graph
    assert all(0 <= each.start < each.end <= len(text) for each in graph.mentions(1))


def calls(here: Reading) -> int:
    """Calls of functions that building the graph takes: time, but the same on every machine."""
    counted = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal counted
        counted += event == "call"

    for claim in here.claims:
        here.references(claim.number)
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        assert here.graph
    finally:
        sys.setprofile(before)
    return counted


@pytest.mark.parametrize(
    "parent", [lambda n: "1", lambda n: f"{n - 1}", lambda n: f"any one of claims 1 to {min(n - 1, 12)}"]
)
def test_the_work_grows_with_the_number_of_claims(parent: object) -> None:
    def claims(size: int) -> list[str]:
        return [PUMP] + [
            f"The pump of claim {parent(n)}, wherein the rotor has a {n}th pin and the gasket is red."  # type: ignore[operator]
            for n in range(2, size + 1)
        ]

    small, large = calls(reading(*claims(50))), calls(reading(*claims(200)))
    assert large < 4.6 * small


def test_such_that_measures_and_such_points_back() -> None:
    assert proof_of(
        "such conditions", "A method of heating milk at such conditions that it boils."
    ).traits == ("pronoun",)
    assert proof_of("such milk", "A method of heating some milk and cooling such milk.").source is not None


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("A mill with a blade, wherein the blade is red and a blade is long.", ["a blade"]),
        ("A mill with a lid having a rim and a base having a rim.", []),
        ("A mill with a blade, wherein the blade is red and another blade is long.", []),
        ("A mill with a blade, wherein the blade is as red as a blade.", []),
        ("A mill with blades, wherein the blades are red and a blade is long.", []),
    ],
)
def test_a_second_introduction_in_one_claim_counts_if_there_is_only_one(text: str, again: list[str]) -> None:
    graph = reading(text).graph
    assert [text[each.mention.start : each.mention.end] for each in graph.reintroduced[1]] == again
