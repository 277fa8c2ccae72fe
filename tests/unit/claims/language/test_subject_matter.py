"""What a claim is directed to, and what its references call their parents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.language.subject_matter import (
    ClaimCategory,
    category_of,
    modified_by,
    own_subject,
    refers_to_another,
    subject_of,
)


@pytest.mark.parametrize(
    ("text", "kind", "head"),
    [
        ("A method of baking bread, comprising kneading dough.", ClaimCategory.METHOD, "method"),
        ("Process for the manufacture of glass.", ClaimCategory.METHOD, "process"),
        ("The computer-implemented method of claim 1, wherein", ClaimCategory.METHOD, "method"),
        ("An in vitro method for testing blood, comprising", ClaimCategory.METHOD, "method"),
        ("In a loom having a shuttle, a method of weaving cloth, comprising", ClaimCategory.METHOD, "method"),
        ("Use of a dye for coloring wool.", ClaimCategory.USE, "use"),
        ("A sorting apparatus comprising a belt.", ClaimCategory.APPARATUS, "apparatus"),
        (
            "One or more non-transitory computer-readable media storing instructions",
            ClaimCategory.MEDIUM,
            "medium",
        ),
        ("A computer program product comprising code", ClaimCategory.MEDIUM, "product"),
        ("A data storage device holding a program", ClaimCategory.MEDIUM, "device"),
        ("A pharmaceutical composition comprising water.", ClaimCategory.COMPOSITION, "composition"),
        ("The lamps according to claim 2, wherein", ClaimCategory.PRODUCT, "lamp"),
        ("A process cartridge for a printer, comprising a drum.", ClaimCategory.PRODUCT, "cartridge"),
        ("The LED of claim 1, wherein the LED is red.", ClaimCategory.PRODUCT, "led"),
        ("An encoding apparatus, comprising a processor.", ClaimCategory.APPARATUS, "apparatus"),
        ("What is claimed is: A table comprising legs.", ClaimCategory.PRODUCT, "table"),
        ("The invention of claim 1, wherein", ClaimCategory.UNKNOWN, "invention"),
        ("A treatment of wood comprising drying the wood.", ClaimCategory.UNKNOWN, "treatment"),
        ("A system and method for sorting mail", ClaimCategory.UNKNOWN, "system"),
        ("A continuous and, where needed, repeated process", ClaimCategory.UNKNOWN, "continuous"),
        ("An antibody or fragment thereof that binds", ClaimCategory.COMPOSITION, "antibody"),
    ],
)
def test_a_claim_is_known_by_what_it_opens_with(text: str, kind: ClaimCategory, head: str) -> None:
    subject = subject_of(text)
    assert subject is not None
    assert (subject.category, subject.head) == (kind, head)
    assert text[subject.start : subject.end].lower().split() == list(subject.words)


@pytest.mark.parametrize("text", ["", "...", "(", "In", "Of the claims", " \n "])
def test_no_subject_without_a_noun_phrase(text: str) -> None:
    assert subject_of(text) is None


def test_things_and_activities_are_apart_and_the_unknown_is_neither() -> None:
    assert [each for each in ClaimCategory if each.activity] == [ClaimCategory.METHOD, ClaimCategory.USE]
    assert not any(kind.thing and kind.activity for kind in ClaimCategory)
    assert not ClaimCategory.UNKNOWN.thing
    assert category_of(()) is ClaimCategory.UNKNOWN


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("The pump of claim 1, wherein", True),
        ("A pump as recited in any one of claims 1 to 3, wherein", True),
        ("The pump, in accordance with claim 1, wherein", True),
        ("Pump according to claim 1, wherein", True),
        ("The pump recited in claim 1, wherein", True),
        ("A method of using the pump of claim 1, comprising", False),
        ("A vehicle comprising the pump of claim 1.", False),
        ("A method for making a pump according to claim 1, comprising", False),
    ],
)
def test_a_reference_right_behind_the_subject_is_the_claims_own(text: str, own: bool) -> None:
    subject = subject_of(text)
    assert subject is not None
    assert own_subject(text, subject, text.index("claim")) is own


@pytest.mark.parametrize(
    ("text", "head", "definite"),
    [
        ("A system for performing the method of claim 1", "method", True),
        ("Use of a compound according to claim 1", "compound", False),
        ("A kit comprising the first and said second pump as defined in claim 1", "pump", True),
        ("A wheel made by the casting process as set forth in claim 1", "process", True),
        ("A cream comprising water and oil of claim 1", None, None),
        ("A cream according to something, claim 1", None, None),
    ],
)
def test_what_a_reference_modifies_is_read_from_the_words_before_it(
    text: str, head: str | None, definite: bool | None
) -> None:
    named = modified_by(text, text.index("claim"))
    if head is None:
        assert named is None
    else:
        assert named is not None
        assert (named.head, named.definite) == (head, definite)


@pytest.mark.parametrize(
    ("text", "another"),
    [
        ("The pump of claim 1, wherein", False),
        ("A method for making paper according to claim 1", False),
        ("A method for making the paper of claim 1", True),
        ("A system for performing the method of claim 1", True),
        ("A food comprising flour according to claim 1", True),
        ("Use of a compound according to claim 1", True),
        ("An assembly comprising the assembly of claim 1", False),
    ],
)
def test_a_claim_to_something_else_is_told_apart(text: str, another: bool) -> None:
    subject = subject_of(text)
    assert subject is not None
    assert refers_to_another(text, subject, text.index("claim 1")) is another


@given(st.text(max_size=300), st.integers(0, 300))
def test_any_text_is_read(text: str, start: int) -> None:
    start = min(start, len(text))
    subject = subject_of(text)
    if subject is not None:
        assert 0 <= subject.start < subject.end <= len(text)
        refers_to_another(text, subject, start)
    named = modified_by(text, start)
    if named is not None:
        assert 0 <= named.start < named.end <= start
