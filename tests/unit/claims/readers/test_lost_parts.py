"""Pictures and objects in claims: a placeholder, a note that names the claim, and no judgement of it."""

import pytest

from ace.claims.analysis import check_set
from ace.claims.model import ClaimSet
from ace.claims.readers import read_file, read_text
from ace.errors import Refused
from tests.unit.claims.readers.word import W, package

OFFICE = (
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
    ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)


def lost(claims: ClaimSet) -> list[int | None]:
    return [note.claim for note in claims.notes if note.code == "part_not_read"]


IN_XML = [
    ("[image]", '<img file="a.tif"/>'),
    ("[formula]", '<img file="a.tif" img-content="math"/>'),
    ("[chemical structure]", '<img file="a.tif" img-content="chem"/>'),
    ("[formula]", '<maths id="M1"><img file="a.tif"/></maths>'),
    ("[formula]", "<maths/>"),
    ("[formula]", '<MATH-US><EMI FILE="a.tif"/></MATH-US>'),
    ("[formula]", '<math-cwu id="M"><image file="a.tif"/></math-cwu>'),
    ("[chemical structure]", "<chemistry><img/></chemistry>"),
    ("[chemical structure]", '<CHEM-US ID="C"><EMI FILE="a.tif"/></CHEM-US>'),
    ("[table]", "<tables><img/></tables>"),
    ("[image]", '<CUSTOM-CHARACTER FILE="a.tif"/>'),
    ("[image]", "<c:Image xmlns:c='urn:c'><c:FileName>a.tif</c:FileName></c:Image>"),
]


@pytest.mark.parametrize(("placeholder", "inner"), IN_XML, ids=[inner for _, inner in IN_XML])
def test_a_picture_in_xml_leaves_a_placeholder_and_a_note(placeholder: str, inner: str) -> None:
    claims = read_file(
        f'<claims><claim num="1"><claim-text>A lamp having a bulb.</claim-text></claim><claim num="2">'
        f"<claim-text>The lamp of claim 1 of{inner}being round.</claim-text></claim></claims>".encode()
    )
    assert claims[2].text.split() == f"The lamp of claim 1 of {placeholder} being round.".split()
    assert lost(claims) == [2]
    note = claims.notes[-1]
    assert (claims.source or "")[note.start :].startswith(placeholder)


def test_a_formula_that_is_there_as_text_too_is_not_lost() -> None:
    both = "<maths><img/><math><mi>x</mi></math></maths>"
    claims = read_file(
        f'<claims><claim num="1"><claim-text>A sum {both}.</claim-text></claim></claims>'.encode()
    )
    assert (claims[1].text, claims.notes) == ("A sum x.", ())


def test_a_note_counts_the_parts_of_its_claim() -> None:
    claims = read_file(
        b"<a><claims><p>1. A lamp of <img/> and <img/>.</p><p>2. The lamp of claim 1.</p></claims></a>"
    )
    assert lost(claims) == [1]
    assert "2 parts" in claims.notes[-1].message


@pytest.mark.parametrize("inner", ["<claim num='1'><img/></claim>", "<claim-text><img/></claim-text>"])
def test_claims_that_are_only_pictures_are_refused(inner: str) -> None:
    with pytest.raises(Refused):
        read_file(f"<a><claims>{inner}</claims></a>".encode())


PICTURE = (
    '<w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="{}"/><a:graphic><a:graphicData><a:blip/>'
    "</a:graphicData></a:graphic></wp:inline></w:drawing>"
)
MARK = '<w:fldChar w:fldCharType="{}"/>'
IN_WORD = [
    ("[formula]", '<w:object><v:shape/><o:OLEObject ProgID="Equation.DSMT4"/></w:object>'),
    ("[chemical structure]", '<w:object><v:shape/><o:OLEObject ProgID="ChemDraw.Document.6.0"/></w:object>'),
    ("[table]", '<w:object><o:OLEObject ProgID="Excel.Sheet.12"/></w:object>'),
    ("[image]", "<w:object><v:shape/></w:object>"),
    ("[image]", "<w:pict><v:shape><v:imagedata/></v:shape></w:pict>"),
    ("[image]", PICTURE.format("")),
    ("[formula]", PICTURE.format("formula")),
    (
        "[formula]",
        '<w:drawing><wp:inline><wp:docPr id="1" name="P" descr="equation"/></wp:inline></w:drawing>',
    ),
    ("[formula]", f"{MARK.format('begin')}<w:instrText> EQ \\r(3,x) </w:instrText>{MARK.format('end')}"),
]


