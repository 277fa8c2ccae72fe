"""Words that do not fit together: doubled articles, transitions or verbs, a lost preposition or "to", "a" for
"an".

Each looks at few words, and only where grammar leaves no other reading. predicates.py reads whole clauses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from ace.claims.checks.syntax.predicates import disagreements, without_verb
from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import NO_NOUN
from ace.claims.findings import Fix, Flaw
from ace.claims.language.lexicon import NOUN_VERBS, VERBS

_MAX_REPORTED = 6


def ungrammatical(text: str) -> Iterator[Flaw]:
    """The first few places of a claim where words do not fit together.

    Signals: "article", "transition", "verbs", "prepositions", "participle", "relative", "to", "clause",
    "agreement", "an".
    """
    found = chain(
        _clashes(text),
        _participles(text),
        _without_to(text),
        without_verb(text),
        disagreements(text),
        _articles(text),
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
        re.compile(
            r"\b(?:is|are|was|were|has|have)\s(?:is|are|was|were|has|have|does|comprises?|includes?|contains?|consists?)\b(?!,)"
        ),
    ),
    (
        "prepositions",
        "Two prepositions stand side by side",
        re.compile(
            r"(?<=\s)(?:to|with|from|by|for|in|on|at|into|onto)\sof\s(?=the|an?\b|said)|(?<=\s)(?:of|with|by|at|for)\sto\s(?=the|said)"
        ),
    ),
)


def _clashes(text: str) -> Iterator[Flaw]:
    for signal, why, pattern in _CLASHES:
        for match in pattern.finditer(text):
            if len(set(match.group().split())) == 1:
                continue  # a doubled word
            end = match.start() + len(match.group().rstrip())
            yield _flaw(match.start(), end, f"{why}: “{match.group().strip()}”.", signal)


def _flaw(start: int, end: int, why: str, signal: str, fix: Fix | None = None) -> Flaw:
    return Flaw(RULE["ungrammatical"], start, end, why, fix, (signal,))


_BOUND = (
    r"connected|coupled|attached|secured|mounted|joined|fastened|affixed|disposed|located|positioned|situated"
)
_TO_NOTHING = re.compile(
    rf"(?P<before>(?<![\w-])[A-Za-z][\w-]*)\s(?P<be>(?:is|are|being|be|been)\s)?(?:[a-z]+ly\s)?(?P<done>{_BOUND})\s(?P<next>the|said|an?)\s(?P<noun>[a-z-]+)"
)
_INVERTS = re.compile(
    r"\b(?:which|there|whom|where|is|are|be|being|been|has|have|having|thereto|thereon|therein|not|to|and|or)\Z|ly\Z"
)
_FRONTED = re.compile(
    r"(?:[,;:]|\b(?:wherein|whereby|and|that))\s(?:to|on|in|at|between|within|over|under|above|below|from|around|adjacent|along|with|by|inside)\b[^,;:]{0,120}\Z"
)
_NO_OF = re.compile(
    r"\bconsisting(?=\s(?!of\b|essentially|solely|only|in\b|entirely|exclusively|substantially|mainly|at\b|predominantly"
    r"|primarily|either|respectively|or\b|and\b|merely|completely|wholly|basically|purely|mostly|either|largely|just|simply|therein|with\b|[a-z]+ly\b)\S)"
)
_THAT_DONE = re.compile(
    r"(?<!\bthan\s)(?<!\bto\s)(?<!\bas\s)(?<!\bfrom\s)(?<!\bwith\s)\b(?P<which>that|which)\s(?P<done>[a-z]+ed)\sby\s(?:the|an?|said|one|means)\b"
)
_PLACED = frozenset(
    {"distance", "predetermined", "certain", "first", "given", "manner", "way", "short", "fixed", "same"}
)


def _participles(text: str) -> Iterator[Flaw]:
    """ "is connected the housing", "a rotor coupled the shaft"; not "on which is mounted a rotor"."""
    for match in _TO_NOTHING.finditer(text):
        before = match["before"].lower()
        if _INVERTS.search(before) or match["noun"] in _PLACED:
            continue
        if match["be"] is None and (
            before in NO_NOUN or (match["next"] in {"a", "an"} and before.endswith("ly"))
        ):
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


_A_FOR_AN = re.compile(
    r"(?<!\bthe\s)(?<![\w.'’/(-])(?P<article>a)\s"
    r"(?P<word>(?:[aio]|e(?!u|w))(?!ne\b|nce\b|ne-|ui)[a-z]{3,}\b(?![.\-][A-Z])(?:-[a-z]+)*)"
)
_AN_FOR_A = re.compile(
    r"(?<![\w.'’/(-])(?P<article>an)\s(?P<word>[bcdfgjklmnpqrstvwyz]{1,3}[aeiouy][a-z]{2,}\b(?:-[a-z]+)*)"
)


def _articles(text: str) -> Iterator[Flaw]:
    """ "a apparatus", "an housing", by the first letters of words in lower case."""
    for pattern, right in ((_A_FOR_AN, "an"), (_AN_FOR_A, "a")):
        for match in pattern.finditer(text):
            word = match["word"]
            if word[:3] in {"and", "are", "all"} or word in {"also", "each", "into", "over", "only"}:
                continue
            why = f"“{right}” and not “{match['article']}” stands before “{word}”."
            fix = Fix(*match.span("article"), right)
            yield _flaw(match.start(), match.end("word"), why, "an", fix)
