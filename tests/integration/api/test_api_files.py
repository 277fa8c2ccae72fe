"""Filing claims as files: text, DOCX and XML, with docket and priority as query parameters."""

import io
import zipfile
from collections.abc import Callable
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from tests.files import DOCX, MAKERS, docx, plain, xml

MARKER: Final = "zyzzyva"
CLAIMS: Final = (
    "A bracket comprising a plate and a hook.",
    "The bracket of claim 1, wherein the hook is flat.",
)
CANCELED: Final = (*CLAIMS, "(Canceled)", "The bracket of claim 3, wherein the plate is thin.")


def post(api: TestClient, content: bytes, media: str, query: str = "docket=P-1", **headers: str) -> Any:
    return api.post(f"/v1/filings?{query}", content=content, headers={"Content-Type": media, **headers})


def kept(db: Engine) -> list[str]:
    with db.connect() as connection:
        return list(connection.execute(text("SELECT text FROM claims ORDER BY filing_id, number")).scalars())


@pytest.mark.parametrize("media", MAKERS)
def test_a_file_is_filed_like_its_text(api: TestClient, db: Engine, media: str) -> None:
    answer = post(api, MAKERS[media](*CLAIMS), media, "docket=P-1&priority=2")

    assert answer.status_code == 202
    assert [one["claim"] for one in answer.json()["evaluations"]] == [1, 2]
    assert answer.json()["canceled"] == []
    assert kept(db) == list(CLAIMS)
    found = api.get(answer.headers["location"]).json()
    assert (found["docket"], found["priority"], found["metadata"], found["claims"]) == ("P-1", 2, {}, 2)


@pytest.mark.parametrize("media", MAKERS)
def test_canceled_claims_are_named_and_kept_and_not_evaluated(
    api: TestClient, db: Engine, media: str
) -> None:
    answer = post(api, MAKERS[media](*CANCELED), media).json()

    assert answer["canceled"] == [3]
    assert [one["claim"] for one in answer["evaluations"]] == [1, 2, 4]
    assert kept(db)[2] == "(Canceled)"
    filing = api.get(f"/v1/filings/{answer['filing']}").json()
    assert (filing["claims"], filing["states"]) == (4, {"queued": 3})


def test_canceled_claims_of_a_list_and_of_an_upload_are_named_too(api: TestClient) -> None:
    body = {"docket": "P-1", "claims": [{"text": words} for words in CANCELED]}
    assert api.post("/v1/filings", json=body).json()["canceled"] == [3]
    headers = {"Content-Type": "application/x-ndjson"}
    line = api.post("/v1/filings/bulk", json=body, headers=headers).json()
    assert (line["status"], line["canceled"]) == (202, [3])


def test_who_depends_on_a_canceled_claim_is_told_so(api: TestClient) -> None:
    filed = post(api, plain(*CANCELED), "text/plain").json()
    found = api.get(f"/v1/evaluations/{filed['evaluations'][2]['id']}/findings").json()["findings"]
    assert ("dependency", "canceled", "claim 3") in [
        (one["class"], one["subtype"], one["quote"]) for one in found
    ]


def test_a_set_without_anything_pending_is_refused(api: TestClient, stored: Callable[[], int]) -> None:
    for answer in (
        post(api, b"1-3. (Canceled)", "text/plain"),
        api.post("/v1/filings", json={"docket": "P-1", "claims": "1. (Canceled)\n2. (Canceled)"}),
    ):
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["code"] == "nothing_pending"
    assert stored() == 0


def test_the_same_file_and_key_get_the_same_answer(api: TestClient) -> None:
    content = docx(*CANCELED)
    first = post(api, content, DOCX, **{"Idempotency-Key": "k"})
    assert first.status_code == 202
    again = post(api, content, DOCX, **{"Idempotency-Key": "k"})
    assert (again.status_code, again.json()) == (202, first.json())


