"""Whatever is written in any shape is read back; whatever is given, nothing breaks and pieces hold."""

import contextlib
import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.model import Claim, ClaimSet, Status
from ace.claims.readers import read_claims, read_file, read_text
from ace.errors import Refused
from tests.unit.claims.readers.word import document, listed, package, saved

pytestmark = pytest.mark.slow

Pairs = list[tuple[int, str]]

SHAPES = ["{}. {}", "{} . {}", "{}.) {}", "{}) {}", "({}) {}", "[{}] {}", "Claim {}. {}", "Claim {}: {}"]
SHAPES += [
    "CLAIM {}\n{}",
    "[Claim {}] {}",
    "{}\t{}",
    "{}: {}",
    "{}. (Original) {}",
    "{} (New) {}",
    "Claim {} (New): {}",
]
HEADERS = ["", "What is claimed is:\n", "CLAIMS\n\n", "We claim:\n", "Listing of Claims:\n", "\ufeff"]
TAILS = ["", "\n\nABSTRACT\nA thing is disclosed.", "\n/Jo Doe/\nJo Doe", "\nREMARKS\n1. It is new."]

NOUNS = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=9)
LIMBS = st.lists(NOUNS.map(lambda noun: f"a {noun}"), min_size=1, max_size=4)
GAPS = st.sampled_from([", ", ";\n", ";\n  ", ",\n    and "])


@st.composite
def bodies(draw: st.DrawFn, number: int) -> str:
    """The text of a claim: independent, or dependent on an earlier one, with limbs on lines of their own."""
    limbs = draw(GAPS).join(draw(LIMBS))
    if number > 1 and draw(st.booleans()):
        return f"The device of claim {draw(st.integers(1, number - 1))}, comprising {limbs}."
    return f"A device comprising {limbs}."


@st.composite
def numbered(draw: st.DrawFn) -> Pairs:
    """Pairs of ascending numbers, gaps included, and texts."""
    numbers = sorted(draw(st.sets(st.integers(1, 40), min_size=1, max_size=8)))
    return [(number, draw(bodies(number))) for number in numbers]


def read_back(claims: ClaimSet) -> Pairs:
    return [(claim.number, claim.text) for claim in claims]


def evenly(text: str) -> str:
    """The text with one line end for each run of white space that holds one."""
    return re.sub(r"\s*\n\s*", "\n", text)


def even(pairs: Pairs) -> Pairs:
    """What is read of pairs of numbers and texts."""
    return [(number, evenly(text)) for number, text in pairs]


def assert_pieces(claims: ClaimSet) -> None:
    """Each claim's text is made of its pieces, without a hole, in the order of the source.

    White space in it may stand for other white space.
    """
    assert claims.source is not None
    for claim in claims:
        offset = position = 0
        for start, source, length in claim.pieces:
            assert start == offset
            assert source >= position
            assert length > 0
            written, read = claims.source[source : source + length], claim.text[start : start + length]
            assert re.sub(r"\s", " ", written) == re.sub(r"\s", " ", read)
            offset, position = start + length, source + length
        assert offset == len(claim.text)
    assert all(0 <= note.start <= note.end <= len(claims.source) for note in claims.notes)


@settings(deadline=None)
@given(
    numbered(),
    st.sampled_from(SHAPES),
    st.sampled_from(["\n", "\n\n", "\r\n"]),
    st.sampled_from(HEADERS),
    st.sampled_from(TAILS),
)
def test_numbered_sets_are_read_back(pairs: Pairs, shape: str, gap: str, header: str, tail: str) -> None:
    text = header + gap.join(shape.format(number, body) for number, body in pairs) + tail
    for partial in (False, True):
        claims = read_text(text, partial=partial)
        assert read_back(claims) == even(pairs)
        assert_pieces(claims)


@settings(deadline=None)
@given(
    st.integers(2, 8).flatmap(lambda count: st.tuples(*(bodies(number) for number in range(1, count + 1))))
)
def test_sets_without_numbers_are_read_back_from_paragraphs(texts: Sequence[str]) -> None:
    claims = read_text("\n\n".join(texts))
    assert read_back(claims) == even(list(enumerate(texts, start=1)))
    assert_pieces(claims)


@settings(deadline=None)
@given(numbered(), st.integers(1, 9))
def test_page_numbers_and_headers_between_lines_change_nothing(pairs: Pairs, every: int) -> None:
    lines = "\n".join(f"{number}. {body}" for number, body in pairs).split("\n")
    paged: list[str] = []
    for at, line in enumerate(lines):
        if at % every == 0:
            paged += [f"- {at // every + 3} -", "Attorney Docket No. X-1"]
        paged.append(line)
    claims = read_text("\n".join(paged), partial=True)
    assert read_back(claims) == even(pairs)
    assert_pieces(claims)


