"""A choice outside the closed group that is chosen from: "water, ethanol and acetone", then "toluene"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import OUTSIDE_GROUP
from ace.claims.checks.logical.subjects import conditional, subject_before
from ace.claims.findings import Flaw
from ace.claims.language.tables import word_list
from ace.claims.language.words import lemma
from ace.claims.model import Claim
from ace.claims.reading import Reading

_GROUP = re.compile(
    r"""\s(?:(?:which|that)\s)?(?:(?:is|are|being)\s)?(?:selected|chosen)\sfrom\s(?:the|a)\sgroup
        \sconsisting\sof:?\s(?P<list>[^;.:()]{5,300}?)(?=\s?(?:[;.]|\Z|,?\s(?:and\s)?wherein\b))""",
    re.VERBOSE,
)
_PARTS = re.compile(r",\s?(?:and\s|or\s)?|\s(?:and|or)\s")
_MIXTURES = re.compile(r"(?:any\s)?(?:mixtures?|combinations?|blends?)(?:\sof\s.*|\sthere\s?of)?\Z")
_MEMBER = re.compile(r"(?:(?P<article>an?)\s)?[a-z][a-z-]{2,}(?:\s[a-z][a-z-]{2,})?\Z")
_TAKEN = re.compile(
    r"""\bwherein\s(?:the|said)\s(?P<noun>[a-z-]+(?:\s[a-z-]+){0,3}?)\sis
        \s(?P<what>(?:an?\s)?[a-z][a-z-]{3,}(?:\s[a-z-]{4,})?)\s?(?=[.;]|\Z)""",
    re.VERBOSE,
)
_MIN_MEMBERS = 2
_GENERA = word_list("logic", "genera")
# Names of substances: by these endings, which few adjectives have.
_SUBSTANCE = re.compile(
    r"""(?:[a-z]{2}ene|[a-z]{3}ane|[a-z]{3}(?:an|en)ol|[a-z]{2}ride|[a-z]{2}xide|phate|bonate|lfate|itrate|etate
        |[a-z]{3}one|ylate|ium|ulose|[a-z]ose|amine|amide|itrile|gen)\Z""",
    re.VERBOSE,
)
_NO_SUBSTANCE = word_list("logic", "no_substance")
_NAMED = word_list("logic", "substances")


@dataclass(frozen=True, slots=True)
class Group:
    """A closed group of names from which the thing of this name is selected."""

    noun: tuple[str, ...]
    members: tuple[str, ...]
    articles: bool


def outside_group(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Where the claim says that a thing is what its ancestors' group for it does not have."""
    if not claim.parents or (taken := _TAKEN.search(claim.text)) is None:
        return
    what = taken["what"]
    noun = tuple(lemma(word) for word in taken["noun"].split())
    if conditional(claim.text, taken.start("noun"), taken.end("noun"), taken.end()):
        return
    for ancestor in nearest_ancestors(reading, claim):
        of_noun = [group for group in _groups(reading, ancestor.text) if group.noun == noun]
        if not of_noun and re.search(rf"\b{re.escape(taken['noun'])}\s(?:is|comprises)\b", ancestor.text):
            return
        if len(of_noun) != 1:
            continue
        if _is_outside(what, of_noun[0]):
            why = (
                f"“{what}” is not in the group of claim {ancestor.number} ({', '.join(of_noun[0].members)})."
            )
            yield Flaw(OUTSIDE_GROUP, taken.start("noun"), taken.end("what"), why)
        return


@kept_with_set
def _groups(_reading: Reading, text: str) -> tuple[Group, ...]:
    found: list[Group] = []
    for match in islice(_GROUP.finditer(text), MAX_STATEMENTS):
        members = [part.strip().lower() for part in _PARTS.split(match["list"]) if part.strip()]
        members = [member for member in members if not _MIXTURES.match(member)]
        named = [_MEMBER.match(member) for member in members]
        subject = subject_before(text, match.start(), through=frozenset())
        if subject is None or len(members) < _MIN_MEMBERS or not all(map(_single, members)) or None in named:
            continue
        articles = all(match_ is not None and match_["article"] for match_ in named)
        found.append(Group(subject.words, tuple(members), articles))
    return tuple(found)


def _single(member: str) -> bool:
    """Whether a name is of one thing and not of a genus."""
    head = member.split()[-1]
    return _MEMBER.match(member) is not None and head not in _GENERA and lemma(head) == head


def _is_outside(what: str, group: Group) -> bool:
    name = what.split()
    article = name[0] in {"a", "an"}
    if article:
        name = name[1:]
    head = name[-1]
    if article != group.articles or head in _GENERA or not name:
        return False
    if not article and not _is_substance(head):
        return False
    beginnings = {word[:4] for member in group.members for word in member.split()}
    return (
        len(name) <= 2
        and not any(word[:4] in beginnings for word in name)
        and not any(head in member or member.split()[-1] in head for member in group.members)
    )


def _is_substance(word: str) -> bool:
    return word in _NAMED or (_SUBSTANCE.search(word) is not None and word not in _NO_SUBSTANCE)
