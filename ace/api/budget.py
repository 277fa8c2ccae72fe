"""What unfinished requests may hold in the memory of this process: bytes of each tenant, and of all.

A tenant holds at most its share, and never more than is left for the others: so a tenant that comes
later finds room, however many came before. Used on the event loop only.
"""

from types import TracebackType
from typing import Final, Self

from ace.errors import TooMuch

RETRY_SECONDS: Final = 2.0


class Budget:
    """Counts what is held. `held` is 0 whenever no request is being read or worked on."""

    def __init__(self, process_bytes: int, tenant_bytes: int) -> None:
        self.process_bytes = process_bytes
        self.tenant_bytes = tenant_bytes
        self.held = 0
        self.tenants: dict[str, int] = {}  # only those that hold something

    def of(self, tenant: str) -> "Holding":
        """What a new request of the tenant holds: nothing yet. Use it in a `with` block."""
        return Holding(self, tenant)

    def add(self, tenant: str, size: int) -> None:
        """Counts `size` more bytes of a tenant, or fewer if it is negative. Raises TooMuch."""
        mine = self.tenants.get(tenant, 0) + size
        if size > 0:
            if mine > self.tenant_bytes:
                words = f"the tenant's unfinished requests may hold {self.tenant_bytes} bytes at once"
                raise _too_much(words, self.tenant_bytes)
            if mine > self.process_bytes - self.held - size:
                words = f"the unfinished requests of all tenants may hold {self.process_bytes} bytes at once"
                raise _too_much(words, self.process_bytes)
        self.held += size
        self.tenants[tenant] = mine
        if not mine:
            del self.tenants[tenant]


class Holding:
    """The bytes that one request holds; the end of its block gives all of them back."""

    def __init__(self, budget: Budget, tenant: str) -> None:
        self._budget = budget
        self._tenant = tenant
        self.bytes = 0

    def add(self, size: int) -> None:
        """Holds `size` more bytes, or fewer if it is negative. Raises TooMuch, and then holds no more."""
        self._budget.add(self._tenant, size)
        self.bytes += size

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.add(-self.bytes)


def _too_much(words: str, limit: int) -> TooMuch:
    return TooMuch(words, code="too_many_bytes", limit=limit, retry_after=RETRY_SECONDS)
