"""`ace check` as a person or a build server runs it: what it prints, writes and exits with."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result
from typer.testing import CliRunner

from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.readers import MAX_FILE_BYTES
from ace.claims.reading import Reading
from ace.claims.reports import report
from ace.cli import app
from tests.files import docx

CLEAN = "1. A bracket comprising a plate and a hook fixed to the plate.\n"
FLAWED = CLEAN + "2. The bracket of claim 1, wherein the lever is made of steel.\n"


@pytest.fixture
def clean(tmp_path: Path) -> str:
    return written(tmp_path / "clean.txt", CLEAN)


@pytest.fixture
def flawed(tmp_path: Path) -> str:
    return written(tmp_path / "flawed one.txt", FLAWED)


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def check(*words: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["check", *words], input=stdin)


def answered(*words: str, stdin: str | bytes | None = None) -> Any:
    return json.loads(check(*words, stdin=stdin).stdout)


def test_a_clean_file(clean: str) -> None:
    result = check(clean)
    assert (result.exit_code, result.stdout) == (0, "1 claim, 0 findings\n")


def test_a_flawed_file_is_shown_with_the_words_underlined(flawed: str) -> None:
    result = check(flawed)
    assert result.exit_code == 1
    shown = result.stdout.splitlines()
    row = next(place for place, line in enumerate(shown) if "the lever" in line)
    assert shown[row + 1] == " " * shown[row].index("the lever") + "^" * len("the lever")
    assert any(line.startswith("  antecedent.no_basis") for line in shown)
    assert shown[-1] == "2 claims, 1 finding (1 rejection): 1 antecedent"
    assert result.stderr == ""


def test_stdin() -> None:
    result = check("-", stdin=FLAWED)
    assert result.exit_code == 1
    assert "the lever" in result.stdout


@pytest.mark.parametrize("words", [["--json"], ["--format", "json"], ["--format", "json", "--json"]])
def test_json(flawed: str, words: list[str]) -> None:
    result = check(flawed, *words)
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["counts"]["by_class"]["antecedent"] == 1
    assert told["claims"][1]["findings"][0]["quote"] == "the lever"


def test_sarif(flawed: str) -> None:
    result = check(flawed, "--format", "sarif")
    assert result.exit_code == 1
    (run,) = json.loads(result.stdout)["runs"]
    (location,) = run["results"][0]["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == Path(flawed).as_uri()
    region = location["physicalLocation"]["region"]
    assert (region["startLine"], region["charOffset"]) == (2, FLAWED.index("the lever"))


def test_sarif_names_a_file_as_it_was_given(flawed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(flawed).parent)
    for given, told in [("flawed one.txt", "flawed%20one.txt"), ("-", "stdin")]:
        (run,) = answered(given, "--format", "sarif", stdin=FLAWED)["runs"]
        assert run["artifacts"][0]["location"]["uri"] == told


def test_sarif_of_a_file_with_a_byte_order_mark_counts_without_it(tmp_path: Path) -> None:
    path = tmp_path / "marked.txt"
    path.write_text(FLAWED, encoding="utf-8-sig")
    (run,) = answered(str(path), "--format", "sarif")["runs"]
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region["snippet"]["text"] == "the lever"
    assert region["charOffset"] == FLAWED.index("the lever")


@pytest.mark.parametrize(
    ("made", "source"),
    [
        (FLAWED.encode(), FLAWED.index("the lever")),
        (FLAWED.encode("utf-8-sig"), FLAWED.index("the lever") + 1),
        (docx(*(line.partition(" ")[2] for line in FLAWED.splitlines())), None),  # offsets mean nothing there
    ],
    ids=["text", "byte order mark", "docx"],
)
def test_json_says_where_in_a_file_of_text_a_finding_is(
    tmp_path: Path, made: bytes, source: int | None
) -> None:
    path = tmp_path / ("claims.docx" if source is None else "claims.txt")
    path.write_bytes(made)
    found = answered(str(path), "--json")["claims"][1]["findings"][0]
    assert found["quote"] == "the lever"
    assert found["source"] == (source and {"start": source, "end": source + len("the lever")})


def test_the_jurisdiction_and_the_threshold_are_heard(tmp_path: Path) -> None:
    text = CLEAN + (
        "2. The bracket of claim 1 or claim 1, wherein the plate is flat.\n"
        "3. The bracket of claim 1, wherein the hook is curved.\n"
        "4. The bracket of claim 2 or 3, wherein the hook is sharp.\n"
        "5. The bracket of claim 4 or 1, wherein the hook is thin.\n"
    )
    file = written(tmp_path / "multiple.txt", text)
    found = {name: answered(file, "--json", "--jurisdiction", name) for name in ("us", "EPC")}
    subtypes = {
        name: {each["subtype"] for claim in told["claims"] for each in claim["findings"]}
        for name, told in found.items()
    }
    assert "multiple_on_multiple" in subtypes["us"]
    assert "multiple_on_multiple" not in subtypes["EPC"]
    assert found["us"]["jurisdiction"] == "US"
    assert check(file, "--threshold", "1").exit_code in {0, 1}
    assert answered(file, "--json", "--threshold", "0.25")["threshold"] == 0.25


def test_several_files_are_told_apart_and_the_worst_counts(clean: str, flawed: str, tmp_path: Path) -> None:
    lost = str(tmp_path / "lost.txt")
    assert check(clean, flawed).exit_code == 1
    result = check(clean, lost, flawed)
    assert result.exit_code == 2
    assert f"ace: {lost}: cannot be read: No such file or directory" in result.stderr
    assert [line for line in result.stdout.splitlines() if line.endswith(".txt")] == [clean, flawed]
    told = answered(clean, lost, flawed, "--json")["files"]
    assert [each["file"] for each in told] == [clean, lost, flawed]
    assert told[1]["error"]["code"] == "unreadable"
    runs = answered(clean, lost, flawed, "--format", "sarif")["runs"]
    assert [run["invocations"][0]["executionSuccessful"] for run in runs] == [True, False, True]
    (notification,) = runs[1]["invocations"][0]["toolExecutionNotifications"]
    assert notification["descriptor"]["id"] == "unreadable"
    assert runs[1]["results"] == []


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe\x00secret", b"PK\x03\x04secret", b"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><x>&e;</x>"],
    ids=["empty", "no_text", "no_zip", "entity"],
)  # fmt: skip
@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_what_cannot_be_read_exits_with_2_and_repeats_nothing(data: bytes, form: str) -> None:
    result = check("-", "--format", form, stdin=data)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("ace: stdin: ")
    assert "secret" not in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_a_fault_of_ours_exits_with_2_and_the_other_files_are_checked(
    monkeypatch: pytest.MonkeyPatch, clean: str, flawed: str, form: str
) -> None:
    whole = report.checked

    def breaking(reading: Reading, **asked: Any) -> report.Report:
        if len(reading.claims) == 1:
            raise RecursionError(reading.claims[1].text)
        return whole(reading, **asked)

    monkeypatch.setattr(report, "checked", breaking)
    result = check(clean, flawed, "--format", form)
    assert result.exit_code == 2
    assert "the lever" in result.stdout
    assert result.stderr == f"ace: {clean}: internal error (RecursionError); this is a bug in ACE\n"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    result = check(str(tmp_path))
    assert (result.exit_code, "Is a directory" in result.stderr) == (2, True)


def test_a_file_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as opened:
        opened.truncate(MAX_FILE_BYTES + 1)
    result = check(str(path))
    assert (result.exit_code, "larger than" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--format", "xml"],
        ["--format", "sarif", "--json"],
        ["--jurisdiction", "JP"],
        ["--threshold", "1.5"],
        ["--graph", "graph.png"],
        ["--proofs", "--json"],
        ["--graph", "graph.svg", "second.txt"],
    ],
    ids=" ".join,
)
def test_wrong_usage_exits_with_2(clean: str, words: list[str]) -> None:
    assert check(*([clean, *words] if words else [])).exit_code == 2


def test_the_graph_as_svg_and_as_json(flawed: str, tmp_path: Path) -> None:
    svg, data = tmp_path / "graph.svg", tmp_path / "graph.json"
    assert check(flawed, "--graph", str(svg)).exit_code == 1
    assert check(flawed, "--graph", str(data)).exit_code == 1
    assert ET.parse(svg).getroot().tag.endswith("svg")  # noqa: S314 our own
    graph = json.loads(data.read_text(encoding="utf-8"))
    assert [claim["number"] for claim in graph["claims"]] == [1, 2]
    assert [each["quote"] for each in graph["findings"]] == ["the lever"]


def test_a_graph_that_cannot_be_written_exits_with_2(clean: str, tmp_path: Path) -> None:
    graph = str(tmp_path / "none" / "graph.svg")
    result = check(clean, "--graph", graph, "--json")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"ace: {graph}: cannot be written")
    assert json.loads(result.stdout)["counts"]["findings"] == 0


def test_a_graph_never_overwrites_the_claims(tmp_path: Path) -> None:
    file = tmp_path / "claims.json"
    file.write_text(CLEAN, encoding="utf-8")
    result = check(str(file), "--graph", str(tmp_path / "." / "claims.json"))
    assert (result.exit_code, file.read_text(encoding="utf-8")) == (2, CLEAN)


def test_proofs_are_shown_if_asked_for(flawed: str) -> None:
    assert "“the plate”: explicit" not in check(flawed).stdout
    assert "“the plate”: explicit; “a plate” in claim 1" in check(flawed, "--proofs").stdout


def test_a_term_list_is_obeyed(flawed: str, tmp_path: Path) -> None:
    listed = written(tmp_path / "terms.toml", 'ignore = ["the Levers"]\nkeep_together = ["hook of steel"]\n')
    graph = tmp_path / "graph.json"

    result = check("--terms", listed, "--graph", str(graph), "--proofs", flawed)

    assert (result.exit_code, "2 claims, 0 findings" in result.stdout) == (0, True)
    assert json.loads(graph.read_text())["claims"][0]["text"] in CLEAN


def test_words_that_are_kept_together_are_shown_as_they_were_filed(tmp_path: Path) -> None:
    claims = "1. A fan comprising an airflow directing member, wherein the airflow directing flap is flat.\n"
    file = written(tmp_path / "claims.txt", claims)
    listed = written(tmp_path / "terms.toml", 'keep_together = ["airflow directing flap"]\n')

    shown = check("--terms", listed, "--proofs", file).stdout
    report = answered("--terms", listed, "--json", file)

    assert "airflow directing flap" in shown
    assert "airflow-directing" not in shown + json.dumps(report)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("ignore = [", "is not TOML"),
        ("ignore = 'lever'", "ignore must be a list of strings"),
        ("keep_together = [1]", "keep_together must be a list of strings"),
        ("drop = ['lever']", "unknown field 'drop'"),
        ("keep_together = ['heat pump', 'lever']", "/keep_together/1: "),
        (f"ignore = ['{'l' * 101}']", "/ignore/0: a term has at most 100 characters"),
        (None, "cannot be read"),
    ],
)
def test_a_term_list_that_is_wrong_is_refused(
    clean: str, tmp_path: Path, content: str | None, told: str
) -> None:
    file = tmp_path / "terms.toml"
    if content is not None:
        file.write_text(content)

    result = check("--terms", str(file), clean)

    assert result.exit_code == 2
    assert told in result.stderr.replace("\n", " ")
    assert "lever" not in result.stderr


def test_what_no_reader_understands_is_noted_and_does_not_stop_it() -> None:
    # given two claims with one number, which a filing may not have
    result = check("-", stdin=CLEAN + "1. A wall comprising a stone.\n")
    assert result.exit_code == 1
    assert "note: " in result.stdout


def test_a_terminal_that_lacks_a_sign_stops_nothing(flawed: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ace", "check", flawed, "--proofs"],
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        encoding="latin-1",
        timeout=60,
        check=False,
    )
    assert (result.returncode, result.stderr) == (1, "")
    assert "?the lever?: none" in result.stdout


PROBE = """
import sys
from ace.claims.readers import MAX_FILE_BYTES
from ace.cli import app
app(["check", "-"], standalone_mode=False)
heavy = {"torch", "onnxruntime", "celery", "sqlalchemy", "numpy", "transformers", "psycopg", "httpx"}
print(sorted(heavy & set(sys.modules)), file=sys.stderr)
"""


def test_the_help_names_the_threshold_that_applies() -> None:
    assert f"Default: {DEFAULT_THRESHOLD}." in " ".join(check("--help").stdout.split())


def test_it_needs_neither_a_server_nor_a_model() -> None:
    # given nothing but the command, and a network that is not there
    result = subprocess.run(
        [sys.executable, "-c", PROBE], input=CLEAN, capture_output=True, text=True, timeout=60, check=True
    )
    assert result.stdout == "1 claim, 0 findings\n"
    assert result.stderr == "[]\n"
