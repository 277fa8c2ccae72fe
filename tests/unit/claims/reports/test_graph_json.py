"""The reference graph as data, and the levels that claims are drawn on."""

import json
from typing import Any

import pytest

from ace.claims.model import Claim, ClaimSet, Status
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.reports.graph_json import graph_as_json, levels_of
from ace.claims.reports.report import checked

TEXT = """1. A bracket comprising a plate and a hook fixed to the plate.
2. The bracket of claim 1, wherein the plate is made of steel.
3. The bracket of claim 1 or 2, further comprising a lever.
4. The bracket of claim 2, wherein the lever is bent.
5. A method of making the bracket of claim 1, comprising pressing the plate.
6. The bracket of claim 9, wherein the hook is curved.
"""


@pytest.fixture(scope="module")
def graph() -> dict[str, Any]:
    reading = Reading(read_text(TEXT))
    return graph_as_json(reading, checked(reading).findings)


def numbered(*parents: tuple[int, ...]) -> ClaimSet:
    return ClaimSet(tuple(Claim(at, f"Claim {at}.", each) for at, each in enumerate(parents, 1)))


@pytest.mark.parametrize(
    ("parents", "levels"),
    [
        ([(), (1,), (2,), (1,)], [0, 1, 2, 1]),
        ([(), (1,), (1, 2)], [0, 1, 2]),
        ([(), (9,), (1, 9)], [0, 0, 1]),
        ([(1,)], [0]),
        ([(2,), ()], [1, 0]),
        ([(), (3,), (2,)], [0, 1, 0]),
    ],
    ids=["chain", "two_parents", "missing", "itself", "forward", "circle"],
)
def test_levels(parents: list[tuple[int, ...]], levels: list[int]) -> None:
    claims = numbered(*parents)
    assert [levels_of(claims)[claim.number] for claim in claims] == levels


def test_levels_of_a_long_chain_and_of_many_parents() -> None:
    chain = numbered((), *((at,) for at in range(1, 1_000)))
    assert levels_of(chain)[1_000] == 999
    many = numbered((), *(tuple(range(max(1, at - 99), at + 1)) for at in range(1, 400)))
    assert levels_of(many)[400] == 399


def test_the_graph_is_json(graph: dict[str, Any]) -> None:
    assert json.loads(json.dumps(graph)) == graph
    assert set(graph) == {"claims", "dependencies", "mentions", "proofs", "findings"}


def test_claims_have_levels_and_paths(graph: dict[str, Any]) -> None:
    told = {claim["number"]: (claim["level"], claim["paths"]) for claim in graph["claims"]}
    assert told[1] == (0, [[1]])
    assert told[3] == (2, [[3, 1], [3, 2, 1]])
    assert told[6] == (0, [[6]])


def test_dependencies_say_how_they_are_meant(graph: dict[str, Any]) -> None:
    told = {each["claim"]: each for each in graph["dependencies"]}
    assert [told[2][key] for key in ("numbers", "parents", "manner", "quote")] == [
        [1],
        [1],
        "single",
        "claim 1",
    ]
    assert (told[3]["manner"], told[3]["parents"]) == ("alternative", [1, 2])
    assert [told[number]["other_category"] for number in (2, 3, 5)] == [False, False, True]
    assert (told[6]["numbers"], told[6]["parents"]) == ([9], [])


def test_proofs_say_what_a_phrase_rests_on(graph: dict[str, Any]) -> None:
    told = {(each["claim"], each["quote"]): each for each in graph["proofs"]}
    plate = told[2, "the plate"]
    assert (plate["basis"], plate["path"]) == ("inherited", [2, 1])
    assert (plate["source"]["claim"], plate["source"]["quote"]) == (1, "a plate")
    lever = told[4, "the lever"]
    assert (lever["basis"], lever["source"]) == ("sibling_only", None)
    assert [each["claim"] for each in lever["candidates"]] == [3]


def test_every_place_quotes_the_text(graph: dict[str, Any]) -> None:
    texts = {claim["number"]: claim["text"] for claim in graph["claims"]}
    places = [*graph["dependencies"], *graph["mentions"], *graph["proofs"], *graph["findings"]]
    places += [each["source"] for each in graph["proofs"] if each["source"]]
    places += [candidate for each in graph["proofs"] for candidate in each["candidates"]]
    assert len(places) > 30
    for place in places:
        assert texts[place["claim"]][place["start"] : place["end"]] == place["quote"]


def test_findings_are_those_that_were_given(graph: dict[str, Any]) -> None:
    assert {(each["claim"], each["quote"]) for each in graph["findings"]} == {
        (4, "the lever"),
        (6, "claim 9"),
    }
    assert graph_as_json(Reading(read_text(TEXT)))["findings"] == []


def test_a_status_is_told() -> None:
    claims = ClaimSet((Claim(1, "A plate."), Claim(2, "(Canceled)", status=Status.CANCELED)))
    told = [claim["status"] for claim in graph_as_json(Reading(claims))["claims"]]
    assert told == [None, "canceled"]
