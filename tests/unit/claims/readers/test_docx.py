"""Word documents: the numbers that Word shows, what it deleted or hid, and boxes and tables."""

import base64
import random

import pytest

from ace.claims.model import ClaimSet, Status
from ace.claims.readers import read_file
from ace.claims.readers.numbering import formatted
from ace.errors import Refused
from tests.unit.claims.readers.word import (
    AGAIN,
    BULLETS,
    OTHER,
    W,
    document,
    insert,
    listed,
    package,
    saved,
)


def pairs(claims: ClaimSet) -> list[tuple[int, str]]:
    return [(claim.number, claim.text) for claim in claims]


def test_automatic_numbers_are_claims_and_deeper_levels_their_limbs() -> None:
    # Given claims that Word numbers, with limbs on two levels
    made = document()
    made.add_paragraph("What is claimed is:")
    listed(made, "A lamp comprising:")
    listed(made, "a base; and", level=1)
    listed(made, "a bulb having", level=1)
    listed(made, "a filament.", level=2)
    listed(made, "The lamp of claim 1, comprising:")
    listed(made, "a shade.", level=1)
    # When it is read
    claims = read_file(saved(made))
    # Then limbs restart under each claim and belong to it
    assert pairs(claims) == [
        (1, "A lamp comprising:\n(a) a base; and\n(b) a bulb having\n(i) a filament."),
        (2, "The lamp of claim 1, comprising:\n(a) a shade."),
    ]
    assert claims[2].parents == (1,)
    assert claims.notes == ()


@pytest.mark.parametrize("title", ["CLAIM SET", "Claims (2)", "Smith & Partners"])
@pytest.mark.parametrize("typed", [False, True])
def test_a_title_before_the_claims_hides_none(title: str, typed: bool) -> None:
    made = document()
    made.add_paragraph(title)
    for number, text in enumerate(("A lamp.", "The lamp of claim 1, being red."), start=1):
        if typed:
            made.add_paragraph(f"{number}. {text}")
        else:
            listed(made, text)
    claims = read_file(saved(made))
    assert pairs(claims) == [(1, "A lamp."), (2, "The lamp of claim 1, being red.")]
    for note in claims.notes:
        assert (note.code, (claims.source or "")[note.start : note.end].strip()) == (
            "text_before_claims",
            title,
        )


def test_the_part_with_the_lists_is_where_the_relations_say() -> None:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering"
    relations = f'<Relationships><Relationship Type="{kind}" Target="lists.xml"/></Relationships>'
    level = '<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    lists = (
        f'<w:numbering {W}><w:abstractNum w:abstractNumId="1">{level}</w:abstractNum>'
        '<w:num w:numId="5"><w:abstractNumId w:val="1"/></w:num></w:numbering>'
    )
    mark = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="5"/></w:numPr></w:pPr>'
    body = "".join(f"<w:p>{mark}<w:r><w:t>A lamp.</w:t></w:r></w:p>" for _ in range(2))
    made = package(body, parts={"word/_rels/document.xml.rels": relations, "word/lists.xml": lists})
    assert pairs(read_file(made)) == [(1, "A lamp."), (2, "A lamp.")]


def test_a_list_begun_again_counts_from_where_it_says() -> None:
    made = document()
    listed(made, "A lamp.")
    listed(made, "The lamp of claim 1.", AGAIN)
    listed(made, "The lamp of claim 5.", AGAIN)
    assert [claim.number for claim in read_file(saved(made))] == [1, 5, 6]


def test_another_list_inside_a_claim_does_not_number_claims() -> None:
    made = document()
    listed(made, "A method comprising:")
    listed(made, "heating water;", OTHER)
    listed(made, "pouring it; and", OTHER)
    listed(made, "serving it.", BULLETS)
    listed(made, "The method of claim 1.")
    assert pairs(read_file(saved(made))) == [
        (1, "A method comprising:\n1. heating water;\n2. pouring it; and\nserving it."),
        (2, "The method of claim 1."),
    ]


