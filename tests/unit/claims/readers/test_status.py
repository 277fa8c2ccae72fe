"""Status identifiers and their accepted variants, and the mark-up of deleted matter."""

from itertools import product

import pytest

from ace.claims.model import Status
from ace.claims.readers.status import deletions, identifier

CASES = {
    Status.ORIGINAL: ["Original", "original claim", "Originally filed", "Allowed", "unchanged"],
    Status.CURRENTLY_AMENDED: [
        "Currently amended",
        "CURRENTLY AMENDED",
        "Presently amended",
        "Currently-Amended",
        "Amended",
        "Once amended",
        "Twice Amended",
        "Amended three times",
        "currently\namended",
    ],
    Status.CANCELED: [
        "Canceled",
        "Cancelled",
        "cancel",
        "Deleted",
        "Canceled without prejudice",
        "Previously canceled",
        "Canceled herein",
        "Cancelled claim",
        "Canceled without prejudice or disclaimer",
    ],
    Status.WITHDRAWN: [
        "Withdrawn",
        "Withdrawn - currently amended",
        "Withdrawn – Previously Presented",
        "Withdrawn; new",
        "Previously presented, withdrawn",
        "Withdrawn from consideration",
        "Original, withdrawn from further consideration with traverse",
    ],
    Status.PREVIOUSLY_PRESENTED: [
        "Previously presented",
        "Previously amended",
        "Previously added",
        "Previously submitted",
        "Re-presented",
        "Re-presented - formerly dependent claim 3",
        "Reinstated",
        "Previously Presented (".rstrip(" ("),
    ],
    Status.NEW: ["New", "Newly added", "New claim", "newly submitted".replace("submitted", "added")],
    Status.NOT_ENTERED: ["Not entered", "Not Entered Claim", "Unentered"],
}


@pytest.mark.parametrize("status", CASES)
def test_identifiers_in_any_case_and_brackets(subtests: pytest.Subtests, status: Status) -> None:
    for words, (opening, closing) in product(CASES[status], ["()", "[]", "{}"]):
        text = f" {opening}{words}{closing} A lamp."
        with subtests.test(text):
            found = identifier(text, 0, len(text))
            assert found is not None
            assert found.status is status
            assert text[found.end :].strip() == "A lamp."
            assert found.amended == ("amended" in words.lower())


@pytest.mark.parametrize(
    "text",
    [
        "A lamp.",
        "(Meth)acrylate polymer.",
        "(R)-2-methyl lamp.",
        "(a) a base.",
        "(i) A base.",
        "(original equipment maker's) lamp.",
        "(poly)ethylene",
        "(new and shiny thing) lamp",
        "()",
        "(",
        "",
        "(1) A base.",
        "Cancelling noise comprises a step.",
        "Canceled cheques comprising a stamp.",
    ],
)
def test_what_is_no_identifier(text: str) -> None:
    assert identifier(text, 0, len(text)) is None


@pytest.mark.parametrize("text", ["(Frobnicated) A lamp.", "(Pending) The lamp.", "(Under appeal)"])
def test_unknown_identifiers_are_known_as_such(text: str) -> None:
    found = identifier(text, 0, len(text))
    assert found is not None
    assert found.status is None


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("(Original): A lamp.", "A lamp."),
        ("(Original) - A lamp.", "A lamp."),
        ("(Original). A lamp.", "A lamp."),
        ("(Withdrawn) (Currently amended) A lamp.", "A lamp."),
        ("(New) (a) A base.", "(a) A base."),
        ("(Original) -5 degrees", "-5 degrees"),
    ],
)
def test_what_an_identifier_takes_with_it(text: str, rest: str) -> None:
    found = identifier(text, 0, len(text))
    assert found is not None
    assert text[found.end :].strip() == rest


@pytest.mark.parametrize(
    "text", ["Canceled", "canceled.", "Cancelled without prejudice.", "has been canceled", "Deleted"]
)
def test_a_whole_text_that_says_so_needs_no_brackets(text: str) -> None:
    found = identifier(text, 0, len(text))
    assert found is not None
    assert found.status is Status.CANCELED


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("a [[red]] lamp", "a lamp"),
        ("lamp[[s]] and", "lamp and"),
        ("[[An old]] A lamp", "A lamp"),
        ("a [[red]]", "a "),
        ("a [[b [c] d]] e", "a e"),
        ("a [[b]][[c]] d", "a d"),
        ("a [[b [[c]] d]] e", "a e"),
        ("4-[[4-x]methyl]phenol", "4-[[4-x]methyl]phenol"),
        ("a [b] [c]", "a [b] [c]"),
        ("a [[b", "a [[b"),
        ("a b]] c", "a b]] c"),
        ("a [[]] b", "a b"),
    ],
)
def test_deleted_matter(text: str, rest: str) -> None:
    for start, end in reversed(deletions(text, 0, len(text))):
        text = text[:start] + text[end:]
    assert text == rest
