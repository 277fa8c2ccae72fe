"""The rules find what they found before: a change that is meant is written down, and seen in review."""

import pytest

from tests.unit.claims.snapshot import DATA, OWN_SNAPSHOT, SHARED_SNAPSHOT, own_lines, shared_lines

ANEW = "is the change meant? then run: python -m tests.unit.claims.snapshot"


def test_our_own_sets_show_what_they_showed() -> None:
    kept = OWN_SNAPSHOT.read_text(encoding="utf-8").splitlines()
    assert own_lines() == kept, ANEW


@pytest.mark.slow
def test_real_claim_sets_show_what_they_showed() -> None:
    kept = SHARED_SNAPSHOT.read_text(encoding="utf-8").splitlines()
    now = shared_lines()
    changed = [f"{one} is new" for one in now if one not in set(kept)]
    changed += [f"{one} is gone" for one in kept if one not in set(now)]
    assert not changed, "\n".join([*changed, f"(lines are those of {DATA})", ANEW])
