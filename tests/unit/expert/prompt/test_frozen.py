"""Sixty questions are asked as they were frozen, and our answers to them hold in both versions."""

import json
from collections import Counter

import jsonschema
import pytest

from ace.claims.taxonomy import ErrorClass
from ace.expert.prompt.copt import PROMPTS, Target, read_target
from ace.expert.prompt.evidence import MAX_EVIDENCE_TOKENS, evidence
from ace.expert.prompt.rationale import Prose
from ace.expert.prompt.steps import as_prose
from ace.expert.prompt.tokens import count_tokens
from ace.expert.prompt.verification import verify

from .frozen import DIGESTS, digests, questions

QUESTIONS = list(questions())


def test_the_questions_are_asked_as_they_were_frozen() -> None:
    kept = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert digests() == kept, "run: python -m tests.unit.expert.prompt.frozen"
    assert len(set(kept["v1"])) == len(set(kept["v2"])) == 61


def test_each_question_can_be_read_back(subtests: pytest.Subtests) -> None:
    for each in QUESTIONS:
        with subtests.test(each.claim.text[:60]):
            for prompt in PROMPTS.values():
                message = prompt.messages(each.claim, each.total)[-1]["content"]
                assert read_target(message) == Target(each.claim, each.total)


def test_our_answers_hold_in_both_versions(subtests: pytest.Subtests) -> None:
    for claim, _, steps in QUESTIONS:
        prose = Prose(reasoning=as_prose(steps), verdict=steps.verdict)
        for version, answer in {"v1": prose, "v2": steps}.items():
            with subtests.test(f"{version}: {claim.text[:60]}"):
                raw = answer.model_dump_json(by_alias=True)
                jsonschema.validate(json.loads(raw), PROMPTS[version].schema)
                verified = verify(PROMPTS[version].parse(raw, "stop"), claim)
                # One Pass is right beside a finding that the rules find likely, and wrongly.
                likely = [each for each in verified.disagreements if "find a likely defect" in each.against]
                assert list(verified.disagreements) == likely
                assert not likely or "toclaim 11and" in claim.text
                assert [each.stated.quote for each in verified.findings if each.span is None] == []
                named = {each.error_class for each in steps.findings}
                assert {each.stated.error_class for each in verified.findings} == named
                assert (steps.verdict == "Fail") is bool(named)


def test_every_class_of_defect_and_sound_claims_are_there() -> None:
    failing = [steps for _, _, steps in QUESTIONS if steps.verdict == "Fail"]
    kinds = Counter(each.error_class for steps in failing for each in steps.findings)
    assert all(kinds[kind] >= 5 for kind in ErrorClass)
    assert len(QUESTIONS) - len(failing) >= 15
    assert sum(1 for claim, _, _ in QUESTIONS if len(claim.ancestors) > 1) >= 3


def test_the_evidence_always_says_what_was_not_looked_at(subtests: pytest.Subtests) -> None:
    for each in QUESTIONS:
        with subtests.test(each.claim.text[:60]):
            *_, last = evidence(each.claim).split("\n")
            assert last.startswith("- not looked at: ")
            assert count_tokens(evidence(each.claim)) <= MAX_EVIDENCE_TOKENS + 12
