"""The doubt of a verdict as pages show it: its rank, from where claims escalate, and what it led to."""

from typing import NamedTuple

from ace.api.schemas import EvaluationOut
from ace.routing.calibration import Calibration
from ace.routing.doubt_rank import Scale, rank_words, words_of


class ShownDoubt(NamedTuple):
    """`percent` is what `legend` says; claims escalate from `bound` on, None if none does. All three are None
    if this process cannot read the record. `led_to` says who decides, and why."""

    words: str
    percent: int | None
    bound: int | None
    legend: str | None
    led_to: str


def shown_doubt(evaluation: EvaluationOut | None, record: Calibration | None) -> ShownDoubt | None:
    """The doubt of an evaluation; None if the gatekeeper has not scored it, or could not."""
    if evaluation is None or evaluation.doubt is None or evaluation.tau is None:
        return None
    words = rank_words(record, evaluation.doubt, evaluation.tau, evaluation.score)
    words, led_to = (
        words[0].upper() + words[1:],
        _led_to(evaluation, doubtful=evaluation.doubt > evaluation.tau),
    )
    if record is None or len(record.curve) < 2:
        return ShownDoubt(words, None, None, None, led_to)
    scale = Scale.of(record)
    percent = scale.percent_below(evaluation.doubt)
    return ShownDoubt(words, percent, scale.from_percent, words_of(record).legend, led_to)


def _led_to(evaluation: EvaluationOut, *, doubtful: bool) -> str:
    if evaluation.decided_by == "expert" and not doubtful:
        return "The rules and the gatekeeper did not agree, so the expert decided all the same."
    if evaluation.would_escalate:
        return "The expert would decide, but test claims never go to it."
    if evaluation.decided_by is None:
        return "The claim waits for the expert." if evaluation.state != "failed" else ""
    return "The expert decided." if evaluation.decided_by == "expert" else "The gatekeeper decided."
