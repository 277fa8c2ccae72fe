"""Known vulnerabilities of the installed packages, by pip-audit: `python -m tests.audit`.

They fail the lint. Where pip-audit's database cannot be reached, nobody can know, and one line says
that this check was skipped.
"""

import json
import subprocess
import sys
from typing import Any

LONGEST_SECONDS = 60.0
ANSWER_SECONDS = 5  # that one question to the database may take


def main() -> int:
    """Runs pip-audit over this environment; the exit code of the check."""
    command = [
        sys.executable,
        "-m",
        "pip_audit",
        "--format=json",
        "--progress-spinner=off",
        "--skip-editable",
    ]
    try:
        done = subprocess.run(
            [*command, f"--timeout={ANSWER_SECONDS}"],
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )
        code, told = judged(done.stdout)
    except subprocess.TimeoutExpired:
        code, told = skipped("is too slow")
    print(told)
    return code


def judged(output: str) -> tuple[int, str]:
    """Exit code and words for what pip-audit printed: a report, or nothing that is one."""
    try:
        packages: list[dict[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return skipped("does not answer")
    known = [one for one in packages if "skip_reason" not in one]
    if not known:
        return skipped("knows none of our packages")
    found = [
        f"{one['name']} {one['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'none'}"
        for one in known
        for flaw in one["vulns"]
    ]
    told = (
        f"{len(known)} packages audited, {len(packages) - len(known)} unknown, {len(found)} vulnerabilities"
    )
    return (1 if found else 0), "\n".join([*found, told])


def skipped(why: str) -> tuple[int, str]:
    """No verdict, and why."""
    return 0, f"vulnerabilities: skipped, pip-audit's database {why}"


if __name__ == "__main__":
    sys.exit(main())
