# Made from ../_async/pages.py by `python -m tests.client_halves`; change that file.
"""A list that comes in pages."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Generic, TypeVar

T = TypeVar("T")

LARGEST_PAGE: Final = 200

Fetch = Callable[[Mapping[str, str]], tuple[tuple[T, ...], str | None]]


class Pages(Generic[T]):
    """The entries of a list, newest first. Iterating fetches page after page, each when it is needed.

    `limit` bounds the entries in all.
    """

    def __init__(self, fetch: Fetch[T], params: Mapping[str, str], limit: int | None) -> None:
        self._fetch = fetch
        self._params = params
        self._limit = limit

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            for one in page:
                yield one

    def pages(self) -> Iterator[tuple[T, ...]]:
        """The same entries, page by page."""
        left = self._limit
        cursor: dict[str, str] = {}
        while left is None or left > 0:
            size = LARGEST_PAGE if left is None else min(left, LARGEST_PAGE)
            page, following = self._fetch({**self._params, **cursor, "limit": str(size)})
            yield page
            if following is None:
                return
            left = None if left is None else left - len(page)
            cursor = {"cursor": following}

    def all(self) -> list[T]:
        """All entries at once."""
        found: list[T] = []
        for page in self.pages():
            found += page
        return found