def test_lists_in_claims_with_typed_numbers_are_parts_of_them() -> None:
    made = document()
    made.add_paragraph("1. A method comprising:")
    listed(made, "Heating water; and", OTHER)
    listed(made, "Pouring it.", OTHER)
    made.add_paragraph("2. The method of claim 1.")
    assert pairs(read_file(saved(made))) == [
        (1, "A method comprising:\n1. Heating water; and\n2. Pouring it."),
        (2, "The method of claim 1."),
    ]


def test_a_list_that_word_broke_in_two_goes_on_in_the_other() -> None:
    made = document()
    for text in ("A lamp.", "A base.", "A cap.", "The lamp of claim 1."):
        listed(made, text, OTHER)
    for text in ("A hat.", "The hat of claim 5."):
        listed(made, text, AGAIN)
    assert [claim.number for claim in read_file(saved(made))] == [1, 2, 3, 4, 5, 6]


def test_an_empty_paragraph_of_the_list_counts_but_is_no_claim() -> None:
    made = document()
    for text in ("A lamp.", "", "The lamp of claim 1."):
        listed(made, text)
    assert pairs(read_file(saved(made))) == [(1, "A lamp."), (3, "The lamp of claim 1.")]


def test_headings_that_are_numbered_alike_are_no_claims_before_the_claims_begin() -> None:
    made = document()
    listed(made, "Field of the invention", OTHER)
    listed(made, "Background", OTHER)
    made.add_paragraph("What is claimed is:")
    listed(made, "A lamp.")
    listed(made, "The lamp of claim 1.")
    made.add_paragraph("ABSTRACT")
    made.add_paragraph("A lamp is disclosed.")
    claims = read_file(saved(made))
    assert pairs(claims) == [(1, "A lamp."), (2, "The lamp of claim 1.")]
    assert [note.code for note in claims.notes] == ["text_before_claims", "text_after_claims"]


def test_typed_numbers_and_identifiers_are_read_as_in_plain_text() -> None:
    made = document()
    for line in (
        "Listing of Claims:",
        "1. (Original) A lamp.",
        "2-3. (Canceled)",
        "4. (Currently amended) The lamp of claim 1, having [[a]] one base.",
    ):
        made.add_paragraph(line)
    claims = read_file(saved(made))
    assert pairs(claims) == [(1, "A lamp."), (2, ""), (3, ""), (4, "The lamp of claim 1, having one base.")]
    assert claims[4].status is Status.CURRENTLY_AMENDED


def test_struck_hidden_and_deleted_text_is_left_out_and_insertions_stay() -> None:
    made = document()
    paragraph = listed(made, "A lamp having ")
    for words, attribute in (("two ", "strike"), ("odd ", "double_strike"), ("secret ", "hidden")):
        setattr(paragraph.add_run(words).font, attribute, True)
    paragraph.add_run("three ").underline = True
    insert(paragraph, "<w:del><w:r><w:delText>old </w:delText></w:r></w:del>")
    insert(paragraph, "<w:moveFrom><w:r><w:t>moved </w:t></w:r></w:moveFrom>")
    insert(paragraph, '<w:ins><w:r><w:t xml:space="preserve">new </w:t></w:r></w:ins>')
    paragraph.add_run("bulbs.")
    assert read_file(saved(made))[1].text == "A lamp having three new bulbs."


def test_properties_as_they_were_before_a_tracked_change_do_not_count() -> None:
    number = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr>'
    paragraph = f"<w:pPr><w:pPrChange><w:pPr>{number}</w:pPr></w:pPrChange></w:pPr>"
    change = "<w:rPrChange><w:rPr><w:strike/></w:rPr></w:rPrChange>"
    run = f"<w:r><w:rPr><w:u/>{change}</w:rPr><w:t>1. A lamp.</w:t></w:r>"
    data = package(f"<w:p>{paragraph}{run}</w:p>", parts={"word/numbering.xml": NUMBERING})
    assert pairs(read_file(data)) == [(1, "A lamp.")]


