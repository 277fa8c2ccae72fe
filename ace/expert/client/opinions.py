"""The expert's answer together with its verification, and further opinions if verification disputes it.

A further opinion answers the same question, sampled with a seed of its own. The verdict of more than half
of them stands; the dispute stays visible, and so does how many agree.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.answer import Answer
from ace.expert.prompt.verification import majority, verify
from ace.types.verification import Verified


class Expert(Protocol):
    """Examines one claim of `total` in its filing. Raises `ExpertTransient` or `ExpertPermanent`.

    With `opinion` above 0 it samples, with a seed that depends on that number, and takes at most
    `budget_seconds`.
    """

    @property
    def prompt_version(self) -> str: ...

    def examine(
        self, claim: ClaimInput, total: int, *, opinion: int = 0, budget_seconds: float | None = None
    ) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Opinions:
    """The maximum number of answers if the first is disputed, and the seconds for all of them."""

    most: int = 1
    budget_seconds: float = 180.0


NO_SECOND = Opinions()


@dataclass(frozen=True, slots=True)
class Examined:
    """The answer that stands; its tokens and calls are those of all `opinions`.

    `verified` belongs to this answer and also has the disagreements with the first; `agreeing` is the number
    of opinions with the same verdict.
    """

    answer: Answer
    verified: Verified
    opinions: int = 1
    agreeing: int = 1


def examined(
    expert: Expert,
    claim: ClaimInput,
    total: int,
    *,
    opinions: Opinions,
    clock: Callable[[], float] = time.monotonic,
) -> Examined:
    """Asks once, and again if the answer is disputed and `opinions` allows it.

    Raises what the first question raises. A fault of a later one ends the asking, and the answers so far
    decide. Without a majority, the first answer stands.
    """
    began = clock()
    first = expert.examine(claim, total)
    verified = verify(first.rationale, claim)
    if not verified.disputed or opinions.most <= 1:
        return Examined(first, verified)
    answers, held = [first], [verified]
    while len(answers) < opinions.most and (left := opinions.budget_seconds - (clock() - began)) > 0:
        try:
            other = expert.examine(claim, total, opinion=len(answers), budget_seconds=left)
        except (ExpertPermanent, ExpertTransient):
            break
        answers.append(other)
        held.append(verify(other.rationale, claim))
    return _concluded(answers, held)


def _concluded(answers: Sequence[Answer], held: Sequence[Verified]) -> Examined:
    stands = majority(held) or held[0]
    chosen = answers[next(place for place, one in enumerate(held) if one is stands)]
    told = dict.fromkeys((*held[0].disagreements, *stands.disagreements))
    return Examined(
        replace(
            chosen,
            prompt_tokens=_sum([one.prompt_tokens for one in answers]),
            completion_tokens=_sum([one.completion_tokens for one in answers]),
            calls=sum(one.calls for one in answers),
        ),
        replace(stands, disagreements=tuple(told)),
        opinions=len(answers),
        agreeing=sum(one.verdict == stands.verdict for one in held),
    )


def _sum(counts: Sequence[int | None]) -> int | None:
    """None if the server reported none of them."""
    told = [count for count in counts if count is not None]
    return sum(told) if told else None
