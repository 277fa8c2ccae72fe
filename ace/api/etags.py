"""`If-None-Match`: whether a client has what it would be sent already."""

import re
from typing import Final

_TAG: Final = re.compile(r'(?:W/)?"([^"]*)"')


def matches(if_none_match: str | None, etag: str) -> bool:
    """Weak comparison (RFC 9110, section 13.1.2)."""
    header = (if_none_match or "").strip()
    return header == "*" or etag in _TAG.findall(header)
