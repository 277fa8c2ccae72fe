"""The client against a scripted server: what it sends, what it tries again, what it gives back."""

import io
import json
import random
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from patent_ace_client import (
    ApiError,
    Client,
    Disagreement,
    File,
    Forbidden,
    Invalid,
    Note,
    NotFound,
    NotSettled,
    TooMuch,
    Unauthorised,
    Unreachable,
)
from patent_ace_client.uploads import CHUNK_BYTES, CHUNK_LINES, chunks

ACCEPTED = {
    "filing": "f-1",
    "test": False,
    "evaluations": [{"id": "e-1", "claim": 1}],
    "canceled": [],
    "notes": [],
    "a_field_of_tomorrow": 1,
}
EVALUATION = {
    "id": "e-1",
    "filing": "f-1",
    "docket": "P-1",
    "claim": 1,
    "state": "decided",
    "verdict": "Fail",
    "decided_by": "expert",
    "error_class": "antecedent",
    "probabilities": {"pass": 0.4},
    "u": 0.6,
    "h6": 0.9,
    "tau": 0.4,
    "model": "m",
    "calibration": "c",
    "disputed": False,
    "would_escalate": False,
    "ground": "rejection",
    "span": None,
    "score": "u",
    "doubt": 0.6,
    "certain": 0.9,
    "rationale": {
        "reasoning": "no basis",
        "findings": None,
        "disagreements": None,
        "opinions": None,
        "agreeing": None,
        "model": "x",
        "prompt_version": "v",
        "cut": None,
        "calls": None,
        "seconds": 1.0,
        "prompt_tokens": None,
        "completion_tokens": None,
    },
    "examined": 1,
    "error": None,
    "due_at": None,
    "moves": 5,
    "supersedes": None,
    "superseded_by": None,
    "created_at": "2026-11-20T09:30:00Z",
    "updated_at": "2026-11-20T09:30:01Z",
    "a_field_of_tomorrow": 1,
}

FINDING = {
    "class": "antecedent",
    "subtype": "no_basis",
    "law": "35 U.S.C. 112(b)",
    "severity": "warning",
    "ground": "rejection",
    "examiner": None,
    "start": 4,
    "end": 12,
    "quote": "the hook",
    "explanation": "It has no basis.",
    "confidence": 0.9,
    "fix": None,
}
FINDINGS = {
    "evaluation": "e-1",
    "claim": 2,
    "origin": "stored",
    "jurisdiction": "US",
    "threshold": 0.5,
    "rules": "r",
    "terms": "",
    "at": None,
    "findings": [],
    "remarks": [],
}
REPORT = {
    "jurisdiction": "EPC",
    "threshold": 0.5,
    "claims": [
        {"number": 1, "status": None, "parents": [], "findings": [], "remarks": []},
        {
            "number": 2,
            "status": None,
            "parents": [1],
            "findings": [{**FINDING, "also": [4], "source": None}],
            "remarks": [],
        },
    ],
    "notes": [{"code": "c", "message": "m", "claim": None}],
    "counts": {"claims": 2, "findings": 1, "by_class": {"antecedent": 1}, "by_ground": {}, "remarks": 0},
    "graph": {},
    "a_field_of_tomorrow": 1,
}


class Server:
    """Answers as its script says, one step a request, and keeps what it was sent."""

    def __init__(
        self, *script: httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]
    ) -> None:
        self.script = list(script)
        self.requests: list[httpx.Request] = []
        self.pauses: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.requests.append(request)
        step = self.script.pop(0)
        if isinstance(step, Exception):
            raise step
        return step if isinstance(step, httpx.Response) else step(request)

    def client(self, **more: Any) -> Client:
        return Client(
            "http://ace",
            "ace_k_s",
            transport=httpx.MockTransport(self),
            sleep=self.pauses.append,
            rng=random.Random(1),
            **more,
        )


def ok(body: Any, status: int = 200) -> httpx.Response:
    return httpx.Response(status, json=body)


