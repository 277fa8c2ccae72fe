"""XML read as a stream, without fetching or expanding anything that it declares.

Files are untrusted: entities that a document declares are refused before they can be used, and depth, names
and attributes are bounded. A document type without declarations, as patent offices write it, is skipped; its
character names are those of HTML and ISO.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html.entities import html5
from typing import Final, NamedTuple, Protocol
from xml.parsers import expat

from ace.errors import Refused

MAX_DEPTH: Final = 200
MAX_ELEMENTS: Final = 500_000
MAX_ATTRIBUTE_CHARACTERS: Final = 20_000
MAX_ATTRIBUTES: Final = 200
MAX_TOKEN_BYTES: Final = 1 << 20
_CHUNK_BYTES: Final = 1 << 16


class Limits(NamedTuple):
    """What a document may not exceed."""

    elements: int = MAX_ELEMENTS
    attribute_characters: int = MAX_ATTRIBUTE_CHARACTERS
    token_bytes: int = MAX_TOKEN_BYTES
    """Of a tag or comment."""


PUBLISHED: Final = Limits()
"""For documents of patent offices."""
_GREEK: Final = {
    **dict(zip("abgdezikpxrtnlmos", "αβγδεζικπξρτνλμοσ", strict=True)),
    "ee": "η",
    "th": "θ",
    "ph": "φ",
    "kh": "χ",
    "ps": "ψ",
    "oh": "ω",
    "sf": "ς",
    "u": "υ",
}
"""The letters of ISOgrk1, whose entities are these names with "gr" after them."""
_CHARACTERS: Final[Mapping[str, str]] = {
    **{name.removesuffix(";"): value for name, value in html5.items()},
    **{f"{name}gr": letter for name, letter in _GREEK.items()},
    **{f"{name.capitalize()}gr": letter.upper() for name, letter in _GREEK.items()},
}
_UNKNOWN: Final = "\ufffd"


class Handler(Protocol):
    """Receives the events of a document; names are as written ("pat:Claim"), or "<namespace> <name>"."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element opens."""

    def end(self, name: str) -> None:
        """An element closes."""

    def characters(self, text: str) -> None:
        """Text, in any number of parts."""

    def instruction(self, target: str) -> None:
        """A processing instruction."""

    def unknown_character(self, name: str) -> None:
        """An unknown named character; the text has U+FFFD in its place."""


def parse(
    chunks: Iterable[bytes],
    handler: Handler,
    *,
    pointer: str,
    namespaces: bool = False,
    limits: Limits = PUBLISHED,
) -> None:
    """Passes the events of the document in `chunks` to `handler`. Raises Refused."""
    parser = expat.ParserCreate(namespace_separator=" " if namespaces else None)
    parser.buffer_text = True
    guard = _Guard(parser, handler, pointer, limits)
    given = 0
    try:
        for piece in _growing(chunks, parser):
            parser.Parse(piece, False)
            given += len(piece)
            if given - parser.CurrentByteIndex > limits.token_bytes:
                message = f"a tag or comment is longer than {limits.token_bytes} bytes"
                raise refusal("attribute_too_long", message, pointer, limits.token_bytes)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise refusal(
            "malformed_xml", f"not well-formed XML at line {error.lineno}: {what}", pointer
        ) from None
    except (ValueError, LookupError, RecursionError):
        raise refusal("malformed_xml", "the XML is in an encoding that cannot be read", pointer) from None
    finally:
        guard.release()


def _growing(chunks: Iterable[bytes], parser: expat.XMLParserType) -> Iterator[bytes]:
    """The document in pieces, each at least as long as what the parser has not consumed.

    It reads a tag without an end again from its beginning with every piece, so that short pieces would take
    quadratic time.
    """
    held = bytearray()
    given = 0
    for chunk in chunks:
        for at in range(0, len(chunk), _CHUNK_BYTES):
            held += chunk[at : at + _CHUNK_BYTES]
            if len(held) >= given - parser.CurrentByteIndex:
                given += len(held)
                yield bytes(held)
                held.clear()
    yield bytes(held)


def refusal(code: str, message: str, pointer: str, limit: int | None = None) -> Refused:
    """The error that refuses a file."""
    return Refused(message, code=code, pointer=pointer, limit=limit)


class _Guard:
    """Stands between the parser and the handler, and refuses what exceeds a limit."""

    def __init__(self, parser: expat.XMLParserType, handler: Handler, pointer: str, limits: Limits) -> None:
        self._parser = parser
        self._handler = handler
        self._pointer = pointer
        self._limits = limits
        self._depth = 0
        self._elements = 0
        parser.UseForeignDTD(True)
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = handler.characters
        parser.ProcessingInstructionHandler = self._instruction
        parser.EntityDeclHandler = self._entity
        parser.AttlistDeclHandler = self._declaration
        parser.SkippedEntityHandler = self._skipped

    def release(self) -> None:
        """Removes the references from the parser to this object."""
        for name in ("StartElement", "EndElement", "CharacterData", "ProcessingInstruction"):
            setattr(self._parser, f"{name}Handler", None)
        self._parser.EntityDeclHandler = None
        self._parser.AttlistDeclHandler = None
        self._parser.SkippedEntityHandler = None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > MAX_DEPTH:
            message = f"the XML nests elements more than {MAX_DEPTH} levels deep"
            raise refusal("xml_too_deep", message, self._pointer, MAX_DEPTH)
        if self._elements > self._limits.elements:
            message = f"the XML has more than {self._limits.elements} elements"
            raise refusal("xml_too_large", message, self._pointer, self._limits.elements)
        if len(attributes) > MAX_ATTRIBUTES:
            message = f"an element has more than {MAX_ATTRIBUTES} attributes"
            raise refusal("too_many_attributes", message, self._pointer, MAX_ATTRIBUTES)
        longest = self._limits.attribute_characters
        if attributes and max(map(len, attributes.values())) > longest:
            message = f"an attribute is longer than {longest} characters"
            raise refusal("attribute_too_long", message, self._pointer, longest)
        self._handler.start(name, attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._handler.end(name)

    def _instruction(self, target: str, data: str) -> None:
        self._handler.instruction(target)

    def _entity(
        self,
        name: str,
        is_parameter: bool,
        value: str | None,
        base: str | None,
        system: str | None,
        public: str | None,
        notation: str | None,
    ) -> None:
        # Older grants declare their drawings in this way; they are never parsed, and harmless.
        if is_parameter or value is not None or notation is None:
            self._declaration()

    def _declaration(self, *_: object) -> None:
        message = (
            "the XML declares entities or attributes of its own; remove the declarations from its DOCTYPE"
        )
        raise refusal("entities_declared", message, self._pointer)

    def _skipped(self, name: str, is_parameter: bool) -> None:
        known = _CHARACTERS.get(name)
        if known is None:
            self._handler.unknown_character(name)
        self._handler.characters(_UNKNOWN if known is None else known)
