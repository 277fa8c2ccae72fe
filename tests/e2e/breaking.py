"""A gatekeeper worker whose model breaks for good at the first claim: `python -m tests.e2e.breaking`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace.settings import Settings
from ace.store.database import connect_engine
from tests import fakes
from workers import gatekeeper
from workers.app import database_url


class Breaking(fakes.Gatekeeper):
    """Scores nothing."""

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        raise RuntimeError("the device is gone")


if __name__ == "__main__":
    settings = Settings()
    db = connect_engine(database_url(settings), name="breaking")
    raise SystemExit(gatekeeper.run(settings, db, Breaking()))
