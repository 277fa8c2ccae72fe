"""A choice outside the closed group that is chosen from: "water, ethanol and acetone", then "toluene"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import OUTSIDE_GROUP
from ace.claims.checks.logical.subjects import clause_start, conditional, in_condition, subject_before
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import ADJECTIVAL, THINGS
from ace.claims.language.materials import MATERIALS, excluding
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.opposites import POLES, opposed
from ace.claims.language.tables import word_list
from ace.claims.language.words import lemma
from ace.claims.model import Claim
from ace.claims.reading import Reading

_GROUP = re.compile(
    r"""\s(?:(?:which|that)\s)?(?P<verb>(?:is|are|being)\s)?(?:(?:independently\s)?(?:selected|chosen)\sfrom|one\sof|(?<=\sis\s)either|(?<=\sare\s)either)\s
        (?P<grouped>(?:the|a)\sgroup\s(?:consisting|composed|made\sup)\sof:?\s)?(?P<list>[^;.:\n]{5,500}?)
        (?=\s?(?:[;.]|\Z|,?\s(?:and\s)?wherein\b|,?\s(?:and|but)\s(?:the|said)\s))""",
    re.VERBOSE,
)
_HINTS = ("selected", "chosen", "one of", " either")
"""One of these is in every group; quick to look for."""
_MADE_OF = re.compile(
    r"\s(?:(?:is|are|being)\s)?(?:made|formed|composed|constructed)\s(?:of|from)\s(?:an?\s)?\Z"
)
_PARENTHESIS = re.compile(r"\s?\([^()]{0,40}\)")
_PARTS = re.compile(r",\s?(?:and\s|or\s)?|\s(?:and|or)\s")
_MIXTURES = re.compile(r"(?:any\s|an?\s)?(?:mixtures?|combinations?|blends?)(?:\sof\s.*|\sthere\s?of)?\Z")
_OPEN = re.compile(
    r"\b(?:any|other|others|like|similar|thereof|derivatives?|analogs?|least|etc|substituted)\b"
)
_ARTICLE = re.compile(r"(?:an?|the)\s")
_TAKEN = re.compile(
    r"""\b(?:wherein|where|and|but|in\swhich)\s(?:the|said)\s(?P<noun>[a-z-]+(?:\s(?!of\b)[a-z-]+){0,3}?)
        (?:\sof\s(?:the|said)\s[a-z-]+(?:\s[a-z-]+){0,2}?)?
        \s(?:is(?:\s(?:made|formed|composed)\s(?:of|from))?|comprises|includes|consists\sof)
        \s(?P<what>(?:an?\s)?[a-z][a-z-]{2,}(?:\s[a-z-]{4,}){0,2}?)(?P<or>(?:,?\sor\s(?:an?\s)?[a-z][a-z-]{2,}(?:\s[a-z-]{4,})?)?)
        \s?(?=[.;,]|\Z|\sand\s(?:wherein|the|said)\b)""",
    re.VERBOSE,
)
_AS = re.compile(
    r"\bwherein\s(?P<what>(?:an?\s)?[a-z][a-z-]{2,}(?:\s[a-z-]{4,}){0,2}?)\s(?:is|serves\sas|is\sused\sas)\s(?:the|said)\s"
    r"(?P<noun>[a-z-]+(?:\s[a-z-]+){0,2})\s?(?=[.;,]|\Z)"
)
"""The thing as what is taken: "toluene is used as the solvent"."""
_NAME = r"[a-z-]{3,}+(?:\s(?!or\b)[a-z-]{3,}+){0,2}+"
_LISTED = re.compile(
    rf"""\b(?:the|said)\s(?P<noun>[a-z-]+(?:\s(?!of\b)[a-z-]+){{0,3}}?)\s(?:is|being)\s
        (?P<list>(?:an?\s)?{_NAME}(?:,\s(?:an?\s)?{_NAME}){{0,8}},?\sor\s(?:an?\s)?{_NAME})\s?(?=[.;,]|\Z)""",
    re.VERBOSE,
)
_OF = frozenset({"of"})
_LONGEST_MEMBER = 6
"""Words of a member's name; longer ones say more than a name."""
_MIN_MEMBERS = 2
_GENERA = word_list("logic", "genera")
# Names of substances: by these endings, which few adjectives have.
_SUBSTANCE = re.compile(
    r"""(?:[a-z]{2}ene|[a-z]{3}ane|[a-z]{3}(?:an|en)ol|[a-z]{2}ride|[a-z]{2}xide|phate|bonate|lfate|itrate|etate
        |[a-z]{3}one|ylate|ium|[a-z]{3}ite|ulose|[a-z]ose|amine|amide|itrile|gen)\Z""",
    re.VERBOSE,
)
_NO_SUBSTANCE = word_list("logic", "no_substance")
_NAMED = word_list("logic", "substances")
_COLOURS = word_list("logic", "colours")


