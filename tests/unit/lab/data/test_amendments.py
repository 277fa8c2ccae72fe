"""Claims as published and as granted: which edits repaired a defect, where it was, and who reads the rows."""

import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

import ace_lab.cli.amendments  # noqa: F401 the command registers itself
from ace.claims.checks import RETIRED
from ace.claims.model import ClaimSet
from ace.cli import app
from ace.errors import Refused
from ace_lab.data.amendments import amended_rows
from ace_lab.data.dataset import DatasetPlan
from ace_lab.data.dataset import build as built
from ace_lab.data.llm_rows import read_llm_rows
from ace_lab.data.pools import pools, split_of
from ace_lab.data.published_pairs import Pair, read_pairs
from ace_lab.data.rows import Row, read_rows
from ace_lab.data.sources import SourceSet, canonical_claim, read_sources
from ace_lab.evaluation.rule_scores import rule_scores
from ace_lab.injectors import INJECTORS, PLACEBO
from ace_lab.injectors.edits import Injection, Injector
from ace_lab.training.expert.answers import answer
from ace_lab.training.expert.defects import RULE_OF_EDIT
from tests.unit.lab.samples import LEXICON, SET

PUMP = "A pump comprising a housing and a rotor in the housing."


def source(*texts: str, name: str = "US1") -> SourceSet:
    """A set whose claims are numbered from 1."""
    claims = tuple(canonical_claim(at, text) for at, text in enumerate(texts, start=1))
    return SourceSet("US16000001", "ours.xml", ClaimSet(claims), name)


def rows(published: tuple[str, ...], granted: tuple[str, ...]) -> list[Row]:
    return list(amended_rows(Pair(source(*published), source(*granted, name="US2")), Counter()))


REPAIRED = {
    "an article": (
        (PUMP, "The pump of claim 1, wherein the shaft is bent."),
        (PUMP, "The pump of claim 1, wherein a shaft is bent."),
        ("antecedent", "amended_article", ["the shaft"]),
    ),
    "an article before a plural": (
        (PUMP, "The pump of claim 1, wherein the screws hold the rotor."),
        (PUMP, "The pump of claim 1, wherein screws hold the rotor."),
        ("antecedent", "amended_article", ["the screws"]),
    ),
    "another name": (
        (PUMP, "The pump of claim 1, wherein the impeller is hollow and made of brass."),
        (PUMP, "The pump of claim 1, wherein the rotor is hollow and made of brass."),
        ("antecedent", "amended_name", ["the impeller"]),
    ),
    "a basis in the same claim": (
        ("A fan comprising a frame, wherein the blade turns in the frame.",),
        ("A fan comprising a frame and a blade, wherein the blade turns in the frame.",),
        ("antecedent", "amended_basis", ["the blade"]),
    ),
    "a basis in the parent": (
        (PUMP, "The pump of claim 1, wherein the seal is made of rubber."),
        ("A pump comprising a housing, a seal and a rotor in the housing.",
         "The pump of claim 1, wherein the seal is made of rubber."),
        ("antecedent", "amended_basis", ["the seal"]),
    ),
    "the claim that introduces it": (
        (PUMP, "The pump of claim 1, further comprising a gasket.",
         "The pump of claim 1, wherein the gasket is made of rubber."),
        (PUMP, "The pump of claim 1, further comprising a gasket.",
         "The pump of claim 2, wherein the gasket is made of rubber."),
        ("antecedent", "amended_basis", ["the gasket"]),
    ),
    "a number": (
        (PUMP, "The pump of claim 1, wherein the rotors are made of brass."),
        (PUMP, "The pump of claim 1, wherein the rotor is made of brass."),
        ("antecedent", "amended_number", ["the rotors"]),
    ),
    "an example": (
        (PUMP, "The pump of claim 1, further comprising a fastener, such as a rivet, on the housing."),
        (PUMP, "The pump of claim 1, further comprising a fastener on the housing."),
        ("ambiguity", "amended_exemplary", ["such as"]),
    ),
    "a reference": (
        (PUMP, "The pump of claim 7, wherein the rotor is hollow."),
        (PUMP, "The pump of claim 1, wherein the rotor is hollow."),
        ("dependency", "amended_nonexistent", ["claim 7"]),
    ),
    "a reference to itself, and with it what it brings in": (
        (PUMP, "The pump of claim 2, wherein the rotor is hollow."),
        (PUMP, "The pump of claim 1, wherein the rotor is hollow."),
        ("dependency", "amended_self", ["claim 2"]),
    ),
    "a small letter": (
        ("a fan comprising a frame and a blade in the frame.",),
        ("A fan comprising a frame and a blade in the frame.",),
        ("syntax", "amended_opening", ["a"]),
    ),
    "a range": (
        ("A laminate comprising a core layer, wherein a thickness of the core layer is from 5 to 10 mm.",
         "The laminate of claim 1, wherein the thickness of the core layer is from 2 to 8 mm."),
        ("A laminate comprising a core layer, wherein a thickness of the core layer is from 5 to 10 mm.",
         "The laminate of claim 1, wherein the thickness of the core layer is from 6 to 8 mm."),
        ("logical", "amended_range_widened", ["from 2 to 8 mm"]),
    ),
    "a doubled word": (
        ("A fan comprising a frame and a blade in the the frame.",),
        ("A fan comprising a frame and a blade in the frame.",),
        ("syntax", "amended_doubled_word", ["the the"]),
    ),
}  # fmt: skip


