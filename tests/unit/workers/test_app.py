"""The Celery app: what becomes of a message if there is no broker."""

import pytest

from ace.errors import Unavailable
from ace.settings import Settings
from ace.store.tables import Stage
from workers.app import CeleryBroker, make_app


def test_a_broker_that_is_away_is_not_tried_for_ever() -> None:
    settings = Settings(broker_url="redis://127.0.0.1:1/0")  # type: ignore[arg-type]  # nobody listens there

    with pytest.raises(Unavailable, match="broker"):
        CeleryBroker(make_app(settings, patience_seconds=1)).waiting(Stage.FAST)
