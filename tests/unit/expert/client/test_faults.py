"""From what came over the wire to the name of the fault, and to an error that says nothing of it."""

import ssl

import httpcore2
import httpx2
import pytest

from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.faults import (
    PERMANENT,
    AnswerEncoded,
    AnswerTooLong,
    fault,
    fault_of_error,
    fault_of_status,
    kind_of_completion,
    kind_of_status,
)
from ace.expert.client.handling import HANDLING, handling_of
from ace.expert.client.language import is_english
from ace.types.faults import FaultKind

STATUSES: list[tuple[int, str, FaultKind]] = [
    (300, "", FaultKind.REDIRECTED),
    (400, "", FaultKind.VALIDATION),
    (401, "", FaultKind.UNAUTHORISED),
    (403, "", FaultKind.UNAUTHORISED),
    (404, "", FaultKind.UNAVAILABLE),
    (407, "", FaultKind.UNAUTHORISED),
    (408, "", FaultKind.TIMEOUT),
    (413, "", FaultKind.TOO_LONG),
    (402, "", FaultKind.REFUSED),
    (405, "", FaultKind.REFUSED),
    (409, "", FaultKind.REFUSED),
    (410, "", FaultKind.REFUSED),
    (418, "", FaultKind.REFUSED),
    (451, "", FaultKind.REFUSED),
    (499, "", FaultKind.REFUSED),
    (202, "", FaultKind.UNAVAILABLE),
    (422, "`temperature` must be strictly positive", FaultKind.VALIDATION),
    (424, "", FaultKind.GENERATION),
    (425, "", FaultKind.UNAVAILABLE),
    (429, "", FaultKind.OVERLOADED),
    (500, "", FaultKind.INCOMPLETE),
    (500, "no token came out of it", FaultKind.INCOMPLETE),
    (501, "", FaultKind.UNAVAILABLE),
    (502, "", FaultKind.UNAVAILABLE),
    (503, "", FaultKind.UNAVAILABLE),
    (504, "", FaultKind.UNAVAILABLE),
    (301, "", FaultKind.REDIRECTED),
    (308, "", FaultKind.REDIRECTED),
]

TOO_LONG: list[tuple[int, str]] = [
    # TGI
    (422, "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000"),
    (422, "`inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1500 `inputs` tokens"),
    # vLLM
    (400, "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens"),
    (400, "max_tokens must be at least 1, got -186."),
    # SGLang
    (400, "The input (61709 tokens) is longer than the model's context length (40960 tokens)."),
    (400, "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens)."),
    # llama-server, of this year and of the last
    (400, '{"type": "exceed_context_size_error", "n_prompt_tokens": 1407, "n_ctx": 256}'),
    (500, "the request exceeds the available context size. try increasing the context size"),
    # llama-cpp-python and OpenAI
    (400, "Requested tokens (2285) exceed context window of 2048"),
    (400, '{"code": "context_length_exceeded"}'),
]


@pytest.mark.parametrize(("status", "body", "kind"), STATUSES)
def test_a_status_has_its_kind(status: int, body: str, kind: FaultKind) -> None:
    assert kind_of_status(status, body) is kind
    assert fault_of_status(status, None, body).kind == kind


@pytest.mark.parametrize(("status", "body"), TOO_LONG)
def test_a_prompt_beyond_the_context_is_told_from_other_refusals(status: int, body: str) -> None:
    assert kind_of_status(status, body) is FaultKind.TOO_LONG


def test_every_status_but_200_is_a_fault() -> None:
    for status in [*range(201, 600)]:
        error = fault_of_status(status, 7.0)
        assert error.kind in set(FaultKind)
        assert str(status) in str(error) or error.kind == FaultKind.TIMEOUT


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


UNTRUSTED = ssl.SSLCertVerificationError("self-signed")
ERRORS: list[tuple[str, Exception, int, FaultKind]] = [
    ("refused", httpcore2.ConnectError("no"), 0, FaultKind.UNREACHABLE),
    (
        "no TLS there",
        caused(httpcore2.ConnectError("no"), ssl.SSLError("wrong version")),
        0,
        FaultKind.UNREACHABLE,
    ),
    ("connecting took too long", httpcore2.ConnectTimeout("no"), 0, FaultKind.UNREACHABLE),
    ("proxy", httpcore2.ProxyError("no"), 0, FaultKind.UNREACHABLE),
    ("certificate", caused(httpcore2.ConnectError("no"), UNTRUSTED), 0, FaultKind.UNTRUSTED),
    ("nothing came", httpcore2.ReadTimeout("no"), 0, FaultKind.TIMEOUT),
    ("a little came", httpcore2.ReadTimeout("no"), 12, FaultKind.DRIPPING),
    ("no place to write", httpcore2.WriteTimeout("no"), 0, FaultKind.TIMEOUT),
    ("reset", httpcore2.ReadError("no"), 4, FaultKind.RESET),
    ("reset while asking", httpcore2.WriteError("no"), 0, FaultKind.RESET),
    ("ended early", httpcore2.RemoteProtocolError("no"), 4, FaultKind.RESET),
    ("socket", ConnectionResetError(), 0, FaultKind.UNREACHABLE),
    ("bad JSON", ValueError("no"), 4, FaultKind.SCHEMA),
    ("what no row names", httpx2.DecodingError("no"), 4, FaultKind.SCHEMA),
    ("too much", AnswerTooLong(), 1_000_001, FaultKind.OVERSIZED),
    ("compressed", AnswerEncoded(), 90, FaultKind.ENCODED),
]


