"""The OpenAPI document of an API whose database nobody asks."""

from typing import Any

from ace.api.app import create_app
from ace.bounded import Bounded
from ace.settings import Settings
from ace.store.database import connect_engine


def document(rules: Bounded) -> dict[str, Any]:
    """The document as `/openapi.json` serves it."""
    db = connect_engine("postgresql://nobody@localhost/none", name="openapi")
    return create_app(Settings(_env_file=None), db, db, rules).openapi()
