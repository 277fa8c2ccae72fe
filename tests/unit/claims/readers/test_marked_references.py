"""Dependencies read from text agree with the mark-up of references in the same documents, which are ours."""

import re
from xml.etree import ElementTree as ET

import pytest

from ace.claims.readers import read_file

_ID = re.compile(r"CLM-0*([0-9]+)(?:-0*([0-9]+))?")


def claim_refs(data: bytes) -> dict[int, tuple[int, ...]]:
    """For each claim element, the numbers that its references' mark-up names, in order, each once."""
    found: dict[int, tuple[int, ...]] = {}
    for element in ET.fromstring(data).iter():  # noqa: S314 our own documents
        if element.tag.rpartition("}")[2] not in ("claim", "CLM", "Claim"):
            continue
        own = _ID.fullmatch(_attribute(element, "id"))
        assert own is not None
        named: dict[int, None] = {}
        for reference in element.iter():
            for name in ("idref", "depends_on", "idrefs") if reference is not element else ():
                for low, high in _ID.findall(_attribute(reference, name)):
                    named.update(dict.fromkeys(range(int(low), int(high or low) + 1)))
            if reference.tag == "CLREF":
                named.update(dict.fromkeys(int(low) for low, _ in _ID.findall(_attribute(reference, "ID"))))
        found[int(own[1])] = tuple(named)
    return found


def _attribute(element: ET.Element, name: str) -> str:
    values = (value for key, value in element.items() if key.rpartition("}")[2].lower() == name.lower())
    return next(values, "")


def ref(*numbers: int | tuple[int, int], text: str) -> str:
    ids = " ".join(
        f"CLM-{each:05}" if isinstance(each, int) else f"CLM-{each[0]:05}-{each[1]:05}" for each in numbers
    )
    return f'<claim-ref idref="{ids}">{text}</claim-ref>'


ONE = ref(1, text="claim 1")
WRAPPED = ref(1, text="claim\n1")


def grant(*bodies: str) -> str:
    claims = "".join(
        f'<claim id="CLM-{number:05}" num="{number:05}"><claim-text>{number}. {body}</claim-text></claim>'
        for number, body in enumerate(bodies, start=1)
    )
    return f'<us-patent-grant><claims id="claims">{claims}</claims></us-patent-grant>'


LAMP = "A lamp comprising a base and a bulb."
DOCUMENTS = {
    "single": grant(
        LAMP, f"The lamp of {ONE}, further comprising a shade.", f"The lamp of {ref(2, text='claim 2')}."
    ),
    "split word and number": grant(LAMP, f"The lamp of claim {ref(1, text='1')}, wherein the bulb is red."),
    "alternatives": grant(
        LAMP,
        f"The lamp of {ONE}, having a cord.",
        f"The lamp of {ref(1, 2, text='claim 1 or 2')}, having a plug.",
        f"The lamp of {ref(1, text='claim 1')} or {ref(3, text='claim 3')}, having a lid.",
        f"The lamp of {ref(1, 2, 4, text='any one of claims 1, 2, or 4')}.",
    ),
    "range": grant(
        LAMP,
        f"The lamp of {ONE}, having a cord.",
        f"The lamp of {ref((1, 2), text='claims 1 to 2')}, having a plug.",
        f"The lamp according to any one of {ref((1, 3), text='claims 1-3')}.",
        f"The lamp as claimed in any of {ref((1, 4), text='claims 1 through 4')}.",
        f"The lamp of any of {ref((1, 3), 5, text='claims 1–3 or 5')}.",
    ),
    "several elements for one range": grant(
        LAMP,
        f"The lamp of {ONE}, having a cord.",
        f"The lamp of any one of claims {ref(1, text='1')} to {ref(2, text='2')}.",
    ),
    "another category": grant(
        "A method of lighting, comprising turning on a lamp.",
        f"A lamp for performing the method of {ONE}.",
        f"A room comprising the lamp of {ref(2, text='claim 2')}.",
    ),
    "reference in the middle": grant(
        LAMP,
        f"A kit comprising a box, the lamp according to {ONE}, and a manual.",
        f"A method comprising: providing the lamp of {ONE}; and using the kit of {ref(2, text='claim 2')}.",
    ),
    "capital and brackets": grant(
        LAMP,
        f"A lamp (as recited in {ref(1, text='Claim 1')}).",
        f"Lamp as set forth in {ref(2, text='claim 2')}.",
    ),
    "numbers that are none": grant(
        "A lamp of 2. to 5 watts, as in FIG. 3, of type 4 and step 1.", f"The lamp of {ONE}, of 3 to 9 watts."
    ),
    "inline mark-up": grant(LAMP, f"The <b>lamp</b> of {ref(1, text='claim <b>1</b>')} of H<sub>2</sub>O."),
    "nested limbs": grant(
        "A lamp comprising:<claim-text>a base;</claim-text><claim-text>a bulb.</claim-text>",
        f"The lamp of {ONE}, wherein:<claim-text>the base is round;</claim-text>"
        "<claim-text>it is 1 kg.</claim-text>",
    ),
    "wrapped": grant(LAMP, f"The lamp of\n{WRAPPED}, wherein\nthe base is round."),
    "application v1": (
        "<patent-application-publication><subdoc-claims>"
        '<claim id="CLM-00001"><claim-text>1. A lamp.</claim-text>'
        '</claim><claim id="CLM-00002"><claim-text>2. The lamp of '
        '<dependent-claim-reference depends_on="CLM-00001">'
        "<claim-text>claim 1</claim-text></dependent-claim-reference>, that glows.</claim-text></claim>"
        "</subdoc-claims></patent-application-publication>"
    ),
    "grant v2": (
        '<PATDOC><SDOCL><CL><CLM ID="CLM-00001"><PARA><PTEXT><PDAT>1. A lamp.</PDAT></PTEXT></PARA></CLM>'
        '<CLM ID="CLM-00002"><PARA><PTEXT><PDAT>2. The lamp of </PDAT>'
        '<CLREF ID="CLM-00001"><PDAT>claim 1</PDAT>'
        "</CLREF><PDAT>, that glows.</PDAT></PTEXT></PARA></CLM></CL></SDOCL></PATDOC>"
    ),
    "st96": (
        '<p:Claims xmlns:p="urn:p" xmlns:c="urn:c"><p:Claim c:id="CLM-00001"><p:ClaimNumber>1</p:ClaimNumber>'
        "<p:ClaimText>1. A lamp.</p:ClaimText></p:Claim>"
        '<p:Claim c:id="CLM-00002"><p:ClaimNumber>2</p:ClaimNumber>'
        "<p:ClaimText>2. The lamp of claim "
        '<p:ClaimReference c:idrefs="CLM-00001">1</p:ClaimReference>.</p:ClaimText>'
        "</p:Claim></p:Claims>"
    ),
}


@pytest.mark.parametrize("xml", DOCUMENTS.values(), ids=DOCUMENTS)
def test_parents_are_those_of_the_mark_up(xml: str) -> None:
    data = xml.encode()
    claims = read_file(data)
    assert {claim.number: claim.parents for claim in claims} == claim_refs(data)


def test_the_documents_are_varied_enough() -> None:
    named = [claim_refs(xml.encode()) for xml in DOCUMENTS.values()]
    assert sum(len(parents) > 1 for refs in named for parents in refs.values()) >= 6
