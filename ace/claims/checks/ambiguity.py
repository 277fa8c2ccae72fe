from __future__ import annotations

from collections.abc import Iterator

from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading
from ace.claims.rules import Rule

RULES: tuple[Rule, ...] = ()


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Yields the flaws of one claim."""
    del reading, claim
    yield from ()
