"""The paths that no real server has: what has happened (/simulator/stats), what happens next
(/simulator/script), and an outage (/simulator/down).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ace.errors import Refused
from ace_lab.simulator.exchange import SIMULATED
from ace_lab.simulator.faults import Plan, read_script

_ANSWER_SECONDS = 0.02  # until the answer has been sent
_MAX_OUTAGE_SECONDS = 86_400


class Controlled(Protocol):
    """A server that can be controlled; `refuse(seconds, everyone)` closes its sockets."""

    plan: Plan
    refuse: Callable[[float, bool], None] | None

    def stats(self) -> dict[str, Any]:
        """What has happened so far."""


def control_routes(server: Controlled) -> list[Route]:
    """The routes of one server."""

    async def stats(request: Request) -> Response:
        del request
        return JSONResponse(server.stats(), headers=SIMULATED)

    async def script(request: Request) -> Response:
        try:
            steps = read_script((await request.body()).decode("utf-8", "replace"))
            server.plan.follow(steps)
        except Refused as error:
            return _refused(error.message)
        return JSONResponse({"steps": len(steps)}, headers=SIMULATED)

    async def down(request: Request) -> Response:
        try:
            seconds = float(request.query_params.get("seconds", "1"))
        except ValueError:
            seconds = -1.0
        if not 0 < seconds < _MAX_OUTAGE_SECONDS or server.refuse is None:
            return _refused(f"seconds: must be greater than 0 and less than {_MAX_OUTAGE_SECONDS}")
        asyncio.get_running_loop().call_later(_ANSWER_SECONDS, server.refuse, seconds, True)
        return JSONResponse({"down_seconds": seconds}, headers=SIMULATED)

    return [
        Route("/simulator/stats", stats),
        Route("/simulator/script", script, methods=["POST"]),
        Route("/simulator/down", down, methods=["POST"]),
    ]


def _refused(problem: str) -> Response:
    return JSONResponse({"error": problem}, status_code=422, headers=SIMULATED)
