"""The faults that can be ordered, by rate or by script, and which request gets which.

All is decided by the seed and the number of the request, counted from 1 as they arrive.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ace.errors import Refused


class Fault(StrEnum):
    """What goes wrong, and where on the way it does."""

    # An error in place of an answer, before anything is done:
    OVERLOADED = "overloaded"  # 429
    OVERLOADED_WAIT = "429-retry-after"  # 429 with Retry-After
    UNAVAILABLE = "unavailable"  # 502, 503 or 504
    VALIDATION = "validation"  # 422, or 400
    TOO_LONG = "too_long"  # the same, in the words for too many tokens
    UNAUTHORISED = "unauthorised"  # 401
    # An error after the time that an answer takes:
    GENERATION = "generation"  # TGI's 424; 500 elsewhere
    INCOMPLETE = "incomplete"  # 500
    # Below HTTP:
    REFUSED = "refused"  # this connection is reset, and nobody listens for a while
    RESET = "reset"  # half a body, then a reset
    CLOSED = "closed"  # half a body, then an orderly end, as of a proxy that has had enough
    HANG = "hang"  # nothing, until the client leaves
    DRIP = "drip"  # a byte now and then
    # A completion that is worth nothing:
    GARBAGE = "garbage"  # no JSON
    SCHEMA = "schema"  # JSON of another shape
    WHITESPACE = "whitespace"  # white space up to max_tokens
    TRUNCATED = "truncated"  # cut off, finish_reason "length"
    LANGUAGE = "language"  # of the schema, but not in English
    EMPTY = "empty"


PASSING = tuple(
    fault
    for fault in Fault
    if fault not in {Fault.VALIDATION, Fault.TOO_LONG, Fault.UNAUTHORISED, Fault.REFUSED}
)
"""Faults that touch one request and may be gone at the next: what a total rate is spread over."""


class Step(BaseModel):
    """What a request of a script gets: a fault, an answer word for word, or (neither) a good answer.

    `n` is the number of the request, from 1 at the time the script is given; without it, the one
    after the step before. `times` requests in a row get the same.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    n: Annotated[int, Field(ge=1)] | None = None
    times: Annotated[int, Field(ge=1, le=10**9)] = 1
    fault: Fault | None = None
    status: Annotated[int, Field(ge=200, le=599)] | None = None
    headers: dict[str, str] = {}
    body: Any = None
    content: str | None = None
    finish_reason: Literal["stop", "length"] = "stop"

    @property
    def healthy(self) -> bool:
        """Whether it is a good answer."""
        return self.fault is None and self.status is None and self.content is None


HEALTHY = Step()
_STEPS = TypeAdapter(list[Step])


class Plan:
    """Which request gets what. A script goes before the rates while it lasts."""

    def __init__(self, rates: Mapping[Fault, float], seed: int) -> None:
        self._rates = dict(rates)
        self._seed = seed
        self._asked = 0
        self._script: list[tuple[int, int, Step]] = []

    def follow(self, steps: Iterable[Step]) -> None:
        """A script for the requests from the next on, in place of the one before. Raises Refused
        where two steps want the same request, or steps are out of order."""
        script: list[tuple[int, int, Step]] = []
        following = 1
        for step in steps:
            first = step.n or following
            if first < following:
                raise Refused(f"the script gives request {first} twice", code="script", pointer="/n")
            following = first + step.times
            script.append((self._asked + first, self._asked + following, step))
        self._script = script[::-1]

    def next(self) -> tuple[int, Step, random.Random]:
        """The number of a request that comes in, what it gets, and its own source of chance."""
        self._asked += 1
        rng = random.Random(self._seed << 32 | self._asked)
        return self._asked, self._scripted() or self._drawn(rng), rng

    def _scripted(self) -> Step | None:
        while self._script and self._script[-1][1] <= self._asked:
            self._script.pop()
        if self._script and self._script[-1][0] <= self._asked:
            return self._script[-1][2]
        return None

    def _drawn(self, rng: random.Random) -> Step:
        chance = rng.random()
        for fault, rate in self._rates.items():
            chance -= rate
            if chance < 0:
                return Step(fault=fault)
        return HEALTHY


def rates_of(given: Mapping[str, float], total: float = 0.0) -> dict[Fault, float]:
    """The rates by name, and `total` spread evenly over PASSING. Raises Refused for a name that is no
    fault's and for rates that are no shares of 1."""
    known = {fault.value for fault in Fault}
    for name, rate in given.items():
        if name not in known:
            raise Refused(
                f"there is no fault {name!r}: {', '.join(sorted(known))}", code="fault", pointer="/faults"
            )
        if not 0 <= rate <= 1:
            raise Refused(f"the rate of {name} is not from 0 to 1", code="rate", pointer="/faults", limit=1)
    rates = {Fault(name): rate for name, rate in given.items()}
    for fault in PASSING if total else ():
        rates[fault] = rates.get(fault, 0.0) + total / len(PASSING)
    if not 0 <= sum(rates.values()) <= 1 + 1e-9 or total < 0:
        raise Refused(
            "the rates of all faults add up to more than 1", code="rate", pointer="/faults", limit=1
        )
    return rates


def read_script(text: str) -> list[Step]:
    """Steps in a text: a JSON array, or JSON lines. Raises Refused, naming the first bad step."""
    try:
        given = (
            json.loads(text)
            if text.lstrip().startswith("[")
            else [json.loads(line) for line in text.splitlines() if line.strip()]
        )
        return _STEPS.validate_python(given)
    except ValidationError as error:
        first = error.errors(include_context=False, include_url=False)[0]
        where = "/".join(str(part) for part in first["loc"])
        raise Refused(
            f"step {where} of the script: {first['msg']}", code="script", pointer=f"/{where}"
        ) from None
    except ValueError as error:
        raise Refused(f"the script is no JSON: {error}", code="script") from None
