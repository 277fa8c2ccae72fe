"""The pages: what they show of what is stored, to whom, and that nothing that was sent becomes markup."""

import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.claims.taxonomy import ErrorClass
from ace.store.scopes import Scope
from ace.types.rationale import StatedDefect
from ace.types.verification import Disagreement, Dispute, LocatedDefect, Verified
from tests import factories
from tests.integration.desk.conftest import SignIn
from tests.integration.desk.outline import CLAIMS, EVIL, Outline, file, outline

# Lists


def test_an_empty_desk_files_the_samples_once(desk: TestClient) -> None:
    assert "File the samples" in desk.get("/").text
    for _ in range(2):
        assert desk.post("/samples").headers["location"] == "/"
    page = outline(desk.get("/"))
    assert len([href for href in page.all("href") if href.startswith("/filings/")]) == 8


def test_the_list_counts_and_filters(desk: TestClient, work: Any) -> None:
    file(desk, CLAIMS, "failing")
    work.decide(fail=True, span=(0, 1))
    file(desk, CLAIMS, "waiting room")

    page = outline(desk.get("/"))
    assert "✗ 2 Fail" in page.text
    assert "? 2 disputed" in page.text
    assert "0 of 2" in page.text
    assert page.all("data-live") == [""]
    for query, found in {
        "verdict:fail": ["failing"],
        "state:queued": ["waiting room"],
        'docket:"waiting room"': ["waiting room"],
        "failing since:1d": ["failing"],
        "class:antecedent by:gatekeeper disputed:yes": ["failing"],
        "verdict:Pass": [],
    }.items():
        shown = Outline(desk.get("/", params={"q": query}).text)
        assert [docket for docket in ("failing", "waiting room") if docket in shown.text] == found, query
    assert Outline(desk.get("/", params={"q": "verdict:Fail"}).text).all("data-live") == ["settled"]


@pytest.mark.parametrize(
    "query", ["colour:red", "state:lost", "since:soon", 'docket:"a', "a\x00b", "x" * 600, "a b"]
)
def test_a_query_that_is_not_understood_says_why(desk: TestClient, query: str) -> None:
    answer = desk.get("/", params={"q": query})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_pages_of_the_list_follow_each_other_also_with_an_age(desk: TestClient, db: Engine) -> None:
    factories.submit(db, *(factories.new_filing(docket=f"D-{number:02}") for number in range(60)))
    first = Outline(desk.get("/", params={"q": "since:7d"}).text)
    (older,) = [href for href in first.all("href") if "cursor=" in href]
    second = Outline(desk.get(older).text)
    dockets = re.findall(r"D-\d\d", first.text + second.text)
    assert dockets == [f"D-{number:02}" for number in reversed(range(60))]
    assert desk.get(older.replace("7d", "6d")).status_code == 422


# A filing and a claim


def test_findings_and_phrases_are_linked_to_their_words(desk: TestClient, work: Any) -> None:
    path = file(desk, CLAIMS)
    assert "Findings appear with the first verdict" in desk.get(path).text
    work.decide()

    page = outline(desk.get(path))

    hrefs, ids = page.all("href"), page.all("id")
    assert {"#finding-2-0", "#words-2-0"} <= set(hrefs)
    assert f"{path}/claims/2" in hrefs
    introduction = CLAIMS.splitlines()[0].removeprefix("1. ").index("a plate")
    assert f"#intro-1-{introduction}-{introduction + 7}" in hrefs
    assert f"intro-1-{introduction}-{introduction + 7}" in ids
    assert "“the lever”" in page.text


def test_the_page_of_a_claim_explains_its_verdict(desk: TestClient, work: Any) -> None:
    path = file(desk, CLAIMS)
    work.escalate()
    work.examine(verdict="Fail", reasoning="Step 1: elements. Step 2: the lever is not introduced.")

    page = outline(desk.get(f"{path}/claims/2"))

    for words in (
        "Fail",
        "the lever is not introduced",
        "raw doubt 0.325, bound 0.400",
        "test-model",
        "dispatch",
    ):
        assert words in page.text, words
    widths = [attrs["width"] for tag, attrs in page.tags if tag == "rect" and "p-pass" in str(attrs["class"])]
    assert widths == ["90.00"]
    assert f"{path}/claims/1" in page.all("href")
    assert desk.get(f"{path}/claims/3").status_code == 404
    assert desk.get(f"{path}/claims/99999999999").status_code == 404


