"""Claims in Markdown, and in other texts with headings: one claim for each, without marks and titles."""

import pytest

from ace.claims.model import ClaimSet, Status
from ace.claims.readers import read_text
from ace.errors import Refused

KETTLE = "A kettle comprising a vessel and a lid."
LID = "The kettle of claim 1, wherein the lid is round."
TWO = [(1, KETTLE), (2, LID)]


def pairs(claims: ClaimSet) -> list[tuple[int, str]]:
    return [(claim.number, claim.text) for claim in claims]


def codes(claims: ClaimSet) -> set[str]:
    return {note.code for note in claims.notes}


NUMBERED = {
    "a heading for each": f"### Claim 1\n{KETTLE}\n\n### Claim 2\n{LID}",
    "below a heading": f"# Claims\n\n### Claim 1\n\n{KETTLE}\n\n### Claim 2\n\n{LID}",
    "in bold": f"**Claim 1.** {KETTLE}\n\n**Claim 2.** {LID}",
    "a colon in bold": f"**Claim 1:** {KETTLE}\n\n**Claim 2:** {LID}",
    "a line in bold": f"**Claim 1**\n\n{KETTLE}\n\n**Claim 2**\n\n{LID}",
    "a heading in bold": f"## **Claim 1**\n\n{KETTLE}\n\n## **Claim 2**\n\n{LID}",
    "underscores": f"__Claim 1__\n\n{KETTLE}\n\n__Claim 2__\n\n{LID}",
    "underlined": f"Claims\n======\n\nClaim 1\n-------\n\n{KETTLE}\n\nClaim 2\n-------\n\n{LID}",
    "framed": f"--- Claim 1 ---\n{KETTLE}\n--- Claim 2 ---\n{LID}",
    "text in the heading": f"### Claim 1: {KETTLE}\n\n### Claim 2: {LID}",
    "text in a numbered heading": f"### 1. {KETTLE}\n\n### 2. {LID}",
    "numbers alone": f"#### 1.\n{KETTLE}\n\n#### 2.\n{LID}",
    "numbers in bold": f"**1.** {KETTLE}\n\n**2.** {LID}",
    "a list": f"- **1.** {KETTLE}\n- **2.** {LID}",
    "dots": f"• 1. {KETTLE}\n• 2. {LID}",
    "a quotation": f"> 1. {KETTLE}\n>\n> 2. {LID}",
    "a fence": f"```text\n1. {KETTLE}\n2. {LID}\n```",
    "rules": f"1. {KETTLE}\n\n---\n\n2. {LID}",
    "stars": f"1. {KETTLE}\n***\n2. {LID}",
    "a double rule": f"1. {KETTLE}\n=====\n2. {LID}",
    "a table": f"| Claim | Text |\n|---|---|\n| 1 | {KETTLE} |\n| 2 | {LID} |",
    "escaped": f"1\\. {KETTLE}\n2\\. {LID}",
}
"""Shapes without a word beside the claims and their numbers."""

TITLED = {
    "brackets": f"### Claim 1 (Kettle)\n\n{KETTLE}\n\n### Claim 2 (Lid)\n\n{LID}",
    "a dash": f"**Claim 1 — Kettle**\n\n{KETTLE}\n\n**Claim 2 — Lid**\n\n{LID}",
    "a colon": f"## Claim 1: Kettle\n{KETTLE}\n\n## Claim 2: Round Lid\n{LID}",
    "numbers": f"## 1. Kettle\n\n{KETTLE}\n\n## 2. Round lid\n\n{LID}",
    "kinds": f"### Independent Claim 1 (Device)\n{KETTLE}\n\n### Dependent Claim 2 (on claim 1)\n{LID}",
    "kinds in a line": f"**Claim 1 (Independent):** {KETTLE}\n\n**Claim 2 (Dependent):** {LID}",
    "no marks": f"Claim 1 (Kettle)\n{KETTLE}\n\nClaim 2 (Lid)\n{LID}",
    "no marks, a dash": f"Claim 1 - Kettle\n\n{KETTLE}\n\nClaim 2 - Lid\n\n{LID}",
}
"""Shapes with a title for each claim."""

GROUPED = {
    "headings": f"# Claims\n\n1. {KETTLE}\n\n## Dependent claims\n\n2. {LID}",
    "numbers and headings": f"### Claim 1 (Kettle)\n\n1. {KETTLE}\n\n### Claims below claim 1\n\n2. {LID}",
    "lines": f"1. {KETTLE}\n\nDependent claims:\n\n2. {LID}",
    "lines below": f"1. {KETTLE}\nMethod Claims\n2. {LID}",
    "bold lines": f"1. {KETTLE}\n\n**Dependent Claims**\n\n2. {LID}",
    "a section": f"### Claim 1\n{KETTLE}\n\n#### Rationale\n\nClaim 7 is broad.\n\n### Claim 2\n{LID}",
    "columns": f"| No. | Kind | Claim text |\n|:-:|---|:--|\n| 1 | main | {KETTLE} |\n| 2 | sub 1 | {LID} |",
    "a quotation": f"1. {KETTLE}\n\n> Is claim 7 broad?\n\n2. {LID}",
}
"""Shapes with words between the claims."""