@pytest.mark.parametrize(
    ("error", "received", "kind"), [row[1:] for row in ERRORS], ids=[row[0] for row in ERRORS]
)
def test_an_error_of_the_connection_has_its_kind(error: Exception, received: int, kind: FaultKind) -> None:
    raised = fault_of_error(error, received)
    assert raised.kind == kind
    assert str(raised).endswith(f"({type(error).__name__})")


@pytest.mark.parametrize(
    ("text", "finish_reason", "kind"),
    [
        ('{"a": 1}', "stop", None),
        ('{"a": 1}', "eos_token", None),
        ('{"a": 1}', None, None),
        ('{"a": 1}' + " " * 90, "stop", None),
        ('{"a": 1}', "length", FaultKind.TRUNCATED),
        ('{"a": ' + "word " * 100, "length", FaultKind.TRUNCATED),
        ('{"a":' + "\n" * 50, "length", FaultKind.WHITESPACE),
        ('{"a": "' + "word " * 500 + '",' + "\t" * 200, "length", FaultKind.WHITESPACE),
        ('{"a":' + " " * 400 + '"word ' + "word " * 500, "length", FaultKind.WHITESPACE),
        ("", "length", FaultKind.TRUNCATED),
        ("", "stop", FaultKind.EMPTY),
        (None, "stop", FaultKind.EMPTY),
        (" \n ", None, FaultKind.EMPTY),
    ],
)
def test_a_completion_may_be_no_answer(
    text: str | None, finish_reason: str | None, kind: FaultKind | None
) -> None:
    assert kind_of_completion(text, finish_reason) is kind


@pytest.mark.parametrize(
    ("spoken", "english"),
    [
        ("The claim recites a lamp with a shade, and no defect is found in it.", True),
        ("Fine.", True),
        ("No defect.", True),
        ("Reference to a later claim.", True),
        ("", True),
        ("ok 12 § 112(b) ≥ 3 µm α-helix", True),
        ("Der Anspruch nennt eine Lampe. Es fehlt nichts an ihm, er ist klar.", False),
        ("Kein Mangel, der Anspruch ist klar.", False),
        ("La revendication porte sur une lampe, aucun défaut n'a été trouvé ici.", False),
        ("Aucun défaut dans la revendication.", False),
        ("La reivindicación trata de una lámpara. No se halla ningún defecto en ella.", False),
        ("Il termine non ha una base nella rivendicazione.", False),
        ("De conclusie is duidelijk en er is geen gebrek gevonden; het voldoet.", False),
        ("Zastrzeżenie jest jasne, lampa ma klosz oraz podstawę, nie znaleziono w nim żadnych wad.", False),
        ("该权利要求包括一盏灯, 没有发现缺陷.", False),
        ("Шаг 1: пункт содержит лампу. Шаг 2: недостатков нет.", False),
        ("검토 결과 결함이 없습니다.", False),
    ],
)
def test_what_a_model_says_must_be_in_english(spoken: str, english: bool) -> None:
    assert is_english(spoken) is english


@pytest.mark.parametrize("kind", FaultKind)
def test_an_error_keeps_the_kind_and_fills_in_the_rest(kind: FaultKind) -> None:
    error = fault(kind, status=499, retry_after=3.0, detail="ReadError")
    assert error.kind == kind.value
    assert type(error) is (ExpertPermanent if kind in PERMANENT else ExpertTransient)
    assert getattr(error, "retry_after", 3.0) == 3.0
    assert str(error).endswith("(ReadError)")
    assert "{" not in str(error)


def test_every_kind_has_its_handling_and_the_two_tables_agree() -> None:
    assert set(HANDLING) == {kind.value for kind in FaultKind}
    assert not any(handling_of(kind).short_retry for kind in PERMANENT)
