"""Informalities: lists and their conjunctions, words that do not fit together, labels, spelling, status."""

import pytest

from ace.claims.checks.syntax import check
from ace.claims.checks.syntax.limbs import Shape, limbs_of, lists_of
from ace.claims.findings import Flaw
from ace.claims.model import Claim, ClaimSet, Status
from ace.claims.readers import read_text
from ace.claims.reading import Reading


def flaws_of(text: str) -> list[Flaw]:
    claims = read_text(text, partial=True)
    reading = Reading(claims)
    return [flaw for claim in claims if claim.pending for flaw in check(reading, claim)]


def told(body: str) -> list[tuple[str, str]]:
    text = f"1. {body}"
    return [(flaw.rule.subtype, body[flaw.start : flaw.end]) for flaw in flaws_of(text)]


def test_a_limb_has_its_label_its_conjunction_and_its_shape() -> None:
    text = (
        "A lock comprising: (a) a bolt; b) turning a key; the bolt being steel; and c. wherein it is; pins."
    )

    assert [(limb.label, limb.joined, limb.shape) for limb in limbs_of(text)] == [
        ("a", False, Shape.ELEMENT),
        ("b", False, Shape.STEP),
        ("", False, Shape.DEFINITE),
        ("c", True, Shape.CLAUSE),
        ("", False, Shape.OTHER),
    ]


def test_a_list_in_a_limb_ends_at_its_conjunction() -> None:
    text = "A lock comprising: a bolt; a chip to: read a key; send it; and clear it; a lid; and a pin."

    lists = [(found.depth, [text[limb.start : limb.end] for limb in found.limbs]) for found in lists_of(text)]

    assert lists == [
        (1, ["read a key", "send it", "clear it"]),
        (0, ["a bolt", "a chip to", "a lid", "a pin."]),
    ]


def test_a_semicolon_in_brackets_and_a_claim_without_any_part_nothing() -> None:
    assert limbs_of("A lock comprising a bolt (of steel; of brass) and a key.") == ()
    assert limbs_of("A lock of brass, wherein the bolt turns.") == ()


@pytest.mark.parametrize(
    "body",
    [
        "A lock comprising: a bolt; a key; and a lid; wherein the bolt turns.",
        "A lock comprising a bolt; wherein the bolt turns; wherein the bolt is made of steel.",
        "A lock comprising a chip configured to: read a key; and send the key.",
        "A lock comprising a bolt, selected from the group consisting of pins, bars and rods.",
        "A lock comprising at least one of a bolt, a bar, or both.",
        "A method of using the lock of any one of claims 2, 3, 4.",
        "A lock comprising a large, flat, thin plate.",
        "A method comprising casting a lid, drilling the lid, and filing it.",
        "A method comprising: casting a bar; and then cooling the bar.",
        "A lock comprising a bolt, in which is mounted a pin, and on which is coupled the said lid.",
        "A lock comprising a bolt configured to turn, an hour hand, a unit, a European key and an LED.",
        "A lock comprising a bolt, wherein a plurality of pins are flat and the pair of pins are round.",
        "A lock comprising a chip, wherein the user presses the bolt and the bolts engage the lid.",
        "A lock comprising a bolt, wherein the chip sends signals, and wherein the bolt = 5 mm.",
        "A lock comprising an alloy of the group consisting essentially of tin and zinc.",
        "A lock comprising a pin that is switched on; and a bar which the pin acts upon; and a lid.",
        "A method comprising: (a) a first step; (b) a second step; and (c) repeating steps (a), (b).",
        "A lock comprising a grinder, a grinder lid, a grinding disk and a grinder shaft.",
        "A lock comprising: a bolt; a key fitted to the bolt, and a lid on the bolt.",
    ],
)
def test_sound_forms_are_left_alone(body: str) -> None:
    assert told(body) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "A lock comprising: a bolt; a chip configured to: read a key; send the key; and a lid.",
            ("missing_conjunction", "key; send"),
        ),
        ("A lock comprising: a bolt; a key.", ("missing_conjunction", "bolt; a")),
        ("A lock made of one of the following: tin, zinc, lead.", ("missing_conjunction", "zinc, lead")),
        (
            "A lock comprising: a bolt (2); a key fitted to the bolt a lid on the bolt; and a pin.",
            ("missing_punctuation", "bolt a"),
        ),
        (
            "A chip comprising a core to: read a key; compare it with a code identify a user; and keep it.",
            ("missing_punctuation", "code identify"),
        ),
        ("A lock comprising: a bolt in a; and a lid.", ("broken_off", "in a")),
        ("A lock comprising a bolt secured the lid.", ("ungrammatical", "secured the")),
        ("A lock of a metal of the group consisting tin and zinc.", ("ungrammatical", "consisting")),
        ("A lock comprising a chip that operated by the user.", ("ungrammatical", "that operated")),
        ("A lock comprising a chip operable send a key.", ("ungrammatical", "operable send")),
        ("A lock comprising a bolt, wherein the bolts is flat.", ("ungrammatical", "bolts is")),
        ("A lock comprising an bolt.", ("ungrammatical", "an bolt")),
        ("A lock comprsing a bolt.", ("misspelling", "comprsing")),
        (
            "A method comprising: a. casting a bar; (1) cooling it, (2) filing it, and (4) oiling it.",
            ("labels", "(4)"),
        ),
    ],
)
def test_an_informality_is_shown_where_it_stands(body: str, expected: tuple[str, str]) -> None:
    assert expected in told(body)