def test_what_was_repaired(subtests: pytest.Subtests) -> None:
    for name, (published, granted, (label, edit, quotes)) in REPAIRED.items():
        with subtests.test(name):
            defective, sound = rows(published, granted)
            assert (defective.label, defective.edit) == (label, edit)
            assert [defective.text[start:end] for start, end in defective.spans] == quotes
            assert (sound.label, sound.spans, sound.text) == ("pass", (), granted[-1])
            assert defective.origin == sound.origin == f"US2/{len(granted)}"
            assert {defective.split, sound.split} == {split_of("US16000001")}


@pytest.mark.parametrize(
    ("published", "granted"),
    [
        # given a claim that was narrowed over the prior art, then nothing was repaired
        ((PUMP,), ("A pump comprising a housing and a rotor in the housing, wherein the rotor is hollow.",)),
        # nor by a narrower range,
        (
            ("A film comprising a layer with a thickness from 5 to 10 mm.",),
            ("A film comprising a layer with a thickness from 6 to 9 mm.",),
        ),
        # a claim that was only renumbered,
        (
            (PUMP, "A fan comprising a frame.", "The fan of claim 2, wherein the frame is round."),
            ("A fan comprising a frame.", "The fan of claim 1, wherein the frame is round."),
        ),
        # a defect that was granted,
        (
            (PUMP, "The pump of claim 1, wherein the shaft is bent and made of steel."),
            (PUMP, "The pump of claim 1, wherein the shaft is bent and made of brass."),
        ),
        # or one that went with its claim
        ((PUMP, "The pump of claim 1, wherein the shaft is bent."), (PUMP,)),
    ],
)
def test_what_was_not_repaired(published: tuple[str, ...], granted: tuple[str, ...]) -> None:
    assert rows(published, granted) == []


def test_claims_are_found_again_under_other_numbers() -> None:
    published = (
        PUMP,
        "The pump of claim 1, further comprising a valve.",
        "A method of pumping, comprising turning the wheel in a duct and cooling the duct.",
        "The method of claim 3, wherein the duct is preferably made of copper.",
    )
    granted = (
        "A method of pumping, comprising turning a wheel in a duct and cooling the duct.",
        "The method of claim 1, wherein the duct is made of copper.",
        "A kettle comprising a spout.",
    )
    found = rows(published, granted)
    assert [(row.number, row.label, row.origin) for row in found] == [
        (3, "antecedent", "US2/1"),
        (1, "pass", "US2/1"),
        (4, "ambiguity", "US2/2"),
        (2, "pass", "US2/2"),
    ]
    assert found[2].ancestors == (f"3. {published[2]}",)
    assert found[3].ancestors == (f"1. {granted[0]}",)


