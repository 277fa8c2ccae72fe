"""Word documents for the tests, made with python-docx, and the parts of them that it cannot make."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import docx
from docx.oxml import parse_xml

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
CLAIMS = 91
"""The list "1." with limbs "(a)" and "(i)"."""
AGAIN = 92
"""The same list, begun again at 5."""
OTHER = 93
"""Another list "1." of its own."""
BULLETS = 94


def document() -> Any:
    """An empty document that knows the lists above."""
    made = docx.Document()
    numbering = made.part.numbering_part.element
    for definition in (
        _definition(90, ("decimal", "%1."), ("lowerLetter", "(%2)"), ("lowerRoman", "(%3)")),
        _definition(95, ("decimal", "%1.")),
        _definition(96, ("bullet", "•")),
    ):
        numbering.insert(0, parse_xml(definition))
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    for number, of, override in ((CLAIMS, 90, ""), (AGAIN, 90, restart), (OTHER, 95, ""), (BULLETS, 96, "")):
        words = f'<w:num {W} w:numId="{number}"><w:abstractNumId w:val="{of}"/>{override}</w:num>'
        numbering.append(parse_xml(words))
    return made


def _definition(number: int, *levels: tuple[str, str]) -> str:
    inner = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{how}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for at, (how, text) in enumerate(levels)
    )
    return f'<w:abstractNum {W} w:abstractNumId="{number}">{inner}</w:abstractNum>'


def listed(made: Any, text: str, number: int = CLAIMS, level: int = 0) -> Any:
    """A paragraph that Word numbers."""
    paragraph = made.add_paragraph(text)
    properties = paragraph._p.get_or_add_pPr()
    properties.append(
        parse_xml(f'<w:numPr {W}><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')
    )
    return paragraph


def insert(paragraph: Any, xml: str) -> None:
    """Appends an element of Word's to the paragraph."""
    paragraph._p.append(parse_xml(xml.replace(">", f" {W}>", 1)))


def saved(made: Any) -> bytes:
    """The document's bytes."""
    target = io.BytesIO()
    made.save(target)
    return target.getvalue()


def package(body: str, *, parts: dict[str, str] | None = None, head: str = "") -> bytes:
    """A minimal package whose document.xml has this body."""
    main = f"{head}<w:document {W}><w:body>{body}</w:body></w:document>"
    return zipped({"word/document.xml": main, **(parts or {})})


def zipped(parts: dict[str, str | bytes]) -> bytes:
    """A zip archive of these parts."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue()
