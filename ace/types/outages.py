"""Why a part cannot serve, in one stable word, and the words for people: the remedy depends on it.

Read from what PostgreSQL and Redis say about themselves. SQLSTATEs: PostgreSQL 18, appendix A; errors of
Redis: the first word of its reply.
"""

from collections.abc import Mapping
from typing import Final

UNREACHABLE: Final = "unreachable"

WORDS: Final[Mapping[str, str]] = {
    UNREACHABLE: "cannot be reached now",
    "disk_full": "has no disk space left: somebody must make room",
    "out_of_memory": "has no memory left: somebody must give it more",
    "cannot_write": "cannot write to its disk: its log says why",
    "too_many_connections": "accepts no more connections",
    "rejected": "rejects the login: somebody must correct the user, password or rights",
    "missing": "has no such database or user: somebody must correct the URL",
    "read_only": "accepts no writes: it is a standby, or was set to be read only",
    "altered": "does not keep the settings of sessions: a pooler drops them, or PGDATESTYLE or PGTZ is set",
    "wrong_type": "holds something else under the name of a queue: somebody must delete it",
    "too_few_replicas": "has too few replicas to accept writes",
    "starting": "is starting or stopping",
    "outdated": "is not the newest: run `ace db upgrade`",
    "too_slow": "took too long over a statement or a script",
    "busy": "has no connection free in this process, or its rows stay locked",
}
"""What each cause means, after the name of the part."""

_SQLSTATES: Final[Mapping[str, str]] = {
    "53100": "disk_full",
    "53200": "out_of_memory",
    "53300": "too_many_connections",
    "57014": "too_slow",
    "57P01": "starting",
    "57P02": "starting",
    "57P03": "starting",
    "25006": "read_only",
    "3D000": "missing",
    "28000": "rejected",
    "28P01": "rejected",
    "55P03": "busy",
    "58030": "cannot_write",
}
# A connection that is refused has no SQLSTATE; these are the server's words where it speaks English.
_REFUSALS: Final[Mapping[str, str]] = {
    "no space left on device": "disk_full",
    "too many clients": "too_many_connections",
    "too many connections": "too_many_connections",
    "remaining connection slots": "too_many_connections",
    "authentication failed": "rejected",
    "no pg_hba.conf entry": "rejected",
    "no password supplied": "rejected",
    "does not exist": "missing",
    "the database system is": "starting",
}
_OF_A_PIPELINE: Final = "caused error: "  # what redis-py puts before the reply to one of several commands
_REDIS: Final[Mapping[str, str]] = {
    "MISCONF": "cannot_write",
    "OOM": "out_of_memory",
    "LOADING": "starting",
    "READONLY": "read_only",
    "NOAUTH": "rejected",
    "WRONGPASS": "rejected",
    "NOPERM": "rejected",
    "DENIED": "rejected",
    "WRONGTYPE": "wrong_type",
    "NOREPLICAS": "too_few_replicas",
    "MASTERDOWN": "read_only",
    "BUSY": "too_slow",
}


def of_postgres(error: BaseException | None) -> str:
    """The cause behind an error of the PostgreSQL driver."""
    sqlstate = getattr(error, "sqlstate", None)
    if sqlstate is not None:
        return _SQLSTATES.get(sqlstate, UNREACHABLE)
    said = str(error).lower()
    return next((cause for words, cause in _REFUSALS.items() if words in said), UNREACHABLE)


def of_redis(error: BaseException) -> str:
    """The cause behind an error of the Redis client, or of a library that wraps it."""
    said = str(error)
    if "no space left on device" in said.lower():
        return "disk_full"
    if "max number of clients" in said:
        return "too_many_connections"
    reply = said.rpartition(_OF_A_PIPELINE)[2]
    word = getattr(error, "status_code", None) or reply.partition(" ")[0]
    if word in _REDIS:
        return _REDIS[word]
    return UNREACHABLE if error.__cause__ is None else of_redis(error.__cause__)


def words(part: str, cause: str) -> str:
    """One sentence for people, without a full stop."""
    return f"{part} {WORDS[cause]}"
