"""How the desk words states, verdicts, numbers and times."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from ace.claims.reports.filing_report import CLASS_WORDS
from ace.claims.taxonomy import Verdict
from ace.store.tables import Stage, State
from ace.types.faults import UNSCORED, FaultKind

STATES: Final = {
    State.QUEUED: "waiting",
    State.SCREENING: "being screened",
    State.ESCALATED: "waiting for the expert",
    State.EXAMINING: "being examined",
    State.FAILED: "failed",
    State.DECIDED: "decided",
    State.CANCELLED: "cancelled",
}
STAGES: Final = {Stage.FAST: "the gatekeeper", Stage.SLOW: "the expert"}
# What became of a claim, or of its last examination. States are explained with more words in states.md.
ERRORS: Final[Mapping[str, str]] = {
    "poison": "the claim took its worker down several times in a row",
    "check_too_slow": "the rules took too long on the claim set",
    "check_crashed": "the rules crashed on the claim set",
    UNSCORED: "the gatekeeper could not score the claim of a test",
    FaultKind.OVERLOADED: "the expert was busy",
    FaultKind.GENERATION: "the expert broke down while it answered",
    FaultKind.INCOMPLETE: "the expert began to answer and did not finish",
    FaultKind.UNAVAILABLE: "the expert, or its proxy, was out of service",
    FaultKind.UNREACHABLE: "there was no connection to the expert",
    FaultKind.RESET: "the connection to the expert broke",
    FaultKind.TIMEOUT: "the expert did not answer in time",
    FaultKind.DRIPPING: "the expert answered too slowly",
    FaultKind.OVERSIZED: "the expert’s answer was too large",
    FaultKind.ENCODED: "the expert’s answer was compressed: its settings need correction",
    FaultKind.TRUNCATED: "the expert’s answer was cut off",
    FaultKind.WHITESPACE: "the expert answered with white space",
    FaultKind.SCHEMA: "the expert’s answer was not the JSON asked for",
    FaultKind.EMPTY: "the expert’s answer was empty",
    FaultKind.LANGUAGE: "the expert did not answer in English",
    FaultKind.VALIDATION: "the expert refused the request",
    FaultKind.TOO_LONG: "the claim and its chain are too long for the expert",
    FaultKind.UNAUTHORISED: "the expert refused the token: the settings need correction",
    FaultKind.REDIRECTED: "the expert’s address in the settings is not its own",
    FaultKind.UNTRUSTED: "the expert did not prove its identity: its certificate needs correction",
}
CLASSES: Final = {"pass": "no defect", **{each.value: name for each, name in CLASS_WORDS.items()}}
_STEP: Final = re.compile(r"(?:^|\s)(?=Step \d)")
_SIGNS: Final = {"pass": "✓", "fail": "✗", "error": "!", "open": "…", "none": "–"}


def moment(at: datetime | str | None) -> str:
    """A time to the second, in UTC: "2026-11-20 09:30:00"."""
    if at is None:
        return "–"
    known = datetime.fromisoformat(at) if isinstance(at, str) else at
    return known.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def percent(share: float | None) -> str:
    """A share of 1 in whole percent; tiny and nearly full ones are not rounded to nothing or all."""
    if share is None:
        return "–"
    if 0 < share < 0.005:
        return "<\N{NO-BREAK SPACE}1\N{NO-BREAK SPACE}%"
    return (
        ">\N{NO-BREAK SPACE}99\N{NO-BREAK SPACE}%"
        if 0.995 <= share < 1
        else f"{share:.0%}".replace("%", "\N{NO-BREAK SPACE}%")
    )


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
