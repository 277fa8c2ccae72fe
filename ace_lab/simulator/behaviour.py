"""Everything that can be set for a simulated server, in one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ace.expert.client.dialects import Dialect
from ace.expert.protocol.server_info import ServerLimits
from ace_lab.simulator.faults import Fault, Step
from ace_lab.simulator.timing import Latency

_QUEUES = {Dialect.TGI: 0, Dialect.OPENAI: 0}
_LONG_QUEUE = 1_024
_LONGEST_ANSWER = 4_096


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """How a simulated server answers and fails. A `queue` of None is as long as the dialect's own: none for
    TGI and OpenAI. Faults below HTTP last until the client gives up, `refused` for `refused_seconds`.

    `answer` is called in a thread with the body of each request that the script and the rates leave alone,
    and returns what it gets, in place of the rules. `server_info` is the JSON by path in place of what the
    dialect reports about itself, `other_status` the status of every other path. The last `kept_requests` are
    kept as they arrived.
    """

    dialect: Dialect = Dialect.TGI
    slots: int = 128
    queue: int | None = None
    latency: Latency = Latency()  # noqa: RUF009 frozen
    tokens_per_second: float | None = None
    max_input_tokens: int = 131_072
    structural: bool = True
    enforced: bool = True
    faults: Mapping[Fault, float] = field(default_factory=dict)
    script: tuple[Step, ...] = ()
    seed: int = 0
    retry_after_seconds: int = 1
    refused_seconds: float = 1.0
    drip_seconds: float = 0.1
    answer: Callable[[dict[str, Any]], Step | Mapping[str, Any]] | None = None
    server_info: Mapping[str, Any] | None = None
    other_status: int = 404
    kept_requests: int = 0

    @property
    def model(self) -> str:
        """The model's name, which says what it is."""
        return f"ace/simulator (rules, not an LLM; simulates {self.dialect})"

    @property
    def places(self) -> int:
        """The maximum number of requests that wait."""
        return _QUEUES.get(self.dialect, _LONG_QUEUE) if self.queue is None else self.queue

    @property
    def limits(self) -> ServerLimits:
        """The limits that the server reports."""
        return ServerLimits(self.slots, self.max_input_tokens, self.max_input_tokens + _LONGEST_ANSWER)
