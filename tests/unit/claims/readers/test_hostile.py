"""Files that were made to harm: each is refused soon, within bounds of memory, and by a stable code."""

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ace.claims.readers import read_file
from ace.claims.readers.archive import MAX_ENTRIES, MAX_RATIO, MAX_UNPACKED_BYTES
from ace.claims.readers.files import MAX_FILE_BYTES
from ace.claims.readers.markup import MAX_ATTRIBUTE_CHARACTERS, MAX_DEPTH
from ace.errors import Refused
from tests.unit.claims.readers.word import package, zipped

pytestmark = pytest.mark.slow

CLAIM = "<claims><claim num='1'><claim-text>A secretword {}.</claim-text></claim></claims>"
LAUGHS = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
XML = {
    "external entity": f"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>{CLAIM.format('&x;')}",
    "external entity over http": f"<!DOCTYPE a [<!ENTITY x SYSTEM 'http://127.0.0.1:9/x'>]>{CLAIM.format('&x;')}",
    "billion laughs": f"<!DOCTYPE a [<!ENTITY l0 'ha'>{LAUGHS}]>{CLAIM.format('&l9;')}",
    "quadratic": f"<!DOCTYPE a [<!ENTITY x '{'x' * 50_000}'>]>{CLAIM.format('&x;' * 10_000)}",
    "parameter entity": f"<!DOCTYPE a [<!ENTITY % x SYSTEM 'file:///etc/passwd'> %x;]>{CLAIM.format('')}",
    "inner parameter entity": f"<!DOCTYPE a [<!ENTITY % x '<!ENTITY y \"z\">'> %x;]>{CLAIM.format('&y;')}",
    "default attributes": f"<!DOCTYPE a [<!ATTLIST claim num CDATA '{'9' * 9000}'>]>{CLAIM.format('')}",
}


def tokens(count: int) -> str:
    return " ".join(f"a{number}='1'" for number in range(count))


OTHER_XML = {
    "deep": ("<a>" * (MAX_DEPTH + 1), "xml_too_deep", MAX_DEPTH),
    "very deep": ("<a>" * 1_000_000, "xml_too_deep", MAX_DEPTH),
    "long attribute": (
        f"<a b='{'x' * (MAX_ATTRIBUTE_CHARACTERS + 1)}'/>",
        "attribute_too_long",
        MAX_ATTRIBUTE_CHARACTERS,
    ),
    "endless attribute": (f"<a b='{'x' * 15_000_000}", "attribute_too_long", 1 << 20),
    "endless comment": (f"<a><!-- {'x' * 15_000_000}", "attribute_too_long", 1 << 20),
    "many attributes": (f"<a {tokens(5_000)}/>", "too_many_attributes", 200),
    "cut off": ("<claims><claim num='1'>", "malformed_xml", None),
    "null byte": ("<claims>\x00</claims>", "malformed_xml", None),
    "unknown encoding": ("<?xml version='1.0' encoding='x-none'?><a/>", "malformed_xml", None),
    "two roots": ("<a/><a/>", "malformed_xml", None),
    "many claims": (f"<claims>{'<claim/>' * 2000}</claims>", "too_many_claims", 1000),
    "huge range": ("<claims><claim num='1-999999999'>(canceled)</claim></claims>", "too_many_claims", 1000),
    "huge text": (f"<claims><claim num='1'>{'word ' * 500_000}</claim></claims>", "set_too_long", 2_000_000),
}


