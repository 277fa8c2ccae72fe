"""What an API key may be used for, and how often: words and limits alone, to be had without SQL."""

from enum import StrEnum
from typing import Final


class Scope(StrEnum):
    """What a key may be used for, within its tenant."""

    SUBMIT = "submit"  # hand filings in and cancel them, have claims checked
    READ = "read"  # look at filings and evaluations
    REPLAY = "replay"  # run failed evaluations again
    ADMIN = "admin"  # make, list and revoke the tenant's keys


DEFAULT_SCOPES: Final = (Scope.SUBMIT, Scope.READ, Scope.REPLAY)
LEAST_PER_SECOND: Final = 0.001
MOST_PER_SECOND: Final = 1_000_000
