"""Assigns the quotations in a sentence to the claims that the sentence is about.

"Claim 2, which depends from claim 1, recites "the hub"" is about claim 2. Quotation marks may be missing if a
form paragraph says what is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ace_lab.rejections.wording import Mention, mentions, quotations

_PHRASE_WORDS = 4

_SPEAKS_ON = re.compile(
    r"\W*(?:(?:however|therefore|thus|accordingly|here|as\s+such|since|because|hence)\b\W*)*"
    r"(?:it\s+is|it's|there\s+(?:is|are|appears|does)|this\b|these\b|that\s+is|such\b)",
    re.IGNORECASE,
)
_PARENT = re.compile(
    r"""\b(?:depend\w*\s+(?:directly\s+|indirectly\s+|either\s+directly\s+or\s+indirectly\s+)?(?:from|on|upon)
        |dependency\s+(?:from|on|upon)|(?:parent|base|rejected|previous|preceding)|deficienc(?:y|ies)\s+of|inherit\w*\s+from
        |(?:introduced|recited|defined|claimed|set\s+forth|mentioned|previously)\s+in|limitations?\s+of|scope\s+of|range\s+of
        |virtue\s+of|based\s+(?:up)?on|incorporat\w+\s+(?:\w+\s+){0,4}of|same\s+as|to\s+that\s+of|further\s+limit)
        \s*(?:an?\s+|the\s+|one\s+of\s+|any\s+of\s+|said\s+|rejected\s+|indefinite\s+|independent\s+|parent\s+|base\s+)*\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_LEAD = re.compile(
    r"""\A[\W\d]*(?:[(\[]?[a-z0-9]{1,4}[.):\]]\s*)*(?:(?:further(?:more)?|also|additionally|similarly|likewise|moreover|first(?:ly)?|second(?:ly)?|third(?:ly)?
        |lastly|finally|in\s+addition|specifically|however|still|and|next|then|more\s+specifically|in\s+particular|again|here|with|respect
        |regard|to|regarding|as|per|for|in|re|re:|on|of|at|lines?|ll?\.|[0-9-]+|last|first|second|regards|the|preamble|body|independent
        |dependent|each|both|instant|present|case|concerning|where|since|because|examples?|claim|limitations?|rejection)[\s,.:;-]+)*\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_VERB = re.compile(
    r"""\s*(?:[,(]?\s*(?:at\s+|in\s+|on\s+)?(?:lines?|ll?\.|page|p\.|paragraph|step|element|para\.)\s*\(?[0-9a-z]+\)?(?:\s*(?:-|and|,|to)\s*[0-9]+)*\s*\)?\s*,?\s*|,?\s*(?:also|further|each|both|currently|now|as\s+amended)\s+)*
        (?:,|:|-|;)?\s*(?:recit\w+|stat\w+|includ\w+|contain\w+|is\b|are\b|set\w*\s+forth|say\w*|claims\b|require\w*|the\s+(?:limitation|term|phrase|recitation)
        |depend\w*|refer\w*|provid\w+|disclos\w+|mention\w*|us(?:es|ing)\b|has\b|have\b|lack\w*|fail\w*|\"|')""",
    re.IGNORECASE | re.VERBOSE,
)
_AFTER_QUOTE = re.compile(
    r"[\s,(]*(?:as\s+)?(?:(?:recited|claimed|used|set\s+forth|stated|found|appearing|present|mentioned|both|each)\s+)?(?:(?:in|of|at|on|throughout)\s+"
    r"|\s*,?\s*(?:lines?|ll?\.)\s*[0-9]+(?:\s*(?:-|and|,|to)\s*[0-9]+)*\s*(?:in|of)?\s*"
    r"|(?:the\s+)?(?:preamble|body|last\s+line|first\s+line|independent|dependent|each|both|amended|step\s+\(?\w\)?)\s+(?:of\s+)?)*\Z",
    re.IGNORECASE,
)


def speaks_on(sentence: str) -> bool:
    """Whether the sentence continues about the last quotation: "It is unclear …", "There is …"."""
    return _SPEAKS_ON.match(sentence) is not None


def is_parent(sentence: str, mention: Mention) -> bool:
    """Whether the claims are only named as parents, or as the place of something else."""
    return _PARENT.search(sentence, 0, mention.start) is not None


def named_in(sentence: str) -> list[int]:
    """The numbers of the claims named in a sentence, parents left out."""
    found = (each for each in mentions(sentence) if not is_parent(sentence, each))
    return [number for each in found for number in each.claims]


def subjects_of(sentence: str, named: Sequence[Mention]) -> list[Mention]:
    """The mentions of the claims that the sentence is about."""
    quotes = quotations(sentence)
    found: list[Mention] = []
    for each in named:
        if any(quote.start < each.start < quote.end for quote in quotes) or is_parent(sentence, each):
            continue
        leads = _LEAD.match(sentence[: each.start]) is not None
        if leads or _VERB.match(sentence, each.end) or attached(sentence, each):
            found.append(each)
    outside = (each for each in named if not any(quote.start < each.start < quote.end for quote in quotes))
    return found or [each for each in outside if not is_parent(sentence, each)][:1]


def attached(sentence: str, mention: Mention) -> bool:
    """Whether a quotation stands right before: 'The term "about" in claim 3'."""
    ends = [quote.end for quote in quotations(sentence) if quote.end <= mention.start]
    return bool(ends) and _AFTER_QUOTE.match(sentence[ends[-1] : mention.start]) is not None


def pairs_of(
    sentence: str, named: Sequence[Mention], subjects: Sequence[Mention]
) -> list[tuple[tuple[int, ...], str]]:
    """Each quotation with its claims: those right after it, otherwise those last named before it."""
    found: list[tuple[tuple[int, ...], str]] = []
    for quote in quotations(sentence):
        after = [
            each
            for each in named
            if each.start >= quote.end and _AFTER_QUOTE.match(sentence[quote.end : each.start]) is not None
        ]
        before = [each for each in subjects if each.end <= quote.start]
        joined = [each for each in subjects if each.start >= quote.end]
        chosen = after[:1] or before[-1:] or joined[:1]
        found.append((chosen[0].claims if chosen else (), quote.words))
    return _joined(sentence, found)


def _joined(sentence: str, pairs: list[tuple[tuple[int, ...], str]]) -> list[tuple[tuple[int, ...], str]]:
    """In '"a" and "b" in claim 3', the first quotation is in claim 3 too."""
    if len(pairs) > 1 and not pairs[0][0]:
        later = next((claims for claims, _ in pairs if claims), ())
        return [(claims or later, words) for claims, words in pairs]
    return pairs


_RECITES = re.compile(
    r"recit\w+\s+(?:of\s+)?(?:the\s+)?(?:limitations?|phrases?|terms?|elements?|features?)\s*:?\s*\[?(?P<words>(?:the|said|an?|each|its|their|this|these)?\s*[^.;\[\]\"]{2,120}?)\]?"
    r"\s*(?:,?\s*(?:in|at|on)\s+(?:the\s+)?(?:lines?|claims?|ll?\.|last|first|second|preamble|body|its)\b|,\s*lines?\b|\(|\.\s|\.\Z|;|,\s+(?:but|which|however|there|and\s+there)\b|\bthere\s+is\b|\bwithout\b)",
    re.IGNORECASE,
)
_LACKS = re.compile(
    r"\b(?P<words>(?:the|said)\s+(?:[\w/-]+\s+){1,7}?)(?:(?:in|of|at)\s+(?:lines?|claims?)\s+[\d\s,and-]+)?\s*(?:has|have|lacks?|is\s+lacking|are\s+lacking|is\s+without|does\s+not\s+have|do\s+not\s+have|needs?)\b[^.]{0,40}antecedent",
    re.IGNORECASE,
)
_BASIS_FOR = re.compile(
    r"antecedent\s+basis\s+(?:in\s+the\s+claims?\s+)?for\s+(?:the\s+(?:limitations?|terms?|phrases?)\s+(?:of\s+)?)?(?P<words>(?:the|said)\s+[^.,;\"]{2,80}?)\s*(?:,|\.|;|\Z|\bin\s+(?:line|claim|the\s+claim)|\bof\s+claim|\brecited)",
    re.IGNORECASE,
)
_EMPTY_WORDS = re.compile(
    r"\A(?:the|said|this|these)\s+(?:claims?|limitations?|terms?|phrases?|above|following|elements?|features?)\b",
    re.IGNORECASE,
)
_TERM = re.compile(
    r"\b(?:the|a)\s+(?:terms?|phrases?)\s+(?P<words>[^.,;\"]{2,60}?)\s+(?:in|of|as\s+recited\s+in)\s+claims?\b",
    re.IGNORECASE,
)
_BROAD = re.compile(
    r"broad(?:er)?\s+(?:recitation|limitation|range)(?:\s+of)?\s*:?\s*(?P<words>[^;\"]{2,160}?),?\s+and\s+(?:the\s+claim|also|further)",
    re.IGNORECASE,
)


def unquoted_phrases(said: str) -> list[str]:
    """The phrase without antecedent basis, if there are no quotation marks."""
    for pattern in (_RECITES, _LACKS, _BASIS_FOR):
        found = [match["words"].strip(" ,.:;'[]()") for match in pattern.finditer(said)]
        found = [words for words in found if words and not _EMPTY_WORDS.match(words)]
        if found:
            return list(dict.fromkeys(found))
    return []


def unquoted_terms(said: str) -> list[str]:
    """The unclear term, if there are no quotation marks."""
    found = [match["words"].strip() for pattern in (_TERM, _BROAD) for match in pattern.finditer(said)]
    return list(dict.fromkeys(words for words in found if words))


def narrowed(pair: tuple[tuple[int, ...], str], pairs: Sequence[tuple[tuple[int, ...], str]]) -> bool:
    """Whether the quotation only gives the context of a shorter one for the same claims."""
    claims, quote = pair
    return any(
        claims == others and other != quote and other.casefold() in quote.casefold()
        for others, other in pairs
        if len(quote.split()) > _PHRASE_WORDS
    )


def may_lack_basis(quote: str) -> bool:
    """Whether the quotation can lack a basis, unlike an introduction such as "a lever"."""
    return re.match(r"an?\s", quote, re.IGNORECASE) is None
