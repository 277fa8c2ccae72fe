"""Asking readers and writers, checking what they wrote, and making labels of it."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ace.claims.taxonomy import ErrorClass
from ace.errors import Refused
from ace_lab.data.rows import Row
from ace_lab.readings import asking, collecting, manifest
from ace_lab.readings.agreement import agreement, disagreements, pairs_of, tables
from ace_lab.readings.asking import BATCHES, Item, Stored, choose, write_batches
from ace_lab.readings.corpus import Corpus, edited_set, read_corpus
from ace_lab.readings.labels import claim_labels, edits_that_count, recorded_expert
from ace_lab.readings.people import readings_of
from ace_lab.readings.records import (
    CLASSES,
    EXPERT,
    MODEL,
    PERSON,
    ClaimReading,
    Defect,
    Edit,
    Labels,
    SetReading,
    Source,
    span_of,
)
from tests.unit.lab.families import claim_texts

DAY = "2026-11-28"


@pytest.fixture(scope="module")
def claims_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty claim sets, half of them granted, one of them incomplete."""
    path = tmp_path_factory.mktemp("claims") / "claims.jsonl.gz"
    with gzip.open(path, "wt") as file:
        for family in range(40):
            row = {
                "patent": f"US{family}",
                "kind": "granted" if family % 2 else "application",
                "complete": family != 39,
                "claims": [{"num": number, "text": text} for number, text in claim_texts(family).items()],
            }
            file.write(json.dumps(row) + "\n")
    return path


@pytest.fixture(scope="module")
def corpus(claims_file: Path) -> Corpus:
    return read_corpus(claims_file)


@pytest.fixture
def stored(tmp_path: Path) -> Stored:
    return Stored.load(tmp_path / "labels")


def source(role: str, reader: str = MODEL, date: str = DAY) -> Source:
    return Source(role, reader, date, "sets-0123456789ab")


def defect(corpus: Corpus, patent: str, claim: int, quote: str, sure: float = 0.9) -> Defect:
    start, end = span_of(corpus.sets[patent].claims[claim].text, quote)
    assert end > start
    return Defect(claim, "antecedent", start, quote, "rejection", sure, "Nothing introduces it.")


def read_set(corpus: Corpus, patent: str, role: str, *claims: int, sure: float = 0.9) -> SetReading:
    quotes = {1: "A rotor", 2: "further comprising", 3: "wherein"}
    text = corpus.sets[patent].claims
    words = {
        number: quote if quote in text[number].text else text[number].text for number, quote in quotes.items()
    }
    return SetReading(
        patent, source(role), tuple(defect(corpus, patent, number, words[number], sure) for number in claims)
    )


def read_claim(
    corpus: Corpus, patent: str, role: str, *, fails: bool, reader: str = MODEL, edit: str | None = None
) -> ClaimReading:
    text = corpus.sets[patent].claims[1].text
    seen = defect(corpus, patent, 1, text) if fails else None
    classes = ("antecedent",) if fails else ()
    return ClaimReading(patent, 1, source(role, reader), 0.9, classes, seen, edit)


def answers(folder: Path, name: str, rows: list[Any]) -> None:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / f"{name}.answers.jsonl").write_text("\n".join(lines) + "\n")


class TestCorpus:
    def test_holds_complete_sets_in_a_random_order_that_is_always_the_same(
        self, corpus: Corpus, claims_file: Path
    ) -> None:
        assert len(corpus.sets) == 39
        assert list(corpus.sets) == list(read_corpus(claims_file).sets)
        assert list(corpus.sets) != sorted(corpus.sets)
        assert {member.split for member in corpus.sets.values()} == {"train", "calibration", "test"}

    def test_a_file_without_a_complete_set_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "none.jsonl"
        row = {"patent": "US1", "complete": False, "claims": [{"num": 1, "text": "A lamp of claim 2."}]}
        path.write_text(json.dumps(row) + "\n")
        with pytest.raises(Refused, match="no complete claim set"):
            read_corpus(path)


