"""The report as Markdown: complete, whatever is missing, and safe whatever its values say."""

import math
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from ace_lab.evaluation.report import write_page
from ace_lab.evaluation.report_details import FIGURES
from ace_lab.reports.markdown import page
from tests.unit.lab.report_sample import REPORT

HOSTILE = '</td><script>alert(1)</script>|\n"&amp;`*'
HEADINGS = 10
STORED = Path(__file__).parents[4] / "docs/models/gatekeeper"


def headings(text: str) -> list[str]:
    return re.findall(r"^## (.*)$", text, re.MULTILINE)


def lines(text: str) -> list[list[str]]:
    """The cells of every table row."""
    rows = (line for line in text.splitlines() if line.startswith("| "))
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def line_of(text: str, name: str) -> list[str]:
    return next(line for line in lines(text) if line[0] == name)


def shown(text: str) -> str:
    return MarkdownIt("commonmark").enable("table").render(text)


def with_strings(value: Any, text: str) -> Any:
    """The same with every string replaced, keys included."""
    if isinstance(value, dict):
        return {key: with_strings(one, text) for key, one in value.items()}
    if isinstance(value, list):
        return [with_strings(one, text) for one in value]
    return text if isinstance(value, str) else value


def test_a_whole_report() -> None:
    text = page(REPORT, {})
    found = headings(text)
    assert text.startswith("# Smoke test: mistakes made by programs\n\nPrograms put mistakes into claims")
    assert "\n\nace-minilm · revision 0f3c9b1a77de · expert: structural\n\n" in text
    assert (found[0], found[-1]) == ("Targets", "Notes")
    assert len(found) == HEADINGS
    gatekeeper = line_of(text, "gatekeeper")
    assert gatekeeper[1:3] == ["94.12 % (93.02 to 95.32)", "93.12 % (92.02 to 94.32)"]
    assert gatekeeper[-3:] == ["91.65 %", "91.58 %", "97.16 %"]  # the paper's, beside it
    assert line_of(text, "AURC") == ["AURC", "0.0123 (0.0101 to 0.0144)"]
    assert line_of(text, "quotations found in the claim")[1:] == ["97.20 %", "2,100"]
    cells = [cell for line in lines(text) for cell in line]
    assert "+0.5 points (-0.4 to +1.3)" in cells
    assert "6.0 points (4.1 to 7.9)" in cells
    assert line_of(text, "train")[1:3] == ["32,000", "2,461"]


def test_the_stored_report_is_what_the_generator_writes_and_its_pictures_are_there(tmp_path: Path) -> None:
    folder = shutil.copytree(STORED, tmp_path / "report")
    written = (folder / "report.md").read_text()
    write_page(folder)
    assert (folder / "report.md").read_text() == written
    assert {f"{name.replace('_', '-')}.svg" for name in FIGURES} <= {path.name for path in STORED.iterdir()}
    assert written.startswith("# How good ACE is\n\n## On real claims, by readers’ labels (test families)\n")
    assert "\n## Smoke test: mistakes made by programs\n" in written


def test_a_folder_without_labels_has_the_smoke_test_alone(tmp_path: Path) -> None:
    folder = shutil.copytree(STORED, tmp_path / "report")
    (folder / "labels.json").unlink()
    write_page(folder)
    assert (folder / "report.md").read_text().startswith("# Smoke test: mistakes made by programs\n")


def test_captions_say_how_many_and_of_which_split() -> None:
    text = page(REPORT, {})
    assert "Results, claim by claim (n = 4,812 claims; split: test):" in text
    assert "Results, 5 to 15 defects of one class in a set (n = 640 claim sets; split: test.sets):" in text


def test_missed_targets_come_first_and_the_others_are_counted() -> None:
    text = page(REPORT, {})
    assert "1 of 3 missed:" in text
    assert text.index("Drop on unknown injectors") < text.index("Results, claim by claim")
    assert "Placebo alarms above clean ones" not in text
    met = [row for row in REPORT["targets"] if row["met"]]
    assert "None of 2 missed." in page({"targets": met}, {})


