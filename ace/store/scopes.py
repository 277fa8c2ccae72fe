"""What an API key may be used for, and how often. Words and limits only: importing them loads no SQL."""

from enum import StrEnum
from typing import Final


class Scope(StrEnum):
    """What a key may be used for, within its tenant."""

    SUBMIT = "submit"  # submit and cancel filings, check claims
    READ = "read"  # read filings, evaluations, and the kinds and places of findings
    TEXT = "text"  # read the words of claims: their text, quotations from it, what the expert wrote
    REPLAY = "replay"  # run failed evaluations again
    REVIEW = (
        "review"  # say whether verdicts and findings are right, draw samples of them, change the term list
    )
    WEBHOOKS = "webhooks"  # manage the tenant's webhooks, and see and repeat what was delivered
    ADMIN = "admin"  # create, list and revoke the tenant's keys, pause the tenant's work
    OPERATE = "operate"  # what all tenants share: pause stages, tenants and endpoints, see workers


DEFAULT_SCOPES: Final = (Scope.SUBMIT, Scope.READ, Scope.TEXT, Scope.REPLAY, Scope.REVIEW)
MIN_PER_SECOND: Final = 0.001
MAX_PER_SECOND: Final = 1_000_000
