"""A verb of a claim with what belongs to it: whether it is denied, how often it holds, and what follows it.

"never touches", "is arranged not to touch" and "is prevented from touching" all deny the verb "touch".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ace.claims.language.expressions import Expressions
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.tables import table, word_list
from ace.claims.language.verb_forms import base_of, gerund, third_person
from ace.claims.language.words import Word, is_plural

COPULAS = word_list("statements", "copulas")
_KEPT = word_list("statements", "kept")
_ABLE = Expressions((each, True) for each in table("statements")["able"].split())
_NOMINALS: dict[str, str] = table("statements")["nominals"]
_UNABLE = Expressions((each, True) for each in table("statements")["unable"].split())
AUXILIARIES = word_list("statements", "auxiliaries")
_ENDING = word_list("statements", "ending")
PARTICIPLES = word_list("statements", "participles")
QUALIFYING = word_list("statements", "qualifying")
PREPOSITIONS = word_list("logic", "prepositions")
_DENYING = frozenset({"not", "never"})
_LOOK_BACK_WORDS = 4
_MAX_COMPLEMENT = 24
_TIMES = frozenset({"during", "if", "when", "while"})
_PLAIN = word_list("statements", "adverbs")

FREQUENCIES: Expressions[str] = Expressions(
    (expression, how)
    for how, expressions in table("predicates")["frequency"].items()
    for expression in expressions.split()
)


@dataclass(slots=True)
class VerbGroup:
    """A verb with what belongs to it, as far as it is read."""

    verb: str
    at: int
    negated: bool = False
    able: bool = False
    frequency: str = ""
    adverbs: tuple[str, ...] = ()

    def take_frequency(self, how: str) -> None:
        """Takes up how often: "never" denies, and "not always" means sometimes."""
        if how == "never":
            self.negated = not self.negated
        elif how == "always" and self.negated:
            self.negated, self.frequency = False, "sometimes"
        else:
            self.frequency = how


def _outcome_verbs() -> Iterator[str]:
    for one, others in table("manners")["outcomes"].items():
        yield from (one, *others.split())


def _verb_forms() -> dict[str, str]:
    """Third person of each verb that the checks know, and its base form."""
    bases = set(
        word_list("statements", "having")
        | word_list("statements", "making_up")
        | word_list("relations", "standing")
    )
    bases.update(word_list("quantities", "acted"))
    for expressions in table("predicates")["acts"].values():
        bases.update(each.split("_")[0] for each in expressions.split())
    for section in ("opposed", "opposed_doing"):
        for one, others in table("predicates")[section].items():
            bases.update({one, *others.split()})
    bases.update(verb for verb in _outcome_verbs() if "_" not in verb)
    bases.update(word for word in word_list("manners", "done") if not word.endswith(("ed", "done", "n")))
    bases.update(word_list("manners", "going"))
    for poles in table("relations")["verbs"].values():
        bases.update(verb for verbs in poles.values() for verb in verbs.split())
    forms = {third_person(base): base for base in bases}
    return {**forms, "has": "have", "have": "have"}


VERB_FORMS = _verb_forms()
BASES = frozenset(VERB_FORMS.values())
GERUNDS = {gerund(base): base for base in BASES}
_PRESENT = {gerund(base): base for base in word_list("possessions", "having")}
BEGINNING = frozenset(
    {"never", *COPULAS, *AUXILIARIES, *PARTICIPLES, *QUALIFYING, *VERB_FORMS, *BASES, *_PRESENT}
)
"""Words with which a group of a verb may begin."""
_JOINED = (["of"], ["from"], ["to"], ["with"], ["by"], ["as"], ["in"], ["on"])
_OBJECT = frozenset(["a", "an", "at", "both", "each", "exactly", "no", "one", "only", "said", "the", "two"])
"""Words with which an object begins."""


def verb_group(words: Sequence[Word], at: int) -> VerbGroup | None:
    word = words[at].lower
    lowers = [each.lower for each in words[at : at + 16]]
    group = VerbGroup("be", at + 1)
    if word in VERB_FORMS and word not in COPULAS:
        group.verb = VERB_FORMS[word]
        return group
    if word in BASES or word in _PRESENT:
        return _plain_form(words, at, group)
    if word in PARTICIPLES or word in QUALIFYING:
        loose = word in QUALIFYING and lowers[1:2] not in _JOINED
        group.at = at
        return None if loose or (at and words[at - 1].lower in COPULAS) else group
    if word == "never":
        verb = lowers[1] if len(lowers) > 1 else ""
        if verb in VERB_FORMS or not verb.endswith("s"):
            return None
        group.verb, group.negated, group.at = base_of(verb), True, at + 2
        return group
    if word == "cannot":
        group.negated = group.able = True
    if word in AUXILIARIES:
        return _auxiliary(lowers, at, group)
    return _copula(lowers, at, 1, group)


def _plain_form(words: Sequence[Word], at: int, group: VerbGroup) -> VerbGroup | None:
    """ "(the pins) touch", "(pins each) having"."""
    word = words[at].lower
    each = at > 1 and words[at - 1].lower == "each"
    group.verb = word if word in BASES else _PRESENT[word]
    return group if (each or word in BASES) and _of_several(words, at - each) else None


def _of_several(words: Sequence[Word], at: int) -> bool:
    """Whether a plural stands before words[at], and an object follows: "the pins touch the frame"."""
    after = words[at + 1 : at + 3]
    objects = any(word.lower in _OBJECT for word in after)
    return at > 0 and objects and is_plural(words[at - 1 - (words[at - 1].lower == ",")].lower)


def _auxiliary(lowers: list[str], at: int, group: VerbGroup) -> VerbGroup | None:
    """ "does not", "can", "cannot" and the base form after them."""
    index = 1
    group.able = lowers[0].startswith("can")
    while index < len(lowers) and (lowers[index] in _DENYING or lowers[index].endswith("ly")):
        if lowers[index] in _DENYING:
            group.negated = True
        elif FREQUENCIES.at((lowers[index],)) is None:
            group.adverbs = (*group.adverbs, lowers[index])
        index += 1
    if lowers[index : index + 1] == ["be"]:
        return _copula(lowers, at, index + 1, group)
    if index >= len(lowers) or not lowers[index][0].isalpha():
        return None
    if lowers[index] not in BASES and word_class_of(lowers[index]) is WordClass.CLOSED:
        return None
    group.verb, group.at = lowers[index], at + index + 1
    return group


def _copula(lowers: list[str], at: int, index: int, group: VerbGroup) -> VerbGroup | None:
    """What follows "is": denials, adverbs, "arranged to", "prevented from"."""
    while index < len(lowers):
        able, unable = _ABLE.at(lowers, index), _UNABLE.at(lowers, index)
        meant = able or unable
        if meant is not None and _is_verb(lowers, meant[1]):
            group.able = True
            group.negated = group.negated != (unable is not None)
            return _arranged(lowers, at, meant[1], group)
        if lowers[index + 1 : index + 3] == ["not", "to"] and _ABLE.at((lowers[index], "to")) is not None:
            group.negated, group.able = not group.negated, True
            return _arranged(lowers, at, index + 3, group)
        following = _within(lowers, index, group)
        if following == index:
            break
        index = following
    group.at = at + index
    if index < len(lowers) and lowers[index] in GERUNDS:
        group.verb, group.at = GERUNDS[lowers[index]], at + index + 1
    return group


def _within(lowers: list[str], index: int, group: VerbGroup) -> int:
    """The index after a word that belongs to the group, or the same index if none does."""
    word = lowers[index]
    frequency = FREQUENCIES.at(lowers, index)
    if frequency is not None:
        group.take_frequency(frequency[0])
        group.adverbs = (*(each for each in group.adverbs if each != "only"), *_adverb(word))
        return frequency[1]
    if word in _DENYING:
        group.negated = not group.negated
    elif word in _PLAIN or word.endswith("ly"):
        group.adverbs = (*group.adverbs, word)
    elif lowers[index : index + 2] == ["to", "be"]:
        return index + 2
    elif word not in _KEPT or index + 1 >= len(lowers) or lowers[index + 1] in PREPOSITIONS:
        return index
    return index + 1


def _is_verb(lowers: list[str], index: int) -> bool:
    """Whether a verb may stand there: not "arranged to the left of"."""
    if index >= len(lowers):
        return False
    closed = word_class_of(lowers[index]) is WordClass.CLOSED
    return not closed or lowers[index] in {"be", "being", "have", "having", "not"}


def _adverb(word: str) -> tuple[str, ...]:
    """The adverb of frequency if it also says how: "permanently fixed to"."""
    return (word,) if word == "permanently" else ()


def _arranged(lowers: list[str], at: int, index: int, group: VerbGroup) -> VerbGroup | None:
    """The verb after "configured to" or "prevented from"."""
    while index < len(lowers) and (lowers[index] in _DENYING or lowers[index].endswith("ly")):
        group.negated = group.negated != (lowers[index] in _DENYING)
        index += 1
    if index >= len(lowers):
        return None
    if lowers[index] in {"be", "being"}:
        return _copula(lowers, at, index + 1, group)
    verb = _NOMINALS.get(lowers[index], lowers[index])
    group.verb, group.at = GERUNDS.get(verb, verb), at + index + 1
    return group


def complement_of(words: Sequence[Word], group: VerbGroup) -> tuple[tuple[str, ...], int, str]:
    """The words that belong to the verb, where they end, and what follows them."""
    found: list[str] = []
    at = group.at
    while at < len(words) and len(found) < _MAX_COMPLEMENT:
        word = words[at].lower
        if word in _ENDING and not (_to_and_fro(words, at) or _that_of(words, at) or _or_more(words, at)):
            break
        if not word[0].isalnum() and word not in "-%°":
            break
        found.append(word)
        at += 1
    only = next((i for i, word in enumerate(found[:-1]) if word == "only" and found[i + 1] in _TIMES), None)
    if found[-1:] == ["only"] and at < len(words) and words[at].lower in _TIMES:
        only = len(found) - 1
    if only is not None:
        found, at = found[:only], group.at + only
        group.take_frequency("sometimes")
    end = words[at - 1].end
    following = words[at].lower if at < len(words) else ""
    return tuple(_without_frequency(found, group)), end, following


def _to_and_fro(words: Sequence[Word], at: int) -> bool:
    """Whether words[at] is the "and" of "to and fro" or "back and forth"."""
    around = [word.lower for word in words[max(0, at - 1) : at + 2]]
    return around in (["to", "and", "fro"], ["back", "and", "forth"])


def _or_more(words: Sequence[Word], at: int) -> bool:
    """Whether words[at] is the "or" of "six or more", and not of "equal to or more than"."""
    after = [word.lower for word in words[at + 1 : at + 3]]
    return words[at].lower == "or" and after[:1] in _BOUNDING and after[1:] != ["than"]


_BOUNDING = (["fewer"], ["greater"], ["less"], ["more"])


def _that_of(words: Sequence[Word], at: int) -> bool:
    """Whether words[at] stands for what is compared: "(wider than) that of the lid"."""
    return [word.lower for word in words[at : at + 2]] == ["that", "of"]


def _without_frequency(found: list[str], group: VerbGroup) -> list[str]:
    """The words without those at their end that say how often, which the group takes."""
    for index in range(max(0, len(found) - 5), len(found)):
        said = FREQUENCIES.at(found, index)
        if said is not None and said[1] == len(found):
            only = found[index - 1] == "only" if index else False
            group.take_frequency(said[0])
            return found[: index - only]
    return found


def adverbs_before(words: Sequence[Word], at: int, group: VerbGroup) -> int:
    """Where the group begins once the adverbs before it are taken: "the lid [never] opens"."""
    left = at
    while left > 0 and at - left < _LOOK_BACK_WORDS:
        word = words[left - 1].lower
        found = FREQUENCIES.at((word,))
        if found is not None:
            group.take_frequency(found[0])
        elif word not in _PLAIN and not word.endswith("ly"):
            break
        else:
            group.adverbs = (word, *group.adverbs)
        left -= 1
    return left