@settings(deadline=None)
@given(numbered(), st.data())
def test_canceled_ranges_are_so_many_claims_without_text(pairs: Pairs, data: st.DataObject) -> None:
    last = pairs[-1][0]
    low = last + data.draw(st.integers(1, 3))
    high = low + data.draw(st.integers(0, 20))
    write: Callable[[int, int], str] = data.draw(
        st.sampled_from(
            [
                lambda a, b: f"{a}-{b}. (Canceled)",
                lambda a, b: f"{a} - {b}. (cancelled)",
                lambda a, b: f"Claims {a} to {b} (Canceled).",
                lambda a, b: f"{a}–{b} [Deleted]",
                lambda a, b: ", ".join(map(str, range(a, b + 1))) + ". (Canceled)",
            ]
        )
    )
    text = "\n".join([*(f"{number}. (Original) {body}" for number, body in pairs), write(low, high)])
    text += f"\n{high + 1}. (New) A hat."
    claims = read_text(text)
    assert read_back(claims) == [
        *even(pairs),
        *((number, "") for number in range(low, high + 1)),
        (high + 1, "A hat."),
    ]
    assert {claim.status for claim in claims if not claim.text} == {Status.CANCELED}
    assert_pieces(claims)


@settings(max_examples=12, deadline=None)
@given(numbered())
def test_word_documents_are_read_back(pairs: Pairs) -> None:
    made = document()
    for _, body in pairs:
        head, *limbs = body.split("\n")
        listed(made, head)
        for limb in limbs:
            made.add_paragraph(limb)
    claims = read_file(saved(made))
    assert read_back(claims) == [(number, evenly(body)) for number, (_, body) in enumerate(pairs, start=1)]
    assert_pieces(claims)


@settings(deadline=None)
@given(numbered())
def test_xml_is_read_back(pairs: Pairs) -> None:
    inner = "".join(
        f'<claim id="CLM-{number:05}" num="{number:05}"><claim-text>'
        f"{number}. {_nested(body)}</claim-text></claim>"
        for number, body in pairs
    )
    claims = read_file(f"<us-patent-grant><claims>{inner}</claims></us-patent-grant>".encode())
    assert read_back(claims) == even(pairs)
    assert_pieces(claims)


def _nested(body: str) -> str:
    head, *limbs = body.split("\n")
    return head + "".join(f"<claim-text>{limb}</claim-text>" for limb in limbs)


PARTS = st.sampled_from(
    [
        *(
            "1. ",
            "2. ",
            "3) ",
            "Claim 4",
            "\n",
            "\n\n",
            " ",
            "A lamp",
            "The lamp of claim 1",
            ".",
            "(Canceled)",
        ),
        *("2-5. ", "[[", "]]", "- 3 -", "12\n", "\f", "\x00", "(Original) ", "What is claimed is:", "5 "),
        *("ABSTRACT\n", "/Jo Doe/", "\ud800"),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PARTS, max_size=40).map("".join))


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_any_text_is_read_in_part(text: str) -> None:
    claims = read_text(text, partial=True)
    assert claims.source == text
    assert_pieces(claims)
    assert all(claim.text == claim.text.strip() for claim in claims)
    assert all(claim.text or not claim.pending for claim in claims)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_what_is_read_strictly_is_read_alike_in_part(text: str) -> None:
    try:
        claims = read_text(text)
    except Refused:
        return
    partial = read_text(text, partial=True)
    assert partial.claims == claims.claims
    assert set(claims.notes) <= set(partial.notes)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 12), TEXTS), max_size=8))
def test_any_list_is_read_in_part(pairs: Pairs) -> None:
    claims = read_claims(pairs, partial=True)
    assert all(isinstance(claim, Claim) and claim.pieces == () for claim in claims)


HEADS = st.sampled_from(
    [b"", b"PK\x03\x04", b"<?xml version='1.0'?>", b"<claims><claim>", b"\xff\xfe", b"\xef\xbb\xbf", b"1. A"]
)
GOOD = package("<w:p><w:r><w:t>1. A lamp.</w:t></w:r></w:p>")


@settings(max_examples=300, deadline=None)
@given(HEADS, st.binary(max_size=200), st.booleans())
def test_any_bytes_are_read_or_refused(head: bytes, rest: bytes, partial: bool) -> None:
    with contextlib.suppress(Refused):
        assert_pieces(read_file(head + rest, partial=partial))


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(GOOD) - 1), st.integers(1, 255), st.booleans())
def test_any_damage_to_a_document_is_read_or_refused(at: int, flip: int, partial: bool) -> None:
    broken = bytearray(GOOD)
    broken[at] ^= flip
    with contextlib.suppress(Refused):
        assert_pieces(read_file(bytes(broken), partial=partial))
