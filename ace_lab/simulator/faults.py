"""The faults that can be asked for, by rate or by script, and which request gets which.

The seed and the number of the request, counted from 1 in order of arrival, decide everything.
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
    """What goes wrong, grouped by where it goes wrong."""

    # An error in place of an answer, at once:
    OVERLOADED = "overloaded"  # 429
    OVERLOADED_WAIT = "429-retry-after"  # 429 with Retry-After
    UNAVAILABLE = "unavailable"  # 502, 503 or 504
    VALIDATION = "validation"  # 422, or 400
    TOO_LONG = "too_long"  # the same statuses, in the words for too many tokens
    UNAUTHORISED = "unauthorised"  # 401
    # An error after the time that an answer takes:
    GENERATION = "generation"  # TGI's 424; 500 elsewhere
    INCOMPLETE = "incomplete"  # 500
    # Below HTTP:
    REFUSED = "refused"  # the connection is reset, and nobody listens for a while
    RESET = "reset"  # half a body, then a reset
    CLOSED = "closed"  # half a body, then an orderly end, as some proxies do
    HANG = "hang"  # nothing, until the client leaves
    DRIP = "drip"  # a byte now and then
    ENDLESS = "endless"  # a gigabyte of one string
    BOMB = "bomb"  # half a gigabyte, compressed to half a megabyte
    # A worthless completion:
    GARBAGE = "garbage"  # not JSON
    SCHEMA = "schema"  # JSON of another shape
    WHITESPACE = "whitespace"  # white space up to max_tokens
    TRUNCATED = "truncated"  # cut off, finish_reason "length"
    LANGUAGE = "language"  # fits the schema, but is not in English
    EMPTY = "empty"


PASSING = tuple(
    fault
    for fault in Fault
    if fault
    not in {
        Fault.VALIDATION,
        Fault.TOO_LONG,
        Fault.UNAUTHORISED,
        Fault.REFUSED,
        Fault.ENDLESS,
        Fault.BOMB,
    }
)
"""Faults that affect one request and may be gone at the next; a total rate is spread over them."""


class Step(BaseModel):
    """What a request of a script gets: a fault, a literal answer, or a good answer if it names neither.

    `n` is the number of the request, counted from 1 when the script is given; by default, the one after the
    previous step. `times` requests in a row get the same.
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
        """Whether it asks for a good answer."""
        return self.fault is None and self.status is None and self.content is None


HEALTHY = Step()
_STEPS = TypeAdapter(list[Step])


class Plan:
    """Which request gets what. A script takes precedence over the rates while it lasts."""

    def __init__(self, rates: Mapping[Fault, float], seed: int) -> None:
        self._rates = dict(rates)
        self._seed = seed
        self._asked = 0
        self._script: list[tuple[int, int, Step]] = []

    def follow(self, steps: Iterable[Step]) -> None:
        """Takes a script for the requests from the next one on, in place of the previous script. Raises
        Refused if two steps name the same request, or steps are out of order."""
        script: list[tuple[int, int, Step]] = []
        following = 1
        for step in steps:
            first = step.n or following
            if first < following:
                raise Refused(
                    f"duplicate or out of order in the script: request {first}", code="script", pointer="/n"
                )
            following = first + step.times
            script.append((self._asked + first, self._asked + following, step))
        self._script = script[::-1]

    def next(self) -> tuple[int, Step, random.Random]:
        """The number of an arriving request, what it gets, and its own random numbers."""
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
    """The rates by name, plus `total` spread evenly over PASSING. Raises Refused for an unknown fault, and
    for rates that are not shares of 1."""
    known = {fault.value for fault in Fault}
    for name, rate in given.items():
        if name not in known:
            raise Refused(
                f"unknown fault {name!r}; the faults are {', '.join(sorted(known))}",
                code="fault",
                pointer="/faults",
            )
        if not 0 <= rate <= 1:
            raise Refused(f"the rate of {name} must be from 0 to 1", code="rate", pointer="/faults", limit=1)
    rates = {Fault(name): rate for name, rate in given.items()}
    for fault in PASSING if total else ():
        rates[fault] = rates.get(fault, 0.0) + total / len(PASSING)
    if not 0 <= sum(rates.values()) <= 1 + 1e-9 or total < 0:
        raise Refused(
            "the rates of all faults must add up to at most 1", code="rate", pointer="/faults", limit=1
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
        raise Refused(f"the script is not JSON: {error}", code="script") from None
