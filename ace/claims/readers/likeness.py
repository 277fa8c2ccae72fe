"""Whether a set reads like claims at all. A warning for who files it, no finding: it decides nothing."""

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.model import ClaimSet, Note

_CLAIM_LIKE: Final = re.compile(
    r"\A\W*(?:an?|the|one|in\s+an?)\s"
    r"|\b(?:claims?|according|compris\w+|consist\w+|contain\w+|includ\w+|having|wherein|whereby"
    r"|characteri[sz]ed|formula|method|process|use|apparatus|system|device|composition)\b",
    re.IGNORECASE,
)
_UNLIKE: Final = Note(
    "unlike_claims", "no claim has a word that claims have, such as “comprising” or “method”"
)


def warnings(claims: ClaimSet) -> Iterator[Note]:
    """The notes of the claims' reader, and one more if no claim reads like a claim."""
    yield from claims.notes
    if not any(_CLAIM_LIKE.search(claim.text) for claim in claims if claim.pending):
        yield _UNLIKE
