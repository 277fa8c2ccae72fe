"""Syntax: informalities that an examiner objects to (37 CFR 1.75(a) and (i); MPEP 608.01(m)).

A conjunction, a word or a label lost, doubled, misplaced or misspelt. Every edit is of one place. They
serve to fit confidences; no data set is built with them yet.
"""

import re
from collections.abc import Callable
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edit_sites import spliced
from ace_lab.injectors.edits import Injection, Injector, Lexicon

LABEL = "syntax"
_MARGIN = 12
_OTHER_NUMBER = {"is": "are", "has": "have", "comprises": "comprise", "includes": "include"}
_FREQUENT = re.compile(r"(?<=\s)(?:comprising|wherein|according|configured|plurality|connected)(?=[\s:,])")
_WORD = re.compile(r"(?<=\s)[a-z]{6,}(?=[\s,;])")
_LABEL = re.compile(r"(?<=[;:,]\s)(?:and\s)?\(?(?P<label>[b-h])\)(?=\s)")
_MIN_TIMES = 4


def _everywhere(
    name: str, pattern: str, piece: Callable[[re.Match[str], Random], str], margin: int = 0
) -> Injector:
    """An injector that replaces one match of the pattern; the defect is `margin` wider on either side."""
    places = re.compile(pattern)

    def inject(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
        found = list(places.finditer(claim.text))
        if not found:
            return None
        place = rng.choice(found)
        written = piece(place, rng)
        edited = spliced(claims, claim, *place.span(), written, LABEL, name)
        start, end = max(0, place.start() - margin), place.start() + len(written.rstrip()) + margin
        end = min(end, len(edited.claims[claim.number].text))
        return Injection(edited.claims, claim.number, LABEL, name, start, end)

    inject.__name__ = name
    return inject


conjunction_dropped = _everywhere(
    "conjunction_dropped", r"; (?:and|or) (?=[^;]+\.$)", lambda *_: "; ", _MARGIN
)
group_unjoined = _everywhere(
    "group_unjoined",
    r"(?<=consisting of )(?P<items>(?:[a-z -]{2,30}, )+?[a-z -]{2,30}),? (?:and|or) ",
    lambda found, _: f"{found['items']}, ",
    _MARGIN,
)
conjunction_early = _everywhere(
    "conjunction_early", r"; (?=(?!and|or|where)[a-z]+ [^;]*;[^;]*; and )", lambda *_: "; and ", 2
)
limb_broken = _everywhere(
    "limb_broken",
    r"(?<=\s)(?P<kept>(?:of|to|with|in|on) (?:the|an?)) [a-z -]{3,40}(?=;)",
    lambda found, _: found["kept"],
)
preposition_lost = _everywhere(
    "preposition_lost",
    r"(?<=[a-z] )(?P<done>connected|coupled|attached|mounted|secured|disposed|consisting) (?:to|on|of|in) ",
    lambda found, _: f"{found['done']} ",
    2,
)
infinitive_lost = _everywhere(
    "infinitive_lost", r"(?P<able>configured|adapted|operable) to ", lambda found, _: f"{found['able']} ", 4
)
verb_lost = _everywhere(
    "verb_lost",
    r"wherein the (?P<subject>(?:[a-z]+ ){1,3})(?:is|comprises|has|includes) (?=[a-z]+ed|an?\b|the\b)",
    lambda found, _: f"wherein the {found['subject']}",
    2,
)
verb_doubled = _everywhere(
    "verb_doubled",
    r"(?<= )(?P<verb>is|are) (?=[a-z]+ed )",
    lambda found, rng: f"{found['verb']} {rng.choice(('has', 'comprises'))} ",
)
transition_doubled = _everywhere(
    "transition_doubled",
    r" comprising(?=:? )",
    lambda _, rng: f" comprising {rng.choice(('including', 'having'))}",
)
article_doubled = _everywhere(
    "article_doubled",
    r"(?<= )(?:the|an?) (?=[a-z]{4,})",
    lambda _, rng: rng.choice(("a the ", "the a ", "said the ")),
)
article_lost = _everywhere(
    "article_lost",
    r"(?P<kept> (?:wherein|in|on|to|into|with|comprises|includes) )(?:the|an?) "
    r"(?=[a-z]{4,}(?: [a-z]{4,})? ?(?:is|has|comprises|,|;|\.))",
    lambda found, _: found["kept"],
    20,
)
transition_with_of = _everywhere(
    "transition_with_of",
    r"(?<=[a-z] )(?P<opens>comprising|comprises|including|includes) (?=an?\b|the\b)",
    lambda found, _: f"{found['opens']} of ",
)
article_before_plural = _everywhere(
    "article_before_plural",
    r"(?<=\s)(?:a plurality of|two|three|several) (?=[a-z]{4,}s[,;.\s])",
    lambda *_: "a ",
    12,
)
wrong_article = _everywhere(
    "wrong_article",
    r"(?<= )(?P<article>an?) (?=[a-z]{4,})",
    lambda found, _: "a " if found["article"] == "an" else "an ",
    4,
)
disagreement = _everywhere(
    "disagreement",
    r"(?<=wherein the )(?P<subject>[a-z]+(?<!s)) (?P<verb>is|has|comprises|includes) ",
    lambda found, _: f"{found['subject']} {_OTHER_NUMBER[found['verb']]} ",
)


def misspelt(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A letter of a frequent word is lost, doubled or swapped with the next."""
    whole = " ".join(each.text for each in claims).split()
    words = [word for word in _WORD.finditer(claim.text) if whole.count(word.group()) >= _MIN_TIMES]
    words += list(_FREQUENT.finditer(claim.text))
    if not words:
        return None
    place = rng.choice(words)
    word, at = place.group(), rng.randrange(1, len(place.group()) - 2)
    slips = (
        word[:at] + word[at + 1 :],
        word[: at + 1] + word[at:],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    )
    piece = rng.choice([slip for slip in slips if slip != word])
    return spliced(claims, claim, *place.span(), piece, LABEL, "misspelt")


def label_skipped(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "b)" becomes "c)" or "a)"; a claim with fewer than three labels is left out."""
    labels = list(_LABEL.finditer(claim.text))
    if len(labels) < 2:
        return None
    place = rng.choice(labels)
    other = chr(ord(place["label"]) + rng.choice((1, 2)))
    return spliced(claims, claim, *place.span("label"), other, LABEL, "label_skipped")


INFORMALITIES: tuple[Injector, ...] = (
    conjunction_dropped,
    group_unjoined,
    conjunction_early,
    limb_broken,
    preposition_lost,
    infinitive_lost,
    verb_lost,
    verb_doubled,
    transition_doubled,
    article_doubled,
    article_lost,
    article_before_plural,
    transition_with_of,
    wrong_article,
    disagreement,
    misspelt,
    label_skipped,
)
"""Each is tried as often as any injector of `INJECTORS` when confidences are fitted."""
