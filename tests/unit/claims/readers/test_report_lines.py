"""A report of ACE that comes back: its claims are read, without what ACE added to them."""

import io
from collections.abc import Callable
from typing import Any

import docx
import pytest

from ace.claims.analysis import analyse
from ace.claims.chains import kept_set
from ace.claims.readers import read_file, read_text
from ace.claims.reports.csv_table import as_csv
from ace.claims.reports.docx_comments import as_docx
from ace.claims.reports.filing_report import FilingReport, Judged
from ace.claims.reports.html_page import as_html
from ace.claims.reports.text import render
from ace.errors import Refused
from tests.unit.claims.readers.word import OTHER, document, insert, listed, saved

CLAIMS = (
    (1, "A mug comprising a body and a handle."),
    (2, "The mug of claim 7, wherein the spout is bent"),
    (3, "(Canceled)"),
    (4, "The mug of claim 1, wherein:\nthe body is red; and\nthe handle is blue."),
    (5, "The mug of claim 4, wherein the handle is round."),
)
JUDGED = {
    1: Judged("Pass", None, False, "decided"),
    2: Judged("Fail", "rejection", True, "decided"),
    4: Judged(None, None, False, "examining"),
    5: Judged("Fail", None, False, "decided"),
}


def report(docket: str = "P-1") -> FilingReport:
    given = kept_set(CLAIMS)
    return FilingReport(docket, "0199d2a0", "2026-11-20 09:30:00", given, analyse(given), JUDGED)


def edited(edit: Callable[[Any], object], docket: str = "P-1") -> bytes:
    """The report as a Word document, edited and saved."""
    made = docx.Document(io.BytesIO(as_docx(report(docket))))
    edit(made)
    return saved(made)


def verdicts(made: Any) -> list[Any]:
    return [paragraph for paragraph in made.paragraphs if paragraph.style.name == "ACE Verdict"]


def remark(made: Any) -> None:
    verdicts(made)[1].add_run(" – agreed, to be corrected with the client")


def unstyled(made: Any) -> None:
    for paragraph in made.paragraphs:
        paragraph.style = made.styles["Normal"]


def without_opening(made: Any) -> None:
    for paragraph in made.paragraphs[:2]:
        paragraph._p.getparent().remove(paragraph._p)


def older(made: Any) -> None:
    for paragraph in verdicts(made):
        paragraph.style = made.styles["Caption"]


@pytest.mark.parametrize("edit", [lambda made: None, remark, unstyled, older])
@pytest.mark.parametrize("docket", ["P-1", "=w6c", "1. Mug", "What is claimed is:"])
def test_a_report_in_word_gives_its_claims_again(edit: Callable[[Any], object], docket: str) -> None:
    # Given a report that somebody edited
    data = edited(edit, docket)
    # When it is read, in either way
    for partial in (False, True):
        claims = read_file(data, partial=partial)
        # Then the claims are those that it reports on, and a note says that something was left out
        assert [(claim.number, claim.text) for claim in claims.pending()] == [
            (number, text) for number, text in CLAIMS if number != 3
        ]
        assert not claims[3].pending
        assert [note.code for note in claims.notes] == ["report"]


def test_verdicts_are_left_out_where_the_opening_of_the_report_was_removed() -> None:
    claims = read_file(edited(without_opening))
    assert [claims[number].text for number in (1, 2, 5)] == [CLAIMS[0][1], CLAIMS[1][1], CLAIMS[4][1]]


def test_a_claim_that_is_edited_is_read_as_it_stands_now() -> None:
    def edit(made: Any) -> None:
        paragraph = made.paragraphs[2]
        paragraph.runs[1].font.strike = True
        insert(paragraph, "<w:ins><w:r><w:t>A cup of clay.</w:t></w:r></w:ins>")

    assert read_file(edited(edit))[1].text == "A cup of clay."


def test_a_claim_that_is_added_is_read_whether_its_number_is_typed_or_automatic() -> None:
    def typed(made: Any) -> None:
        made.add_paragraph("6. The mug of claim 1, being white.")

    assert read_file(edited(typed))[6].parents == (1,)
    made = document()
    for number, text in CLAIMS[:2]:
        made.add_paragraph(f"{number}. {text}")
    numbering = made.part.numbering_part.element
    for start in numbering.xpath(".//w:abstractNum[@w:abstractNumId='95']//w:start"):
        start.set(start.keys()[0], "3")
    listed(made, "The mug of claim 1, being white.", OTHER)
    assert read_file(saved(made))[3].parents == (1,)


@pytest.mark.parametrize(
    ("text", "last_line"),
    [
        ("1. A tester that shows one of:\nPass\nFail", "Fail"),
        ("1. A tester that shows one of the words\nPass\nor\nFail\nin red.", "in red."),
        ("1. A tester having a key marked\nPass\nand a lamp.", "and a lamp."),
        ("1. A tester, wherein the result is:\nPass\n2. The tester of claim 1.", "Pass"),
        ("1. A job.\nqueued\n2. The job of claim 1.", "queued"),
    ],
)
def test_words_of_claims_that_are_also_verdicts_stay(text: str, last_line: str) -> None:
    claims = read_text(text)
    assert claims[1].text.endswith(last_line)
    assert claims.notes == ()


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (as_html(report()), "a report of ACE (HTML)"),
        (as_csv(report()), "a report of ACE (CSV)"),
        (as_csv(report()).replace(",", ";").replace("\ufeff", ""), "a report of ACE (CSV)"),
        (render(report().report()), "a report of ACE (text)"),
        (f"P-1\nClaim\tVerdict\n1\tPass\nClaim 1 · Pass\n1. {CLAIMS[0][1]}", "a report of ACE (text)"),
    ],
)
def test_reports_in_other_forms_are_refused_by_name(data: str, named: str) -> None:
    for partial in (False, True):
        with pytest.raises(Refused) as caught:
            read_file(data.encode(), partial=partial)
        assert caught.value.code == "unsupported_type"
        assert named in caught.value.message
