"""Headers, keys, cursors and lines: the small readers at the edge, each for itself."""

import asyncio
import re
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.api import callers, cursors
from ace.api.bodies import Lines
from ace.api.evaluations import filter_of, scope_of
from ace.api.fields import IDEMPOTENCY_KEY, idempotency_key
from ace.api.problems import Forbidden
from ace.api.schemas import EvaluationQuery
from ace.api.spool import BATCH_BYTES, BATCH_LINES, Pending, Spool, UploadLine
from ace.api.waiting import LONGEST_WAIT_SECONDS, wait_seconds
from ace.errors import Refused
from ace.store import keys as stored

ID = UUID(int=7)
SECRET = [b"secret"]


# The header Prefer


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("wait=10", 10),
        ("WAIT = 10", 10),
        ('wait="10"', 10),
        ("respond-async, wait=10", 10),
        ("wait=10, wait=20", 10),
        ("wait=0", 0),
        ("wait=61", LONGEST_WAIT_SECONDS),
        ("wait=999999999", LONGEST_WAIT_SECONDS),
        ("wait=5; foo=bar", 5),
        ("wait=-1", None),
        ("wait=1.5", None),
        ("wait=ten", None),
        ("wait", None),
        ("wait=" + "9" * 5_000, None),
        ("awaits=10", None),
    ],
)
def test_wait_is_read_or_left_out_of_account(header: str | None, seconds: int | None) -> None:
    assert wait_seconds(header) == seconds


# Idempotency-Key


@pytest.mark.parametrize(
    ("header", "key"),
    [
        (None, None),
        ("k", "k"),
        ('"k"', "k"),
        ('"a\\"b\\\\c"', 'a"b\\c'),
        ('"', '"'),
        ('"k', '"k'),
        ("8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
        ("k" * 255, "k" * 255),
        (f'"{"k" * 255}"', "k" * 255),
    ],
)
def test_idempotency_key_is_bare_or_quoted(header: str | None, key: str | None) -> None:
    assert idempotency_key(header) == key
    assert header is None or re.search(IDEMPOTENCY_KEY, header)


@pytest.mark.slow
@given(
    st.from_regex(IDEMPOTENCY_KEY, fullmatch=True)
    | st.text(st.sampled_from('"\\ak ~\x7f\n'), max_size=6)
    | st.integers(250, 260).map(lambda n: "k" * n)
    | st.integers(250, 260).map(lambda n: '"' + "k" * n + '"')
)
def test_the_described_pattern_is_what_is_taken(header: str) -> None:
    try:
        idempotency_key(header)
        taken = True
    except Refused:
        taken = False
    assert taken == (re.fullmatch(IDEMPOTENCY_KEY, header) is not None)


@pytest.mark.parametrize("header", ["", '""', " ", "a b", '"a b"', "k" * 256, "k\x7f", "k\x00", "ké", "k\n"])
def test_other_idempotency_keys_are_refused(header: str) -> None:
    with pytest.raises(Refused, match="visible ASCII"):
        idempotency_key(header)


# Keys


class Table:
    """A keys table of one key."""

    def __init__(self, key_id: str, key: str) -> None:
        self.key_id = key_id
        self.kept = stored.digest(key)

    def in_force(self, _: object, key_id: str) -> stored.InForce | None:
        if key_id != self.key_id:
            return None
        return stored.InForce("office", self.kept, frozenset({"read", "submit"}), None)


KEY = "ace_0123456789ab_" + "c" * 64


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "in_force", Table("0123456789ab", KEY).in_force)


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("header", [f"Bearer {KEY}", f"bearer {KEY}", f"BEARER   {KEY}"])
def test_key_opens_its_tenant(header: str) -> None:
    tenant = callers.authenticate(None, callers.presented(header))  # type: ignore[arg-type]
    assert (tenant.name, tenant.key_id, tenant.actor) == ("office", "0123456789ab", "key:0123456789ab")


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        KEY,
        f"Basic {KEY}",
        f"Bearer {KEY} ",
        f"Bearer {KEY}\n",
        f"Bearer {KEY[:-1]}d",
        f"Bearer {KEY[:-1]}",
        f"Bearer {KEY.upper()}",
        f"Bearer {KEY.replace('0123456789ab', 'ba9876543210')}",
        "Bearer ace_0123456789ab_" + "é" * 64,
        "Bearer ace__",
    ],
)
def test_everything_else_opens_nothing(header: str | None) -> None:
    with pytest.raises(Refused) as refused:
        callers.authenticate(None, callers.presented(header))  # type: ignore[arg-type]
    assert refused.value.code == "unauthorised"


@pytest.mark.parametrize(
    ("needed", "lacks"),
    [
        ([], None),
        (["read"], None),
        (["submit", "read"], None),
        (["admin"], "admin"),
        (["read", "replay"], "replay"),
    ],
)
def test_key_is_good_for_its_scopes_alone(needed: list[str], lacks: str | None) -> None:
    caller = callers.Tenant("office", "0123456789ab", frozenset({"read", "submit"}), None)
    if lacks is None:
        callers.refuse_beyond(caller, needed)
        return
    with pytest.raises(Forbidden, match=f"scope {lacks}$") as refused:
        callers.refuse_beyond(caller, needed)
    assert (refused.value.scope, refused.value.code) == (lacks, "forbidden")


# Cursors


def test_cursor_comes_back() -> None:
    cursor = cursors.write(SECRET, ["office", "", "=queued"], ID)
    assert cursors.read(SECRET, ["office", "", "=queued"], cursor) == ID
    assert cursor.isascii()
    assert set(cursor) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


