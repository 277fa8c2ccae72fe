"""What people read about a claim that failed without a verdict: what happened, and what to do about it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from ace.types.faults import UNSCORED, FaultKind

_AWAY: Final = "Bring the expert back into service, then replay the claim."
_SETTINGS: Final = "Correct the settings of the expert and restart its workers, then replay the claim."
_BROKE: Final = "Look at the expert’s log. If other claims are examined well, replay this one."
_ANSWER: Final = (
    "Replay the claim; if it fails again, the expert’s model does not keep to the form asked for."
)
_SIZE: Final = "Raise ACE_EXPERT_MAX_TOKENS and restart the expert’s workers, then replay the claim."


class FailureWords(NamedTuple):
    """`happened` continues a sentence; `remedy` is one of its own."""

    happened: str
    remedy: str


# docs/reference/states.md explains the errors with more words.
FAILURES: Final[Mapping[str, FailureWords]] = {
    "poison": FailureWords(
        "the claim took its worker down several times in a row",
        "Look at the claim and at the workers’ log. Replay it when the cause is fixed.",
    ),
    "check_too_slow": FailureWords(
        "the rules took too long on the claim set",
        "Raise ACE_CHECK_SECONDS and restart the workers, then replay the claim; or file fewer claims.",
    ),
    "check_crashed": FailureWords(
        "the rules crashed on the claim set",
        "Report the claim set to whoever maintains ACE. A replay helps only after an upgrade.",
    ),
    UNSCORED: FailureWords(
        "the gatekeeper could not score the claim of a test",
        "Replay the claim; if it fails again, look at the gatekeeper’s log.",
    ),
    FaultKind.OVERLOADED: FailureWords(
        "the expert was busy", "Replay the claim when the expert is less busy."
    ),
    FaultKind.GENERATION: FailureWords("the expert broke down while it answered", _BROKE),
    FaultKind.INCOMPLETE: FailureWords("the expert began to answer and did not finish", _BROKE),
    FaultKind.UNAVAILABLE: FailureWords("the expert, or its proxy, was out of service", _AWAY),
    FaultKind.UNREACHABLE: FailureWords("there was no connection to the expert", _AWAY),
    FaultKind.RESET: FailureWords("the connection to the expert broke", _AWAY),
    FaultKind.TIMEOUT: FailureWords(
        "the expert did not answer in time",
        "Give the expert more capacity, or raise ACE_EXPERT_TIMEOUT_SECONDS, then replay the claim.",
    ),
    FaultKind.DRIPPING: FailureWords(
        "the expert answered too slowly",
        "Give the expert more capacity, or raise ACE_EXPERT_BUDGET_SECONDS, then replay the claim.",
    ),
    FaultKind.OVERSIZED: FailureWords("the expert’s answer was too large", _ANSWER),
    FaultKind.ENCODED: FailureWords(
        "the expert’s answer was compressed: its settings need correction",
        "Turn compression off at the expert or its proxy, then replay the claim.",
    ),
    FaultKind.TRUNCATED: FailureWords("the expert’s answer was cut off", _SIZE),
    FaultKind.WHITESPACE: FailureWords("the expert answered with white space", _ANSWER),
    FaultKind.SCHEMA: FailureWords("the expert’s answer was not the JSON asked for", _ANSWER),
    FaultKind.EMPTY: FailureWords("the expert’s answer was empty", _ANSWER),
    FaultKind.LANGUAGE: FailureWords("the expert did not answer in English", _ANSWER),
    FaultKind.VALIDATION: FailureWords(
        "the expert refused the request",
        "Look at the expert’s log for the reason, correct its settings, then replay the claim.",
    ),
    FaultKind.REFUSED: FailureWords(
        "the expert refused: its address, account or model needs attention", _SETTINGS
    ),
    FaultKind.TOO_LONG: FailureWords(
        "the claim and its chain are too long for the expert",
        "Serve the expert’s model with a longer context, then replay the claim.",
    ),
    FaultKind.UNAUTHORISED: FailureWords(
        "the expert refused the token: the settings need correction", _SETTINGS
    ),
    FaultKind.REDIRECTED: FailureWords("the expert’s address in the settings is not its own", _SETTINGS),
    FaultKind.UNTRUSTED: FailureWords(
        "the expert did not prove its identity: its certificate needs correction", _SETTINGS
    ),
}

UNKNOWN: Final = FailureWords("this version of ACE does not know the error", "Look at the workers’ log.")


def failure_words(error: str | None) -> FailureWords:
    """What an error means and what to do about it."""
    return FAILURES.get(error or "", UNKNOWN)
