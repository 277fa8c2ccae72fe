"""The servers of the expert in the settings: one URL, or several with names and weights.

No server is asked anything here. The database, metrics and logs know a server by its name; its URL and
token stay with the workers.
"""

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any, Final

ONLY: Final = "expert"  # the name of the server of ACE_EXPERT_URL
MAX_ENDPOINTS: Final = 32
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_FORM: Final = 'name=url;weight=2, … or JSON like {"name": {"url": "http://…", "weight": 2}}'
_OPTIONS: Final = ("weight", "slots", "token", "dialect")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One server. None means the setting for all servers."""

    name: str
    url: str
    weight: float = 1.0  # its share of the examinations, relative to others
    slots: int | None = None  # maximum of examinations at once
    token: str | None = field(default=None, repr=False)
    dialect: str | None = None


def endpoints_of(urls: str | None, url: str | None) -> tuple[Endpoint, ...]:
    """The servers that ACE_EXPERT_URLS names, or the one of ACE_EXPERT_URL, or none.

    Raises ValueError with a message that repeats no URL and no token.
    """
    if not urls or not urls.strip():
        return (Endpoint(ONLY, url),) if url else ()
    given = _from_json(urls) if urls.lstrip().startswith("{") else _from_words(urls)
    if len(given) > MAX_ENDPOINTS:
        raise ValueError(f"{len(given)} endpoints, the maximum is {MAX_ENDPOINTS}")
    if len({name for name, _ in given}) < len(given):
        raise ValueError("duplicate name")
    return tuple(_endpoint(name, options) for name, options in given)


def _from_json(urls: str) -> list[tuple[str, dict[str, Any]]]:
    try:
        given = json.loads(urls, object_pairs_hook=list)
    except (ValueError, RecursionError):
        raise ValueError(f"not valid JSON; the form is {_FORM}") from None
    return [(name, {"url": one} if isinstance(one, str) else _object(one)) for name, one in given]


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, list) or not all(isinstance(pair, tuple) for pair in value):
        raise ValueError(f"an endpoint must be a URL or an object; the form is {_FORM}")
    if len(dict(value)) < len(value):
        raise ValueError("an option is given twice")
    return dict(value)


def _from_words(urls: str) -> list[tuple[str, dict[str, Any]]]:
    given = []
    for one in filter(str.strip, urls.split(",")):
        pairs = [part.strip().partition("=") for part in one.split(";")]
        if not all(equals for _, equals, _ in pairs):
            raise ValueError(f"an = is missing; the form is {_FORM}")
        (name, _, url), *options = pairs
        given.append((name.strip(), {"url": url.strip(), **{key: value for key, _, value in options}}))
    return given


def _endpoint(name: str, options: dict[str, Any]) -> Endpoint:
    if not _NAME.fullmatch(name):
        raise ValueError("a name has up to 40 lower-case letters, digits, '.', '_' and '-'")
    if unknown := options.keys() - {"url", *_OPTIONS}:
        raise ValueError(f"{name}: {len(unknown)} unknown options; known are {', '.join(_OPTIONS)}")
    url = options.get("url")
    if not isinstance(url, str) or not url.startswith(("http://", "https://", "unix:///")):
        raise ValueError(f"{name}: the URL must begin with http://, https:// or unix:///")
    token, dialect = options.get("token"), options.get("dialect")
    return Endpoint(
        name,
        url,
        weight=_number(name, "weight", options.get("weight", 1), 0.001, 1_000),
        slots=int(_number(name, "slots", options["slots"], 1, 100_000)) if "slots" in options else None,
        token=str(token) if token else None,
        dialect=str(dialect) if dialect else None,
    )


def _number(name: str, option: str, value: Any, minimum: float, maximum: float) -> float:
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        number = math.nan
    if not minimum <= number <= maximum:  # also if it is NaN
        raise ValueError(f"{name}: {option} must be a number from {minimum:g} to {maximum:g}")
    return number
