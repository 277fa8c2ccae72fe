# Made from ../_async/client.py by `python -m tests.client_halves`; change that file.
"""The client: one method for each thing that the API does."""

from patent_ace_client._sync.listening import Listening
from patent_ace_client._sync.operating import Operating
from patent_ace_client._sync.ordering import Ordering
from patent_ace_client._sync.reviewing import Reviewing
from patent_ace_client._sync.submitting import Submitting


class Client(Submitting, Reviewing, Listening, Ordering, Operating):
    """A connection to ACE for one tenant; close it, or use it in a `with` block.

    Requests are retried with pauses, unless repeating one could do something twice. Raises `ApiError` and its
    kinds: `Unauthorised`, `Forbidden`, `NotFound`, `Invalid`, `Unreachable`, `TooMuch`.
    """
