"""A gatekeeper worker whose process dies of claims that say "poison": `python -m tests.e2e.poisoned`."""

import os
import signal
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace.settings import Settings
from ace.store.database import connect_engine
from tests import fakes
from workers import gatekeeper
from workers.app import database_url


class Fragile(fakes.Gatekeeper):
    """Takes its process along."""

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        if any("poison" in one.text for one in inputs):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().score(inputs)


if __name__ == "__main__":
    settings = Settings()
    db = connect_engine(database_url(settings), name="poisoned")
    raise SystemExit(gatekeeper.run(settings, db, Fragile()))
