"""The report as Markdown: complete, whatever is missing, and safe whatever its values say."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from ace_lab.reports.markdown import page, summary
from tests.unit.lab.report_sample import REPORT

HOSTILE = '</td><script>alert(1)</script>|\n"&amp;`*'
HEADINGS = 17
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
    assert text.startswith(
        "# How good the gatekeeper is\n\nace-minilm · revision 0f3c9b1a77de · expert: structural"
    )
    assert (found[0], *found[-2:]) == ("Targets", "Details", "Notes")
    assert len(found) == HEADINGS
    gatekeeper = line_of(text, "gatekeeper")
    assert gatekeeper[1:3] == ["94.12 % (93.02 to 95.32)", "93.12 % (92.02 to 94.32)"]
    assert gatekeeper[-3:] == ["91.65 %", "91.58 %", "97.16 %"]  # the paper's, beside it
    assert line_of(text, "temperature") == ["temperature", "1.31"]
    assert line_of(text, "six-class entropy")[-1] == "-0.0004 (-0.0007 to -0.0001)"
    cells = [cell for line in lines(text) for cell in line]
    assert "+0.5 points (-0.4 to +1.3)" in cells
    assert "6.0 points (4.1 to 7.9)" in cells
    assert line_of(text, "train")[1:3] == ["32,000", "2,461"]


def test_the_stored_report_is_what_the_generator_writes_and_nothing_else_is_stored() -> None:
    figures = {path.stem.replace("-", "_"): path.name for path in STORED.glob("*.svg")}
    order = ("risk_coverage", "reliability", "escalation")
    report = json.loads((STORED / "report.json").read_text())
    assert page(report, {key: figures[key] for key in order}) == (STORED / "report.md").read_text()
    stored = {path.name for path in STORED.iterdir() if path.name != "cache"}
    assert stored == {"report.json", "report.md", *figures.values()}


def test_captions_say_how_many_and_of_which_split() -> None:
    text = page(REPORT, {})
    assert "Results, claim by claim (n = 4,812 claims; split: test):" in text
    assert "Results, 5 to 15 defects of one class in a set (n = 640 claim sets; split: test.sets):" in text
    assert "A claim compared with its own sound twin (n = 2,400 pairs; split: test):" in text


def test_missed_targets_come_first() -> None:
    text = page(REPORT, {})
    outcomes = [line[0] for line in lines(text) if line[0] in {"met", "missed", "not measured"}]
    assert outcomes == ["missed", "not measured", "met", "met"]
    assert "1 of 4 missed." in text
    assert text.index("Drop on unknown injectors") < text.index("Results, claim by claim")


def test_the_paper_s_numbers_are_marked_and_ours_are_not() -> None:
    text = page(REPORT, {})
    marked = [line for line in lines(text) if line[0].endswith("†")]
    assert any(line[0] == "sigma †" and "20 % ± 1.5" in line for line in marked)
    assert any("34.85 %" in line for line in marked)
    assert not any("93.12 %" in cell for line in marked for cell in line)
    assert "different data sets" in text
    alone = {key: value for key, value in REPORT.items() if key != "paper"}
    assert "†" not in page(alone, {})


def test_pictures_stand_where_they_belong() -> None:
    text = page(REPORT, {"reliability": "reliability.svg", "histogram_of_u": "u.svg"})
    assert text.index("## Calibration") < text.index("](reliability.svg)") < text.index("## Artifact probes")
    assert text.index("## Figures") < text.index("![histogram of u](u.svg)")
    without = {key: value for key, value in REPORT.items() if key != "calibration"}
    assert "](reliability.svg)" in page(without, {"reliability": "reliability.svg"})


def test_everything_is_escaped() -> None:
    hostile = with_strings(REPORT, HOSTILE)
    hostile[HOSTILE] = hostile["speed"][HOSTILE] = hostile["model"][HOSTILE] = HOSTILE
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
    # The model and the run are details, so they have no heading of their own.
    assert len(found) == (
        0 if key == "all of it" else HEADINGS - int(key not in {"paper", "model", "generated_with"})
    )


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


def test_a_summary_leaves_the_details_out_and_its_tables_are_whole() -> None:
    found = summary(REPORT)
    assert "edit\\_1" not in found
    assert "edit\\_1" in page(REPORT, {})
    assert found.startswith("## Targets\n")
    assert found.count("different data sets") == 1
    tables = [part.splitlines() for part in found.split("\n\n") if part.startswith("|")]
    assert len(tables) > 15
    for one in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in one}) == 1
    assert shown(found).count("<table>") == len(tables)
