"""The rows that a fusion is fitted on: granted claims as they are, new mistakes in them, and sound twins."""

from dataclasses import replace
from random import Random

from ace.claims.analysis import analyse, analysis_of, as_json
from ace.claims.taxonomy import LABELS
from ace_lab.data.fusion_rows import fusion_rows
from ace_lab.data.held_out_rows import REPORTED_APART, held_out_injectors
from ace_lab.data.mistake_rows import shown_in_a_claim
from ace_lab.data.pools import Pool
from ace_lab.injectors.edits import Lexicon
from tests.unit.lab.families import source_sets


def test_granted_sets_give_every_claim_and_every_kind_of_mistake() -> None:
    granted, *filed = source_sets(3)
    pool = Pool("calibration", (replace(granted, granted=True), *filed), (), Lexicon(()))
    rows = list(fusion_rows(pool, Random(1)))

    real = [row for row in rows if row.edit == "none"]
    assert {row.label for row in real} == {"pass"}
    assert [row.text for row in real] == [claim.text for claim in granted.claims]
    assert {row.family for row in rows} == {granted.family}
    assert {row.label for row in rows} == set(LABELS)
    allowed = {name for named in held_out_injectors().values() for name, _ in named} - REPORTED_APART
    allowed |= {family.name for family in shown_in_a_claim()}
    edited = [row for row in rows if row.label != "pass"]
    assert {row.edit for row in edited} <= allowed
    assert len(edited) == len({row.edit for row in edited}) > len(allowed) / 2
    assert all(row.split == "fusion" and row.spans for row in edited)
    twins = [row for row in rows if row.label == "pass" and row.edit != "none"]
    assert len(twins) == len({row.edit for row in twins}) > 20
    assert {row.edit for row in twins} <= {family.name for family in shown_in_a_claim()}
    whole = analyse(granted.claims)
    assert [as_json(analysis_of(row.claim())) for row in real] == list(map(as_json, whole.values()))


def test_sets_that_were_only_filed_give_none() -> None:
    pool = Pool("calibration", tuple(source_sets(2)), (), Lexicon(()))
    assert list(fusion_rows(pool, Random(1))) == []
