"""The XML of patent offices, in each of its shapes. All documents are ours."""

import pytest

from ace.claims.model import ClaimSet, Status
from ace.claims.readers import read_file
from ace.errors import Refused

TEXTS = [
    (1, "A lamp, comprising:\na base; and\na bulb of CO2 that isn’t lit."),
    (2, "The lamp of claim 1, wherein the bulb is round."),
]
GRANT = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE us-patent-grant SYSTEM "us-patent-grant-v45-2014-04-03.dtd" [ ]>
<us-patent-grant lang="EN" dtd-version="v4.5">
<us-bibliographic-data-grant><us-exemplary-claim>1</us-exemplary-claim></us-bibliographic-data-grant>
<description><p num="0001">1. Not a claim.</p></description>
<us-claim-statement>What is claimed is:</us-claim-statement>
<claims id="claims">
<claim id="CLM-00001" num="00001">
<claim-text>1. A lamp, comprising:
<claim-text>a base; and</claim-text>
<claim-text>a bulb of CO<sub>2</sub> that isn&#x2019;t
lit.</claim-text>
</claim-text>
</claim>
<claim id="CLM-00002" num="00002">
<claim-text><b>2</b>. The lamp of <claim-ref idref="CLM-00001">claim 1</claim-ref>, wherein
the <b>bulb</b> is <i>round</i>.</claim-text>
</claim>
</claims>
</us-patent-grant>"""
PATDOC = """<?xml version="1.0"?>
<!DOCTYPE PATDOC PUBLIC "-//USPTO//DTD ST.32 US PATENT GRANT V2.4//EN" "ST32-US-Grant-024.dtd" [
<!ENTITY US0-D00000.TIF SYSTEM "US0-D00000.TIF" NDATA TIF>
]>
<PATDOC DTD="2.4"><SDOBI><B577><DNUM><PDAT>2</PDAT></DNUM></B577></SDOBI>
<SDOCL><H LVL="1"><STEXT><PDAT>What is claimed is:</PDAT></STEXT></H>
<CL>
<CLM ID="CLM-00001">
<PARA ID="P-00001" LVL="0"><PTEXT><PDAT>1. A lamp, comprising:</PDAT></PTEXT></PARA>
<PARA ID="P-00002" LVL="2"><PTEXT><PDAT>a base; and</PDAT></PTEXT></PARA>
<PARA ID="P-00003" LVL="2"><PTEXT><PDAT>a bulb of CO</PDAT><HIL><SB><PDAT>2 </PDAT></SB></HIL>
<PDAT>that isn&rsquo;t lit.</PDAT></PTEXT></PARA>
</CLM>
<CLM ID="CLM-00002">
<PARA ID="P-00004" LVL="0"><PTEXT><PDAT>2. The lamp of </PDAT><CLREF
ID="CLM-00001"><PDAT>claim 1</PDAT></CLREF>
<PDAT>, wherein the bulb is round.</PDAT></PTEXT></PARA>
</CLM>
</CL></SDOCL></PATDOC>"""
PUBLICATION = """<?xml version="1.0"?>
<!DOCTYPE patent-application-publication SYSTEM "pap-v16-2002-01-01.dtd" [
<!ENTITY US1-D00000.TIF SYSTEM "US1-D00000.TIF" NDATA TIF>
]>
<patent-application-publication><subdoc-claims>
<heading lvl="1">What is claimed is:</heading>
<claim id="CLM-00001">
<claim-text><highlight><bold>1</bold></highlight>. A lamp, comprising:
<claim-text>a base; and</claim-text>
<claim-text>a bulb of CO<subscript>2</subscript> that isn&#8217;t lit.</claim-text>
</claim-text>
</claim>
<claim id="CLM-00002">
<claim-text><highlight><bold>2</bold></highlight>. The lamp of
<dependent-claim-reference
depends_on="CLM-00001"><claim-text>claim 1</claim-text></dependent-claim-reference>,
wherein the bulb is round. </claim-text>
</claim>
</subdoc-claims></patent-application-publication>"""
ST96 = """<?xml version="1.0" encoding="utf-8"?>
<uspat:ClaimsDocument xmlns:uspat="urn:us:gov:doc:uspto:patent" xmlns:com="urn:example:common"
 xmlns:pat="http://www.wipo.int/standards/XMLSchema/ST96/Patent" com:st96Version="V2_1">
