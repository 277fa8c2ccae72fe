"""Why a part cannot serve: told apart by what PostgreSQL and Redis say."""

import psycopg
import pytest
from kombu.exceptions import OperationalError
from psycopg import errors
from redis.exceptions import AuthenticationError, OutOfMemoryError, ResponseError

from ace.types import outages


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (errors.DiskFull(), "disk_full"),
        (errors.OutOfMemory(), "out_of_memory"),
        (errors.TooManyConnections(), "too_many_connections"),
        (errors.AdminShutdown(), "starting"),
        (errors.CannotConnectNow(), "starting"),
        (errors.ReadOnlySqlTransaction(), "read_only"),
        (errors.QueryCanceled(), "too_slow"),
        (errors.IoError(), "cannot_write"),
        (errors.InvalidPassword(), "rejected"),
        (errors.ConnectionFailure(), "unreachable"),
        (psycopg.OperationalError("connection failed: Connection refused"), "unreachable"),
        (psycopg.OperationalError("FATAL:  sorry, too many clients already"), "too_many_connections"),
        (psycopg.OperationalError('FATAL:  password authentication failed for user "x"'), "rejected"),
        (psycopg.OperationalError('FATAL:  database "x" does not exist'), "missing"),
        (psycopg.OperationalError("FATAL:  the database system is starting up"), "starting"),
        (psycopg.OperationalError("could not write lock file: No space left on device"), "disk_full"),
        (psycopg.InterfaceError("the connection is closed"), "unreachable"),
        (None, "unreachable"),
    ],
)
def test_cause_of_postgres(error: BaseException | None, cause: str) -> None:
    assert outages.of_postgres(error) == cause


AOF = "MISCONF Errors writing to the AOF file: "


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (ResponseError(f"{AOF}No space left on device"), "disk_full"),
        (ResponseError(f"{AOF}Input/output error"), "cannot_write"),
        (OutOfMemoryError("command not allowed", status_code="OOM"), "out_of_memory"),
        (AuthenticationError("Authentication required.", status_code="NOAUTH"), "rejected"),
        (ConnectionError("max number of clients reached"), "too_many_connections"),
        (ConnectionRefusedError("Connection refused"), "unreachable"),
    ],
)
def test_cause_of_redis_also_behind_another_error(error: Exception, cause: str) -> None:
    wrapped = OperationalError(str(error))
    wrapped.__cause__ = error
    assert (outages.of_redis(error), outages.of_redis(wrapped)) == (cause, cause)


def test_every_cause_has_words() -> None:
    assert all(outages.words("redis", cause).startswith("redis ") for cause in outages.WORDS)
    used = {*outages._SQLSTATES.values(), *outages._REFUSALS.values(), *outages._REDIS.values()}
    assert used <= set(outages.WORDS)