def test_what_depends_on_a_failed_claim_says_so(desk: TestClient, work: Any) -> None:
    sound = file(desk, CLAIMS)
    work.decide()
    path = file(desk, CLAIMS + "\n3. The bracket of claim 2, wherein the hook is bent.")
    work.decide(fail=True)

    whole, last = outline(desk.get(path)), outline(desk.get(f"{path}/claims/3"))

    for page in (whole, last):
        assert "depends on claim 2, claim 1, which fail" in page.text
    assert whole.text.count("on a failed claim") == 2  # in the outline, of claims 2 and 3
    assert f"{path}/claims/2" in last.all("href")
    for other in (f"{path}/claims/1", sound):
        assert "depends on claim" not in outline(desk.get(other)).text


def test_a_disputed_claim_says_so_in_the_outline(desk: TestClient, work: Any) -> None:
    path = file(desk, CLAIMS)
    work.decide(fail=True, span=(0, 1))
    assert "1: Fail: rejection disputed" in " ".join(outline(desk.get(path)).text.split())


def test_a_failed_claim_is_replayed_from_its_page(desk: TestClient, signed_in: SignIn, work: Any) -> None:
    path = file(desk, CLAIMS)
    work.fail("schema")
    claim = f"{path}/claims/1"
    (replay,) = [href for href in outline(desk.get(claim)).all("action") if href.endswith("/replay")]

    reader = outline(signed_in(Scope.READ, Scope.TEXT).get(claim))
    assert not [href for href in reader.all("action") if href.endswith("/replay")]
    assert "ace replay" in reader.text
    assert signed_in(Scope.READ).post(replay).status_code == 403

    for _ in range(2):  # somebody else may have been faster
        answer = desk.post(replay)
        assert (answer.status_code, answer.headers["location"]) == (303, claim)
    page = outline(desk.get(claim))
    assert "Why there is no verdict" not in page.text
    assert "replay → waiting" in page.text
    assert desk.post(f"/evaluations/{uuid4()}/replay").status_code == 404


def test_quotations_of_the_expert_lead_to_their_words_or_say_that_there_are_none(
    desk: TestClient, work: Any
) -> None:
    path = file(desk, CLAIMS)
    start = CLAIMS.splitlines()[1].removeprefix("2. ").index("the lever")
    found = (
        LocatedDefect(StatedDefect(ErrorClass.ANTECEDENT, "the lever"), (start, start + 9)),
        LocatedDefect(StatedDefect(ErrorClass.ANTECEDENT, "the spring"), None),
    )
    work.escalate()
    against = Disagreement(Dispute.UNPROVED, "It quotes the spring.", "The claim has no spring.")
    work.examine(verdict="Fail", verified=Verified("Fail", found, (against,)))

    page = outline(desk.get(f"{path}/claims/2"))

    assert f"#quote-{start}-{start + 9}" in page.all("href")
    for words in ("“the spring” not in the claim", "It quotes the spring.", "The claim has no spring."):
        assert words in page.text, words
    assert "? disputed" in page.text


def test_a_claim_without_a_verdict_shows_what_is_known(desk: TestClient, work: Any) -> None:
    path = file(desk, CLAIMS + "\n3. (Canceled)")
    assert "waiting" in outline(desk.get(f"{path}/claims/1")).text
    work.fail("timeout")
    assert "timeout" in outline(desk.get(path)).text
    page = outline(desk.get(f"{path}/claims/1"))
    for words in ("The expert did not answer in time.", "then replay the claim"):
        assert words in page.text, words
    assert "not evaluated" in outline(desk.get(f"{path}/claims/3")).text


