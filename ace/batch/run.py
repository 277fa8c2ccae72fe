"""A share of the units of an input, scored one after the other; those that are done are left alone."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

from ace.batch.columns import records
from ace.batch.doubtful import Doubtful
from ace.batch.outputs import Results, Totals, Writer
from ace.batch.scoring import Judged, score
from ace.batch.units import Unit, UnreadableError
from ace.flow.analysing import Checks
from ace.gatekeeper.engine import Engine

log = logging.getLogger(__name__)

Progress = Callable[[Unit, Totals], None]
"""Called with what a window added to the totals; with empty totals when a unit begins."""


@dataclass(slots=True)
class Ran:
    """How many units were done before and are done now, why others cannot be read, and the totals of the
    done ones."""

    found_done: int = 0
    scored: int = 0
    unreadable: dict[str, str] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)
    now: Totals = field(default_factory=Totals)  # without the units that were done before


def run(
    units: Sequence[Unit],
    results: Results,
    gatekeeper: Engine,
    checks: Checks,
    doubtful: Doubtful | None = None,
    progress: Progress = lambda _unit, _totals: None,
) -> Ran:
    """Scores the units that are not done. A damaged input costs its own units alone.

    Raises Refused if the folder holds results that something else made.
    """
    ran = Ran()
    for unit in units:
        progress(unit, Totals())
        try:
            digest = unit.digest()
            if (manifest := results.done(unit.name, digest)) is not None:
                ran.found_done += 1
                ran.totals.add(manifest.totals)
                continue
            with results.writing(unit.name, digest, doubtful=doubtful is not None) as writer:
                for judged in score(gatekeeper, checks, unit.windows()):
                    progress(unit, _write(writer, unit, judged, gatekeeper, doubtful))
        except UnreadableError as error:
            log.error("a unit cannot be read", extra={"unit": unit.name, "why": str(error)})
            ran.unreadable[unit.name] = str(error)
            continue
        log.info("a unit is done", extra={"unit": unit.name, **asdict(writer.totals)})
        ran.scored += 1
        ran.totals.add(writer.totals)
        ran.now.add(writer.totals)
    return ran


def _write(
    writer: Writer, unit: Unit, judged: Judged, gatekeeper: Engine, doubtful: Doubtful | None
) -> Totals:
    name, prepared = unit.path.name, judged.prepared
    lines: Iterator[str] = iter(()) if doubtful is None else doubtful.lines(name, judged)
    totals = Totals(
        filings=len(prepared.sets),
        claims=len(prepared.claims),
        escalated=int(judged.judgement.routing.escalate.sum()),
        errors=len(prepared.errors),
    )
    writer.write(records(name, judged, gatekeeper), totals, lines)
    return totals
