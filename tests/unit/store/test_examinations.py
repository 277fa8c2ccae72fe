"""An examination becomes columns: every field of the record has one, and every column a field."""

from uuid import UUID

from ace.claims.taxonomy import ErrorClass
from ace.store.examinations import columns_of
from ace.store.tables import Examination
from ace.types.rationale import StatedDefect
from ace.types.verification import Disagreement, Dispute, LocatedDefect, Verified
from tests import factories

GIVEN_BY_THE_MOVE = {"id", "evaluation_id", "number", "at"}
EVALUATION = UUID(int=1)
DEFECT = StatedDefect(ErrorClass.SYNTAX, "the hook", "", "It ends.")
VERIFIED = Verified(
    "Fail", (LocatedDefect(DEFECT, (2, 10)),), (Disagreement(Dispute.INCONSISTENT, "yes", "no"),)
)


def test_the_columns_are_those_of_the_table() -> None:
    columns = columns_of(factories.examination(EVALUATION, "Pass"))
    assert columns.keys() == set(Examination.__table__.columns.keys()) - GIVEN_BY_THE_MOVE


def test_a_conclusion_is_kept_with_all_its_parts() -> None:
    made = factories.examination(
        EVALUATION,
        "Fail",
        endpoint="east",
        cut=True,
        verified=VERIFIED,
        opinions=3,
        agreeing=2,
        reasoning="So it is.",
        raw="{}",
        model="large",
        prompt_tokens=9,
        completion_tokens=4,
        calls=5,
    )
    assert columns_of(made) == {
        "endpoint": "east",
        "prompt_version": "p",
        "cut": True,
        "seconds": 0.1,
        "error": None,
        "opinions": 3,
        "agreeing": 2,
        "raw": "{}",
        "model": "large",
        "prompt_tokens": 9,
        "completion_tokens": 4,
        "calls": 5,
        "verdict": "Fail",
        "reasoning": "So it is.",
        "findings": [
            {
                "class": "syntax",
                "quote": "the hook",
                "law": None,
                "explanation": "It ends.",
                "start": 2,
                "end": 10,
            }
        ],
        "disagreements": [{"kind": "inconsistent", "expert": "yes", "against": "no"}],
    }


def test_a_fault_leaves_the_columns_of_an_answer_out() -> None:
    assert columns_of(factories.examination(EVALUATION, error="timeout", endpoint="east")) == {
        "endpoint": "east",
        "prompt_version": "p",
        "cut": None,
        "seconds": 0.1,
        "error": "timeout",
    }
