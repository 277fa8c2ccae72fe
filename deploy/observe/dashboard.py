"""The Grafana dashboard: from what clients notice down to each part. Panels are data, laid out here."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

from ace import metrics
from ace.metrics import Named
from deploy.observe.alerts import ESCALATED_SHARE

_WIDE: Final = 24
_HEIGHT: Final = 8
_SOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}


class Panel(NamedTuple):
    """A graph of one or several expressions, each with the legend of its series."""

    title: str
    unit: str
    lines: Sequence[tuple[str, str]]
    meaning: str = ""


def quantiles(metric: Named, by: str, where: str = "") -> list[tuple[str, str]]:
    """p50, p95 and p99 of a histogram over five minutes, by one label."""
    selected = f"{metric.name}_bucket{{{where}}}" if where else f"{metric.name}_bucket"
    labels = f"le, {by}" if by else "le"
    return [
        (
            f"histogram_quantile({share}, sum by ({labels}) (rate({selected}[5m])))",
            f"p{round(share * 100)}" + (f" {{{{{by}}}}}" if by else ""),
        )
        for share in (0.5, 0.95, 0.99)
    ]


def rate(metric: Named, by: str, where: str = "") -> tuple[str, str]:
    """The rate of a counter per second, by labels."""
    legend = " ".join(f"{{{{{label.strip()}}}}}" for label in by.split(","))
    return f"sum by ({by}) (rate({metric.name}_total{{{where}}}[5m]))", legend


def largest(metric: Named, by: str, where: str = "") -> tuple[str, str]:
    """A gauge of the database, which every API process shows, by one label."""
    return f"max by ({by}) ({metric.name}{{{where}}})", f"{{{{{by}}}}}"


ROWS: Final[dict[str, tuple[Panel, ...]]] = {
    "What clients notice": (
        Panel(
            "Filing to verdict",
            "s",
            quantiles(metrics.FILING_TO_VERDICT, "decided_by"),
            metrics.FILING_TO_VERDICT.objective,
        ),
        Panel("Requests by status", "reqps", [rate(metrics.REQUESTS, "status")]),
        Panel(
            "Time to accept a filing",
            "s",
            quantiles(metrics.SECONDS, "", 'method="POST", route="/v1/filings"'),
            metrics.SECONDS.objective,
        ),
        Panel("Verdicts", "ops", [rate(metrics.DECISIONS, "verdict, decided_by")]),
    ),
    "What waits": (
        Panel("Oldest due claim", "s", [largest(metrics.OLDEST_DUE, "stage")], metrics.OLDEST_DUE.objective),
        Panel("Evaluations by state", "short", [largest(metrics.EVALUATIONS, "state", 'state!="decided"')]),
        Panel("Backlog by tenant", "short", [largest(metrics.BACKLOG, "tenant")]),
        Panel("Wait in the queue", "s", quantiles(metrics.QUEUE_WAIT, "stage"), metrics.QUEUE_WAIT.objective),
    ),
    "Gatekeeper": (
        Panel("Claims judged", "ops", [rate(metrics.SCREENED, "outcome")]),
        Panel(
            "Share that escalates, and as calibrated",
            "percentunit",
            [(ESCALATED_SHARE.name, "six hours"), (f"max({metrics.CALIBRATED.name})", "calibrated")],
        ),
        Panel("Time for a message", "s", quantiles(metrics.BATCH_SECONDS, "")),
        Panel("Claims of a message", "short", quantiles(metrics.BATCH_CLAIMS, "")),
        Panel("Defects by class", "ops", [rate(metrics.DECISIONS, "error_class", 'verdict="Fail"')]),
        Panel("Failures by error", "ops", [rate(metrics.FAILURES, "error")]),
        Panel(
            "Claims of yesterday against the calibration (PSI)",
            "short",
            [largest(metrics.DRIFT, "characteristic")],
            metrics.DRIFT.objective,
        ),
        Panel("Wrong verdicts, by the audit", "percentunit", [largest(metrics.AUDIT, "bound")]),
    ),
    "Expert": (
        Panel("Time of an examination", "s", quantiles(metrics.EXPERT_SECONDS, "endpoint")),
        Panel(
            "In flight and slots",
            "short",
            [largest(metrics.IN_FLIGHT, "endpoint"), (f"max by (endpoint) ({metrics.SLOTS.name})", "slots")],
        ),
        Panel(
            "Faults",
            "ops",
            [
                (
                    f"sum by (kind) (max by (endpoint, kind) (rate({metrics.FAULTS.name}_total[5m])))",
                    "{{kind}}",
                )
            ],
        ),
        Panel(
            "Disputed verdicts",
            "ops",
            [(f"max by (kind) (rate({metrics.DISPUTES.name}_total[5m]))", "{{kind}}")],
        ),
    ),
    "Webhooks": (
        Panel("Webhooks by state", "short", [largest(metrics.WEBHOOKS, "state")]),
        Panel(
            "Oldest delivery and event",
            "s",
            [
                (f"max({metrics.DELIVERY_DUE.name})", "due delivery"),
                (f"max({metrics.OUTBOX.name})", "event without its number"),
            ],
        ),
    ),
    "Processes": (
        Panel(
            "Processes by version",
            "short",
            [(f"count by (version, part) ({metrics.BUILD.name})", "{{part}} {{version}}")],
        ),
        Panel(
            "Models",
            "short",
            [(f"count by (model, calibration) ({metrics.MODEL.name})", "{{model}} {{calibration}}")],
        ),
        Panel(
            "Messages", "short", [(f"max by (stage, phase) ({metrics.LEASES.name})", "{{stage}} {{phase}}")]
        ),
        Panel("Memory for unfinished bodies", "bytes", [(f"sum({metrics.BUFFERED.name})", "all processes")]),
    ),
}


def dashboard() -> dict[str, Any]:
    """The dashboard as Grafana imports it."""
    return {
        "uid": "ace",
        "title": "ACE",
        "description": "Made by python -m deploy.observe.generate; change deploy/observe/dashboard.py.",
        "tags": ["ace"],
        "schemaVersion": 39,
        "editable": False,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "timezone": "utc",
        "templating": {
            "list": [
                {"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Prometheus"}
            ]
        },
        "panels": list(_laid_out()),
    }


def _laid_out() -> Iterator[dict[str, Any]]:
    numbers, top = count(1), 0
    for title, panels in ROWS.items():
        yield {
            "id": next(numbers),
            "type": "row",
            "title": title,
            "collapsed": False,
            "panels": [],
            "gridPos": {"x": 0, "y": top, "w": _WIDE, "h": 1},
        }
        top += 1
        across = 2 if len(panels) % 3 else 3
        width = _WIDE // across
        for place, panel in enumerate(panels):
            at = {"x": place % across * width, "y": top + place // across * _HEIGHT, "w": width, "h": _HEIGHT}
            yield _graph(next(numbers), panel, at)
        top += -(-len(panels) // across) * _HEIGHT


def _graph(number: int, panel: Panel, at: dict[str, int]) -> dict[str, Any]:
    return {
        "id": number,
        "type": "timeseries",
        "title": panel.title,
        "description": panel.meaning,
        "datasource": _SOURCE,
        "gridPos": at,
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {
                "refId": chr(ord("A") + place),
                "expr": expression,
                "legendFormat": legend,
                "datasource": _SOURCE,
            }
            for place, (expression, legend) in enumerate(panel.lines)
        ],
    }
