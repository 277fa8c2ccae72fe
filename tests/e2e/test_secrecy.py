"""No word of a claim is anywhere but in PostgreSQL's data, whatever happens; no key but where it was shown.

No secret is in anything that a process stores, logs or sends.

A stack lives through the bad day that bad_day.py tells; the tests look at what is left of it.
"""

import base64
import json
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from ace.gatekeeper.loading import FOR_ANY_EXPERT
from ace.local.stack import Stack
from ace.settings import Settings
from tests.e2e.bad_day import WORD, Left, bad_day, bearer, look_around
from tests.e2e.watching import Watch, holds
from tests.receivers import Reply, receiving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def left(data_dir: Path) -> Left:
    folder = Path(tempfile.mkdtemp(dir=data_dir))
    (folder / "tmp").mkdir(mode=0o700)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as receives:
        patch.setenv("TMPDIR", str(folder / "tmp"))  # for its processes; ours has looked it up before
        collector = receives.enter_context(receiving(lambda _: Reply(200)))
        receiver = receives.enter_context(receiving())
        settings = Settings(
            calibration=FOR_ANY_EXPERT,
            data_dir=folder,
            port=0,
            fast_lease_seconds=2,
            slow_lease_seconds=2,
            access_log=True,
            traces_url=collector.url,
            webhook_http=True,
            webhook_networks="127.0.0.0/8",
        )
        with Stack(settings, quiet=True) as stack:
            watch = Watch(stack.environment["ACE_DATABASE_URL"], stack.redis.operator_url)
            found = Left(folder, watch, *keys_of(stack))
            found.secrets = secrets_of(stack, found.key, receiver.url)
            with watch:
                bad_day(stack, found)
            look_around(stack, found)
        files = {file: file.read_bytes() for file in folder.glob("**/*") if file.is_file()}
    inside = {file for file in files if folder / "postgres" in file.parents}
    other = files.keys() - inside - {folder / "key"}
    found.places |= {
        "commands to Redis": bytes(watch.told),
        "statements to PostgreSQL": "\n".join(watch.asked).encode(),
        "titles and environments": b"\n".join(watch.shown),
        "files without a name": b"\n".join(watch.unnamed),
        "spans": b"".join(one.body for one in collector.came),
        "webhooks": b"".join(f"{one.path} {one.headers}".encode() + one.body for one in receiver.came),
        "logs": b"".join(files[file] for file in files if file.suffix == ".log"),
        "other files": b"".join(f"{file}".encode() + files[file] for file in other),
        "data of PostgreSQL": b"".join(files[file] for file in inside),
    }
    return found


def keys_of(stack: Stack) -> tuple[str, str, str]:
    """A key that the command line shows, the stack's own, and one that an admin makes over HTTP."""
    scopes = [
        word
        for scope in ("submit", "read", "text", "replay", "webhooks", "admin")
        for word in ("--scope", scope)
    ]
    shown = subprocess.run(
        [sys.executable, "-m", "ace", "keys", "create", "--tenant", "local", *scopes, "--json"],
        env=stack.environment,
        capture_output=True,
        check=True,
    )
    key = json.loads(shown.stdout)["key"]
    made = httpx.post(f"{stack.url}/v1/keys", headers=bearer(key), json={"label": "by http"})
    assert made.status_code == 201
    return key, stack.key, made.json()["key"]


def secrets_of(stack: Stack, key: str, receiver: str) -> dict[str, str]:
    """What the stack signs with, what it logs in to Redis with, and the secret of a webhook made here."""
    made = httpx.post(f"{stack.url}/v1/webhooks", headers=bearer(key), json={"url": receiver})
    assert made.status_code == 201
    return {
        "ACE_SECRET": stack.environment["ACE_SECRET"],
        "password of Redis": urlsplit(stack.environment["ACE_BROKER_URL"]).password or "",
        "secret of a webhook": made.json()["secret"].removeprefix("whsec_"),
    }


def test_the_day_was_bad(left: Left) -> None:
    # All of it happened, and we looked where it would show.
    assert left.deciders["gatekeeper"] > 100
    assert left.deciders["expert"] > 5
    assert holds(left.places["data of PostgreSQL"], WORD)
    assert holds(left.places["commands to Redis"], left.ids[0])
    assert b"INSERT INTO claims" in left.places["statements to PostgreSQL"]
    assert b"worker\0fast" in left.places["titles and environments"]
    assert holds(left.places["spans"], "/v1/filings/bulk")
    assert holds(left.places["spans"], "examine")
    assert holds(left.places["webhooks"], "filing.settled")
    for name in ("ACE_SECRET", "password of Redis"):
        assert holds(left.places["titles and environments"], left.secrets[name])
    assert len(left.secrets["secret of a webhook"]) > 40
    assert b'"route": "/v1/filings/bulk"' in left.places["logs"]
    told = left.places["logs"].decode()
    for complaint in ("IntegrityError", "message failed", "violates check", "by signal 9"):
        assert complaint in told
    assert left.answers["a fault of ours"].startswith(b"500")
    refused = (b'"status": 4', b'"status":4', b'"status": 500', b"Invalid HTTP")
    strange = {name: told for name, told in left.answers.items() if not any(one in told for one in refused)}
    assert strange == {}
    assert len(left.answers) > 20


PLACES = (
    "commands to Redis",
    "keys of Redis",
    "statements to PostgreSQL",
    "titles and environments",
    "files without a name",
    "logs",
    "other files",
    "spans",
    "webhooks",
    "metrics",
    "readiness",
    "stack.json",
    "key",
)
STORED_OR_SENT = (
    "keys of Redis",
    "statements to PostgreSQL",
    "data of PostgreSQL",
    "logs",
    "spans",
    "webhooks",
    "metrics",
    "readiness",
)


@pytest.mark.parametrize("place", PLACES)
def test_no_word_of_a_claim_is_there(left: Left, place: str) -> None:
    assert not holds(left.places[place], WORD)


def test_no_answer_repeats_what_was_refused(left: Left) -> None:
    assert [name for name, answer in left.answers.items() if holds(answer, WORD)] == []


@pytest.mark.parametrize("place", [*PLACES, "data of PostgreSQL"])
def test_no_key_is_there(left: Left, place: str) -> None:
    for key in (left.key, left.admitted, left.stack_key):
        secret = key.rpartition("_")[2][:32]
        where_it_belongs = key == left.stack_key and place in {"stack.json", "key"}
        assert holds(left.places[place], secret) == where_it_belongs


@pytest.mark.parametrize("place", STORED_OR_SENT)
def test_no_secret_is_there(left: Left, place: str) -> None:
    assert [name for name, secret in left.secrets.items() if holds(left.places[place], secret)] == []


def test_files_with_keys_are_for_their_owner_alone(left: Left) -> None:
    assert left.modes == {"stack.json": 0o600, "key": 0o600, "secret": 0o600}


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
def test_a_word_is_found_in_base64_wherever_it_stands(before: str) -> None:
    assert holds(base64.b64encode(f"{before}{WORD} and more".encode()), WORD)
    assert not holds(base64.b64encode(f"{before}{WORD[1:]} and more".encode()), WORD)
