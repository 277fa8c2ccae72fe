"""Patent-office XML whose elements are not one for each claim, or that is indented. All of it is ours."""

import re
from collections.abc import Callable
from xml.dom import minidom
from xml.etree import ElementTree as ET

import pytest

from ace.claims.model import ClaimSet
from ace.claims.readers import read_file
from tests.unit.claims.readers.test_publication import GRANT, PATDOC, PUBLICATION, ST36

STOVE = "A stove comprising a firebox and a flue."
DAMPER = "The stove according to claim 1, wherein a damper is in the flue."
DOOR = "The stove according to claim 2, comprising:"
LIMBS = ("- a door; and", "- a grate.")
DE, EN = 'lang="DE"', 'lang="EN"'


def read(xml: str) -> ClaimSet:
    return read_file(xml.encode(), name="claims.xml")


def texts(*lines: str, attributes: str = "") -> str:
    return "".join(f"<claim-text {attributes}>{line}</claim-text>" for line in lines)


def element(*lines: str, attributes: str = "") -> str:
    return f"<claim {attributes}>{texts(*lines)}</claim>"


def claim_set(*parts: str, attributes: str = "") -> str:
    return f"<claims {attributes}>{''.join(parts)}</claims>"


FLAT = (f"1. {STOVE}", f"2. {DAMPER}", f"3. {DOOR}", *LIMBS)
NESTED = (f"1. {STOVE}", f"2. {DAMPER}", f"3. {DOOR}{texts(*LIMBS)}")
TOGETHER = {
    "each claim a text": element(*FLAT),
    "limbs nested": element(*NESTED),
    "a number in the mark-up": element(*FLAT, attributes='num="0001" id="c1"'),
    "the first number missing": element(STOVE, *FLAT[1:]),
    "a heading": element("What is claimed is:", *FLAT),
    "running on": element(f"1. {STOVE} 2. {DAMPER} 3. {DOOR}{texts(*LIMBS)}"),
    "no claim element": texts(*FLAT),
    "two in the first element": element(*FLAT[:2], attributes='num="1"')
    + element(NESTED[2], attributes='num="3"'),
}


@pytest.mark.parametrize("inner", TOGETHER.values(), ids=TOGETHER)
def test_claims_that_share_an_element_are_claims_of_their_own(inner: str) -> None:
    claims = read(claim_set(inner, attributes=EN))
    assert [(each.number, each.text, each.parents) for each in claims] == [
        (1, STOVE, ()),
        (2, DAMPER, (1,)),
        (3, "\n".join((DOOR, *LIMBS)), (2,)),
    ]
    assert claims.notes == ()


def test_unnumbered_texts_in_one_element_are_claims_with_a_note() -> None:
    claims = read(claim_set(element(STOVE, DAMPER)))
    assert [(each.number, each.text) for each in claims] == [(1, STOVE), (2, DAMPER)]
    assert [note.code for note in claims.notes] == ["unnumbered"]


@pytest.mark.parametrize("attributes", ["", 'num="00001"'])
def test_numbered_steps_are_no_claims(attributes: str) -> None:
    steps = ("1. heating a pan;", "2. cooling the pan.")
    claims = read(claim_set(element(f"1. A method comprising:{texts(*steps)}", attributes=attributes)))
    assert [each.text for each in claims] == ["\n".join(("A method comprising:", *steps))]


GERMAN, ENGLISH = ("Ofen.", "Ofen nach Anspruch 1."), (STOVE, DAMPER)


def numbered(lines: tuple[str, str], attributes: str = "") -> str:
    pairs = enumerate(lines, start=1)
    return "".join(element(line, attributes=f'num="{at}" {attributes}') for at, line in pairs)


def in_both(number: int) -> str:
    german, english = GERMAN[number - 1], ENGLISH[number - 1]
    inner = texts(german, attributes='xml:lang="de"') + texts(english, attributes='xml:lang="en-US"')
    return f'<claim num="{number}">{inner}</claim>'


LANGUAGES = {
    "of the set": claim_set(numbered(GERMAN), attributes=DE) + claim_set(numbered(ENGLISH), attributes=EN),
    "of what is around the set": f"<text {DE}>{claim_set(numbered(GERMAN))}</text>"
    f"<text {EN}>{claim_set(numbered(ENGLISH))}</text>",
    "of the claim": claim_set(numbered(GERMAN, DE), numbered(ENGLISH, EN)),
    "of the text": claim_set(in_both(1), in_both(2)),
    "of all in one element": claim_set(element("1. Ofen."), attributes=DE)
    + claim_set(element(*FLAT[:2]), attributes=EN),
}


