"""Rules and dashboard: up to date, made of metrics that exist, explained in the docs, and right."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml

from ace.metrics import METRICS, Kind
from deploy.observe import generate
from deploy.observe.alerts import ALERTS, RECORDINGS
from deploy.observe.dashboard import ROWS

ROOT = Path(__file__).parents[2]
PROMTOOL = shutil.which("promtool") or ""
OBSERVE = ROOT / "deploy" / "observe"
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
PAGE = (ROOT / generate.PAGE).read_text()
EXPRESSIONS = [
    *(one.expression for one in (*ALERTS, *RECORDINGS)),
    *(line for panels in ROWS.values() for panel in panels for line, _ in panel.lines),
]
SUFFIXES = {
    Kind.COUNTER: ("_total",),
    Kind.GAUGE: ("",),
    Kind.HISTOGRAM: ("_bucket", "_sum", "_count"),
}
SERIES = {one.name + suffix: {*one.labels, "instance"} for one in METRICS for suffix in SUFFIXES[one.kind]}
SERIES |= {name: labels | {"le"} for name, labels in SERIES.items() if name.endswith("_bucket")}
SERIES |= {one.name: set() for one in RECORDINGS}


def faults(expression: str) -> Iterator[str]:
    """What is wrong with an expression: series that nobody shows, and labels that they do not have."""
    selectors: list[Any] = []
    grouped: list[str] = []

    def look(node: Any) -> None:
        if isinstance(node, promql_parser.VectorSelector):
            selectors.append(node)
        if isinstance(node, promql_parser.AggregateExpr) and node.modifier is not None:
            grouped.extend(node.modifier.labels)

    promql_parser.walk(promql_parser.parse(expression), look)
    known = set().union(*(SERIES.get(each.name, set()) for each in selectors))
    for each in selectors:
        if each.name not in SERIES:
            yield f"nobody shows {each.name}"
        else:
            named = {matcher.name for matcher in each.matchers.matchers}
            yield from (f"{each.name} has no label {label}" for label in named - SERIES[each.name])
    yield from (f"nothing here has the label {label}" for label in grouped if label not in known)


@pytest.mark.parametrize("path", generate.files(), ids=lambda path: path.name)
def test_what_is_committed_is_what_is_generated(path: Path) -> None:
    assert path.read_text() == generate.files()[path]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_expression_is_made_of_metrics_that_exist(expression: str) -> None:
    assert list(faults(expression)) == []


@pytest.mark.parametrize(
    ("expression", "fault"),
    [
        ("max(ace_unheard_of)", "nobody shows ace_unheard_of"),
        ("rate(ace_decisions[5m])", "nobody shows ace_decisions"),
        ('ace_evaluations{tenant="x"}', "ace_evaluations has no label tenant"),
        ("sum by (kind) (ace_evaluations)", "nothing here has the label kind"),
    ],
)
def test_what_is_wrong_is_noticed(expression: str, fault: str) -> None:
    assert list(faults(expression)) == [fault]


def test_what_is_no_expression_is_noticed() -> None:
    with pytest.raises(ValueError, match="unclosed left parenthesis"):
        promql_parser.parse("sum by (")


def test_every_metric_is_shown_or_watched() -> None:
    words = set(re.findall(r"ace_\w+", " ".join(EXPRESSIONS)))
    unused = [one.name for one in METRICS if not words & {one.name + each for each in SUFFIXES[one.kind]}]
    assert unused == []


def test_a_histogram_has_a_bucket_at_each_objective() -> None:
    wanted = {
        one.name: float(re.findall(r"within (\d+) s", one.objective)[0])
        for one in METRICS
        if one.kind is Kind.HISTOGRAM and one.objective
    }
    assert len(wanted) == 3
    assert all(wanted[one.name] in one.buckets for one in METRICS if one.name in wanted)


def test_every_alert_has_its_section_in_order() -> None:
    assert re.findall(r"^## (Ace\w+)$", PAGE, re.MULTILINE) == [one.name for one in ALERTS]
    assert len({one.name for one in ALERTS}) == len(ALERTS)


def test_panels_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    panels = json.loads((OBSERVE / "dashboard.json").read_text())["panels"]
    for one in panels:
        at = one["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, one["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells
    assert len({one["id"] for one in panels}) == len(panels)


def test_prometheus_of_compose_finds_every_process_that_shows_metrics() -> None:
    scraped = yaml.safe_load((OBSERVE / "prometheus.yml").read_text())["scrape_configs"]
    found = {name: sd["port"] for job in scraped for sd in job["dns_sd_configs"] for name in sd["names"]}
    shown = {
        name: int(service["environment"]["ACE_METRICS_PORT"])
        for name, service in COMPOSE["services"].items()
        if "ACE_METRICS_PORT" in (service.get("environment") or {})
    }
    assert found == {"api": 8000, **shown}
    assert len(shown) == 5


def test_what_compose_mounts_exists() -> None:
    for name in ("prometheus", "grafana"):
        for volume in COMPOSE["services"][name]["volumes"]:
            source = volume.partition(":")[0]
            assert (ROOT / source).exists() == source.startswith("./"), volume


@pytest.mark.skipif(not PROMTOOL, reason="promtool is in Debian's package prometheus")
@pytest.mark.parametrize(
    "words", ["check rules rules.yml", "check config prometheus.yml", "test rules rules.test.yml"]
)
def test_promtool_agrees(words: str) -> None:
    done = subprocess.run(
        [PROMTOOL, *words.split()], cwd=OBSERVE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
