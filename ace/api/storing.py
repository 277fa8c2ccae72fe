"""Stores the lines of an upload; each line succeeds or is refused by itself.

A batch is stored at once. If the database does not accept it whole, it is split: the tenant's backlog
may have room for some, and one filing may break a statement that the others would pass.
"""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.exc import DBAPIError

from ace import flow
from ace.api import bodies, problems
from ace.api.callers import Tenant
from ace.api.intake import BulkLine, new_filing, parse
from ace.api.metrics import fault
from ace.api.parts import Parts
from ace.api.rows import accepted_out
from ace.api.spool import UploadLine
from ace.api.validation import Invalid
from ace.errors import Conflict, Refused, TooMuch, Unavailable
from ace.store import counts
from ace.store.database import transact
from ace.store.moves import Accepted, NewFiling

log = logging.getLogger(__name__)


def _line(number: int, status: int, **more: Any) -> bytes:
    answer = {"line": number, "status": status, **more}
    return json.dumps(answer, separators=(",", ":")).encode() + b"\n"


def _problem(number: int, document: dict[str, Any]) -> bytes:
    return _line(number, document["status"], problem=document)


def refused_line(number: int, refused: Refused | TooMuch) -> bytes:
    """The result of a line that was refused."""
    return _problem(number, problems.of_refused(refused))


def unread_line(number: int) -> bytes:
    """The result of a line that is not stored, nor any after it: there is no room for their results."""
    return _problem(number, problems.unavailable("api", "disk_full"))


@dataclass
class Storing:
    """Stores the batches of one upload in turn and returns a result for each line."""

    parts: Parts
    caller: Tenant
    key: str | None
    away: Unavailable | None = field(default=None)  # the part that failed meanwhile

    def __call__(self, lines: Sequence[UploadLine]) -> bytes:
        """The results of a batch, in order, as NDJSON."""
        results: dict[int, bytes] = {}
        groups: list[dict[int, NewFiling]] = [{}]
        keys: set[str] = set()
        for number, raw in lines:
            filing = None if self.away else self._read(number, raw, results)
            if filing is None:
                continue
            if filing.idempotency_key in keys:  # the same filing twice is stored, then found
                groups.append({})
                keys.clear()
            if filing.idempotency_key is not None:
                keys.add(filing.idempotency_key)
            groups[-1][number] = filing
        for group in groups:
            if group and not self.away:
                self._submit(group, results)
        lost = problems.unavailable(self.away.part, self.away.cause) if self.away else {}
        return b"".join(results.get(number) or _problem(number, lost) for number, _ in lines)

    def _read(self, number: int, raw: bytes | None, results: dict[int, bytes]) -> NewFiling | None:
        try:
            if raw is None:
                raise bodies.line_too_long(self.parts.settings.max_body_bytes)
            line = parse(BulkLine, raw)
            key = line.idempotency_key or (self.key and f"{self.key}#{number}")
            return new_filing(line, self.caller.name, key)
        except Invalid as invalid:
            results[number] = _problem(number, invalid.document)
        except Refused as refused:
            results[number] = refused_line(number, refused)
        except Exception as error:  # a fault of ours: it must not break off the lines beside it
            results[number] = _failed(number, error)
        return None

    def _submit(self, group: dict[int, NewFiling], results: dict[int, bytes]) -> None:
        try:
            with self.parts.refused_writes.watched():
                accepted = flow.submit(
                    self.parts.db,
                    list(group.values()),
                    actor=self.caller.actor,
                    tenant=self.caller.name,
                    backlog=self.parts.settings.tenant_backlog_claims,
                    wake_by=self.parts.announcer.wake,
                )
        except TooMuch as full:
            self._submit_fitting(group, full, results)
        except Unavailable as error:
            self.away = error
        except DBAPIError as error:
            self._submit_each(group, error, results)
        else:
            for (number, filing), one in zip(group.items(), accepted, strict=True):
                results[number] = _accepted(number, filing, one)

    def _submit_each(self, group: dict[int, NewFiling], error: DBAPIError, results: dict[int, bytes]) -> None:
        """One filing breaks the statement: the others go through."""
        if len(group) > 1:
            for number, filing in group.items():
                if not self.away:
                    self._submit({number: filing}, results)
            return
        (number,) = group
        results[number] = _failed(number, error)

    def _submit_fitting(self, group: dict[int, NewFiling], full: TooMuch, results: dict[int, bytes]) -> None:
        """The backlog has no room for all of a group: stores what fits, refuses the rest."""
        try:
            fitting = self._fitting(group)
        except Unavailable as error:
            self.away = error
            return
        rest = {number: filing for number, filing in group.items() if number not in fitting}
        if not fitting or not rest:
            for number in group:
                results[number] = _problem(number, problems.of_excess(full))
            return
        self._submit(fitting, results)
        if not self.away:
            self._submit(rest, results)  # filings that were already stored took no room

    def _fitting(self, group: dict[int, NewFiling]) -> dict[int, NewFiling]:
        """Filings of the group that the tenant's backlog has room for."""
        tenant = self.caller.name
        open_ = transact(self.parts.db, lambda connection: counts.backlog(connection, tenant), tenant=tenant)
        room = self.parts.settings.tenant_backlog_claims - open_
        fitting = {}
        for number, filing in group.items():
            if filing.pending <= room:
                fitting[number] = filing
                room -= filing.pending
        return fitting


def _failed(number: int, error: Exception) -> bytes:
    document = problems.unexpected()
    log.error("a line failed", extra={"instance": document["instance"], **fault(error)})
    return _problem(number, document)


def _accepted(number: int, filing: NewFiling, one: Accepted) -> bytes:
    if one.conflict:
        words = "this idempotency key came before with another body"
        return _problem(number, problems.of_conflict(Conflict(words), pointer="/idempotency_key"))
    return _line(number, 202, **accepted_out(filing, one))
