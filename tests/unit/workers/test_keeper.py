"""The keeper of leases as its process sees it: it holds up no exit, and an idle round ends nothing."""

from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from ace.workers.leases import Keeper


def keeper() -> Keeper:
    """A keeper that has no database, so that asking it would fail."""
    nothing: Any = None
    return Keeper(nothing, lease_seconds=60, hold_seconds=60, worker="w")


def test_who_holds_nothing_gives_nothing_back_and_asks_no_database() -> None:
    assert keeper().give_back() == 0


def test_a_process_may_end_while_leases_are_renewed() -> None:
    assert keeper()._thread.daemon


def test_who_held_nothing_for_a_while_renews_what_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    # Given a message that is taken up after a round in which nothing was held
    renewals: list[object] = []
    monkeypatch.setattr("ace.workers.leases.transact", lambda *given, **_: renewals.append(given))
    idle = keeper()
    held = idle.holding(UUID(int=1))
    rounds = iter([lambda: None, held.__enter__, None])

    def wait(_: float) -> bool:
        begun = next(rounds)
        return begun is None or bool(begun())

    idle._stop = SimpleNamespace(wait=wait)  # type: ignore[assignment]
    idle._renew_until_stopped()

    assert len(renewals) == 1