def test_a_word_is_misspelt_only_beside_the_frequent_right_one() -> None:
    right = "A winder comprising a winder disk and a winder shaft."
    assert told(f"{right[:-1]} on a winder plate, and a wnider lid.") == [("misspelling", "wnider")]
    assert told("A winder comprising a wnider lid.") == []


@pytest.mark.parametrize(
    ("misspelt", "right"),
    [
        (
            "A kit comprising a sensor, a sensor port and a senor lid.",
            "A kit of parts with a width of 2 mm, with a lid.",
        ),
        (
            "A cell with a winder, a winder disk, a winder rim, a wnider cap and a wnider lid.",
            "A cell with a bacterial wall, a bacterial tag, a bacterial end and a bacteria cap.",
        ),
        (
            "A unit comprising a distribution plate, a distribution port and a distrubution lid.",
            "A cell comprising a sulfate plate, a sulfate port and a sulfite lid.",
        ),
    ],
)
def test_a_short_or_repeated_or_changed_word_may_be_misspelt(misspelt: str, right: str) -> None:
    assert "misspelling" in [kind for kind, _ in told(misspelt)]
    assert "misspelling" not in [kind for kind, _ in told(right)]


@pytest.mark.parametrize(
    ("identifier", "status"),
    [
        ("(Currently amend)", Status.CURRENTLY_AMENDED),
        ("(orginal)", Status.ORIGINAL),
        ("(Previuosly presented)", Status.PREVIOUSLY_PRESENTED),
        ("(Previously present)", Status.PREVIOUSLY_PRESENTED),
        ("(Nwe)", Status.NEW),
        ("(Currently amended", Status.CURRENTLY_AMENDED),
        ("Original", Status.ORIGINAL),
        ("(Cancelld)", None),
        ("(Pending)", None),
    ],
)
def test_a_status_that_is_not_spelt_as_in_the_rule_is_read_and_told(
    identifier: str, status: Status | None
) -> None:
    text = (
        f"1. (Original) A lock comprising a bolt.\n\n2. {identifier} The lock of claim 1, wherein it is flat."
    )

    assert read_text(text, partial=True)[2].status is status
    assert [flaw.rule.subtype for flaw in flaws_of(text)] == ["status_identifier"]


def test_text_of_a_canceled_claim_is_told_at_the_first_pending_one() -> None:
    text = "1. (Canceled) A lock comprising a bolt.\n\n2. (Original) A key comprising a shaft."

    [flaw] = flaws_of(text)

    assert (flaw.rule.subtype, flaw.signals) == ("status_identifier", ("text_of_canceled",))
    assert flaw.explanation == "Claim 1 is canceled, and its text was left out."


def test_a_status_left_in_the_text_and_one_that_is_missing_are_told() -> None:
    texts = {1: "(Origial) A lock comprising a bolt.", 2: "A key comprising a shaft."}
    claims = ClaimSet(
        (Claim(1, texts[1]), Claim(2, texts[2]), Claim(3, "A lid comprising a rim.", status=Status.NEW))
    )
    reading = Reading(claims)
    found = [(claim.number, flaw.signals) for claim in claims for flaw in check(reading, claim)]

    assert found == [(1, ()), (2, ("missing",))]
