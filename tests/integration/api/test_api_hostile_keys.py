"""Forged, foreign and mangled keys, ids and cursors, on every route that the OpenAPI document names."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final
from uuid import UUID

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.store import keys
from ace.store.database import transact

pytestmark = pytest.mark.slow

MARKER: Final = "zyzzyva"
NOTHING: Final = "01a1fb7f-0da3-7014-8f64-d20e21e5c542"
GOOD: Final = {"docket": "P-1", "claims": "1. A bracket comprising a plate."}


def routes(app: FastAPI, *, keyed: bool) -> Iterator[tuple[str, str, str]]:
    """(method, path with {id}, media type of its body) of every route that wants a key, or of all."""
    for path, item in app.openapi()["paths"].items():
        for method, operation in item.items():
            if operation.get("security") or not keyed:
                content = operation.get("requestBody", {}).get("content", {"application/json": {}})
                yield method.upper(), path, min(content)


# Keys


def forged(key: str, other: str, revoked: str) -> list[tuple[str, Any]]:
    """Authorization headers that open nothing, made from two keys in force and one that is not."""
    start, id_, secret = key.split("_")
    other_id = other.split("_")[1]
    return [
        ("none", None),
        ("empty", ""),
        ("no key", "Bearer"),
        ("empty key", "Bearer "),
        ("another scheme", "Basic b2ZmaWNlOng="),
        ("no scheme", key),
        ("unknown", f"Bearer ace_000000000000_{'0' * 64}"),
        ("short", "Bearer ace_nobody_00"),
        ("SQL in the id", "Bearer ace_' OR 1=1 --_00"),
        ("a wildcard", "Bearer ace_%_%"),
        ("very long", "Bearer " + "a" * 10_000),
        ("very long id", f"Bearer ace_{'0' * 5_000}_{secret}"),
        ("no ASCII", b"Bearer ace_\xff_00"),
        ("digits that look alike", f"Bearer ace_{id_}_".encode() + "٠".encode() * 64),
        ("wrong secret", f"Bearer {key[:-1]}{'0' if key[-1] != '0' else '1'}"),
        ("half a secret", f"Bearer {key[:-32]}"),
        ("a character more", f"Bearer {key}x"),
        ("space behind", f"Bearer {key} "),
        ("tab for a space", f"Bearer\t{key}"),
        ("upper case", f"Bearer {key.upper()}"),
        ("another's id", f"Bearer {start}_{other_id}_{secret}"),
        ("the hash for the secret", f"Bearer {start}_{id_}_{keys.digest(key).hex()}"),
        ("two keys", f"Bearer {key}, Bearer {other}"),
        ("revoked", f"Bearer {revoked}"),
    ]


def test_no_route_opens_without_a_key_in_force(
    anonymous: TestClient, app: FastAPI, new_key: Callable[..., str], db: Engine, stored: Callable[[], int]
) -> None:
    key, other, revoked = (new_key(tenant, *keys.Scope) for tenant in ("office", "stranger", "office"))
    transact(db, lambda connection: keys.revoke(connection, revoked.split("_")[1]))
    before = all_keys(db)

    for method, path, media in routes(app, keyed=True):
        for what, header in forged(key, other, revoked):
            headers = {"Content-Type": media} | ({} if header is None else {"Authorization": header})
            place = path.replace("{id}", NOTHING).replace("{event}", NOTHING)
            answer = anonymous.request(method, place, content=json.dumps(GOOD), headers=headers)
            assert answer.status_code == 401, (method, path, what)
            assert answer.headers["www-authenticate"].startswith("Bearer")
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["type"] == "/problems/unauthorised"

    assert (stored(), all_keys(db)) == (0, before)


def all_keys(db: Engine) -> list[str]:
    with db.connect() as connection:
        return list(connection.execute(text("SELECT k::text FROM keys k ORDER BY 1")).scalars())


def test_a_second_key_does_not_count(anonymous: TestClient, key: str, stranger: dict[str, str]) -> None:
    headers = [("Authorization", f"Bearer {key}x"), ("Authorization", stranger["Authorization"])]
    assert anonymous.get("/v1/evaluations", headers=headers).status_code == 401


def test_unknown_query_parameter_is_refused_everywhere(api: TestClient, app: FastAPI) -> None:
    for method, path, media in routes(app, keyed=False):
        place = path.replace("{id}", NOTHING if "keys" not in path else "0123456789ab")
        place = place.replace("{event}", NOTHING)
        answer = api.request(method, f"{place}?{MARKER}=1", content="{}", headers={"Content-Type": media})
        assert answer.status_code == 422, (method, path)
        assert answer.json()["errors"][0]["parameter"] == MARKER


# Ids

IDS: Final = [
    "0",
    "-1",
    "null",
    "None",
    "%2e%2e",  # a plain .. does not leave the client
    "..%2f..%2fv1%2fkeys",
    "*",
    "%00",
    "%0a",
    f"{NOTHING}%00",
    f"{NOTHING}%0a",
    f"{NOTHING}%20",
    f"{NOTHING};a=b",
    f"{NOTHING},{NOTHING}",
    f"{{{NOTHING}}}",
    f"urn:uuid:{NOTHING}",
    NOTHING[:-1],
    NOTHING.replace("-", "–"),
    "٠" * 32,  # digits to Python, but no hexadecimal ones
    "０" * 32,
    "g" * 32,
    "' OR 1=1 --",
    "1%3bSELECT%20pg_sleep(9)",
    "%ff%fe",
    "\u202e" + NOTHING,
    "x" * 10_000,
    str(UUID(int=0)),
    str(UUID(int=2**128 - 1)),
]


@pytest.mark.parametrize("id_", IDS)
def test_what_is_no_id_of_ours_is_not_found(
    api: TestClient, app: FastAPI, stored: Callable[[], int], id_: str
) -> None:
    bodies = {
        (method.upper(), path): json.dumps(content["application/json"]["example"])
        for path, item in app.openapi()["paths"].items()
        for method, operation in item.items()
        if "{id}" in path and (content := operation.get("requestBody", {}).get("content"))
    }
    for method, path, media in routes(app, keyed=True):
        if "{id}" in path:
            place = path.replace("{id}", id_).replace("{event}", NOTHING)
            body = bodies.get((method, path), "")
            answer = api.request(method, place, content=body, headers={"Content-Type": media})
            assert answer.status_code == 404, (method, path)
            assert answer.headers["content-type"] == "application/problem+json"
            assert NOTHING not in answer.text
    assert stored() == 0


# Cursors


@pytest.fixture
def cursor(api: TestClient) -> str:
    """The cursor of the second page of three."""
    api.post("/v1/filings", json={"docket": "P-1", "claims": [{"text": "A bracket."}] * 3})
    return str(api.get("/v1/evaluations?limit=1").json()["next"])


def refused(api: TestClient, cursor: str, **query: str) -> bool:
    answer = api.get("/v1/evaluations", params={**query, "cursor": cursor})
    assert answer.status_code in {200, 422}
    return answer.status_code == 422


def test_cursor_is_good_for_its_own_list_alone(api: TestClient, cursor: str) -> None:
    assert not refused(api, cursor)
    assert not refused(api, cursor, limit="2")
    for query in ({"state": "queued"}, {"docket": "P-1"}, {"filing": NOTHING}, {"verdict": "Pass"}):
        assert refused(api, cursor, **query)


def test_no_character_of_a_cursor_can_be_changed(api: TestClient, cursor: str) -> None:
    """The last one carries two bits that mean nothing, so it is left out."""
    for place, letter in enumerate(cursor[:-1]):
        other = "A" if letter != "A" else "B"
        assert refused(api, cursor[:place] + other + cursor[place + 1 :]), place
        assert refused(api, cursor[:place])


@pytest.mark.parametrize(
    "change",
    [
        lambda cursor: cursor + "=",
        lambda cursor: cursor + "A",
        lambda cursor: cursor * 2,
        lambda cursor: f" {cursor}",
        lambda cursor: f"{cursor}\n",
        lambda cursor: f"{cursor}\0",
        lambda cursor: cursor.swapcase(),
        lambda cursor: cursor[::-1],
        lambda cursor: "\u202e" + cursor,
        lambda cursor: re.sub("[0-9]", lambda digit: chr(0xFF10 + int(digit[0])), cursor + "1"),
        lambda cursor: f"{cursor}' OR 1=1 --",
        lambda cursor: f"{cursor}&state=failed",
        lambda _: MARKER * 1_000,
    ],
)
def test_mangled_cursor_is_refused_and_not_repeated(
    api: TestClient, cursor: str, change: Callable[[str], str]
) -> None:
    answer = api.get("/v1/evaluations", params={"cursor": change(cursor)})
    assert answer.status_code == 422
    assert [error["parameter"] for error in answer.json()["errors"]] == ["cursor"]
    assert cursor not in answer.text
    assert MARKER not in answer.text
