"""The models that a gatekeeper worker has loaded: what the rows say is looked up between messages.

A message keeps the models that it began with. A model that cannot be loaded changes nothing: the worker goes
on with what it has, says so in its log, and tries again.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from ace.errors import ModelError, Unavailable
from ace.flow import trials
from ace.flow.trials import Judged, Trial
from ace.gatekeeper.engine import Engine as Gatekeeper
from ace.gatekeeper.installed import installed
from ace.store import models
from ace.store.database import transact
from ace.store.models import Serving, ServingModel

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 5.0
"""How long a worker may go on with models that have been replaced."""

Load = Callable[[Path | None], Gatekeeper]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The models for one message."""

    gatekeeper: Gatekeeper
    canary: Trial | None = None
    shadow: Trial | None = None


class Models:
    """Loads what the rows of the models ask for. `load` makes an engine from a folder, or from the settings
    for None; `changed` is called with what is loaded, at first and after every change. Thread-safe."""

    def __init__(
        self,
        db: Engine,
        folder: Path,
        load: Load,
        changed: Callable[[Loaded], object] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._db = db
        self._folder = folder
        self._load = load
        self._changed = changed
        self._clock = clock
        self._lock = threading.Lock()
        self._engines: dict[str, Gatekeeper] = {}  # by digest; "" is that of the settings
        self._rows, self._looked_at = Serving(), float("-inf")
        self._known = False  # whether rows have been read, so that what is loaded is what should decide
        self._loaded: Loaded | None = None

    def begin(self) -> Loaded:
        """Loads what the worker is to begin with.

        Raises ModelError if the standing model cannot be loaded: no other may decide in its place. Without a
        database, or before its schema has models, the model of the settings is loaded until the next look.
        """
        with self._lock:
            found = self._look()
            self._known, rows = found is not None, found or Serving()
            gatekeeper = self._engine(rows.standing)
            return self._take(rows, Loaded(gatekeeper, self._trial(rows.canary), self._trial(rows.shadow)))

    def current(self) -> Loaded:
        """What the next message is judged with. Only one thread looks; others go on with what there is.

        A worker that began without a database waits for its first look here. Raises ModelError if that names
        a model that cannot be loaded, as `begin` does.
        """
        held = self._loaded or self.begin()
        known = self._known
        if self._clock() - self._looked_at < LOOK_SECONDS or not self._lock.acquire(blocking=not known):
            return held
        try:
            rows = self._look()
            held = self._loaded or held  # another thread may have replaced it while this one waited
            if rows is not None and rows != self._rows:
                held = self._replace(rows, held)
            self._known = self._known or rows is not None
            return held
        finally:
            self._lock.release()

    def _replace(self, rows: Serving, held: Loaded) -> Loaded:
        try:
            gatekeeper = self._engine(rows.standing)
        except ModelError as error:
            if not self._known:
                raise
            log.error(
                "the promoted model cannot be loaded: going on with the one before", extra={"why": str(error)}
            )
            return held
        return self._take(rows, Loaded(gatekeeper, self._trial(rows.canary), self._trial(rows.shadow)))

    def _take(self, rows: Serving, loaded: Loaded) -> Loaded:
        wanted = (rows.canary, loaded.canary), (rows.shadow, loaded.shadow)
        complete = all((row is None) == (trial is None) for row, trial in wanted)
        self._rows = rows if complete else Serving()  # else the next look tries again
        self._loaded = loaded
        in_use = {
            id(each) for each in (loaded.gatekeeper, *(t.gatekeeper for _, t in wanted if t is not None))
        }
        self._engines = {digest: each for digest, each in self._engines.items() if id(each) in in_use}
        self._changed(loaded)
        return loaded

    def _look(self) -> Serving | None:
        """The rows; None if they cannot be read now."""
        self._looked_at = self._clock()
        try:
            return transact(self._db, models.serving)
        except (Unavailable, DBAPIError) as error:
            self._looked_at = float("-inf")  # the next message looks again
            log.warning("models cannot be looked up", extra={"why": type(error).__name__})
            return None

    def _trial(self, row: ServingModel | None) -> Trial | None:
        """A model on trial; None if it cannot be loaded, which must not stop the standing one."""
        if row is None:
            return None
        try:
            return Trial(row.id, self._engine(row), row.share)
        except ModelError as error:
            log.error("a model on trial cannot be loaded", extra={"why": str(error)})
            return None

    def _engine(self, row: ServingModel | None) -> Gatekeeper:
        digest = "" if row is None else row.digest
        if digest not in self._engines:
            engine = self._load(installed(self._folder, digest) if digest else None)
            self._engines[digest] = engine
            log.info("model loaded", extra={"model": engine.revision, "calibration": engine.calibration.id})
        return self._engines[digest]


class Shadowing:
    """Lets a shadow score what has been decided, in a thread of its own: no verdict waits for it. While it is
    busy, messages pass it by."""

    def __init__(self, db: Engine, *, rules: bool) -> None:
        self._db = db
        self._rules = rules
        self._waiting: queue.Queue[tuple[Trial, Sequence[Judged]]] = queue.Queue(maxsize=1)
        self._thread = threading.Thread(target=self._run, name="shadow", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def offer(self, shadow: Trial | None, decided: Sequence[Judged]) -> None:
        """Hands over a message whose moves are committed, unless another one waits."""
        if shadow is not None:
            try:
                self._waiting.put_nowait((shadow, decided))
            except queue.Full:
                return

    def _run(self) -> None:
        while True:
            shadow, decided = self._waiting.get()
            try:
                trials.shadow(self._db, shadow, decided, rules=self._rules)
            except Exception as error:  # whatever its runtime raises: it decides nothing
                log.warning("the shadow could not score a message", extra={"why": type(error).__name__})
