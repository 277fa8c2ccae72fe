"""Rows of what readers labelled, and the recorded expert that is asked about them."""

import gzip
import json
from pathlib import Path

import pytest

from ace.errors import Refused
from ace_lab.calibration.recorded_expert import RecordedExpert
from ace_lab.data.rows import WRITTEN, Row
from ace_lab.readings.asking import Stored
from ace_lab.readings.corpus import Corpus, read_corpus
from ace_lab.readings.labelled_rows import UNSURE_WEIGHT, labelled_rows
from ace_lab.readings.records import EXPERT, MODEL, SOUND, ClaimReading, Defect, Edit, SetReading, Source
from tests.unit.lab.families import claim_texts


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    path = tmp_path_factory.mktemp("claims") / "claims.jsonl.gz"
    with gzip.open(path, "wt") as file:
        for family in range(40):
            claims = [{"num": number, "text": text} for number, text in claim_texts(family).items()]
            file.write(json.dumps({"patent": f"US{family}", "claims": claims}) + "\n")
    return read_corpus(path)


def source(role: str) -> Source:
    return Source(role, MODEL, "2026-11-28", "sets-0123456789ab")


def failed(corpus: Corpus, patent: str, sure: float) -> Defect:
    words = corpus.sets[patent].claims[1].text.split(" comprising")[0]
    return Defect(1, "antecedent", 0, words, "rejection", sure, "Nothing introduces it.")


def read_once(corpus: Corpus, patent: str, sure: float) -> SetReading:
    return SetReading(patent, source("examiner"), (failed(corpus, patent, sure),))


def edit_of(corpus: Corpus, patent: str, error_class: str, old: str, new: str) -> Edit:
    start = corpus.sets[patent].claims[1].text.index(old)
    return Edit(
        patent, 1, source("chemist"), start, old, new, error_class, "k", subtle=False, why="So.", mix="real"
    )


def rows_of(corpus: Corpus, folder: Path, *records: SetReading | ClaimReading | Edit) -> list[Row]:
    stored = Stored.load(folder)
    stored.add(records)
    return list(labelled_rows(corpus, stored))


def test_every_labelled_claim_is_a_row_with_the_words_of_its_defect(corpus: Corpus, tmp_path: Path) -> None:
    train, calibration, test = (corpus.of(split)[0].patent for split in ("train", "calibration", "test"))
    readings = [read_once(corpus, patent, 0.9) for patent in (train, calibration, test)]
    rows = rows_of(corpus, tmp_path, *readings)
    assert {row.split for row in rows} == {
        "train.labelled",
        "calibration.labelled",
    }  # never the test families
    for patent in (train, calibration):
        mine = [row for row in rows if row.origin.startswith(f"{patent}/")]
        assert [row.number for row in mine] == [claim.number for claim in corpus.sets[patent].claims]
        first, *others = mine
        ((start, end),) = first.spans
        assert (first.label, first.edit, first.weight) == ("antecedent", "none", 1.0)
        assert first.text[start:end] == failed(corpus, patent, 0.9).quote
        assert {row.label for row in others} == {"pass"}
    # Only rows that calibrate have the analysis of the whole set.
    assert {row.split for row in rows if row.analysis is not None} == {"calibration.labelled"}


def test_a_fail_that_its_only_reader_is_not_sure_of_counts_less(corpus: Corpus, tmp_path: Path) -> None:
    patent = corpus.of("train")[0].patent
    (first, *_) = rows_of(corpus, tmp_path, read_once(corpus, patent, 0.5))
    assert (first.label, first.weight) == ("antecedent", UNSURE_WEIGHT)


def test_written_mistakes_and_sound_edits_are_rows(corpus: Corpus, tmp_path: Path) -> None:
    patent = corpus.of("calibration")[0].patent
    text = corpus.sets[patent].claims[1].text
    edits = [
        edit_of(corpus, patent, "syntax", text[-1], ""),  # the final period
        edit_of(corpus, patent, SOUND, "comprising", "including"),
    ]
    without_period, sound = rows_of(corpus, tmp_path, *edits)
    assert (without_period.label, without_period.edit) == ("syntax", WRITTEN)
    ((start, end),) = without_period.spans
    assert start < end == len(without_period.text)  # no word is left to show: the last stands for it
    assert (sound.label, sound.spans, sound.edit) == ("pass", (), WRITTEN)


def test_a_corpus_without_the_labelled_sets_has_no_rows(corpus: Corpus, tmp_path: Path) -> None:
    patent = corpus.of("train")[0].patent
    assert rows_of(Corpus({}), tmp_path, read_once(corpus, patent, 0.9)) == []


def test_the_recorded_expert_answers_what_it_has_read(corpus: Corpus, tmp_path: Path) -> None:
    patent = corpus.of("calibration")[0].patent
    reading = ClaimReading(patent, 1, source(EXPERT), 0.9, ("antecedent",), failed(corpus, patent, 0.9))
    rows = rows_of(corpus, tmp_path, read_once(corpus, patent, 0.9), reading)
    stored = Stored.load(tmp_path)
    stored.add([reading])
    stored.save()
    expert = RecordedExpert.of(rows, tmp_path)
    assert [expert.knows(row) for row in rows] == [row.number == 1 for row in rows]
    asked = expert.examine([row.claim() for row in rows[:2]], [0, 0])
    assert asked[0] is not None
    assert (asked[0].fail, asked[0].error_class) == (True, "antecedent")
    assert asked[1] is None
    with pytest.raises(Refused, match="has read no claim"):
        RecordedExpert.of(rows[1:], tmp_path)
