"""Short forms as browsers post them."""

from typing import Final

from fastapi import Request

from ace.api import bodies
from ace.api.parts import Parts
from ace.api.queries import single_values

FORM_BYTES: Final = 4_096


def local_path(here: str) -> str:
    """A path on this server to go back to, as a form names it; "/" for anything else."""
    return here if here.startswith("/") and not here.startswith(("//", "/\\")) else "/"


async def fields_of(request: Request, parts: Parts, most_bytes: int = FORM_BYTES) -> dict[str, str]:
    """The fields of a form of at most so many bytes; those that were left empty are missing.

    Raises Refused for another body, and Invalid for a field that is given twice or is no text.
    """
    bodies.media_of(request, "application/x-www-form-urlencoded")
    with parts.budget.of("") as held:
        raw = await bodies.whole(request, most_bytes, held)
    return single_values(raw, "pointer")