def test_a_strike_that_is_switched_off_strikes_nothing() -> None:
    run = '<w:r><w:rPr><w:strike w:val="0"/></w:rPr><w:t>1. A lamp.</w:t></w:r>'
    assert read_file(package(f"<w:p>{run}</w:p>"))[1].text == "A lamp."


def test_a_deleted_paragraph_mark_joins_the_lines() -> None:
    mark = "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
    body = f'<w:p>{mark}<w:r><w:t xml:space="preserve">1. A lamp </w:t></w:r></w:p>'
    body += "<w:p><w:r><w:t>having a base.</w:t></w:r></w:p>"
    assert pairs(read_file(package(body))) == [(1, "A lamp having a base.")]


def test_tabs_breaks_hyphens_and_symbols() -> None:
    runs = (
        "<w:t>1.</w:t><w:tab/><w:t>A lamp</w:t><w:br/><w:t>for 40</w:t><w:sym w:font='Symbol' w:char='F0B0'/>"
        "<w:t>C with an anti</w:t><w:noBreakHyphen/><w:t>glare hood</w:t><w:softHyphen/><w:t>.</w:t>"
    )
    assert (
        read_file(package(f"<w:p><w:r>{runs}</w:r></w:p>"))[1].text
        == "A lamp\nfor 40°C with an anti-glare hood."
    )


def test_unknown_symbols_are_noted() -> None:
    run = "<w:t>1. A lamp of </w:t><w:sym w:font='Webdings' w:char='F04A'/><w:t>.</w:t>"
    claims = read_file(package(f"<w:p><w:r>{run}</w:r></w:p>"))
    assert claims[1].text == "A lamp of \ufffd."
    assert [note.code for note in claims.notes] == ["unknown_character"]


