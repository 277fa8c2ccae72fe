"""The tree of claims at the left of a filing."""

from ace.desk.filing import DEPTH, ShownClaim, in_tree_order


def shown(number: int, parent: int | None) -> ShownClaim:
    return ShownClaim(number, parent, None, (), (), (), None)


def test_a_claim_stands_below_the_one_it_depends_on_and_one_level_deeper() -> None:
    claims = [shown(1, None), shown(2, 1), shown(3, 2), shown(4, 1), shown(5, 2), shown(6, None)]
    assert [(each.number, each.depth) for each in in_tree_order(claims)] == [
        (1, 0),
        (2, 1),
        (3, 2),
        (5, 2),
        (4, 1),
        (6, 0),
    ]


def test_long_chains_are_indented_no_further() -> None:
    chain = [shown(1, None), *(shown(number, number - 1) for number in range(2, DEPTH + 5))]
    assert [each.depth for each in in_tree_order(chain)] == [*range(DEPTH + 1), *[DEPTH] * 3]


def test_claims_that_refer_in_a_circle_are_listed_too() -> None:
    claims = [shown(1, 2), shown(2, 1), shown(3, None)]
    assert [each.number for each in in_tree_order(claims)] == [3, 1, 2]
