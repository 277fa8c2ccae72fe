"""The expert's conclusion on a claim: its verified answer, and further opinions if verification disputes it.

Another opinion is the same question, sampled with a seed of its own. The verdict that more than half of
all opinions share stands; the dispute stays visible, and so does how many agree.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol

from ace.claims.findings import CERTAIN
from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.answer import Answer
from ace.expert.prompt.verification import majority, verify
from ace.types.examination import Conclusion
from ace.types.verification import Verified


class Expert(Protocol):
    """Examines one claim of `total` in its filing. Raises `ExpertTransient` or `ExpertPermanent`.

    With `opinion` above 0 it samples, with a seed that depends on that number, and takes no longer
    than `budget_seconds`.
    """

    @property
    def prompt_version(self) -> str: ...

    def examine(
        self, claim: ClaimInput, total: int, *, opinion: int = 0, budget_seconds: float | None = None
    ) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Opinions:
    """The maximum of answers to a claim whose first answer is disputed, and of seconds for all of them."""

    maximum: int = 1
    budget_seconds: float = 180.0


NO_SECOND: Final = Opinions()


def conclude(
    expert: Expert,
    claim: ClaimInput,
    total: int,
    *,
    opinions: Opinions,
    certain: float = CERTAIN,
    gatekeeper_fails: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Conclusion[Answer]:
    """Asks once, and again if the answer is disputed and `opinions` has room for it; `certain` and
    `gatekeeper_fails` are for `verify`.

    Raises what the first question raises. A fault of a later one ends the asking: the answers that are
    there decide. Without a majority the first answer stands.
    """
    began = clock()
    held_against = partial(verify, claim=claim, threshold=certain, gatekeeper_fails=gatekeeper_fails)
    first = expert.examine(claim, total)
    verified = held_against(first.rationale)
    if not verified.disputed or opinions.maximum <= 1:
        return Conclusion(first, verified)
    answers, held = [first], [verified]
    while len(answers) < opinions.maximum and (left := opinions.budget_seconds - (clock() - began)) > 0:
        try:
            other = expert.examine(claim, total, opinion=len(answers), budget_seconds=left)
        except (ExpertPermanent, ExpertTransient):
            break
        answers.append(other)
        held.append(held_against(other.rationale))
    return _majority_of(answers, held)


def _majority_of(answers: Sequence[Answer], held: Sequence[Verified]) -> Conclusion[Answer]:
    stands = majority(held) or held[0]
    chosen = answers[next(place for place, one in enumerate(held) if one is stands)]
    disagreements = dict.fromkeys((*held[0].disagreements, *stands.disagreements))
    return Conclusion(
        replace(
            chosen,
            prompt_tokens=_sum([one.prompt_tokens for one in answers]),
            completion_tokens=_sum([one.completion_tokens for one in answers]),
            calls=sum(one.calls for one in answers),
        ),
        replace(stands, disagreements=tuple(disagreements)),
        opinions=len(answers),
        agreeing=sum(one.verdict == stands.verdict for one in held),
    )


def _sum(counts: Sequence[int | None]) -> int | None:
    """None if the server counted in none of them."""
    counted = [count for count in counts if count is not None]
    return sum(counted) if counted else None
