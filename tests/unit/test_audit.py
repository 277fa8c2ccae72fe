"""What `make lint` makes of pip-audit's report, or of its silence."""

import json
from typing import Any

import pytest

from tests.audit import judged

SOUND = {"name": "sound", "version": "1", "vulns": []}
UNKNOWN = {"name": "ours", "skip_reason": "not found"}
FLAWED = {
    "name": "flawed",
    "version": "2",
    "vulns": [{"id": "CVE-1", "fix_versions": ["2.1", "3"]}, {"id": "CVE-2", "fix_versions": []}],
}


@pytest.mark.parametrize(
    ("packages", "code", "told"),
    [
        ([SOUND, UNKNOWN], 0, ["1 packages audited, 1 unknown, 0 vulnerabilities"]),
        ([SOUND, FLAWED], 1, ["flawed 2: CVE-1, mended in 2.1, 3", "CVE-2, mended in none"]),
        ([UNKNOWN, UNKNOWN], 0, ["skipped"]),
        ([], 0, ["skipped"]),
    ],
)
def test_vulnerabilities_alone_fail(packages: list[dict[str, Any]], code: int, told: list[str]) -> None:
    judged_code, words = judged(json.dumps({"dependencies": packages, "fixes": []}))

    assert judged_code == code
    assert all(part in words for part in told)


@pytest.mark.parametrize("output", ["", "no JSON", "[]", "{}", "null"])
def test_no_report_is_no_verdict(output: str) -> None:
    assert judged(output) == (0, "vulnerabilities: skipped, pip-audit's database does not answer")
