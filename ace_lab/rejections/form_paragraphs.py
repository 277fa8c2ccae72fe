"""What an examiner's sentence does: reject, object, give a reason, refer to a dependence, or nothing.

Written after the form paragraphs of MPEP 706.03(c)-(d) and 608.01(n) (7.30.02, 7.34 to 7.36, 7.45) and
the ways in which examiners vary them. Sentences come from `wording.sentences`. A reason is mapped onto
the five classes; "other" is what no claim's text alone can show (omitted steps, no structure for a
means, what applicant regards as the invention).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

I = re.IGNORECASE  # noqa: E741

OTHER = "other"


class Section(StrEnum):
    """The part of an action that a sentence is in."""

    UNKNOWN = "unknown"  # no heading or statute seen yet
    INDEFINITE = "112(b)"
    DEPENDENT_FORM = "112(d)"
    OBJECTION = "objection"
    ASIDE = "aside"  # other statutes, answers to arguments, interpretation, what is allowable


@dataclass(frozen=True, slots=True)
class Reason:
    """A kind of defect, by class, and the form paragraph that words it."""

    category: str
    form: str


_HEADING = re.compile(
    r"""(?P<b>claim\s+rejections?\s*[-:,]*\s*(?:under\s+)?35\s*U\.?\s?S\.?\s?C\.?\s*(?:\(AIA\)\s*)?(?:§|section|sec\.?)?\s*112)
      |(?P<other>claim\s+rejections?\s*[-:,]*\s*(?:under\s+)?35\s*U\.?\s?S\.?\s?C\.?\s*(?:\(AIA\)\s*)?(?:§|section|sec\.?)?\s*10[0-9])
      |(?P<objection>\A\W*claim\s+objections?\b(?!\s+to))
      |(?P<aside>\A\W*(?:double\s+patenting|response\s+to\s+(?:arguments?|amendments?|remarks)|claim\s+interpretation
          |allowable\s+subject\s+matter|conclusion|election/?\s*restrictions?|specification\b\W*(?:\Z|the\s+specification)
          |drawings?\b\W*(?:\Z|the\s+drawings?)|information\s+disclosure\s+statement|priority\b\W*\Z|reasons\s+for\s+allowance))""",
    I | re.VERBOSE,
)
_REJECTED = re.compile(
    r"\brejected\s+(?:under|as\b|for\b|in\b|on\b|because\b)|\brejected\b.{0,60}\b35\s*U\.?\s?S", I
)
_STATUTE = re.compile(
    r"35\s*U\.?\s?S\.?\s?C\.?\s*(?:\(AIA\)\s*)?(?:§|section|sec\.?)?\s*(1[0-9]{2})(?P<rest>.{0,110})", I
)
_SECOND = re.compile(
    r"112\s*\(\s*b\s*\)|\A\s*\(?\s*b\s*\)|second\s+paragraph|2nd\s+paragraph|(?:¶|par\.?|paragraph)\s*(?:2|two)\b",
    I,
)
_FOURTH = re.compile(
    r"\A\s*\(?\s*d\s*\)|112\s*\(\s*d\s*\)|(?:fourth|4th)\s+paragraph|(?:¶|par\.?|paragraph)\s*4\b", I
)
_FIRST = re.compile(
    r"\A\s*\(?\s*[af]\s*\)|112\s*\(\s*[af]\s*\)|(?:first|1st|sixth|6th)\s+paragraph|(?:¶|par\.?|paragraph)\s*[16]\b",
    I,
)
_OBJECTED = re.compile(
    r"\b(?:is|are)\s+(?:also\s+|further\s+)?objected\b|\bobjected\s+to\s+(?:because|as|under|for)\b", I
)
_ALLOWABLE = re.compile(
    r"objected\b.{0,80}\brejected\s+base\s+claim|would\s+be\s+allow|if\s+rewritten\s+in\s+independent", I
)
_WITHDRAWN_REJECTION = re.compile(
    r"\b(?:rejections?|objections?)\b.{0,160}\b(?:(?:has|have|had)\s+been|is|are|was|were)\s+(?:\w+\s+)?(?:withdrawn|overcome|moot|obviated)"
    r"|\bwithdr(?:aws?|ew|awn|awal|awing)\b.{0,40}\b(?:rejections?|objections?)\b",
    I,
)
_UNEXAMINED = re.compile(
    r"\bwithdrawn\b(?!.{0,30}\b(?:rejection|objection))|\bdrawn\s+to\s+(?:a\s+)?non-?elected", I
)
_INTERPRETS = re.compile(
    r"\b(?:for\s+(?:the\s+)?(?:purposes?\s+of\s+)?(?:compact\s+|this\s+|further\s+|the\s+)?(?:examination|prosecution)"
    r"|for\s+examin\w+\s+purposes?|(?:will|shall)\s+(?:be\s+)?(?:interpret|treat|constru|assum|read\b|examin)\w*"
    r"|(?:has|have|is|are)\s+(?:been\s+)?(?:interpreted|construed|treated|assumed)\s+(?:as|to|under)"
    r"|examiner\s+(?:is\s+)?(?:interpret|assum|constru|suggest|recommend|notes?\s+that)\w*|appropriate\s+correction"
    r"|applicant\s+(?:may|is\s+(?:required|advised|reminded)|should)|it\s+is\s+(?:suggested|recommended|noted))\b",
    I,
)
_NO_REASON = re.compile(
    r"specification\s+(?:is|are|was)\s+objected|the\s+following\s+is\s+a\s+quotation"
    r"|shall\s+conclude\s+with\s+one\s+or\s+more\s+claims|may\s+be\s+considered\s+indefinite\s+if\s+the\s+resulting"
    r"|note\s+the\s+explanation\s+given|Ex\s+parte|In\s+re\s+[A-Z]|applicants?\s+(?:argu|submit|contend|assert|state)\w*",
    I,
)
_DEPENDS_ONLY = re.compile(
    r"""\b(?:rejected|indefinite|deficien\w+|unclear|fail\w*|included)\b.{0,140}\b(?:depend\w*|inherit\w*|virtue|incorporat\w+|based\s+upon)\b
      |\bdepend\w*\b.{0,120}\b(?:inherit\w*|rejected|(?:also|likewise|similarly)\s+rejected|same\s+(?:reason|deficienc|issue|rationale)\w*|likewise|also\s+indefinite|indefinite
         |thus|therefore|thereby|fail\s+to\s+(?:cure|remedy|resolve)|do(?:es)?\s+not\s+(?:cure|remedy|resolve)|incorporat\w+|deficien\w+)\b
      |\binherit\w*\b|\bfalls?\s+(?:together|with)\b|\bfail\s+to\s+(?:cure|remedy)|\bnot\s+specifically\s+(?:mentioned|addressed|cited|discussed)\b""",
    I | re.VERBOSE,
)

_ANTECEDENT = re.compile(
    r"""\b(?:insufficient|in\s?sufficient|lacks?|lacking|no|not|without|improper|missing|absent|absence|unclear|never|confus\w+|indefinite)
          \b.{0,80}?\bantecedent\b
      |\bantecedent(?:\s+basis)?\b.{0,90}?\b(?:lacking|missing|unclear|insufficient|not|absent|never|improper|confus\w+|indefinite)\b
      |\b(?:not|never)\s+(?:been\s+)?(?:previously|earlier|introduced|recited\s+before|positively\s+recited\s+before)
      |\b(?:was|were|is|are)\s+not\s+(?:previously|earlier)\s+(?:recited|introduced|mentioned|defined|set\s+forth)""",
    I | re.VERBOSE,
)
_REASONS: tuple[tuple[re.Pattern[str], Reason], ...] = (
    (_ANTECEDENT, Reason("antecedent", "7.34.05")),
    (
        re.compile(
            r"\bdepend\w*\b.{0,60}\b(?:cancel\w+|non-?existent|deleted|itself|not\s+exist|higher[\s-]numbered|not\s+present|missing)\b"
            r"|\b(?:cancel\w+|non-?existent|itself)\b.{0,40}\bdepend\w*"
            r"|\bdepend\w*\b.{0,40}\bimproper|improper\s+(?:multiple\s+)?dependent|improper\s+dependen|fail\w*\s+to\s+further\s+limit|not\s+further\s+limit"
            r"|multiple\s+dependent\s+claim.{0,60}\b(?:cannot|should|must|not|another|improper)\b"
            r"|fail\w*\s+to\s+include\s+all\s+the\s+limitations|unclear\b.{0,60}\bdepend(?:s|ent|ency)?\b.{0,30}\bclaim"
            r"|refer\w*\s+to\s+(?:a\s+)?(?:cancel\w+|non-?existent)",
            I,
        ),
        Reason("dependency", "7.36"),
    ),
    (
        re.compile(
            r"relative\s+(?:term|phrase|language|terminology)|term\s+of\s+degree|requisite\s+degree|subjective\s+(?:term|determination)",
            I,
        ),
        Reason("ambiguity", "7.34.03"),
    ),
    (
        re.compile(
            r"following\s+the\s+phrase\s+are\s+part|\"?(?:for\s+example|such\s+as|e\.g\.?|i\.e\.?|in\s+particular|preferably|optionally|for\s+instance|exempl\w+)\W.{0,60}\b(?:render|indefinite|unclear)\w*|exemplary\s+(?:claim\s+)?(?:language|limitation)",
            I,
        ),
        Reason("ambiguity", "7.34.08"),
    ),
    (
        re.compile(r"or\s+the\s+like\W.{0,60}\brender|elements\s+not\s+actually\s+disclosed", I),
        Reason("ambiguity", "7.34.09"),
    ),
    (
        re.compile(
            r"broad(?:er)?\s+(?:recitation|range|limitation)|narrower\s+(?:statement|range|recitation|limitation)",
            I,
        ),
        Reason("ambiguity", "7.34.04"),
    ),
    (re.compile(r"\b(?:trademark|trade\s?name|trade\s+mark)\b", I), Reason("ambiguity", "7.35.01")),
    (
        re.compile(
            r"omitting\s+essential|essential\s+(?:structural\s+cooperative|steps?|elements?)|gap\s+between\s+the",
            I,
        ),
        Reason(OTHER, "7.34.12"),
    ),
    (
        re.compile(
            r"fails?\s+to\s+(?:clearly\s+link|disclose\s+(?:the\s+)?(?:corresponding|sufficient)|set\s+forth\s+(?:the\s+)?corresponding)|corresponding\s+structure|invokes?\s+35\s+U",
            I,
        ),
        Reason(OTHER, "7.34.18"),
    ),
    (
        re.compile(
            r"provides?\s+for\s+the\s+use\s+of|does\s+not\s+set\s+forth\s+any\s+steps|which\s+(?:the\s+)?applicants?\s+regards?\s+as\s+(?:their|his)\s+invention\.\s+Evidence",
            I,
        ),
        Reason(OTHER, "7.34.15"),
    ),
    (
        re.compile(
            r"contradict\w*|mutually\s+exclusive|inconsistent\s+with|conflict\w*\s+with|impossible|cannot\s+(?:both|simultaneously)|(?:outside|beyond|broader\s+than|wider\s+than|exceed\w*)\s+(?:of\s+)?(?:the\s+)?(?:range|scope|limit\w*)\b.{0,40}\bclaim",
            I,
        ),
        Reason("logical", ""),
    ),
    (
        re.compile(
            r"literal\s+translation|grammatical\w*|idiomatic|(?:single|one)\s+sentence|end\w*\s+(?:with|in)\s+a\s+period|missing\s+(?:a\s+)?(?:period|punctuation|comma|word)|punctuat\w+|typographical|misspell\w*|narrative\s+in\s+form",
            I,
        ),
        Reason("syntax", "7.34.07"),
    ),
    (
        re.compile(
            r"\bunclear\b|not\s+clear|\bindefinite\b|\bambiguous\b|\bambiguity\b|\bvague\w*|\bconfus\w+|metes\s+and\s+bounds|unascertainable|cannot\s+(?:be\s+)?(?:ascertain|determin)\w*|\bundefined\b|not\s+(?:well[\s-])?defined|\buncertain\w*|lacks?\s+clarity|omnibus|included\s+or\s+excluded|improper\s+Markush|do(?:es)?\s+not\s+make\s+sense|not\s+underst\w+",
            I,
        ),
        Reason("ambiguity", "7.34.01"),
    ),
)
_BOILERPLATE = re.compile(
    r"(?:as\s+being\s+)?indefinite\s+for\s+failing\s+to\s+particularly\s+point\s+out.{0,260}?regards?\s+as\s+(?:the|his|her|their)\s+invention"
    r"|(?:as\s+being\s+)?indefinite\s+for\s+failing\s+to\s+particularly\s+point\s+out(?:\s+and\s+distinctly\s+claim)?",
    I,
)


def heading(sentence: str) -> Section | None:
    """The section that a heading at the head of the sentence, or in it, opens; None if there is none."""
    found = _HEADING.search(sentence)
    if found is None:
        return None
    if found["b"]:
        return Section.INDEFINITE
    return Section.OBJECTION if found["objection"] else Section.ASIDE


def rejected_under(sentence: str) -> Section | None:
    """The section that "… rejected under 35 U.S.C. …" opens; None if nothing is rejected so."""
    if not _REJECTED.search(sentence):
        return None
    statute = _STATUTE.search(sentence)
    if statute is None:
        return None
    if statute[1] != "112":
        return Section.ASIDE
    rest = statute["rest"]
    if _SECOND.search(rest):
        return Section.INDEFINITE
    if _FOURTH.search(rest):
        return Section.DEPENDENT_FORM
    if _FIRST.search(rest):
        return Section.ASIDE
    return Section.DEPENDENT_FORM if "further limit" in sentence else Section.INDEFINITE


def reason_of(sentence: str) -> Reason | None:
    """The gravest reason that the sentence words, formulas of rejection aside; None if it has none."""
    if _NO_REASON.search(sentence):
        return None
    said = _BOILERPLATE.sub(" ", sentence)
    return next((reason for pattern, reason in _REASONS if pattern.search(said)), None)


def rank(reason: Reason) -> int:
    """Order of the reasons within a statement that words several: the lowest stands for it."""
    return next(at for at, (_, other) in enumerate(_REASONS) if other == reason)


def depends_only(sentence: str) -> bool:
    """Whether claims are said to be rejected, or to be unclear, for what they depend on."""
    return bool(_DEPENDS_ONLY.search(sentence))


def objects(sentence: str) -> bool:
    """Whether claims are objected to for a defect, and not for depending on a rejected claim alone."""
    return bool(_OBJECTED.search(sentence)) and not _ALLOWABLE.search(sentence)


def allows(sentence: str) -> bool:
    """Whether claims are called allowable but for the claim that they depend on."""
    return bool(_ALLOWABLE.search(sentence))


def takes_back(sentence: str) -> bool:
    """Whether a rejection or an objection is withdrawn."""
    return bool(_WITHDRAWN_REJECTION.search(sentence))


def leaves_unexamined(sentence: str) -> bool:
    """Whether claims are withdrawn from consideration."""
    return bool(_UNEXAMINED.search(sentence))


def interprets(sentence: str) -> bool:
    """Whether the sentence only says how a claim is read, or what to do about it."""
    return bool(_INTERPRETS.search(sentence))
