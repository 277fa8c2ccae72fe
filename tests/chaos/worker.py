"""A gatekeeper worker whose model only pretends to think: `python -m tests.chaos.worker`.

It takes a fixed time for each claim, doubts a seeded share of them, and dies of those that say
"poison". Everything around the model is the real worker.
"""

import argparse
import os
import signal
import time
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace.routing.calibration import Calibration
from ace.settings import Settings
from ace.store.database import connect_engine
from ace.telemetry import configure_logging
from ace.workers import gatekeeper
from ace.workers.app import database_url
from ace.workers.models import Models
from ace.workers.serving import checks_of

POISON = "poison"
CALIBRATION = Calibration(
    id="chaos",
    method="none",
    score="u",
    temperature=1.0,
    tau=0.5,
    escalation=0.0,
    model_revision="chaos",
    data_hash="",
    n=0,
    curve=(),
)
CERTAIN = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
DOUBTFUL = (0.5, 0.1, 0.1, 0.1, 0.1, 0.1)


class Engine:
    """Says Pass of what it does not doubt; the same claim is always scored alike."""

    revision = "chaos"
    calibration = CALIBRATION

    def __init__(self, *, seed: int, doubts: float, seconds_per_claim: float) -> None:
        self._seed = seed
        self._doubts = doubts
        self._seconds_per_claim = seconds_per_claim

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """Rows (N, 6); takes its process along where an input is poison."""
        time.sleep(self._seconds_per_claim * len(inputs))
        if any(POISON in one.text for one in inputs):
            os.kill(os.getpid(), signal.SIGKILL)
        rows = [DOUBTFUL if self._doubted(one.text) else CERTAIN for one in inputs]
        return np.array(rows, dtype=np.float32)

    def locate(self, inputs: Sequence[ClaimInput], classes: Sequence[int]) -> list[tuple[int, int] | None]:
        """It cannot say."""
        del classes
        return [None] * len(inputs)

    def _doubted(self, text: str) -> bool:
        return zlib.crc32(f"{self._seed} {text}".encode()) < self._doubts * 2**32


def main() -> int:
    """The process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--doubts", type=float, required=True, help="share of claims that escalates")
    parser.add_argument("--think", type=float, required=True, help="seconds for each claim")
    options = parser.parse_args()
    settings = Settings()
    configure_logging(settings.log_level)
    engine = Engine(seed=options.seed, doubts=options.doubts, seconds_per_claim=options.think)
    checks = checks_of(settings, processes=1)
    try:
        db = connect_engine(database_url(settings), name="chaos")
        models = Models(db, settings.models_folder(), lambda _: engine)
        return gatekeeper.run(settings, db, models, checks)
    finally:
        checks.close()


if __name__ == "__main__":
    raise SystemExit(main())
