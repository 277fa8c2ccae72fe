"""One spelling of white space, quotes and dashes, for every text the gatekeeper reads.

Training rows of all classes and claims at runtime go through the same function: if only edited rows were
normalised, the gatekeeper would learn the normaliser. Findings never use this text; their offsets refer
to the claim as filed.
"""

import re
from typing import Final

from ace.claims.language.combining_marks import nfc

_SINGLE: Final = dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032"), "'")
_DOUBLE: Final = dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033"), '"')
_DASHES: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2212"), "-")
_INVISIBLE: Final[dict[int, str | None]] = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\ufeff"))
_TABLE: Final[dict[int, str | None]] = {**_SINGLE, **_DOUBLE, **_DASHES, **_INVISIBLE}
_SPACE: Final = re.compile(r"\s+")
_SPACE_BEFORE_POINT: Final = re.compile(r" ([,;:.])(?=\s|$)")


def canonical(text: str) -> str:
    """The text in NFC with straight quotes, plain hyphens and single spaces; idempotent."""
    text = nfc(text.translate(_TABLE))
    return _SPACE_BEFORE_POINT.sub(r"\1", _SPACE.sub(" ", text).strip())