class TestAsking:
    def test_a_batch_holds_its_instruction_and_the_claims(
        self, corpus: Corpus, stored: Stored, tmp_path: Path
    ) -> None:
        items = choose(corpus, stored, "sets", "train", "examiner", 5)
        batches = write_batches(corpus, stored, "sets", "examiner", items, tmp_path, prefix="b", each=2)
        assert [len(batch.items) for batch in batches] == [2, 2, 1]
        text = (tmp_path / "b-001.txt").read_text()
        assert "experienced, fair primary examiner" in text
        assert corpus.sets[items[0].patent].claims[1].text in text
        assert items[0].patent not in text  # a number gives away what a reader may remember
        assert "$" not in text.partition("#####")[0]
        assert collecting.read_batches(tmp_path) == batches

    def test_nothing_is_asked_twice_of_one_role(self, corpus: Corpus, stored: Stored) -> None:
        first, second = [item.patent for item in choose(corpus, stored, "sets", "train", "examiner", 2)]
        stored.add([read_set(corpus, first, "examiner")])
        assert choose(corpus, stored, "sets", "train", "examiner", 2) == [Item(second)]
        assert choose(corpus, stored, "sets", "train", "attorney", 2) == [Item(first), Item(second)]
        assert choose(corpus, stored, "sets", "train", "attorney", 1, unread=True) == [Item(second)]

    def test_the_first_items_can_be_left_to_another_role(self, corpus: Corpus, stored: Stored) -> None:
        every = choose(corpus, stored, "sets", "train", "examiner", 2)
        assert choose(corpus, stored, "sets", "train", "attorney", 1, skip=1) == every[1:]
        stored.add([read_set(corpus, item.patent, "examiner") for item in every])
        assert choose(corpus, stored, "mistakes", "train", "chemist", 9, skip=1) == every[1:]

    def test_claims_come_evenly_from_granted_sets_and_applications(
        self, corpus: Corpus, stored: Stored
    ) -> None:
        items = choose(corpus, stored, "claims", "train", "examiner", 20)
        granted = [item for item in items if corpus.sets[item.patent].granted]
        assert len(items) == 20
        assert len(granted) == 10
        assert len({item.patent for item in granted}) == 10

    def test_every_role_is_asked_about_the_same_claims(self, corpus: Corpus, stored: Stored) -> None:
        items = choose(corpus, stored, "claims", "train", "examiner", 3)
        read = [ClaimReading(item.patent, item.claim or 0, source("examiner"), 0.9) for item in items]
        stored.add(read[:2])
        assert choose(corpus, stored, "claims", "train", "examiner", 3) == items[2:]
        assert choose(corpus, stored, "claims", "train", EXPERT, 3) == items
        fresh = choose(corpus, stored, "claims", "train", EXPERT, 3, unread=True)
        assert len(fresh) == 3
        assert not set(fresh) & set(items[:2])

    def test_questions_are_those_of_the_experts_prompt(
        self, corpus: Corpus, stored: Stored, tmp_path: Path
    ) -> None:
        items = choose(corpus, stored, "claims", "train", "examiner", 2)
        write_batches(corpus, stored, "claims", "examiner", items, tmp_path, prefix="b")
        text = (tmp_path / "b-001.txt").read_text()
        assert "##### fixed message: system" in text
        assert text.count("##### question ") == 2
        assert f"<<<claim {items[0].claim} of 10 " in text

    def test_mistakes_are_asked_in_sets_that_were_read_and_defective_claims_are_closed(
        self, corpus: Corpus, stored: Stored, tmp_path: Path
    ) -> None:
        with pytest.raises(Refused, match="nothing is left to ask"):
            write_batches(corpus, stored, "mistakes", "chemist", [], tmp_path, prefix="b")
        patent = corpus.of("train")[0].patent
        stored.add([read_set(corpus, patent, "examiner", 2)])
        full = read_set(corpus, corpus.of("train")[1].patent, "examiner", 1)
        every = [replace(full.defects[0], claim=claim.number) for claim in corpus.sets[full.patent].claims]
        stored.add([replace(full, defects=tuple(every))])  # it has no claim to write into
        items = choose(corpus, stored, "mistakes", "train", "chemist", 9)
        assert items == [Item(patent)]
        write_batches(corpus, stored, "mistakes", "chemist", items, tmp_path, prefix="b")
        assert "closed: 2\n" in (tmp_path / "b-001.txt").read_text()

    def test_a_folder_of_batches_is_not_overwritten(
        self, corpus: Corpus, stored: Stored, tmp_path: Path
    ) -> None:
        items = choose(corpus, stored, "sets", "train", "examiner", 1)
        write_batches(corpus, stored, "sets", "examiner", items, tmp_path, prefix="b")
        with pytest.raises(Refused, match="has batches already"):
            write_batches(corpus, stored, "sets", "examiner", items, tmp_path, prefix="b")

    @pytest.mark.parametrize("mix", asking.MIXES)
    def test_a_mix_names_every_class(self, mix: asking.Mix) -> None:
        assert set(asking.MIXES[mix]) == set(CLASSES) == {member.value for member in ErrorClass}
        assert sum(asking.MIXES[mix].values()) == 40