def from_word(inner: str) -> ClaimSet:
    def run(text: str) -> str:
        return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'

    second = f"{run('2. The lamp of claim 1 of ')}<w:r>{inner}</w:r>{run('.')}"
    return read_file(package(f"<w:p {W}>{run('1. A lamp.')}</w:p><w:p {W} {OFFICE}>{second}</w:p>"))


@pytest.mark.parametrize(("placeholder", "inner"), IN_WORD, ids=[inner for _, inner in IN_WORD])
def test_an_object_or_picture_in_word_leaves_a_placeholder_and_a_note(placeholder: str, inner: str) -> None:
    claims = from_word(inner)
    assert claims[2].text == f"The lamp of claim 1 of {placeholder}."
    assert lost(claims) == [2]


SHAPE = "<w:drawing><a:graphic><a:graphicData><wps:wsp>{}</wps:wsp></a:graphicData></a:graphic></w:drawing>"
BOX = "<w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent>"


@pytest.mark.parametrize(
    ("inner", "boxed"),
    [
        ("<w:pict><v:shape/></w:pict>", ""),
        (f"<w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict>", "\nin a box"),
        (SHAPE.format(BOX), "\nin a box"),
    ],
)
def test_shapes_and_text_boxes_lose_nothing(inner: str, boxed: str) -> None:
    claims = from_word(inner)
    assert (claims[2].text, lost(claims)) == (f"The lamp of claim 1 of .{boxed}", [])


def test_a_fraction_that_word_draws_with_a_field_is_written() -> None:
    field = '<w:fldSimple w:instr=" EQ \\f(1,2) "/>'
    claims = from_word(f"</w:r>{field}<w:r>")
    assert (claims[2].text, claims.notes) == ("The lamp of claim 1 of 1/2.", ())


def test_a_picture_before_the_claims_belongs_to_none() -> None:
    picture = PICTURE.format("our logo")
    body = f"<w:p {W} {OFFICE}><w:r>{picture}</w:r></w:p><w:p {W}><w:r><w:t>1. A lamp.</w:t></w:r></w:p>"
    claims = read_file(package(body))
    assert [each.text for each in claims] == ["A lamp."]
    assert lost(claims) == []


@pytest.mark.parametrize(
    "text",
    [
        (
            "1. A filter comprising a coil, wherein a length of the coil is at least 2 [formula].\n"
            "2. The filter of claim 1, wherein the length of the coil is at least 1 [formula]."
        ),
        "1. A filter comprising a coil, wherein a length of the coil is from 5 to 3[formula].",
        "1. A filter comprising a coil, wherein a length of the coil is from [formula] 8 to 3 mm.",
        "1. A filter comprising a coil, wherein a length of the coil is [image] × 8 to 3 mm.",
        (
            "1. A filter comprising a coil, wherein a cut-off frequency of the filter is [formula].\n"
            "2. The filter of claim 1, wherein [formula] is less than 10 kHz."
        ),
        "1. A compound of formula (I): [chemical structure] wherein [formula] is a single bond.",
        (
            "1. A filter comprising a coil, wherein a ratio of [formula] to [formula] is at least 5.\n"
            "2. The filter of claim 1, wherein [formula] is at most 3."
        ),
    ],
)
def test_what_is_lost_is_not_judged(text: str) -> None:
    assert check_set(read_text(text)) == []