@pytest.mark.parametrize(
    ("secret", "scope"),
    [
        ([b"other"], ["office", "a", "b"]),
        ([], ["office", "a", "b"]),
        (SECRET, ["stranger", "a", "b"]),
        (SECRET, ["office", "a", ""]),
        (SECRET, ["office", "b", "a"]),
        (SECRET, ["officea", "", "b"]),
        (SECRET, ["office", "ab", ""]),
        (SECRET, ["office", "a"]),
    ],
)
def test_cursor_of_another_scope_is_refused(secret: list[bytes], scope: list[str]) -> None:
    cursor = cursors.write(SECRET, ["office", "a", "b"], ID)
    with pytest.raises(Refused):
        cursors.read(secret, scope, cursor)


@pytest.mark.parametrize(
    ("asked", "scope"),
    [
        ({}, ["office", "", "", "", "", ""]),
        ({"state": "failed"}, ["office", "=failed", "", "", "", ""]),
        ({"disputed": "true"}, ["office", "", "", "=true", "", ""]),
        (
            {"verdict": "Fail", "docket": "A-1", "filing": str(ID)},
            ["office", "", "=Fail", "", "=A-1", f"={ID}"],
        ),
        ({"ground": "objection"}, ["office", "", "", "", "", "", "ground=objection"]),
    ],
)
def test_the_release_before_takes_the_cursors_of_the_filters_it_knows(
    asked: dict[str, str], scope: list[str]
) -> None:
    assert scope_of("office", filter_of(EvaluationQuery.model_validate(asked))) == scope


@pytest.mark.parametrize(
    ("written", "read", "good"),
    [
        (["new", "old"], ["old", "new"], True),
        (["old"], ["new", "old"], True),
        (["new", "old"], ["old"], False),
        (["old"], ["new"], False),
    ],
)
def test_a_cursor_is_signed_with_the_first_secret_and_read_with_any(
    written: list[str], read: list[str], *, good: bool
) -> None:
    cursor = cursors.write([one.encode() for one in written], ["office"], ID)
    try:
        assert cursors.read([one.encode() for one in read], ["office"], cursor) == ID
    except Refused:
        assert not good
    else:
        assert good


@given(st.integers(0, 42), st.integers(1, 63))
def test_changed_cursor_is_refused(place: int, shift: int) -> None:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    cursor = cursors.write(SECRET, ["office"], ID)
    changed = alphabet[(alphabet.index(cursor[place]) + shift) % 64]
    forged = cursor[:place] + changed + cursor[place + 1 :]
    try:
        assert cursors.read(SECRET, ["office"], forged) == ID
    except Refused:
        return
    assert place == 42  # its last character has bits to spare


@given(st.text(max_size=60))
def test_any_text_as_cursor_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        cursors.read(SECRET, ["office"], text)


# Lines


@given(
    st.lists(st.binary(max_size=30).filter(lambda line: b"\n" not in line), max_size=12),
    st.integers(1, 17),
    st.booleans(),
)
def test_lines_come_out_however_they_were_cut(lines: list[bytes], step: int, ended: bool) -> None:
    limit = 20
    whole = b"\n".join(lines) + (b"\n" if ended and lines else b"")
    cutter = Lines(limit)
    found: list[bytes | None] = []
    for start in range(0, len(whole), step):
        found += cutter.feed(whole[start : start + step])
    found += cutter.close()

    expected = whole.split(b"\n")
    if expected[-1] == b"":
        expected.pop()
    assert found == [line if len(line) <= limit else None for line in expected]


def test_long_line_is_not_held() -> None:
    cutter = Lines(1_000)
    for _ in range(1_000):
        cutter.feed(b"x" * 500)
    assert len(cutter._held) <= 1_000
    assert cutter.feed(b"\ny") == [None]
    assert cutter.close() == [b"y"]


# Buffers of an upload


def test_batches_hold_what_has_gathered_up_to_their_bounds() -> None:
    async def story() -> list[int]:
        pending = Pending()
        await pending.put([UploadLine(n, b"x") for n in range(1, BATCH_LINES + 52)])
        await pending.put([UploadLine(900, None), UploadLine(901, b"x" * BATCH_BYTES)])
        await pending.close()
        sizes = []
        while batch := await pending.take():
            sizes.append(len(batch))
        return sizes

    assert asyncio.run(story()) == [BATCH_LINES, 53]


def test_reader_waits_for_room() -> None:
    async def story() -> tuple[bool, bool]:
        pending = Pending()
        await pending.put([UploadLine(1, b"x" * BATCH_BYTES)])
        second = asyncio.create_task(pending.put([UploadLine(2, b"y")]))
        await asyncio.sleep(0)
        waited = not second.done()
        await pending.take()
        await second
        return waited, [line.number for line in await pending.take()] == [2]

    assert asyncio.run(story()) == (True, True)


@given(st.lists(st.integers(0, 300_000), max_size=12), st.integers(0, 3))
def test_spool_gives_back_what_was_put(sizes: list[int], taken_between: int) -> None:
    async def story() -> bytes:
        out = b""
        with Spool() as spool:
            for n, size in enumerate(sizes):
                spool.put(bytes([n]) * size)
                for _ in range(taken_between):
                    if spool._on_disk or spool._memory:
                        out += await spool.take()
            spool.close()
            while data := await spool.take():
                out += data
        return out

    assert asyncio.run(story()) == b"".join(bytes([n]) * size for n, size in enumerate(sizes))