class TestCollecting:
    @pytest.fixture
    def batch(self, corpus: Corpus, stored: Stored, tmp_path: Path) -> asking.Batch:
        items = choose(corpus, stored, "sets", "train", "examiner", 2)
        return write_batches(corpus, stored, "sets", "examiner", items, tmp_path, prefix="b")[0]

    def entry(self, **changed: Any) -> dict[str, Any]:
        sound = {"claim": 1, "class": "syntax", "quote": "comprising a rigid", "ground": "objection"}
        return {**sound, "sure": 0.8, "why": "A reason.", **changed}

    def test_what_is_sound_is_kept_and_the_rest_is_missing(
        self, corpus: Corpus, stored: Stored, batch: asking.Batch, tmp_path: Path
    ) -> None:
        answers(tmp_path, "b-001", [{"set": 1, "claims": [self.entry(quote="comprising  a\nrigid")]}])
        found = collecting.collect(corpus, stored, tmp_path, batch, DAY)
        (reading,) = found.records
        assert isinstance(reading, SetReading)
        assert reading.defects[0].quote == "comprising a rigid"
        assert (found.problems, found.missing) == ([], 1)

    @pytest.mark.parametrize(
        ("changed", "problem"),
        [
            ({"quote": "no such words"}, "does not occur"),
            ({"quote": "the"}, "times in the claim: quote more words"),
            ({"class": "style"}, "'class' is 'style'"),
            ({"ground": "none"}, "'ground' is 'none'"),
            ({"sure": 0.2}, "'sure' is 0.2"),
            ({"sure": True}, "'sure' is True"),
            ({"claim": 99}, "no claim 99"),
            ({"why": ""}, "'why' is missing"),
            ({"why": "word " * 60}, "more than 40 words"),
        ],
    )
    def test_a_wrong_entry_is_named(
        self, corpus: Corpus, stored: Stored, batch: asking.Batch, tmp_path: Path, changed: Any, problem: str
    ) -> None:
        entry = self.entry(**changed)
        answers(tmp_path, "b-001", [{"set": 1, "claims": [entry]}, {"set": 2, "claims": []}])
        found = collecting.collect(corpus, stored, tmp_path, batch, DAY)
        assert len(found.records) == 1
        assert problem in found.problems[0]

    def test_lines_that_are_no_answers_and_answers_given_twice_are_named(
        self, corpus: Corpus, stored: Stored, batch: asking.Batch, tmp_path: Path
    ) -> None:
        answers(
            tmp_path, "b-001", ["no json", {"set": 1, "claims": []}, {"set": 1, "claims": []}, {"set": 9}]
        )
        found = collecting.collect(corpus, stored, tmp_path, batch, DAY)
        assert [problem.partition(":")[0] for problem in found.problems] == ["line 1", "set 1", "set 9"]
        assert not found.records

    def test_a_fail_names_its_classes(self, corpus: Corpus, stored: Stored, tmp_path: Path) -> None:
        items = choose(corpus, stored, "claims", "train", "examiner", 3)
        (batch,) = write_batches(corpus, stored, "claims", "examiner", items, tmp_path, prefix="b")
        whole = corpus.sets[items[0].patent].claims[items[0].claim or 0].text
        fail = {"classes": ["antecedent", "syntax"], "quote": whole, "ground": "rejection", "why": "So."}
        answers(
            tmp_path,
            "b-001",
            [
                {"id": 1, "verdict": "Fail", "sure": 0.7, **fail},
                {
                    "id": 2,
                    "verdict": "Pass",
                    "sure": 0.9,
                    "classes": [],
                    "quote": "",
                    "ground": "",
                    "why": "",
                },
                {"id": 3, "verdict": "Pass", "sure": 0.9, **fail},
            ],
        )
        found = collecting.collect(corpus, stored, tmp_path, batch, DAY)
        failed, passed = found.records
        assert isinstance(failed, ClaimReading)
        assert isinstance(passed, ClaimReading)
        assert (failed.fails, failed.classes, passed.fails) == (True, ("antecedent", "syntax"), False)
        assert found.problems == ["question 3: a Fail names its classes, and a Pass none"]

    def test_edits_change_open_claims_only(self, corpus: Corpus, stored: Stored, tmp_path: Path) -> None:
        patent = corpus.of("train")[0].patent
        stored.add([read_set(corpus, patent, "examiner", 2)])
        items = choose(corpus, stored, "mistakes", "train", "chemist", 1)
        (batch,) = write_batches(
            corpus, stored, "mistakes", "chemist", items, tmp_path, prefix="b", mix="even"
        )
        edit = {"set": 1, "claim": 1, "class": "syntax", "kind": "lost word", "subtle": True, "why": "Lost."}
        answers(
            tmp_path,
            "b-001",
            [
                {**edit, "old": "comprising a rigid", "new": "a rigid"},
                {**edit, "claim": 2, "old": "further comprising", "new": "further"},
                {**edit, "old": "comprising a rigid", "new": "comprising a rigid"},
            ],
        )
        found = collecting.collect(corpus, stored, tmp_path, batch, DAY)
        assert found.problems == ["set 1: claim 2 is closed", "set 1: 'new' is the same as 'old', or no text"]
        stored.add(found.records)
        (kept,) = stored.edits
        assert kept.mix == "even"
        edited = edited_set(corpus.sets[patent], kept).claims[0].text
        assert edited == corpus.sets[patent].claims[1].text.replace("comprising a rigid", "a rigid")

    def test_a_folder_without_batches_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(Refused, match=BATCHES):
            collecting.read_batches(tmp_path)
        (tmp_path / BATCHES).write_text("{}\n")
        with pytest.raises(Refused, match="not a list of batches"):
            collecting.read_batches(tmp_path)