def problem(status: int, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={"status": status, "detail": "no"}, headers=named)


def bulk(*statuses: int, retry_after: int | None = None) -> httpx.Response:
    refused = {"problem": {"detail": "no", "retry_after": retry_after}}
    lines = [
        {"line": n, "status": status, **(ACCEPTED if status == 202 else refused)}
        for n, status in enumerate(statuses, start=1)
    ]
    return httpx.Response(200, text="".join(json.dumps(line) + "\n" for line in lines))


# Submitting


@pytest.mark.parametrize(
    ("claims", "sent"),
    [
        ("1. A bracket.", "1. A bracket."),
        (["A bracket."], [{"text": "A bracket."}]),
        ([(4, "A bracket.")], [{"number": 4, "text": "A bracket."}]),
    ],
)
def test_filing_is_sent_as_the_api_takes_it(claims: Any, sent: Any) -> None:
    server = Server(ok(ACCEPTED, 202))
    accepted = server.client().submit("P-1", claims, priority=2, metadata={"a": 1})

    (request,) = server.requests
    assert json.loads(request.content) == {
        "docket": "P-1",
        "claims": sent,
        "priority": 2,
        "metadata": {"a": 1},
    }
    assert request.headers["authorization"] == "Bearer ace_k_s"
    assert (accepted.id, accepted.evaluations[0].id) == ("f-1", "e-1")


def test_a_file_is_sent_as_it_is_with_the_rest_as_parameters() -> None:
    server = Server(ok({**ACCEPTED, "canceled": [2]}, 202))
    accepted = server.client().submit("P-1", File(b"PK", "application/x-docx"), priority=2)

    (request,) = server.requests
    assert request.content == b"PK"
    assert request.headers["content-type"] == "application/x-docx"
    assert request.headers["idempotency-key"]
    assert dict(request.url.params) == {"docket": "P-1", "priority": "2"}
    assert accepted.canceled == (2,)


