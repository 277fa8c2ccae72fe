"""Reading claims: what people paste, what programs send, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.model import (
    MAX_CLAIM_CHARACTERS,
    MAX_CLAIM_NUMBER,
    MAX_CLAIMS,
    MAX_SET_CHARACTERS,
)
from ace.claims.readers import read_claims, read_text
from ace.errors import Refused

LAMP = "A lamp comprising a base and a bulb."
SHADE = "The lamp of claim 1, further comprising a shade."
LINEN = "The lamp of claim 2, wherein the shade is made of linen."


@pytest.mark.parametrize(
    "text",
    [
        f"1. {LAMP}\n2. {SHADE}\n3. {LINEN}",
        f"1) {LAMP}\n2) {SHADE}\n3) {LINEN}\n",
        f"1 . {LAMP}\r\n2 . {SHADE}\r\n3 . {LINEN}",
        f"Claim 1. {LAMP}\n\nClaim 2: {SHADE}\n\nClaim 3\n{LINEN}",
        f"1. {LAMP} 2. {SHADE} 3. {LINEN}",
        f"What is claimed is:\n\n1. {LAMP}\n\n2. {SHADE}\n3. {LINEN}",
        f"What is claimed is: 1. {LAMP} 2. {SHADE} 3. {LINEN}",
        f"CLAIMS\n1.{LAMP}\n2.{SHADE}\n3.{LINEN}",
        f"  I claim:\n    1. {LAMP}\n    2. {SHADE}\n    3. {LINEN}\n  ",
        f"\ufeff1. {LAMP}\n2. {SHADE}\n3. {LINEN}",
    ],
)
def test_three_claims_in_every_shape(text: str) -> None:
    claims = read_text(text)
    assert [(claim.number, claim.text) for claim in claims] == [(1, LAMP), (2, SHADE), (3, LINEN)]
    assert [claim.parents for claim in claims] == [(), (1,), (2,)]


@pytest.mark.parametrize(
    "text",
    [
        LAMP,
        f"We claim:\n{LAMP}",
        "A method comprising:\n1. heating water;\n2. pouring it.",
        "A lamp of type No. 2. It glows.",
    ],
)
def test_text_without_leading_numbers_is_one_claim(text: str) -> None:
    claims = read_text(text)
    assert [claim.number for claim in claims] == [1]
    assert claims.claims[0].text == text.removeprefix("We claim:\n")


@pytest.mark.parametrize(
    "body",
    [
        "A lamp\ncomprising a base\nand a bulb.",
        "A method comprising:\n1) heating;\n2) cooling; and\n3) serving.",
        "A method comprising:\n1. heating;\n2. cooling.",
        "A lamp as drawn in FIG. 2. of the sheet.",
        "The lamp as claimed in claim\n3. wherein the base is round.",
        "A mixture with a ratio of\n1.5 to 2.5 parts.",
        "A lamp comprising: (i) a base, and (2) a bulb.",
    ],
)
def test_numbers_inside_a_claim_do_not_split_it(body: str) -> None:
    claims = read_text(f"1. {body}\n4. The lamp of claim 1.")
    assert [claim.number for claim in claims] == [1, 4]
    assert claims.claims[0].text == body


@pytest.mark.parametrize("ending", ["", ",", " selected from the group consisting of", ", or"])
def test_a_claim_that_lacks_its_period_still_ends(ending: str) -> None:
    first = f"A lamp comprising a base{ending}"
    claims = read_text(f"1. {first}\n2. {SHADE}")
    assert [claim.text for claim in claims] == [first, SHADE]


def test_text_is_kept_as_it_was_except_for_white_space() -> None:
    odd = "\n A  lamp ,\tcomprising\n\n  a “base” – and a bulb . \t"
    assert read_claims([(1, odd)]).claims[0].text == "A lamp , comprising\na “base” – and a bulb ."


SPACES = (*" \t\n\r\v\f\xa0\u1680", *map(chr, range(0x2000, 0x200B)), *"\u2028\u2029\u202f\u205f\u3000")


@pytest.mark.parametrize("as_list", [False, True])
def test_each_run_of_any_white_space_is_one_space_or_line_end(as_list: bool) -> None:
    # given runs of one character, and one of all of them, between the words of a claim
    runs = [space * count for space in SPACES if space not in "\v\f" for count in (1, 2, 900)]
    words = [f"w{index}" for index in range(len(runs))]
    text = "A lamp " + "".join(f"{word}{run}" for word, run in zip(words, runs, strict=True)) + "."
    # when it is read
    claims = read_claims([(1, text)]) if as_list else read_text(f"1. {text}")
    (claim,) = claims
    # then each run is one character, and a line end where it holds one
    ends = frozenset("\n\r\u2028\u2029")
    even = "".join(
        f"{word}{' ' if ends.isdisjoint(run) else chr(10)}" for word, run in zip(words, runs, strict=True)
    )
    assert claim.text == f"A lamp {even}."
    # and every word is found in the source
    if claims.source is not None:
        for word in words:
            start = claim.text.index(word)
            span = claim.source_span(start, start + len(word))
            assert span is not None
            assert claims.source[slice(*span)] == word


def test_deletions_leave_no_run_of_spaces() -> None:
    text = "1. (Currently amended) A lamp  [[red]]  [[blue]] comprising a   base."
    claims = read_text(text)
    assert claims[1].text == "A lamp comprising a base."
    span = claims[1].source_span(7, 24)
    assert span is not None
    assert text[slice(*span)] == "comprising a   base"


def test_a_list_keeps_its_order_and_gaps() -> None:
    claims = read_claims([(2, LAMP), (1, LAMP), (40, SHADE)])
    assert [claim.number for claim in claims] == [2, 1, 40]


SECRET = "zirconium"


@pytest.mark.parametrize(
    ("claims", "code", "pointer", "limit"),
    [
        ([], "empty_set", "/claims", 1),
        ([(1, LAMP), (2, "")], "empty_claim", "/claims/1/text", None),
        ([(1, " \n\t ")], "empty_claim", "/claims/0/text", None),
        ([(1, "—.")], "empty_claim", "/claims/0/text", None),
        ([(1, LAMP), (3, LAMP), (1, LAMP)], "duplicate_number", "/claims/2/number", None),
        ([(0, LAMP)], "number_out_of_range", "/claims/0/number", MAX_CLAIM_NUMBER),
        ([(-4, LAMP)], "number_out_of_range", "/claims/0/number", MAX_CLAIM_NUMBER),
        ([(10_001, LAMP)], "number_out_of_range", "/claims/0/number", MAX_CLAIM_NUMBER),
        ([(1, f"A {SECRET}\x00 lamp.")], "control_character", "/claims/0/text", None),
        ([(1, f"A {SECRET}\x1b[0m lamp.")], "control_character", "/claims/0/text", None),
        ([(1, f"A {SECRET}\x85 lamp.")], "control_character", "/claims/0/text", None),
        ([(1, f"A {SECRET}\ud83d lamp.")], "lone_surrogate", "/claims/0/text", None),
        ([(1, SECRET * 6000)], "claim_too_long", "/claims/0/text", MAX_CLAIM_CHARACTERS),
        ([(n, "x" * 49_000) for n in range(1, 50)], "set_too_long", "/claims", MAX_SET_CHARACTERS),
        ([(n, LAMP) for n in range(1, 1002)], "too_many_claims", "/claims", MAX_CLAIMS),
    ],
)
def test_refusals_name_field_and_limit_and_never_the_text(
    claims: list[tuple[int, str]], code: str, pointer: str, limit: int | None
) -> None:
    with pytest.raises(Refused) as caught:
        read_claims(claims)
    assert (caught.value.code, caught.value.pointer, caught.value.limit) == (code, pointer, limit)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty_claim"),
        (" \n ", "empty_claim"),
        ("What is claimed is:\n", "empty_claim"),
        (f"1. {LAMP}\n2.\n3. {LINEN}", "empty_claim"),
        (f"1. {LAMP}\n2. {SHADE}\n2. {LINEN}", "duplicate_number"),
        (f"0. {LAMP}", "number_out_of_range"),
        (f"10001. {LAMP}", "number_out_of_range"),
        (f"1. {LAMP}\x00", "control_character"),
        (f"1. {LAMP}\udc00", "lone_surrogate"),
        ("x" * (MAX_SET_CHARACTERS + 1), "set_too_long"),
        ("x" * (MAX_CLAIM_CHARACTERS + 1), "claim_too_long"),
        ("\n".join(f"{n}. {LAMP}" for n in range(1, 1002)), "too_many_claims"),
    ],
)
def test_refused_text(text: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        read_text(text, pointer="/claims")
    assert (caught.value.code, caught.value.pointer) == (code, "/claims")


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused_and_claims_are_pieces_of_it_in_order(text: str) -> None:
    try:
        claims = read_text(text)
    except Refused:
        return
    assert claims.source == text
    position = 0
    for claim in claims:
        for start, source, length in claim.pieces:
            assert source >= position
            kept = zip(text[source : source + length], claim.text[start : start + length], strict=True)
            assert all(filed == even or (filed.isspace() and even.isspace()) for filed, even in kept)
            position = source + length


WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyz ,", min_size=1, max_size=60).filter(str.strip)
BODIES = WORDS.map(lambda words: f"A device comprising {words.strip()}.")


@given(
    st.lists(BODIES, min_size=1, max_size=8),
    st.sampled_from(["{}. {}", "{}) {}", "Claim {}. {}"]),
    st.sampled_from(["\n", "\n\n", " ", "\r\n"]),
    st.sampled_from(["", "What is claimed is:\n", "Claims:\n\n"]),
    st.integers(1, 30),
)
def test_written_claims_are_read_back(
    bodies: list[str], shape: str, gap: str, header: str, first: int
) -> None:
    pairs = [(number, " ".join(body.split())) for number, body in enumerate(bodies, first)]
    text = header + gap.join(shape.format(number, body) for number, body in pairs)
    assert [(claim.number, claim.text) for claim in read_text(text)] == pairs
