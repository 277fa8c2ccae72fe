"""The reference graph as a picture: a box for each claim, a column for each level, arrows for references.

Draws what graph_json.py gives, as SVG 1.1 without scripts, style sheets or external fonts. The same graph
always gives the same text. Lengths are in user units; a line of text takes 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple
from xml.sax.saxutils import escape

from ace.claims.reports.graph_labels import fitted
from ace.claims.reports.graph_routes import GUTTER, Placed, Routes
from ace.claims.reports.text import visible

_BOX_WIDTH: Final = 250
_BOX_HEIGHT: Final = 44
_COLUMN: Final = _BOX_WIDTH + GUTTER
_PADDING: Final = 10
_GAP: Final = 12
_MARGIN: Final = 24
_LEGEND_HEIGHT: Final = 34
_CHIP_HEIGHT: Final = 16
_MAX_CHIPS: Final = 4

_DASHES: Final = {"single": "", "alternative": "6 4", "range": "6 4", "cumulative": "10 3 2 3"}
_OTHER_CATEGORY_DASH: Final = "2 3"
_LEGEND: Final = (
    ("depends on", "#57606a", ""),
    ("on one of several", "#57606a", _DASHES["alternative"]),
    ("on several together", "#57606a", _DASHES["cumulative"]),
    ("refers to another category", "#57606a", _OTHER_CATEGORY_DASH),
    ("introduced there, out of reach", "#cf222e", "3 3"),
    ("there is no such claim", "#cf222e", ""),
)
_LEGEND_STEP: Final = 210


class _Box(NamedTuple):
    """A claim, or one that is referred to but does not exist (`claim` is None). `chips` are the lines that
    say what is wrong with it; `lost` are the numbers that it refers to and that do not exist."""

    number: int
    level: int
    x: int
    y: int
    height: int
    claim: Mapping[str, Any] | None
    flaws: Sequence[Mapping[str, Any]]
    lost: Sequence[int]
    chips: Sequence[str]

    @property
    def placed(self) -> Placed:
        anchor = self.y + _BOX_HEIGHT // 2
        return Placed(self.level, self.x, self.y, _BOX_WIDTH, self.height, anchor)


def draw(graph: Mapping[str, Any]) -> str:
    """The SVG document of a graph as graph_json.graph_as_json gives it."""
    boxes = _placed(graph)
    routes = Routes(box.placed for box in boxes.values())
    width = max((box.x for box in boxes.values()), default=0) + _BOX_WIDTH + GUTTER + _MARGIN
    width = max(width, len(_LEGEND) * _LEGEND_STEP + 2 * _MARGIN)
    height = max((box.y + box.height for box in boxes.values()), default=0) + _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"',
        f' viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif" font-size="12">',
        "<title>Reference graph of the claims</title>",
        f"<defs>{_tip('tip', '#57606a')}{_tip('tip-lost', '#cf222e')}</defs>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *_legend(),
        *_arrows(graph, boxes, routes),
        *_rests(graph, boxes, routes),
    ]
    gists = _gists(graph)
    for box in boxes.values():
        lines.extend(_boxed(box, gists.get(box.number, "")))
    return "\n".join([*lines, "</svg>"])


def _placed(graph: Mapping[str, Any]) -> dict[int, _Box]:
    """Every claim in the column of its level, in the order of their trees, each beside the claim that it
    first depends on if there is room."""
    claims = {claim["number"]: claim for claim in graph["claims"]}
    flaws: dict[int, list[Mapping[str, Any]]] = {}
    for finding in graph["findings"]:
        flaws.setdefault(finding["claim"], []).append(finding)
    lost = _lost(graph, claims)
    free: dict[int, int] = {}
    boxes: dict[int, _Box] = {}
    top = _MARGIN + _LEGEND_HEIGHT
    for number, level in _in_order(graph, claims):
        found, missing = flaws.get(number, []), lost.get(number, [])
        chips = _chips(found, missing)
        height = _BOX_HEIGHT + _CHIP_HEIGHT * len(chips)
        if level == 0:
            top = max([top, *free.values()])
        y = max([top, *(bottom for column, bottom in free.items() if column >= level)])
        x = _MARGIN + level * _COLUMN
        boxes[number] = _Box(number, level, x, y, height, claims.get(number), found, missing, chips)
        free[level] = y + height + _GAP
    return boxes


def _lost(graph: Mapping[str, Any], claims: Mapping[int, Any]) -> dict[int, list[int]]:
    """By claim, the numbers that it refers to and that do not exist."""
    found: dict[int, list[int]] = {}
    for dependency in graph["dependencies"]:
        of_claim = found.setdefault(dependency["claim"], [])
        of_claim += [each for each in dependency["numbers"] if each not in claims and each not in of_claim]
    return found


def _chips(flaws: Sequence[Mapping[str, Any]], lost: Sequence[int]) -> list[str]:
    told = any(flaw["subtype"] == "nonexistent" for flaw in flaws)
    chips = [f"there is no claim {', '.join(map(str, lost))}"] if lost and not told else []
    chips += [f"{flaw['subtype'].replace('_', ' ')}: {flaw['quote']}" for flaw in flaws[:_MAX_CHIPS]]
    if len(flaws) > _MAX_CHIPS:
        chips.append(f"and {len(flaws) - _MAX_CHIPS} more")
    return chips


def _in_order(graph: Mapping[str, Any], claims: Mapping[int, Any]) -> Iterator[tuple[int, int]]:
    """Numbers with their levels, each claim after the first one that it refers to; last the numbers
    that are referred to but do not exist."""
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


def _arrows(graph: Mapping[str, Any], boxes: Mapping[int, _Box], routes: Routes) -> Iterator[str]:
    for dependency in graph["dependencies"]:
        number = dependency["claim"]
        other = dependency["other_category"]
        dash = _OTHER_CATEGORY_DASH if other else _DASHES[dependency["manner"]]
        title = f"claim {number}: {visible(dependency['quote'])}"
        for parent in dependency["numbers"]:
            if parent != number:
                lost = boxes[parent].claim is None
                colour = "#cf222e" if lost else "#57606a"
                way = routes.between(boxes[number].placed, boxes[parent].placed, lane=parent)
                yield _path(way, colour, dash, title, tip="tip-lost" if lost else "tip")


def _rests(graph: Mapping[str, Any], boxes: Mapping[int, _Box], routes: Routes) -> Iterator[str]:
    """Lines from each phrase with a finding to claims that introduce it out of its reach."""
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
            way = routes.between(
                boxes[number].placed, boxes[there["claim"]].placed, lane=there["claim"] + 3, below=12
            )
            yield _path(way, "#cf222e", "3 3", title)


def _boxed(box: _Box, gist: str) -> Iterator[str]:
    if box.claim is None:
        yield f"<g><title>claim {box.number} is referred to, but does not exist</title>"
        yield _rect(box, fill="#ffffff", stroke="#cf222e", dash="4 3")
        yield _text(box.x + _PADDING, box.y + 18, f"claim {box.number}", fill="#cf222e", weight="bold")
        yield _text(box.x + _PADDING, box.y + 35, "not in this set", fill="#cf222e")
        yield "</g>"
        return
    gone = box.claim["status"] in {"canceled", "not_entered"}
    stroke = "#cf222e" if box.chips else "#8c959f"
    plain = "#ddf4ff" if box.claim["level"] == 0 else "#f6f8fa"
    fill = "#ffebe9" if box.lost else "#eaeef2" if gone else plain
    status = "" if box.claim["status"] is None else f" ({box.claim['status'].replace('_', ' ')})"
    yield f"<g><title>{escape(_tooltip(box))}</title>"
    yield _rect(box, fill=fill, stroke=stroke, dash="4 3" if box.lost else "")
    yield _text(box.x + _PADDING, box.y + 18, _cut(f"claim {box.number}{status}", bold=True), weight="bold")
    yield _text(box.x + _PADDING, box.y + 35, _cut(gist), fill="#57606a")
    for place, words in enumerate(box.chips):
        y = box.y + _BOX_HEIGHT + 7 + place * _CHIP_HEIGHT
        yield _text(box.x + _PADDING, y, _cut(words), fill="#cf222e")
    yield "</g>"


def _gists(graph: Mapping[str, Any]) -> dict[int, str]:
    """What each claim is about: its beginning or, for a dependent claim, what it adds."""
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
        x += _LEGEND_STEP


def _tip(name: str, colour: str) -> str:
    """The head of an arrow."""
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
        f' orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{colour}"/></marker>'
    )


def _path(way: str, colour: str, dash: str, title: str, *, tip: str = "") -> str:
    end = f' marker-end="url(#{tip})"' if tip else ""
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


def _cut(words: str, *, bold: bool = False) -> str:
    """As many of the words as fit on one line of a box."""
    return fitted(words, _BOX_WIDTH - 2 * _PADDING, bold=bold)
