"""How the desk words states, verdicts, numbers and times."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from ace import wording
from ace.claims.reports.filing_report import CLASS_WORDS, NAMED_ANCESTORS
from ace.claims.taxonomy import Verdict
from ace.store.operating_tables import Part
from ace.store.tables import Stage, State
from ace.types.failure_words import FAILURES

STATES: Final = {
    State.QUEUED: "waiting",
    State.SCREENING: "being screened",
    State.ESCALATED: "waiting for the expert",
    State.EXAMINING: "being examined",
    State.FAILED: "failed",
    State.DECIDED: "decided",
    State.CANCELLED: "cancelled",
}
PARTS: Final = {
    Part.DISPATCHER: "dispatcher",
    Part.GATEKEEPER: "gatekeeper worker",
    Part.EXPERT_WORKER: "expert worker",
    Part.WEBHOOK_WORKER: "webhook worker",
}
STAGES: Final = {Stage.FAST: "the gatekeeper", Stage.SLOW: "the expert"}
ERRORS: Final[Mapping[str, str]] = {error: words.happened for error, words in FAILURES.items()}
CLASSES: Final = {"pass": "no defect", **{each.value: name for each, name in CLASS_WORDS.items()}}
NAMED: Final = NAMED_ANCESTORS
RARE: Final = 0.1
_STEP: Final = re.compile(r"(?:^|\s)(?=Step \d)")
_SIGNS: Final = {"pass": "✓", "fail": "✗", "error": "!", "open": "…", "none": "–"}


def moment(at: datetime | str | None) -> str:
    """A time to the second, in UTC: "2026-11-20 09:30:00"."""
    if at is None:
        return "–"
    known = datetime.fromisoformat(at) if isinstance(at, str) else at
    return known.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def percent(share: float | None) -> str:
    """A share of 1 in per cent: "20 %", "0.5 %"; a dash for None."""
    return "–" if share is None else wording.percent(share).replace(" ", "\N{NO-BREAK SPACE}")


def with_odds(share: float | None) -> str:
    """A share in per cent, and as odds too if it is small: "0.5 % (1 in 200)"."""
    rare = share is not None and 0 < share <= RARE
    return f"{percent(share)} (1 in {round(1 / share):,})" if rare and share else percent(share)


def duration(seconds: float) -> str:
    """A time span in its largest unit: "42 s", "3 min", "5 h", "2 d"."""
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def steps(reasoning: str) -> list[str]:
    """A rationale, step by step: the expert writes "Step 1: …"."""
    return [step.strip() for step in _STEP.split(reasoning) if step.strip()]


def look(evaluation: Mapping[str, Any] | None) -> str:
    """The colour of an evaluation: pass, fail, error (it failed without a verdict), open, or none."""
    if evaluation is None or evaluation["state"] == State.CANCELLED:
        return "none"
    if evaluation["verdict"] is not None:
        return "pass" if evaluation["verdict"] == Verdict.PASS else "fail"
    return "error" if evaluation["state"] == State.FAILED else "open"


def sign(evaluation: Mapping[str, Any] | None) -> str:
    """One character that says the same without colour."""
    return _SIGNS[look(evaluation)]


def outcome(evaluation: Mapping[str, Any] | None) -> str:
    """The verdict in words, or what becomes of the claim."""
    if evaluation is None:
        return "not evaluated"
    if evaluation["verdict"] is None:
        return STATES[State(evaluation["state"])]
    ground = evaluation["ground"]
    return f"{evaluation['verdict']}: {ground}" if ground else str(evaluation["verdict"])
