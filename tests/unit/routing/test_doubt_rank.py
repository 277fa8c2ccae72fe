"""Doubt as a person reads it: its rank among the claims of its record, and from where claims escalate."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ace.gatekeeper.loading import FOR_ANY_EXPERT, FOR_EXAMINER, SHIPPED_MODEL
from ace.routing.calibration import Calibration, CurvePoint, record_file
from ace.routing.doubt_rank import Scale, bound_words, rank_cell, rank_words
from ace.routing.record_files import records_beside

POINTS = ((0.0, 0.6), (0.1, 0.5), (0.2, 0.4), (0.5, 0.2), (0.8, 0.1), (0.8, 0.1))
CURVE = tuple(CurvePoint(escalation, tau, 0.9, 0.9) for escalation, tau in POINTS)
RECORD = Calibration("", "by hand", "u", 0.4, 0.2, 1.0, "rev", "hash", 100, CURVE).sealed()
SILENT = replace(RECORD, score="margin", tau=1.0, escalation=0.0)
OPEN = replace(RECORD, tau=0.6, escalation=0.0)
ALL = replace(RECORD, tau=0.0, escalation=1.0)
EVERY = "more doubtful than every claim of its calibration"
SHIPPED = [
    Calibration.load(record_file(SHIPPED_MODEL, named))
    for named in (FOR_ANY_EXPERT, FOR_EXAMINER, Path("strong"))
]


@pytest.mark.parametrize(
    ("record", "doubt", "words", "cell"),
    [
        (RECORD, 0.0, "among the 20 % least doubtful claims; claims escalate from 80 %", "≤ 20 %"),
        (RECORD, 0.1, "among the 20 % least doubtful claims; claims escalate from 80 %", "≤ 20 %"),
        (RECORD, 0.15, "more doubtful than 35 % of claims; claims escalate from 80 %", "35 %"),
        (
            RECORD,
            0.4,
            "more doubtful than 79 % of claims; claims escalate from 80 %",
            "79 %",
        ),
        (RECORD, 0.401, "more doubtful than 80 % of claims; claims escalate from 80 %", "80 %"),
        (RECORD, 0.599, "more doubtful than 99 % of claims; claims escalate from 80 %", "99 %"),
        (
            RECORD,
            0.61,
            f"{EVERY}; claims escalate from 80 %",
            "99 %",
        ),
        (SILENT, 0.3, "more doubtful than 65 % of claims; this record asks no expert", "65 %"),
        (SILENT, -0.305, "among the 20 % least doubtful claims; this record asks no expert", "≤ 20 %"),
        (
            OPEN,
            0.61,
            f"{EVERY}; claims escalate from 100 %",
            "100 %",
        ),
        (ALL, 0.3, "more doubtful than 65 % of claims; every claim escalates", "65 %"),
    ],
)
def test_a_doubt_is_ranked_among_the_claims_of_its_record(
    record: Calibration, doubt: float, words: str, cell: str
) -> None:
    assert rank_words(record, doubt, record.tau, record.score) == words
    assert rank_cell(record, doubt, record.tau) == cell


@pytest.mark.parametrize(
    ("doubt", "tau", "score", "words", "cell"),
    [
        (0.2, 0.1, "u", "more doubtful than the bound from which claims escalate", "above bound"),
        (0.1, 0.1, "u", "not more doubtful than the bound from which claims escalate", "below bound"),
        (-0.3, 1.0, "gain", "this record asks no expert", "below bound"),
        (0.3, 0.7, "u", "this record asks no expert", "below bound"),  # ln 2, the maximum, is 0.693
        (0.3, 0.7, None, "not more doubtful than the bound from which claims escalate", "below bound"),
    ],
)
@pytest.mark.parametrize("record", [None, replace(RECORD, curve=())])
def test_without_a_curve_the_side_of_the_bound_is_named_and_raw_numbers_are_labelled(
    record: Calibration | None, doubt: float, tau: float, score: str | None, words: str, cell: str
) -> None:
    assert rank_words(record, doubt, tau, score) == f"{words} (raw doubt {doubt:.3f}, bound {tau:.3f})"
    assert rank_cell(record, doubt, tau) == cell


@pytest.mark.parametrize("record", [RECORD, SILENT, OPEN, *SHIPPED])
def test_ranks_rise_with_doubt_and_agree_with_what_escalates(record: Calibration) -> None:
    scale = Scale.of(record)
    doubts = np.linspace(-1, 1, 2_001)
    ranks = [scale.percent_below(float(doubt)) for doubt in doubts]
    assert ranks == sorted(ranks)
    if scale.from_percent is not None:
        assert [rank >= scale.from_percent for rank in ranks] == (doubts > record.tau).tolist()


def test_the_shipped_record_for_the_examiner_asks_no_expert() -> None:
    assert [bound_words(record) for record in SHIPPED] == [
        "claims escalate from 80 %",
        "this record asks no expert",
        "claims escalate from 80 %",
    ]


def test_records_are_found_by_the_ids_that_verdicts_name(tmp_path: Path) -> None:
    elsewhere = tmp_path / "other" / "mine.json"
    elsewhere.parent.mkdir()
    RECORD.save(tmp_path / "calibration.json")
    OPEN.sealed().save(elsewhere)
    (tmp_path / "calibration-broken.json").write_text("{}")
    ids = {RECORD.id, OPEN.sealed().id}
    assert records_beside(tmp_path, elsewhere).keys() == ids
    assert records_beside(tmp_path).keys() == {RECORD.id}
    assert records_beside(tmp_path / "nowhere") == {}
    assert records_beside(SHIPPED_MODEL).keys() == {record.id for record in SHIPPED}


@pytest.mark.parametrize(
    ("doubt", "words"),
    [
        (0.05, "among the 20 % of claims with which an expert would help least"),
        (0.15, "an expert would help more here than with 35 % of claims"),
        (0.9, "an expert would help more here than with any claim of its calibration"),
    ],
)
def test_a_record_of_gain_says_how_much_an_expert_would_help(doubt: float, words: str) -> None:
    record = replace(SHIPPED[1], curve=CURVE)
    assert rank_words(record, doubt, record.tau, record.score) == f"{words}; this record asks no expert"
