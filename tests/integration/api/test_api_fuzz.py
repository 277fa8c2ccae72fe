"""schemathesis over our OpenAPI document and a real `ace serve`: all checks, with a key and without.

`FUZZ_EXAMPLES` sets how many cases each operation gets from the fuzzer, and that they are new ones in each
run; beside them come those of its examples, its coverage of bounds, and its walks from one answer to the
next request.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import Engine, text

from ace.store.scopes import Scope
from tests.served import SECRET, Served

pytestmark = pytest.mark.slow

EXAMPLES: Final = os.environ.get("FUZZ_EXAMPLES", "12")
ROOT: Final = Path(__file__).parents[3]
TENANTS: Final = ("office", "stranger")
# They need a delivery, a verdict or a model, and nothing here decides claims or proposes one.
UNREACHED: Final = {
    ("POST", "/v1/webhooks/{id}/deliveries/{event}/replay"): "404",
    ("POST", "/v1/reviews"): "404",
    **{("POST", f"/v1/models/{{id}}/{act}"): "404" for act in ("shadow", "promote", "retire")},
    ("POST", "/v1/models/rollback"): "409",
}

# 413 is a refusal as good as the others, which the tool leaves out of its list.
CONFIG: Final = """
hooks = "tests.fuzzing"
request-timeout = 60
suppress-health-check = ["too_slow"]
[generation]
database = "none"
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "415", "422", "429"]
"""
# Two tenants: what one reads, the other is tried on.
KEYS: Final = """
[auth.wfc]
path = "keys.json"
peers = ["office", "stranger"]
"""


# What needs no knowledge but the document's: every answer is one that it names.
PLAIN: Final = """
request-timeout = 60
suppress-health-check = ["too_slow", "filter_too_much"]
[generation]
database = "none"
"""
CONFORMANCE: Final = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance", "unsupported_method"),
    *("use_after_free", "ensure_resource_availability", "ignored_auth"),
)
# A stream of ten minutes, a body that the tool cannot write, and the revocation of the key in use.
NOT_PLAIN: Final = ("stream_hints", "submit_filings", "revoke_key")


def run(
    served: Served, folder: Path, config: str, *more: str, checks: str = "all", **environment: str
) -> int:
    """Runs checks in all phases; returns how many cases were tried. Fails where one failed."""
    (folder / "schemathesis.toml").write_text(config)
    wanted = [
        f"--checks={checks}",
        "--phases=examples,coverage,fuzzing,stateful",
        f"--max-examples={EXAMPLES}",
    ]
    if "FUZZ_EXAMPLES" not in os.environ:
        wanted.append("--generation-deterministic")
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "schemathesis.cli",
            "run",
            f"{served.url}/openapi.json",
            "--no-color",
            *wanted,
            *more,
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "FUZZ_SECRET": SECRET, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    told = "\n".join(line[:1_000] for line in ran.stdout.splitlines())
    assert ran.returncode == 0, f"{told}\n{ran.stderr[-2_000:]}"
    counted = re.search(r"(\d+) generated, (\d+) passed", told)
    assert counted, told
    assert counted[1] == counted[2]
    return int(counted[1])


def statuses(given: Counter[tuple[str, str, str]], route: tuple[str, str]) -> set[str]:
    return {status for *at, status in given if tuple(at) == route}


def operations(app: FastAPI, *, keyed: bool) -> set[tuple[str, str]]:
    return {
        (method.upper(), path)
        for path, item in app.openapi()["paths"].items()
        for method, operation in item.items()
        if bool(operation.get("security")) == keyed
    }


def rows(db: Engine) -> list[int]:
    with db.connect() as connection:
        tables = ("filings", "claims", "evaluations", "events", "tallies", "keys")
        return [connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() for table in tables]


def test_nothing_fails_without_a_key_and_nothing_opens(
    served: Served, tmp_path: Path, app: FastAPI, db: Engine
) -> None:
    before = served.requests()
    assert run(served, tmp_path, CONFIG) > 100

    given = served.requests() - before
    for route in operations(app, keyed=True):
        assert statuses(given, route) <= {"401", "405"}, route
    for route in operations(app, keyed=False):
        assert "200" in statuses(given, route), route
    assert rows(db) == [0] * 6


def test_nothing_fails_with_a_key_and_every_route_is_reached(
    served: Served, tmp_path: Path, app: FastAPI, new_key: Callable[..., str]
) -> None:
    keys = {tenant: new_key(tenant, *Scope, rate=1_000_000) for tenant in TENANTS}
    users: list[dict[str, Any]] = [
        {"name": tenant, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {key}"}]}
        for tenant, key in keys.items()
    ]
    (tmp_path / "keys.json").write_text(json.dumps({"auth": users}))

    ids = ",".join(key.split("_")[1] for key in keys.values())
    before = served.requests()
    assert run(served, tmp_path, CONFIG + KEYS, FUZZ_KEY_IDS=ids) > 400

    given = served.requests() - before
    for route in operations(app, keyed=True):
        good = {UNREACHED[route]} if route in UNREACHED else {"200", "201", "202", "204"}
        assert statuses(given, route) & good, route  # or little was tried there
    for key in keys.values():
        read = httpx.get(f"{served.url}/v1/evaluations", headers={"Authorization": f"Bearer {key}"})
        assert read.status_code == 200


def test_every_answer_is_one_of_the_document_s_for_whoever_knows_no_more(
    served: Served, tmp_path: Path, new_key: Callable[..., str]
) -> None:
    """Without hooks: links and bodies come from the document alone."""
    key = new_key("office", *Scope, rate=1_000_000)
    header = ["--header", f"Authorization: Bearer {key}"]
    left_out = [f"--exclude-operation-id={name}" for name in NOT_PLAIN]
    tried = run(served, tmp_path, PLAIN, *header, *left_out, checks=",".join(CONFORMANCE))
    assert tried > 400
