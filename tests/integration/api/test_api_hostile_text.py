"""Text that is legal and looks for trouble: it is kept as it came, or refused, and does nothing else.

What tricks the eye or the database, in every field and parameter that takes a text.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

pytestmark = pytest.mark.slow

MARKER: Final = "zyzzyva"
NDJSON: Final = {"Content-Type": "application/x-ndjson"}

# Everything here is printable in the eyes of Unicode, so it is text like any other.
TEXTS: Final[dict[str, str]] = {
    "right to left": "A \u200fקרש\u200e bracket\u061c.",
    "zero width": "A\u200b bra\u200d\u200ccket\u2060.\ufeff",
    "combining marks, as many as are kept": "A" + "\u0301\u0489" * 15 + " bracket.",
    "look-alike digits": "A bracket of claim １٢३𝟜.",
    "look-alike letters": "А Ьrасkеt with a plate.",
    "ligatures and width": "Ａ ﬁxed bracket ½ ﷽.",
    "beyond the first plane": "A 𐐷 bracket 👩‍👩‍👧‍👦 \U0001f3f4\U000e0067\U000e0062\U000e007f.",
    "noncharacters": "A \ufffe\uffff\U0010ffff\ufdd0 bracket.",
    "private use": "A \ue000\U000f0000 bracket.",
    "separators": "A\u2028bracket\u2029and\u00a0plate\u3000.",
    "composed and not": "A ﾊﾟ e\u0301 é.",
    "end of a statement": "A'; DROP TABLE filings; --",
    "always true": "A' OR '1'='1",
    "double quotes": 'A" OR ""="',
    "backslashes": "A\\'; SELECT pg_sleep(9)--\\",
    "dollar quotes": "A $$; DELETE FROM evaluations; $$",
    "comment": "A /* bracket */ -- plate",
    "parameters": "A %s %(id)s :tenant $1 ? {0} {claim} %n",
    "wildcards": "A % _ * bracket",
    "array and JSON": 'A {1,NULL} {"a":1} [0] ARRAY[1]',
    "copy": "A \\N \\. \\copy",
    "null by name": "NULL",
    "templates": "A ${jndi:ldap://127.0.0.1/x} {{7*7}} <%= 1 %> #{1}",
    "markup": "A <script>alert(1)</script> &lt;b&gt; <!--",
    "paths": "A ../../etc/passwd file:///etc/passwd",
    "formula": "=A+cmd|' /C calc'!A0",
    "line feeds by name": "A\\r\\nSet-Cookie: a=b",
}
EVEN: Final = {  # white space of claims is made even, and a byte order mark is none of their text
    TEXTS["separators"]: "A\nbracket\nand plate .",
    TEXTS["zero width"]: TEXTS["zero width"].removesuffix("\ufeff"),
}
CASES: Final = pytest.mark.parametrize("words", TEXTS.values(), ids=TEXTS)


@pytest.fixture
def intact(db: Engine) -> Iterator[None]:
    """After the test, a filing of another tenant is as it was, and so are the tables."""
    with db.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO filings (id, tenant, docket, priority, metadata, claim_count, body_hash)"
                " VALUES (gen_random_uuid(), 'bystander', 'D', 5, '{}', 0, '')"
            )
        )
    before = bystanders(db), tables(db)
    yield
    assert (bystanders(db), tables(db)) == before


def bystanders(db: Engine) -> list[str]:
    with db.connect() as connection:
        rows = connection.execute(text("SELECT f::text FROM filings f WHERE tenant = 'bystander'"))
        return list(rows.scalars())


def tables(db: Engine) -> list[str]:
    with db.connect() as connection:
        return list(connection.execute(text("SELECT relname FROM pg_class ORDER BY 1")).scalars())


def claims(db: Engine, filing: str) -> list[str]:
    with db.connect() as connection:
        sql = text("SELECT text FROM claims WHERE filing_id = :id ORDER BY number")
        return list(connection.execute(sql, {"id": filing}).scalars())


@pytest.mark.usefixtures("intact")
@CASES
def test_text_is_kept_as_it_came(api: TestClient, db: Engine, words: str) -> None:
    docket = words[:200]
    body = {"docket": docket, "claims": [{"text": words}], "metadata": {words: [words, {"a": words}]}}

    single = api.post("/v1/filings", json=body)
    bulk = api.post("/v1/filings/bulk", content=json.dumps(body, ensure_ascii=False).encode(), headers=NDJSON)

    for answer in (single, bulk):
        assert answer.status_code in {200, 202}
        filing = answer.json()["filing"]
        assert claims(db, filing) == [EVEN.get(words, words.strip())]
        found = api.get(f"/v1/filings/{filing}").json()
        assert (found["docket"], found["metadata"]) == (docket, body["metadata"])


@pytest.mark.usefixtures("intact")
def test_bidirectional_controls_are_kept_in_claims_alone(api: TestClient, db: Engine) -> None:
    words = "A \u202ekcarb\u202cet \u2066plate\u2069."
    kept = api.post("/v1/filings", json={"docket": "P-1", "claims": [{"text": words}]})
    assert claims(db, kept.json()["filing"]) == [words]
    for body in ({"docket": words}, {"docket": "P-1", "metadata": {"title": words}}):
        refused = api.post("/v1/filings", json={**body, "claims": "A bracket."})
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["pointer"].split("/")[1] == [*body][-1]


@pytest.mark.usefixtures("intact")
@CASES
def test_filter_means_the_words_and_nothing_else(api: TestClient, work: Any, words: str) -> None:
    docket = words[:200]
    for name in (docket, "P-1"):
        assert api.post("/v1/filings", json={"docket": name, "claims": "A bracket."}).status_code == 202
    work.fail("timeout")

    listed = api.get(f"/v1/evaluations?docket={quote(docket)}").json()["evaluations"]
    by_error = api.post("/v1/replays", json={"filter": {"error": docket}})
    by_docket = api.post("/v1/replays", json={"filter": {"docket": docket}})

    assert [one["docket"] for one in listed] == [docket]
    assert (by_error.status_code, words in by_error.text) == (422, False)
    assert by_docket.json() == {"replayed": [listed[0]["id"]]}


@pytest.mark.usefixtures("intact")
@CASES
def test_label_of_a_key_is_kept_as_it_came(api: TestClient, words: str) -> None:
    made = api.post("/v1/keys", json={"label": words[:200]})
    assert made.status_code == 201
    assert words[:200] in [key["label"] for key in api.get("/v1/keys").json()["keys"]]


@pytest.mark.usefixtures("intact")
@CASES
def test_idempotency_key_is_compared_letter_by_letter(
    api: TestClient, stored: Callable[[], int], words: str
) -> None:
    key = words.replace(" ", "")
    line = json.dumps({"docket": "P", "claims": "A bracket.", "idempotency_key": key})
    answer = api.post("/v1/filings/bulk", content=line, headers=NDJSON).json()
    if not key.isascii():
        assert (answer["status"], answer["problem"]["errors"][0]["pointer"]) == (422, "/idempotency_key")
        return
    assert answer["status"] == 202
    again = api.post("/v1/filings/bulk", content=f"{line}\n{line}", headers=NDJSON).text.splitlines()
    assert {json.loads(one)["filing"] for one in again} == {answer["filing"]}
    other = api.post("/v1/filings/bulk", content=line.replace("A bracket", "A hook"), headers=NDJSON).json()
    assert other["status"] == 422


@CASES
def test_other_parameters_take_no_text(api: TestClient, stored: Callable[[], int], words: str) -> None:
    for name in ("state", "verdict", "filing", "limit", "cursor"):
        answer = api.get(f"/v1/evaluations?{name}={quote(words)}")
        assert answer.status_code == 422
        assert [error["parameter"] for error in answer.json()["errors"]] == [name]
        assert words not in answer.json()["detail"]
    assert stored() == 0


@pytest.mark.parametrize("header", ["Prefer", "If-None-Match"])
@CASES
def test_headers_that_cannot_be_understood_are_left_out_of_account(
    api: TestClient, header: str, words: str
) -> None:
    evaluation = api.post("/v1/filings", json={"docket": "P", "claims": "A bracket."}).json()["evaluations"][
        0
    ]
    value = words.encode() if words.isascii() else words.encode().replace(b"\n", b"")
    answer = api.get(f"/v1/evaluations/{evaluation['id']}", headers={header.encode(): value})  # type: ignore[dict-item]
    assert answer.status_code == 200
    assert "preference-applied" not in answer.headers


# Numbers of claims are those of ASCII alone, so a set cannot be cut where no reader sees a number.
@pytest.mark.parametrize("mark", ["１.", "٢.", "३.", "①", "𝟏.", "1\u200b.", "\u202e1.\u202c", "1٫"])
def test_look_alike_numbers_number_no_claims(api: TestClient, db: Engine, mark: str) -> None:
    answer = api.post("/v1/filings", json={"docket": "P", "claims": f"{mark} A bracket.\n{mark} A hook."})
    assert answer.status_code == 202
    assert claims(db, answer.json()["filing"]) == [f"{mark} A bracket.\n{mark} A hook."]


# What no refusal may repeat, wherever it stood.
QUOTED: Final[list[tuple[str, Any]]] = [
    ("/v1/filings", {"docket": "D", "claims": [{"text": f"{MARKER}\0"}]}),
    ("/v1/filings", {"docket": "D", "claims": [{"text": f"A {MARKER}.", "number": MARKER}]}),
    ("/v1/filings", {"docket": "D", "claims": f"1. A {MARKER}.\n1. A {MARKER}."}),
    ("/v1/filings", {"docket": "D", "claims": [f"A {MARKER}."]}),
    ("/v1/filings", {"docket": "D", "claims": "A b.", "metadata": {MARKER: f"{MARKER}\0"}}),
    ("/v1/filings", {"docket": "D", "claims": {"text": f"A {MARKER}."}}),
    ("/v1/filings", f'{{"docket":"D","claims":"A {MARKER}."'),
    ("/v1/filings", f'{{"docket":"D","claims":"A {MARKER} \\ud800"}}'),
    ("/v1/filings", [f"A {MARKER}."]),
    ("/v1/filings", f"1. A {MARKER}."),
    ("/v1/replays", {"filter": {"docket": f"{MARKER}\0", "error": f"{MARKER}\n"}}),
    ("/v1/replays", {"filter": {"since": MARKER, "state": MARKER}, "limit": MARKER}),
    ("/v1/keys", {"label": f"{MARKER}\0", "scopes": [MARKER], "requests_per_second": MARKER}),
]


@pytest.mark.parametrize(("path", "body"), QUOTED)
def test_no_refusal_repeats_what_came_in(
    api: TestClient, stored: Callable[[], int], caplog: pytest.LogCaptureFixture, path: str, body: Any
) -> None:
    content = body if isinstance(body, str) else json.dumps(body)
    asked = [(path, {"Content-Type": "application/json"})]
    if path == "/v1/filings":
        asked.append(("/v1/filings/bulk", NDJSON))
    for place, headers in asked:
        answer = api.post(place, content=content.replace("\n", " "), headers=headers)
        status = answer.json().get("status") or answer.status_code
        assert 400 <= status < 500
        assert MARKER not in f"{answer.text}{answer.headers}"
    assert MARKER not in caplog.text
    assert stored() == 0
