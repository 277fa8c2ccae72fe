"""The picture of the reference graph: well-formed, complete, and nothing on top of anything."""

import re
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.model import Claim, ClaimSet
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of
from ace.claims.reports.graph_json import graph_as_json
from ace.claims.reports.graph_svg import draw
from ace.claims.reports.report import checked

SVG = "{http://www.w3.org/2000/svg}"
TEXT = """1. A bracket comprising a plate and a hook fixed to the plate.
2. The bracket of claim 1, wherein the plate is made of <steel> & brass.
3. The bracket of claim 1 or 2, further comprising a lever.
4. The bracket of claim 2, wherein the lever is bent.
5. A method of making the bracket of claim 1, comprising pressing the plate.
6. The bracket of claim 9, wherein the hook is curved.
7. The bracket of claims 1 and 2, wherein the hook is curved.
"""


def drawn(claims: ClaimSet) -> str:
    reading = Reading(claims)
    return draw(graph_as_json(reading, checked(reading).findings))


@pytest.fixture(scope="module")
def picture() -> ET.Element:
    return ET.fromstring(drawn(read_text(TEXT)))  # noqa: S314 our own


def words(element: ET.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def boxes(picture: ET.Element) -> list[tuple[int, int, int, int]]:
    rects = [group.find(f"{SVG}rect") for group in picture.iter(f"{SVG}g")]
    return [
        tuple(int(rect.get(key, "")) for key in ("x", "y", "width", "height"))  # type: ignore[misc]
        for rect in rects
        if rect is not None
    ]


def told(picture: ET.Element) -> dict[str, list[ET.Element]]:
    """Paths by their titles."""
    paths: dict[str, list[ET.Element]] = {}
    for path in picture.iter(f"{SVG}path"):
        if (title := path.find(f"{SVG}title")) is not None:
            paths.setdefault(title.text or "", []).append(path)
    return paths


def test_every_claim_has_a_box_with_what_it_adds(picture: ET.Element) -> None:
    shown = words(picture)
    for number in range(1, 8):
        assert f"claim {number}" in shown
    assert "wherein the lever is bent." in shown
    assert "A bracket comprising a plate and…" in shown


def test_a_claim_that_is_not_there_is_drawn_as_such(picture: ET.Element) -> None:
    assert words(picture)[-2:] == ["claim 9", "not in this set"]


def test_a_claim_that_refers_to_one_that_is_not_there_looks_broken(picture: ET.Element) -> None:
    found = [group.find(f"{SVG}rect") for group in picture.iter(f"{SVG}g")]
    broken = [rect for rect in found if rect is not None and rect.get("fill") == "#ffebe9"]
    assert [(rect.get("stroke"), rect.get("stroke-dasharray")) for rect in broken] == [("#cf222e", "4 3")]
    graph: dict[str, Any] = graph_as_json(Reading(read_text(TEXT)))  # without its findings
    assert "there is no claim 9" in words(ET.fromstring(draw(graph)))  # noqa: S314 our own


def test_findings_are_written_into_the_boxes(picture: ET.Element) -> None:
    shown = words(picture)
    assert "sibling only: the lever" in shown
    assert "nonexistent: claim 9" in shown


def test_arrows_differ_by_manner(picture: ET.Element) -> None:
    paths = told(picture)
    dashes = {name: {path.get("stroke-dasharray") for path in found} for name, found in paths.items()}
    assert dashes["claim 2: claim 1"] == {None}
    assert dashes["claim 3: claim 1 or 2"] == {"6 4"}
    assert len(paths["claim 3: claim 1 or 2"]) == 2
    assert dashes["claim 7: claims 1 and 2"] == {"10 3 2 3"}
    assert dashes["claim 5: claim 1"] == {"2 3"}
    (lost,) = paths["claim 6: claim 9"]
    assert (lost.get("stroke"), lost.get("marker-end")) == ("#cf222e", "url(#tip-lost)")
    assert "there is no such claim" in words(picture)


def test_a_phrase_points_in_red_to_where_it_is_introduced_out_of_reach(picture: ET.Element) -> None:
    (path,) = told(picture)["the lever (claim 4): a lever in claim 3"]
    assert path.get("stroke") == "#cf222e"


def test_a_box_tells_the_whole_claim_and_its_paths(picture: ET.Element) -> None:
    titles = [group.findtext(f"{SVG}title") or "" for group in picture.iter(f"{SVG}g")]
    (third,) = [title for title in titles if title.startswith("The bracket of claim 1 or 2")]
    assert "3 → 1\n3 → 2 → 1" in third


def test_nothing_comes_from_elsewhere() -> None:
    text = drawn(read_text(TEXT)).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"http|<script|<style|<image|href|@import", text)


