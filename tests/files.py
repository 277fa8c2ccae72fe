"""Claims as files of every kind that is taken, made of one text. All claim text is ours."""

import io
from collections.abc import Callable
from typing import Final
from xml.sax.saxutils import escape

from docx import Document

DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def docx(*claims: str) -> bytes:
    """A document with a paragraph for each numbered claim."""
    document = Document()
    for number, text in enumerate(claims, start=1):
        document.add_paragraph(f"{number}. {text}")
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def xml(*claims: str) -> bytes:
    """Claims as a grant of the USPTO has them."""
    told = "".join(
        f'<claim id="CLM-{number:05}" num="{number:05}">'
        f"<claim-text>{number}. {escape(text)}</claim-text></claim>"
        for number, text in enumerate(claims, start=1)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><us-claims><claims>{told}</claims></us-claims>'.encode()


def plain(*claims: str) -> bytes:
    """Claims as text."""
    return "\n".join(f"{number}. {text}" for number, text in enumerate(claims, start=1)).encode()


MAKERS: Final[dict[str, Callable[..., bytes]]] = {
    "text/plain": plain,
    DOCX: docx,
    "application/xml": xml,
    "text/xml": xml,
}
"""What makes a file of a media type."""
