"""A rationale whose words do not fit its verdict is disputed, and one whose words fit is not."""

import json
from typing import Any

import pytest

from ace.claims.model import ClaimInput
from ace.claims.readers import read_text
from ace.claims.taxonomy import ErrorClass
from ace.expert.examiner.structural import examine
from ace.expert.prompt.copt import PROMPTS
from ace.expert.prompt.verification import verify
from ace.local.samples import load
from ace.types.verification import Dispute, Verified

from .contradictions import AGREED, AGREED_ASIDE, MISSED, OPPOSED, OPPOSED_ASIDE, Case
from .hostile import ORDERS

LAMP = "1. A lamp comprising a base and a bulb."
CLAIM = ClaimInput(
    2, "The lamp of claim 1, wherein the bulb is red and the shade is part of the base.", (LAMP,)
)
OTHER = ClaimInput(3, "The lever of claim 2, wherein a spring pushes the lever away from the frame.", (LAMP,))


def answer(version: str, verdict: str, said: str, **fields: Any) -> str:
    """An answer with this free text, which otherwise fits the verdict."""
    if version == "v1":
        return json.dumps({"reasoning": said, "verdict": verdict})
    failing = verdict == "Fail"
    finding = {
        "class": "antecedent",
        "quote": "the shade",
        "law": "35 U.S.C. 112(b)",
        "explanation": "It is new.",
    }
    return json.dumps(
        {
            "preamble": "The lamp of claim 1",
            "transition": "wherein",
            "elements": ["the bulb is red", "the shade is part of the base"],
            **{kind.value: "sound" for kind in ErrorClass},
            **({"antecedent": "defect"} if failing else {}),
            "findings": [finding] if failing else [],
            "reasoning": said,
            "verdict": verdict,
            **fields,
        }
    )


def verified(version: str, verdict: str, said: str, **fields: Any) -> Verified:
    return verify(PROMPTS[version].parse(answer(version, verdict, said, **fields), "stop"), CLAIM)


def kinds(found: Verified) -> set[Dispute]:
    """Those with the answer itself; without those of a Fail in prose that quotes no defect."""
    own = (Dispute.UNPROVED, Dispute.INCONSISTENT)
    return {
        each.kind
        for each in found.disagreements
        if each.kind in own and "quotes no defect" not in each.against
    }


@pytest.mark.parametrize("version", PROMPTS)
@pytest.mark.parametrize("cases", [OPPOSED, OPPOSED_ASIDE])
def test_words_against_the_verdict_dispute_it(
    subtests: pytest.Subtests, version: str, cases: tuple[Case, ...]
) -> None:
    for verdict, said in cases:
        with subtests.test(said):
            found = verified(version, verdict, said)
            assert kinds(found) == {Dispute.INCONSISTENT}
            assert found.verdict == verdict


@pytest.mark.parametrize("version", PROMPTS)
@pytest.mark.parametrize("cases", [AGREED, AGREED_ASIDE, MISSED])
def test_words_that_fit_the_verdict_do_not(
    subtests: pytest.Subtests, version: str, cases: tuple[Case, ...]
) -> None:
    for verdict, said in cases:
        with subtests.test(said):
            assert kinds(verified(version, verdict, said)) == set()


def test_both_sides_of_a_contradiction_are_shown() -> None:
    found = verified("v1", "Pass", "Step 2: antecedent defect in the last limb. Step 3 [Verdict]: Fail")
    said, found_by_rules = found.why.splitlines()
    assert said == "inconsistent: The expert passes the claim. Its reasoning says that the claim fails."
    assert found_by_rules.startswith(
        "contradicted: The expert passes the claim. The rules find a likely defect"
    )


@pytest.mark.parametrize("version", PROMPTS)
def test_a_demonstration_fits_its_own_verdict(version: str) -> None:
    prompt = PROMPTS[version]
    for shown in prompt.demonstrations:
        assert not verify(prompt.parse(shown.answer, "stop"), shown.claim).disputed


@pytest.mark.parametrize("version", PROMPTS)
def test_no_answer_of_the_examiner_about_a_sample_or_a_hostile_claim_is_disputed(version: str) -> None:
    sets = [read_text(sample.text) for sample in load()]
    claims = [each.input_of(claim.number) for each in sets for claim in each]
    claims += [ClaimInput(2, f"{CLAIM.text} {order}", (LAMP,)) for order in ORDERS.values()]
    for claim in claims:
        raw = examine(claim, version).model_dump_json()
        found = verify(PROMPTS[version].parse(raw, "stop"), claim)
        assert kinds(found) == set(), found.why


@pytest.mark.parametrize("version", PROMPTS)
@pytest.mark.parametrize("text", [CLAIM.text, CLAIM.text.replace("the shade", "a shade")])
def test_a_rationale_about_another_claim_is_disputed_whatever_its_verdict(version: str, text: str) -> None:
    about = ClaimInput(2, text, (LAMP,))
    rationale = PROMPTS[version].parse(examine(about, version).model_dump_json(), "stop")
    assert not verify(rationale, about).disputed
    assert Dispute.UNPROVED in kinds(verify(rationale, OTHER))


@pytest.mark.parametrize(
    ("elements", "disputed"),
    [
        (["the bulb is red"], False),
        (["the bulb is red", "the shade … of the base"], False),
        (["the bulb [...] and the shade"], False),
        (["The  bulb is RED…"], False),
        (["the bulb is red", "the shade is part of the base", "the lever is long"], False),
        # with the preamble, half of the quotations
        (["the lever is long"], True),
        (["the lever is long", "the bulb is red", "the spring is short"], True),
        # single words are in every claim
        (["wherein", "comprising"], False),
        ([], False),
    ],
)
def test_half_of_the_parts_must_be_the_claims_own(elements: list[str], disputed: bool) -> None:
    for verdict in ("Pass", "Fail"):
        said = "The claim passes." if verdict == "Pass" else "The claim fails."
        found = verified("v2", verdict, said, elements=elements)
        assert kinds(found) == ({Dispute.UNPROVED} if disputed else set())