def test_text_boxes_come_once_after_their_paragraph() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>2. The lamp of claim 1.</w:t></w:r></w:p></w:txbxContent>"
    space = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    body = (
        f"<w:p><w:r><w:t>1. A lamp.</w:t></w:r><w:r><mc:AlternateContent {space}><mc:Choice>{box}</mc:Choice>"
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert pairs(read_file(package(body))) == [(1, "A lamp."), (2, "The lamp of claim 1.")]


def test_tables_are_read_cell_by_cell() -> None:
    made = document()
    listed(made, "An alloy of:")
    table = made.add_table(2, 2)
    for cell, words in zip((cell for row in table.rows for cell in row.cells), "abcd", strict=True):
        cell.text = words
    listed(made, "The alloy of claim 1.")
    assert pairs(read_file(saved(made))) == [(1, "An alloy of:\na\nb\nc\nd"), (2, "The alloy of claim 1.")]


def test_headers_footers_and_comments_are_not_read() -> None:
    made = document()
    made.sections[0].header.paragraphs[0].text = "9. A header."
    made.sections[0].footer.paragraphs[0].text = "Page 3"
    listed(made, "A lamp.")
    assert pairs(read_file(saved(made))) == [(1, "A lamp.")]


def test_formulas_give_their_text() -> None:
    space = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    math = f"<m:oMath {space}><m:r><m:t>x=y</m:t></m:r></m:oMath>"
    assert read_file(package(f"<w:p><w:r><w:t>1. A lamp where </w:t></w:r>{math}</w:p>"))[1].text.endswith(
        "x=y"
    )


STYLES = """<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:style w:styleId="Claim"><w:pPr><w:numPr><w:numId w:val="7"/></w:numPr></w:pPr></w:style>
<w:style w:styleId="Limb"><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="7"/></w:numPr></w:pPr></w:style>
<w:style w:styleId="Tight"><w:basedOn w:val="Claim"/></w:style>
<w:style w:styleId="Ring"><w:basedOn w:val="Gnir"/></w:style>
<w:style w:styleId="Gnir"><w:basedOn w:val="Ring"/></w:style>
</w:styles>"""
NUMBERING = """<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:abstractNum w:abstractNumId="3">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="Claim %1:"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Limb"/>
<w:lvlText w:val="%1.%2)"/></w:lvl>
</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>"""


def styled(style: str, text: str, more: str = "") -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{more}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'


def test_styles_carry_numbers_themselves_or_from_the_style_that_they_are_based_on() -> None:
    body = (
        styled("Claim", "A lamp comprising")
        + styled("Limb", "a base.")
        + styled("Tight", "The lamp of claim 1.")
    )
    body += styled("Ring", "It is old.") + styled(
        "Claim", "No number.", '<w:numPr><w:numId w:val="0"/></w:numPr>'
    )
    data = package(body, parts={"word/styles.xml": STYLES, "word/numbering.xml": NUMBERING})
    assert pairs(read_file(data)) == [
        (1, "A lamp comprising\n1.1) a base."),
        (2, "The lamp of claim 1.\nIt is old.\nNo number."),
    ]


@pytest.mark.parametrize(
    ("value", "how", "shown"),
    [
        (3, "decimal", "3"),
        (3, "decimalZero", "03"),
        (2, "lowerLetter", "b"),
        (28, "upperLetter", "BB"),
        (4, "lowerRoman", "iv"),
        (1994, "upperRoman", "MCMXCIV"),
        (0, "lowerLetter", "0"),
        (5, "chicago", "5"),
    ],
)
def test_formats_of_numbers(value: int, how: str, shown: str) -> None:
    assert formatted(value, how) == shown


def test_pieces_point_into_the_text_that_was_extracted() -> None:
    made = document()
    listed(made, "A lamp comprising:")
    listed(made, "a base.", level=1)
    claims = read_file(saved(made))
    assert claims.source is not None
    for start, source, length in claims[1].pieces:
        assert claims.source[source : source + length] == claims[1].text[start : start + length]


def multilevel(*levels: tuple[int, str], more: str = "") -> dict[str, str]:
    """numbering.xml with a list, 7, of these levels: (level, its elements)."""
    inner = "".join(f'<w:lvl w:ilvl="{at}">{words}</w:lvl>' for at, words in levels)
    definition = f'<w:abstractNum w:abstractNumId="3">{inner}</w:abstractNum>'
    lists = '<w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num>'
    return {"word/numbering.xml": f"<w:numbering {W}>{definition}{lists}{more}</w:numbering>"}


def numbered(text: str, level: int = 0, number: int = 7) -> str:
    mark = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return f"<w:p><w:pPr>{mark}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


DECIMAL = '<w:start w:val="1"/><w:numFmt w:val="decimal"/>'
CUSTOM = (
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice'
    ' Requires="w14"><w:numFmt w:val="custom" w:format="01, 02"/></mc:Choice><mc:Fallback><w:numFmt'
    ' w:val="decimalZero"/></mc:Fallback></mc:AlternateContent>'
)


@pytest.mark.parametrize(
    ("levels", "level"),
    [
        ([(0, '<w:start w:val="1"/><w:numFmt/><w:lvlText w:val="%1."/>')], 0),
        ([(0, '<w:start w:val="1"/><w:lvlText w:val="%1."/>')], 0),
        ([(0, '<w:numFmt w:val="decimalZero"/><w:lvlText w:val="%1."/>')], 0),
        ([(0, f'{CUSTOM}<w:lvlText w:val="%1."/>')], 0),
        ([(0, f'{DECIMAL}<w:lvlText w:val="Claim %1."/>')], 0),
        ([(0, f'{DECIMAL}<w:lvlText w:val="Claim No. %1:"/>')], 0),
        ([(0, f'{DECIMAL}<w:lvlText w:val="[Claim %1]"/>')], 0),
        ([(0, f'{DECIMAL}<w:lvlText w:val="%1"/>')], 0),
        ([(0, '<w:numFmt w:val="none"/>'), (1, f'{DECIMAL}<w:lvlText w:val="%2."/>')], 1),
        ([(0, f'{DECIMAL}<w:lvlText w:val="%1."/>'), (1, f'{DECIMAL}<w:lvlText w:val="Claim %2."/>')], 1),
        ([(2, f'{DECIMAL}<w:lvlText w:val="%3)"/>')], 2),
    ],
)
def test_claims_are_numbered_at_any_level_and_in_any_form(levels: list[tuple[int, str]], level: int) -> None:
    # Given claims that Word numbers at one level of a list
    lines = ("A lamp.", "The lamp of claim 1, being red.", "The lamp of claim 2.")
    body = "".join(numbered(line, level) for line in lines)
    # When the document is read
    claims = read_file(package(body, parts=multilevel(*levels)))
    # Then each has the number that Word shows
    assert pairs(claims) == list(enumerate(lines, 1))
    assert claims.notes == ()


def test_limbs_that_are_numbered_like_claims_are_none() -> None:
    levels = [(at, f'{DECIMAL}<w:lvlText w:val="%{at + 1}."/>') for at in range(2)]
    body = numbered("A lamp of:") + numbered("A base; and", 1) + numbered("A bulb.", 1) + numbered("A lid.")
    assert pairs(read_file(package(body, parts=multilevel(*levels)))) == [
        (1, "A lamp of:\n1. A base; and\n2. A bulb."),
        (2, "A lid."),
    ]


def test_steps_at_a_deeper_level_of_a_claim_without_a_number_are_none() -> None:
    body = "<w:p><w:r><w:t>A method comprising:</w:t></w:r></w:p>"
    body += numbered("heating water; and", 1) + numbered("pouring it.", 1)
    data = package(body, parts=multilevel((1, f'{DECIMAL}<w:lvlText w:val="%2."/>')))
    assert pairs(read_file(data, partial=True)) == [
        (1, "A method comprising:\n1. heating water; and\n2. pouring it.")
    ]


@pytest.mark.parametrize(("restart", "last"), [("", 1), ('<w:lvlRestart w:val="0"/>', 3)])
def test_a_level_that_no_other_restarts_counts_on(restart: str, last: int) -> None:
    levels = [
        (0, '<w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/>'),
        (1, f'{DECIMAL}{restart}<w:lvlText w:val="%2."/>'),
    ]
    lines = [
        numbered("A lamp.", 1),
        numbered("The lamp of claim 1.", 1),
        numbered("Group"),
        numbered("A lid.", 1),
    ]
    claims = read_file(package("".join(lines), parts=multilevel(*levels)), partial=True)
    assert claims.source is not None
    assert f"{last}. A lid." in claims.source


@pytest.mark.parametrize(
    "override",
    [
        '<w:startOverride w:val="5"/>',
        '<w:lvl w:ilvl="0"><w:start w:val="5"/><w:numFmt/><w:lvlText w:val="%1."/></w:lvl>',
        f'<w:startOverride w:val="5"/><w:lvl w:ilvl="0">{DECIMAL}<w:lvlText w:val="%1."/></w:lvl>',
    ],
)
def test_a_list_that_overrides_its_definition_starts_where_it_says(override: str) -> None:
    inner = f'<w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="0">{override}</w:lvlOverride>'
    other = f'<w:num w:numId="8">{inner}</w:num>'
    parts = multilevel((0, f'{DECIMAL}<w:lvlText w:val="%1."/>'), more=other)
    body = numbered("A lamp.", number=8) + numbered("The lamp of claim 5.", number=8)
    assert [claim.number for claim in read_file(package(body, parts=parts))] == [5, 6]


def test_the_default_style_numbers_paragraphs_that_name_none() -> None:
    number = '<w:pPr><w:numPr><w:numId w:val="7"/></w:numPr></w:pPr>'
    style = f'<w:style w:type="paragraph" w:default="1" w:styleId="Normal">{number}</w:style>'
    parts = {
        **multilevel((0, f'{DECIMAL}<w:lvlText w:val="%1."/>')),
        "word/styles.xml": f"<w:styles {W}>{style}</w:styles>",
    }
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in ("A lamp.", "The lamp of claim 1."))
    assert pairs(read_file(package(body, parts=parts))) == [(1, "A lamp."), (2, "The lamp of claim 1.")]