def test_what_was_purged_is_gone_and_said_to_be(desk: TestClient, db: Engine, work: Any) -> None:
    path = file(desk, CLAIMS)
    work.decide(fail=True)
    with db.begin() as connection:
        for statement in ("UPDATE claims SET text = ''", "UPDATE filings SET purged_at = now()"):
            connection.execute(text(statement))
        connection.execute(text("DELETE FROM analyses"))
    for page in (path, f"{path}/claims/1"):
        shown = outline(desk.get(page))
        assert "The text was purged" in shown.text
        assert "Fail" in shown.text


# Scopes and tenants


def test_a_key_without_the_scope_text_sees_no_word_of_a_claim(
    desk: TestClient, signed_in: SignIn, work: Any
) -> None:
    path = file(desk, CLAIMS)
    work.escalate()
    work.examine(verdict="Fail", reasoning="the lever is not introduced")
    operator = signed_in(Scope.READ)
    for page in (path, f"{path}/claims/2"):
        shown = outline(operator.get(page)).text
        assert "Fail" in shown
        assert "lacks the scope text" in shown
        assert "lever" not in shown
        assert "antecedent" in shown


def test_scopes_decide_what_is_offered_and_done(desk: TestClient, signed_in: SignIn) -> None:
    file(desk, CLAIMS)
    reader = signed_in(Scope.READ, Scope.TEXT)
    assert "/submit" not in outline(reader.get("/")).all("href")
    for method, path in (("GET", "/submit"), ("POST", "/submit"), ("POST", "/samples")):
        assert reader.request(method, path).status_code == 403, path
    clerk = signed_in(Scope.SUBMIT)
    assert clerk.get("/").headers["location"] == "/submit"
    given = {"docket": "P-9", "claims": CLAIMS, "do": "file"}
    answer = clerk.post("/submit", files={name: (None, value) for name, value in given.items()})
    assert "2 claims will be evaluated" in outline(answer).text
    assert signed_in(Scope.ADMIN).get("/").status_code == 403


def test_filings_of_another_tenant_do_not_exist(desk: TestClient, signed_in: SignIn, work: Any) -> None:
    path = file(desk, CLAIMS, "secret docket")
    work.decide()
    stranger = signed_in(tenant="stranger")
    for page in (path, f"{path}/claims/1", f"/filings/{uuid4()}"):
        answer = stranger.get(page)
        assert answer.status_code == 404
        assert answer.text.count("It does not exist, or it belongs to another tenant.") == 1
    assert "secret docket" not in stranger.get("/").text


# Operations


def test_operations_show_what_waits_and_what_failed_and_why(
    desk: TestClient, signed_in: SignIn, db: Engine, work: Any
) -> None:
    assert "Nothing is decided yet" in outline(desk.get("/operations")).text
    file(desk, CLAIMS)
    work.fail("timeout")
    file(desk, CLAIMS)
    work.decide()
    file(desk, CLAIMS)
    with db.begin() as connection:
        connection.execute(
            text("UPDATE evaluations SET due_at = now() - interval '3 minutes' WHERE state = 'queued'")
        )

    page = outline(desk.get("/operations"))

    rows = re.sub(r"\s+", " ", page.text)
    assert "wait for the gatekeeper 2 3 min" in rows
    assert "failed without a verdict 2 –" in rows
    assert "The gatekeeper decided 2, the expert 0 (0" in rows
    assert "timeout 2 Replay all… with timeout the expert did not answer in time 2" in rows
    assert "/?q=state%3Afailed%20error%3Atimeout" in page.all("href")
    assert "scope admin" in rows
    assert "None is known" in outline(signed_in(*Scope).get("/operations")).text
    strange = outline(signed_in(tenant="stranger").get("/operations")).text
    assert "timeout" not in strange


def test_operations_show_the_experts_to_admins(signed_in: SignIn, db: Engine) -> None:
    with db.begin() as connection:
        connection.execute(
            text("INSERT INTO endpoints (name, weight, most, slots) VALUES ('tgi-1', 1, 32, 24.5)")
        )
    assert "24 of 32" in outline(signed_in(*Scope).get("/operations")).text
    assert "tgi-1" not in outline(signed_in().get("/operations")).text


