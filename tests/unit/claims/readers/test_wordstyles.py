"""Text that styles strike or hide: what applies after all styles (ECMA-376 Part 1, 17.7.3)."""

import pytest

from ace.claims.readers import read_file
from tests.unit.claims.readers.word import W, package

SHEET = f"""<w:styles {W}>
<w:docDefaults><w:rPrDefault><w:rPr>{{defaults}}</w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:styleId="Plain"/>
<w:style w:type="paragraph" w:styleId="Gone"><w:rPr><w:strike/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Struck"><w:rPr><w:strike/><w:u w:val="single"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Twice"><w:rPr><w:dstrike w:val="1"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Web"><w:rPr><w:webHidden/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Special"><w:rPr><w:specVanish w:val="true"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Hidden"><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Child"><w:basedOn w:val="Struck"/></w:style>
<w:style w:type="character" w:styleId="Grandchild"><w:basedOn w:val="Child"/></w:style>
<w:style w:type="character" w:styleId="Rebel"><w:basedOn w:val="Struck"/>
<w:rPr><w:strike w:val="0"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Ring"><w:basedOn w:val="Gnir"/></w:style>
<w:style w:type="character" w:styleId="Gnir"><w:basedOn w:val="Ring"/></w:style>
<w:style w:type="table" w:styleId="Void"><w:rPr><w:strike/></w:rPr></w:style>
</w:styles>"""


def read(body: str, defaults: str = "") -> str:
    sheet = SHEET.format(defaults=defaults)
    return read_file(package(body, parts={"word/styles.xml": sheet}))[1].text


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def style(name: str) -> str:
    return f'<w:rStyle w:val="{name}"/>'


def paragraph(inner: str, style_name: str = "Plain", mark: str = "") -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style_name}"/><w:rPr>{mark}</w:rPr></w:pPr>{inner}</w:p>'


@pytest.mark.parametrize(
    ("properties", "of_paragraph", "defaults", "seen"),
    [
        (style("Struck"), "Plain", "", False),
        (style("Twice"), "Plain", "", False),
        (style("Web"), "Plain", "", False),
        (style("Special"), "Plain", "", False),
        (style("Hidden"), "Plain", "", False),
        (style("Child"), "Plain", "", False),
        (style("Grandchild"), "Plain", "", False),
        (style("Rebel"), "Plain", "", True),
        (style("Ring"), "Plain", "", True),
        (style("Nobody"), "Plain", "", True),
        ("", "Gone", "", False),
        ("", "Secret", "", False),
        # Two styles that both apply cancel each other out; properties that are no toggles do not.
        (style("Struck"), "Gone", "", True),
        (style("Hidden"), "Gone", "", False),
        (style("Rebel"), "Gone", "", False),
        # What the text says itself counts, whatever its styles say.
        (style("Struck") + '<w:strike w:val="0"/>', "Plain", "", True),
        (style("Struck") + '<w:strike w:val="false"/>', "Gone", "", True),
        (style("Struck") + "<w:strike/>", "Gone", "", False),
        ('<w:vanish w:val="off"/>', "Secret", "", True),
        # The defaults of the document are no style that another one cancels out.
        ("", "Plain", "<w:strike/>", False),
        (style("Struck"), "Plain", "<w:strike/>", False),
        ('<w:strike w:val="0"/>', "Plain", "<w:strike/>", True),
        (style("Twice"), "Plain", "<w:dstrike/>", False),
    ],
)
def test_text_is_left_out_if_its_styles_strike_or_hide_it(
    properties: str, of_paragraph: str, defaults: str, seen: bool
) -> None:
    # Given a run whose properties, style, paragraph or document may strike or hide it
    shown = '<w:strike w:val="0"/><w:dstrike w:val="0"/><w:vanish w:val="0"/>'
    body = paragraph(
        run("1. A lamp having ", shown) + run("old ", properties) + run("bulbs.", shown), of_paragraph
    )
    # When the document is read
    text = read(body, defaults)
    # Then the claim has its words only if Word shows them
    assert text == ("A lamp having old bulbs." if seen else "A lamp having bulbs.")


def test_a_table_style_strikes_the_text_of_its_cells() -> None:
    cell = f"<w:tr><w:tc>{paragraph(run('old'))}</w:tc></w:tr>"
    table = f'<w:tbl><w:tblPr><w:tblStyle w:val="Void"/></w:tblPr>{cell}</w:tbl>'
    assert read(paragraph(run("1. A lamp of")) + table + paragraph(run("glass."))) == "A lamp of\nglass."


def test_runs_in_a_formula_or_box_leave_what_is_around_them_as_it_is() -> None:
    space = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    formula = (
        f"<m:oMath {space}><m:r><w:rPr><w:strike/></w:rPr><m:t>y</m:t></m:r><m:r><m:t>x</m:t></m:r></m:oMath>"
    )
    box = f"<w:txbxContent>{paragraph(run('of glass.'))}</w:txbxContent>"
    struck = f"<w:r><w:rPr><w:strike/></w:rPr><w:pict>{box}</w:pict><w:t>old</w:t></w:r>"
    assert read(paragraph(run("1. A lamp with ") + formula + struck)) == "A lamp with x\nof glass."


@pytest.mark.parametrize(
    "mark", ["<w:vanish/>", "<w:vanish/><w:specVanish/>", '<w:rStyle w:val="x"/><w:specVanish/>']
)
def test_a_hidden_paragraph_mark_joins_the_lines(mark: str) -> None:
    body = paragraph(run("1. A lamp "), mark=mark) + paragraph(run("having a base."))
    assert read(body) == "A lamp having a base."


def test_a_struck_paragraph_mark_joins_nothing() -> None:
    assert read(paragraph(run("1. A lamp"), mark="<w:strike/>") + paragraph(run("on."))) == "A lamp\non."


@pytest.mark.parametrize(
    ("run", "paragraph", "text"),
    [
        ('<w:rStyle w:val="Power"/>', "", "10^4"),
        ('<w:rStyle w:val="Own"/>', "", "10^4"),
        ("", "Raised", "10^4"),
        ('<w:rStyle w:val="Power"/><w:vertAlign w:val="baseline"/>', "", "104"),
        ('<w:rStyle w:val="Low"/>', "", "10_4"),
    ],
)
def test_a_style_may_raise_or_lower_text(run: str, paragraph: str, text: str) -> None:
    # Given a document whose styles set text above or below the line
    raised = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
    sheet = (
        f'<w:style w:type="character" w:styleId="Power">{raised}</w:style>'
        '<w:style w:type="character" w:styleId="Own"><w:basedOn w:val="Power"/></w:style>'
        f'<w:style w:type="character" w:styleId="Low">{raised.replace("super", "sub")}</w:style>'
        f'<w:style w:styleId="Raised">{raised}</w:style>'
    )
    level = '<w:rPr><w:vertAlign w:val="baseline"/></w:rPr>'
    body = (
        f'<w:p><w:pPr><w:pStyle w:val="{paragraph}"/></w:pPr><w:r>{level}<w:t>1. A film with 10</w:t></w:r>'
        f"<w:r><w:rPr>{run}</w:rPr><w:t>4</w:t></w:r><w:r>{level}<w:t> holes.</w:t></w:r></w:p>"
    )
    # When it is read, then the text says so
    parts = {"word/styles.xml": f"<w:styles {W}>{sheet}</w:styles>"}
    assert read_file(package(body, parts=parts))[1].text == f"A film with {text} holes."
