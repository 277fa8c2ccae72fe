"""Objects, pictures and drawings of a Word document: which of them show what a claim may say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ace.claims.readers.lost_parts import Lost, shown_by

GRAPHICS: Final = frozenset({"object", "pict", "drawing"})
"""Elements that hold one."""
_PICTURES: Final = frozenset({"imagedata", "OLEObject", "blip", "pic", "chart", "relIds"})


@dataclass(slots=True)
class Graphic:
    """An object, picture or drawing that is open, with what is known of it; `text`: it holds a text box."""

    name: str
    text: bool = False
    words: list[str] = field(default_factory=list)
    picture: bool = False
    shape: bool = False

    def take(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element in it opens."""
        self.picture = self.picture or name in _PICTURES
        self.shape = self.shape or name == "graphicData"
        self.words += (attributes[key] for key in ("ProgID", "descr", "title") if key in attributes)

    @property
    def lost(self) -> Lost | None:
        """What it shows that is no text; None for mere shapes and text boxes."""
        bare = self.name == "object" or (self.name == "drawing" and not self.shape)
        return shown_by(*self.words) if self.picture or (bare and not self.text) else None
