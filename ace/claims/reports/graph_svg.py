"""The reference graph as a picture: one box a claim, a column a level, arrows to what is referred to.

Draws what view.py gives, as SVG 1.1 without scripts, style sheets or fonts from elsewhere. The same
graph always gives the same text. Lengths are in user units, at 12 units a line of text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple
from xml.sax.saxutils import escape

from ace.claims.reports.text import columns, visible

_BOX_WIDTH: Final = 250
_BOX_HEIGHT: Final = 44
_COLUMN: Final = _BOX_WIDTH + 70
_GAP: Final = 12
_MARGIN: Final = 24
_LEGEND_HEIGHT: Final = 34
_CHIP_HEIGHT: Final = 16
_MAX_CHIPS: Final = 4
_LINE_COLUMNS: Final = 36
"""Columns of text that surely fit beside one another in a box."""

_DASHES: Final = {"single": "", "alternative": "6 4", "range": "6 4", "cumulative": "10 3 2 3"}
_OTHER_CATEGORY_DASH: Final = "2 3"
_LEGEND: Final = (
    ("depends on", "#57606a", ""),
    ("on one of several", "#57606a", _DASHES["alternative"]),
    ("on several together", "#57606a", _DASHES["cumulative"]),
    ("refers to another category", "#57606a", _OTHER_CATEGORY_DASH),
    ("introduced there, out of reach", "#cf222e", "3 3"),
)


class _Box(NamedTuple):
    """A claim, or one that is referred to and is not there (`claim` is None)."""

    number: int
    x: int
    y: int
    height: int
    claim: Mapping[str, Any] | None
    flaws: Sequence[Mapping[str, Any]]

    @property
    def middle(self) -> int:
        return self.y + _BOX_HEIGHT // 2


def draw(graph: Mapping[str, Any]) -> str:
    """The SVG document of a graph as view.graph_as_json gives it."""
    boxes = _placed(graph)
    width = max((box.x for box in boxes.values()), default=0) + _BOX_WIDTH + _MARGIN
    width = max(width, 5 * 190 + 2 * _MARGIN)
    height = max((box.y + box.height for box in boxes.values()), default=0) + _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"',
        f' viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif" font-size="12">',
        "<title>Reference graph of the claims</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"',
        ' orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#57606a"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *_legend(),
        *_arrows(graph, boxes),
        *_rests(graph, boxes),
    ]
    gists = _gists(graph)
    for box in boxes.values():
        lines.extend(_boxed(box, gists.get(box.number, "")))
    return "\n".join([*lines, "</svg>"])


def _placed(graph: Mapping[str, Any]) -> dict[int, _Box]:
    """Every claim in the column of its level, beneath one another in the order of their trees, each
    beside the claim it first depends on where there is room."""
    claims = {claim["number"]: claim for claim in graph["claims"]}
    flaws: dict[int, list[Mapping[str, Any]]] = {}
    for finding in graph["findings"]:
        flaws.setdefault(finding["claim"], []).append(finding)
    free: dict[int, int] = {}
    boxes: dict[int, _Box] = {}
    top = _MARGIN + _LEGEND_HEIGHT
    for number, level in _in_order(graph, claims):
        found = flaws.get(number, [])
        height = _BOX_HEIGHT + _CHIP_HEIGHT * min(len(found), _MAX_CHIPS + 1)
        if level == 0:
            top = max([top, *free.values()])
        y = max([top, *(bottom for column, bottom in free.items() if column >= level)])
        x = _MARGIN + level * _COLUMN
        boxes[number] = _Box(number, x, y, height, claims.get(number), found)
        free[level] = y + height + _GAP
    return boxes


def _in_order(graph: Mapping[str, Any], claims: Mapping[int, Any]) -> Iterator[tuple[int, int]]:
    """Numbers with their levels, each claim behind the first one that it refers to; last the numbers
    that are referred to and are not there."""
    children: dict[int, list[int]] = {}
    below: set[int] = set()
    lost: dict[int, None] = {}
    for dependency in graph["dependencies"]:
        number = dependency["claim"]
        for parent in dependency["numbers"]:
            if parent not in claims:
                lost[parent] = None
            elif number not in below and claims[parent]["level"] < claims[number]["level"]:
                children.setdefault(parent, []).append(number)
                below.add(number)
    waiting = [number for number in reversed(claims) if number not in below]
    while waiting:
        number = waiting.pop()
        yield number, claims[number]["level"]
        waiting.extend(reversed(children.get(number, ())))
    for number in sorted(lost):
        yield number, 0


def _arrows(graph: Mapping[str, Any], boxes: Mapping[int, _Box]) -> Iterator[str]:
    for dependency in graph["dependencies"]:
        number = dependency["claim"]
        other = dependency["other_category"]
        dash = _OTHER_CATEGORY_DASH if other else _DASHES[dependency["manner"]]
        title = f"claim {number}: {visible(dependency['quote'])}"
        for parent in dependency["numbers"]:
            if parent != number:
                lost = boxes[parent].claim is None
                colour = "#cf222e" if lost else "#57606a"
                yield _path(_curve(boxes[number], boxes[parent]), colour, dash, title, tip=True)


def _rests(graph: Mapping[str, Any], boxes: Mapping[int, _Box]) -> Iterator[str]:
    """From each phrase that is a finding to the claims that introduce it where it cannot be seen."""
    flawed = {(finding["claim"], finding["start"]) for finding in graph["findings"]}
    drawn: set[tuple[int, int]] = set()
    for proof in graph["proofs"]:
        number = proof["claim"]
        if (number, proof["start"]) not in flawed:
            continue
        for there in proof["candidates"]:
            pair = (number, there["claim"])
            if there["claim"] == number or pair in drawn or there["claim"] not in boxes:
                continue
            drawn.add(pair)
            title = (
                f"{visible(proof['quote'])} (claim {number}): {visible(there['quote'])}"
                f" in claim {there['claim']}"
            )
            path = _bow(boxes[number], boxes[there["claim"]], below=12)
            yield _path(path, "#cf222e", "3 3", title)


def _curve(child: _Box, parent: _Box) -> str:
    """From the left side of a box to the right side of one in a column before it, else beside both."""
    if parent.x >= child.x:
        return _bow(child, parent)
    start, end = child.x, parent.x + _BOX_WIDTH
    bend = min(40, (start - end) // 2)
    return (
        f"M{start} {child.middle} C{start - bend} {child.middle} {end + bend} {parent.middle}"
        f" {end} {parent.middle}"
    )


def _bow(one: _Box, other: _Box, *, below: int = 0) -> str:
    """Between the right sides of two boxes, outside of them, so far below their middles."""
    start, end = one.x + _BOX_WIDTH, other.x + _BOX_WIDTH
    out = max(start, end) + 46
    first, last = one.middle + below, other.middle + below
    return f"M{start} {first} C{out} {first} {out} {last} {end} {last}"


def _boxed(box: _Box, gist: str) -> Iterator[str]:
    if box.claim is None:
        yield f"<g><title>claim {box.number} is referred to, but does not exist</title>"
        yield _rect(box, fill="#ffffff", stroke="#cf222e", dash="4 3")
        yield _text(box.x + 10, box.y + 18, f"claim {box.number}", fill="#cf222e", weight="bold")
        yield _text(box.x + 10, box.y + 35, "not in this set", fill="#cf222e")
        yield "</g>"
        return
    gone = box.claim["status"] in {"canceled", "not_entered"}
    stroke = "#cf222e" if box.flaws else "#8c959f"
    fill = "#eaeef2" if gone else "#ddf4ff" if box.claim["level"] == 0 else "#f6f8fa"
    status = "" if box.claim["status"] is None else f" ({box.claim['status'].replace('_', ' ')})"
    yield f"<g><title>{escape(_tooltip(box))}</title>"
    yield _rect(box, fill=fill, stroke=stroke)
    yield _text(box.x + 10, box.y + 18, f"claim {box.number}{status}", weight="bold")
    yield _text(box.x + 10, box.y + 35, _cut(gist), fill="#57606a")
    for place, flaw in enumerate(box.flaws[:_MAX_CHIPS]):
        words = _cut(f"{flaw['subtype'].replace('_', ' ')}: {flaw['quote']}")
        yield _text(box.x + 10, box.y + _BOX_HEIGHT + 7 + place * _CHIP_HEIGHT, words, fill="#cf222e")
    if len(box.flaws) > _MAX_CHIPS:
        more = f"and {len(box.flaws) - _MAX_CHIPS} more"
        yield _text(box.x + 10, box.y + _BOX_HEIGHT + 7 + _MAX_CHIPS * _CHIP_HEIGHT, more, fill="#cf222e")
    yield "</g>"


def _gists(graph: Mapping[str, Any]) -> dict[int, str]:
    """What each claim is about: how it begins or, where it depends, what it adds."""
    texts = {claim["number"]: str(claim["text"]) for claim in graph["claims"]}
    gists = dict(texts)
    for each in reversed(graph["dependencies"]):  # the first reference of a claim is the last to count
        number = each["claim"]
        if not each["other_category"]:
            gists[number] = texts[number][each["end"] :].strip(" \t\n,;:") or texts[number]
    return gists


def _tooltip(box: _Box) -> str:
    claim = box.claim or {}
    paths = [path for path in claim.get("paths", ()) if len(path) > 1]
    title = [visible(str(claim.get("text", "")))]
    title += [" → ".join(str(number) for number in path) for path in paths]
    title += [f"{flaw['class']}.{flaw['subtype']}: {visible(flaw['quote'])}" for flaw in box.flaws]
    return "\n".join(title)


def _legend() -> Iterator[str]:
    x, y = _MARGIN, _MARGIN
    for title, colour, dash in _LEGEND:
        yield f'<path d="M{x} {y} h28" fill="none" stroke="{colour}"{_dashed(dash)}/>'
        yield _text(x + 34, y + 4, title, fill="#57606a", size=11)
        x += 190


def _path(way: str, colour: str, dash: str, title: str, *, tip: bool = False) -> str:
    end = ' marker-end="url(#tip)"' if tip else ""
    return (
        f'<path d="{way}" fill="none" stroke="{colour}"{_dashed(dash)}{end}>'
        f"<title>{escape(title)}</title></path>"
    )


def _rect(box: _Box, *, fill: str, stroke: str, dash: str = "") -> str:
    return (
        f'<rect x="{box.x}" y="{box.y}" width="{_BOX_WIDTH}" height="{box.height}" rx="6"'
        f' fill="{fill}" stroke="{stroke}"{_dashed(dash)}/>'
    )


def _text(
    x: int, y: int, words: str, *, fill: str = "#1f2328", weight: str = "normal", size: int = 12
) -> str:
    bold = "" if weight == "normal" else f' font-weight="{weight}"'
    sized = "" if size == 12 else f' font-size="{size}"'
    return f'<text x="{x}" y="{y}" fill="{fill}"{bold}{sized}>{escape(words)}</text>'


def _dashed(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""


def _cut(words: str) -> str:
    """The words on one line, as many as fit into a box."""
    line = visible(" ".join(words[: 4 * _LINE_COLUMNS].split()))
    room = _LINE_COLUMNS - 1
    for place, character in enumerate(line):
        room -= columns(character)
        if room < 0:
            return line[:place].rstrip() + "…" if line[place + 1 :] else line
    return line