# Hostile text


def test_nothing_that_was_sent_or_written_becomes_markup(desk: TestClient, db: Engine, work: Any) -> None:
    path = file(
        desk, f"1. A bracket comprising a plate {EVIL}.\n2. The bracket of claim 1, wherein the {EVIL}.", EVIL
    )
    with db.begin() as connection:
        connection.execute(
            text(
                "UPDATE filings SET metadata = jsonb_build_object(CAST(:evil AS text), CAST(:evil AS text))"
            ),
            {"evil": EVIL},
        )
    work.escalate()
    work.examine(verdict="Fail", reasoning=EVIL, model=EVIL, verified=Verified("Fail", (), ()))
    for page in ("/", path, f"{path}/claims/1", f"{path}/claims/2"):
        shown = outline(desk.get(page))
        assert "<script>alert(1)</script>" in shown.text, page  # as words
    for query in (EVIL, f"docket:{EVIL}"):
        Outline(desk.get("/", params={"q": query}).text).refuse_active()


# Submitting


def parts(**fields: str) -> dict[str, tuple[None, str]]:
    return {name: (None, value) for name, value in fields.items()}


def stored(db: Engine) -> int:
    with db.connect() as connection:
        return int(connection.execute(text("SELECT count(*) FROM filings")).scalar_one())


def test_checking_shows_what_was_understood_and_keeps_nothing(desk: TestClient, db: Engine) -> None:
    page = outline(desk.post("/submit", files=parts(claims=CLAIMS, docket="P-1", do="check")))
    assert "Understood: 2 claims, 1 finding" in page.text
    assert "“the lever”" in page.text
    assert stored(db) == 0
    typed = outline(desk.post("/submit", files=parts(claims=CLAIMS)))  # as a script sends it: no button
    assert "Understood" in typed.text
    assert stored(db) == 0
    hostile = outline(desk.post("/submit", files=parts(claims=f"1. A {EVIL}.", docket=EVIL)))
    assert "<script>alert(1)</script>" in hostile.text


def test_checking_shows_each_note_of_the_reader_once(desk: TestClient) -> None:
    page = outline(
        desk.post("/submit", files=parts(claims="Dear Sir, please find our claims enclosed.", do="check"))
    )
    assert page.text.count("no claim number was found") == 1


def test_a_fix_is_shown_with_the_words_around_it(desk: TestClient) -> None:
    page = outline(desk.post("/submit", files=parts(claims="1. A bracket comprising a red plate")))
    assert "“plate” → “plate.”" in page.text


@pytest.mark.parametrize("name", ["claims.docx", "claims.xml", "claims.txt"])
def test_a_file_is_checked_and_filed(desk: TestClient, db: Engine, name: str, tmp_path: Path) -> None:
    content = CLAIMS.encode()
    if name.endswith("docx"):
        import docx

        document = docx.Document()
        for line in CLAIMS.splitlines():
            document.add_paragraph(line)
        document.save(str(tmp_path / name))
        content = (tmp_path / name).read_bytes()
    elif name.endswith("xml"):
        claims = "".join(f"<claim><claim-text>{line}</claim-text></claim>" for line in CLAIMS.splitlines())
        content = f"<claims>{claims}</claims>".encode()
    upload = {"file": (name, content)}
    checked = outline(desk.post("/submit", files={**upload, **parts(do="check")}))
    assert "Understood: 2 claims, 1 finding" in checked.text
    answer = desk.post("/submit", files={**upload, **parts(do="file", docket="P-7")})
    assert answer.status_code == 303
    assert stored(db) == 1


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"claims": CLAIMS, "do": "file"}, "Give the filing a docket"),
        ({"claims": CLAIMS, "docket": "x" * 201, "do": "file"}, "docket is too long"),
        ({"claims": "", "docket": "P-1", "do": "file"}, "Paste claims"),
        ({"claims": " \n", "docket": "P-1", "do": "check"}, "Paste claims"),
        ({"claims": "1. (Canceled)", "docket": "P-1", "do": "file"}, "canceled"),
        ({"claims": "   1. \n", "do": "check"}, ""),
    ],
)
def test_what_cannot_be_filed_keeps_the_form_and_says_why(
    desk: TestClient, db: Engine, fields: dict[str, str], words: str
) -> None:
    answer = desk.post("/submit", files=parts(**fields))
    assert answer.status_code == 422, answer.text
    assert 'role="alert"' in answer.text
    assert words in answer.text
    assert fields["claims"].strip() in answer.text
    assert stored(db) == 0


