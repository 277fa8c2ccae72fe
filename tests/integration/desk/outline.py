"""What a browser would make of a page."""

from html.parser import HTMLParser
from typing import Any
from uuid import uuid4

from fastapi.testclient import TestClient

EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}</textarea>"
CLAIMS = (
    "1. A bracket comprising a plate and a hook fixed to the plate.\n"
    "2. The bracket of claim 1, wherein the lever is made of steel."
)


class Outline(HTMLParser):
    """What a browser would make of a page: its elements, ids, links, and the text that is shown."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_endtag(self, tag: str) -> None:
        self.text += " " * (tag in {"td", "th"})

    def all(self, attribute: str) -> list[str]:
        return [value for _, attrs in self.tags if (value := attrs.get(attribute)) is not None]

    def refuse_active(self) -> None:
        """Nothing inline, nothing of others, no id twice, no link to a place that is not there."""
        for tag, attrs in self.tags:
            assert not any(name.startswith("on") or name == "style" for name in attrs), (tag, attrs)
            assert tag not in {"style", "iframe", "object", "embed", "base"}
            assert tag != "script" or str(attrs["src"]).startswith("/assets/")
            assert tag != "img"
        ids = self.all("id")
        assert len(ids) == len(set(ids))
        for href in self.all("href"):
            assert href.startswith(("/", "#")), href
            assert not href.startswith("//")
            if href.startswith("#"):
                assert href[1:] in ids, href


def outline(answer: Any) -> Outline:
    assert answer.status_code == 200, answer.text
    made = Outline(answer.text)
    made.refuse_active()
    return made


def file(desk: TestClient, claims: str, docket: str = "P-1") -> str:
    given = {"docket": docket, "claims": claims, "key": uuid4().hex, "do": "file"}
    answer = desk.post("/submit", files={name: (None, value) for name, value in given.items()})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])