@pytest.mark.parametrize(
    ("name", "media"),
    [
        ("claims.txt", "text/plain"),
        ("claims", "text/plain"),
        ("amendment.DOCX", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("grant.xml", "application/xml"),
    ],
)
def test_a_file_is_of_the_kind_that_its_name_says(tmp_path: Path, name: str, media: str) -> None:
    (tmp_path / name).write_bytes(b"1. A hook.")
    assert File.at(tmp_path / name) == File(b"1. A hook.", media)


# Checking


def test_claims_are_checked_as_the_api_takes_them() -> None:
    server = Server(ok(REPORT), ok(REPORT))
    client = server.client()
    report = client.check(["A bracket."], jurisdiction="EPC", graph=True)
    client.check(File(b"<claims/>", "application/xml"), threshold=0.25, graph=False)

    first, second = server.requests
    assert json.loads(first.content) == {
        "claims": [{"text": "A bracket."}],
        "jurisdiction": "EPC",
        "graph": True,
    }
    assert second.content == b"<claims/>"
    assert dict(second.url.params) == {"threshold": "0.25", "graph": "false"}
    first_claim, second_claim = report.claims
    assert (first_claim.findings, second_claim.number) == ((), 2)
    (finding,) = second_claim.findings
    assert (finding.error_class, finding.quote, finding.also) == ("antecedent", "the hook", (4,))
    assert (finding.as_dict()["start"], finding.as_dict()["class"]) == (4, "antecedent")
    assert [note.code for note in report.notes] == ["c"]


def test_remarks_are_given_beside_the_findings() -> None:
    remark = {
        "kind": "markush",
        "law": "MPEP 2117",
        "start": 4,
        "end": 12,
        "quote": "the hook",
        "explanation": "Something follows.",
        "also": [3],
        "source": {"start": 40, "end": 48},
    }
    claims = [{**REPORT["claims"][1], "remarks": [remark]}]
    report = Server(ok({**REPORT, "claims": claims})).client().check(["A bracket."])
    (noted,) = report.claims[0].remarks
    assert (noted.kind, noted.quote, noted.also) == ("markush", "the hook", (3,))
    assert noted.as_dict() == remark


def test_a_report_for_an_editor() -> None:
    server = Server(ok({"version": "2.1.0", "runs": []}))
    assert server.client().check_sarif("A bracket.", jurisdiction="EPC")["version"] == "2.1.0"
    assert server.requests[0].headers["accept"] == "application/sarif+json"


def test_findings_of_an_evaluation_are_given_with_where_they_are_from() -> None:
    server = Server(ok({**FINDINGS, "findings": [FINDING]}))
    found = server.client().findings("e-1")
    assert server.requests[0].url.path == "/v1/evaluations/e-1/findings"
    assert (found.origin, found.claim, found.findings[0].subtype) == ("stored", 2, "no_basis")


@pytest.mark.parametrize(
    ("script", "pauses"),
    [
        ([problem(503, Retry_After="7")], [7.0]),
        ([problem(429, Retry_After="2"), problem(503, Retry_After="900")], [2.0, 30.0]),
        ([problem(502, Retry_After="1"), problem(504, Retry_After="2")], [1.0, 2.0]),
        ([problem(408), problem(425), problem(500)], None),
        ([httpx.ConnectError("no")], None),
        ([httpx.ReadTimeout("no"), httpx.RemoteProtocolError("no")], None),
        ([problem(503, Retry_After="Fri, 20 Nov 2026 10:00:00 GMT")], None),
    ],
)
def test_retries_carry_the_same_key(script: list[Any], pauses: list[float] | None) -> None:
    server = Server(*script, ok(ACCEPTED, 202))
    assert server.client().submit("P-1", "A bracket.").id == "f-1"

    sent = {request.headers["idempotency-key"] for request in server.requests}
    assert len(sent) == 1
    assert len(server.requests) == len(server.pauses) + 1 == len(script) + 1
    if pauses is not None:
        assert server.pauses == pauses
    else:
        assert all(0.25 <= pause <= 2**n / 2 for n, pause in enumerate(server.pauses))


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_replay_by_filter_is_asked_once(status: int) -> None:
    server = Server(problem(status), ok({"replayed": []}))

    with pytest.raises(Unreachable):
        server.client().replay_where(error="timeout")

    assert len(server.requests) == 1


def test_keys_of_two_submissions_differ_unless_given() -> None:
    server = Server(*[ok(ACCEPTED, 202)] * 3)
    client = server.client()
    client.submit("P-1", "A bracket.")
    client.submit("P-1", "A bracket.")
    client.submit("P-1", "A bracket.", idempotency_key="mine")
    sent = [request.headers["idempotency-key"] for request in server.requests]
    assert len(set(sent)) == 3
    assert sent[2] == "mine"


def test_pauses_grow_and_retries_end() -> None:
    server = Server(*[httpx.ConnectError("zyzzyva")] * 4)
    with pytest.raises(Unreachable, match="ConnectError") as error:
        server.client(retries=3).filing("f-1")
    assert len(server.requests) == 4
    assert server.pauses == sorted(server.pauses)
    assert "zyzzyva" not in str(error.value)


@pytest.mark.parametrize(
    ("status", "kind"), [(429, TooMuch), (502, Unreachable), (503, Unreachable), (504, Unreachable)]
)
def test_what_stays_refused_for_now_is_an_error_in_the_end(status: int, kind: type[ApiError]) -> None:
    server = Server(*[problem(status, Retry_After="3")] * 3)
    with pytest.raises(kind) as error:
        server.client(retries=2).submit("P-1", "A bracket.")
    assert (type(error.value), error.value.status) == (kind, status)
    assert server.pauses == [3.0, 3.0]


def test_pauses_are_told_with_their_reason() -> None:
    body = {"status": 429, "detail": "too many requests: this key may make 5 a second"}
    refused = httpx.Response(429, json=body, headers={"Retry-After": "4"})
    server = Server(refused, httpx.ConnectError("zyzzyva"), ok(ACCEPTED, 202))
    client = server.client()
    told: list[tuple[float, str]] = []
    client.tell_pauses(lambda seconds, reason: told.append((seconds, reason)))

    client.submit("P-1", "A bracket.")

    assert [seconds for seconds, _ in told] == server.pauses
    assert [reason for _, reason in told] == [
        body["detail"],
        "the API at http://ace cannot be reached: ConnectError",
    ]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, Unauthorised),
        (403, Forbidden),
        (404, NotFound),
        (400, Invalid),
        (409, Invalid),
        (413, Invalid),
        (422, Invalid),
        (501, ApiError),
    ],
)
def test_other_refusals_are_not_tried_again(status: int, kind: type[ApiError]) -> None:
    server = Server(problem(status))
    with pytest.raises(kind) as error:
        server.client().submit("P-1", "A bracket.")
    assert type(error.value) is kind
    assert (error.value.status, len(server.requests)) == (status, 1)


