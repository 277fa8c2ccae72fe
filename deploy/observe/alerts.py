"""The alerts: what is asked of the metrics, for how long, and how urgent it is.

Alerts are on what people suffer from, not on causes. Each has a section in docs/how-to/alerts.md. Gauges of
the database are the same in every API process, so their maximum is taken.
"""

from typing import Final, Literal, NamedTuple

from ace.metrics import (
    AUDIT_ALARM,
    BREAKER,
    BROKER_UP,
    BUILD,
    CALIBRATED,
    DATABASE_UP,
    DELIVERY_DUE,
    DISPUTES,
    DRIFTS,
    DROPPED,
    EVALUATIONS,
    LEASES,
    OLDEST_DUE,
    REQUESTS,
    SCREENED,
    SECONDS,
    WEBHOOKS,
)

MIN_CLAIMS: Final = 1_000
"""Fewer claims say nothing about a share."""


class Alert(NamedTuple):
    """`minutes` is how long the expression must hold; `summary` one sentence for whoever is woken."""

    name: str
    expression: str
    minutes: int
    severity: Literal["critical", "warning"]
    summary: str


class Recording(NamedTuple):
    """An expression that is kept under a name, because alerts and panels share it."""

    name: str
    expression: str


ESCALATED_SHARE: Final = Recording(
    "ace:escalated:share6h",
    f'sum(increase({SCREENED.name}_total{{outcome="escalated"}}[6h]))'
    f" / sum(increase({SCREENED.name}_total[6h]))",
)
SCREENED_6H: Final = Recording("ace:screened:increase6h", f"sum(increase({SCREENED.name}_total[6h]))")
DISPUTED_6H: Final = Recording(
    "ace:disputed:increase6h",
    # A gatekeeper that is overruled is what an expert is for.
    f'sum(max by (kind) (increase({DISPUTES.name}_total{{kind!="overruled"}}[6h])))',
)
EXPERT_6H: Final = Recording(
    "ace:expert_decided:increase6h",
    f'max(delta({EVALUATIONS.name}{{state="decided", decided_by="expert"}}[6h]))',
)
RECORDINGS: Final = (ESCALATED_SHARE, SCREENED_6H, DISPUTED_6H, EXPERT_6H)

_FILED: Final = 'method="POST", route="/v1/filings"'

ALERTS: Final = (
    Alert("AceApiAbsent", f"absent({DATABASE_UP.name})", 2, "critical", "No API process can be scraped."),
    Alert(
        "AceDatabaseDown",
        f"max({DATABASE_UP.name}) == 0",
        1,
        "critical",
        "No API process reaches PostgreSQL: nothing is accepted and nothing is decided.",
    ),
    Alert(
        "AceBrokerDown",
        f"max({BROKER_UP.name}) == 0",
        2,
        "critical",
        "The broker takes no messages: filings are accepted, and nothing is decided.",
    ),
    Alert(
        "AceMessagesDropped",
        f"sum(increase({DROPPED.name}_total[1h])) > 0",
        0,
        "warning",
        "Workers dropped messages that were none of ACE's: something else writes to the broker.",
    ),
    Alert(
        "AceRequestsFail",
        f'sum(rate({REQUESTS.name}_total{{status=~"5.."}}[5m]))'
        f" / sum(rate({REQUESTS.name}_total[5m])) > 0.01",
        5,
        "critical",
        "More than 1 % of the requests are answered with an error of the server.",
    ),
    Alert(
        "AceFilingsSlow",
        f"histogram_quantile(0.99, sum by (le) (rate({SECONDS.name}_bucket{{{_FILED}}}[10m]))) > 1",
        10,
        "warning",
        "A hundredth of the filings takes longer than a second to be accepted.",
    ),
    Alert(
        "AceFastStageBehind",
        f'max({OLDEST_DUE.name}{{stage="fast"}}) > 60',
        5,
        "critical",
        "Claims wait more than a minute for a gatekeeper.",
    ),
    Alert(
        "AceMessagesUntaken",
        f'max({LEASES.name}{{stage="fast", phase="waiting"}}) >= 1'
        f' and max({LEASES.name}{{stage="fast", phase="running"}}) == 0',
        3,
        "critical",
        "Messages are published, and no gatekeeper takes them up.",
    ),
    Alert(
        "AceSlowStageBehind",
        f'max({OLDEST_DUE.name}{{stage="slow"}}) > 900',
        15,
        "warning",
        "Escalated claims wait more than a quarter of an hour for the expert.",
    ),
    Alert(
        "AceBreakerOpen",
        # Not "open", which a trial that hangs interrupts again and again.
        f'max by (endpoint) ({BREAKER.name}{{state="closed"}}) == 0',
        5,
        "warning",
        "The expert {{ $labels.endpoint }} has been out of service for five minutes.",
    ),
    Alert(
        "AceEvaluationsFail",
        f'max(sum by (instance) (delta({EVALUATIONS.name}{{state="failed"}}[30m]))) > 100',
        0,
        "warning",
        "More than a hundred evaluations failed within half an hour.",
    ),
    Alert(
        "AceEscalationDrifts",
        f"({ESCALATED_SHARE.name} > 1.5 * scalar(max({CALIBRATED.name}))"
        f" or {ESCALATED_SHARE.name} < 0.5 * scalar(max({CALIBRATED.name})))"
        f" and {SCREENED_6H.name} > {MIN_CLAIMS}"
        # Of a record that never asks, only claims beside certain findings go up, and it says nothing of them.
        f" and on () max({CALIBRATED.name}) > 0",
        60,
        "warning",
        "The share of claims that escalate is far from the calibrated one.",
    ),
    Alert(
        "AceClaimsDrift",
        f"max by (characteristic) ({DRIFTS.name}) == 1",
        0,
        "warning",
        "The claims of yesterday differ in {{ $labels.characteristic }} from those of the calibration.",
    ),
    Alert(
        "AceAuditAlarm",
        f"max({AUDIT_ALARM.name}) == 1",
        0,
        "critical",
        "The gatekeeper is wrong more often than is tolerated, by the verdicts that people audited.",
    ),
    Alert(
        "AceVerdictsDisputed",
        f"{DISPUTED_6H.name} / {EXPERT_6H.name} > 0.3 and {EXPERT_6H.name} > 100",
        30,
        "warning",
        "Three in ten verdicts of the expert are disputed.",
    ),
    Alert(
        "AceDeliveriesLate",
        f"max({DELIVERY_DUE.name}) > 900",
        10,
        "warning",
        "A delivery has been due for more than a quarter of an hour, although its receiver is in order.",
    ),
    Alert(
        "AceWebhooksGivenUp",
        f'max(sum by (instance) (delta({WEBHOOKS.name}{{state="given_up"}}[1h]))) > 0',
        0,
        "warning",
        "ACE has disabled a webhook within the last hour: its receiver is sent nothing any more.",
    ),
    Alert(
        "AceBuildsMixed",
        f"count(count by (version) ({BUILD.name})) > 1",
        60,
        "warning",
        "Processes of several versions have been running side by side for an hour.",
    ),
)
