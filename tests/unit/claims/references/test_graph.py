"""The reference graph: dependencies, paths, and on how many of them something stands."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.references.ancestry import MAX_PATH_CLAIMS, Ancestry, Cover, Groups
from ace.claims.references.claim_references import parents_of
from ace.claims.references.graph import MAX_LISTED_CLAIMS, MAX_PATHS


def reading(*texts: str) -> Reading:
    return Reading(
        ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in enumerate(texts, start=1)))
    )


def test_every_reference_is_a_dependency_with_the_parents_that_exist() -> None:
    graph = reading("A pump.", "The pump of claim 1.", "The pump of claim 1, 2 or 9.").graph
    assert [(each.claim, each.parents) for each in graph.dependencies] == [(2, (1,)), (3, (1, 2))]
    assert graph.parents(3) == (1, 2)
    assert graph.parents(1) == graph.parents(77) == ()


def test_paths_lead_from_the_claim_to_an_independent_one() -> None:
    graph = reading("A pump.", "The pump of claim 1.", "The pump of claim 1 or 2.").graph
    assert graph.paths(1) == ((1,),)
    assert graph.paths(3) == ((3, 1), (3, 2, 1))


def test_paths_are_bounded_however_many_there_are() -> None:
    texts = ["A pump."] + [f"The pump of any one of claims 1 to {n}." for n in range(1, 40)]
    assert len(reading(*texts).graph.paths(40)) == MAX_PATHS


def test_a_circle_ends_a_path() -> None:
    graph = reading("The pump of claim 2.", "The pump of claim 1.").graph
    assert graph.paths(1) == ((1, 2),)


def test_cumulative_parents_stand_on_every_path() -> None:
    texts = ["A pump with a seal.", "A motor.", "A set of the pump of claim 1 and the motor of claim 2."]
    texts.append("The set of claim 3, wherein the seal is red.")
    [*_, proof] = reading(*texts).graph.proofs[4]
    assert (proof.basis.value, proof.path) == ("inherited", (4, 3, 1))


GROUPS = st.integers(1, 7).flatmap(
    lambda size: st.fixed_dictionaries(
        {
            number: st.lists(
                st.lists(
                    st.integers(1, size).filter(lambda each, number=number: each != number),
                    min_size=1,
                    max_size=3,
                ).map(tuple),
                max_size=2,
            ).map(tuple)
            if size > 1
            else st.just(())
            for number in range(1, size + 1)
        }
    )
)


def walked(groups: dict[int, Groups], number: int, held: set[int], seen: frozenset[int]) -> bool:
    """By brute force: whether, whichever alternative one takes, a claim that holds it is met."""
    if number in held:
        return True
    seen |= {number}
    return any(
        all(each not in seen and walked(groups, each, held, seen) for each in group)
        for group in groups[number]
    )


@given(GROUPS, st.sets(st.integers(1, 7)))
def test_cover_is_what_walking_all_paths_would_say(groups: dict[int, Groups], held: set[int]) -> None:
    acyclic = {
        number: tuple(g for g in each if all(p < number for p in g)) for number, each in groups.items()
    }
    ancestry = Ancestry(acyclic)
    held &= set(acyclic)
    bits = sum(ancestry.bit[each] for each in held)
    for number in acyclic:
        cover = ancestry.cover(number, bits)
        assert (cover is Cover.ALL) == walked(acyclic, number, held, frozenset())
        if cover is not Cover.ALL and not any(len(group) > 1 for each in acyclic.values() for group in each):
            assert cover is Cover.NONE


@given(GROUPS)
def test_ways_are_real_ways_even_in_circles(groups: dict[int, Groups]) -> None:
    ancestry = Ancestry(groups)
    assert sorted(ancestry.order) == sorted(groups)
    for number in groups:
        for target in groups:
            way = ancestry.path_to(number, target)
            assert all(b in {p for group in groups[a] for p in group} for a, b in pairwise(way))
            assert not way or (way[0], way[-1]) == (number, target)


def test_paths_of_long_chains_are_cut() -> None:
    last = 3 * MAX_PATH_CLAIMS
    chain: dict[int, Groups] = {number: ((number - 1,),) if number > 2 else () for number in range(1, last)}
    ancestry = Ancestry({**chain, last: ((1, last - 1),)})
    assert ancestry.path_to(last, 2) == (*range(last, last - MAX_PATH_CLAIMS + 1, -1), 2)
    assert ancestry.path_to(MAX_PATH_CLAIMS + 1, 2) == tuple(range(MAX_PATH_CLAIMS + 1, 1, -1))
    assert ancestry.paths_without(last, ancestry.bit[2]) == ((last, 1),)
    texts = ["A lamp.", *(f"The lamp of claim {number - 1}." for number in range(2, last))]
    graph = reading(*texts).graph
    assert graph.paths(last - 1) == (tuple(range(last - 1, last - 1 - MAX_PATH_CLAIMS, -1)),)


def test_few_long_paths_are_listed_for_a_claim() -> None:
    texts = ["A lamp.", "The lamp of claim 1."]
    texts += [f"The lamp of claim {number - 1} or {number - 2}." for number in range(3, 200)]
    graph = reading(*texts).graph
    assert sum(map(len, graph.paths(199))) < MAX_LISTED_CLAIMS + MAX_PATH_CLAIMS
