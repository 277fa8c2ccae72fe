"""The claims that the gatekeeper doubts, as lines for whoever decides them: the service, or an LLM.

These lines hold the claims themselves.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ace.batch.rows import Row
from ace.batch.scoring import Judged
from ace.expert.client.dialects import Dialect, body
from ace.expert.prompt.copt import Prompt

Kind = Literal["filings", "requests"]


class Doubtful(Protocol):
    """Makes lines of the escalated claims of a window."""

    @property
    def identity(self) -> dict[str, Any]:
        """What the lines depend on besides the claims, for the manifest."""

    def lines(self, name: str, judged: Judged) -> Iterator[str]:
        """The lines for the window of input file `name`."""


class Filings:
    """Each claim set with a doubtful claim as a filing, for `ace submit FILE.ndjson`. The service judges the
    whole set anew; a line that is submitted again is the same filing."""

    @property
    def identity(self) -> dict[str, Any]:
        """See `Doubtful`."""
        return {"doubtful": "filings"}

    def lines(self, name: str, judged: Judged) -> Iterator[str]:
        """See `Doubtful`."""
        prepared, escalate = judged.prepared, judged.judgement.routing.escalate
        for at in dict.fromkeys(place for place, up in zip(prepared.places, escalate, strict=True) if up):
            row = prepared.rows[at]
            claims = _as_sent(row)
            key = hashlib.sha256(_line([name, row.index, claims]).encode()).hexdigest()[:32]
            docket = row.docket or f"{name} {row.index}"
            yield _line({"docket": docket, "claims": claims, "idempotency_key": f"ace-score-{key}"})


@dataclass(frozen=True, slots=True)
class Requests:
    """Each doubtful claim as a request of OpenAI's batch format, for `vllm run-batch`, with the prompt that
    an expert worker would send. Its id is file, row and claim number, joined by #."""

    prompt: Prompt
    model: str
    max_tokens: int

    @property
    def identity(self) -> dict[str, Any]:
        """See `Doubtful`."""
        return {
            "doubtful": "requests",
            "prompt": self.prompt.version,
            "expert": self.model,
            "max_tokens": self.max_tokens,
        }

    def lines(self, name: str, judged: Judged) -> Iterator[str]:
        """See `Doubtful`."""
        prepared = judged.prepared
        for index, up in enumerate(judged.judgement.routing.escalate):
            if not up:
                continue
            at = prepared.places[index]
            claim, total = prepared.for_expert(index), len(prepared.sets[at])
            asked = body(
                Dialect.VLLM,
                self.prompt.messages(claim, total),
                self.prompt.schema,
                max_tokens=self.max_tokens,
                model=self.model,
            )
            yield _line(
                {
                    "custom_id": f"{name}#{prepared.rows[at].index}#{claim.number}",
                    "method": "POST",
                    "url": "/v1/chat/completions",
                    "body": asked,
                }
            )


def _as_sent(row: Row) -> Any:
    """The claims as the API takes them: one text, or a list."""
    sent = row.claims.sent if row.claims is not None else ""
    return [{"number": each[0], "text": each[1]} for each in sent] if isinstance(sent, list) else sent


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
