"""Sessions: how they begin and end, what a cookie is worth, and forms that other sites send."""

import hashlib
from collections.abc import Callable
from functools import partial

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.desk.pages import POLICY, Page, asset
from ace.desk.routes import PAGES
from ace.store import keys, sessions
from ace.store.database import transact
from tests.integration.desk.conftest import OURS

COOKIE = "ace-session"


def key_id(key: str) -> str:
    return key.split("_")[1]


def link(db: Engine, key: str) -> str:
    token = transact(db, partial(sessions.create, tenant="office", key_id=key_id(key), once=True))
    return f"/sign-in/{token}"


def test_a_key_signs_in_and_its_owner_signs_out(visitor: TestClient, key: str) -> None:
    assert visitor.get("/").headers["location"] == "/sign-in"

    answer = visitor.post("/sign-in", data={"key": f" {key}\n"})

    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert "Domain" not in cookie
    assert "Nothing has been filed yet" in visitor.get("/").text

    token = visitor.cookies[COOKIE]
    assert visitor.post("/sign-out").headers["location"] == "/sign-in"
    assert COOKIE not in visitor.cookies
    visitor.cookies.set(COOKIE, token)  # whoever kept it has nothing
    assert visitor.get("/").headers["location"] == "/sign-in"


@pytest.mark.parametrize("wrong", ["", "ace_0123456789ab_secret", "Bearer", "ace_\x00", "x" * 3_000])
def test_what_is_no_key_in_force_does_not_sign_in(visitor: TestClient, wrong: str) -> None:
    answer = visitor.post("/sign-in", data={"key": wrong})
    assert answer.status_code == 401
    assert "no key in force" in answer.text
    assert "set-cookie" not in answer.headers


def test_a_form_that_is_too_long_is_refused(visitor: TestClient) -> None:
    assert visitor.post("/sign-in", data={"key": "x" * 5_000}).status_code == 413


def test_a_link_signs_in_once_and_only_by_its_button(visitor: TestClient, db: Engine, key: str) -> None:
    path = link(db, key)
    for _ in range(2):  # a look at it uses nothing up
        assert "This link signs you in once" in visitor.get(path).text
    assert visitor.post(path).headers["location"] == "/"
    assert visitor.get("/").status_code == 200

    visitor.cookies.clear()
    again = visitor.post(path)
    assert (again.status_code, "set-cookie" in again.headers) == (401, False)
    assert "used up" in again.text


@pytest.mark.parametrize(
    "spoil",
    ["UPDATE sessions SET until = now()", "UPDATE keys SET revoked_at = now()"],
    ids=["old", "revoked"],
)
def test_sessions_and_links_end_with_their_time_and_their_key(
    visitor: TestClient, db: Engine, key: str, spoil: str
) -> None:
    path = link(db, key)
    visitor.post("/sign-in", data={"key": key})
    assert visitor.get("/").status_code == 200
    with db.begin() as connection:
        connection.execute(text(spoil))
    assert visitor.get("/").headers["location"] == "/sign-in"
    assert visitor.post(path).status_code == 401


def test_a_link_is_no_session_and_a_session_no_link(visitor: TestClient, db: Engine, key: str) -> None:
    visitor.cookies.set(COOKIE, link(db, key).rpartition("/")[2])
    assert visitor.get("/").headers["location"] == "/sign-in"
    visitor.cookies.clear()
    visitor.post("/sign-in", data={"key": key})
    token = visitor.cookies[COOKIE]
    visitor.cookies.clear()
    assert visitor.post(f"/sign-in/{token}").status_code == 401


def test_signing_in_makes_another_session_and_ends_the_one_that_was_planted(
    app: FastAPI, visitor: TestClient, key: str, new_key: Callable[..., str]
) -> None:
    """Session fixation: an attacker's session in somebody's browser."""
    visitor.post("/sign-in", data={"key": new_key("attacker")})
    planted = visitor.cookies[COOKIE]

    visitor.post("/sign-in", data={"key": key})

    assert visitor.cookies[COOKIE] != planted
    assert "office, key" in visitor.get("/").text
    attacker = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
    attacker.cookies.set(COOKIE, planted)
    assert attacker.get("/").headers["location"] == "/sign-in"


def test_only_hashes_of_tokens_are_stored(visitor: TestClient, db: Engine, key: str) -> None:
    visitor.post("/sign-in", data={"key": key})
    token = visitor.cookies[COOKIE]
    with db.connect() as connection:
        (row,) = connection.execute(text("SELECT s::text, hash FROM sessions s")).all()
    assert token not in row[0]
    assert bytes(row.hash) == keys.digest(token)


@pytest.mark.parametrize(
    ("host", "scheme"), [("ace.example", "https"), ("ace.example", "http"), ("127.0.0.1", "https")]
)
def test_beyond_this_machine_the_cookie_is_bound_to_host_and_tls(
    app: FastAPI, key: str, host: str, scheme: str
) -> None:
    browser = TestClient(app, base_url=f"{scheme}://{host}", headers=OURS, follow_redirects=False)
    cookie = browser.post("/sign-in", data={"key": key}).headers["set-cookie"]
    assert cookie.startswith("__Host-ace-session=")
    assert {"Secure", "HttpOnly", "SameSite=lax", "Path=/"} <= {part.strip() for part in cookie.split(";")}


