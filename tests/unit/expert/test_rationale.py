"""What counts as an answer, and what is refused without being repeated."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.errors import ExpertTransient
from ace.expert.rationale import JSON_SCHEMA, MAX_REASONING_CHARACTERS, Rationale, parse

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
    assert list(JSON_SCHEMA["properties"]) == list(Rationale.model_fields) == ["reasoning", "verdict"]
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