@pytest.mark.parametrize(
    ("content", "media", "query"),
    [
        (plain(*CLAIMS) + b" ", "text/plain", "docket=P-1"),
        (plain(*CLAIMS), "text/plain", "docket=P-2"),
        (plain(*CLAIMS), "text/plain", "docket=P-1&priority=6"),
        (xml(*CLAIMS), "application/xml", "docket=P-1"),
    ],
)
def test_the_same_key_with_another_file_is_refused(
    api: TestClient, content: bytes, media: str, query: str
) -> None:
    post(api, plain(*CLAIMS), "text/plain", **{"Idempotency-Key": "k"})
    answer = post(api, content, media, query, **{"Idempotency-Key": "k"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["header"] == "Idempotency-Key"


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("", "docket"),
        ("docket=", "docket"),
        ("docket=%00", "docket"),
        ("docket=P&priority=10", "priority"),
        ("docket=P&priority=high", "priority"),
        ("docket=P&metadata=x", "metadata"),
    ],
)
def test_bad_parameters_of_a_file_are_named(
    api: TestClient, stored: Callable[[], int], query: str, parameter: str
) -> None:
    answer = post(api, plain(*CLAIMS), "text/plain", query)
    assert answer.status_code == 422
    assert [error["parameter"] for error in answer.json()["errors"]] == [parameter]
    assert stored() == 0


@pytest.mark.parametrize("query", ["docket=P-1", "priority=3"])
def test_parameters_beside_json_are_refused(api: TestClient, stored: Callable[[], int], query: str) -> None:
    answer = api.post(f"/v1/filings?{query}", json={"docket": "P-1", "claims": "A bracket."})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["parameter"] == query.split("=")[0]
    assert stored() == 0


def bomb() -> bytes:
    """A small zip file that would be a large one."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", MARKER * 5_000_000)
    return written.getvalue()


ENTITIES: Final = f"""<?xml version="1.0"?>
<!DOCTYPE claims [<!ENTITY a "{MARKER}"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<claims><claim num="1"><claim-text>A &b;.</claim-text></claim></claims>""".encode()
OUTSIDE: Final = f"""<?xml version="1.0"?>
<!DOCTYPE claims [<!ENTITY a SYSTEM "file:///etc/hostname">]>
<claims><claim num="1"><claim-text>A {MARKER} &a;.</claim-text></claim></claims>""".encode()

HOSTILE: Final[list[tuple[str, bytes, str]]] = [
    ("a zip bomb", bomb(), DOCX),
    ("half a document", docx(MARKER)[:2_000], DOCX),
    ("text that is called DOCX", MARKER.encode(), DOCX),
    ("a zip of nothing", b"PK\5\6" + bytes(18), DOCX),
    ("entities in entities", ENTITIES, "application/xml"),
    ("an entity from outside", OUTSIDE, "text/xml"),
    ("half an XML", xml(MARKER)[:-20], "application/xml"),
    ("text that is called XML", MARKER.encode(), "application/xml"),
    ("XML too deep", b"<a>" * 20_000, "application/xml"),
    ("no claims in it", f"<abstract>{MARKER}</abstract>".encode(), "application/xml"),
    ("bytes that are no text", MARKER.encode() + b"\xff\xfe\xfa", "text/plain"),
    ("control characters", f"1. A {MARKER}\0.".encode(), "text/plain"),
    ("nothing", b"", "text/plain"),
    ("nothing, called DOCX", b"", DOCX),
]


@pytest.mark.parametrize(
    ("content", "media"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE]
)
def test_a_hostile_file_is_refused_and_not_repeated(
    api: TestClient,
    stored: Callable[[], int],
    caplog: pytest.LogCaptureFixture,
    content: bytes,
    media: str,
) -> None:
    for path in ("/v1/filings?docket=P-1", "/v1/check"):
        answer = api.post(path, content=content, headers={"Content-Type": media})
        if path == "/v1/check" and answer.status_code == 200:  # read as far as it can be
            continue
        assert answer.status_code in {400, 413, 415, 422}
        assert answer.headers["content-type"] == "application/problem+json"
        assert MARKER not in f"{answer.text}{answer.headers}"
    assert MARKER not in caplog.text
    assert stored() == 0


@pytest.mark.parametrize(
    "media", ["image/png", "application/pdf", "application/zip", "application/msword", ""]
)
def test_other_files_are_415(api: TestClient, stored: Callable[[], int], media: str) -> None:
    assert post(api, plain(*CLAIMS), media).status_code == 415
    assert stored() == 0


def test_a_file_has_the_limit_of_every_body(api: TestClient, stored: Callable[[], int]) -> None:
    answer = post(api, b"1. A " + b"b" * 200_000, "text/plain")
    assert answer.status_code == 413
    assert stored() == 0
