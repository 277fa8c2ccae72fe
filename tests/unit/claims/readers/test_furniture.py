"""Page numbers, running headers and margins are cut; numbers that may be meant stay."""

import pytest

from ace.claims.readers import read_text
from ace.claims.readers.furniture import furniture


def without(text: str) -> str:
    for start, end in reversed(furniture(text)):
        text = text[:start] + text[end:]
    return text


@pytest.mark.parametrize(
    "line",
    [
        "- 12 -",
        "– 3 –",
        "-4-",
        "Page 3 of 9",
        "PAGE 3",
        "page 3/9",
        "Sheet 2 of 4",
        "12/34",
        "12 / 34",
        "Attorney Docket No. ABC-123-US",
        "Atty. Docket No.: 12345.0001",
        "ATTORNEY'S DOCKET NUMBER 12-3",
        "Docket No. X1",
        "Our Ref: X/1",
        "Appl. No. 16/123,456",
        "Application No.: 16/123,456",
        "U.S. Patent Application Serial No. 16/123,456",
        "Serial No. 16/123,456",
        "Reply to Office Action of May 3, 2024",
        "Amendment dated May 3, 2024",
        "Customer No. 12345",
        "Art Unit: 2876",
        "Examiner: Jo Doe",
    ],
)
def test_lines_that_plainly_are_furniture(line: str) -> None:
    assert without(f"1. A lamp comprising\n{line}\na bulb.") == "1. A lamp comprising\na bulb."
    assert without(f"1. A lamp comprising\n   {line}  \na bulb.\n{line}") == "1. A lamp comprising\na bulb.\n"


@pytest.mark.parametrize(
    "line",
    [
        "12",
        "34/12",
        "- 12",
        "5 mm",
        "page",
        "an application number of the user",
        "serial number of the device",
        "reference number 12 denotes it",
        "file number: it",
        "customer number of the account",
        "response to the request",
        "application of force",
        "docking station",
        "1.",
    ],
)
def test_lines_that_may_be_meant_stay(line: str) -> None:
    text = f"1. A lamp comprising\n{line}\na bulb."
    assert without(text) == text


def test_bare_numbers_are_pages_where_they_count_on() -> None:
    assert (
        without("1. A lamp\n7\nwith a base\nand\n8\na bulb\n9\nof glass.")
        == "1. A lamp\nwith a base\nand\n8\na bulb\nof glass."
    )
    assert without("1. A lamp\n7\nwith a base\n9\nof glass.") == "1. A lamp\n7\nwith a base\n9\nof glass."
    assert without("1. A lamp\nof claim\n7\nwith\n8\nof glass.") == "1. A lamp\nof claim\n7\nwith\nof glass."


def test_bare_numbers_are_pages_next_to_a_form_feed_or_between_empty_lines() -> None:
    assert without("1. A lamp\n7\n\fwith a base.") == "1. A lamp\n\fwith a base."
    assert without("1. A lamp.\n\n7\n\n2. A base.") == "1. A lamp.\n\n\n2. A base."


def test_a_bare_number_between_claims_or_after_them_is_a_page() -> None:
    assert without("1. A lamp.\n7\n2. A base.\n12\n") == "1. A lamp.\n2. A base.\n"
    text = "1. A lamp of formula\n7\n2. A base.\n"
    assert without(text) == text


def test_a_text_that_begins_with_a_bare_number_is_numbered_so() -> None:
    text = "1\nA lamp.\n2\nA base.\n"
    assert without(text) == text


def pages(header: str, count: int) -> str:
    return "".join(f"{header}\n{n}. A lamp of kind {n}.\n\n- {n} -\n" for n in range(1, count + 1))


def test_running_headers_are_known_by_coming_again_beside_page_numbers() -> None:
    text = pages("MY COMPANY'S LAMPS 2024", 4)
    assert without(text) == "".join(f"{n}. A lamp of kind {n}.\n\n" for n in range(1, 5)).replace(
        "1. A", "MY COMPANY'S LAMPS 2024\n1. A", 1
    )
    assert [claim.text for claim in read_text(f"CLAIMS\n{text}", partial=True)][1:] == [
        f"A lamp of kind {n}." for n in range(2, 5)
    ]


def test_lines_of_claims_that_come_again_beside_page_numbers_stay() -> None:
    text = "".join(f"{n}. A lamp\nwith a base.\n- {n} -\n" for n in range(1, 6))
    assert without(text) == "".join(f"{n}. A lamp\nwith a base.\n" for n in range(1, 6))


def test_numbers_of_lines_in_the_margin() -> None:
    lines = [
        "1. A lamp having",
        "a base,",
        "a bulb,",
        "a cord,",
        "a plug,",
        "a cap,",
        "a lid,",
        "a leg,",
        "a hat,",
    ]
    lines += ["a pin,", "a cog,", "a rod,", "a rim,", "a nut,", "and a bolt."]
    numbered = [f" {n}  {line}" if n % 5 == 0 else line for n, line in enumerate(lines, start=1)]
    assert without("\n".join(numbered)) == "\n".join(lines)


def test_numbers_that_are_not_at_every_fifth_line_are_no_margin() -> None:
    text = "1. A set of\n5 bulbs,\n10 cords,\n15 plugs."
    assert without(text) == text


def test_a_claim_across_pages_is_whole_and_points_into_the_source() -> None:
    text = "1. A lamp comprising\na base and\n- 12 -\nAttorney Docket No. X-1\na bulb.\n2. A hat."
    claim = read_text(text)[1]
    assert claim.text == "A lamp comprising\na base and\na bulb."
    assert len(claim.pieces) == 2
    span = claim.source_span(claim.text.index("bulb"), len(claim.text))
    assert span is not None
    assert text[slice(*span)] == "bulb."
