"""Fields of Word documents: their results are text, their instructions are not."""

import pytest

from ace.claims.readers import read_file
from tests.unit.claims.readers.word import package


def mark(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def words(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def field(instruction: str, result: str | None = None) -> str:
    """A complex field; without a separator if `result` is None."""
    shown = "" if result is None else mark("separate") + result
    instruct = f'<w:r><w:instrText xml:space="preserve">{instruction}</w:instrText></w:r>'
    return f"{mark('begin')}{instruct}{shown}{mark('end')}"


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (field(" REF _Ref1 \\r \\h ", words("1")), "1"),
        (f'<w:fldSimple w:instr=" REF _Ref1 ">{words("1")}</w:fldSimple>', "1"),
        (
            field(
                "IF " + "</w:instrText></w:r>" + field("REF a", words("9")) + "<w:r><w:instrText>", words("1")
            ),
            "1",
        ),
        (field("REF _Ref1 \\h", field("REF b", words("1"))), "1"),
        (field(" ADDIN ZOTERO ", words("1")), "1"),
        (field(' XE "lamp" ') + words("1"), "1"),
        (field(" SEQ claim \\h ") + words("1"), "1"),
    ],
)
def test_the_result_of_a_field_is_text_and_its_instruction_is_not(inner: str, text: str) -> None:
    body = f"<w:p>{words('1. The lamp of Fig. ')}{inner}{words(', being red.')}</w:p>"
    claims = read_file(package(body))
    assert claims[1].text == f"The lamp of Fig. {text}, being red."
    assert claims.notes == ()


@pytest.mark.parametrize(
    "inner",
    [
        field(" REF _Ref1 \\h "),
        field(" REF _Ref1 \\h ", ""),
        '<w:fldSimple w:instr=" SEQ claim "/>',
        field(" = 1 + 2 "),
    ],
)
def test_a_field_whose_result_is_missing_is_noted(inner: str) -> None:
    # Given a claim with a field that Word fills only when it shows the document
    body = f"<w:p>{words('1. A lamp.')}</w:p><w:p>{words('2. A lamp of ')}{inner}{words(' parts.')}</w:p>"
    claims = read_file(package(body))
    # Then something stands in its place, and a note names the claim
    assert claims[2].text == "A lamp of \ufffd parts."
    assert [(note.code, note.claim) for note in claims.notes] == [("unknown_character", 2)]


def test_paragraphs_that_a_field_numbers_are_claims() -> None:
    lines = ("A lamp.", "The lamp of claim 1, being red.", "The lamp of claim 2.")
    body = "".join(f"<w:p>{field(' AUTONUM ')}{words(line)}</w:p>" for line in lines)
    assert [(claim.number, claim.text) for claim in read_file(package(body))] == list(enumerate(lines, 1))