def document(kind: str, number: str, date: str, application: str, *texts: str) -> str:
    """A document as the USPTO publishes it, with what matters here."""

    def of(country_number: str, day: str) -> str:
        return (
            f"<document-id><country>US</country><doc-number>{country_number}</doc-number><kind>X</kind>"
            f"<date>{day}</date></document-id>"
        )

    claims = "".join(
        f'<claim num="{at:05}"><claim-text>{at}. {text}</claim-text></claim>'
        for at, text in enumerate(texts, start=1)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<us-patent-{kind}><bib><publication-reference>'
        f"{of(number, date)}</publication-reference><application-reference>{of(application, '20190301')}"
        f"</application-reference></bib><claims>{claims}</claims></us-patent-{kind}>\n"
    )


BASELESS = "The pump of claim 1, wherein the shaft is bent."
REPAIR = "The pump of claim 1, wherein a shaft is bent."


@pytest.fixture
def weeks(tmp_path: Path) -> Path:
    """A folder of bulk files: three pairs and what has none."""
    folder = tmp_path / "weeks"
    folder.mkdir()
    published = [
        document("application", "20200000001", "20200102", "16000001", PUMP, BASELESS),
        # given a correction of the publication, then it counts
        document(
            "application", "20200000009", "20200109", "16000001", PUMP, BASELESS.replace("bent", "flat")
        ),
        document("application", "20200000002", "20200102", "16000002", "A lid comprising a ring of steel."),
        document("application", "20200000003", "20200102", "16000003", "A jar comprising a neck of glass."),
    ]
    granted = [
        document("grant", "10000001", "20220104", "16000001", PUMP, REPAIR.replace("bent", "flat")),
        document("grant", "10000002", "20220104", "16000002", "A lid comprising a ring of steel."),
        document("grant", "10000004", "20220104", "16000004", "A cup comprising a handle of clay."),
    ]
    with zipfile.ZipFile(folder / "ipa.zip", "w") as archive:
        archive.writestr("ipa.xml", "".join(published))
    (folder / "ipg.xml").write_text("".join(granted), encoding="utf-8")
    lines = [
        {"application": "X5", "kind": kind, "patent": f"{kind}5", "claims": [{"num": 1, "text": text}]}
        for kind, text in {
            "application": "A fan with the blade.",
            "granted": "A fan with a blade.",
        }.items()
    ]
    more = [{"patent": "US7", "kind": "granted", "claims": [{"num": 1, "text": "A lid."}]}]
    (folder / "own.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in lines + more), encoding="utf-8"
    )
    return folder


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def test_from_weekly_files_to_rows(weeks: Path, tmp_path: Path) -> None:
    out = tmp_path / "amendments.jsonl"
    result = run("data", "amendments", weeks, "--out", out, "--json")
    assert result.exit_code == 0, result.output
    counts = json.loads(result.stdout)["counts"]
    assert (counts["documents"], counts["applications"], counts["pairs"]) == (9, 5, 3)
    assert (counts["without_application_number"], counts["repaired_antecedent"]) == (1, 2)
    assert "shaft" not in result.output
    defective, sound, *_ = read_rows(out)
    assert defective.text == "The pump of claim 1, wherein the shaft is flat."
    assert (defective.family, sound.origin) == ("US16000001", "US10000001/2")
    # and evaluation reads them
    by_class = rule_scores([defective.claim(), sound.claim()]).by_class()
    assert np.argmax(by_class, axis=1).tolist() == [1, 0]
    said = answer(defective, "rationale", "v2")
    assert "the shaft" in said
    assert "Fail" in said


