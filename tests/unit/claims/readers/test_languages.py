"""Claims must be in English: another language is refused by its claims' numbers, and nothing else is."""

import gzip
import json
from typing import Any, NamedTuple
from unicodedata import normalize

import pytest

from ace.claims.language.tables import table
from ace.claims.readers import read_claims, read_file, read_text
from ace.claims.readers.languages import other_language, refuse_other_languages
from ace.errors import Refused
from tests.shared import shared_file
from tests.unit.claims.readers.word import document, listed, saved

OTHERS = {
    "Chinese": ("一种耙，包括手柄和齿排。", "根据权利要求1所述的耙，其特征在于，所述齿由钢制成。"),
    "Czech": (
        "Hrábě obsahující násadu a řadu zubů.",
        "Hrábě podle nároku 1, vyznačující se tím, že zuby jsou z oceli.",
    ),
    "Danish": (
        "Rive omfattende et skaft og en række tænder.",
        "Rive ifølge krav 1, kendetegnet ved, at tænderne er af stål.",
    ),
    "Dutch": (
        "Hark omvattende een steel en een rij tanden.",
        "Hark volgens conclusie 1, waarbij de tanden van staal zijn.",
    ),
    "Finnish": (
        "Harava, joka käsittää varren ja piikit.",
        "Patenttivaatimuksen 1 mukainen harava, tunnettu siitä, että piikit ovat terästä.",
    ),
    "French": (
        "Râteau comprenant un manche et des dents.",
        "Râteau selon la revendication 1, dont les dents sont en acier.",
    ),
    "German": (
        "Rechen, umfassend einen Stiel und Zinken.",
        "Rechen nach Anspruch 1, dadurch gekennzeichnet, dass die Zinken aus Stahl sind.",
    ),
    "Greek": ("Τσουγκράνα που περιλαμβάνει λαβή.", "Τσουγκράνα σύμφωνα με την αξίωση 1."),
    "Hungarian": (
        "Gereblye, amelynek nyele és fogai vannak.",
        "Az 1. igénypont szerinti gereblye, azzal jellemezve, hogy a fogak acélból vannak.",
    ),
    "Italian": (
        "Rastrello comprendente un manico e dei denti.",
        "Rastrello secondo la rivendicazione 1, in cui i denti sono di acciaio.",
    ),
    "Japanese": ("柄と歯とを備える熊手。", "請求項１に記載の熊手であって、歯が鋼である熊手。"),
    "Korean": ("손잡이와 톱니를 포함하는 갈퀴.", "제1항에 있어서, 톱니는 강철인 갈퀴."),
    "Latvian": (
        "Grābeklis, kas satur kātu un zobu rindu.",
        "Grābeklis saskaņā ar 1. pretenziju, kur zobi ir no tērauda.",
    ),
    "Polish": (
        "Grabie zawierające trzonek oraz zęby.",
        "Grabie według zastrzeżenia 1, znamienne tym, że zęby są ze stali.",
    ),
    "Portuguese": (
        "Ancinho que compreende um cabo e dentes.",
        "Ancinho de acordo com a reivindicação 1, em que os dentes são de aço.",
    ),
    "Romanian": (
        "Greblă care cuprinde un mâner și dinți.",
        "Greblă conform revendicării 1, caracterizată prin aceea că dinții sunt din oțel.",
    ),
    "Russian": (
        "Грабли, содержащие рукоятку и зубья.",
        "Грабли по п. 1, отличающиеся тем, что зубья стальные.",
    ),
    "Spanish": (
        "Rastrillo que comprende un mango y dientes.",
        "Rastrillo según la reivindicación 1, en el que los dientes son de acero.",
    ),
    "Swedish": (
        "Kratta innefattande ett skaft och tänder.",
        "Kratta enligt krav 1, kännetecknad av att tänderna är av stål.",
    ),
    "Turkish": (
        "Bir sap ve dişler içeren tırmık.",
        "İstem 1'e göre bir tırmık olup özelliği dişlerin çelik olmasıdır.",
    ),
}
ENGLISH = [
    "Widget.",
    "Aspirin.",
    "A mug.",
    "Use.",
    "Apparatus substantially as described.",
    "SEQ ID NO: 1.",
    "NaCl, KCl, MgCl2.",
    "2-(4-isobutylphenyl)propanoic acid.",
    "Methyl ethyl ketone, acetone, toluene, xylene, hexane, heptane and octane.",
    "Methyl, ethyl, n-propyl, isopropyl, butyl, pentyl, hexyl, cyclopentyl, phenyl, benzyl, tolyl, naphthyl.",
    "Escherichia coli, Bacillus subtilis, Lactobacillus plantarum, Saccharomyces cerevisiae.",
    "Met-Ala-Gly-Ser-Lys-Phe-Trp-Asp-Glu-Arg-Pro-Leu-Ile-Val-Cys-His.",
    "MAGSKFWDERPL MKTAYIAKQR QISFVKSHFS RQLEERLGLI EVQAPILSRV.",
    "ATGCGTACGT TAGCATCGAT CGGCTAAGGC TTAACCGGTT.",
    "∀x∈A: α(x)≤β(x), γ=δ·ε.",
    "A method of showing the characters “中文输入法” on a screen.",
    "An alloy consisting of: Al, As, Na, Se, Os, Co, In, La, Es, Po, Re; v, w, z, s, i, y, o.",
    "A peptide comprising: His-Met-Pro-Ser-Ile-Val; His Met Pro Ser Ile Val.",
    "A method of showing the following characters: “中文输入法” beside a key.",
    "A filter, wherein a gain of the filter is: αβγδ/ω = μν; x = αβ.",
    "A de Laval nozzle in situ, comprising a throat et cetera.",
    "A RAKE COMPRISING A HANDLE AND A ROW OF TEETH.",
]


