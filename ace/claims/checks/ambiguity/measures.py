"""Measures that say too little: a number without its unit, a size by what may be of any size, a symbol that
nothing explains, and a result without what brings it about (MPEP 2173.05(b)(II), (g)).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from ace.claims.checks.ambiguity.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.language.quantities import numbered
from ace.claims.language.tables import word_list
from ace.claims.language.units import unit_of
from ace.claims.language.words import Triggered, word_set
from ace.claims.model import Claim
from ace.claims.reading import Reading

_NUMBER = r"[0-9][0-9.,]*(?<![.,])"
_RANGE = rf"{_NUMBER}(?:\s?(?:to|and|-|–|through)\s?(?:about\s|less\sthan\s|at\smost\s)?{_NUMBER})?"
_LED = (
    r"(?:\sof\s(?:the|said|each|an?)\s(?:[a-z-]+\s){0,4}?[a-z-]+)?"
    r"(?:\s(?:of|is|being|from|between|at|to|in|within|a|the|range|ranging|value|values|about|approximately|least|most"
    r"|less|greater|more|than|up|equal|below|above|or|not|exceeding|has|having|lies|lying)){1,8}"
)
_ENDS = (
    r"(?=\.?\s?\Z|[;,]\s(?![0-9])|\s(?:and|or|but)\s(?![0-9]|about|at\s|up)|,?\s(?:wherein|while|when|thick|wide"
    r"|long|tall|deep)\b)"
)
_MEASURES = "|".join(sorted(word_list("ambiguity", "needing_units"), key=len, reverse=True)).replace(
    "_", r"\s"
)
_ALONE = re.compile(rf"(?<=\s)(?<!laim\s)(?<!laims\s){_RANGE}{_ENDS}")
_LEADS = re.compile(
    rf"""(?:(?:(?<![\w-])(?P<before>[\w-]+)\s)?\b(?P<measure>{_MEASURES}){_LED}
          |\b(?:heated|cooled|warmed|chilled|heating|cooling|preheated|annealed|baked|sintered)\s(?:to|at|above|below)
            (?:\s(?:about|approximately|at\sleast))?
          |(?P<stands>\b(?:is|are)(?:\s(?:about|approximately|at\s(?:least|most)|between|from|more\sthan|less\sthan))?))
        \s\Z""",
    re.VERBOSE,
)
_LEAD_CHARACTERS = 140
_ACROSS = re.compile(r"\s(?:thick|wide|long|tall|deep)\b")
_NO_UNIT = word_list("ambiguity", "measured_without_unit")


def without_unit(text: str) -> Iterator[Flaw]:
    """Each number that is given as a length, a temperature or another measure without its unit."""
    for match in _ALONE.finditer(text) if numbered(text) else ():
        led = _LEADS.search(text, max(0, match.start() - _LEAD_CHARACTERS), match.start())
        if led is None or (led["stands"] and not _ACROSS.match(text, match.end())):
            continue
        if (led["before"] or "").lower() in _NO_UNIT or set(match.group()) <= set("0.,"):
            continue
        start = led.start("measure") if led["measure"] else led.start()
        why = f"“{match.group()}” has no unit, so it is unclear how much is meant."
        yield Flaw(RULE["no_unit"], start, match.end(), why)


_SIZES = (
    *("size", "height", "length", "width", "thickness", "diameter", "weight", "breadth", "girth", "depth"),
    *("volume", "span", "reach"),
)
_SIZE = rf"(?:{'|'.join(_SIZES)})"
_ANYBODY = "|".join(sorted(word_list("ambiguity", "of_any_size")))
_ANYTHING = "|".join(
    sorted(word_list("ambiguity", "of_any_size") | word_list("ambiguity", "of_any_size_unnamed"))
)
_EXTENT = "long|wide|thick|tall|large|big|small|high|deep|heavy|broad|short|narrow|thin|compact|light"
_MORE = (
    "longer|wider|thicker|taller|larger|bigger|smaller|higher|deeper|heavier|broader|shorter|narrower|thinner"
    "|lighter"
)
_LIMBS = ("arm", "finger", "fist", "foot", "hand", "palm", "thumb")
_BY_ANOTHER = re.compile(
    rf"""\b(?:(?:sized|dimensioned|shaped|proportioned)(?:,?\s(?:and\s)?(?:sized|shaped|dimensioned|configured|adapted)){{0,3}},?
            \s(?:so\sas\s)?to\s(?!be\s|form\s)(?:[a-z]+\s){{1,4}}?(?:any\s[a-z]+|(?:an?|the|one)\s(?:[a-z]+\s){{0,2}}?(?:{_ANYBODY})\b)
          |(?:is|are|be|equal\sto|of|about|approximately|roughly|than|to|times|half|twice|percent\sof|%\sof|as|has|having|matches|exceeds)
            \s(?:about\s|roughly\s)?(?:the|an?)\s(?:average\s|typical\s|full\s)?{_SIZE}\s(?:of|across)\s(?:an?|any|one's|the)
            \s(?:[a-z]+\s){{0,2}}?(?:{_ANYBODY})\b
          |(?:about|approximately|roughly|substantially|is|are)\s(?:of\s)?the\ssize\sof\s(?:an?|any)\s[a-z]+
          |(?:has|having|have)\s(?:about\s|roughly\s|approximately\s)?the\s{_SIZE}\sof\s(?:an?|any)\s(?:[a-z]+\s)?(?:{_ANYTHING})\b
          |(?:as\s(?:{_EXTENT})\sas|(?:{_MORE})\sthan|(?:{_SIZE})\s(?:that\s(?:matches|equals|corresponds\sto)|matching|equal(?:l?ing|\sto)
             |corresponding\sto|similar\sto|comparable\sto|exceeding|approximating|of)\s(?:about\s)?(?:the\s(?:{_SIZE})|that)\sof)
            \s(?:an?|any|one)\s(?:average\s|typical\s|[a-z]+\s)?(?:{_ANYTHING})\b
          |(?:{_EXTENT})\senough\sto\s(?:fit|be\s(?:held|carried|worn|placed|received|stored))\s(?:[a-z]+\s)?(?:in|into|inside|within|on|through|under)
            \s(?:an?|any|one)\s(?:[a-z]+\s)?(?:{_ANYTHING})\b
          |(?:is|are|about|approximately|roughly)\s(?:an?\s|one\s)?(?:(?:{"|".join(_LIMBS)})(?:'s|’s|-)\s?(?:length|width|breadth|size|sized)))""",
    re.VERBOSE,
)


_SIZE_WORDS = frozenset(
    [
        *_SIZES,
        *_EXTENT.split("|"),
        *_MORE.split("|"),
        "sized",
        "dimensioned",
        "shaped",
        "proportioned",
        *_LIMBS,
    ]
    + [f"{limb}{mark}s" for limb in _LIMBS for mark in "'’"]
    + [f"{limb}-{size}" for limb in _LIMBS for size in (*_SIZES, "sized")]
)
"""One of these is in every such size."""


def sized_by_another(text: str) -> Iterator[Flaw]:
    """Each size that is given by something that may be of any size: "as wide as the height of a rider"."""
    if _SIZE_WORDS.isdisjoint(word_set(text)):
        return
    for match in _BY_ANOTHER.finditer(text):
        why = f"“{match.group()}” gives a size by something that may be of any size."
        yield Flaw(RULE["size_of_anything"], match.start(), match.end(), why)


_SYMBOL = r"(?:[A-Za-zΑ-Ωα-ω][0-9]{0,2}|[A-Z][a-z])"
_PRODUCT = r"[b-hj-z][A-Z]"
_TERM = rf"(?:{_SYMBOL}(?:\s?[/·×*+-]\s?{_SYMBOL})?|{_PRODUCT}|[0-9][0-9.,]{{0,15}})"
_LONE = r"(?:[A-Z][0-9]{0,2}|[A-Z](?:min|max|ref|th)|[Α-Ωα-ω][0-9]?|[b-hj-z][0-9]{0,2})"
_RELATED = re.compile(
    rf"""(?<![\w.)\]/*+<>≤≥^′-]){_TERM}(?:\s?[<>≤≥≦≧]=?\s?{_TERM})+(?![\w(\[^*])
       |\b(?:ratio|quotient|product)(?:\sof)?\s[A-Za-z][0-9]?\s?[/·×*]\s?[A-Za-z][0-9]?(?!\w)
       |(?<![\w-])(?:[A-Z][0-9]{{0,2}}|[Α-Ωα-ω])\s(?:lies|ranges|exceeds|is\s(?:greater|less|larger|smaller|equal|between|at\sleast
          |at\smost|not\s(?:more|less)))\b
       |\b(?:than|equals?|equal\sto|exceed(?:s|ing)?|times|(?:multipl(?:ied|ying)|divid(?:ed|ing))(?:\s[a-z]+){{0,3}}?\sby|proportional\sto|function\sof|at\s(?:least|most)
          |up\sto|satisf(?:y|ies))\s{_LONE}(?=\s(?:and|or|in|of|to|is|times|wherein)\b|\s?[.,;+*/·×])
       |(?<![\w=<>]){_LONE}\s?=\s?(?:[0-9.]*\s?{_SYMBOL}\s?[/·×*+-]\s?[0-9]*{_SYMBOL}|[0-9.]+\s?[/·×*]?\s?{_SYMBOL}(?!\w))
       |\b(?:{_MEASURES}|{_SIZE}|amount|distance|number|ratio|value)\s(?:is|of|equals)\s{_LONE}(?=\s|[.,;])
       |\b(?:parameter|constant|coefficient|factor|index|exponent)\s{_LONE}(?=\s(?:is|has|lies|of|are)\b|[.,;])""",
    re.VERBOSE,
)
_GENOTYPE = re.compile(r"[ACGTU]>[ACGTU]")
_LETTERS = "bcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρστυφχψω"
_SHORT = frozenset(
    [
        f"{letter}{rest}"
        for letter in _LETTERS
        for rest in ("", "min", "max", "ref", "th", *map(str, range(100)))
    ]
    + [f"a{number}" for number in range(100)]
    + list("=<>≤≥≦≧")
)
"""A letter with a number, in small letters, and signs: one of them is in every comparison of symbols."""
_SYMBOLS = re.compile(rf"(?<!\w)(?:{_LONE}|{_SYMBOL})(?!\w)")
_SHOWN = re.compile(
    r"formula|equation|structure\s?(?:[:(]|I+\b|below|of\sformula)|(?:acid|nucleotide)s?\ssequence|SEQ"
    r"|(?:following|satisf\w{1,4})\s(?:(?:an?|the)\s)?(?:[a-z]+\s){0,2}relation",
    re.IGNORECASE,
)
_KNOWN = frozenset({"A", "I", "a", "P", "p"})
"""Letters that are words, and the probability of chance."""
_NEAR_CHARACTERS = 50


def unexplained_symbol(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The first symbol of a comparison that stands nowhere else: "wherein L/D < 3"."""
    text = claim.text
    if _SHORT.isdisjoint(word_set(text)) or claim.number not in reading.whole:
        return
    related = list(_RELATED.finditer(text))
    if not related:
        return
    spans = [match.span() for match in related]
    ancestors = [reading.claims[number].text for number in reading.claims.ancestors(claim.number)]
    rest = " ".join([*_between(text, spans), *ancestors])
    for match in related:
        far = text[: max(0, match.start() - _NEAR_CHARACTERS)] + text[match.end() :]
        if _SHOWN.search(far) or any(map(_SHOWN.search, ancestors)):
            continue  # the symbol may stand in a formula that the text has lost
        for symbol in () if _GENOTYPE.match(match.group()) else _symbols_of(match.group()):
            if symbol in _KNOWN or (len(symbol) == 2 and symbol[1].isalpha()) or _is_known(symbol, rest):
                continue
            why = f"“{symbol}” is a symbol that the claim does not explain."
            yield Flaw(RULE["unexplained_symbol"], match.start(), match.end(), why)
            return


def _symbols_of(related: str) -> list[str]:
    """The symbols of a comparison; both of "kD", unless that is a unit or a "pH"."""
    products = (each for each in _FACTORS.findall(related) if not unit_of(each).dimension and each != "pH")
    return [*_SYMBOLS.findall(related), *chain.from_iterable(products)]


_FACTORS = re.compile(rf"(?<!\w){_PRODUCT}(?!\w)")


def _between(text: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    at = 0
    for start, end in spans:
        yield text[at:start]
        at = end
    yield text[at:]


def _is_known(symbol: str, rest: str) -> bool:
    """Whether the symbol stands by itself in the rest, or a small letter in a formula ("FexNbS2")."""
    if re.search(rf"(?<![^\W_]){re.escape(symbol)}(?![^\W_])", rest):
        return True
    glued = re.compile(rf"\b(?=\w*[A-Z0-9])\w*{re.escape(symbol)}\w*") if symbol[0].islower() else None
    return glued is not None and glued.search(rest) is not None


_BETTERED = word_list("ambiguity", "bettered")
_BETTER = "|".join(sorted(_BETTERED))
_QUALITIES = word_list("ambiguity", "qualities")
_ACTED = frozenset({"increased", "decreased", "lowered", "reduced", "lessened", "eliminated", "prevented"})
_HIGHER = (
    "higher|better|greater|longer|lower|increased|improved|enhanced|reduced|optimal|superior|decreased|faster"
)
_QUALITY = "|".join(sorted(_QUALITIES))
_WAYS = "efficiently|reliably|quietly|smoothly|accurately|precisely|effectively|economically"
_RESULT = Triggered(
    rf"""\b(?:such\sthat|so\sthat|whereby|wherein)\s(?:(?:the|an?|any|said)\s)?(?P<quality>(?:[a-z-]+\s){{1,5}}?)
        (?:is|are)\s(?:(?:[a-z]+ly|thereby|further|also|thus)\s)?(?P<how>{_BETTER})(?=\s?[.;,])
       |\b(?:achiev(?:es|ing)|attain(?:s|ing)|provid(?:es|ing)|(?:results?|resulting)\sin|leads?\sto|leading\sto|yield(?:s|ing))
        \s(?:an?\s|the\s)?(?:{_HIGHER})\s(?:[a-z-]+\s){{0,2}}?(?:{_QUALITY}|results?)(?=\s?[.;])
       |\b(?:works?|operates?|performs?|runs?|functions?|lasts?)\s
        (?:(?:more|less)\s(?:{_WAYS})|longer|better|faster)
        (?=\s?[.;,])
       |\bbetter\sresults\sare\s(?:obtained|achieved)\b""",
    re.VERBOSE,
    triggers=_BETTERED.union(_HIGHER.split("|"), _WAYS.split("|")),
)


def result_alone(text: str) -> Iterator[Flaw]:
    """Each clause that says only what is achieved: "such that the noise is reduced". Signal: "quality"."""
    for match in _RESULT.finditer(text):
        plain = _QUALITIES.isdisjoint((match["quality"] or "").split())
        if plain and match["how"] in _ACTED:
            continue  # what is done to a thing: "the pressure is increased"
        signals = () if plain else ("quality",)
        why = f"“{match.group()}” states a result and not what brings it about."
        yield Flaw(RULE["result_alone"], match.start(), match.end(), why, None, signals)
