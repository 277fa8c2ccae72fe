"""What `make lint` makes of pip-audit's report, or of its silence."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests import audit

SOUND = {"name": "sound", "version": "1", "vulns": []}
UNKNOWN = {"name": "ours", "skip_reason": "not found"}
FLAWED = {
    "name": "flawed",
    "version": "2",
    "vulns": [{"id": "CVE-1", "fix_versions": ["2.1", "3"]}, {"id": "CVE-2", "fix_versions": []}],
}
RECORD = json.dumps({"date": "2026-03-01", "packages": ["sound==1", "other==2"], "flaws": []})


def printed(
    output: str,
    arguments: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    record: Path,
) -> tuple[int, str]:
    """Exit code and words of the check when pip-audit prints `output`."""
    monkeypatch.setattr(audit, "asked", lambda: output)
    monkeypatch.setattr(audit, "RECORD", record)
    return audit.main(arguments), capsys.readouterr().out


@pytest.mark.parametrize(
    ("packages", "code", "expected"),
    [
        ([SOUND, UNKNOWN], 0, ["1 packages audited", "1 unknown, 0 vulnerabilities"]),
        ([SOUND, FLAWED], 1, ["flawed 2: CVE-1, fixed in 2.1, 3", "CVE-2, fixed in none"]),
        ([UNKNOWN, UNKNOWN], 0, ["NOT CHECKED", "knows none of our packages"]),
        ([], 0, ["NOT CHECKED"]),
    ],
)
def test_vulnerabilities_alone_fail(
    packages: list[dict[str, Any]],
    code: int,
    expected: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    output = json.dumps({"dependencies": packages, "fixes": []})
    found, words = printed(output, [], monkeypatch, capsys, tmp_path / "none")

    assert found == code
    assert all(part in words for part in expected)


@pytest.mark.parametrize("output", ["", "no JSON", "[]", "{}", "null"])
def test_no_report_is_no_verdict(
    output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert printed(output, [], monkeypatch, capsys, tmp_path / "none") == (
        0,
        "vulnerabilities: NOT CHECKED, pip-audit's database does not answer; it has never answered here\n",
    )


def test_the_age_of_the_last_answer_is_named() -> None:
    assert audit.last_answer(RECORD, date(2026, 3, 11)) == (
        "its last answer is 10 days old (2026-03-01, 2 packages)"
    )


def test_an_answer_is_recorded_on_request_and_read_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "audited.json"
    output = json.dumps({"dependencies": [SOUND], "fixes": []})
    printed(output, [], monkeypatch, capsys, record)
    assert not record.exists()
    printed(output, ["--record"], monkeypatch, capsys, record)
    _, words = printed("", [], monkeypatch, capsys, record)
    assert "its last answer is 0 days old" in words
    assert "1 packages" in words
