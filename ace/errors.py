"""Every error that ACE raises on purpose.

AceError
├── Refused            bad input at an edge; names the field and the limit; nothing was stored
├── NotFound           it does not exist, or it belongs to another tenant
├── Conflict           the same idempotency key with a different body
├── AlreadyRunning     another one-machine stack holds the data folder
├── NotReached         a claim that was left out because another one of its tenant was stopped
├── WorkFailed         a rule raised an unexpected error in a process of its own
├── Transient          worth another try, now or later
│   ├── ExpertTransient
│   ├── TooMuch        a tenant or key exceeds its share
│   └── Unavailable    a part (database, broker) cannot serve, and why
└── Permanent          the same try will fail again
    ├── ExpertPermanent
    ├── Stopped        a claim took more processor time than it may, or ended its process
    ├── ModelError     a model directory that cannot be used
    └── NotConfigured  a setting is missing or contradicts another

No message ever carries claim text: claims are secret until published (35 U.S.C. 122).
"""

import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class AceError(Exception):
    """Root of all errors ACE raises on purpose. Can be pickled, whatever its arguments are."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[AceError], args: tuple[object, ...], details: Mapping[str, Any]) -> AceError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(details)
    return error


class Refused(AceError):
    """Input that breaks a rule at an edge.

    `code` is a short stable word for programs, `pointer` an RFC 6901 JSON pointer to the field,
    `limit` the bound that was exceeded, if there is one.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        pointer: str | None = None,
        limit: float | str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.pointer = pointer
        self.limit = limit


class NotFound(AceError):
    """It does not exist or belongs to another tenant; clients cannot tell which."""


class Conflict(AceError):
    """An idempotency key was used again with a different body."""


class AlreadyRunning(AceError):
    """Another stack uses the same data folder; `state` says where it listens."""

    def __init__(self, folder: Path, state: Mapping[str, Any]) -> None:
        where = f" at {state['url']} (process {state['pid']})" if "url" in state else ""
        super().__init__(f"ACE is already running on {folder}{where}")
        self.state = state


class NotReached(AceError):
    """An item that was left out because another one of its group was stopped."""


class WorkFailed(AceError):
    """Work in another process raised an error of type `kind`, at `at`; its text could quote claims."""

    def __init__(self, kind: str, at: str) -> None:
        super().__init__(f"{kind} at {at}")
        self.kind = kind
        self.at = at

    @classmethod
    def of(cls, error: Exception) -> "WorkFailed":
        """The type of an error, and the place in the code where it was raised."""
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return cls(type(error).__name__, f"{Path(frame.filename).name}:{frame.lineno}")


class Transient(AceError):
    """Worth another try, now or later."""


class Unavailable(Transient):
    """A part that ACE needs cannot serve; `part` names it, `cause` says why (types.outages)."""

    def __init__(self, part: str, message: str, *, cause: str = "unreachable") -> None:
        super().__init__(message)
        self.part = part
        self.cause = cause


class TooMuch(Transient):
    """A tenant or key exceeded its share; worth another try after `retry_after` seconds.

    `code` is a short stable word for programs, `limit` the bound that was reached.
    """

    def __init__(self, message: str, *, code: str, limit: float, retry_after: float) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.limit = limit
        self.retry_after = retry_after


class ExpertTransient(Transient):
    """An examination failed in a way that another try may cure; `kind` names the fault.

    `own` says that it is the claim's own fault: the endpoint answers other questions.
    """

    def __init__(
        self, kind: str, message: str, retry_after: float | None = None, *, own: bool = False
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after = retry_after
        self.own = own


class Permanent(AceError):
    """The same try would fail again."""


class ExpertPermanent(Permanent):
    """An examination failed in a way that the same request will not cure; `kind` names the fault.

    `own` says that it is the claim's own fault: the endpoint answers other questions.
    """

    def __init__(self, kind: str, message: str, *, own: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.own = own


class Stopped(Permanent):
    """Work on an item was ended: it took more than `limit` seconds of processor time, or ended its process.

    `code` is a stable word that says which.
    """

    def __init__(self, code: str, limit: float) -> None:
        super().__init__(code)
        self.code = code
        self.limit = limit


class ModelError(Permanent):
    """A model directory that is incomplete or contradicts itself."""


class NotConfigured(Permanent):
    """A setting is missing or contradicts another."""
