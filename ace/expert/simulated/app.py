"""The ASGI application of a simulated server: its endpoints, its answers and its faults.

Beside those of the dialect it has addresses of its own, which no real server has: /simulator/stats,
/simulator/script and /simulator/down.
"""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ace import __version__
from ace.errors import Refused
from ace.expert.dialects import Dialect
from ace.expert.simulated.admission import Admission
from ace.expert.simulated.answers import Answers, prompt_tokens, tokens_of
from ace.expert.simulated.behaviour import Behaviour
from ace.expert.simulated.chat import ChatRequest, Completion, Envelope, read_body, read_request, within
from ace.expert.simulated.endpoints import told_at
from ace.expert.simulated.exchange import EVENTS, JSON, SIMULATED, Exchange, encoded, left, sse
from ace.expert.simulated.faults import Fault, Plan, Step, read_script
from ace.expert.simulated.refusals import Counted, Refusal, told
from ace.expert.simulated.schemas import Free, asked
from ace.expert.simulated.spoiling import SPOILING, spoil

_AT_ONCE = frozenset(
    {
        Fault.OVERLOADED,
        Fault.OVERLOADED_WAIT,
        Fault.UNAVAILABLE,
        Fault.VALIDATION,
        Fault.TOO_LONG,
        Fault.UNAUTHORISED,
    }
)
_UNAVAILABLE = (503, 502, 504)
_EVENT_SECONDS = 0.02
_EVENT_TOKENS = 16


