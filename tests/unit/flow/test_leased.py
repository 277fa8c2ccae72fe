"""A result that was expensive is persisted through an outage, up to a time."""

from typing import Any

import pytest

from ace.errors import Unavailable
from ace.flow import leased


def persisted(monkeypatch: pytest.MonkeyPatch, *, outages: int) -> str:
    """What comes of a result if the database is away so many times."""
    left = [Unavailable("postgres", "away")] * outages

    def transact(*_: object) -> str:
        if left:
            raise left.pop()
        return "kept"

    monkeypatch.setattr(leased, "transact", transact)
    monkeypatch.setattr(leased, "FIRST_PAUSE_SECONDS", 0)
    nothing: Any = None
    return leased.persist(nothing, nothing)


@pytest.mark.parametrize("outages", [0, 1, 5])
def test_an_outage_costs_no_result(monkeypatch: pytest.MonkeyPatch, outages: int) -> None:
    assert persisted(monkeypatch, outages=outages) == "kept"


def test_an_outage_that_lasts_is_told_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leased, "PERSIST_SECONDS", 0)
    with pytest.raises(Unavailable, match="away"):
        persisted(monkeypatch, outages=2)
