"""Writes rules.yml and dashboard.json beside this file: `python -m deploy.observe.generate`."""

import json
from pathlib import Path
from typing import Any, Final

import yaml

from deploy.observe.alerts import ALERTS, RECORDINGS
from deploy.observe.dashboard import dashboard

HERE: Final = Path(__file__).parent
PAGE: Final = "docs/how-to/alerts.md"
_HEAD: Final = "# Made by python -m deploy.observe.generate; change deploy/observe/alerts.py.\n"


def rules() -> dict[str, Any]:
    """The rules as Prometheus reads them; each alert names its section in the docs."""
    recorded = [{"record": one.name, "expr": one.expression} for one in RECORDINGS]
    alerts = [
        {
            "alert": one.name,
            "expr": one.expression,
            **({"for": f"{one.minutes}m"} if one.minutes else {}),
            "labels": {"severity": one.severity},
            "annotations": {"summary": one.summary, "runbook": f"{PAGE}#{one.name.lower()}"},
        }
        for one in ALERTS
    ]
    return {"groups": [{"name": "ace-shares", "rules": recorded}, {"name": "ace", "rules": alerts}]}


def files() -> dict[Path, str]:
    """What is generated, by file."""
    return {
        HERE / "rules.yml": _HEAD + yaml.safe_dump(rules(), sort_keys=False, width=110),
        HERE / "dashboard.json": json.dumps(dashboard(), indent=1) + "\n",
    }


def main() -> None:
    """The command line."""
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
