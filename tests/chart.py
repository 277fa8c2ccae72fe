"""The Helm chart as Helm's own library renders it, for the value files of `deploy/chart/ci`."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

CHART = Path(__file__).parents[1] / "deploy" / "chart"
GIVEN = {path.stem: yaml.safe_load(path.read_text()) for path in sorted((CHART / "ci").glob("*.yaml"))}


def helm() -> Any:
    """Helm as a library, which CI must have."""
    if "CI" in os.environ:
        import helm_python

        return helm_python
    return pytest.importorskip("helm_python")


def rendered(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The objects of a release with these values."""
    with helm().Chart.load(str(CHART)) as chart:
        chart.validate_schema(given)
        made = chart.render(chart.merge_values(given), name="claims", namespace="prod")
    files = (text for name, text in made.items() if name.endswith(".yaml"))
    return [one for text in files for one in yaml.safe_load_all(text) if one]


def of_kind(objects: list[dict[str, Any]], kind: str) -> dict[str, dict[str, Any]]:
    """The objects of a kind by name."""
    return {one["metadata"]["name"]: one for one in objects if one["kind"] == kind}