@dataclass(frozen=True, slots=True)
class Group:
    """A closed group of names from which the thing of this name is selected, articles left off the names."""

    noun: tuple[str, ...]
    members: tuple[str, ...]
    articles: bool
    start: int
    end: int


def outside_group(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Where the claim says that a thing is what its own or its ancestors' group for it does not have."""
    holders = _holders(reading)
    ancestors = nearest_ancestors(reading, claim) if holders else ()
    if holders.isdisjoint(holder.number for holder in (claim, *ancestors)):
        return
    for noun, what, start, end in _choices(reading, claim.text):
        for holder in (claim, *ancestors):
            of_noun = [group for group in _groups(reading, holder.text) if group.noun == noun]
            if holder is claim:
                of_noun = [group for group in of_noun if group.end <= start]
            elif not of_noun and _said_otherwise(reading, holder.text, noun):
                break
            if len(of_noun) != 1:
                continue
            if _is_outside(what, of_noun[0]):
                named = ", ".join(of_noun[0].members)
                why = f"“{what}” is not in the group of claim {holder.number} ({named})."
                yield Flaw(OUTSIDE_GROUP, start, end, why)
            break


def _choices(reading: Reading, text: str) -> Iterator[tuple[tuple[str, ...], str, int, int]]:
    """(name of the thing, what it is said to be, where)."""
    for taken in islice(_TAKEN.finditer(text), MAX_STATEMENTS):
        if not conditional(text, taken.start("noun"), taken.end("noun"), taken.end()):
            noun = tuple(lemma(word) for word in taken["noun"].split())
            for part in filter(None, (taken["what"], taken["or"].removeprefix(",").removeprefix(" or "))):
                yield noun, part, taken.start("noun"), taken.end("or")
    for taken in islice(_AS.finditer(text), MAX_STATEMENTS):
        if not taken["what"].startswith(("the ", "said ")):
            yield tuple(lemma(word) for word in taken["noun"].split()), taken["what"], *taken.span("what")
    for group in _groups(reading, text):
        for member in group.members:
            at = text.lower().find(member, group.start)
            if at >= 0:
                article = "a " if group.articles else ""
                yield group.noun, article + member, at, at + len(member)


@kept_with_set
def _said_otherwise(_reading: Reading, text: str, noun: tuple[str, ...]) -> bool:
    """Whether a text says of the thing what it is without a group."""
    return re.search(rf"\b{re.escape(' '.join(noun))}\s(?:is|comprises)\b", text) is not None


@kept_with_set
def _holders(reading: Reading) -> frozenset[int]:
    """The claims that have a group."""
    return frozenset(claim.number for claim in reading.claims if _groups(reading, claim.text))


@kept_with_set
def _groups(_reading: Reading, text: str) -> tuple[Group, ...]:
    found = list(_listed(text)) if " or " in text else []
    if not any(hint in text for hint in _HINTS):
        return tuple(found)
    for match in islice(_GROUP.finditer(text), MAX_STATEMENTS):
        stated = match["verb"] is not None
        subject = subject_before(text, match.start(), through=_OF if stated else frozenset())
        group = _group((), match) if subject is not None else None
        if subject is None or group is None:
            continue
        found.append(replace(group, noun=subject.words))
        made = _MADE_OF.search(text, max(0, subject.start - 40), subject.start)
        owner = subject_before(text, made.start(), through=frozenset()) if made is not None else None
        if owner is not None:
            found.append(replace(group, noun=owner.words))
    return tuple(found)


def _listed(text: str) -> Iterator[Group]:
    """ "the solvent being water, ethanol or acetone"."""
    for match in islice(_LISTED.finditer(text), MAX_STATEMENTS):
        group = _group(tuple(lemma(word) for word in match["noun"].split()), match)
        limited = in_condition(text, match.start(), clause_start(text, match.start()))
        if group is not None and not limited and not any(map(_says_more, group.members)):
            yield group


def _group(noun: tuple[str, ...], match: re.Match[str]) -> Group | None:
    """The members that the match lists, or None if they are no names of single things."""
    written = _PARENTHESIS.sub("", match["list"]).lower()
    members = [part.strip() for part in _PARTS.split(written) if part.strip()]
    members = [member for member in members if not _MIXTURES.match(member)]
    if len(members) < _MIN_MEMBERS or not all(map(_single, members)):
        return None
    articles = all(_ARTICLE.match(member) for member in members)
    names = tuple(_ARTICLE.sub("", member, count=1) for member in members)
    plurals = all(map(_plural_thing, names))
    return Group(
        noun, tuple(map(lemma, names)) if plurals else names, articles or plurals, *match.span("list")
    )


def _single(member: str) -> bool:
    """Whether a name is of one thing and not of a genus."""
    words = member.split()
    head = words[-1]
    same_head = len(words) > 1 and head in _GENERA and word_class_of(words[-2]) is not WordClass.CLOSED
    return (
        len(words) <= _LONGEST_MEMBER
        and head[0].isalpha()
        and _OPEN.search(member) is None
        and (head not in _GENERA or same_head or member in MATERIALS)
        and (lemma(head) == head or _plural_thing(member))
    )


def _plural_thing(name: str) -> bool:
    """Whether a name is that of several things, each of which has it alone: "screws"."""
    return " " not in name and lemma(name) != name and lemma(name) in THINGS and lemma(name) not in _GENERA


def _is_outside(what: str, group: Group) -> bool:
    name = _ARTICLE.sub("", what, count=1).split()
    article = len(name) < len(what.split())
    if (
        not name
        or article != group.articles
        or len(name) > _LONGEST_MEMBER
        or " ".join(name) in group.members
    ):
        return False
    head = name[-1]
    heads = {member.split()[-1] for member in group.members}
    if heads == {head}:
        modifiers = name[:-1]
        others = [word for member in group.members for word in member.split()[:-1]]
        return bool(modifiers) and _all_differ(modifiers, others)
    if (known := _by_meaning(name, group)) is not None:
        return known
    if head in _GENERA or (not article and not _is_substance(head) and not _is_name(name, group)):
        return False
    return _all_differ(name, [word for member in group.members for word in member.split()])


def _by_meaning(name: list[str], group: Group) -> bool | None:
    """Whether the name is none of the members, by what is known of the words; None if nothing is."""
    head = name[-1]
    if {*name, *group.members} <= _COLOURS:
        return True
    if len(name) > 1:
        return None
    if {head, *group.members} <= MATERIALS:
        return all(excluding(head, member) for member in group.members)
    return True if all(opposed(head, member) for member in group.members) else None


def _all_differ(names: list[str], others: list[str]) -> bool:
    """Whether no word is, or may be another word for, one of the others."""
    return not any(_akin(name, other) for name in names for other in others)


def _akin(one: str, other: str) -> bool:
    if one in MATERIALS and other in MATERIALS and not excluding(one, other):
        return True
    shorter = min(len(one), len(other))
    common = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    return common >= max(_MIN_COMMON, _COMMON * shorter) or one in other or other in one


_MIN_COMMON = 4
_COMMON = 0.6
"""Share of the shorter word with which both begin, if they may mean the same: "ethanol", "ethane"."""


def _is_name(words: list[str], group: Group) -> bool:
    """Whether a word without article can only be a name, as the members of the group are."""
    words = [*words, *(member for member in group.members if " " not in member)]
    plain = all(word.replace("-", "").isalpha() for word in words)
    return plain and len(words) == len(group.members) + 1 and not any(map(_is_adjective, words))


def _is_adjective(word: str) -> bool:
    return (
        word in POLES
        or word in _COLOURS
        or word.endswith((*ADJECTIVAL, "ed", "ing", "able", "ible", "ful", "less", "ly", "ic", "ous"))
        or word_class_of(word) not in {WordClass.OPEN, WordClass.NOUN_VERB}
    )


def _says_more(member: str) -> bool:
    """Whether an alternative is no name: "attached to a wall", "open"."""
    words = member.split()
    return _is_adjective(words[-1]) or any(word_class_of(word) is WordClass.CLOSED for word in words)


def _is_substance(word: str) -> bool:
    known = word in _NAMED or word in MATERIALS
    return known or (_SUBSTANCE.search(word) is not None and word not in _NO_SUBSTANCE)