def test_who_forgets_the_docket_is_led_to_it_and_keeps_the_findings_in_sight(desk: TestClient) -> None:
    answer = desk.post("/submit", files=parts(claims=CLAIMS, do="file"))
    page = Outline(answer.text)
    (docket,) = [attributes for _, attributes in page.tags if attributes.get("id") == "docket"]
    assert {"autofocus", "aria-invalid"} <= docket.keys()
    assert "Understood: 2 claims, 1 finding" in page.text


@pytest.mark.parametrize("button", [{"do": "check"}, {"do": "file"}, {}])
def test_text_and_a_file_together_are_a_choice(desk: TestClient, db: Engine, button: dict[str, str]) -> None:
    given = parts(claims=CLAIMS, docket="P-1", **button)
    answer = desk.post("/submit", files={"file": ("claims.txt", CLAIMS.encode()), **given})
    assert answer.status_code == 422
    assert "Empty the text to take the file, or choose no file." in answer.text
    assert CLAIMS.splitlines()[0] in answer.text  # nothing typed is lost
    assert stored(db) == 0


def test_an_empty_box_is_no_fault_while_claims_are_typed(desk: TestClient) -> None:
    assert 'role="alert"' not in desk.post("/submit", files=parts(claims="", docket="P-1")).text


def test_a_file_that_is_none_is_refused(desk: TestClient) -> None:
    answer = desk.post("/submit", files={"file": ("claims.docx", b"%PDF-1.7"), **parts(do="check")})
    assert answer.status_code in {415, 422}
    assert "PDF" in answer.text


def test_a_second_press_of_the_button_files_nothing_twice(desk: TestClient, db: Engine) -> None:
    given = parts(claims=CLAIMS, docket="P-1", do="file", key="0" * 32)
    first, second = (desk.post("/submit", files=given).headers["location"] for _ in range(2))
    assert first == second
    assert stored(db) == 1


def test_a_field_of_a_form_has_one_value_and_is_text(desk: TestClient, db: Engine) -> None:
    twice = [("claims", (None, CLAIMS)), ("claims", (None, "A hook.")), ("docket", (None, "P-1"))]
    body = b'--x\r\nContent-Disposition: form-data; name="claims"\r\n\r\nA \xff hook.\r\n--x--\r\n'
    mixed = {"Content-Type": "multipart/form-data; boundary=x"}
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    answers = [
        desk.post("/submit", files=twice),
        desk.post("/submit", content=body, headers=mixed),
        desk.post(
            "/submit", content=body, headers={"Content-Type": mixed["Content-Type"] + "; charset=latin-1"}
        ),
        desk.post("/views", content=b"name=a&name=b&q=", headers=form),
        desk.post("/views", content=b"name=%FF&q=", headers=form),
        desk.get("/?q=a&q=b"),
        desk.get("/?q=%FF"),
    ]
    assert [answer.status_code for answer in answers] == [422] * len(answers)
    assert desk.post("/views", content=b"", headers=form).status_code == 400
    assert stored(db) == 0


@pytest.mark.parametrize("content", [b"", b"--x\r\n\r\n", b'{"a": 1}', b"--x--"])
@pytest.mark.parametrize(
    "media", ["multipart/form-data; boundary=x", "multipart/form-data", "application/json", ""]
)
def test_a_body_that_is_no_form_is_refused(desk: TestClient, db: Engine, content: bytes, media: str) -> None:
    answer = desk.post("/submit", content=content, headers={"Content-Type": media})
    assert answer.status_code in {200, 400, 415}
    assert stored(db) == 0
