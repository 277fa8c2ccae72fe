"""Files in which a filing is taken away: what they say, and that nothing in them is more than words."""

import csv
import io
import json
import re

import docx
import pytest

from ace.claims.analysis import analyse
from ace.claims.chains import kept_set
from ace.claims.readers.docx import read_docx
from ace.claims.reports.csv_table import COLUMNS, as_csv
from ace.claims.reports.docx_comments import as_docx
from ace.claims.reports.filing_report import FilingReport, Judged
from ace.claims.reports.html_page import as_html
from tests.integration.desk.outline import Outline

CLAIMS = (
    (1, "A bracket comprising a plate and a hook fixed to the plate."),
    (2, "The bracket of claim 1, wherein the lever is made of steel"),
    (3, "(Canceled)"),
    (4, "The bracket of claim 9, wherein the hook is flat."),
)
EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>]]>&amp;"


def report(*claims: tuple[int, str], docket: str = "P-1") -> FilingReport:
    given = kept_set(claims or CLAIMS)
    judged = {1: Judged("Pass", None, False, "decided"), 2: Judged("Fail", "rejection", True, "decided")}
    judged[4] = Judged(None, None, False, "failed")
    return FilingReport(docket, "0199d2a0", "2026-11-20 09:30:00", given, analyse(given), judged)


CHAIN = [
    (1, "A bracket comprising a plate and the lever."),
    *((n, f"The bracket of claim {n - 1}, wherein the plate is {n} mm wide.") for n in range(2, 7)),
]


@pytest.mark.parametrize(
    ("failed", "number", "words", "listed"),
    [
        ((1,), 1, "Fail: rejection", []),
        ((1,), 2, "Pass; depends on claim 1, which fails", [1]),
        ((1, 3), 4, "Pass; depends on claims 3, 1, which fail", [3, 1]),
        (
            (1, 2, 3, 4, 5, 6),
            6,
            "Fail: rejection; depends on claims 5, 4, 3 and 2 more, which fail",
            [5, 4, 3, 2, 1],
        ),
        ((6,), 5, "Pass", []),
    ],
)
def test_a_claim_says_which_failed_claims_it_depends_on(
    failed: tuple[int, ...], number: int, words: str, listed: list[int]
) -> None:
    given = kept_set(CHAIN)
    judged = {
        one.number: Judged("Fail", "rejection", False, "decided")
        if one.number in failed
        else Judged("Pass", None, False, "decided")
        for one in given
    }
    made = FilingReport("P-1", "0199d2a0", "2026-11-20 09:30:00", given, analyse(given), judged)
    assert made.outcome(given[number]) == words
    assert made.as_json()["claims"][number - 1]["failed_ancestors"] == listed
    (cell,) = {row["failed_ancestors"] for row in rows(made) if row["claim"] == str(number)}
    assert cell == " ".join(map(str, listed))
    again = read_docx(as_docx(made))
    assert [(one.number, one.text) for one in again] == CHAIN


# CSV


def rows(made: FilingReport) -> list[dict[str, str]]:
    table = as_csv(made)
    assert table.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(table[1:])))


def test_the_table_has_a_row_for_each_finding_and_each_claim_without_any() -> None:
    found = rows(report())
    assert list(found[0]) == list(COLUMNS)
    assert [(row["claim"], row["verdict"], row["subtype"]) for row in found] == [
        ("1", "Pass", ""),
        ("2", "Fail", "no_basis"),
        ("2", "Fail", "no_period"),
        ("3", "", ""),
        ("4", "", "nonexistent"),
    ]
    lever = found[1]
    assert (lever["quote"], lever["ground"], lever["draws"], lever["disputed"]) == (
        "the lever",
        "rejection",
        "rejection",
        "yes",
    )
    assert lever["text"][int(lever["start"]) : int(lever["end"])] == "the lever"
    assert found[4]["state"] == "failed"


@pytest.mark.parametrize(
    "words",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        " =cmd|' /C calc'!A0",
        "\t=1",
        "\r=1",
        "＝1+1",
        "\u200b=1",
        "\u2060=1",
        "﹣1",
        '=HYPERLINK("http://evil")',
    ],
)
def test_no_cell_is_run_as_a_formula(words: str) -> None:
    found = rows(report((1, words), docket=words))
    for row in found:
        assert row["docket"] == f"'{words}"
        assert row["text"] == f"'{words}"
        assert not any(re.match(r"[\s\u200b\u2060]*[=+@＝﹣-]", cell) for cell in row.values() if cell)


# HTML


def test_the_page_says_everything_once() -> None:
    page = Outline(as_html(report()))
    for words in (
        "P-1",
        "Claim 2 · Fail: rejection, disputed",
        "“the lever”",
        "(canceled)",
        "1 Pass",
        "“steel” → “steel.”",
    ):
        assert words in page.text, words
    assert page.text.count("A bracket comprising a plate and a hook fixed to the plate.") == 1
    marked = re.findall(r"<mark>(.*?)</mark><sup>(\d)</sup>", as_html(report()))
    assert ("the lever", "1") in marked


def test_what_is_sent_is_no_markup_in_the_page() -> None:
    hostile = report((1, f"A plate {EVIL}"), (2, f"The plate of claim 1, wherein the {EVIL}"), docket=EVIL)
    page = Outline(as_html(hostile))
    assert {tag for tag, _ in page.tags} & {"script", "img", "iframe", "form"} == set()
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    assert page.text.count("<script>alert(1)</script>") >= 3
    assert "default-src 'none'" in str(page.tags)


# DOCX


def opened(made: FilingReport) -> "docx.document.Document":
    return docx.Document(io.BytesIO(as_docx(made)))


def test_each_finding_is_a_comment_at_its_words() -> None:
    document = opened(report())
    comments = {comment.text.split("\n")[0]: comment for comment in document.comments}
    assert comments["Antecedent basis (rejection)"].author == "ACE"
    xml = document.element.xml
    (id_,) = [comment.comment_id for title, comment in comments.items() if title.startswith("Antecedent")]
    inside = xml[xml.index(f'commentRangeStart w:id="{id_}"') : xml.index(f'commentRangeEnd w:id="{id_}"')]
    assert "".join(re.findall(r"<w:t[^>]*>([^<]*)</w:t>", inside)) == "the lever"
    words = "\n".join(paragraph.text for paragraph in document.paragraphs)
    assert "2. The bracket of claim 1, wherein the lever is made of steel" in words
    assert "3. (Canceled)" in words
    assert "Fail: rejection, disputed" in words
    assert document.core_properties.title == "P-1"


@pytest.mark.parametrize(
    "words", [EVIL, "A plate\x0b\x00\ufffe\udc00.", "A plate\nand\ta hook", "", "A \u202eplate."]
)
def test_a_document_can_be_made_of_any_words(words: str) -> None:
    document = opened(report((1, words or "x"), (2, f"{words} of claim 1"), docket=words or "x"))
    assert document.paragraphs


# JSON


def test_json_has_docket_verdicts_and_findings() -> None:
    made = json.loads(json.dumps(report().as_json()))
    assert (made["docket"], made["filing"], made["counts"]["findings"]) == ("P-1", "0199d2a0", 3)
    second = made["claims"][1]
    assert (second["verdict"], second["disputed"], second["findings"][0]["quote"]) == (
        "Fail",
        True,
        "the lever",
    )
    assert (made["claims"][2]["state"], made["claims"][2]["text"]) == ("not evaluated", None)