class TestStored:
    def test_what_is_saved_is_read_back_and_the_bytes_are_the_same(
        self, corpus: Corpus, stored: Stored, tmp_path: Path
    ) -> None:
        patent = corpus.of("train")[0].patent
        readings: list[SetReading | ClaimReading | Edit] = [
            read_set(corpus, patent, "examiner", 1, 2),
            read_claim(corpus, patent, EXPERT, fails=True),
        ]
        assert stored.add(readings) == 2
        stored.save()
        again = Stored.load(tmp_path / "labels")
        assert [*again.sets, *again.claims] == readings
        before = again.sets.path.read_bytes()
        assert again.add(readings) == 0
        again.save()
        assert again.sets.path.read_bytes() == before

    def test_a_damaged_file_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "sets.jsonl.gz"
        path.write_bytes(gzip.compress(b'{"patent": 1}\n'))
        with pytest.raises(Refused, match=r"line 1 of .*sets\.jsonl\.gz"):
            Labels[SetReading]("sets", tmp_path)
        path.write_bytes(b"no gzip")
        with pytest.raises(Refused, match="cannot be read"):
            Labels[SetReading]("sets", tmp_path)

    def test_the_shipped_labels_quote_what_their_classes_allow(self) -> None:
        shipped = Stored.load()
        defects = [found for reading in shipped.sets for found in reading.defects]
        assert defects
        assert {found.error_class for found in defects} <= set(CLASSES)
        assert all(len(found.why.split()) <= collecting.MAX_WORDS for found in defects)


