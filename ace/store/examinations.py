"""An examination as it is kept: the fields of its parts side by side, as columns of the same names."""

from dataclasses import fields
from typing import Any, Final

from ace.store.findings import disagreements_as_json, findings_as_json
from ace.types.examination import Answered, Asked, Conclusion, Examination

# Fields that are no columns: parts with a mapping of their own below, and what belongs to other tables.
_APART: Final = {"asked", "conclusion", "answer", "verified", "rationale", "evaluation_id", "retry_after"}


def columns_of(examination: Examination) -> dict[str, Any]:
    """The columns of `examinations`, without ids, number and time; those not named here are null."""
    columns = _fields(Examination, examination) | _fields(Asked, examination.asked)
    if (conclusion := examination.conclusion) is not None:
        answer, verified = conclusion.answer, conclusion.verified
        columns |= _fields(Conclusion, conclusion) | _fields(Answered, answer)
        columns |= {
            "verdict": answer.rationale.verdict,
            "reasoning": answer.rationale.reasoning,
            "findings": findings_as_json(verified),
            "disagreements": disagreements_as_json(verified),
        }
    return columns


def _fields(part: type[Any], value: Any) -> dict[str, Any]:
    """The fields that `part` declares, and not those of a class made of it."""
    return {one.name: getattr(value, one.name) for one in fields(part) if one.name not in _APART}
