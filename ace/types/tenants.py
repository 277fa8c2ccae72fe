"""Names of tenants: beside each tenant is one for its tests.

A test key opens the latter, so that nothing of a test can meet what was filed in earnest: it has its own
filings, idempotency keys, events and webhooks, behind the same row security.
"""

from typing import Final

TEST_SUFFIX: Final = "~test"
TEST_HOURS: Final = 24
"""How long the text of a test filing is kept."""


def for_tests(tenant: str) -> str:
    """The name of the tenant's tests; that of a tenant of tests is its own."""
    return tenant if is_for_tests(tenant) else f"{tenant}{TEST_SUFFIX}"


def is_for_tests(tenant: str) -> bool:
    """Whether what this tenant files are tests."""
    return tenant.endswith(TEST_SUFFIX)