@pytest.mark.parametrize("partial", [False, True])
def test_marks_are_no_text(partial: bool) -> None:
    for shape, text in NUMBERED.items():
        claims = read_text(text, partial=partial)
        assert (pairs(claims), codes(claims) - {"text_before_claims"}) == (TWO, set()), shape
        assert claims[2].parents == (1,), shape


@pytest.mark.parametrize("partial", [False, True])
def test_titles_are_left_out_and_noted(partial: bool) -> None:
    for shape, text in TITLED.items():
        claims = read_text(text, partial=partial)
        titled = [note.claim for note in claims.notes if note.code == "title"]
        assert (pairs(claims), titled) == (TWO, [1, 2]), shape


@pytest.mark.parametrize("partial", [False, True])
def test_headings_between_claims_are_left_out_and_noted(partial: bool) -> None:
    for shape, text in GROUPED.items():
        claims = read_text(text, partial=partial)
        assert pairs(claims) == TWO, shape
        assert claims[2].parents == (1,), shape
        noted = [note.claim for note in claims.notes if note.code == "text_between_claims"]
        assert noted[:1] == [1], shape


def test_what_comes_below_a_heading_after_the_claims_is_left_out() -> None:
    # given a draft with a section on its claims after them
    text = f"## Claim 1\n{KETTLE}\n\n## Claim 2\n{LID}\n\n## Notes\n\n1. Claim 2 narrows claim 1.\n"
    claims = read_text(text)
    # then the section is noted, and is no claim
    assert pairs(claims) == TWO
    assert codes(claims) == {"text_after_claims"}


def test_a_heading_inside_a_claim_is_left_out_and_the_claim_goes_on() -> None:
    text = f"## Claim 1\n### Preamble\nA kettle comprising\n### Body\na vessel.\n\n## Claim 2\n{LID}"
    claims = read_text(text)
    assert pairs(claims) == [(1, "A kettle comprising\na vessel."), (2, LID)]
    assert [note.claim for note in claims.notes] == [1]


def test_headings_carry_the_status_of_their_claims() -> None:
    text = f"### Claim 1 (Original)\n{KETTLE}\n\n### Claims 2-3 (Canceled)\n\n### Claim 4 (New)\n{LID}"
    claims = read_text(text)
    assert [(claim.number, claim.status) for claim in claims] == [
        (1, Status.ORIGINAL),
        (2, Status.CANCELED),
        (3, Status.CANCELED),
        (4, Status.NEW),
    ]
    assert claims[4].text == LID


def test_emphasis_is_taken_off_and_noted_and_other_asterisks_stay() -> None:
    text = "1. A *kettle* comprising **a vessel** of R*-X*, an A* search and a*b*c.\n2. A lid."
    claims = read_text(text)
    assert claims[1].text == "A kettle comprising a vessel of R*-X*, an A* search and a*b*c."
    assert [(note.code, note.claim) for note in claims.notes] == [("emphasis", 1)]


def test_underlined_additions_and_deletions_of_amendments_are_read_as_before() -> None:
    claims = read_text(
        "1. (Currently amended) A _round_ kettle comprising a [[flat]] vessel.\n2. (New) A lid."
    )
    assert claims[1].text == "A _round_ kettle comprising a vessel."


def test_a_list_that_has_the_number_1_everywhere_is_numbered_in_its_order() -> None:
    text = f"1. {KETTLE}\n1. {LID}\n1. The kettle of claim 2, wherein the lid is red."
    claims = read_text(text)
    assert [(claim.number, claim.parents) for claim in claims] == [(1, ()), (2, (1,)), (3, (2,))]
    assert codes(claims) == {"lazy_numbers"}
    with pytest.raises(Refused):
        read_text(f"1. {KETTLE}\n1. {LID}")


def test_a_specification_in_markdown_is_read_from_its_claims() -> None:
    before, after = "# Kettle\n\n## 1. Field\n\nKettles.\n\n## 2. Claims", "## 3. Abstract\n\nA kettle."
    claims = read_text(f"{before}\n\n1. {KETTLE}\n2. {LID}\n\n{after}")
    assert pairs(claims) == TWO
    assert codes(claims) == {"text_before_claims", "text_after_claims"}


@pytest.mark.parametrize(
    "text",
    [
        f"| No. | Kind | Words |\n|---|---|---|\n| 1 | main | {KETTLE} |\n| 2 | sub | {LID} |",
        f"Our claims:\n\n~ Claim 1 ~\n{KETTLE}\n\n~ Claim 2 ~\n{LID}",
    ],
)
def test_claims_that_cannot_be_told_apart_are_refused_or_noted(text: str) -> None:
    with pytest.raises(Refused) as caught:
        read_text(text)
    assert caught.value.code == "no_claim_numbers"
    assert codes(read_text(text, partial=True)) == {"not_understood"}
