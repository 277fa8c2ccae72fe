"""The report as a page and as Markdown: everything told, nothing broken by what is missing or hostile."""

import math
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from markdown_it import MarkdownIt

from ace_lab.reports.page import markdown, render

from .report_sample import REPORT

VOID = {"meta", "img", "br", "hr", "link"}
SVG = '<?xml version="1.0"?>\n<!DOCTYPE svg>\n<svg xmlns="http://www.w3.org/2000/svg"><script>boo()</script></svg>'
HOSTILE = '</td><script>alert(1)</script>|\n"&amp;`*'


class Page(HTMLParser):
    """The text of a page by rows and captions; fails where a tag is not closed in its place."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.captions: list[str] = []
        self.headings: list[str] = []
        self.lines: list[list[str]] = []
        self.paper: list[str] = []
        self.images: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self._open: list[tuple[str, str]] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids.add(given.get("id", ""))
        if tag == "img":
            self.images.append(given["src"])
        if tag == "a":
            self.links.append(given["href"])
        if tag == "tr":
            self.lines.append([])
        for kind, found in (("caption", self.captions), ("h2", self.headings)):
            if tag == kind:
                found.append("")
        if tag in {"td", "th"}:
            self.lines[-1].append("")
        if tag not in VOID:
            self._open.append((tag, given.get("class", "")))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        tag = self._open[-1][0] if self._open else ""
        if tag == "caption":
            self.captions[-1] += data
        if tag == "h2":
            self.headings[-1] += data
        if any(one in {"td", "th"} for one, _ in self._open):
            self.lines[-1][-1] += data
        if any("paper" in classes.split() for _, classes in self._open):
            self.paper.append(data)


def line_of(page: Page, name: str) -> list[str]:
    return next(line for line in page.lines if line and line[0] == name)


def with_strings(value: Any, text: str) -> Any:
    """The same with every string replaced, keys included."""
    if isinstance(value, dict):
        return {key: with_strings(one, text) for key, one in value.items()}
    if isinstance(value, list):
        return [with_strings(one, text) for one in value]
    return text if isinstance(value, str) else value


def test_a_whole_report() -> None:
    page = Page(render(REPORT, {}))
    assert page.headings[0] == "What was asked for"
    assert page.headings[-1] == "Notes"
    assert len(page.headings) == 18
    gatekeeper = line_of(page, "gatekeeper")
    assert gatekeeper[1:3] == ["94.12 %93.02 to 95.32", "93.12 %92.02 to 94.32"]
    assert gatekeeper[-3:] == ["91.65 %", "91.58 %", "97.16 %"]  # beside it, the paper's
    assert line_of(page, "temperature") == ["temperature", "1.31"]
    assert line_of(page, "six-class entropy")[-1] == "-0.0004-0.0007 to -0.0001"
    assert "+0.5 points-0.4 to +1.3" in [cell for line in page.lines for cell in line]
    assert "6.0 points4.1 to 7.9" in [cell for line in page.lines for cell in line]
    assert line_of(page, "train")[1:3] == ["32,000", "2,461"]
    assert {f"#{one}" for one in page.ids} >= set(page.links)


def test_captions_say_how_many_and_of_which_split() -> None:
    captions = Page(render(REPORT, {})).captions
    assert "Results, claim by claim (n = 4,812 claims; split: test)" in captions
    assert "Results, 5 to 15 defects of one class in a set (n = 640 claim sets; split: test.sets)" in captions
    assert "A claim against its own sound twin (n = 2,400 pairs; split: test)" in captions


def test_what_was_missed_stands_first() -> None:
    page = render(REPORT, {})
    outcomes = [line[0] for line in Page(page).lines if line[0] in {"met", "missed", "not measured"}]
    assert outcomes == ["missed", "not measured", "met", "met"]
    assert "<strong>1 of 4 aims is missed.</strong>" in page
    assert page.index("Drop on unknown injectors") < page.index("Results, claim by claim")
    assert markdown(REPORT).index("| missed |") < markdown(REPORT).index("| met |")


def test_the_paper_s_numbers_are_marked_and_ours_are_not() -> None:
    page = Page(render(REPORT, {}))
    marked = " ".join(page.paper)
    for number in ("91.58 %", "$1,247", "82.77 %", "86.30 %", "< 0.002", "8.20 %", "34.85 %"):
        assert number in marked
    assert "93.12 %" not in marked
    assert "different data sets" in render(REPORT, {})
    alone = {key: value for key, value in REPORT.items() if key != "paper"}
    assert Page(render(alone, {})).paper == []
    assert "†" not in render(alone, {})
    assert "†" not in markdown(alone)


def test_a_page_is_of_one_piece() -> None:
    page = render(REPORT, {"roc": SVG})
    assert re.findall(r"""(?:src|href)=["'](?!data:|#)""", page) == []
    assert "@import" not in page
    assert "url(" not in page