def test_error_tells_the_fields() -> None:
    body = {
        "status": 422,
        "detail": "1 field does not fit",
        "errors": [{"pointer": "/docket", "detail": "is blank"}],
    }
    with pytest.raises(Invalid, match="1 field does not fit \\(/docket is blank\\)") as error:
        Server(ok(body, 422)).client().submit(" ", "A bracket.")
    assert error.value.errors[0]["pointer"] == "/docket"


def test_page_of_a_proxy_is_an_error_too() -> None:
    server = Server(*[httpx.Response(502, text="<html>")] * 2)
    with pytest.raises(Unreachable, match="something before it answered 502"):
        server.client(retries=1).filing("f-1")


# Many


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_an_answer_beyond_the_maximum_is_not_read_to_its_end(encoding: str) -> None:
    read = [0]

    def endless() -> Iterator[bytes]:
        for _ in range(1_000):
            read[0] += 1
            yield b" " * 1_000_000

    def bomb() -> Iterator[bytes]:
        packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
        for part in endless():
            yield packer.compress(part) + packer.flush(zlib.Z_SYNC_FLUSH)

    body = bomb() if encoding == "gzip" else endless()
    answer = httpx.Response(200, headers={"content-encoding": encoding}, content=body)
    client = Client("http://ace", "k", transport=httpx.MockTransport(lambda _: answer))
    with client, pytest.raises(Unreachable, match="100,000,000 bytes"):
        client.filing("f-1")
    assert read[0] < 120


def test_a_compressed_answer_is_read() -> None:
    content = zlib.compress(json.dumps({"evaluations": [], "next": None}).encode(), wbits=zlib.MAX_WBITS | 16)
    answer = httpx.Response(200, headers={"content-encoding": "gzip"}, content=content)
    with Client("http://ace", "k", transport=httpx.MockTransport(lambda _: answer)) as client:
        assert list(client.evaluations()) == []


def test_lines_are_numbered_over_all_requests() -> None:
    server = Server(bulk(*[202] * CHUNK_LINES), bulk(202, 422))
    results = list(server.client().submit_many({"docket": str(n)} for n in range(CHUNK_LINES + 2)))

    assert [one.line for one in results] == list(range(1, CHUNK_LINES + 3))
    assert (results[-1].accepted, results[-1].problem) == (None, {"detail": "no", "retry_after": None})
    assert results[0].accepted is not None
    keys = [request.headers["idempotency-key"] for request in server.requests]
    assert keys[0].endswith(":1")
    assert keys[1].endswith(f":{CHUNK_LINES + 1}")
    assert json.loads(server.requests[1].content.split(b"\n")[0]) == {"docket": str(CHUNK_LINES)}


@pytest.mark.parametrize("first", [bulk(202, 503), bulk(202), httpx.ReadError("broken")])
def test_upload_that_was_not_all_stored_is_sent_again_with_its_key(first: Any) -> None:
    server = Server(first, bulk(202, 202))
    results = list(server.client().submit_lines([b"{}", b"{}"], idempotency_key="mine"))
    assert [one["status"] for one in results] == [202, 202]
    assert [request.headers["idempotency-key"] for request in server.requests] == ["mine:1"] * 2
    assert server.requests[0].content == server.requests[1].content == b"{}\n{}\n"