NOTHING = "01a1fb7f-0da3-7014-8f64-d20e21e5c542"
POSTS = [
    *("/sign-in", f"/sign-in/{'0' * 64}", "/sign-out", "/theme", "/samples", "/submit", "/views"),
    *("/review/sample", f"/review/{NOTHING}", "/terms", f"/terms/{NOTHING}/remove"),
    *("/calibration/rollback", f"/calibration/models/{NOTHING}/promote"),
    *("/operations/pause", "/operations/replay", f"/evaluations/{NOTHING}/replay"),
    *(f"/operations/{kind}/{NOTHING}/{act}" for kind, act in (("pauses", "resume"), ("jobs", "cancel"))),
]
HOME = "http://127.0.0.1"


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "cross-site", "Origin": HOME},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1.evil.example"},
        {"Origin": "null"},
        {},
    ],
    ids=str,
)
def test_forms_of_other_sites_do_nothing(
    desk: TestClient, db: Engine, path: str, headers: dict[str, str]
) -> None:
    del desk.headers["Sec-Fetch-Site"]
    answer = desk.post(path, data={"theme": "dark", "here": "/"}, headers=headers)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    with db.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM filings")).scalar_one() == 0
    assert desk.get("/").status_code == 200  # still signed in


def test_a_browser_that_says_only_the_origin_is_believed(desk: TestClient) -> None:
    del desk.headers["Sec-Fetch-Site"]
    assert desk.post("/theme", data={"theme": "dark"}, headers={"Origin": HOME}).status_code == 303


@pytest.mark.parametrize("path", ["/nowhere", "/filings/0", "/operations/x", "/v2/filings"])
def test_people_get_a_page_where_nothing_is_and_programs_a_problem(visitor: TestClient, path: str) -> None:
    page = visitor.get(path, headers={"Accept": "text/html,*/*"})
    assert (page.status_code, page.headers["content-security-policy"]) == (404, POLICY)
    assert "There is no such page" in page.text
    assert path not in page.text.replace(f'value="{path}"', "")  # where the theme leads back to
    for accept, address in (("application/json", path), ("text/html", f"/v1{path}"), ("*/*", path)):
        problem = visitor.get(address, headers={"Accept": accept})
        told = (problem.status_code, problem.headers["content-type"])
        assert told == (404, "application/problem+json")


def test_every_post_of_the_desk_is_attacked_above() -> None:
    ours = {
        route.path.replace("{token}", "0" * 64).replace("{id:uuid}", NOTHING)
        for pages in PAGES
        for route in pages.router.routes
        if isinstance(route, Page) and "POST" in route.methods
    }
    assert ours == set(POSTS)


@pytest.mark.parametrize(
    "path", ["/", "/sign-in", "/submit", "/?q=colour:red", "/filings/0", "/operations", "/calibration"]
)
def test_pages_are_kept_nowhere_and_framed_by_nobody(desk: TestClient, path: str) -> None:
    answer = desk.get(path, headers={"Accept": "text/html"})
    assert answer.headers["content-security-policy"] == POLICY
    assert "frame-ancestors 'none'" in POLICY
    assert "unsafe" not in POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"


def test_assets_are_kept_under_their_version_alone(visitor: TestClient) -> None:
    page = visitor.get("/sign-in").text
    for name in ("desk.css", "htmx.min.js", "hx-sse.min.js", "desk.js", "icon.svg"):
        (address,) = [part for part in page.split('"') if part.startswith(f"/assets/{name}?v=")]
        assert "immutable" in visitor.get(address).headers["cache-control"]
        assert visitor.get(f"/assets/{name}").headers["cache-control"] == "no-cache"
    for name in ("htmx.LICENSE.txt", "no.css", "..%2Fpages.py", "%2Fetc%2Fpasswd.css"):
        assert visitor.get(f"/assets/{name}").status_code == 404


def test_what_comes_from_others_is_what_they_published() -> None:
    """htmx 4.0.1, `dist/htmx.min.js` and `dist/ext/hx-sse.min.js` of the package on npm."""
    published = {
        "htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
        "hx-sse.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
    }
    for name, digest in published.items():
        assert hashlib.sha256(asset(name).content).hexdigest() == digest


def test_the_stylesheet_stays_small() -> None:
    assert len(asset("desk.css").content) <= 15_000


@pytest.mark.parametrize(
    ("here", "back"),
    [
        ("/?q=a", "/?q=a"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
        ("/\\evil.example", "/"),
        ("", "/"),
    ],
)
def test_a_theme_is_kept_and_leads_back_to_the_page(visitor: TestClient, here: str, back: str) -> None:
    answer = visitor.post("/theme", data={"theme": "dark", "here": here})
    assert answer.headers["location"] == back
    assert '<html lang="en" data-theme="dark">' in visitor.get("/sign-in").text
    visitor.post("/theme", data={"theme": "auto"})
    assert '<html lang="en">' in visitor.get("/sign-in").text


def test_requests_of_a_session_count_against_the_rate_of_its_key(
    visitor: TestClient, new_key: Callable[..., str]
) -> None:
    visitor.post("/sign-in", data={"key": new_key("office", rate=1)})
    assert visitor.get("/").status_code == 200
    answer = visitor.get("/")
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1


def test_the_api_takes_no_cookie(desk: TestClient) -> None:
    assert desk.get("/v1/filings").status_code == 401
