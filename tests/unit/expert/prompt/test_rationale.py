"""What counts as an answer, and what is refused without being repeated."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ace.claims.taxonomy import ErrorClass
from ace.errors import ExpertTransient
from ace.expert.prompt.quotations import MAX_QUOTATIONS, defects_in
from ace.expert.prompt.rationale import JSON_SCHEMA, MAX_REASONING_CHARACTERS, Prose, parse
from ace.expert.prompt.steps import MAX_ELEMENTS, MAX_FINDINGS, SCHEMA, Steps, parse_steps
from ace.types.rationale import CheckOutcome, StatedDefect

GOOD = json.dumps({"reasoning": "Step 1: the zirconium rod.", "verdict": "Fail"})


def test_a_good_answer_is_read() -> None:
    rationale = parse(GOOD, "stop")
    assert (rationale.reasoning, rationale.verdict) == ("Step 1: the zirconium rod.", "Fail")


@pytest.mark.parametrize("finish_reason", ["stop", "eos_token", "stop_sequence", None])
def test_white_space_around_the_object_is_harmless(finish_reason: str | None) -> None:
    assert parse(f"\n  {GOOD}\n\n", finish_reason).verdict == "Fail"


@pytest.mark.parametrize(
    ("raw", "finish_reason", "kind"),
    [
        (GOOD[:-20], "length", "truncated"),
        (GOOD, "length", "truncated"),
        (GOOD[:-2] + " " * 4000, "length", "truncated"),
        (None, "stop", "schema"),
        ("", "stop", "schema"),
        ("   \n", "stop", "schema"),
        ("zirconium", "stop", "schema"),
        (GOOD[:-20], "stop", "schema"),
        (f"```json\n{GOOD}\n```", "stop", "schema"),
        (f"{GOOD}{GOOD}", "stop", "schema"),
        (f"[{GOOD}]", "stop", "schema"),
        ('{"verdict": "Pass"}', "stop", "schema"),
        ('{"reasoning": "zirconium"}', "stop", "schema"),
        ('{"reasoning": "zirconium", "verdict": "pass"}', "stop", "schema"),
        ('{"reasoning": "zirconium", "verdict": "Pass/Fail"}', "stop", "schema"),
        ('{"reasoning": "zirconium", "verdict": true}', "stop", "schema"),
        ('{"reasoning": ["zirconium"], "verdict": "Pass"}', "stop", "schema"),
        ('{"reasoning": " \\n ", "verdict": "Pass"}', "stop", "schema"),
        ('{"reasoning": "", "verdict": "Pass"}', "stop", "schema"),
        ('{"reasoning": "zirconium\\u0000", "verdict": "Pass"}', "stop", "schema"),
        ('{"reasoning": "zirconium \\ud83d", "verdict": "Pass"}', "stop", "schema"),
        ('{"reasoning": "x", "verdict": "Pass", "zirconium": 1}', "stop", "schema"),
        (
            json.dumps({"reasoning": "x" * (MAX_REASONING_CHARACTERS + 1), "verdict": "Pass"}),
            "stop",
            "schema",
        ),
    ],
)
def test_anything_else_is_a_failed_examination(raw: str | None, finish_reason: str, kind: str) -> None:
    with pytest.raises(ExpertTransient) as caught:
        parse(raw, finish_reason)
    assert caught.value.kind == kind
    # and the answer shows neither in the message nor in what a traceback would print
    assert "zirconium" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@given(st.text(), st.sampled_from(["stop", "length", None]))
def test_any_other_text_is_a_transient_fault(raw: str, finish_reason: str | None) -> None:
    with pytest.raises(ExpertTransient) as caught:
        parse(f"no {raw}", finish_reason)
    assert caught.value.kind in {"truncated", "schema"}


def test_the_schema_is_flat_closed_and_reasons_before_it_decides() -> None:
    assert list(JSON_SCHEMA["properties"]) == list(Prose.model_fields) == ["reasoning", "verdict"]
    assert JSON_SCHEMA["required"] == ["reasoning", "verdict"]
    assert JSON_SCHEMA["additionalProperties"] is False
    assert JSON_SCHEMA["properties"]["verdict"]["enum"] == ["Pass", "Fail"]


@pytest.mark.parametrize(
    ("reasoning", "verdict", "expected"),
    [
        ("Step 3 [Verdict]: a defect [dependency], [antecedent], so it fails.", "Fail", "dependency"),
        ("Step 2 quotes '[syntax]'. Step 3 [Verdict]: it fails.", "Fail", None),
        ("Step 3 [Verdict]: it fails [novelty].", "Fail", None),
        ("Step 3 [Verdict]: nothing [antecedent], so it passes.", "Pass", None),
    ],
)
def test_the_class_is_the_first_that_step_three_names(
    reasoning: str, verdict: str, expected: str | None
) -> None:
    rationale = parse(json.dumps({"reasoning": reasoning, "verdict": verdict}), "stop")

    assert rationale.error_class == expected


STEPS: dict[str, Any] = {
    "preamble": "The zirconium lamp of claim 1",
    "transition": "wherein",
    "elements": ["the shade is red"],
    "antecedent": "defect",
    "dependency": "sound",
    "logical": "sound",
    "ambiguity": "unclear",
    "syntax": "sound",
    "findings": [
        {"class": "antecedent", "quote": "the shade", "law": "35 U.S.C. 112(b)", "explanation": "It is new."}
    ],
    "reasoning": "One defect was found.",
    "verdict": "Fail",
}
FINDING: dict[str, str] = STEPS["findings"][0]


def changed(**changes: Any) -> dict[str, Any]:
    """The steps with other values; None takes a field out."""
    return {name: value for name, value in {**STEPS, **changes}.items() if value is not None}


def test_steps_are_read_and_told_for_people() -> None:
    rationale = parse_steps(json.dumps(STEPS), "stop")
    assert rationale.verdict == "Fail"
    assert rationale.error_class is ErrorClass.ANTECEDENT
    assert rationale.findings == (
        StatedDefect(ErrorClass.ANTECEDENT, "the shade", "35 U.S.C. 112(b)", "It is new."),
    )
    assert dict(rationale.outcomes)[ErrorClass.AMBIGUITY] is CheckOutcome.UNCLEAR
    assert rationale.reasoning == (
        "Step 1 [Element Parsing]: Preamble: 'The zirconium lamp of claim 1'. Transition: 'wherein'."
        " Body: 'the shade is red'."
        " Step 2 [Statutory Compliance]: antecedent: defect: 'the shade'. It is new. [35 U.S.C. 112(b)]"
        " dependency: sound. logical: sound. ambiguity: unclear. syntax: sound."
        " Step 3 [Verdict]: Fail ([antecedent]). One defect was found."
    )
    # and what is written of it as JSON is what version 1 asks for
    assert json.loads(rationale.model_dump_json()) == {"reasoning": rationale.reasoning, "verdict": "Fail"}


@pytest.mark.parametrize(
    ("steps", "valid"),
    [
        (STEPS, True),
        # a verdict that does not follow is no fault of the shape
        (changed(findings=[]), True),
        (changed(verdict="Pass"), True),
        (changed(elements=[], preamble="", transition=""), True),
        (changed(findings=[FINDING] * MAX_FINDINGS, elements=["x"] * MAX_ELEMENTS), True),
        (changed(findings=[FINDING] * (MAX_FINDINGS + 1)), False),
        (changed(elements=["x"] * (MAX_ELEMENTS + 1)), False),
        (changed(antecedent=None), False),
        (changed(findings=None), False),
        (changed(syntax="zirconium"), False),
        (changed(syntax="Sound"), False),
        (changed(verdict="fail"), False),
        (changed(verdict=True), False),
        (changed(reasoning=""), False),
        (changed(novelty="sound"), False),
        (changed(preamble=7), False),
        (changed(elements="zirconium"), False),
        (changed(findings=[{**FINDING, "class": "novelty"}]), False),
        (changed(findings=[{**FINDING, "fix": "zirconium"}]), False),
        (changed(findings=[{"class": "antecedent", "quote": "zirconium"}]), False),
        (changed(findings=[{**FINDING, "error_class": "antecedent"}]), False),
    ],
)
def test_the_parser_takes_what_the_schema_allows(steps: dict[str, Any], valid: bool) -> None:
    assert Draft202012Validator(SCHEMA).is_valid(steps) is valid
    if valid:
        assert parse_steps(json.dumps(steps), "stop").verdict == steps["verdict"]
    else:
        with pytest.raises(ExpertTransient) as caught:
            parse_steps(json.dumps(steps), "stop")
        assert caught.value.kind == "schema"
        assert "zirconium" not in str(caught.value)
        assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "steps",
    [
        changed(preamble="x" * 601),
        changed(findings=[{**FINDING, "quote": "x" * 401}]),
        changed(reasoning="x" * 1601),
        changed(reasoning=" \n"),
        changed(transition="\x00"),
        changed(findings=[{**FINDING, "quote": "\ud83d"}]),
    ],
)
def test_bounds_that_only_the_parser_holds_to(steps: dict[str, Any]) -> None:
    with pytest.raises(ExpertTransient, match="not the JSON object"):
        parse_steps(json.dumps(steps), "stop")


def test_the_longest_steps_make_a_rationale_that_ends_in_its_verdict() -> None:
    full = {"class": "syntax", "quote": "q" * 400, "law": "w" * 160, "explanation": "e" * 640}
    steps = changed(
        preamble="p" * 600,
        elements=["x" * 400] * MAX_ELEMENTS,
        findings=[full] * MAX_FINDINGS,
        reasoning="r" * 1600,
    )
    rationale = parse_steps(json.dumps(steps), "stop")
    assert len(rationale.reasoning) <= MAX_REASONING_CHARACTERS
    assert rationale.reasoning.endswith("Step 3 [Verdict]: Fail ([syntax]). " + "r" * 1600)


@pytest.mark.parametrize(
    ("findings", "outcome", "verdict", "expected"),
    [
        ([{**FINDING, "class": "syntax"}, FINDING], "defect", "Fail", "syntax"),
        ([], "defect", "Fail", "antecedent"),
        ([], "sound", "Fail", None),
        ([FINDING], "defect", "Pass", None),
    ],
)
def test_the_class_of_steps_is_that_of_the_first_finding(
    findings: list[dict[str, str]], outcome: str, verdict: str, expected: str | None
) -> None:
    # whatever the words say
    steps = changed(findings=findings, antecedent=outcome, verdict=verdict, reasoning="[Verdict] [logical]")
    assert parse_steps(json.dumps(steps), "stop").error_class == expected


def test_the_schema_of_the_steps_is_flat_closed_and_reasons_before_it_decides() -> None:
    assert list(SCHEMA["properties"]) == SCHEMA["required"] == list(Steps.model_fields)
    assert list(SCHEMA["properties"])[-2:] == ["reasoning", "verdict"]
    assert SCHEMA["additionalProperties"] is False
    # servers unroll a bound on characters, or pay for it at every token, and some ignore it by a pattern
    assert not re.search('maxLength|pattern|"\\$ref"|anyOf', json.dumps(SCHEMA))
    assert json.dumps(SCHEMA).count("maxItems") == json.dumps(SCHEMA).count('"array"') == 2


@pytest.mark.parametrize(
    ("reasoning", "found"),
    [
        ("antecedent: 'the gasket' is new. Step 3: [antecedent].", {("antecedent", "the gasket")}),
        ("antecedent (no_basis): “the gasket”. Step 3: [antecedent].", {("antecedent", "the gasket")}),
        # what is sound, and what it rests on, is no defect
        ("antecedent: 'the lid' rests on 'a lid' of claim 1. Step 3: [antecedent].", set()),
        ("antecedent: 'the lid' has basis in 'a lid'. Step 3: [antecedent].", set()),
        # a class that Step 3 does not name
        ("ambiguity: 'the spring'. Step 3: [antecedent].", set()),
        # without sections, the class is that of Step 3, if it names one
        ("'the sensor' was never introduced. Step 3: fails.", {(None, "the sensor")}),
        ('"the sensor" is new. Step 3: [antecedent].', {("antecedent", "the sensor")}),
        ("'the sensor', 'a lid'. Step 3: [logical] [syntax].", {(None, "the sensor"), (None, "a lid")}),
        # Step 3 quotes what the claim says, not what is wrong with it
        ("nothing. Step 3: 'a lamp' fails.", set()),
        # a quotation that was broken off, and apostrophes that quote nothing
        ("syntax: 'a very long'… Step 3: [syntax].", {("syntax", "a very long…")}),
        ("antecedent: the user's hand isn't known. Step 3: [antecedent].", set()),
        ("It fails.", set()),
    ],
)
def test_what_prose_quotes_as_defective(reasoning: str, found: set[tuple[str | None, str]]) -> None:
    reasoning = f"Step 1: Preamble: 'A lamp'. Step 2 [Statutory Compliance]: {reasoning}"
    rationale = parse(json.dumps({"reasoning": reasoning, "verdict": "Fail"}), "stop")
    assert {(each.error_class, each.quote) for each in rationale.findings} == found
    # and a Pass tells of none
    assert parse(json.dumps({"reasoning": reasoning, "verdict": "Pass"}), "stop").findings == ()


def test_without_a_step_2_nothing_counts_as_quoted() -> None:
    assert defects_in("Step 1: Preamble: 'A lamp'. Step 3: [antecedent].") == ()
    assert defects_in("[Element Parsing] 'A lamp'. [Statutory Compliance] 'the lid' is new.") == (
        (None, "the lid"),
    )


@given(st.text())
def test_any_prose_can_be_read(text: str) -> None:
    assert len(defects_in(f"Step 2: {text} Step 3: {text}")) <= MAX_QUOTATIONS
