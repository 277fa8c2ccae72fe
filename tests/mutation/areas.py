"""Which tests speak for which code, and the share of mutants that they must notice."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Area:
    """Files under `code`, and their tests in rounds: each round runs only if the one before passes."""

    name: str
    code: tuple[str, ...]
    rounds: tuple[tuple[str, ...], ...]
    aim: float = 0.85
    count: int = 30  # mutants of the sample


NOT_SLOW: Final = ("-m", "not slow")

AREAS: Final = (
    Area(
        "moves, dispatching, flow, leases",
        ("ace/store/moves", "ace/store/assignment.py", "ace/flow", "workers"),
        (
            ("tests/unit/store", "tests/unit/flow", "tests/unit/workers", *NOT_SLOW),
            ("tests/integration/store", "tests/integration/flow", "tests/integration/workers", *NOT_SLOW),
        ),
        aim=0.95,
        count=60,
    ),
    Area(
        "store",
        ("ace/store", "ace/types"),
        (
            ("tests/unit/store", "tests/unit/types", *NOT_SLOW),
            ("tests/integration/store", "tests/integration/flow", *NOT_SLOW),
            ("tests/integration/api", *NOT_SLOW),
        ),
    ),
    Area("claims", ("ace/claims",), (("tests/unit/claims",),), count=60),
    Area(
        "expert",
        ("ace/expert",),
        (("tests/unit/expert", *NOT_SLOW), ("tests/integration/flow/test_verification.py",)),
        count=40,
    ),
    Area(
        "routing and gatekeeper",
        ("ace/routing", "ace/gatekeeper"),
        (("tests/unit/routing", "tests/unit/gatekeeper", "tests/unit/lab/calibration", *NOT_SLOW),),
    ),
    Area(
        "api",
        ("ace/api",),
        (("tests/unit/api", *NOT_SLOW), ("tests/integration/api", *NOT_SLOW)),
    ),
    Area(
        "client and command line",
        ("patent_ace_client", "ace/cli", "ace/settings.py", "ace/telemetry.py"),
        (
            (
                "tests/unit/test_cli.py",
                "tests/unit/test_cli_check.py",
                "tests/unit/test_cli_demo.py",
                "tests/unit/test_cli_filings.py",
                "tests/unit/client/test_client.py",
                "tests/unit/client/test_halves.py",
                "tests/unit/test_settings.py",
                "tests/unit/test_telemetry.py",
                "tests/unit/expert/client/test_probing.py",
                "tests/unit/workers",
            ),
            ("tests/e2e/test_cli.py",),
        ),
    ),
)