def test_the_same_graph_gives_the_same_picture() -> None:
    assert drawn(read_text(TEXT)) == drawn(read_text(TEXT))


def test_signs_that_xml_has_not_are_not_there() -> None:
    claims = ClaimSet((Claim(1, "A plate \x0b\x1b\ufffe\u202e of steel."),))
    assert "A plate" in " ".join(words(ET.fromstring(drawn(claims))))  # noqa: S314 our own


def helvetica() -> dict[str, float]:
    """The widths of the font's characters, in thousandths of its size, from Adobe's metrics."""
    from matplotlib import get_data_path

    metrics = (Path(get_data_path()) / "fonts/afm/phvr8a.afm").read_text(encoding="latin-1")
    return {chr(int(code)): float(width) for code, width in re.findall(r"C (\d+) ; WX (\d+)", metrics)}


@pytest.mark.parametrize("sign", ["W", "m", "A", "a", "i", ".", "表", "…", "@", "—"])
def test_words_stay_in_their_box(sign: str) -> None:
    widths = helvetica()
    for line in words(ET.fromstring(drawn(ClaimSet((Claim(1, f"{sign} {sign * 9}" * 60),))))):  # noqa: S314
        assert sum(widths.get(each, 1_000) for each in line) * 12 / 1_000 <= 230, line


def test_short_words_are_not_cut() -> None:
    claims = ClaimSet((Claim(1, "A bracket and a hook."), Claim(2, "表面" * 6)))
    shown = words(ET.fromstring(drawn(claims)))  # noqa: S314 our own
    assert "A bracket and a hook." in shown
    assert "表面" * 6 in shown


def test_of_many_findings_some_are_counted() -> None:
    text = "1. A plate, wherein the rotor, the stator, the shaft, the lever, the hook and the gear are round."
    graph: dict[str, Any] = graph_as_json(Reading(read_text(text)))
    places = [match.span() for match in re.finditer(r"the \w+", text[3:])]
    graph["findings"] = [
        {
            "claim": 1,
            "start": start,
            "end": end,
            "quote": text[3:][start:end],
            "class": "antecedent",
            "subtype": "no_basis",
        }
        for start, end in places
    ]
    assert "and 2 more" in words(ET.fromstring(draw(graph)))  # noqa: S314 our own


def overlap(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


def points(way: str) -> list[tuple[float, float]]:
    """Points along a path of straight lines and round corners, some of them beyond the curve."""
    ends = [(int(x), int(y)) for x, y in re.findall(r"(-?\d+) (-?\d+)", way)]
    return [
        (x + (u - x) * step / 20, y + (v - y) * step / 20)
        for (x, y), (u, v) in pairwise(ends)
        for step in range(21)
    ]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.integers(1, 25), max_size=3), min_size=1, max_size=20))
def test_no_box_covers_another_or_an_arrow_whatever_depends_on_what(parents: list[list[int]]) -> None:
    # given claims that refer to anything, backward, forward, to themselves or to nothing
    claims = []
    for number, some in enumerate(parents, 1):
        named = " or ".join(f"claim {parent}" for parent in some)
        text = f"The plate of {named}, wherein the hook turns." if some else "A plate with a hook."
        claims.append(Claim(number, text, parents_of(text, number)))
    picture = ET.fromstring(drawn(ClaimSet(tuple(claims))))  # noqa: S314 our own
    placed = boxes(picture)
    assert len(placed) == len({*range(1, len(claims) + 1), *(p for claim in claims for p in claim.parents)})
    assert not any(overlap(one, other) for one, other in combinations(placed, 2))
    width, height = int(picture.get("width", "")), int(picture.get("height", ""))
    assert all(x + w <= width and y + h <= height for x, y, w, h in placed)
    for path in (path for found in told(picture).values() for path in found):
        for across, down in points(path.get("d", "")):
            assert 0 <= across <= width
            assert not any(x < across < x + w and y < down < y + h for x, y, w, h in placed)