R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("element", ["altChunk", "subDoc"])
def test_a_document_inside_the_document_is_refused_by_name(element: str, partial: bool) -> None:
    body = f'<w:p><w:r><w:t>1. A lamp.</w:t></w:r></w:p><w:{element} {R} r:id="r1"/>'
    with pytest.raises(Refused) as caught:
        read_file(package(body), partial=partial)
    assert caught.value.code == "embedded_document"
    assert element in caught.value.message


@pytest.mark.parametrize("note", ["footnoteReference", "endnoteReference"])
def test_a_claim_with_a_footnote_is_noted(note: str) -> None:
    body = (
        "<w:p><w:r><w:t>1. A lamp.</w:t></w:r></w:p>"
        f'<w:p><w:r><w:t>2. A lid</w:t></w:r><w:r><w:{note} w:id="2"/></w:r>'
        "<w:r><w:t> of tin.</w:t></w:r></w:p>"
    )
    claims = read_file(package(body))
    assert pairs(claims) == [(1, "A lamp."), (2, "A lid of tin.")]
    assert [(note.code, note.claim) for note in claims.notes] == [("footnote", 2)]


def test_content_controls_smart_tags_and_moved_text_are_read() -> None:
    parts = (
        '<w:p><w:r><w:t xml:space="preserve">1. </w:t></w:r>'
        "<w:sdt><w:sdtPr><w:rPr><w:vanish/></w:rPr></w:sdtPr>"
        '<w:sdtContent><w:r><w:t xml:space="preserve">A lamp </w:t></w:r></w:sdtContent></w:sdt>'
        '<w:smartTag><w:customXml><w:r><w:t xml:space="preserve">with a </w:t></w:r>'
        "</w:customXml></w:smartTag>"
        "<w:moveFrom><w:r><w:t>old</w:t></w:r></w:moveFrom>"
        "<w:moveTo><w:r><w:t>lid.</w:t></w:r></w:moveTo></w:p>"
    )
    body = f"<w:sdt><w:sdtContent><w:customXml>{parts}</w:customXml></w:sdtContent></w:sdt>"
    assert pairs(read_file(package(body))) == [(1, "A lamp with a lid.")]


