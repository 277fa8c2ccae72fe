"""A gatekeeper worker that claims can harm, by what they say: `python -m tests.e2e.dangerous`.

With the argument `freezes` it stops itself at the first claims, as by SIGSTOP from outside.
"""

import os
import signal
import sys
import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace.settings import Settings
from ace.store.database import connect_engine
from ace.workers import gatekeeper
from ace.workers.app import database_url
from ace.workers.models import Models
from tests import fakes


class Fragile(fakes.Gatekeeper):
    """`poison` kills the process, `endless` hangs its thread, `breaking` breaks the model for good."""

    broken = False
    freezes = "freezes" in sys.argv

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        if self.freezes:
            self.freezes = False
            os.kill(os.getpid(), signal.SIGSTOP)
        said = " ".join(one.text for one in inputs)
        if "poison" in said:
            os.kill(os.getpid(), signal.SIGKILL)
        if "endless" in said:
            threading.Event().wait()
        self.broken = self.broken or "breaking" in said
        if self.broken:
            raise RuntimeError("the device is gone")
        return super().score(inputs)


if __name__ == "__main__":
    settings = Settings()
    db = connect_engine(database_url(settings), name="dangerous")
    engine = Fragile()
    models = Models(db, settings.models_folder(), lambda _: engine)
    raise SystemExit(gatekeeper.run(settings, db, models, checks=None))
