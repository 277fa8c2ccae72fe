"""A list that comes in pages."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Final, Generic, TypeVar

T = TypeVar("T")

LARGEST_PAGE: Final = 200

Fetch = Callable[[Mapping[str, str]], Awaitable[tuple[tuple[T, ...], str | None]]]


class AsyncPages(Generic[T]):
    """The entries of a list, newest first. Iterating fetches page after page, each when it is needed.

    `limit` bounds the entries in all.
    """

    def __init__(self, fetch: Fetch[T], params: Mapping[str, str], limit: int | None) -> None:
        self._fetch = fetch
        self._params = params
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for one in page:
                yield one

    async def pages(self) -> AsyncIterator[tuple[T, ...]]:
        """The same entries, page by page."""
        left = self._limit
        cursor: dict[str, str] = {}
        while left is None or left > 0:
            size = LARGEST_PAGE if left is None else min(left, LARGEST_PAGE)
            page, following = await self._fetch({**self._params, **cursor, "limit": str(size)})
            yield page
            if following is None:
                return
            left = None if left is None else left - len(page)
            cursor = {"cursor": following}

    async def all(self) -> list[T]:
        """All entries at once."""
        found: list[T] = []
        async for page in self.pages():
            found += page
        return found
