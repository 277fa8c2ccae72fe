"""The structural examiner: Fail exactly where a rule shows a defect, told in three steps."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ace.claims.analysis import AnalysedClaim, ClaimAnalysis, analyse, analysis_of, is_on_set
from ace.claims.findings import Finding
from ace.claims.model import CHAIN_CUT, ClaimInput
from ace.claims.readers import read_text
from ace.claims.rules import Severity
from ace.claims.taxonomy import ErrorClass
from ace.expert.examiner.structural import MAX_TOKENS, examine
from ace.expert.prompt.rationale import MAX_REASONING_CHARACTERS
from ace.expert.prompt.steps import MAX_FINDINGS, SCHEMA, Steps, parse_steps
from ace.expert.prompt.tokens import count_tokens
from ace.expert.prompt.verification import locate
from ace.local.samples import Sample, load
from ace.types.rationale import CheckOutcome

LAMP = "1. A lamp comprising a base and a bulb."


def find(claim: ClaimInput) -> list[Finding]:
    return list(analysis_of(claim).reported())


def remarked(claim: ClaimInput) -> AnalysedClaim:
    """The claim, whose only finding is a remark."""
    (graver,) = find(claim)
    analysis = ClaimAnalysis(findings=(replace(graver, severity=Severity.NOTE),))
    return AnalysedClaim.of(claim, analysis)


@pytest.mark.parametrize(
    ("claim", "total", "verdict", "told"),
    [
        (ClaimInput(1, "A lamp comprising a base and a bulb."), 1, "Pass", "no structural defect"),
        (
            ClaimInput(2, "The lamp of claim 1, wherein the bulb is red.", (LAMP,)),
            2,
            "Pass",
            "refers to claim 1",
        ),
        (ClaimInput(2, "The lamp of claim 1, wherein the shade is red.", (LAMP,)), 2, "Fail", "'the shade'"),
        (
            ClaimInput(2, "The lamp of claim 7, wherein a shade is red."),
            2,
            "Fail",
            "dependency (nonexistent): 'claim 7'",
        ),
        (ClaimInput(2, "The lamp of claim 2, wherein a shade is red."), 2, "Fail", "dependency (self)"),
        (ClaimInput(1, "A lamp comprising a base and a bulb"), 1, "Fail", "syntax (no_period): 'bulb'"),
    ],
)
def test_verdicts(claim: ClaimInput, total: int, verdict: str, told: str) -> None:
    rationale = examine(claim)
    assert rationale.verdict == verdict
    assert told in rationale.reasoning
    steps = ("Step 1 [Element Parsing]", "Step 2 [Statutory Compliance]", "Step 3 [Verdict]")
    positions = [rationale.reasoning.index(step) for step in steps]
    assert positions == sorted(positions)


def test_elements_are_parsed() -> None:
    told = examine(ClaimInput(1, "A lamp comprising: a base; a bulb; and a shade.")).reasoning
    assert "Preamble: 'A lamp'. Transition: 'comprising'. Body: 'a base'; 'a bulb'; 'a shade'." in told


def test_a_failing_rationale_names_class_quote_and_law() -> None:
    told = examine(ClaimInput(2, "The lamp of claim 1, wherein the shade is red.", (LAMP,))).reasoning
    assert "antecedent (no_basis): 'the shade'" in told
    assert "35 U.S.C. 112(b)" in told


def test_every_rationale_goes_through_all_classes_and_says_what_was_not_examined() -> None:
    told = examine(ClaimInput(1, "A lamp comprising a base.")).reasoning
    positions = [told.index(f" {error_class.value}: ") for error_class in ErrorClass]
    assert positions == sorted(positions)
    assert told.count("no defect found.") == len(ErrorClass)
    assert "was not examined" in told


def test_proofs_say_what_a_definite_phrase_rests_on_and_by_which_way() -> None:
    # given a valve that claim 1 introduces and claim 3 takes up by way of claim 2
    claims = read_text(
        "1. A pump comprising a housing and a valve.\n"
        "2. The pump of claim 1, further comprising a filter.\n"
        "3. The pump of claim 2, wherein the valve closes a port."
    )
    told = examine(claims.input_of(3)).reasoning
    assert "'the valve' rests on 'a valve' of claim 1 by way of claim 2" in told
    assert "it refers to claim 2" in told


def test_a_remark_alone_fails_no_claim() -> None:
    claim = ClaimInput(2, "The lamp of claim 1, wherein the shade is red.", (LAMP,))

    rationale = examine(remarked(claim))

    assert rationale.verdict == "Pass"
    assert "(1 more that fail no claim)" in rationale.reasoning
    assert "'the shade'" in rationale.reasoning


def test_a_canceled_ancestor_is_known_to_be_canceled() -> None:
    found = find(ClaimInput(3, "The lamp of claim 2, wherein a shade is red.", ("2. (Canceled)",)))
    assert [each.rule_id for each in found] == ["dependency.canceled"]


@pytest.mark.parametrize(
    "text",
    [
        "A lamp comprising " + "; ".join(f"{'!' * 59}{n}" for n in range(400)) + ".",
        "A lamp comprising " + '"\\' * 2_000,
        "A " + "(" * 5_000,
        "the the " * 3_000,
        "ア" * 5_000,
    ],
    ids=["punctuation", "escapes", "brackets", "doubled", "one word"],
)
def test_no_rationale_is_longer_than_an_answer_may_be(text: str) -> None:
    rationale = examine(ClaimInput(1, text))
    assert count_tokens(rationale.model_dump_json()) <= MAX_TOKENS
    assert "[Verdict]" in rationale.reasoning


def test_the_same_claim_gets_the_same_rationale() -> None:
    claims = read_text(load()[0].text)
    for claim in claims:
        asked = claims.input_of(claim.number)
        assert examine(asked) == examine(asked)


@pytest.mark.parametrize("sample", load(), ids=lambda sample: sample.docket)
def test_a_claim_with_its_ancestors_shows_what_the_whole_set_shows(sample: Sample) -> None:
    claims = read_text(sample.text)
    for number, analysis in analyse(claims).items():
        whole = [each for each in analysis.reported() if not is_on_set(each)]
        shown = find(claims.input_of(number))
        # how sure a rule is may depend on how other claims of the set speak of the thing
        assert [(each.rule_id, each.start) for each in shown] == [
            (each.rule_id, each.start) for each in whole
        ]


def test_where_the_chain_is_cut_only_certainties_are_found() -> None:
    # given a chain whose far end is missing, then an element may come from there, and claim 4 too
    cut = (LAMP, CHAIN_CUT)
    assert find(ClaimInput(9, "The lamp of claim 1, wherein the shade is red.", cut)) == []
    assert find(ClaimInput(9, "The lamp of claim 4, wherein a shade is red.", cut)) == []
    # but a missing period is missing
    assert [each.subtype for each in find(ClaimInput(9, "The lamp of claim 4", cut))] == ["no_period"]


@pytest.mark.parametrize("text", ["\x00", "A \ud800 lamp", ""])
def test_characters_that_readers_refuse_do_no_harm_here(text: str) -> None:
    assert examine(ClaimInput(1, text)).verdict == "Fail"


def test_an_ancestor_without_its_number_is_an_error() -> None:
    with pytest.raises(ValueError, match="number"):
        examine(ClaimInput(2, "The lamp of claim 1.", ("A lamp.",)))


@given(st.text(), st.lists(st.text().map(lambda text: f"1. {text}"), max_size=2), st.integers(1, 99))
def test_any_claim_gets_a_bounded_rationale(text: str, ancestors: list[str], total: int) -> None:
    rationale = examine(ClaimInput(2, text, tuple(ancestors)))
    assert len(rationale.reasoning) <= MAX_REASONING_CHARACTERS


def test_a_claim_full_of_defects_gets_a_short_rationale() -> None:
    text = "A lamp comprising " + ", ".join(f"the widget{n}x{chr(97 + n % 26)}q" for n in range(300)) + " ((("
    assert len(examine(ClaimInput(1, text)).reasoning) < 3000


HOSTILE_TEXTS = [
    "A lamp comprising " + "; ".join(f"{'!' * 59}{n}" for n in range(400)) + ".",
    "A lamp comprising " + '"\\' * 2_000,
    "A " + "(" * 5_000,
    "the the " * 3_000,
    "ア" * 5_000,
    "A lamp comprising " + ", ".join(f"the widget{n}x{chr(97 + n % 26)}q" for n in range(300)) + " (((",
    "",
    "A \x00 lamp with \ud800",
]


@pytest.mark.parametrize("text", HOSTILE_TEXTS, ids=range(len(HOSTILE_TEXTS)))
def test_steps_are_within_the_schema_and_the_bound_whatever_the_claim(text: str) -> None:
    steps = examine(ClaimInput(1, text), "v2")
    raw = steps.model_dump_json()
    assert count_tokens(raw) <= MAX_TOKENS
    Draft202012Validator(SCHEMA).validate(json.loads(raw))
    assert steps.verdict == examine(ClaimInput(1, text)).verdict
    assert [each.quote for each in steps.findings if locate(each.quote, text) is None] == []


@pytest.mark.parametrize("sample", load(), ids=lambda sample: sample.docket)
def test_both_versions_say_the_same_and_quote_what_is_there(sample: Sample) -> None:
    claims = read_text(sample.text)
    for claim in claims:
        asked = claims.input_of(claim.number)
        prose, steps = (examine(asked, version) for version in ("v1", "v2"))
        assert isinstance(steps, Steps)
        assert prose.verdict == steps.verdict
        quotes = (steps.preamble, steps.transition, *steps.elements, *(each.quote for each in steps.findings))
        assert [quote for quote in quotes if quote not in claim.text] == []
        wrong = {kind for kind, outcome in steps.outcomes() if outcome is CheckOutcome.DEFECT}
        assert {each.error_class for each in steps.findings} == wrong
        told = parse_steps(steps.model_dump_json(), "stop")
        assert told.error_class == (steps.findings[0].error_class if wrong else None)


def test_the_gravest_come_first_and_each_class_before_a_second_of_any() -> None:
    parts = "the shade, the lever, the wheel, the axle, the knob, the spoke and the rim"
    text = f"The lamp of claim 1, wherein {parts} are preferably red"
    steps = examine(ClaimInput(2, text, (LAMP,)), "v2")
    kinds = [each.error_class.value for each in steps.findings]
    assert set(kinds[:3]) == {"antecedent", "ambiguity", "syntax"}
    assert set(kinds[3:]) == {"antecedent"}
    assert len(kinds) == MAX_FINDINGS
    assert "3 more are not listed." in steps.reasoning


def test_a_remark_alone_is_unclear_and_no_finding_in_steps() -> None:
    claim = ClaimInput(2, "The lamp of claim 1, wherein the shade is red.", (LAMP,))
    steps = examine(remarked(claim), "v2")
    assert (steps.verdict, steps.antecedent, steps.findings) == ("Pass", CheckOutcome.UNCLEAR, ())


def test_another_version_is_an_error() -> None:
    with pytest.raises(KeyError):
        examine(ClaimInput(1, "A lamp."), "v3")