class TestLabels:
    def test_one_reading_fails_a_claim_only_if_it_is_certain(self, corpus: Corpus, stored: Stored) -> None:
        first, second = [member.patent for member in corpus.of("train")[:2]]
        stored.add(
            [read_set(corpus, first, "examiner", 1), read_set(corpus, second, "examiner", 1, sure=0.6)]
        )
        labels = claim_labels(corpus, stored)
        assert labels[first, 1].fails
        assert not labels[first, 2].fails
        assert (second, 1) not in labels

    def test_two_readings_that_differ_make_no_label_and_a_third_decides(
        self, corpus: Corpus, stored: Stored
    ) -> None:
        patent = corpus.of("train")[0].patent
        stored.add([read_set(corpus, patent, "examiner", 1, 2), read_set(corpus, patent, "attorney", 1)])
        labels = claim_labels(corpus, stored)
        assert labels[patent, 1].fails
        assert (patent, 2) not in labels
        stored.add([read_set(corpus, patent, "litigator", 2)])
        assert claim_labels(corpus, stored)[patent, 2].fails

    def test_claim_by_claim_overrules_the_whole_set_and_a_person_everybody(
        self, corpus: Corpus, stored: Stored
    ) -> None:
        patent = corpus.of("train")[0].patent
        stored.add([read_set(corpus, patent, "examiner", 1)])
        stored.add([read_claim(corpus, patent, role, fails=False) for role in ("examiner", "attorney")])
        assert not claim_labels(corpus, stored)[patent, 1].fails
        stored.add([read_claim(corpus, patent, "reviewer", fails=True, reader=PERSON)])
        label = claim_labels(corpus, stored)[patent, 1]
        assert (label.fails, label.by) == (True, "person")

    def test_the_recorded_expert_is_never_part_of_a_label(self, corpus: Corpus, stored: Stored) -> None:
        patent = corpus.of("train")[0].patent
        stored.add([read_claim(corpus, patent, role, fails=True) for role in ("examiner", EXPERT)])
        assert claim_labels(corpus, stored) == {}
        assert list(recorded_expert(stored.claims)) == [(patent, 1, None)]

    def test_an_edit_that_two_readers_contradict_is_set_aside(
        self, corpus: Corpus, stored: Stored, tmp_path: Path
    ) -> None:
        patent = corpus.of("train")[0].patent
        stored.add([read_set(corpus, patent, "examiner")])
        items = choose(corpus, stored, "mistakes", "train", "chemist", 1)
        (batch,) = write_batches(corpus, stored, "mistakes", "chemist", items, tmp_path, prefix="b")
        edit = {"set": 1, "claim": 1, "old": "comprising a rigid", "kind": "k", "subtle": False, "why": "So."}
        news = {"syntax": "a rigid", "logical": "comprising a limp", "sound": "comprising a very rigid"}
        answers(tmp_path, "b-001", [{**edit, "class": name, "new": new} for name, new in news.items()])
        stored.add(collecting.collect(corpus, stored, tmp_path, batch, DAY).records)
        by_class = {edit.error_class: edit.id for edit in stored.edits}
        asked = choose(corpus, stored, "edits", "train", "examiner", 9)
        assert {item.edit for item in asked} == {*by_class.values(), None}
        for role in ("examiner", "attorney"):
            stored.add([read_claim(corpus, patent, role, fails=False, edit=by_class["syntax"])])
            stored.add([read_claim(corpus, patent, role, fails=True, edit=by_class["logical"])])
            stored.add([read_claim(corpus, patent, role, fails=True, edit=by_class["sound"])])
        counted, aside = edits_that_count(stored)
        assert [edit.error_class for edit in counted] == ["logical"]
        assert {edit.error_class for edit in aside} == {"syntax", "sound"}


