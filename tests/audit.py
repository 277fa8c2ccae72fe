"""Known vulnerabilities of the installed packages, by pip-audit: `python -m tests.audit`.

They fail the lint. If pip-audit's database cannot be reached, nobody can know: the check says so, with the
age of the last answer, which `--record` keeps in tests/audited.json.
"""

import json
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

LONGEST_SECONDS: Final = 60.0
ANSWER_SECONDS: Final = 5  # that one question to the database may take
RECORD: Final = Path(__file__).with_name("audited.json")


class Audit(NamedTuple):
    """What the database knows of the installed packages, as "name==version"."""

    known: list[str]
    unknown: int
    flaws: list[str]


class Unanswered(Exception):
    """The database gave no answer; the message says why."""


def asked() -> str:
    """What pip-audit prints about this environment. Raises Unanswered."""
    command = [
        sys.executable,
        "-m",
        "pip_audit",
        "--format=json",
        "--progress-spinner=off",
        "--skip-editable",
    ]
    try:
        return subprocess.run(
            [*command, f"--timeout={ANSWER_SECONDS}"],
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        ).stdout
    except subprocess.TimeoutExpired:
        raise Unanswered("is too slow") from None


def read(output: str) -> Audit:
    """The report that pip-audit printed. Raises Unanswered if that is none."""
    try:
        packages: list[dict[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        raise Unanswered("does not answer") from None
    known = [one for one in packages if "skip_reason" not in one]
    if not known:
        raise Unanswered("knows none of our packages")
    flaws = [
        f"{one['name']} {one['version']}: {flaw['id']}, fixed in {', '.join(flaw['fix_versions']) or 'none'}"
        for one in known
        for flaw in one["vulns"]
    ]
    return Audit([f"{one['name']}=={one['version']}" for one in known], len(packages) - len(known), flaws)


def last_answer(record: str | None, today: date) -> str:
    """How old the recorded answer is. None if there is no record."""
    if record is None:
        return "it has never answered here"
    then: dict[str, Any] = json.loads(record)
    days = (today - date.fromisoformat(then["date"])).days
    return f"its last answer is {days} days old ({then['date']}, {len(then['packages'])} packages)"


def main(arguments: list[str]) -> int:
    """Runs pip-audit over this environment; the exit code of the check."""
    today = datetime.now(UTC).date()
    try:
        audit = read(asked())
    except Unanswered as error:
        record = RECORD.read_text(encoding="utf-8") if RECORD.exists() else None
        print(f"vulnerabilities: NOT CHECKED, pip-audit's database {error}; {last_answer(record, today)}")
        return 0
    for flaw in audit.flaws:
        print(flaw)
    print(
        f"{len(audit.known)} packages audited with what is known on {today}, {audit.unknown} unknown,"
        f" {len(audit.flaws)} vulnerabilities"
    )
    if arguments == ["--record"]:
        answer = {"date": today.isoformat(), "packages": sorted(audit.known), "flaws": audit.flaws}
        RECORD.write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")
    return 1 if audit.flaws else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
