"""Claim sets: ancestors nearest first, on any graph, and the chain that judges are given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.model import CHAIN_CUT, Claim, ClaimInput, ClaimSet
from ace.claims.taxonomy import LABELS, ErrorClass, Verdict


def set_of(graph: dict[int, tuple[int, ...]]) -> ClaimSet:
    return ClaimSet(tuple(Claim(number, f"text {number}", parents) for number, parents in graph.items()))


@pytest.mark.parametrize(
    ("graph", "number", "expected"),
    [
        ({1: ()}, 1, ()),
        ({1: (), 2: (1,), 3: (2,)}, 3, (2, 1)),
        ({1: (), 2: (1,), 3: (1,), 4: (3, 2)}, 4, (3, 2, 1)),
        ({1: (), 2: (1,), 3: (2,), 4: (1, 3)}, 4, (1, 3, 2)),
        ({1: (), 2: (9,)}, 2, ()),
        ({1: (1,)}, 1, ()),
        ({1: (2,), 2: (1,)}, 1, (2,)),
        ({1: (2,), 2: (3,), 3: (1,)}, 2, (3, 1)),
        ({1: (), 2: (3,), 3: (1,)}, 2, (3, 1)),
        ({1: ()}, 7, ()),
    ],
    ids=[
        "alone",
        "chain",
        "two parents",
        "short way first",
        "missing",
        "self",
        "pair",
        "ring",
        "forward",
        "no such",
    ],
)
def test_ancestors(graph: dict[int, tuple[int, ...]], number: int, expected: tuple[int, ...]) -> None:
    assert set_of(graph).ancestors(number) == expected


@given(st.dictionaries(st.integers(1, 12), st.lists(st.integers(1, 14), max_size=4).map(tuple), min_size=1))
def test_ancestors_of_any_graph_exist_once_and_never_include_the_claim(
    graph: dict[int, tuple[int, ...]],
) -> None:
    claims = set_of(graph)
    for number in graph:
        found = claims.ancestors(number)
        assert len(set(found)) == len(found)
        assert number not in found
        assert all(claims.get(each) is not None for each in found)


def test_a_number_stands_once() -> None:
    with pytest.raises(ValueError, match="once"):
        ClaimSet((Claim(1, "a"), Claim(1, "b")))


def test_the_input_carries_numbered_ancestors_nearest_first() -> None:
    claims = set_of({1: (), 2: (1,), 3: (2,)})
    assert claims.input_of(3) == ClaimInput(3, "text 3", ("2. text 2", "1. text 1"))


def test_a_long_chain_is_cut_at_the_far_end_and_says_so() -> None:
    claims = set_of({1: (), 2: (1,), 3: (2,)})
    room_for_one = len("2. text 2")
    assert claims.input_of(3, max_chain_characters=room_for_one).ancestors == ("2. text 2", CHAIN_CUT)


def test_asking_for_a_claim_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        set_of({1: ()}).input_of(2)


def test_labels_are_pass_and_the_five_classes_in_order() -> None:
    assert LABELS == ("pass", "antecedent", "dependency", "logical", "ambiguity", "syntax")
    assert [verdict.value for verdict in Verdict] == ["Pass", "Fail"]


def test_every_class_cites_a_law() -> None:
    assert all("U.S.C." in each.law or "CFR" in each.law for each in ErrorClass)
