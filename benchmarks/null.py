"""The null model: scores nothing, at no cost, so that the pipeline around it is what is measured."""

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
    """Says Pass, with certainty, of everything."""

    revision = "null"
    calibration = CALIBRATION

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """Rows (N, 6) with p[pass] = 1."""
        p = np.zeros((len(inputs), 6), dtype=np.float32)
        p[:, 0] = 1
        return p


def main() -> int:
    """A gatekeeper worker around the null model: `python -m benchmarks.null`."""
    from ace.settings import Settings
    from ace.store.database import connect_engine
    from ace.telemetry import configure_logging
    from workers import gatekeeper
    from workers.app import database_url

    settings = Settings()
    configure_logging("warning")
    return gatekeeper.run(settings, connect_engine(database_url(settings), name="null"), NullEngine())


if __name__ == "__main__":
    raise SystemExit(main())
