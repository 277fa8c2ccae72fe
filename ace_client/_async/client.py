"""The client: one method for each thing that the API does."""

from ace_client._async.ordering import AsyncOrdering
from ace_client._async.submitting import AsyncSubmitting


class AsyncClient(AsyncSubmitting, AsyncOrdering):
    """A connection to ACE for one tenant; close it, or use it in a `with` block.

    Requests are retried with pauses, unless repeating one could do something twice. Raises `ApiError` and its
    kinds: `Unauthorised`, `Forbidden`, `NotFound`, `Invalid`, `Unreachable`, `TooMuch`.
    """