def test_pictures_stand_where_they_belong_and_run_nothing() -> None:
    page = render(REPORT, {"roc": SVG, "histogram_of_u": SVG, "reliability": "no picture", "classes": ""})
    assert "<script" not in page
    assert len(Page(page).images) == 2
    assert all(one.startswith("data:image/svg+xml;base64,") for one in Page(page).images)
    assert page.index('id="main"') < page.index("Sensitivity against false alarms") < page.index('id="sets"')
    assert page.index('id="figures"') < page.index("histogram of u")
    without = {key: value for key, value in REPORT.items() if key != "main"}
    assert 'id="figures"' in render(without, {"roc": SVG})


def test_everything_is_escaped() -> None:
    hostile = with_strings(REPORT, HOSTILE)
    hostile[HOSTILE] = hostile["speed"][HOSTILE] = hostile["model"][HOSTILE] = HOSTILE
    page = render(hostile, {HOSTILE: SVG})
    assert "<script" not in page
    assert page.count("&lt;script&gt;") > 50
    Page(page)
    shown = MarkdownIt("commonmark").enable("table").render(markdown(hostile))
    assert "<script" not in shown
    assert shown.count("<table>") == markdown(hostile).count("\n| ---")


@pytest.mark.parametrize("key", [*REPORT, "all of it"])
def test_a_report_without_a_part_shows_the_rest(key: str) -> None:
    rest = {} if key == "all of it" else {name: value for name, value in REPORT.items() if name != key}
    page = Page(render(rest, {}))
    whole = Page(render(REPORT, {}))
    assert set(page.headings) <= set(whole.headings)
    gone = 18 if key == "all of it" else int(key != "paper")
    assert len(page.headings) == 18 - gone
    assert markdown(rest).count("## ") <= markdown(REPORT).count("## ")


JUNK: list[Any] = [
    None,
    3,
    math.nan,
    "text",
    [],
    {},
    [1, None],
    {"rows": 3},
    {"rows": [{}]},
    {"rows": [{"name": None, "macro_f1": "?", "intervals": [1, 2], "gatekeeper": 3, "labels": []}]},
    {"single": 1, "sets": [], "metrics": [1], "scores": {"a": 1}, "mean": 2, "splits": {"test": 4}},
    {
        "rows": [
            {"name": "x", "macro_f1": math.nan, "accuracy": True, "intervals": {"macro_f1": [math.nan, 1]}}
        ]
    },
]


@pytest.mark.parametrize("junk", JUNK)
def test_no_part_of_another_shape_breaks_a_report(junk: Any) -> None:
    rest = {"sets": REPORT["sets"], "paper": REPORT["paper"]}
    for key in REPORT:
        Page(render({**rest, key: junk}, {"roc": SVG}))
        assert markdown({**rest, key: junk})


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.12345, "12.35 %"),
        (1, "100.00 %"),
        (None, "–"),
        (math.nan, "–"),
        (math.inf, "–"),
        (True, "–"),
        ("< 1 %", "< 1 %"),
    ],
)
def test_shares(value: Any, shown: str) -> None:
    other = {"name": "other", "macro_f1": 0.5}
    page = Page(render({"main": [{"name": "this", "macro_f1": value}, other]}, {}))
    assert line_of(page, "this")[1] == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (6.88, "6.88 s"),
        (0.1, "0.10 s"),
        (0.0142, "14.2 ms"),
        (3.1e-6, "3.1 µs"),
        (0, "0 µs"),
        (1310, "1,310.00 s"),
    ],
)
def test_seconds(value: float, shown: str) -> None:
    page = Page(render({"main": [{"name": "this", "seconds_per_claim": value}]}, {}))
    assert line_of(page, "this")[1] == shown


def test_columns_that_nobody_fills_are_left_out() -> None:
    page = Page(render({"sets": {"rows": [{"name": "a", "macro_f1": 0.5, "auc": None}]}}, {}))
    assert page.lines == [["judge", "macro-F1"], ["a", "50.00 %"]]


def test_markdown_is_short_and_its_tables_are_whole() -> None:
    found = markdown(REPORT)
    assert "edit_1" not in found  # a detail
    assert found.startswith("## What was asked for\n")
    assert found.count("different data sets") == 1
    tables = [part.splitlines() for part in found.split("\n\n") if part.startswith("|")]
    assert len(tables) > 15
    for lines in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
    assert MarkdownIt("commonmark").enable("table").render(found).count("<table>") == len(tables)
