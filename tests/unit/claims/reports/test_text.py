"""Findings as text: the marks stand beneath the words, whatever the width and the script."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.findings import Finding, Fix, Remark
from ace.claims.model import Claim, ClaimSet, Note
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.reports.report import Report, checked
from ace.claims.reports.text import columns, excerpt, render, render_proofs, underlined, visible
from ace.claims.rules import Jurisdiction, Severity
from ace.claims.taxonomy import ErrorClass

BRACKET = "The bracket of claim 1, wherein the lever is made of steel."


def finding(text: str, quote: str, **changed: Any) -> Finding:
    start = text.index(quote)
    given_: dict[str, Any] = {
        "claim": 2,
        "error_class": ErrorClass.ANTECEDENT,
        "subtype": "no_basis",
        "law": "35 U.S.C. 112(b)",
        "severity": Severity.WARNING,
        "start": start,
        "end": start + len(quote),
        "quote": quote,
        "explanation": "Nothing introduces it.",
        "confidence": 0.93,
    }
    return Finding(**(given_ | changed))


def rendered(text: str, *findings: Finding, notes: tuple[Note, ...] = (), **options: Any) -> str:
    claims = ClaimSet((Claim(2, text),), notes=notes)
    return render(Report(claims, findings, Jurisdiction.US, 0.5), **options)


def marked(rows: list[tuple[str, str]]) -> str:
    """What the marks stand beneath, row after row; one-column characters only."""
    return "".join(row[marks.index("^") : len(marks)] if "^" in marks else "" for row, marks in rows if marks)


def test_a_finding_is_told_beneath_its_words() -> None:
    shown = rendered(BRACKET, finding(BRACKET, "the lever", fix=Fix(32, 35, "a")))
    assert shown == (
        "Claim 2\n"
        "\n"
        "  The bracket of claim 1, wherein the lever is made of steel.\n"
        "                                  ^^^^^^^^^\n"
        "  antecedent.no_basis  warning, rejection, 93%\n"
        "  Nothing introduces it. [35 U.S.C. 112(b)]\n"
        "  Fix: “the” → “a”\n"
        "\n"
        "1 claim, 1 finding (1 rejection): 1 antecedent\n"
    )
    asked = rendered(BRACKET, finding(BRACKET, "the lever"), examiner=True)
    assert "  Examiner: Claim 2 recites the limitation “the lever”. There is insufficient" in asked


def test_remarks_stand_apart_by_kind_and_are_counted_apart() -> None:
    first = Remark(2, "markush", "MPEP 2117", 4, 11, "bracket", "Something follows.", also=(5, 6))
    other = replace(first, claim=3, also=())
    claims = ClaimSet((Claim(2, BRACKET), Claim(3, BRACKET)))
    shown = render(Report(claims, (), Jurisdiction.US, 0.5, (first, other)))
    assert shown == (
        "Remarks, which decide nothing\n"
        "  remark.markush\n"
        "  Something follows. [MPEP 2117]\n"
        "    claim 2 (also 5, 6): “bracket”\n"
        "    claim 3: “bracket”\n"
        "\n"
        "2 claims, 0 findings; 2 remarks\n"
    )


@pytest.mark.parametrize(
    ("also", "told"), [((), ""), ((6,), "  Also in claim 6.\n"), ((6, 7), "  Also in claims 6, 7.\n")]
)
def test_other_claims_with_the_same_fault_are_named(also: tuple[int, ...], told: str) -> None:
    shown = rendered(BRACKET, finding(BRACKET, "the lever", also=also))
    assert f"112(b)]\n{told}\n1 claim" in shown


def test_a_clean_set_is_one_line() -> None:
    assert rendered("A plate.") == "1 claim, 0 findings\n"


def test_notes_and_a_name_are_told() -> None:
    shown = rendered("A plate.", notes=(Note("odd", "A line was not read.", 2),), name="claims.txt")
    assert shown == "claims.txt\n\nnote: claim 2: A line was not read.\n\n1 claim, 0 findings\n"


def test_a_claim_says_the_line_that_it_begins_on() -> None:
    report = checked(read_text("1. A plate.\n\n2. The plate of claim 9, wherein it is flat."))
    shown = render(report)
    assert shown.startswith("Claim 2 (line 3)\n")
    assert render(report, plain=False).startswith("Claim 2\n")


@pytest.mark.parametrize(
    ("fix", "told"),
    [
        (Fix(0, 3, "A"), "Fix: “The” → “A”"),
        (Fix(3, 3, " steel"), "Fix: insert “ steel”"),
        (Fix(3, 11, ""), "Fix: delete “ bracket”"),
    ],
)
def test_a_fix_says_what_to_do(fix: Fix, told: str) -> None:
    assert told in rendered(BRACKET, finding(BRACKET, "the lever", fix=fix))


def test_colours_are_there_only_if_asked_for() -> None:
    one = finding(BRACKET, "the lever", severity=Severity.ERROR)
    assert "\x1b" not in rendered(BRACKET, one)
    coloured = rendered(BRACKET, one, colour=True)
    assert "^^^^^^^^^\x1b[0m\n" in coloured
    assert "\x1b[1;31mantecedent.no_basis\x1b[0m" in coloured


def test_nothing_in_a_claim_steers_the_terminal() -> None:
    text = "A plate \u202ereversed\x1b[2J and the lever."
    shown = rendered(text, finding(text, "the lever"))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "A plate �reversed�[2J and the lever." in shown


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_row_is_wider_than_the_terminal(width: int) -> None:
    text = "A plate " + "having a surface and an edge and a " * 40 + "hook."
    long = finding(text, text[100:900], explanation="Much is wrong. " * 20)
    lines = rendered(text, long, width=width).splitlines()
    assert max(map(columns, lines)) <= width


def test_the_marks_stand_beneath_wide_and_combining_signs() -> None:
    # given signs of two columns and of none before and in the span
    text = "表面 cafe\u0301 the 表面e\u0301 lever"
    ((_, marks),) = excerpt(text, text.index("the"), len(text), 80)
    assert marks == " " * 10 + "^" * 15


def test_only_the_lines_of_the_span_are_shown() -> None:
    text = "A bracket comprising:\n  a plate; and\n  the hook\n  fixed to it."
    assert excerpt(text, text.index("the hook"), text.index("the hook") + 8, 80) == [
        ("  the hook", "  ^^^^^^^^")
    ]


def test_a_span_over_a_line_end_is_marked_on_both_lines() -> None:
    text = "A plate and the\nhook."
    assert excerpt(text, 12, 20, 80) == [("A plate and the", " " * 12 + "^^^"), ("hook.", "^^^^")]


def test_of_a_long_line_the_neighbourhood_is_shown() -> None:
    text = "a plate " * 200 + "the hook " + "a wall " * 200
    rows = excerpt(text, text.index("the hook"), text.index("the hook") + 8, 60)
    assert 1 <= len(rows) <= 4
    assert rows[0][0].startswith("…")
    assert rows[-1][0].endswith("…")
    assert marked(rows) == "the hook"


def test_of_a_long_span_the_middle_is_left_out() -> None:
    text = "A plate " + "and a hook " * 100 + "here."
    rows = excerpt(text, 8, len(text) - 5, 60)
    assert ("…", "") in rows
    assert len(rows) <= 7


def test_an_empty_span_has_a_mark() -> None:
    assert excerpt("", 0, 0, 80) == [("", "^")]


def test_all_of_a_text_can_be_shown() -> None:
    assert underlined("1. A plate\n2. The hook.", 14, 22, 80) == [
        ("1. A plate", ""),
        ("2. The hook.", "   ^^^^^^^^"),
    ]


@st.composite
def spans(draw: st.DrawFn) -> tuple[str, int, int]:
    text = draw(st.text(max_size=400))
    start = draw(st.integers(0, len(text)))
    return text, start, draw(st.integers(start, len(text)))


@given(spans(), st.integers(4, 120))
def test_any_span_of_any_text_is_shown_within_the_width(span: tuple[str, int, int], width: int) -> None:
    for row, marks in excerpt(*span, width):
        assert columns(row) <= width
        assert len(marks) <= width
        assert row == visible(row)


@given(spans(), st.integers(6, 120))
def test_what_is_marked_is_what_was_meant(span: tuple[str, int, int], width: int) -> None:
    text, start, end = span
    plain = "".join(sign if sign.isascii() and sign.isprintable() else "x" for sign in text)
    kept = "".join(plain[start:end].split())
    rows = underlined(plain, start, end, width)
    if start < end:
        assert "".join(marked(rows).split()) == kept


def test_a_finding_on_a_very_long_line_shows_the_words_around_it_alone() -> None:
    text = "a plate " * 6_000
    findings = [finding(text, "a plate", start=at, end=at + 7) for at in range(0, 40_000, 80)]
    shown = rendered(text, *findings)
    assert shown.count("^^^^^^^") == len(findings) == 500
    assert len(shown) < 500 * len(findings)


def test_proofs_tell_where_each_phrase_comes_from() -> None:
    text = (
        "1. A bracket comprising a plate.\n"
        "2. The bracket of claim 1, further comprising a hook.\n"
        "3. The bracket of claim 2, wherein the plate carries the lever.\n"
    )
    shown = render_proofs(Reading(read_text(text)))
    assert "Claim 3\n" in shown
    assert "  “the plate”: inherited; “a plate” in claim 1 (3 → 2 → 1)\n" in shown
    assert "  “the lever”: none\n" in shown