@dataclass(slots=True)
class Counts:
    """What happened so far. Requests that came and got no status were cut off, or left."""

    calls: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    left: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class SimulatedServer:
    """One server. `refuse(seconds, everyone)` closes its sockets; without one it cannot go down."""

    def __init__(
        self,
        behaviour: Behaviour,
        *,
        now: Callable[[], float] = time.time,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
    ) -> None:
        self.behaviour = behaviour
        self.counts = Counts()
        self.plan = Plan(behaviour.faults, behaviour.seed)
        self.plan.follow(behaviour.script)
        self.admission = Admission(behaviour.slots, behaviour.places)
        self.requests: deque[dict[str, Any]] = deque(maxlen=behaviour.kept_requests)
        self.refuse: Callable[[float, bool], None] | None = None
        self._answers = Answers(structural=behaviour.structural, enforced=behaviour.enforced)
        self._now = now
        self._new_id = new_id
        endpoints = told_at(behaviour.dialect, behaviour.model, behaviour.limits)
        self.app = Starlette(
            routes=[
                Route("/v1/chat/completions", _Chat(self), methods=["POST"]),
                *(Route(path, _telling(body)) for path, body in endpoints.items()),
                Route("/simulator/stats", self._stats),
                Route("/simulator/script", self._script, methods=["POST"]),
                Route("/simulator/down", self._down, methods=["POST"]),
            ]
        )

    def stats(self) -> dict[str, Any]:
        """What happened so far, as plain numbers."""
        counts = self.counts
        return {
            "simulates": self.behaviour.dialect.value,
            "calls": counts.calls,
            "statuses": {str(status): number for status, number in sorted(counts.statuses.items())},
            "faults": dict(sorted(counts.faults.items())),
            "left": counts.left,
            "in_flight": self.admission.in_flight,
            "max_in_flight": self.admission.most_in_flight,
            "waiting": self.admission.waiting,
            "busy_seconds": round(self.admission.busy_seconds, 3),
            "prompt_tokens": counts.prompt_tokens,
            "completion_tokens": counts.completion_tokens,
        }

    async def chat(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One question. A client that leaves gives its place back at once."""
        number, step, rng = self.plan.next()
        self.counts.calls += 1
        exchange = Exchange(scope, send, self.counts.statuses)
        try:
            body = await read_body(Request(scope, receive).stream())
            request = read_request(body)
        except Refusal as refusal:
            await exchange.told(told(self.behaviour.dialect, refusal))
            return
        if self.behaviour.kept_requests:
            self.requests.append(request.model_dump(exclude_unset=True))
        work = asyncio.create_task(self._serve(exchange, request, step, number, rng))
        gone = asyncio.create_task(left(receive))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            self.counts.left += not work.done()
        finally:
            work.cancel()
            gone.cancel()
            results = await asyncio.gather(work, gone, return_exceptions=True)
        if isinstance(results[0], Exception):
            raise results[0]

    async def _serve(
        self, exchange: Exchange, request: ChatRequest, step: Step, number: int, rng: random.Random
    ) -> None:
        try:
            if step.fault in _AT_ONCE:
                self._given(step)
                raise self._refusal(step.fault, request, number)
            async with self.admission.place():
                await self._answer(exchange, request, step, rng)
        except Refusal as refusal:
            await self._refuse(exchange, request, refusal)

    async def _answer(self, exchange: Exchange, request: ChatRequest, step: Step, rng: random.Random) -> None:
        clock = asyncio.get_running_loop().time
        started = clock()
        seconds = self.behaviour.latency.draw(rng)
        good = await self._completion(request)
        if self.behaviour.tokens_per_second and not request.stream:
            seconds += good.completion_tokens / self.behaviour.tokens_per_second
        await asyncio.sleep(max(0.0, started + seconds - clock()))
        self._given(step)
        if step.status is not None:
            body = b"" if step.body is None else encoded(step.body)
            await exchange.whole(step.status, body, headers=step.headers)
            return
        if step.fault in {Fault.GENERATION, Fault.INCOMPLETE}:
            raise Refusal(step.fault)
        completion = self._spoilt(good, request, step)
        await self._transmit(exchange, request, completion, step.fault)
        self.counts.prompt_tokens += completion.prompt_tokens
        self.counts.completion_tokens += completion.completion_tokens

    async def _completion(self, request: ChatRequest) -> Completion:
        schema = asked(self.behaviour.dialect, request)
        prompt = prompt_tokens(request)
        limits = self.behaviour.limits
        if prompt > limits.input_tokens or prompt + request.most_tokens() > limits.total_tokens:
            raise Refusal("too_long", counted=Counted(prompt, request.most_tokens(), limits.total_tokens))
        content = self._answers.at_hand(request, schema)
        if content is None and not isinstance(schema, Free):
            content = await run_in_threadpool(self._answers.examined, request, schema)
        text, tokens, finish_reason = within(content or "", request.most_tokens())
        return Completion(text, finish_reason, prompt, tokens)

    def _spoilt(self, good: Completion, request: ChatRequest, step: Step) -> Completion:
        if step.content is not None:
            return Completion(step.content, step.finish_reason, good.prompt_tokens, tokens_of(step.content))
        if step.fault in SPOILING:
            return spoil(good, step.fault, request.most_tokens())
        return good

    async def _transmit(
        self, exchange: Exchange, request: ChatRequest, completion: Completion, fault: Fault | None
    ) -> None:
        envelope = Envelope(
            self._new_id(), int(self._now()), self.behaviour.model, f"ace-simulator-{__version__}"
        )
        pace = self.behaviour.tokens_per_second
        tokens_each = max(1, round(pace * _EVENT_SECONDS)) if pace else _EVENT_TOKENS
        if request.stream:
            usage = request.stream_options is not None and bool(request.stream_options.include_usage)
            events = envelope.chunks(completion, tokens_each, usage)
            if fault not in _ON_THE_WIRE:
                await exchange.stream(events, tokens_each / pace if pace else 0.0)
                return
            body, kind = b"".join(map(sse, events)), EVENTS
        else:
            body, kind = encoded(envelope.whole(completion)), JSON
        match fault:
            case Fault.HANG:
                await exchange.hang()
            case Fault.DRIP:
                await exchange.drip(body, kind, self.behaviour.drip_seconds)
            case Fault.RESET:
                await exchange.break_off(body, kind)
            case Fault.REFUSED:
                if self.refuse is not None:
                    self.refuse(self.behaviour.refused_seconds, False)
                await exchange.abort()
            case _:
                await exchange.whole(200, body)

    async def _refuse(self, exchange: Exchange, request: ChatRequest, refusal: Refusal) -> None:
        """TGI begins every stream with 200, and says in it what went wrong."""
        answer = told(self.behaviour.dialect, refusal)
        in_stream = request.stream and self.behaviour.dialect is Dialect.TGI
        if in_stream and isinstance(answer.body, dict):
            await exchange.stream([answer.body], 0.0)
        else:
            await exchange.told(answer)

    def _refusal(self, fault: Fault, request: ChatRequest, number: int) -> Refusal:
        match fault:
            case Fault.OVERLOADED_WAIT:
                return Refusal("overloaded", retry_after=self.behaviour.retry_after_seconds)
            case Fault.UNAVAILABLE:
                return Refusal(fault, status=_UNAVAILABLE[number % len(_UNAVAILABLE)])
            case Fault.TOO_LONG:
                limit = self.behaviour.limits.total_tokens
                return Refusal(fault, counted=Counted(limit + 1, request.most_tokens(), limit))
        return Refusal(fault, "`temperature` must be strictly positive")

    def _given(self, step: Step) -> None:
        if step.fault is not None:
            self.counts.faults[step.fault.value] += 1

    async def _stats(self, request: Request) -> Response:
        del request
        return JSONResponse(self.stats(), headers=SIMULATED)

    async def _script(self, request: Request) -> Response:
        try:
            steps = read_script((await request.body()).decode("utf-8", "replace"))
            self.plan.follow(steps)
        except Refused as error:
            return JSONResponse({"error": error.message}, status_code=422, headers=SIMULATED)
        return JSONResponse({"steps": len(steps)}, headers=SIMULATED)

    async def _down(self, request: Request) -> Response:
        try:
            seconds = float(request.query_params.get("seconds", "1"))
        except ValueError:
            seconds = -1.0
        if not 0 < seconds < 86_400 or self.refuse is None:
            return JSONResponse({"error": "seconds: from 0 to 86400"}, status_code=422, headers=SIMULATED)
        asyncio.get_running_loop().call_later(_EVENT_SECONDS, self.refuse, seconds, True)
        return JSONResponse({"down_seconds": seconds}, headers=SIMULATED)


_ON_THE_WIRE = frozenset({Fault.HANG, Fault.DRIP, Fault.RESET, Fault.REFUSED})


class _Chat:
    """The chat endpoint as an ASGI application: starlette takes methods for plain functions."""

    def __init__(self, server: SimulatedServer) -> None:
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._server.chat(scope, receive, send)


def _telling(body: dict[str, Any] | None) -> Callable[[Request], Any]:
    async def tell(request: Request) -> Response:
        del request
        return Response(headers=SIMULATED) if body is None else JSONResponse(body, headers=SIMULATED)

    return tell
