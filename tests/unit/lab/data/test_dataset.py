"""The builder: families never straddle splits, classes balance, twins are there, the seed decides."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from typing import TypeVar

import pytest

from ace.claims.model import ClaimSet
from ace.claims.taxonomy import LABELS
from ace_lab.data.dataset import DatasetPlan, build
from ace_lab.data.duplicates import NearDuplicates
from ace_lab.data.held_out_rows import held_out_injectors
from ace_lab.data.pools import SPLITS, pools, split_of
from ace_lab.data.rows import Row, SetRow
from ace_lab.held_out.mistakes import STUDIED
from ace_lab.injectors import INJECTORS, PLACEBO
from ace_lab.injectors.edits import with_text
from tests.unit.lab.families import source_sets

Labelled = TypeVar("Labelled", Row, SetRow)
PLAN = DatasetPlan(pass_rows=300, class_rows=60, seed=1)


@pytest.fixture(scope="module")
def built() -> list[Row | SetRow]:
    return list(build(pools(source_sets(70)), PLAN))


@pytest.fixture(scope="module")
def rows(built: list[Row | SetRow]) -> dict[str, list[Row]]:
    return parted(row for row in built if isinstance(row, Row))


@pytest.fixture(scope="module")
def sets(built: list[Row | SetRow]) -> dict[str, list[SetRow]]:
    return parted(row for row in built if isinstance(row, SetRow))


def parted(members: Iterable[Labelled]) -> dict[str, list[Labelled]]:
    found: dict[str, list[Labelled]] = {}
    for member in members:
        found.setdefault(member.split, []).append(member)
    return found


def test_splits_are_near_eight_one_one() -> None:
    counted = Counter(split_of(f"US{number}") for number in range(5_000))
    assert counted["train"] / 5_000 == pytest.approx(0.8, abs=0.03)
    assert counted["test"] / 5_000 == pytest.approx(0.1, abs=0.02)


def test_a_family_is_in_one_split(rows: dict[str, list[Row]], sets: dict[str, list[SetRow]]) -> None:
    for members in (rows, sets):
        for split, found in members.items():
            assert {split_of(row.family) for row in found} == {"test" if split == "held_out" else split}


def planned(rows: dict[str, list[Row]], split: str) -> list[Row]:
    """The rows of a split that the plan asks for; in train, rows of mistakes follow."""
    return rows[split][: sum(PLAN.asked(split).values())]


@pytest.mark.parametrize("split", [*SPLITS, "held_out"])
def test_each_class_has_what_was_asked_for(rows: dict[str, list[Row]], split: str) -> None:
    assert Counter(row.label for row in planned(rows, split)) == PLAN.asked(split)
    assert (planned(rows, split) == rows[split]) == (split != "train")


def test_only_studied_mistakes_are_trained_on(rows: dict[str, list[Row]]) -> None:
    studied = {family.name: family.error_class.value for family in STUDIED}
    more = rows["train"][len(planned(rows, "train")) :]
    assert len({row.edit for row in more}) > 20
    assert all(studied.get(row.edit) == row.label for row in more if row.label != "pass")
    assert all(row.edit == "none" or row.edit in studied for row in more)
    defective = sum(row.label != "pass" for row in more)
    assert 0.4 * len(more) < defective < 0.75 * len(more)
    assert all((row.label == "pass") == (not row.spans) for row in more)


def test_most_mistakes_have_their_twin_beside_them(rows: dict[str, list[Row]]) -> None:
    more = rows["train"][len(planned(rows, "train")) :]
    wrong = [at for at, row in enumerate(more) if row.label != "pass"]
    followed = [
        at
        for at in wrong
        if at + 1 < len(more) and (more[at + 1].label, more[at + 1].edit) == ("pass", more[at].edit)
    ]
    assert len(followed) > 0.6 * len(wrong)


@pytest.mark.parametrize("split", SPLITS)
def test_half_of_pass_is_placebo(rows: dict[str, list[Row]], split: str) -> None:
    edited = [row.edit != "none" for row in planned(rows, split) if row.label == "pass"]
    assert sum(edited) / len(edited) == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("split", [*SPLITS, "held_out"])
def test_every_defective_row_has_a_sound_twin(rows: dict[str, list[Row]], split: str) -> None:
    sound = {row.origin for row in planned(rows, split) if row.label == "pass"}
    assert {row.origin for row in planned(rows, split)} == sound
    assert all(row.origin.startswith(f"{row.family}/") for row in rows[split])


def test_a_defective_row_marks_its_defects_and_a_pass_row_nothing(rows: dict[str, list[Row]]) -> None:
    for row in (row for found in rows.values() for row in found):
        assert bool(row.spans) is (row.label != "pass")
        assert all(0 <= start < end <= len(row.text) for start, end in row.spans)
        assert row.generator == ("none" if row.edit == "none" else "rules")


def test_only_training_has_rows_with_more_than_one_defect(rows: dict[str, list[Row]]) -> None:
    several = Counter(row.split for row in rows["train"] + rows["test"] if len(row.spans) > 1)
    assert set(several) == {"train"}


def test_what_is_tested_apart_was_never_trained_on(rows: dict[str, list[Row]]) -> None:
    known = {injector.__name__ for choices in INJECTORS.values() for injector, _ in choices}
    unseen = {name for named in held_out_injectors().values() for name, _ in named}
    assert {row.edit for row in planned(rows, "train")} <= known | {name.__name__ for name, _ in PLACEBO} | {
        "none"
    }
    assert {row.edit for row in rows["held_out"]} <= unseen | {"none"}


def test_no_row_is_near_one_of_another_split(rows: dict[str, list[Row]]) -> None:
    known = {split: NearDuplicates(row.text for row in rows[split]) for split in SPLITS}
    for one, other in combinations(SPLITS, 2):
        assert not any(known[other].has_near(row.text) for row in rows[one])


@pytest.mark.parametrize("split", ["calibration", "test"])
def test_sets_have_five_to_fifteen_defects_of_their_class(sets: dict[str, list[SetRow]], split: str) -> None:
    counted = Counter(row.label for row in sets[split])
    assert counted["pass"] == sum(counted[label] for label in LABELS[1:])
    assert len({counted[label] for label in LABELS[1:]}) == 1
    for row in sets[split]:
        texts = dict(row.claims)
        kinds = {injector.__name__ for injector, _ in INJECTORS.get(row.label, ())}
        assert len(row.claims) >= 4  # five, of which an edit may take one
        assert (5 <= len(row.defects) <= 15) if row.label != "pass" else row.defects == ()
        assert all(one.edit in kinds and one.end <= len(texts[one.claim]) for one in row.defects)
        assert [shown.number for shown in row.inputs()] == [number for number, _ in row.claims]


def test_sound_sets_are_real_and_placebo(sets: dict[str, list[SetRow]]) -> None:
    counted = Counter(row.edit for row in sets["test"] if row.label == "pass")
    assert counted["none"] - counted["placebo"] in (0, 1)


def test_the_seed_decides_everything() -> None:
    plan = DatasetPlan(60, 12, 1)
    found = pools(source_sets(30))
    first, again, other = (list(build(found, each)) for each in (plan, plan, replace(plan, seed=2)))
    assert first == again
    assert first != other


def test_more_mistakes_are_tried_on_each_set_if_the_plan_says_so() -> None:
    found = pools(source_sets(30))
    studied = {family.name for family in STUDIED}
    none, few, many = (
        sum(row.edit in studied for row in build(found, DatasetPlan(60, 12, 1, mistakes=tried)))
        for tried in (0, 2, 10_000)
    )
    assert 0 == none < few < many


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_claims_give_fewer_rows(count: int) -> None:
    found = [
        row for row in build(pools(source_sets(count)), DatasetPlan(1_000, 200, 1)) if isinstance(row, Row)
    ]
    assert len({row.family for row in found}) <= count


def test_train_gives_up_what_test_has_and_what_depends_on_it() -> None:
    families = source_sets(60)
    tested = next(one for one in families if split_of(one.family) == "test")
    trained = next(one for one in families if split_of(one.family) == "train")
    copied = with_text(trained.claims, 2, tested.claims[1].text)
    found = pools([tested, replace(trained, claims=copied)])
    kept = [claim.number for _, claim in found.by_split["train"].claims]
    assert kept == [1, 7, 8, 9, 10]
    assert found.removed == {"train: repeats a claim with its parent": 4, "train: repeats test": 1}
    assert len(found.by_split["test"].claims) == 10


def test_of_identical_claims_of_a_split_the_first_stays() -> None:
    one = next(each for each in source_sets(60) if split_of(each.family) == "train")
    alone = ClaimSet((one.claims[1],))
    found = pools([one, replace(one, claims=alone, name=f"{one.name}#2")])
    assert len(found.by_split["train"].claims) == 10
    assert found.removed == {"train: repeats train itself": 1}