@pytest.mark.parametrize("inner", LANGUAGES.values(), ids=LANGUAGES)
def test_of_several_languages_english_is_read_with_a_note(inner: str) -> None:
    claims = read(f"<a>{inner}</a>")
    assert [(each.number, each.text) for each in claims] == [(1, STOVE), (2, DAMPER)]
    assert [note.code for note in claims.notes] == ["other_languages"]


@pytest.mark.parametrize("marked", [(1, 2, 3), (10, 20, 30), (1, 1, 1)])
def test_printed_numbers_are_kept_if_claims_cite_them_and_the_mark_up_has_others(
    marked: tuple[int, ...],
) -> None:
    # Given claims 1, 3 and 4, of which the last cites claim 3, with other numbers in the mark-up
    printed = (f"1. {STOVE}", f"3. {DAMPER}", "4. The stove according to claim 3, having a door.")
    pairs = zip(marked, printed, strict=True)
    # When they are read
    claims = read(claim_set(*(element(line, attributes=f'num="{number}"') for number, line in pairs)))
    # Then they are claims 1, 3 and 4, with a note
    assert [(each.number, each.parents) for each in claims] == [(1, ()), (3, (1,)), (4, (3,))]
    assert [note.code for note in claims.notes] == ["numbers_differ"]


def test_words_that_touch_a_reference_are_kept_apart_and_others_are_not() -> None:
    line = "A lamp of<claim-ref>claim 1</claim-ref>or<claim-ref>2</claim-ref>, H<sub>2</sub>O, <i>un</i>lit."
    assert read(claim_set(element(line)))[1].text == "A lamp of claim 1 or 2, H2O, unlit."


RICH = claim_set(
    element(
        "A lamp of CO<sub>2</sub>, H<sub>2</sub>O and 10<sup>4</sup> Pa at 5 m<sup>2</sup>/s of <b>glass</b>"
        " (<i>pane</i>), C<sub>1</sub>-C<sub>6</sub> alkyl, Al<sub>2</sub>O<sub>3</sub> and SO<sub>4</sub>"
        "<sup>2-</sup> as in <claim-ref>claim 1</claim-ref>, <claim-ref>claims 2</claim-ref> to"
        " <claim-ref>3</claim-ref>; x<sub>1</sub> and <maths><math><mi>k</mi><mo>=</mo><mfrac><mn>1</mn>"
        "<mn>2</mn></mfrac></math></maths>, with <img/>."
    )
)
COMPACT = {
    "grant": GRANT,
    "patdoc": PATDOC.replace("&rsquo;", "’"),
    "publication": PUBLICATION,
    "st36": ST36,
    "rich": RICH,
}


def by_minidom(xml: str) -> str:
    return minidom.parseString(xml).toprettyxml(indent="  ")  # noqa: S318


def by_element_tree(xml: str) -> str:
    root = ET.fromstring(xml)  # noqa: S314
    ET.indent(root)
    return ET.tostring(root, encoding="unicode")


def every_node_on_its_line(xml: str) -> str:
    return re.sub(r"\s*(<[^>]*>)\s*", r"\n  \1\n  ", xml)


def short_elements_on_one_line(xml: str) -> str:
    return re.sub(r"(<(\w+)[^>]*>)\s*([^<>]*?)\s*(</\2>)", r"\1\3\4", every_node_on_its_line(xml))


@pytest.mark.parametrize("name", COMPACT)
@pytest.mark.parametrize(
    "indented", [by_minidom, by_element_tree, every_node_on_its_line, short_elements_on_one_line]
)
def test_indented_xml_reads_as_its_compact_form(name: str, indented: Callable[[str], str]) -> None:
    # Given a document whose words touch its inline elements in every way, and a tool that indents it
    xml = re.sub(r"<!DOCTYPE.*?\]\s*>|<\?xml[^>]*>", "", COMPACT[name], flags=re.DOTALL)
    # When both are read, then they say the same
    assert words(indented(xml)) == words(xml)


def words(xml: str) -> list[tuple[int, list[str], tuple[int, ...]]]:
    return [(each.number, each.text.split(), each.parents) for each in read(xml.strip())]