def test_injectors_are_listed_if_most_of_their_defects_are_missed() -> None:
    listed = [line[1:5] for line in lines(page(REPORT, {})) if line[0] == "syntax" and "edit" in line[1]]
    assert listed == [
        ["edit\\_0", "no", "60", "0.00 %"],
        ["edit\\_1", "no", "60", "20.00 %"],
        ["edit\\_2", "no", "60", "40.00 %"],
    ]


def test_the_paper_s_numbers_are_marked_and_ours_are_not() -> None:
    text = page(REPORT, {})
    titles = lines(text)[lines(text).index(line_of(text, "judge"))]
    assert [title for title in titles if title.endswith("†")] == ["paper: accuracy †", "F1 †", "AUC †"]
    assert "different data sets" in text
    alone = {key: value for key, value in REPORT.items() if key != "paper"}
    assert "†" not in page(alone, {})


def test_pictures_stand_where_they_belong() -> None:
    text = page(REPORT, {"reliability": "reliability.svg", "histogram_of_u": "u.svg"})
    assert text.index("## Calibration") < text.index("](reliability.svg)") < text.index("## The expert")
    assert text.index("## Figures") < text.index("![histogram of u](u.svg)")
    without = {key: value for key, value in REPORT.items() if key != "calibration"}
    assert "](reliability.svg)" in page(without, {"reliability": "reliability.svg"})


def test_everything_is_escaped() -> None:
    hostile = with_strings(REPORT, HOSTILE)
    hostile[HOSTILE] = hostile["expert"][HOSTILE] = hostile["model"][HOSTILE] = HOSTILE
    text = page(hostile, {})
    found = shown(text)
    assert "<script" not in found
    assert found.count("&lt;script&gt;") > 50
    assert found.count("<table>") == text.count("\n| ---")


@pytest.mark.parametrize("key", [*REPORT, "all of it"])
def test_a_report_without_a_part_shows_the_rest(key: str) -> None:
    rest = {} if key == "all of it" else {name: value for name, value in REPORT.items() if name != key}
    found = headings(page(rest, {}))
    assert set(found) <= set(headings(page(REPORT, {})))
    # The model is named at the head of the page.
    assert len(found) == (0 if key == "all of it" else HEADINGS - int(key not in {"paper", "model"}))


JUNK: list[Any] = [
    None,
    3,
    math.nan,
    "text",
    [],
    {},
    [1, None],
    {"rows": 3},
    {"rows": [{}]},
    {"rows": [{"name": None, "macro_f1": "?", "intervals": [1, 2], "gatekeeper": 3, "labels": []}]},
    {"single": 1, "sets": [], "metrics": [1], "scores": {"a": 1}, "mean": 2, "splits": {"test": 4}},
    {
        "rows": [
            {"name": "x", "macro_f1": math.nan, "accuracy": True, "intervals": {"macro_f1": [math.nan, 1]}}
        ]
    },
]


@pytest.mark.parametrize("junk", JUNK)
def test_no_part_of_another_shape_breaks_a_report(junk: Any) -> None:
    rest = {"sets": REPORT["sets"], "paper": REPORT["paper"]}
    for key in REPORT:
        assert "## The paper's density" in page({**rest, key: junk}, {}) or key == "sets"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.12345, "12.35 %"),
        (1, "100.00 %"),
        (None, "–"),
        (math.nan, "–"),
        (math.inf, "–"),
        (True, "–"),
        ("under 1 %", "under 1 %"),
    ],
)
def test_shares(value: Any, written: str) -> None:
    other = {"name": "other", "macro_f1": 0.5}
    assert line_of(page({"main": [{"name": "this", "macro_f1": value}, other]}, {}), "this")[1] == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (6.88, "6.88 s"),
        (0.1, "0.10 s"),
        (0.0142, "14.2 ms"),
        (3.1e-6, "3.1 µs"),
        (0, "0 µs"),
        (1310, "1,310.00 s"),
    ],
)
def test_seconds(value: float, written: str) -> None:
    assert line_of(page({"main": [{"name": "this", "seconds_per_claim": value}]}, {}), "this")[1] == written


def test_columns_that_nobody_fills_are_left_out() -> None:
    text = page({"sets": {"rows": [{"name": "a", "macro_f1": 0.5, "auc": None}]}}, {})
    assert lines(text) == [["judge", "macro-F1"], ["---", "---:"], ["a", "50.00 %"]]