@pytest.mark.parametrize(
    ("script", "statuses", "pauses"),
    [
        ([bulk(202, 429, 429, retry_after=7), bulk(202, 202, 202)], [202] * 3, [7.0]),
        ([bulk(429, 429, retry_after=90), bulk(202, 202)], [202] * 2, [30.0]),
        # Something more gets through each time, so it goes on beyond two retries.
        (
            [*(bulk(*[202] * n, *[429] * (5 - n), retry_after=1) for n in range(5)), bulk(*[202] * 5)],
            [202] * 5,
            [1.0] * 5,
        ),
        # Nothing more gets through, so it ends.
        ([bulk(202, 429, retry_after=1)] * 3, [202, 429], [1.0] * 2),
        ([bulk(429, 429, retry_after=1), *[bulk(202, 429, retry_after=1)] * 3], [202, 429], [1.0] * 3),
    ],
)
def test_lines_without_room_go_again_while_more_get_through(
    script: list[httpx.Response], statuses: list[int], pauses: list[float]
) -> None:
    server = Server(*script)
    results = list(server.client(retries=2).submit_lines([b"{}"] * len(statuses), idempotency_key="mine"))
    assert [one["status"] for one in results] == statuses
    assert server.pauses == pauses
    assert server.script == []
    assert {request.headers["idempotency-key"] for request in server.requests} == {"mine:1"}


def test_lines_that_stay_unstored_are_told() -> None:
    server = Server(*[bulk(202, 503)] * 3)
    results = list(server.client(retries=2).submit_lines([b"{}\n", b"{}\n"]))
    assert [one["status"] for one in results] == [202, 503]


def test_answer_that_stays_broken_is_an_error() -> None:
    server = Server(*[bulk(202)] * 3)
    with pytest.raises(Unreachable, match="broke off"):
        list(server.client(retries=2).submit_lines([b"{}\n", b"{}\n"]))


def test_blank_lines_are_expected_to_have_no_result() -> None:
    server = Server(bulk(202))
    assert len(list(server.client().submit_lines([b"{}\n", b"\n"]))) == 1


