"""Attacks run against the API of the integration tests: the same servers, keys and workers."""

from tests.integration.api.conftest import (  # noqa: F401  # fixtures
    anonymous,
    api,
    api_db,
    app,
    key,
    live,
    login,
    new_key,
    server,
    settings,
    stranger,
    watch_db,
    work,
)
