"""Words of a claim that give orders to whoever examines it, as an applicant may write them for a model.

A claim says what is protected. It addresses nobody, speaks neither of its own verdict nor of the prompt, and
has no use for the marks of a chat. So whatever the expert answers about such a claim is disputed
(verification.py), whether or not it obeyed. An order in unusual words is not found.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from importlib import resources
from typing import Final

from ace.claims.language.combining_marks import nfc
from ace.claims.model import ClaimInput
from ace.expert.prompt.blocks import SPECIAL_TOKEN
from ace.expert.prompt.compliance import cut

_SHOWN_CHARACTERS: Final = 120
_TOKEN_CHARACTERS: Final = 30

_UNSEEN: Final = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0020-\U000e007f]")
"""Tag characters, and marks of direction: nobody sees them, but a model reads them."""
_SPACE: Final = re.compile(r"[^\S\n]+")


def _load() -> re.Pattern[str]:
    path = resources.files("ace.expert.prompt") / "templates" / "instructions.toml"
    lists: dict[str, list[str]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return re.compile("|".join(pattern for patterns in lists.values() for pattern in patterns))


_ORDER: Final = _load()


def instruction_in(claim: ClaimInput) -> str | None:
    """The first words of the claim, or of a claim that it depends on, that read like an order to a model."""
    orders = (_order_in(text) for text in (claim.text, *claim.ancestors))
    return next((cut(" ".join(order.split()), _SHOWN_CHARACTERS) for order in orders if order), None)


def _order_in(text: str) -> str | None:
    if unseen := len(_UNSEEN.findall(text)):
        return f"{unseen} characters that nobody sees"
    if token := SPECIAL_TOKEN.search(text):
        return text[token.start() : token.start() + _TOKEN_CHARACTERS]
    order = _ORDER.search(_as_read(text))
    return order[0] if order else None


def _as_read(text: str) -> str:
    """The text in small letters and plain spelling, without characters that are not seen."""
    seen = "".join(character for character in text if unicodedata.category(character) != "Cf")
    plain = unicodedata.normalize("NFKC", nfc(seen)).casefold()
    return _SPACE.sub(" ", plain.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