def test_a_content_control_that_nobody_filled_is_noted() -> None:
    control = (
        "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent><w:r><w:t>Enter text.</w:t></w:r>"
        "</w:sdtContent></w:sdt>"
    )
    body = (
        f'<w:p><w:r><w:t xml:space="preserve">1. A lamp of </w:t></w:r>{control}<w:r><w:t>.</w:t></w:r></w:p>'
    )
    claims = read_file(package(body))
    assert pairs(claims) == [(1, "A lamp of \ufffd.")]
    assert [(note.code, note.claim) for note in claims.notes] == [("unknown_character", 1)]


@pytest.mark.slow
def test_drawings_of_any_length_are_no_text() -> None:
    # Given a drawing whose data is one long attribute, and as many elements as a large document has
    data = base64.b64encode(random.Random(7).randbytes(2_400_000)).decode()
    drawing = f'<v:group xmlns:v="urn:schemas-microsoft-com:vml" data="{data}"/>'
    cells = "<w:tc><w:tcPr><w:tcW/></w:tcPr><w:p/></w:tc>" * 130_000
    body = (
        f"<w:p><w:r><w:t>1. A lamp.</w:t><w:pict>{drawing}</w:pict></w:r></w:p>"
        f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
    )
    # When it is read, then the claim is all that it says
    assert pairs(read_file(package(body))) == [(1, "A lamp.")]
