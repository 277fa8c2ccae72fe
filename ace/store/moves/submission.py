"""submit: filings, their claims and queued evaluations, set-based and at most once for each key."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection

from ace.claims.model import ClaimSet, kept_text
from ace.errors import TooMuch
from ace.store.ids import new_ids
from ace.store.statements import statement
from ace.store.tables import FINAL

BACKLOG_RETRY_SECONDS: Final = 10
CHARACTERS_PER_TOKEN: Final = 4
FRAME_TOKENS: Final = 8  # around the texts of any claim
CHAIN_TOKENS: Final = 256
"""An estimate of what the encoder reads of a claim's ancestors; the shipped model reads 256 tokens in all. It
only decides how large messages are; the model's own tokenizer cuts what is read."""
_PLAIN: Final = ("ids", "filings", "numbers", "priorities", "sizes")  # columns that need no escaping


@dataclass(frozen=True, slots=True)
class NewFiling:
    """A filing that passed every check at the edge; `body_hash` distinguishes two bodies with one key.

    Claims that are not pending are kept, because others may refer to them, but not evaluated.
    """

    tenant: str
    docket: str
    claims: ClaimSet
    priority: int
    details: dict[str, Any]
    body_hash: bytes
    idempotency_key: str | None = None

    @property
    def pending(self) -> int:
        """How many claims there are to evaluate."""
        return sum(claim.pending for claim in self.claims)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where filings come from: the id of their request, and the traceparent of the span that stores them."""

    request_id: str | None = None
    traceparent: str | None = None


UNKNOWN: Final = Origin()


@dataclass(frozen=True, slots=True)
class Accepted:
    """The result for one `NewFiling`: new, known (`created` false), or in conflict with a known one."""

    filing_id: UUID
    evaluations: tuple[tuple[int, UUID], ...]  # (claim number, evaluation id)
    created: bool
    conflict: bool


def submit(
    connection: Connection,
    filings: Sequence[NewFiling],
    *,
    actor: str,
    backlog: int | None = None,
    origin: Origin = UNKNOWN,
) -> list[Accepted]:
    """Stores filings, claims and queued evaluations in bulk; the answers are in order.

    Two filings with one tenant and idempotency key are one filing, even if they arrive at once: the
    unique index makes the second wait for the first and then read it. Raises `TooMuch` if a tenant
    would have more than `backlog` claims without a verdict; known filings never count towards it.
    """
    ids = new_ids(connection, len(filings))
    created = _insert_filings(connection, filings, ids, origin, limited=backlog is not None)
    fresh = [(id_, new) for id_, new in zip(ids, filings, strict=True) if id_ in created]
    if backlog is not None:
        waiting = {new.tenant: created[id_] for id_, new in fresh}
        for tenant, before in waiting.items():
            added = sum(new.pending for _, new in fresh if new.tenant == tenant)
            _refuse_beyond(backlog, before + added)
    evaluations = _insert_claims(connection, fresh, actor)
    known = _known(connection, [new for id_, new in zip(ids, filings, strict=True) if id_ not in created])
    answers = []
    for id_, new in zip(ids, filings, strict=True):
        if id_ in created:
            answers.append(Accepted(id_, evaluations[id_], created=True, conflict=False))
        else:
            first, body_hash, numbered = known[new.tenant, new.idempotency_key or ""]
            answers.append(Accepted(first, numbered, created=False, conflict=body_hash != new.body_hash))
    return answers


def _refuse_beyond(backlog: int, claims: int) -> None:
    if claims > backlog:
        raise TooMuch(
            f"more than {backlog} claims would wait for a verdict: submit again when some are decided",
            code="backlog_full",
            limit=backlog,
            retry_after=BACKLOG_RETRY_SECONDS,
        )


def _insert_filings(
    connection: Connection,
    filings: Sequence[NewFiling],
    ids: Sequence[UUID],
    origin: Origin,
    *,
    limited: bool,
) -> dict[UUID, int]:
    """The ids that are new; if `limited`, each with its tenant's backlog before."""
    rows = connection.execute(
        statement("submit_filings"),
        {
            "ids": list(ids),
            "tenants": [new.tenant for new in filings],
            "dockets": [new.docket for new in filings],
            "priorities": [new.priority for new in filings],
            "details": [json.dumps(new.details) for new in filings],
            "counts": [len(new.claims.claims) for new in filings],
            "keys": [new.idempotency_key for new in filings],
            "hashes": [new.body_hash for new in filings],
            "request_id": origin.request_id,
            "traceparent": origin.traceparent,
            "limited": limited,
            "final": [str(state) for state in FINAL],
        },
    )
    return {id_: int(backlog) for id_, backlog in rows}


def _insert_claims(
    connection: Connection, fresh: Sequence[tuple[UUID, NewFiling]], actor: str
) -> dict[UUID, tuple[tuple[int, UUID], ...]]:
    """Claims, the queued evaluations of those that are pending, and the first event of each."""
    columns: dict[str, list[Any]] = {
        name: []
        for name in (
            "ids",
            "filings",
            "numbers",
            "texts",
            "ancestors",
            "statuses",
            "tenants",
            "priorities",
            "sizes",
        )
    }
    numbered: dict[UUID, tuple[tuple[int, UUID], ...]] = {}
    ids = iter(new_ids(connection, sum(new.pending for _, new in fresh)))
    for filing_id, new in fresh:
        pairs = []
        lengths = {claim.number: len(claim.text) for claim in new.claims.claims}
        for claim in new.claims.claims:
            ancestors = new.claims.ancestors(claim.number)
            id_ = next(ids) if claim.pending else None
            if id_ is not None:
                pairs.append((claim.number, id_))
            columns["ids"].append(id_ or "NULL")
            columns["filings"].append(filing_id)
            columns["numbers"].append(claim.number)
            columns["texts"].append(kept_text(claim))
            columns["ancestors"].append(_array(ancestors))  # each by itself, since their lengths differ
            columns["statuses"].append(claim.status)
            columns["tenants"].append(new.tenant)
            columns["priorities"].append(new.priority)
            columns["sizes"].append(
                estimated_tokens(lengths[claim.number], sum(map(lengths.__getitem__, ancestors)))
            )
        numbered[filing_id] = tuple(pairs)
    if columns["ids"]:
        connection.execute(
            statement("submit_claims"),
            {
                **columns,
                **{name: _array(columns[name]) for name in _PLAIN},
                "actor": actor,
            },
        )
    return numbered


def _array(values: Iterable[object]) -> str:
    """Numbers or ids as the text form of an array, which is faster than sending a list."""
    return f"{{{','.join(map(str, values))}}}"


def estimated_tokens(own: int, chain: int) -> int:
    """An estimate of a claim's size in tokens with its chain, from both lengths in characters."""
    return FRAME_TOKENS + own // CHARACTERS_PER_TOKEN + min(chain // CHARACTERS_PER_TOKEN, CHAIN_TOKENS)


def _known(
    connection: Connection, filings: Sequence[NewFiling]
) -> dict[tuple[str, str], tuple[UUID, bytes, tuple[tuple[int, UUID], ...]]]:
    if not filings:
        return {}
    rows = connection.execute(
        statement("known_filings"),
        {
            "tenants": [new.tenant for new in filings],
            "keys": [new.idempotency_key for new in filings],
        },
    )
    return {
        (tenant, key): (id_, bytes(body_hash), tuple(zip(numbers, ids, strict=True)))
        for tenant, key, id_, body_hash, numbers, ids in rows
    }
