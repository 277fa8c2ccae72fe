"""Words that do not fit together: doubled articles, transitions and verbs, a preposition, "to" or a verb lost, a
verb that does not agree with its subject, "a" for "an".

Each looks at few words, and only where grammar leaves no other reading.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from operator import attrgetter

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import COUNTED_TOGETHER, NO_NOUN
from ace.claims.findings import Fix, Flaw
from ace.claims.language.lexicon import NOUN_VERBS, OBJECT_OPENERS, VERBS
from ace.claims.language.noun_phrases import Determiner, WordClass, phrases_of, word_class_of
from ace.claims.language.words import is_plural, word_start, words_of

_MAX_REPORTED = 6


def ungrammatical(text: str) -> Iterator[Flaw]:
    """The first few places of a claim where words do not fit together.

    Signals: "article", "transition", "verbs", "prepositions", "participle", "to", "clause", "agreement", "an".
    """
    found = chain(
        _clashes(text), _participles(text), _without_to(text), _without_verb(text), _disagreements(text), _articles(text)
    )
    yield from islice(found, _MAX_REPORTED)


_CLASHES: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    (
        "article",
        "Two articles stand side by side",
        re.compile(
            r"(?<![\w-])(?:an?\sthe|(?:the|said)\san?(?=\s[a-z]{3})(?!\s(?:and|or|axis|value|direction|side|plane|dimension|type|level"
            r"|component|parameter|priori|posteriori)\b)|a\san|an\sa|said\sthe|the\s(?:its|their))(?=\s[a-z])"
        ),
    ),
    (
        "transition",
        "Two transitions stand side by side",
        re.compile(
            r"\b(?:compris(?:ing|es?)|includ(?:ing|es?)|consist(?:ing|s)\sof|contain(?:ing|s)|having)\s"
            r"(?:compris(?:ing|es?)|includ(?:ing|es)|consist(?:ing|s)\sof|containing|having)\b"
        ),
    ),
    (
        "verbs",
        "Two verbs stand side by side",
        re.compile(r"\b(?:is|are|was|were|has|have)\s(?:is|are|was|were|has|have|does|comprises?|includes?|contains?|consists?)\b(?!,)"),
    ),
    (
        "prepositions",
        "Two prepositions stand side by side",
        re.compile(r"(?<=\s)(?:to|with|from|by|for|in|on|at|into|onto)\sof\s(?=the|an?\b|said)|(?<=\s)(?:of|with|by|at|for)\sto\s(?=the|said)"),
    ),
)


def _clashes(text: str) -> Iterator[Flaw]:
    for signal, why, pattern in _CLASHES:
        for match in pattern.finditer(text):
            end = match.start() + len(match.group().rstrip())
            yield _flaw(match.start(), end, f"{why}: “{match.group().strip()}”.", signal)


def _flaw(start: int, end: int, why: str, signal: str, fix: Fix | None = None) -> Flaw:
    return Flaw(RULE["ungrammatical"], start, end, why, fix, (signal,))


_BOUND = r"connected|coupled|attached|secured|mounted|joined|fastened|affixed|disposed|located|positioned|situated"
_TO_NOTHING = re.compile(
    rf"(?P<before>(?<![\w-])[A-Za-z][\w-]*)\s(?P<be>(?:is|are|being|be|been)\s)?(?:[a-z]+ly\s)?(?P<done>{_BOUND})\s(?P<next>the|said|an?)\s(?P<noun>[a-z-]+)"
)
_INVERTS = re.compile(r"\b(?:which|there|whom|where|is|are|be|being|been|has|have|having|thereto|thereon|therein|not|to|and|or)\Z|ly\Z")
_FRONTED = re.compile(r"(?:[,;:]|\b(?:wherein|whereby|and|that))\s(?:to|on|in|at|between|within|over|under|above|below|from|around|adjacent|along|with|by|inside)\b[^,;:]{0,120}\Z")
_NO_OF = re.compile(
    r"\bconsisting(?=\s(?!of\b|essentially|solely|only|in\b|entirely|exclusively|substantially|mainly|at\b|predominantly"
    r"|primarily|either|respectively|or\b|and\b|merely|completely|wholly|basically|purely|mostly|either|largely|just|simply|therein|with\b|[a-z]+ly\b)\S)"
)
_THAT_DONE = re.compile(r"(?<!\bthan\s)(?<!\bto\s)(?<!\bas\s)(?<!\bfrom\s)(?<!\bwith\s)\b(?P<which>that|which)\s(?P<done>[a-z]+ed)\sby\s(?:the|an?|said|one|means)\b")
_PLACED = frozenset({"distance", "predetermined", "certain", "first", "given", "manner", "way", "short", "fixed", "same"})


def _participles(text: str) -> Iterator[Flaw]:
    """ "is connected the housing", "a rotor coupled the shaft"; not "on which is mounted a rotor"."""
    for match in _TO_NOTHING.finditer(text):
        before = match["before"].lower()
        if _INVERTS.search(before) or match["noun"] in _PLACED:
            continue
        if match["be"] is None and (before in NO_NOUN or match["next"] in {"a", "an"} and before.endswith("ly")):
            continue
        if _FRONTED.search(text[max(0, match.start() - 140) : match.start("before")]):
            continue
        why = f"A preposition is missing after “{match['done']}”."
        yield _flaw(match.start("done"), match.end("next"), why, "participle")
    for match in _NO_OF.finditer(text):
        yield _flaw(match.start(), match.end(), "“of” is missing after “consisting”.", "participle")
    for match in _THAT_DONE.finditer(text):
        why = f"A verb is missing after “{match['which']}”."
        yield _flaw(match.start(), match.end("done"), why, "relative")


_NO_TO = re.compile(
    r"(?<![\w-])(?P<before>[a-z]+)\s(?:further\s)?(?P<able>configured|adapted|operable|designed|configurable|operative|programmed|able|structured)"
    r"\s(?P<verb>[a-z]{3,})\s(?P<object>(?:the|an?|said|at|one|each|all|any)\s)?"
)


_BE = frozenset({"is", "are", "being", "be", "further"})


def _without_to(text: str) -> Iterator[Flaw]:
    """ "configured receive a signal"."""
    for match in _NO_TO.finditer(text):
        verb = match["verb"]
        if match["before"] in NO_NOUN and match["before"] not in _BE:
            continue
        if verb in VERBS or (verb in NOUN_VERBS and match["object"] is not None):
            why = f"“to” is missing before “{verb}”."
            fix = Fix(match.start("verb"), match.start("verb"), "to ")
            yield _flaw(match.start("able"), match.end("verb"), why, "to", fix)


_WHEREIN = re.compile(r"\bwherein,?\s(?P<clause>(?:the|said|each|an?)\s[^.;:]{0,400})")
_NEXT_WHEREIN = re.compile(r"\bwhere(?:in|by|as|upon)\b")
_HAS_VERB = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|does|do|did|can|may|must|will|shall|could|should|would|might|cannot|being|having|comprises?|includes?"
    r"|consists?|contains?|composed|[a-z]+ize|[a-z]+ify|[a-z]+ates?)\b|[=<>≤≥≦≧≠~∈≈±]|\bto\s[a-z]+\Z"
)
def _without_verb(text: str) -> Iterator[Flaw]:
    """ "wherein the rotor made of brass": no word of the clause can be its verb."""
    for match in _WHEREIN.finditer(text):
        clause = match["clause"]
        follows = _NEXT_WHEREIN.search(clause)
        if follows is not None:
            clause = clause[: follows.start()]
        elif not _CLAUSE_ENDS.match(text, match.end()) and not _CONFIGURED.search(clause):
            continue
        if _HAS_VERB.search(clause) or not _lacks_verb(text, match.start("clause"), clause):
            continue
        end = match.start("clause") + len(clause.rstrip(" ,.\n"))
        yield _flaw(match.start(), min(end, match.start() + 80), "This clause has no verb.", "clause")


_CONFIGURED = re.compile(r"\bconfigured\sto\Z")
_CLAUSE_ENDS = re.compile(r";|\.\s?\Z")
_VERBLESS = frozenset({WordClass.PARTICIPLE, WordClass.ING, WordClass.NUMBER, WordClass.AFTER_NOUN, WordClass.LY})
_AFTER_SUBJECT = frozenset({"a", "an", "the", "said", "about", "as", "at", "based", "comprising", "consisting", "between", "made", "on"})


def _lacks_verb(text: str, start: int, clause: str) -> bool:
    """Whether the subject at `start` is one thing, with no verb behind it nor later in the clause."""
    phrases, words = phrases_of(text), words_of(text)
    at = bisect_left(phrases, start, key=attrgetter("start"))
    if at == len(phrases) or phrases[at].start != start or phrases[at].last >= len(words):
        return False
    if phrases[at].several or any(map(is_plural, phrases[at].words)):
        return False
    after = words[phrases[at].last].lower
    if word_class_of(after) not in _VERBLESS and after not in _AFTER_SUBJECT:
        return False
    rest = text[phrases[at].end : start + len(clause)]
    return not _may_have_verb(rest)


def _may_have_verb(clause: str) -> bool:
    words = ["", *clause.lower().replace(",", " ,").split(), ","]
    return any(_may_be_verb(*around) for around in zip(words, words[1:], words[2:], strict=False))


def _may_be_verb(before: str, word: str, after: str) -> bool:
    """Whether the word may be the verb of one thing: a third person, or a word in "s" before what a verb governs."""
    kind = word_class_of(word)
    if kind in {WordClass.FINITE, WordClass.GLUED} or (kind is WordClass.MARK and word not in {",", "(", ")"}):
        return True
    governs = before.endswith("ly") or after in _GOVERNED or after.endswith("ly") or after[0].isdigit()
    return governs and kind in {WordClass.OPEN, WordClass.MAYBE_FINITE} and is_plural(word)


_GOVERNED = OBJECT_OPENERS | frozenset(
    "across along as around between beyond by down off on out over through toward towards under up with within".split()
)


_AGREES_ONE = frozenset({"are", "have", "were", "comprise", "include", "consist", "contain"})
_AGREES_MANY = frozenset({"is", "has", "was", "comprises", "includes", "consists", "contains"})
_COLLECTS = re.compile(r"\sof\s")
_OPENS_CLAUSE = frozenset({"wherein", "whereby", "that", ";", ":"})
_HEADS = frozenset({WordClass.OPEN, WordClass.NOUN_VERB})


def _disagreements(text: str) -> Iterator[Flaw]:
    """ "wherein the rotor are": the subject of a clause, one noun phrase, and its verb."""
    words = words_of(text)
    for phrase in phrases_of(text):
        if phrase.determiner < Determiner.INDEFINITE or phrase.last >= len(words):
            continue
        verb = words[phrase.last].lower
        if verb not in _AGREES_ONE and verb not in _AGREES_MANY:
            continue
        first = bisect_left(words, phrase.start, key=word_start)
        if not first or words[first - 1].lower not in _OPENS_CLAUSE or phrase.numeral:
            continue
        if _COLLECTS.search(text, phrase.start, phrase.end):
            continue
        if _disagrees(phrase.words, verb, several=phrase.determiner is Determiner.NUMBER):
            one = phrase.words[-1]
            if text[phrase.ends[-1] - 1].isupper():
                continue
            why = f"The verb “{verb}” does not agree with “{one}”."
            yield _flaw(phrase.ends[-1] - len(one), words[phrase.last].end, why, "agreement")


def _disagrees(phrase: Sequence[str], verb: str, *, several: bool) -> bool:
    head = phrase[-1]
    if several or head in COUNTED_TOGETHER or not head.isalpha() or len(head) < 4 or word_class_of(head) not in _HEADS:
        return False
    plural = is_plural(head)
    if plural:
        return verb in _AGREES_MANY and head[-1] == "s" and head[-2] not in "uis"
    return verb in _AGREES_ONE and head[-1] not in "sa" and not head.endswith(("ae", "i"))


_A_FOR_AN = re.compile(r"(?<![\w.'’/(-])(?P<article>a)\s(?=(?:[aio]|e(?!u|w))(?!ne\b|nce\b|ne-|ui)[a-z]{3,}\b(?![.\-][A-Z]))")
_AN_FOR_A = re.compile(r"(?<![\w.'’/(-])(?P<article>an)\s(?=[bcdfgjklmnpqrstvwyz]{1,3}[aeiouy][a-z]{2,}\b)")
_LETTER = re.compile(r"(?:[;:,(]|\b(?:step|steps|and|or|of|axis|is|=))\s?\Z|\A\Z")


def _articles(text: str) -> Iterator[Flaw]:
    """ "a apparatus", "an housing", by the first letters of lower-case words; "a" may be a label or a variable."""
    for pattern, right in ((_A_FOR_AN, "an"), (_AN_FOR_A, "a")):
        for match in pattern.finditer(text):
            word = text[match.end() :].split(None, 1)[0]
            if word[:3] in {"and", "are", "all"} or word in {"also", "each", "into", "over", "only"}:
                continue
            why = f"“{right}” and not “{match['article']}” stands before “{word.strip('.,;:)')}”."
            fix = Fix(match.start("article"), match.end("article"), right)
            yield _flaw(match.start(), match.end() + len(word.rstrip(".,;:)")), why, "an", fix)
