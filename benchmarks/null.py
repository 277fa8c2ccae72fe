"""The null model: scores nothing, at no cost, so that the pipeline around it is what is measured.

With `--doubt N` it is uncertain of every N-th claim that it is asked about, for the expert's sake.
"""

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace.routing.calibration import Calibration

CALIBRATION = Calibration(
    id="null",
    method="none",
    score="u",
    temperature=1.0,
    tau=0.5,
    escalation=0.0,
    model_revision="null",
    data_hash="",
    n=0,
    curve=(),
)


class NullEngine:
    """Says Pass, with certainty, of everything but every `doubt`-th claim; 0: of everything."""

    revision = "null"
    calibration = CALIBRATION

    def __init__(self, doubt: int = 0) -> None:
        self._doubt = doubt
        self._asked = 0

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """Rows (N, 6) with p[pass] = 1, or 0.5 where it is in doubt."""
        p = np.zeros((len(inputs), 6), dtype=np.float32)
        p[:, 0] = 1
        if self._doubt:
            p[(np.arange(len(inputs)) + self._asked) % self._doubt == self._doubt - 1, :2] = 0.5
            self._asked += len(inputs)
        return p

    def locate(
        self, inputs: Sequence[ClaimInput], classes: Sequence[int] | NDArray[np.int64]
    ) -> list[tuple[int, int] | None]:
        """It cannot say."""
        del classes
        return [None] * len(inputs)


def main() -> int:
    """A gatekeeper worker around the null model, with metrics and traces if the settings want them:
    `python -m benchmarks.null`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--doubt", type=int, default=0, help="be uncertain of every N-th claim; 0: of none")
    doubt: int = parser.parse_args().doubt
    from ace.cli.app import configured
    from ace.flow.observer import NOBODY
    from ace.store.database import connect_engine
    from ace.workers import gatekeeper, metrics
    from ace.workers.app import database_url
    from ace.workers.models import Models

    settings = configured(gatekeeper.PART)
    seen = metrics.WorkMetrics(gatekeeper.PART)
    metrics.serve(settings, seen.registry)
    db = connect_engine(database_url(settings), name="null")
    engine = NullEngine(doubt)
    models = Models(db, settings.models_folder(), lambda _: engine)
    observer = seen if settings.metrics_port else NOBODY
    return gatekeeper.run(settings, db, models, checks=None, observer=observer)


if __name__ == "__main__":
    raise SystemExit(main())
