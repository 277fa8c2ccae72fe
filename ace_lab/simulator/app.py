"""The ASGI application of a simulated server: its endpoints, its answers and its faults. The paths that no
real server has are in control.py.
"""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ace import __version__
from ace.expert.client.dialects import Dialect
from ace.expert.examiner.answers import Answers, prompt_tokens, tokens_of
from ace.expert.protocol.admission import Admission
from ace.expert.protocol.chat import ChatRequest, Completion, Envelope, cut_to_tokens, read_body, read_request
from ace.expert.protocol.refusals import Counted, Refusal, error_response
from ace.expert.protocol.schemas import FreeForm, schema_in_force
from ace.expert.protocol.server_info import server_info
from ace_lab.simulator.behaviour import Behaviour
from ace_lab.simulator.control import control_routes
from ace_lab.simulator.corruption import CORRUPTING, corrupt
from ace_lab.simulator.exchange import EVENTS, JSON, SIMULATED, Exchange, client_left, encoded, sse
from ace_lab.simulator.faults import Fault, Plan, Step

_WITHOUT_ANSWER = frozenset(
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
    """What has happened so far. For a call without a status, the connection was cut or the client left."""

    calls: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    left: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Received(NamedTuple):
    """A request as it arrived; the names of headers are in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes


class SimulatedServer:
    """One server. `refuse(seconds, everyone)` closes its sockets; without it, the server cannot go down."""

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
        self.received: deque[Received] = deque(maxlen=behaviour.kept_requests)
        self.refuse: Callable[[float, bool], None] | None = None
        self._answers = Answers(structural=behaviour.structural, enforced=behaviour.enforced)
        self._now = now
        self._new_id = new_id
        own = server_info(behaviour.dialect, behaviour.model, behaviour.limits)
        self._info: Mapping[str, Any] = own if behaviour.server_info is None else behaviour.server_info
        self.app = Starlette(
            routes=[
                Route("/v1/chat/completions", _Chat(self), methods=["POST"]),
                *(Route(path, self._serve_info) for path in self._info),
                *control_routes(self),
            ],
            exception_handlers={404: self._serve_other_path},
        )

    def stats(self) -> dict[str, Any]:
        """What has happened so far, as plain numbers."""
        counts = self.counts
        return {
            "simulates": self.behaviour.dialect.value,
            "calls": counts.calls,
            "statuses": {str(status): number for status, number in sorted(counts.statuses.items())},
            "faults": dict(sorted(counts.faults.items())),
            "left": counts.left,
            "in_flight": self.admission.in_flight,
            "max_in_flight": self.admission.max_in_flight,
            "waiting": self.admission.waiting,
            "busy_seconds": round(self.admission.busy_seconds, 3),
            "prompt_tokens": counts.prompt_tokens,
            "completion_tokens": counts.completion_tokens,
        }

    async def chat(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One question. A client that leaves gives its slot back at once."""
        number, step, rng = self.plan.next()
        self.counts.calls += 1
        exchange = Exchange(scope, send, self.counts.statuses)
        try:
            received = Request(scope, receive)
            body = await read_body(received.stream())
            self._record(received, body)
            request = read_request(body)
        except Refusal as refusal:
            await exchange.error(error_response(self.behaviour.dialect, refusal))
            return
        work = asyncio.create_task(self._serve(exchange, request, step, number, rng))
        gone = asyncio.create_task(client_left(receive))
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
            self._reject_at_once(step, request, number)
            async with self.admission.slot():
                if step.healthy and self.behaviour.answer is not None:
                    asked_for = request.model_dump(exclude_unset=True)
                    given = await run_in_threadpool(self.behaviour.answer, asked_for)
                    step = Step.model_validate(given)
                    self._reject_at_once(step, request, number)
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
        self._count_fault(step)
        if step.status is not None:
            body = b"" if step.body is None else encoded(step.body)
            await exchange.whole(step.status, body, headers=step.headers)
            return
        if step.fault in {Fault.GENERATION, Fault.INCOMPLETE}:
            raise Refusal(step.fault)
        completion = self._corrupted(good, request, step)
        # Counted before it is sent: whoever has the answer finds it in the counters.
        self.counts.prompt_tokens += completion.prompt_tokens
        self.counts.completion_tokens += completion.completion_tokens
        await self._transmit(exchange, request, completion, step.fault)

    async def _completion(self, request: ChatRequest) -> Completion:
        schema = schema_in_force(self.behaviour.dialect, request)
        prompt, answer = prompt_tokens(request), request.max_answer_tokens()
        limits = self.behaviour.limits
        if prompt > limits.input_tokens or prompt + answer > limits.total_tokens:
            raise Refusal("too_long", counted=Counted(prompt, answer, limits.total_tokens))
        content = self._answers.at_hand(request, schema)
        if content is None and not isinstance(schema, FreeForm):
            content = await run_in_threadpool(self._answers.examined, request, schema)
        text, tokens, finish_reason = cut_to_tokens(content or "", request.max_answer_tokens())
        return Completion(text, finish_reason, prompt, tokens)

    def _corrupted(self, good: Completion, request: ChatRequest, step: Step) -> Completion:
        if step.content is not None:
            return Completion(step.content, step.finish_reason, good.prompt_tokens, tokens_of(step.content))
        if step.fault in CORRUPTING:
            return corrupt(good, step.fault, request.max_answer_tokens())
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
            case Fault.ENDLESS:
                await exchange.flood(kind)
            case Fault.BOMB:
                await exchange.explode(kind)
            case Fault.RESET | Fault.CLOSED:
                await exchange.break_off(body, kind, orderly=fault is Fault.CLOSED)
            case Fault.REFUSED:
                if self.refuse is not None:
                    self.refuse(self.behaviour.refused_seconds, False)
                await exchange.abort()
            case _:
                await exchange.whole(200, body)

    async def _refuse(self, exchange: Exchange, request: ChatRequest, refusal: Refusal) -> None:
        """TGI begins every stream with 200, and reports errors within it."""
        answer = error_response(self.behaviour.dialect, refusal)
        in_stream = request.stream and self.behaviour.dialect is Dialect.TGI
        if in_stream and isinstance(answer.body, dict):
            await exchange.stream([answer.body], 0.0)
        else:
            await exchange.error(answer)

    def _reject_at_once(self, step: Step, request: ChatRequest, number: int) -> None:
        """Raises the Refusal if the fault takes the place of an answer."""
        if step.fault in _WITHOUT_ANSWER:
            self._count_fault(step)
            raise self._refusal(step.fault, request, number)

    def _refusal(self, fault: Fault, request: ChatRequest, number: int) -> Refusal:
        match fault:
            case Fault.OVERLOADED_WAIT:
                return Refusal("overloaded", retry_after=self.behaviour.retry_after_seconds)
            case Fault.UNAVAILABLE:
                return Refusal(fault, status=_UNAVAILABLE[number % len(_UNAVAILABLE)])
            case Fault.TOO_LONG:
                limit = self.behaviour.limits.total_tokens
                return Refusal(fault, counted=Counted(limit + 1, request.max_answer_tokens(), limit))
        return Refusal(fault, "`temperature` must be strictly positive")

    def _count_fault(self, step: Step) -> None:
        if step.fault is not None:
            self.counts.faults[step.fault.value] += 1

    async def _serve_info(self, request: Request) -> Response:
        self._record(request)
        body = self._info[request.url.path]
        return Response(headers=SIMULATED) if body is None else JSONResponse(body, headers=SIMULATED)

    async def _serve_other_path(self, request: Request, error: Exception) -> Response:
        del error
        self._record(request)
        return Response(status_code=self.behaviour.other_status, headers=SIMULATED)

    def _record(self, request: Request, body: bytes = b"") -> None:
        if self.behaviour.kept_requests:
            self.received.append(Received(request.url.path, dict(request.headers), body))


_ON_THE_WIRE = frozenset(
    {Fault.HANG, Fault.DRIP, Fault.ENDLESS, Fault.BOMB, Fault.RESET, Fault.CLOSED, Fault.REFUSED}
)


class _Chat:
    """The chat endpoint as an ASGI application, because starlette treats methods as plain functions."""

    def __init__(self, server: SimulatedServer) -> None:
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._server.chat(scope, receive, send)