def test_a_data_set_takes_them(weeks: Path, tmp_path: Path) -> None:
    out = tmp_path / "amendments.jsonl"
    assert run("data", "amendments", weeks, "--out", out).exit_code == 0
    injected = read_llm_rows([out])
    parted = pools(read_sources([weeks / "ipg.xml"]).sets)
    made = [row for row in built(parted, DatasetPlan(100, 100, 1), injected) if isinstance(row, Row)]
    (taken,) = [row for row in made if row.edit == "amended_article"]
    assert taken.text == "The pump of claim 1, wherein the shaft is flat."
    assert taken.split == split_of("US16000001")


def test_without_pairs_the_command_says_why(tmp_path: Path) -> None:
    alone = tmp_path / "ipg.xml"
    alone.write_text(document("grant", "10000004", "20220104", "16000004", PUMP), encoding="utf-8")
    result = run("data", "amendments", alone, "--out", tmp_path / "out.jsonl")
    assert result.exit_code == 2
    assert "no application has both" in result.output


def test_a_damaged_archive_is_refused_and_an_unreadable_document_is_counted(tmp_path: Path) -> None:
    damaged = tmp_path / "ipa.zip"
    damaged.write_bytes(b"PK\x03\x04 not a zip")
    with pytest.raises(Refused, match="damaged"):
        list(read_pairs([damaged], Counter(), lambda _step, _done: None))
    empty = document("application", "20200000001", "20200102", "16000001")
    (tmp_path / "ipa.xml").write_text(empty + document("grant", "1", "20220104", "16000001", PUMP))
    counts = Counter[str]()
    assert list(read_pairs([tmp_path / "ipa.xml"], counts, lambda _step, _done: None)) == []
    assert counts["unreadable"] == 1


def test_the_order_of_the_files_changes_nothing(weeks: Path) -> None:
    files = sorted(weeks.iterdir())
    Random(1).shuffle(files)
    for order in (files, files[::-1]):
        found = read_pairs(order, Counter(), lambda _step, _done: None)
        names = {(pair.published.name, pair.granted.name) for pair in found}
        assert names == {
            ("US20200000009", "US10000001"),
            ("US20200000002", "US10000002"),
            ("application5", "granted5"),
        }


def undone(injectors: Iterable[Injector], seed: int) -> Iterator[tuple[Injection, list[Row]]]:
    """An edit of each of our claims by each injector, and what is found if the grant is without it."""
    rng = Random(seed)
    for injector in injectors:
        for claim in SET:
            made = injector(SET, claim, rng, LEXICON)
            if made is not None:
                pair = Pair(SourceSet("F", "ours", made.claims, "P"), SourceSet("F", "ours", SET, "G"))
                yield made, list(amended_rows(pair, Counter()))


@pytest.mark.parametrize("seed", range(3))
def test_a_defect_that_was_put_in_and_taken_out_again_is_a_repair(seed: int) -> None:
    tried = found = 0
    for label, injectors in INJECTORS.items():
        known = (each for each, _ in injectors if RULE_OF_EDIT[each.__name__] not in RETIRED)
        for made, rows_found in undone(known, seed):
            tried += 1
            own = [row for row in rows_found if row.number == made.number and row.label == label]
            found += bool(own)
            if own:  # then its twin is the claim as it was
                origin = own[0].origin
                (twin,) = [row for row in rows_found if row.origin == origin and row.label == "pass"]
                assert twin.text == SET[twin.number].text
    assert tried > 150
    # the rest are defects of which the rules see nothing, or only take note
    assert found > 0.75 * tried


@pytest.mark.parametrize("seed", range(3))
def test_an_edit_that_changes_nothing_is_no_repair(seed: int) -> None:
    # a numeral may happen to be that of another part, and an attribute a matter of degree
    harmful = {"numeral_added", "attribute_repeated"}
    harmless = [injector for injector, _ in PLACEBO if injector.__name__ not in harmful]
    edits = list(undone(harmless, seed))
    assert len(edits) > 30
    assert [(made.subtype, rows_found) for made, rows_found in edits if rows_found] == []