class Numbered(NamedTuple):
    number: int
    text: str


def refused(read: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        read()
    assert caught.value.code == "not_english"
    return caught.value


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("claims", OTHERS.values(), ids=OTHERS)
def test_claims_in_another_language_are_refused(claims: tuple[str, str], partial: bool) -> None:
    # Given two claims in another language, as a text, as pairs, in Word and as XML
    pairs = list(enumerate(claims, 1))
    text = "\n".join(f"{number}. {words}" for number, words in pairs)
    inner = "".join(
        f"<claim num='{number}'><claim-text>{words}</claim-text></claim>" for number, words in pairs
    )
    made = document()
    for words in claims:
        listed(made, words)
    # When they are read, then each way refuses them, by their numbers and without their words
    for read in (
        lambda: read_text(text, partial=partial),
        lambda: read_claims(pairs, partial=partial),
        lambda: read_file(saved(made), partial=partial),
        lambda: read_file(f"<claims>{inner}</claims>".encode(), partial=partial),
    ):
        message = refused(read).message
        assert message.startswith("claim")
        assert claims[0].split()[0] not in message


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("text", ENGLISH)
def test_short_claims_and_names_of_substances_are_no_other_language(text: str, partial: bool) -> None:
    assert read_claims([(1, text)], partial=partial)[1].text == text


@pytest.mark.parametrize(
    ("second", "third", "named"),
    [
        ("Mug nach Anspruch 1, wobei der Henkel rund ist.", "The mug of claim 1.", "claim 2"),
        (
            "The mug of claim 1.\nBecher nach Anspruch 1, wobei der Henkel rund ist.",
            "The mug of claim 1.",
            "claim 2",
        ),
        (
            "The mug of claim 1. Tasse selon la revendication 1.",
            "Tasse selon la revendication 1.",
            "claims 2, 3",
        ),
        ("The mug of claim 1.\n根据权利要求1所述的杯子。", "The mug of claim 1.", "claim 2"),
        (
            "The mug of claim 1.",
            "The mug of claim 1.\nPatentansprüche\n1. Becher mit einem Henkel, der rund ist.",
            "claim 3",
        ),
    ],
)
def test_claims_in_two_languages_are_refused_by_the_numbers_of_the_others(
    second: str, third: str, named: str
) -> None:
    claims = [(1, "A mug comprising a body and a handle."), (2, second), (3, third)]
    assert refused(lambda: read_claims(claims, partial=True)).message.startswith(f"{named} ")


@pytest.mark.parametrize("form", ["NFC", "NFD", "without accents"])
@pytest.mark.parametrize("language", ["French", "German", "Portuguese", "Spanish"])
def test_accents_may_be_lost_or_written_apart(language: str, form: str) -> None:
    text = "\n".join(f"{number}. {words}" for number, words in enumerate(OTHERS[language], 1))
    if form == "without accents":
        text = normalize("NFD", text).encode("ascii", "ignore").decode()
    else:
        text = normalize("NFC" if form == "NFC" else "NFD", text)
    refused(lambda: read_text(text, partial=True))


def test_a_bilingual_table_is_refused() -> None:
    made = document()
    table_of = made.add_table(2, 2)
    cells = (
        "1. A rake with teeth.",
        "1. Rechen mit Zinken.",
        "2. The rake of claim 1.",
        "2. Rechen nach Anspruch 1.",
    )
    for cell, words in zip((cell for row in table_of.rows for cell in row.cells), cells, strict=True):
        cell.text = words
    refused(lambda: read_file(saved(made), partial=True))


@pytest.mark.parametrize(
    ("language", "is_refused"), [("de", True), ("en", False), ("", False), ("EN-US", False)]
)
def test_the_language_that_xml_states_counts_if_the_claims_do_not_tell(
    language: str, is_refused: bool
) -> None:
    data = (
        f"<claims lang='{language}'><claim num='1'><claim-text>Rechen.</claim-text></claim></claims>".encode()
    )
    if is_refused:
        refused(lambda: read_file(data))
    else:
        assert len(read_file(data)) == 1


def test_english_claims_in_xml_that_states_another_language_are_read() -> None:
    data = (
        b"<claims lang='de'><claim num='1'><claim-text>A rake comprising teeth.</claim-text></claim></claims>"
    )
    assert len(read_file(data)) == 1


def test_each_language_has_words_enough_to_be_known() -> None:
    for name, words in table("languages")["others"].items():
        assert len(words["short_words"].split()) >= 15, name


@pytest.mark.slow
def test_no_real_claim_is_taken_for_another_language() -> None:
    file = shared_file("data/us-claim-sets.jsonl.gz")
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            claims = [Numbered(claim["num"], claim["text"]) for claim in json.loads(line)["claims"]]
            assert [claim.number for claim in claims if other_language(claim.text)] == []
            refuse_other_languages(claims, "")