class TestPeople:
    def test_what_people_said_at_the_desk_overrules_language_models(
        self, corpus: Corpus, stored: Stored, tmp_path: Path
    ) -> None:
        patent = corpus.of("test")[0].patent
        for role in ("examiner", "attorney"):
            stored.add([read_claim(corpus, patent, role, fails=True)])
        text = corpus.sets[patent].claims[1].text
        row = Row("test", "f", "reviews", 1, text, (), "pass", "none", "none", (), "o")
        found = readings_of(corpus, [row, replace(row, text="Another claim.")], "2026-11-29")
        assert found.unknown == 1
        stored.add(found.readings)
        label = claim_labels(corpus, stored)[patent, 1]
        assert (label.by, label.fails) == ("person", False)

    def test_a_defect_is_quoted_where_the_desk_marked_it(self, corpus: Corpus) -> None:
        patent = corpus.of("test")[0].patent
        text = corpus.sets[patent].claims[1].text
        row = Row("test", "f", "reviews", 1, text, (), "antecedent", "none", "none", ((2, 7),), "o")
        (reading,) = readings_of(corpus, [row], "2026-11-29").readings
        assert reading.defect is not None
        assert (reading.defect.error_class, reading.defect.start, reading.defect.quote) == (
            *("antecedent", 2),
            text[2:7],
        )

    def test_the_manifest_counts_what_each_role_did(
        self, corpus: Corpus, stored: Stored, tmp_path: Path
    ) -> None:
        patent = corpus.of("test")[0].patent
        stored.add([read_set(corpus, patent, "examiner"), read_set(corpus, patent, "attorney", 2)])
        stored.add([read_claim(corpus, patent, EXPERT, fails=True)])
        manifest.save(manifest.manifest(corpus, stored), tmp_path)
        rows = manifest.load(tmp_path)
        assert [(row["work"], row["role"], row["records"], row["with_defect"]) for row in rows] == [
            ("claims read", "expert", 1, 1),
            ("whole sets read", "attorney", 1, 1),
            ("whole sets read", "examiner", 1, 0),
        ]
        assert {row["split"] for row in rows} == {"test"}


class TestAgreement:
    def test_kappa_of_a_table_worked_by_hand(self, corpus: Corpus, stored: Stored) -> None:
        # Ten claims: both fail one, one fails another alone. Observed 0.9, by chance 0.2 * 0.1 + 0.8 * 0.9.
        patent = corpus.of("train")[0].patent
        stored.add([read_set(corpus, patent, "examiner", 1, 2), read_set(corpus, patent, "attorney", 1)])
        pairs = pairs_of(corpus, stored)
        found = agreement(pairs)
        assert (found.claims, found.agreed) == (10, 9)
        assert found.kappa == pytest.approx((0.9 - 0.74) / (1 - 0.74))
        (apart,) = disagreements(pairs)
        assert (apart["claim"], apart["failed_by"], apart["passed_by"]) == (2, ["examiner"], ["attorney"])
        rows = {row["claims"]: row for row in tables(pairs)["whole set"]}
        assert rows["all"]["share"] == 0.9
        assert rows["fails for logical"]["kappa"] is None
