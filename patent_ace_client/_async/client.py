"""The client: one method for each thing that the API does."""

from patent_ace_client._async.listening import AsyncListening
from patent_ace_client._async.operating import AsyncOperating
from patent_ace_client._async.ordering import AsyncOrdering
from patent_ace_client._async.reviewing import AsyncReviewing
from patent_ace_client._async.submitting import AsyncSubmitting


class AsyncClient(AsyncSubmitting, AsyncReviewing, AsyncListening, AsyncOrdering, AsyncOperating):
    """A connection to ACE for one tenant; close it, or use it in a `with` block.

    Requests are retried with pauses, unless repeating one could do something twice. Raises `ApiError` and its
    kinds: `Unauthorised`, `Forbidden`, `NotFound`, `Invalid`, `Unreachable`, `TooMuch`.
    """
