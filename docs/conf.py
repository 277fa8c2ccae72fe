"""How Sphinx builds the docs (`make docs`): Markdown as GitHub reads it, no network, warnings are errors."""

import re
from typing import Any

from ace import __version__

project = "ACE"
author = "The ACE maintainers"
project_copyright = "2026 The ACE maintainers"
release = __version__

extensions = ["myst_parser"]
html_theme = "furo"
html_title = f"ACE {release}"
html_show_sphinx = False
myst_heading_anchors = 4  # the anchors that GitHub gives to headings
nitpicky = True
exclude_patterns = ["package-index.md"]  # what a package index shows
suppress_warnings = [
    "myst.header",  # generated reports begin below the first level
    "misc.highlighting_failure",  # there is no lexer for Mermaid
]

_SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_PAGE = re.compile(r"\]\(([\w/-]+)\.md\)")
_MARKDOWN_ABOVE = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+(?:ace/[\w/]+|[A-Z]+)\.md)\)")


def adapt(_app: Any, document: str, source: list[str]) -> None:
    """Links to Markdown outside the docs become downloads; the sections of an index page become contents."""
    text = _MARKDOWN_ABOVE.sub(r"{download}`\1 <\2>`", source[0])
    if document.rpartition("/")[2] == "index":
        for heading, section in _SECTION.findall(source[0]):
            pages = "\n".join(_PAGE.findall(section))
            text += f"\n\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{pages}\n```\n"
    source[0] = text


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("source-read", adapt)