def test_chunks_are_bounded_and_the_same_every_time() -> None:
    lines = [b"x" * (CHUNK_BYTES // 3)] * 7 + [b"y"] * (CHUNK_LINES + 1)
    cut = [len(chunk) for chunk in chunks(lines)]
    assert cut == [3, 3, CHUNK_LINES, 2]
    assert list(chunks(lines)) == list(chunks(iter(lines)))
    assert list(chunks([])) == []
    assert [len(chunk) for chunk in chunks([b"x" * (CHUNK_BYTES // 2)] * 3)] == [2, 1]


# Looking and ordering


def test_an_evaluation_is_as_the_api_has_it() -> None:
    found = Server(ok(EVALUATION)).client().evaluation("e-1")
    assert found.rationale is not None
    assert (found.rationale.reasoning, found.rationale.model) == ("no basis", "x")
    assert (found.ground, found.created_at.year) == ("rejection", 2026)
    assert found.as_dict() == {name: value for name, value in EVALUATION.items() if "tomorrow" not in name}
    none = Server(ok({**EVALUATION, "rationale": None})).client().evaluation("e-1")
    assert none.rationale is None


def test_a_word_of_tomorrow_is_taken_as_it_is() -> None:
    found = Server(ok({**EVALUATION, "state": "pondered"})).client().evaluation("e-1")
    assert (found.state, found.as_dict()["state"]) == ("pondered", "pondered")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (ok({**EVALUATION, "doubt": "zyzzyva"}), "knows it: doubt"),
        (httpx.Response(200, text="zyzzyva"), "it is not JSON"),
    ],
)
def test_an_answer_that_does_not_fit_is_an_error_without_its_words(
    answer: httpx.Response, words: str
) -> None:
    with pytest.raises(ApiError, match=words) as error:
        Server(answer).client().evaluation("e-1")
    assert "zyzzyva" not in str(error.value)


def test_what_the_expert_s_answer_is_worth_comes_with_its_rationale() -> None:
    told = {"class": "ambiguity", "quote": "q", "law": None, "explanation": "e", "start": None, "end": None}
    against = {"kind": "unproved", "expert": "E", "against": "A", "a_field_of_tomorrow": 1}
    rationale = {
        **EVALUATION["rationale"],
        "findings": [told],
        "disagreements": [against],
        "opinions": 3,
        "agreeing": 2,
        "calls": 4,
        "cut": True,
    }
    more = {"disputed": True, "score": "h6", "doubt": 1.1, "certain": 0.9, "span": {"start": 4, "end": 7}}
    found = Server(ok({**EVALUATION, **more, "rationale": rationale})).client().evaluation("e-1")
    assert {name: found.as_dict()[name] for name in more} == more
    given = found.rationale
    assert given is not None
    assert (given.opinions, given.agreeing, given.calls, given.cut) == (3, 2, 4, True)
    assert given.findings is not None
    assert [one.as_dict() for one in given.findings] == [told]
    assert given.disagreements == (Disagreement(kind="unproved", expert="E", against="A"),)


def test_the_disputed_alone_are_asked_for() -> None:
    empty = ok({"evaluations": [], "next": None})
    server = Server(empty, empty)
    for disputed in (True, False):
        assert list(server.client().evaluations(disputed=disputed)) == []
    assert [one.url.params.get("disputed") for one in server.requests] == ["true", None]


def test_pages_are_fetched_as_they_are_wanted() -> None:
    first = ok({"evaluations": [EVALUATION, EVALUATION], "next": "c-1"})
    last = ok({"evaluations": [EVALUATION], "next": None})
    server = Server(first, last)
    found = iter(server.client().evaluations(state="decided", docket=None))
    next(found)
    assert len(server.requests) == 1
    assert len(list(found)) == 2
    assert dict(server.requests[0].url.params) == {"state": "decided", "limit": "200"}
    assert dict(server.requests[1].url.params) == {"state": "decided", "limit": "200", "cursor": "c-1"}


def brief(n: int, state: str, error: str | None = None) -> dict[str, Any]:
    nothing = {"verdict": None, "ground": None, "disputed": False}
    return {"id": f"e-{n}", "claim": n, "state": state, "error": error, **nothing}


def filing(settled: bool, **states: int) -> httpx.Response:
    body = {
        "id": "f-1",
        "docket": "P-1",
        "priority": 5,
        "metadata": {},
        "claims": 2,
        "created_at": "2026-11-20T09:30:00Z",
        "test": False,
        "states": states,
        "settled": settled,
        "reevaluating": 0,
        "evaluations": [brief(1, "queued"), brief(2, "queued")],
    }
    return httpx.Response(200, json=body, headers={"ETag": f'"{states}"'})


def test_wait_goes_on_until_all_is_settled() -> None:
    page = ok({"evaluations": [{**EVALUATION, "claim": 2}, EVALUATION], "next": None})
    server = Server(
        filing(False, queued=2),
        httpx.Response(304),
        filing(False, queued=1, failed=1),
        filing(True, decided=1, failed=1),
        page,
    )
    seen: list[int] = []
    found = server.client().wait("f-1", on_filing=lambda filing: seen.append(filing.settled_count))
    assert seen == [0, 1, 2]
    assert [one.claim for one in found] == [1, 2]
    assert [one.headers.get("prefer") for one in server.requests[:-1]] == ["wait=0", *["wait=1"] * 3]
    known = [one.headers.get("if-none-match") for one in server.requests[:-1]]
    assert known == [None, *["\"{'queued': 2}\""] * 2, "\"{'queued': 1, 'failed': 1}\""]
    assert server.pauses == []


def test_a_filing_can_be_waited_for_and_watched_by_what_its_submission_gave() -> None:
    page = ok({"evaluations": [EVALUATION], "next": None})
    again = httpx.Response(202, json=ACCEPTED, headers={"Idempotent-Replayed": "true"})
    server = Server(again, filing(True, decided=1), page, filing(False, queued=1), filing(True, decided=1))
    submission = server.client().submit("P-1", "A bracket.")
    assert (submission.id, submission.replayed) == ("f-1", True)
    assert [one.id for one in submission.wait(5)] == ["e-1"]
    assert [one.settled for one in submission.watch()] == [False, True]


def test_a_wait_ends_in_time_and_says_what_waits_and_why() -> None:
    server = Server(*[filing(False, decided=1, escalated=1, queued=0)] * 4)
    now = iter([0.0, 0.0, 0.0, 30.5, 31.0])
    with pytest.raises(NotSettled) as error:
        server.client(clock=lambda: next(now)).wait("f-1", timeout_seconds=31)
    asked = [request.headers["prefer"] for request in server.requests]
    assert asked == ["wait=0", "wait=30", "wait=1", "wait=0"]
    assert error.value.filing.id == "f-1"
    assert "filing f-1 is not settled after 31 s: 1 of 2; " in str(error.value)


@pytest.mark.parametrize(
    ("states", "errors", "words"),
    [
        ({"decided": 2, "failed": 1}, {}, ""),
        ({"decided": 1, "queued": 2}, {}, "2 queued"),
        ({"escalated": 3}, {"escalated": "unreachable"}, "3 escalated: expert unreachable"),
        ({"examining": 1, "queued": 1}, {"queued": "poison"}, "1 examining, 1 queued: poison"),
    ],
)
def test_a_filing_says_what_waits_and_why(states: dict[str, int], errors: dict[str, str], words: str) -> None:
    listed = [brief(n, state, errors.get(state)) for n, state in enumerate(states, 1)]
    body = json.loads(filing(False, **states).content) | {"evaluations": listed}
    assert Server(ok(body)).client().filing("f-1").waiting == words


def test_a_filing_says_that_it_is_evaluated_again() -> None:
    body = json.loads(filing(False, decided=2).content) | {"reevaluating": 2}
    assert Server(ok(body)).client().filing("f-1").waiting == "2 being evaluated again"


def test_a_wait_gives_the_evaluation_that_counts_for_each_claim() -> None:
    listed = [{**brief(1, "decided"), "id": "e-3"}, brief(2, "decided")]
    body = json.loads(filing(True, decided=2).content) | {"evaluations": listed}
    made = [
        {**EVALUATION, "id": "e-3", "supersedes": "e-1"},
        {**EVALUATION, "id": "e-2", "claim": 2},
        {**EVALUATION, "id": "e-1", "superseded_by": "e-3"},
    ]
    server = Server(ok(body), ok({"evaluations": made, "next": None}))
    assert [one.id for one in server.client().wait("f-1")] == ["e-3", "e-2"]


def test_warnings_come_with_what_was_accepted() -> None:
    note = {"code": "unlike_claims", "message": "m", "claim": None}
    (warning,) = Server(ok({**ACCEPTED, "notes": [note]}, 202)).client().submit("P", "hello world").notes
    assert warning == Note(code="unlike_claims", message="m", claim=None)
    assert Server(ok(ACCEPTED, 202)).client().submit("P", "A bracket.").notes == ()


def test_longer_waits_get_longer_timeouts() -> None:
    server = Server(ok(EVALUATION))
    server.client(timeout_seconds=5).evaluation("e-1", wait_seconds=40)
    assert server.requests[0].headers["prefer"] == "wait=40"
    assert server.requests[0].extensions["timeout"]["read"] == 45
    assert server.requests[0].extensions["timeout"]["connect"] == 5


def test_orders() -> None:
    server = Server(ok({"replayed": ["e-1"]}), ok({"replayed": []}), ok({"cancelled": ["e-2"]}))
    client = server.client()
    assert client.replay("e-1") == ["e-1"]
    assert client.replay_where(error="timeout", since="2026-11-20T00:00:00Z", limit=5) == []
    assert client.cancel("f-1") == ["e-2"]
    assert [request.url.path for request in server.requests] == [
        "/v1/evaluations/e-1/replay",
        "/v1/replays",
        "/v1/filings/f-1/cancel",
    ]
    assert json.loads(server.requests[1].content) == {
        "filter": {"error": "timeout", "since": "2026-11-20T00:00:00Z"},
        "limit": 5,
    }


def test_what_is_not_there_is_none_or_an_error() -> None:
    assert Server(problem(404)).client().find_evaluation("e-1") is None
    with pytest.raises(Invalid):
        Server(problem(422)).client().find_evaluation("e-1")


# Keys


KEY = {
    "id": "5f0c2a9be411",
    "label": "docketing",
    "scopes": ["read"],
    "requests_per_second": 2.5,
    "test": True,
    "expires_at": None,
}


def test_keys_are_made_listed_and_revoked() -> None:
    server = Server(
        ok({**KEY, "key": "ace_5f0c2a9be411_zyzzyva"}, 201),
        ok({**KEY, "key": "ace_5f0c2a9be411_zyzzyva"}, 201),
        ok({"keys": [{**KEY, "created_at": "2026-11-20T09:30:00Z", "last_used_at": None}]}),
        ok({"revoked": [KEY["id"]]}),
        ok({"revoked": []}),
    )
    client = server.client()

    new = client.make_key(
        "docketing", scopes=["read"], requests_per_second=2.5, expires_in_seconds=3_600, test=True
    )
    client.make_key("docketing")
    (listed,) = client.list_keys()

    assert json.loads(server.requests[0].content) == {
        "label": "docketing",
        "scopes": ["read"],
        "requests_per_second": 2.5,
        "expires_in_seconds": 3_600,
        "test": True,
    }
    assert json.loads(server.requests[1].content) == {"label": "docketing"}
    assert (new.id, new.key, new.scopes) == (listed.id, "ace_5f0c2a9be411_zyzzyva", listed.scopes)
    assert "zyzzyva" not in repr(new)
    assert [client.revoke_key(new.id), client.revoke_key(new.id)] == [True, False]
    assert server.requests[-1].url.path == "/v1/keys/5f0c2a9be411/revoke"


def test_making_a_key_is_asked_once() -> None:
    server = Server(problem(503))
    with pytest.raises(Unreachable):
        server.client().make_key("docketing")
    assert len(server.requests) == 1


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "localhost:8000", "", "https://", "ftp://ace"])
def test_a_url_that_cannot_be_one_of_the_api_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="must begin with http:// or https:// and a host"):
        Client(url, "k")


@pytest.mark.parametrize("key", ["", "  ", "a b", "a\nb", "é"])
def test_a_key_that_no_header_can_hold_is_refused_at_once(key: str) -> None:
    with pytest.raises(ValueError, match="the key of the API is empty, or has characters"):
        Client("http://ace", key)


def test_white_space_around_url_and_key_is_left_out() -> None:
    server = Server(ok({"evaluations": [], "next": None}))
    client = Client(" http://ace\n", "k\n", transport=httpx.MockTransport(server))
    assert client.evaluations(limit=1).all() == []


@pytest.mark.parametrize("claims", [Path("claims.docx"), b"1. A hook.", None, io.BytesIO(b"1. A hook."), 7])
def test_what_cannot_be_claims_is_refused_with_the_forms_that_can(claims: Any) -> None:
    with pytest.raises(TypeError, match=r"File\.at\(path\)"):
        Server().client().submit("P-1", claims)


def test_claims_in_the_form_of_the_api_are_taken() -> None:
    server = Server(ok(ACCEPTED, 202))
    server.client().submit("P-1", [{"number": 1, "text": "A hook."}])
    assert json.loads(server.requests[0].content)["claims"] == [{"number": 1, "text": "A hook."}]
