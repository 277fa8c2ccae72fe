"""Runs the tasks, keeps a journal of checked answers, and makes the rows of a data set from it.

Tasks that a server could not answer are left for the next run; answers are kept, rejected or not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from ace.claims.chains import kept_set
from ace.claims.taxonomy import PASS
from ace.errors import ExpertPermanent, ExpertTransient
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace_lab.data.pools import split_of
from ace_lab.data.rows import Defect, Row, SetRow
from ace_lab.llm.answers import Rejected, edited
from ace_lab.llm.generator import Generator
from ace_lab.llm.journal import Journal
from ace_lab.llm.prompts import answer_tokens, messages
from ace_lab.llm.tasks import Task

EDIT, PLACEBO = "llm", "llm_placebo"
FAULTS_IN_A_ROW = 8
"""After so many failed questions in a row a server counts as down."""

GOOD, UNCONFIRMED, REJECTED = "good", "unconfirmed", "rejected"


@dataclass(slots=True)
class GeneratorQueue:
    """The remaining tasks of one server, and its faults so far."""

    generator: Generator
    tasks: Iterator[Task]
    faults: int = 0
    down: str | None = None


@dataclass(slots=True)
class RunSummary:
    """What one run did. `faults` counts unanswered questions by kind, `down` says which servers were
    given up and why (the kind of the last fault)."""

    asked: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    down: dict[str, str] = field(default_factory=dict)


def open_tasks(tasks: Iterable[Task], journal: Journal, *, retry_failed: bool) -> list[Task]:
    """The tasks that the journal has no answer to; with `retry_failed` also those whose answer was
    rejected."""
    open_states = {None, REJECTED} if retry_failed else {None}
    return [task for task in tasks if (journal.get(task.key) or {}).get("state") in open_states]


def inject(
    tasks: Sequence[Task],
    generators: Sequence[Generator],
    journal: Journal,
    *,
    concurrency: int,
    max_tokens: int,
    on_answer: Callable[[], object] = lambda: None,
) -> RunSummary:
    """Asks for every task, `concurrency` at a time of each server, and stores the answers."""
    return asyncio.run(_inject(tasks, generators, journal, concurrency, max_tokens, on_answer))


async def _inject(
    tasks: Sequence[Task],
    generators: Sequence[Generator],
    journal: Journal,
    concurrency: int,
    max_tokens: int,
    on_answer: Callable[[], object],
) -> RunSummary:
    progress = RunSummary()
    queues = [
        GeneratorQueue(one, iter([task for task in tasks if task.generator == one.name]))
        for one in generators
    ]
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=concurrency * len(queues))
    # The generator bounds each answer as a whole; reading one may take minutes.
    async with httpx.AsyncClient(timeout=None, limits=limits) as http, asyncio.TaskGroup() as group:  # noqa: S113
        for queue in queues:
            for _ in range(concurrency):
                group.create_task(_work(queue, http, journal, max_tokens, progress, on_answer))
    progress.down = {queue.generator.name: queue.down for queue in queues if queue.down is not None}
    return progress


async def _work(
    queue: GeneratorQueue,
    http: httpx.AsyncClient,
    journal: Journal,
    max_tokens: int,
    progress: RunSummary,
    on_answer: Callable[[], object],
) -> None:
    for task in queue.tasks:
        if queue.down is not None:
            return
        try:
            entry = await _answered(queue.generator, http, task, max_tokens, progress)
        except (ExpertPermanent, ExpertTransient) as fault:
            progress.faults[fault.kind] = progress.faults.get(fault.kind, 0) + 1
            queue.faults += 1
            if isinstance(fault, ExpertPermanent) or queue.faults >= FAULTS_IN_A_ROW:
                queue.down = fault.kind
        else:
            queue.faults = 0
            journal.add(entry)
        on_answer()


async def _answered(
    generator: Generator, http: httpx.AsyncClient, task: Task, max_tokens: int, progress: RunSummary
) -> dict[str, Any]:
    """The journal entry for a task that was answered, even if the server refused this question."""
    claims = task.source.claims
    progress.asked += 1
    try:
        reply = await generator.ask(
            http,
            messages(claims, task.label, task.number),
            max_tokens=min(max_tokens, answer_tokens(claims)),
            seed=int(task.key[:7], 16),
        )
        progress.prompt_tokens += reply.prompt_tokens
        progress.completion_tokens += reply.completion_tokens
        found = edited(reply.content, reply.finish_reason, task)
    except Rejected as rejected:
        return {"key": task.key, "state": REJECTED, "reason": str(rejected)}
    except ExpertPermanent as fault:
        if fault.kind not in {"validation", "too_long"}:
            raise
        return {"key": task.key, "state": REJECTED, "reason": "refused"}
    return {
        "key": task.key,
        "state": GOOD if found.confirmed else UNCONFIRMED,
        "claims": [(claim.number, claim.text) for claim in found.claims],
        "places": found.places,
    }


def rows_of(tasks: Iterable[Task], journal: Journal, *, keep_unconfirmed: bool) -> Iterator[Row | SetRow]:
    """The rows of the tasks whose answers are good, in the order of the tasks."""
    kept = {GOOD, UNCONFIRMED} if keep_unconfirmed else {GOOD}
    for task in tasks:
        entry = journal.get(task.key)
        if entry and entry["state"] in kept:
            yield _set_row(task, entry) if task.number is None else _row(task, task.number, entry)


def _set_row(task: Task, entry: dict[str, Any]) -> SetRow:
    family = task.source.family
    return SetRow(
        split=split_of(family),
        family=family,
        source=task.source.source,
        claims=tuple((number, text) for number, text in entry["claims"]),
        label=task.label,
        edit="placebo" if task.label == PASS else "injected",
        generator=task.generator,
        defects=tuple(Defect(number, start, end, EDIT) for number, start, end in entry["places"]),
        origin=task.source.name,
    )


def _row(task: Task, number: int, entry: dict[str, Any]) -> Row:
    family = task.source.family
    shown = kept_set(entry["claims"]).input_of(number, max_chain_characters=CHAIN_CHARACTERS)
    return Row(
        split=split_of(family),
        family=family,
        source=task.source.source,
        number=number,
        text=shown.text,
        ancestors=shown.ancestors,
        label=task.label,
        edit=PLACEBO if task.label == PASS else EDIT,
        generator=task.generator,
        spans=tuple((start, end) for _, start, end in entry["places"]),
        origin=task.source.origin(number),
    )
