"""Attributes that are said in other words than "is" and an adjective: "rotates", "is fixed in place", "has a
square cross-section", "is assembled from two separate parts", "is open only at times".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ace.claims.checks.logical.chain import kept_with_set
from ace.claims.checks.logical.counting import counted_things, had
from ace.claims.checks.logical.stated_relations import RELATIONS
from ace.claims.checks.logical.statements import Statement, at_times, staged, statements
from ace.claims.checks.logical.subjects import DETERMINERS
from ace.claims.language.expressions import Expressions
from ace.claims.language.materials import MATERIALS
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.opposites import POLES
from ace.claims.language.tables import table, word_list
from ace.claims.reading import Reading

_TABLE = table("predicates")
_STATES = Expressions((each, word) for word, written in _TABLE["states"].items() for each in written.split())
_ACTS = Expressions((each, word) for word, written in _TABLE["acts"].items() for each in written.split())
_DENIED: dict[str, str] = _TABLE["denied"]
_MADE = word_list("statements", "made")
_FORMS = word_list("statements", "forms")
_OF_FORM = word_list("statements", "forms_of_the_whole")
_BODIES = word_list("statements", "bodies")
_PIECES = word_list("statements", "pieces")
_APART = word_list("statements", "apart")
_SEVERAL = word_list("statements", "several")
_NO_OBJECT = word_list("statements", "no_object")
_STUFF = word_list("logic", "stuff")
_LIMITING = word_list("logic", "relating")
_PREPOSITIONS = word_list("logic", "prepositions")
_WHOLLY = word_list("statements", "wholly")
_DOMAINS = word_list("logic", "domains")
_WEAK = word_list("logic", "weak_adverbs")
_STATES_OF = {("state",), ("position",), ("condition",), ("configuration",)}
_PARTICLES = {("off",), ("on",), ("out",), ("to",), ("into",)}
_NARROWING = {("of",), ("relative",)}
"""After an act, what is meant alone: "transmits light of one color", "rotates relative to the frame"."""
_UNLIMITED = {(), ("by",), ("for",), ("using",), ("without",)}


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """What a statement says of its subject: `word` in the respect `domain`, limited by `rest`."""

    statement: Statement
    word: str
    negated: bool
    domain: str
    rest: str
    conditional: bool
    staged: bool
    act: bool
    wholly: bool


class _Said(NamedTuple):
    """An attribute, the words of the complement that say it, and the respect."""

    word: str
    used: int
    domain: str = ""
    act: bool = False


@kept_with_set
def paraphrases(reading: Reading, text: str) -> tuple[Paraphrase, ...]:
    """The attributes of a text that its statements express in other words."""
    return tuple(_paraphrases(text, statements(reading, text)))


def _paraphrases(text: str, said: Sequence[Statement]) -> Iterator[Paraphrase]:
    for statement in map(_of_what_it_is_made, said):
        if statement.open_end or not _WEAK.isdisjoint(statement.adverbs):
            continue
        lacking = lacked_material(statement)
        if lacking:
            yield Paraphrase(statement, lacking, True, "", "", at_times(text, statement), False, False, True)
        for word, used, domain, act in _attributes(statement):
            negated = statement.negated
            if negated and word in _DENIED:
                word, negated = _DENIED[word], False
            left = statement.complement[used:]
            narrowed = act and left[:1] in _NARROWING
            rest = " ".join(left) if narrowed or not (act or left[:1] in _UNLIMITED) else ""
            yield Paraphrase(
                statement,
                word,
                negated,
                domain or _domain(statement),
                rest,
                at_times(text, statement),
                staged(text, statement),
                act,
                not _WHOLLY.isdisjoint(statement.adverbs),
            )


def _of_what_it_is_made(said: Statement) -> Statement:
    """ "a material of the lid is brass" as a statement on the lid: "is a brass"."""
    subject = said.subject
    if subject.words != ("material",) or subject.of[:1] != ("of",) or said.verb != "be":
        return said
    words = said.complement if said.complement[:1] in {("a",), ("an",)} else ("a", *said.complement)
    return replace(said, subject=replace(subject, words=subject.of[1:], of=()), complement=words)


def lacked_material(statement: Statement) -> str:
    """The material that the thing has none of: "contains no metal"; "" for none."""
    words, lacks = had(statement)
    counted = counted_things(words, lacks=lacks) if words is not None else None
    if counted is None or counted.high > 0 or len(counted.thing) != 1:
        return ""
    return counted.thing[0] if counted.thing[0] in MATERIALS else ""


def _domain(statement: Statement) -> str:
    return next((adverb for adverb in statement.adverbs if adverb in _DOMAINS), "")


def _attributes(statement: Statement) -> Iterator[_Said]:
    """What a statement says, affirmed or denied by its verb."""
    said = statement.complement
    if statement.verb == "be":
        yield from _states(statement)
    elif statement.verb == "have":
        yield from _shape(said)
    elif statement.verb in {"consist", "comprise"}:
        begin = _skip(said, 0, _WHOLLY)
        wholly = said[begin : begin + 1] == ("of",) if statement.verb == "consist" else begin > 0
        yield from _substance(said, begin + (statement.verb == "consist"), wholly)
        of = said[:1] == ("of",)
        yield from _pieces(said, 1 if of else 0, together=of)
    found = _ACTS.at((statement.verb, *(word for word in said if word != "only")))
    if found is not None and (said[:1] not in _PARTICLES or said[:2] == ("to", "and")):
        word, used = found
        if used > 1 or not _has_object(said):
            yield _Said(word, used - 1, act=True)


def _has_object(said: Sequence[str]) -> bool:
    """Whether a noun follows the verb: what moves is then another thing."""
    if not said or said[0] in _NO_OBJECT:
        return False
    kind = word_class_of(said[0])
    return kind is not WordClass.LY and (kind is not WordClass.CLOSED or said[0] in DETERMINERS)


def _states(statement: Statement) -> Iterator[_Said]:
    said = statement.complement
    with_adverb = (*statement.adverbs[-1:], *said)
    extra = len(with_adverb) - len(said)
    found = _STATES.at(with_adverb) if extra else None
    if found is None:
        found, extra = _STATES.at(said), 0
    if found is not None:
        used = found[1] - extra
        yield _Said(found[0], len(said) if said[used - 1] in _PREPOSITIONS else used)
    elif said and said[0] in _MADE:
        begin = _skip(said, 1, _WHOLLY | {"out", "up"})
        linked = said[begin : begin + 1] in {("of",), ("from",), ("as",), ("in",)}
        if linked:
            yield from _kind_of_stuff(said, begin + 1)
        yield from _substance(said, begin + 1, linked)
        yield from _pieces(said, begin + 1, together=linked)
    elif (
        said
        and said[0] in POLES
        and (len(said) == 1 or said[1] == "relative" or (said[1] in _LIMITING and not RELATIONS.at(said)))
    ):
        yield _Said(said[0], 1)
    elif (
        statement.frequency
        and said[:2] in {("in", "a"), ("in", "an")}
        and said[3:] in _STATES_OF
        and said[2] in POLES
    ):
        yield _Said(said[2], 4)
    elif said[:1] == ("of",):
        yield from _substance(said, 1, True)
    elif said[:1] in {("a",), ("an",)}:
        yield from _substance(said, 0, True)
        yield from _pieces(said, 0, together=True)


def _skip(said: Sequence[str], at: int, words: frozenset[str] | set[str]) -> int:
    while at < len(said) and said[at] in words:
        at += 1
    return at


def _substance(said: Sequence[str], at: int, linked: bool) -> Iterator[_Said]:
    """ "(made) of a stainless steel": the material at the end of a phrase that begins at said[at]."""
    at = _skip(said, at, {"a", "an", *_WHOLLY})
    rest = [word for word in said[at:] if word not in _STUFF or word in MATERIALS]
    if len(rest) == 2 and rest[0] in MATERIALS and rest[1] in _BODIES:
        rest.reverse()
    if linked and 0 < len(rest) <= 2 and rest[-1] in MATERIALS and len(said) - at <= 3:
        yield _Said(rest[-1], len(said))


def _kind_of_stuff(said: Sequence[str], at: int) -> Iterator[_Said]:
    """ "(made of) an electrically conductive material"."""
    at = _skip(said, at, {"a", "an", *_WHOLLY})
    domain = said[at] if at < len(said) and said[at] in _DOMAINS else ""
    at += bool(domain)
    if len(said) == at + 2 and said[at] in POLES and said[at + 1] in _STUFF:
        yield _Said(said[at], at + 2, domain)


def _shape(said: Sequence[str]) -> Iterator[_Said]:
    """ "(has) a square cross-section"."""
    at = _skip(said, 0, {"a", "an", "generally", "substantially"})
    if not 0 < at < len(said) - 1 or said[at] not in POLES:
        return
    if tuple(said[at + 1 : at + 3]) == ("cross", "section"):
        yield _Said(said[at], at + 3, "cross-section")
    elif said[at + 1] in _FORMS:
        yield _Said(said[at], at + 2, "" if said[at + 1] in _OF_FORM else said[at + 1])


_FIRST_OF_SEVERAL = {("a", "first"), ("a", "left"), ("a", "lower"), ("an", "upper")}


def _pieces(said: Sequence[str], at: int, *, together: bool) -> Iterator[_Said]:
    """ "(formed) as a single unitary piece", "(assembled) from two separate parts"."""
    count = said[at] if at < len(said) else ""
    end = next((i for i in range(at, min(at + 6, len(said))) if said[i] in _PIECES), None)
    if end is None or (said[end + 1 : end + 2] == ("of",)):
        return
    between = said[at:end]
    if together and said[at : at + 2] in _FIRST_OF_SEVERAL:
        yield _Said("multi-piece", len(said))
        return
    apart = not _APART.isdisjoint(between)
    if (count in _SEVERAL or said[at : at + 3] == ("a", "plurality", "of")) and (together or apart):
        yield _Said("multi-piece", len(said))
    elif together and (
        count == "one" or not {"single", "unitary", "one-piece", "monolithic"}.isdisjoint(between)
    ):
        yield _Said("one-piece", len(said))
