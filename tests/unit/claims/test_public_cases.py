"""Files made after public bug reports and real publications, each with what is right to read and report.

The files lie in ../shared/cases. A row says how many claims there are, what each depends on,
and what must or must not be in its text, the notes and the findings; or by which code the file is refused.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from ace.claim_work import ReportAsked, Unread, report_on
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.readers import read_file
from ace.claims.reports.report import Report, as_json, checked
from ace.claims.rules import Jurisdiction
from ace.errors import Refused
from tests.shared import shared_file

FOLDER: Final = "cases"
KINDS: Final = "[tdx][0-9]*"
"""Names of files that hold claims; the others are scripts and the table of the cases."""
MEDIA: Final = {
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xml": "application/xml",
    ".txt": "text/plain",
    ".md": "text/plain",
}


class Case(NamedTuple):
    """What is right for one file."""

    total: int = 0
    parents: Mapping[int, tuple[int, ...]] = {}
    """Of the claims that are named here; a claim that is not named may have any."""
    statuses: Mapping[int, str] = {}
    texts: Mapping[int, str] = {}
    """A pattern that the text of a claim has."""
    absent: str | None = None
    """A pattern that the text of no claim has."""
    noted: tuple[int, ...] = ()
    """Claims that a note names."""
    never: str | None = None
    """A pattern of findings that are wrong; "." for any."""
    findings: frozenset[tuple[int, str]] = frozenset()
    """Findings that are right, if `never` says that others are not."""
    refused: str | None = None
    says: str = ""


_READING: Final = (
    r"syntax\.(not_understood|no_period|several_sentences)|dependency\.(self|nonexistent|unnumbered)"
)
_ANTECEDENTS: Final = r"antecedent\.|dependency\."
_RANGES: Final = r"logical\.|syntax\."

CASES: Final[Mapping[str, Case]] = {
    "t01_md_heading_titles.md": Case(
        total=5,
        parents={1: (), 2: (), 3: (1,), 4: (3,), 5: (2,)},
        texts={1: r"^A method", 2: r"^A system", 3: r"every hour\.$", 5: r"valve\.$"},
        absent=r"#|---|\(Method\)|\(System\)|Dependent Claims|Strategy",
        never=_READING,
    ),
    "t04_md_heading_and_number.md": Case(
        total=5,
        parents={1: (), 2: (), 3: (1,), 4: (1,), 5: (2,)},
        texts={1: r"^A kettle", 2: r"^A method", 3: r"heater\.$", 4: r"vessel\.$"},
        absent=r"#|---|\(Kettle\)|\(Method\)|Dependent",
        never=_READING,
    ),
    "t06_claims_about_claims.txt": Case(total=4, parents={1: (), 2: (1,), 3: (2,), 4: (1,)}, never="."),
    "t07_ocr_joined.txt": Case(
        total=6, parents={1: (), 2: (1,), 3: (1,), 4: (1,), 5: (1,), 6: (1, 2)}, never=_ANTECEDENTS
    ),
    "t09_lowercase.txt": Case(
        total=4,
        parents={1: (), 2: (1,), 3: (2,), 4: ()},
        texts={1: "^an apparatus", 4: "^a method"},
        never=r"dependency\.|syntax\.(not_understood|several_sentences)",
    ),
    "t16_reference_forms.txt": Case(
        total=12,
        parents={
            1: (),
            2: (),
            3: (1, 2),
            4: (1, 2, 3),
            5: (1, 2, 3, 4),
            6: (1,),
            7: (1, 2),
            8: (1, 2),
            11: (9, 10),
            12: (11,),
        },
        never=r"dependency\.(self|nonexistent|unnumbered)|antecedent\.",
    ),
    "t17_range_canceled_first.txt": Case(
        total=25,
        parents={21: (), 22: (21,), 25: (23,)},
        statuses=dict.fromkeys((*range(1, 21), 23, 24), "canceled"),
        texts={21: r"^A pen .* nib\.$", 22: r"gold\.$", 25: r"round\.$"},
        never=r"syntax\.not_understood|dependency\.self",
    ),
    "t25_md_plain_headings.md": Case(total=2, parents={1: (), 2: (1,)}, absent="#|Claim ", never="."),
    "t27_md_group_headings_rules.md": Case(
        total=3, parents={1: (), 2: (1,), 3: (1,)}, absent="#|---|Dependent", never="."
    ),
    "t30_glued_references.txt": Case(
        total=8,
        parents={1: (), **dict.fromkeys(range(2, 8), (1,)), 8: (1, 2, 3)},
        never=r"antecedent\.|dependency\.(self|nonexistent|unnumbered)",
    ),
    "x01_ops_one_claim_element.xml": Case(
        total=4,
        parents={1: (), 2: (1,), 3: (1, 2), 4: (3,)},
        texts={1: "^A stove", 3: r"(?s)comprising:.*door.*grate", 4: "^A method"},
        never=_READING,
    ),
    "x03_sup_exponents.xml": Case(
        total=4,
        parents={1: (), 2: (1,), 3: (1,), 4: (3,)},
        texts={1: r"10\^18 to 5×10\^18", 2: r"2×10\^18", 3: r"10\^\(?[−-]3\)? and 10\^\(?[−-]2"},
        absent=r"1018|10[−-]3",
        never=_RANGES,
    ),
    "x04_mathml_fraction.xml": Case(
        total=3,
        parents={1: (), 2: (1,), 3: (1,)},
        texts={1: r"\b1/2\b", 2: r"\b3/4\b", 3: r"/\s?\(?8"},
        absent=r"least (12|34)\b",
        never=_RANGES,
    ),
    "x05_image_formula_lost.xml": Case(
        total=1, parents={1: ()}, texts={1: r"\(I\): \S.* wherein \S.* is a single bond"}, noted=(1,)
    ),
    "x07_aps_greenbook.txt": Case(refused="unsupported_type", says="greenbook"),
    "x11_patdoc_reindented.xml": Case(
        total=3,
        parents={1: (), 2: (1,), 3: (1, 2)},
        texts={2: r"in claim 1 ?, wherein", 3: r"claims 1 to 2 ?, wherein"},
        never=r"dependency\.(self|nonexistent|unnumbered|no)|antecedent\.",
    ),
    "x13_german_only.xml": Case(refused="not_english"),
    "d01_strike_by_style.docx": Case(
        total=2,
        parents={1: (), 2: (1,)},
        statuses={1: "currently_amended", 2: "original"},
        texts={1: r"a vessel, a heater beneath"},
        absent="thermostat",
        never=".",
    ),
    "d03_symex_fallback.docx": Case(
        total=2, parents={1: (), 2: (1,)}, texts={1: r"“▶”.*A ↔ B"}, absent="▶▶|↔↔|\ufffd", never="."
    ),
    "d04_omml.docx": Case(
        total=4,
        parents={1: (), 2: (1,), 3: (1,), 4: (1,)},
        texts={1: r"\b1/2\b", 2: r"\b3/4\b", 3: r"10\^18 to 5×10\^18", 4: r"y\s?=.*/.*4\s?\+\s?x"},
        absent=r"least (12|34)\b|1018",
        never=_RANGES,
    ),
    "d05_superscript_runs.docx": Case(
        total=3,
        parents={1: (), 2: (1,), 3: (1,)},
        texts={1: r"10\^18 to 5×10\^18", 2: r"2×10\^18", 3: r"10\^\(?[−-]3\)? and 10\^\(?[−-]2"},
        absent=r"1018|10[−-]3",
        never=_RANGES,
    ),
    "d06_ole_equation.docx": Case(
        total=2,
        parents={1: (), 2: (1,)},
        texts={1: r"filter is \S+ ?\.$", 2: r"wherein \S.* is less"},
        noted=(1, 2),
    ),
    "d07_numfmt_empty.docx": Case(total=3, parents={1: (), 2: (1,), 3: (2,)}, never="."),
    "d12_altchunk.docx": Case(refused="embedded_document", says="altChunk"),
    "d20_vml_gfxdata.docx": Case(total=2, parents={1: (), 2: (1,)}, absent="DRAWINGS|UEs", never="."),
    "d21_report_fed_back.docx": Case(
        total=2,
        parents={1: (), 2: (7,)},
        texts={1: r"red\.$", 2: "bent$"},
        absent="Pass|Fail|Filed",
        never=".",
        findings=frozenset({(2, "dependency.nonexistent"), (2, "syntax.no_period")}),
    ),
}


def report_of(file: Path) -> Report | Refused:
    """The report that `ace check` makes, or why it refuses the file."""
    try:
        return checked(read_file(file.read_bytes(), name=file.name, pointer="", partial=True))
    except Refused as refused:
        return refused


def wrong(case: Case, report: Report) -> Iterator[str]:
    """What a report has that is not right."""
    claims = report.claims
    if len(claims) != case.total:
        yield f"{len(claims)} claims"
    for number, parents in case.parents.items():
        claim = claims.get(number)
        if claim is None or set(claim.parents) != set(parents):
            yield f"claim {number}: parents {None if claim is None else claim.parents}"
    statuses = {claim.number: claim.status.value for claim in claims if claim.status is not None}
    if statuses != dict(case.statuses):
        yield f"statuses {statuses}"
    yield from wrong_texts(case, report)
    yield from (
        f"no note on claim {number}"
        for number in case.noted
        if not any(note.claim == number for note in claims.notes)
    )
    for finding in report.findings:
        reported = (finding.claim, finding.rule_id)
        if case.never and re.match(case.never, finding.rule_id) and reported not in case.findings:
            yield f"finding {reported}"
    yield from (
        f"no finding {each}" for each in case.findings - {(f.claim, f.rule_id) for f in report.findings}
    )


def wrong_texts(case: Case, report: Report) -> Iterator[str]:
    """Texts that lack what they must have, or have what they must not."""
    for number, pattern in case.texts.items():
        claim = report.claims.get(number)
        if claim is None or not re.search(pattern, claim.text):
            yield f"claim {number}: the text lacks {pattern}"
    for claim in report.claims:
        if case.absent and re.search(case.absent, claim.text):
            yield f"claim {claim.number}: the text has {case.absent}"


@pytest.mark.parametrize("name", CASES)
def test_a_public_case_is_read_and_judged_right(name: str) -> None:
    # Given a file as somebody reported or published it
    case, file = CASES[name], shared_file(f"{FOLDER}/{name}")
    # When `ace check` reads it
    report = report_of(file)
    # Then its claims, notes and findings are right, or it is refused by the right code and in the right words
    if isinstance(report, Refused):
        assert (report.code, case.says in report.message) == (case.refused, True)
    else:
        assert case.refused is None
        assert list(wrong(case, report)) == []


def test_every_public_case_has_a_row() -> None:
    files = shared_file(FOLDER).glob(KINDS)
    assert {file.name for file in files if file.suffix in MEDIA} == set(CASES)


def over_http(file: Path) -> dict[str, Any] | str:
    """What POST /v1/check answers to a file; the code if it refuses it."""
    claims = Unread(file.read_bytes(), MEDIA[file.suffix], partial=True)
    asked = ReportAsked(claims, Jurisdiction.US, DEFAULT_THRESHOLD, graph=False, sarif=False)
    try:
        answer: dict[str, Any] = json.loads(report_on(asked))
    except Refused as refused:
        return refused.code
    del answer["graph"]
    return answer


@pytest.mark.parametrize("name", CASES)
def test_the_api_and_the_command_agree_on_a_public_case(name: str) -> None:
    file = shared_file(f"{FOLDER}/{name}")
    report = report_of(file)
    if isinstance(report, Refused):
        assert over_http(file) == report.code
        return
    begins = 0 if MEDIA[file.suffix] == "text/plain" else None
    assert over_http(file) == json.loads(json.dumps(as_json(report, begins=begins)))
