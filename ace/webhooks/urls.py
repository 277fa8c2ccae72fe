"""Which URLs a webhook may have. Names are looked up only when something is sent: they may change."""

import ipaddress
from collections.abc import Sequence
from typing import Final
from urllib.parse import SplitResult, urlsplit

from ace.webhooks.addresses import Network, is_allowed

MAX_URL_CHARACTERS: Final = 2_048
_PORTS: Final = {"https": 443, "http": 80}


class UrlRefused(ValueError):
    """The URL cannot be a webhook's; the text says why and quotes nothing."""


def checked(url: str, *, http: bool, networks: Sequence[Network]) -> SplitResult:
    """The parts of a URL that may be a webhook's. Raises UrlRefused."""
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise UrlRefused("contains a character that must be percent-encoded")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UrlRefused("is not a URL") from None
    if parts.scheme not in _PORTS or (parts.scheme == "http" and not http):
        raise UrlRefused("must begin with https://")
    if not parts.hostname or port == 0:
        raise UrlRefused("names no host")
    if "@" in parts.netloc:
        raise UrlRefused("must not contain a user name or password")
    if parts.fragment:
        raise UrlRefused("must not have a fragment")
    if _is_address(parts.hostname) and not is_allowed(parts.hostname, networks):
        raise UrlRefused("names an address that nothing is sent to")
    return parts


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def host_of(parts: SplitResult) -> str:
    """The value of a Host header (RFC 9110, section 7.2)."""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else str(parts.hostname)
    return host if parts.port in {None, _PORTS[parts.scheme]} else f"{host}:{parts.port}"


def target_of(parts: SplitResult) -> str:
    """What is asked of the host: path and query."""
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