<uspat:ClaimStatement> WHAT IS CLAIMED IS:</uspat:ClaimStatement>
<uspat:Claims com:id="CLM-00000">
<uspat:Claim com:id="CLM-00001"><pat:ClaimNumber>1</pat:ClaimNumber>
<uspat:ClaimText>1.   A lamp, comprising: </uspat:ClaimText>
<uspat:ClaimText>a base; and </uspat:ClaimText>
<uspat:ClaimText>a bulb of CO<com:Sub>2</com:Sub> that is<com:Ins>n’t</com:Ins><com:Del
> not</com:Del> lit.</uspat:ClaimText>
</uspat:Claim>
<uspat:Claim com:id="CLM-00002"><pat:ClaimNumber>2</pat:ClaimNumber>
<uspat:ClaimText>2.   The lamp of claim <uspat:ClaimReference
com:idrefs="CLM-00001">1</uspat:ClaimReference>, wherein the
bulb is round.</uspat:ClaimText></uspat:Claim>
</uspat:Claims></uspat:ClaimsDocument>"""
ST36 = """<ep-patent-document>
<claims lang="de"><claim num="0001"><claim-text>Lampe.</claim-text></claim></claims>
<claims id="claims02" lang="en">
<claim id="c-en-01-0001" num="0001"><claim-text>A lamp, comprising:<claim-text>a base; and</claim-text>
<claim-text>a bulb of CO<sub>2</sub> that isn’t lit.</claim-text></claim-text></claim>
<claim id="c-en-01-0002" num="0002">
<claim-text>The lamp of claim 1, wherein the bulb is round.</claim-text></claim>
</claims></ep-patent-document>"""


def read(xml: str, *, partial: bool = False) -> ClaimSet:
    return read_file(xml.encode(), name="claims.xml", partial=partial)


@pytest.mark.parametrize(
    "xml",
    [GRANT, PATDOC, PUBLICATION, ST96, ST36],
    ids=["grant v4", "grant v2", "application v1", "st96", "st36"],
)
def test_the_same_claims_in_every_shape(xml: str) -> None:
    claims = read(xml)
    assert [(claim.number, claim.text) for claim in claims] == TEXTS
    assert [claim.parents for claim in claims] == [(), (1,)]
    assert claims.source is not None
    for claim in claims:
        for start, source, length in claim.pieces:
            assert claims.source[source : source + length] == claim.text[start : start + length]


def claim(inner: str, number: str = "1") -> str:
    return f'<claims><claim num="{number}"><claim-text>{inner}</claim-text></claim></claims>'


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("1 . A lamp.", "A lamp."),
        ("1) A lamp.", "A lamp."),
        ("Claim 1. A lamp.", "A lamp."),
        ("1 A lamp.", "A lamp."),
        ("A lamp.", "A lamp."),
        ("1.5 mm of lamp.", "1.5 mm of lamp."),
        (
            "A lamp of H<sub>2</sub>O and x<sup>2</sup> in <figref>FIG. 1</figref>.",
            "A lamp of H2O and x^2 in FIG. 1.",
        ),
        ("A lamp <maths><math><mi>a</mi><mo>=</mo><mi>b</mi></math></maths> of it.", "A lamp a=b of it."),
        ("A lamp &Delta;T&lsqb;x&rsqb; &thgr; &mu;m.", "A lamp ΔT[x] θ μm."),
        ("A lamp &#x2014; &lt;b&gt; &amp;c.", "A lamp — <b> &c."),
        ("A <tables><table><row><entry>a</entry><entry>b</entry></row></table></tables>", "A\na b"),
        (
            "A lamp <?delete-start id='R1'?>old <?delete-end id='R1'?><?insert-start?>new<?insert-end?>.",
            "A lamp new.",
        ),
        ("A lamp <DEL-S ID='D1'/>old <DEL-E ID='D1'/>new.", "A lamp new."),
        ("A <ul><li>base;</li><li>bulb.</li></ul>", "A\nbase;\nbulb."),
        ("A lamp<br/>and base.", "A lamp\nand base."),
        ("A lamp <![CDATA[of <glass>]]>.", "A lamp of <glass>."),
        ("A lamp <!-- comment -->here.", "A lamp here."),
    ],
)
def test_what_stands_in_a_claim(inner: str, text: str) -> None:
    assert read(claim(inner))[1].text == text


@pytest.mark.parametrize(
    ("attributes", "inner", "numbers"),
    [
        ('num="00007"', "7. A lamp.", [7]),
        ('id="CLM-00007"', "A lamp.", [7]),
        ("", "7. A lamp.", [7]),
        ("", "A lamp.", [1]),
        ('id="other"', "A lamp.", [1]),
        ('id="CLM-01-05" num="01-05"', "<b>1</b>-<b>5</b>. (canceled)", [1, 2, 3, 4, 5]),
        ("", "1-3. (Cancelled)", [1, 2, 3]),
    ],
)
def test_numbers_come_from_attributes_ids_text_or_order(
    attributes: str, inner: str, numbers: list[int]
) -> None:
    claims = read(f"<claims><claim {attributes}><claim-text>{inner}</claim-text></claim></claims>")
    assert [claim.number for claim in claims] == numbers
    if len(numbers) > 1:
        assert all(claim.status is Status.CANCELED and claim.text == "" for claim in claims)


def test_status_from_mark_up_and_from_text() -> None:
    claims = read(
        '<c:Claims xmlns:c="urn:c"><c:Claim><c:ClaimNumber>1</c:ClaimNumber>'
        "<c:ClaimStatusCategory>Currently Amended</c:ClaimStatusCategory>"
        "<c:ClaimText>A lamp.</c:ClaimText></c:Claim>"
        "<c:Claim><c:ClaimNumber>2</c:ClaimNumber><c:ClaimText>2. (Withdrawn) A base.</c:ClaimText></c:Claim>"
        "<c:ImplicitClaim><c:ClaimNumber>3-4</c:ClaimNumber>"
        "<c:ClaimStatusCategory>Canceled</c:ClaimStatusCategory></c:ImplicitClaim></c:Claims>"
    )
    assert [(each.number, each.status, each.text) for each in claims] == [
        (1, Status.CURRENTLY_AMENDED, "A lamp."),
        (2, Status.WITHDRAWN, "A base."),
        (3, Status.CANCELED, ""),
        (4, Status.CANCELED, ""),
    ]


def test_claims_without_elements_are_read_as_text() -> None:
    claims = read("<a><claims><p>1. (Original) A lamp.</p><p>2. (New) The lamp of claim 1.</p></claims></a>")
    assert [(each.number, each.text, each.status) for each in claims] == [
        (1, "A lamp.", Status.ORIGINAL),
        (2, "The lamp of claim 1.", Status.NEW),
    ]


def test_a_design_has_one_claim_without_a_number() -> None:
    text = "The ornamental design for a hat."
    claim = f'<CLM ID="CLM-00001"><PARA><PTEXT><PDAT>{text}</PDAT></PTEXT></PARA></CLM>'
    assert read(f"<PATDOC><SDOCL><CL>{claim}</CL></SDOCL></PATDOC>")[1].text == text


def test_unknown_characters_are_noted() -> None:
    claims = read(claim("A lamp of &zzz;."))
    assert claims[1].text == "A lamp of \ufffd."
    assert [note.code for note in claims.notes] == ["unknown_character"]


def test_utf_16_and_other_encodings() -> None:
    xml = '<?xml version="1.0" encoding="{}"?>' + claim("A lampé.")
    for encoding in ("UTF-16", "ISO-8859-1", "utf-8", "windows-1252"):
        assert read_file(xml.format(encoding).encode(encoding))[1].text == "A lampé."


def test_several_documents_are_refused_or_the_first_is_read() -> None:
    one = '<?xml version="1.0"?>' + claim("A lamp.")
    with pytest.raises(Refused) as caught:
        read(f"{one}\n{one}")
    assert caught.value.code == "several_documents"
    claims = read(f"{one}\n{one}", partial=True)
    assert ([each.text for each in claims], [note.code for note in claims.notes]) == (
        ["A lamp."],
        ["several_documents"],
    )


def test_several_sets_are_refused_or_the_first_is_read() -> None:
    two = f"<a>{claim('A lamp.')}{claim('A base.')}</a>"
    with pytest.raises(Refused) as caught:
        read(two)
    assert caught.value.code == "several_sets"
    claims = read(two, partial=True)
    assert ([each.text for each in claims], [note.code for note in claims.notes]) == (
        ["A lamp."],
        ["several_sets"],
    )


def test_sets_in_several_languages_are_no_fault_and_english_is_read() -> None:
    claims = read(ST36)
    assert [note.code for note in claims.notes] == ["other_languages"]
    assert "English" in claims.notes[0].message


@pytest.mark.parametrize("xml", ["<a/>", "<a>A lamp.</a>", "<claims/>", "<claims> <p/> </claims>"])
@pytest.mark.parametrize("partial", [False, True])
def test_xml_without_claims_is_refused(xml: str, partial: bool) -> None:
    with pytest.raises(Refused) as caught:
        read(xml, partial=partial)
    assert caught.value.code == "no_claims"


def test_a_claim_that_stands_for_a_range_of_canceled_ones_is_a_range() -> None:
    first = '<claim id="CLM-00001"><claim-text><bold>1</bold>-<bold>3</bold>. (canceled)</claim-text></claim>'
    fourth = '<claim id="CLM-00004"><claim-text><bold>4</bold>. A lamp.</claim-text></claim>'
    claims = read(f"<subdoc-claims>{first}{fourth}</subdoc-claims>")
    assert [(each.number, each.pending) for each in claims] == [
        (1, False),
        (2, False),
        (3, False),
        (4, True),
    ]


def test_a_number_in_the_text_that_differs_is_cut_and_noted() -> None:
    claims = read('<claims><claim num="1">1. A lamp.</claim><claim num="2">4. A base.</claim></claims>')
    assert [(each.number, each.text) for each in claims] == [(1, "A lamp."), (2, "A base.")]
    assert [(note.code, note.claim) for note in claims.notes] == [("number_differs", 2)]


def test_duplicates_are_refused_or_renumbered() -> None:
    two = '<claims><claim num="1">A lamp.</claim><claim num="1">A base.</claim></claims>'
    with pytest.raises(Refused) as caught:
        read(two)
    assert caught.value.code == "duplicate_number"
    claims = read(two, partial=True)
    assert [(each.number, each.text) for each in claims] == [(1, "A lamp."), (2, "A base.")]