@contextmanager
def bounded(megabytes: int = 150) -> Iterator[None]:
    """Fails if what is done inside takes more memory."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < megabytes << 20
    finally:
        tracemalloc.stop()


def refusal_of(data: bytes) -> str | None:
    try:
        read_file(data)
    except Refused as error:
        return error.code
    return None


def refused(data: bytes, code: str) -> Refused:
    for partial in (False, True):
        with bounded(), pytest.raises(Refused) as caught:
            read_file(data, partial=partial)
        assert caught.value.code == code
        assert "secretword" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("xml", XML.values(), ids=XML)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_declared_entities_are_refused_before_use(xml: str, encoding: str) -> None:
    refused(xml.encode(encoding), "entities_declared")


@pytest.mark.parametrize(("xml", "code", "limit"), OTHER_XML.values(), ids=OTHER_XML)
def test_hostile_xml(xml: str, code: str, limit: int | None) -> None:
    assert refused(xml.encode(), code).limit == limit


def test_a_document_type_is_passed_over_and_never_fetched() -> None:
    for doctype in (
        "<!DOCTYPE us-patent-grant SYSTEM 'us-patent-grant-v45-2014-04-03.dtd' [ ]>",
        "<!DOCTYPE us-patent-grant SYSTEM 'http://127.0.0.1:9/none.dtd'>",
        (
            "<!DOCTYPE PATDOC PUBLIC '-//USPTO//DTD' 'x.dtd' [<!NOTATION TIF SYSTEM 'T'>"
            "<!ENTITY i SYSTEM 'i' NDATA TIF>]>"
        ),
    ):
        assert read_file(f"{doctype}{CLAIM.format('&Delta;')}".encode())[1].text == "A secretword Δ."


@pytest.mark.parametrize("xml", XML.values(), ids=XML)
def test_declared_entities_inside_a_document_are_refused_too(xml: str) -> None:
    for name in ("word/document.xml", "word/numbering.xml", "word/styles.xml", "_rels/.rels"):
        parts: dict[str, str | bytes] = {"word/document.xml": "<a/>", name: xml}
        refused(zipped(parts), "entities_declared")


def test_a_zip_bomb_is_stopped_by_its_ratio() -> None:
    data = zipped({"word/document.xml": b"<a>" + b" " * (200 << 20)})
    assert refused(data, "zip_bomb").limit == MAX_RATIO


def test_a_zip_bomb_is_stopped_by_what_it_unpacks_to() -> None:
    run = b"<a>" + bytes(range(97, 123)) * 5000 + b"</a>"
    noise = b"".join(run + str(n).encode() * 40 for n in range(MAX_UNPACKED_BYTES // len(run) + 2))
    data = zipped({"word/document.xml": b"<a><!-- x -->" + noise, "word/numbering.xml": "<a/>"})
    error = refused(data, "zip_bomb")
    assert error.limit in (MAX_RATIO, MAX_UNPACKED_BYTES)


def test_many_entries() -> None:
    data = zipped({f"word/{number}": "" for number in range(MAX_ENTRIES + 1)})
    assert refused(data, "too_many_entries").limit == MAX_ENTRIES


def test_many_entries_that_the_directory_hides() -> None:
    data = bytearray(zipped({f"word/{'x' * 200}{number}": "" for number in range(MAX_ENTRIES)}))
    at = data.rfind(b"PK\x05\x06")
    struct.pack_into("<2H", data, at + 8, 1, 1)
    refused(bytes(data), "too_many_entries")


def test_an_encrypted_archive() -> None:
    data = bytearray(zipped({"word/document.xml": "<a/>"}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + offset] |= 1
    refused(bytes(data), "encrypted")


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04",
        b"PK\x03\x04" + bytes(range(256)) * 40,
        b"PK\x05\x06" + bytes(10),
        package("<w:p/>")[:-30],
        package("<w:p/>").replace(b"PK\x01\x02", b"PK\x01\x09"),
        b"PK\x03\x04" + b"PK\x05\x06" + b"\xff" * 18,
    ],
)
def test_what_only_begins_like_a_zip(data: bytes) -> None:
    for partial in (False, True):
        with bounded(), pytest.raises(Refused) as caught:
            read_file(data, partial=partial)
        assert caught.value.code in ("malformed_zip", "too_many_entries")


def test_damaged_parts() -> None:
    good = package("<w:p><w:r><w:t>1. A lamp.</w:t></w:r></w:p>" * 50)
    for at in range(40, 120, 7):
        broken = bytearray(good)
        broken[at] ^= 0xFF
        outcome = refusal_of(bytes(broken))
        assert outcome in (None, "malformed_zip", "malformed_xml", "unsupported_type", "encrypted")


def test_another_compression_is_refused() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("word/document.xml", "<a/>")
    refused(target.getvalue(), "malformed_zip")


def test_a_zip_in_a_zip_is_not_opened() -> None:
    inner = zipped({"word/document.xml": bytes(50 << 20)})
    refused(zipped({"word/document.xml": inner}), "malformed_xml")


def test_a_deep_document() -> None:
    refused(package("<w:p>" * 300), "xml_too_deep")


def test_a_long_document() -> None:
    words = "".join(f"<w:p><w:r><w:t>{number**300:x}</w:t></w:r></w:p>" for number in range(100, 3600))
    refused(package(words), "set_too_long")


def test_the_largest_file_of_nothing_but_tags_is_refused() -> None:
    data = b"<claims><claim num='1'>A lamp.</claim>" + b"<a/>" * ((MAX_FILE_BYTES - 100) // 4) + b"</claims>"
    with pytest.raises(Refused) as caught:
        read_file(data)
    assert caught.value.code == "xml_too_large"
