"""Things added, without the word "further", to what "consisting of" has closed: "the kit of claim 1,
including a spoon", "a dye is added to the paste" (MPEP 2111.03 II).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

from ace.claims.checks.logical.chain import MAX_STATEMENTS, nearest_ancestors
from ace.claims.checks.logical.rules import CLOSED_THEN_OPENED
from ace.claims.checks.logical.statements import at_times, statements
from ace.claims.checks.logical.subjects import conditional, subject_before
from ace.claims.checks.logical.transitions import body_of, closed_parts, closes, openings
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import ACTS, INHERENT, PROPERTIES, THINGS
from ace.claims.language.materials import MATERIALS
from ace.claims.language.noun_phrases import Determiner, Phrase, WordClass, phrases_of, word_class_of
from ace.claims.language.tables import word_list
from ace.claims.language.words import lemma
from ace.claims.model import Claim
from ace.claims.reading import Reading

_REFERRED = re.compile(
    r"\bclaims?\s[0-9]{1,4}\s?,?\s(?:and\s)?(?:further\s|additionally\s|also\s)?(?P<how>comprising|including|containing"
    r"|having|together\swith|in\scombination\swith|with|provided\swith|equipped\swith|consisting\sof|plus|and)\s",
    re.IGNORECASE,
)
_PUT_IN = re.compile(
    r"\s(?:is|are)\s(?:also\s|further\s|additionally\s)?(?:added\sto|present\sin|included\sin|contained\sin|mixed\sinto"
    r"|dispersed\sin|attached\sto|incorporated\sinto)\s(?P<whole>(?:the|said)\s[a-z-]+(?:\s[a-z-]+){0,3}?)(?=\s?[.,;]|\Z)"
)
_HAVING = word_list("possessions", "having")
_ALSO = re.compile(
    r"\s(?:is|are)\s(?:also|additionally|further)\s(?:added|arranged|attached|disposed|included|mounted|present|provided)\b"
)
_SURE = frozenset(
    {
        *("and", "comprising", "consisting of", "containing", "equipped with", "including", "plus"),
        *("provided with", "together with"),
    }
)
_NEW = frozenset({Determiner.INDEFINITE, Determiner.NUMBER, Determiner.NONE})


def added_things(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The first thing that the claim adds to what itself or an ancestor has closed."""
    ancestors = nearest_ancestors(reading, claim)
    if not any(closes(each.text) for each in (claim, *ancestors)):
        return
    if next(openings(reading, claim), None) is not None:
        return  # told by its "further"
    for name, phrase, of_whole in _added(reading, claim.text):
        holder = _closing(reading, claim, ancestors, name, phrase, of_whole)
        if holder is None:
            continue
        where = "the claim" if holder is claim else f"claim {holder.number}"
        why = f"“consisting of” closes {where}, so nothing can be added to it."
        signals = ("same_claim" if holder is claim else "inherited", "named")
        yield Flaw(CLOSED_THEN_OPENED, phrase.start, phrase.end, why, signals=signals)
        return


def _added(reading: Reading, text: str) -> Iterator[tuple[tuple[str, ...], Phrase, bool]]:
    """To what something is added, the phrase that names it, and whether that is the claimed thing."""
    referred = _REFERRED.search(text)
    if referred is not None:
        phrase = _phrase_at(text, referred.end())
        if phrase is not None and _is_thing(phrase, sure=referred["how"].lower() in _SURE):
            yield (), phrase, True
    yield from _put_in(text)
    for said in statements(reading, text):
        if said.verb not in _HAVING or said.negated or said.scope or not said.subject.definite:
            continue
        phrase = _phrase_at(text, text.find(" ", said.end - len(" ".join(said.complement)) - 1) + 1)
        sure = said.verb in {"comprise", "contain", "include"}
        if phrase is not None and _is_thing(phrase, sure=sure) and not at_times(text, said):
            yield (*said.subject.words, *said.subject.of), phrase, False


def _put_in(text: str) -> Iterator[tuple[tuple[str, ...], Phrase, bool]]:
    """The same of what is put into something or there in addition: "a dye is added to the paste"."""
    for match in islice(_PUT_IN.finditer(text), MAX_STATEMENTS):
        phrase = _phrase_ending(text, match.start())
        if phrase is None or not _is_thing(phrase, sure=True):
            continue
        if not conditional(text, phrase.start, phrase.end, match.end()):
            yield tuple(lemma(word) for word in match["whole"].split()[1:]), phrase, False
    for match in islice(_ALSO.finditer(text), MAX_STATEMENTS):
        phrase = _phrase_ending(text, match.start())
        if phrase is not None and _is_thing(phrase, sure=True):
            yield (), phrase, True


def _closing(
    reading: Reading,
    claim: Claim,
    ancestors: tuple[Claim, ...],
    name: tuple[str, ...],
    phrase: Phrase,
    of_whole: bool,
) -> Claim | None:
    """The claim that closes what the phrase is added to and does not name it."""
    own = body_of(reading, claim.text)
    for holder in (claim, *ancestors):
        body = body_of(reading, holder.text)
        end = phrase.start if holder is claim else len(holder.text)
        whole = of_whole or (name and name[-1] == own.head and set(name) <= set(own.name))
        closed = whole and body.closed and body.head == own.head and body.start < end
        if not closed and not any(
            name == part and at <= end for part, at in closed_parts(reading, holder.text)
        ):
            continue
        return None if _is_named(holder.text[:end], phrase) else holder
    return None


def _is_named(text: str, phrase: Phrase) -> bool:
    """Whether a text speaks of any word of the phrase."""
    lower = text.lower()
    if word_class_of(phrase.words[0]) is WordClass.ORDINAL:
        return " ".join(phrase.words) in lower
    return any(lemma(word)[:_STEM] in lower for word in phrase.words)


_STEM = 5
"""Letters of a word by which its other forms are known."""


def _is_thing(phrase: Phrase, *, sure: bool) -> bool:
    """Whether a phrase names a new thing, and not a property of what is there."""
    head = lemma(phrase.words[-1])
    if phrase.determiner not in _NEW or head in PROPERTIES or head in INHERENT or head in ACTS:
        return False
    if phrase.determiner is Determiner.NONE and not (sure and head in MATERIALS):
        return sure and phrase.several
    return head in THINGS or (sure and not head.endswith(_OF_PROPERTIES))


_OF_PROPERTIES = ("ity", "ness", "ation", "ance", "ence", "th", "ing", "form", "shape", "ment")


def _phrase_at(text: str, start: int) -> Phrase | None:
    phrases = phrases_of(text)
    index = bisect_left(phrases, start, key=_start)
    if index < len(phrases) and phrases[index].start == start:
        return phrases[index]
    before = phrases[index - 1] if index else None
    if before is None or len(before.words) < 2 or before.ends[0] + 1 != start:
        return None  # "containing nickel", read as one phrase
    return before._replace(start=start, words=before.words[1:], ends=before.ends[1:], cuts=())


def _phrase_ending(text: str, end: int) -> Phrase | None:
    subject = subject_before(text, end, through=frozenset())
    return _phrase_at(text, subject.start) if subject is not None and not subject.of else None


def _start(phrase: Phrase) -> int:
    return phrase.start
