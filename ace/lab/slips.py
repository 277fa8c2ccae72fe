"""Further injectors for the fit of confidences: defects that the gatekeeper's data set does not have.

In the same form as `injectors`, but not in its table, which is part of the identity of every data set
that was built with it. Without a defect that a rule can find, the fit knows its false alarms only.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from ace.claims.model import Claim, ClaimSet, Status
from ace.claims.references import parents_of
from ace.claims.terms import TERMS
from ace.claims.words import is_plural, lemma
from ace.lab.edits import Injection, Injector, Lexicon, chain_text, splice, with_text
from ace.lab.phrases import Phrase, article_for, definite, indefinite, occurs

_REFERENCE = re.compile(r"\bclaim (\d+)\b(?!\s*(?:,|or|and|to|through|-)\s*\d)")
_OPENING = re.compile(
    r"(An?|The)\s(?P<subject>[a-z][^,;:.]{1,60}?)\s(?:of|according to|as \w+ in)\s(?=claim \d+\b)"
)
_METHOD = re.compile(r"\b(?:method|process)\b", re.IGNORECASE)
_MARKS = ("Bakelite", "Formica®", "Lexan™", "Mylar", "Nomex®", "Orlon™")
_QUALITIES = ("rigid", "porous", "flexible", "opaque", "elastic", "conductive")
_MEASURES = ("strength", "width", "weight", "hardness", "depth", "stiffness")
_SUBSTANCES = ("steel", "brass", "glass", "copper", "rubber", "wood")
_GROUP = re.compile(r"(selected from (?:the|a) group) consisting of")
# What follows a whole noun phrase, rather than one that stops short ("the ferrule" of "the ferrule tip").
_ENDS = re.compile(
    r"[,;:.]|\s(?:is|are|has|have|to|in|on|and|or|with|from|for|by|at|that|which|comprises|includes|into|as)\b"
)
_SHARED_OUT = re.compile(r"\b(?:each|every|respective|one of|per|any)\b")
_LIMB = re.compile(r"; (?=(?:and )?(?:an? )?[a-z])")
_NEXT_STEP = re.compile(r"; (?=[a-z]+ing\s)")
_STEP = re.compile(
    r"(?<=[:;] )(?P<step>[a-z]+ing an? [^:;.]{5,}); (?P<next>(?!and )[a-z]+ing [^:;.]{5,})(?=[;.])"
)


def number_shifted(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "the levers", of which there was only ever one."""
    said = f"{chain_text(claims, claim.number)} {claim.text}"
    places = [
        phrase
        for phrase in _taken_up(claims, claim)
        if not phrase.head.endswith(("s", "y", "x", "h"))
        and not re.search(rf"\b{re.escape(phrase.head)}e?s\b", said)
        and not re.search(
            rf"\b(?:each|every|more|least one|plurality)\b[^,;]*\b{re.escape(phrase.head)}", said
        )
    ]
    return _replaced(claims, claim, rng, places, "antecedent", "number_shifted", lambda p: f"{p.text}s")


def one_of_several(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the levers" becomes "the lever", although "a plurality of levers" was introduced."""
    said = f"{chain_text(claims, claim.number)} {claim.text}"
    places = [
        phrase
        for phrase in definite(claim.text)
        if is_plural(phrase.words[-1])
        and re.search(rf"\b(?:plurality of|two|three|four) {re.escape(phrase.text)}\b", said)
        and not _SHARED_OUT.search(claim.text)
        and _ENDS.match(claim.text, phrase.end)
    ]
    return _replaced(
        claims,
        claim,
        rng,
        places,
        "antecedent",
        "one_of_several",
        lambda p: p.text[: len(p.text) - len(p.words[-1])] + lemma(p.words[-1]),
    )


def introduced_again(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "a lever", although a lever is there already."""
    places = _taken_up(claims, claim)
    if not places:
        return None
    phrase = rng.choice(places)
    piece = f"{article_for(phrase.text)} {phrase.text}"
    return _at(claims, claim, phrase.start, phrase.end, piece, "antecedent", "introduced_again")


def further_comprised(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A dependent claim ends in "further comprising a drive lever", although its parent has one."""
    parent = claims.get(claim.parents[0]) if _single(claim) and claim.text.endswith(".") else None
    names = [
        phrase.text
        for phrase in (indefinite(parent.text) if parent else ())
        if len(phrase.words) > 1 and phrase.text not in claim.text
    ]
    if not names:
        return None
    name = rng.choice(names)
    end, says, piece = len(claim.text) - 1, ", further comprising ", f"{article_for(name)} {name}"
    found = _at(claims, claim, end, end, f"{says}{piece}", "antecedent", "further_comprised")
    return replace(found, start=end + len(says))


def letter_dropped(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "the levr"."""
    places = [phrase for phrase in _taken_up(claims, claim) if len(phrase.head) >= 6]
    at = rng.randint(2, 4)
    return _replaced(
        claims,
        claim,
        rng,
        places,
        "antecedent",
        "letter_dropped",
        lambda p: p.text[: len(p.text) - at] + p.text[len(p.text) - at + 1 :],
    )


def ordinal_dropped(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the first lever" becomes "the lever", where there is a second one."""
    said = f"{chain_text(claims, claim.number)} {claim.text}".lower()
    places = [
        phrase
        for phrase in _taken_up(claims, claim)
        if phrase.words[0] in ("first", "second")
        and len(phrase.words) > 1
        and all(f"{ordinal} {' '.join(phrase.words[1:])}" in said for ordinal in ("first", "second"))
    ]
    return _replaced(
        claims, claim, rng, places, "antecedent", "ordinal_dropped", lambda p: " ".join(p.words[1:])
    )


def choice_of_parents(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """ "of claim 2" becomes "of claim 1 or 2", where claim 1 does not introduce "the lever"."""
    reference = _single(claim)
    parent = claims.get(claim.parents[0]) if claim.parents else None
    if reference is None or parent is None or len(parent.parents) != 1:
        return None
    above = parent.parents[0]
    piece = f"claim {above} or {parent.number}"
    text = splice(claim.text, reference.start(), reference.end(), piece)
    edited = with_text(claims, claim.number, text)
    holder = claims.get(above)
    without = f"{holder.text if holder else ''} {chain_text(claims, above)}"
    for phrase in definite(text):
        own = text[: phrase.start]
        lost = phrase.start > reference.end() and not occurs(phrase.head, f"{own} {without}")
        if lost and occurs(phrase.head, parent.text):
            return Injection(
                edited, claim.number, "antecedent", "choice_of_parents", phrase.start, phrase.end
            )
    return None


def parent_canceled(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """Claim 4 refers to claim 3, which is canceled."""
    reference = _single(claim)
    if reference is None or claims.get(claim.parents[0]) is None:
        return None
    gone = Claim(claim.parents[0], "", (), Status.CANCELED)
    edited = ClaimSet(tuple(gone if other.number == gone.number else other for other in claims))
    return Injection(edited, claim.number, "dependency", "parent_canceled", *reference.span())


def multiple_on_multiple(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """Claim 4 refers to "claim 2 or 3", and claim 3 to "claim 1 or 2"."""
    reference = _single(claim)
    parent = claims.get(claim.parents[0]) if claim.parents else None
    place = _single(parent) if parent else None
    if reference is None or parent is None or place is None or parent.number - parent.parents[0] < 2:
        return None
    low = parent.parents[0]
    several = splice(
        parent.text, place.start(), place.end(), f"any one of claims {low} to {parent.number - 1}"
    )
    edited = with_text(claims, parent.number, several)
    piece = f"claim {low} or {parent.number}"
    return _at(edited, claim, *reference.span(), piece, "dependency", "multiple_on_multiple")


def both_parents(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """ "of claim 2" becomes "of claims 1 and 2"."""
    reference = _single(claim)
    parent = claims.get(claim.parents[0]) if claim.parents else None
    if reference is None or parent is None or len(parent.parents) != 1:
        return None
    piece = f"claims {parent.parents[0]} and {parent.number}"
    return _at(claims, claim, *reference.span(), piece, "dependency", "both_parents")


def category_changed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "The pump of claim 1" becomes "The method of claim 1"."""
    opening = _OPENING.match(claim.text)
    parent = claims.get(claim.parents[0]) if len(claim.parents) == 1 else None
    if opening is None or parent is None:
        return None
    methods = [bool(_METHOD.search(text[:80])) for text in (opening["subject"], parent.text)]
    if methods[0] != methods[1]:
        return None
    subject = rng.choice(("assembly", "machine", "composition")) if methods[0] else "method"
    found = _at(claims, claim, *opening.span("subject"), subject, "dependency", "category_changed")
    return Injection(found.claims, claim.number, found.label, found.subtype, 0, found.end + 12)


def emptied(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """The claim ends after its reference: it adds nothing."""
    reference, opening = _single(claim), _OPENING.match(claim.text)
    if reference is None or opening is None or opening.end() != reference.start():
        return None
    text = f"{claim.text[: reference.end()]}."
    edited = with_text(claims, claim.number, text)
    return Injection(edited, claim.number, "dependency", "emptied", 0, len(text))


def range_missed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A clause gives something a measure twice, and the two do not meet."""
    places = _taken_up(claims, claim)
    if not places or not claim.text.endswith("."):
        return None
    name, low = rng.choice(places).text, rng.randint(3, 60)
    first, second = f"from {low} to {low * 2} cm", f"from {low * 3} to {low * 4} cm"
    stated = f"{claim.text[:-1]}, wherein the {name} has a depth of {first}."
    number = max(other.number for other in claims) + 1
    opening = _OPENING.match(claim.text)
    subject = opening["subject"] if opening else "subject matter"
    text = f"The {subject} of claim {claim.number}, wherein the depth is {second}."
    added = Claim(number, text, parents_of(text, number))
    edited = ClaimSet((*with_text(claims, claim.number, stated), added))
    start = text.index("wherein")
    return Injection(edited, number, "logical", "range_missed", start, len(text) - 1)


def steps_exchanged(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """ "casting a plate; drilling the plate" becomes "drilling the plate; casting a plate"."""
    for found in _STEP.finditer(claim.text):
        made = indefinite(found["step"])[:1]
        if made and occurs(made[0].head, found["next"]):
            piece = f"{found['next']}; {found['step']}"
            return _at(claims, claim, *found.span(), piece, "logical", "steps_exchanged")
    return None


def and_or(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever and a spring" becomes "a lever and/or a spring"."""
    places = [found.span(1) for found in re.finditer(r"[a-z] (and|or) (?:an? |the )[a-z]", claim.text)]
    return _at(claims, claim, *rng.choice(places), "and/or", "ambiguity", "and_or") if places else None


def group_opened(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "selected from the group consisting of" becomes "… comprising"."""
    places = list(_GROUP.finditer(claim.text))
    if not places:
        return None
    place = rng.choice(places)
    piece = f"{place[1]} {rng.choice(('comprising', 'including', 'containing'))}"
    return _at(claims, claim, *place.span(), piece, "ambiguity", "group_opened")


def trademark(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever" becomes "a Bakelite lever"."""
    places = [phrase for phrase in indefinite(claim.text) if phrase.start > 0]
    if not places:
        return None
    phrase, mark = rng.choice(places), rng.choice(_MARKS)
    piece = f"{article_for(mark)} {mark} {phrase.text}"
    return _at(claims, claim, phrase.start, phrase.end, piece, "ambiguity", "trademark")


def opinion(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A term of opinion of terms.py, mild ones too: "an optimal lever", "the lever is optimal"."""
    word = rng.choice([term for term in _terms("subjective") if " " not in term and not term.endswith("ly")])
    if rng.random() < 0.5:
        return _before_noun(claims, claim, rng, word, "opinion")
    ways = (
        f"is {word}",
        f"works in {article_for(word)} {word} manner",
        f"moves in {article_for(word)} {word} way",
    )
    return _clause(claims, claim, rng, rng.choice(ways), "opinion")


def degree(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A term of degree: "a highly rigid lever", "the lever is of moderate strength", "is much stiffer"."""
    if rng.random() < 0.3:
        raised = rng.choice([term for term in _terms("degree") if term.endswith("ly") and " " not in term])
        return _before_noun(claims, claim, rng, f"{raised} {rng.choice(_QUALITIES)}", "degree")
    if rng.random() < 0.3:
        return _clause(
            claims, claim, rng, f"is much {rng.choice(('stiffer', 'lighter', 'tougher'))}", "degree"
        )
    vague = rng.choice(
        ("considerable", "substantial", "significant", "moderate", "minimal", "immense", "high")
    )
    return _clause(claims, claim, rng, f"has {article_for(vague)} {vague} {rng.choice(_MEASURES)}", "degree")


def preference(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever" becomes "a lever, typically of steel,"."""
    places = [phrase for phrase in indefinite(claim.text) if _ENDS.match(claim.text, phrase.end)]
    if not places:
        return None
    word = rng.choice(
        [term for term in _terms("preference") if not term.startswith(("is", "are", "it", "preferred"))]
    )
    end = rng.choice(places).end
    return _at(claims, claim, end, end, f", {word} of {rng.choice(_SUBSTANCES)},", "ambiguity", "preference")


def stretched(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever" becomes "a lever-like element"."""
    places = [
        phrase
        for phrase in indefinite(claim.text)
        if phrase.head.isalpha() and _ENDS.match(claim.text, phrase.end)
    ]
    if not places:
        return None
    end = rng.choice(places).end
    piece = f"-{rng.choice(('like', 'type'))} {rng.choice(('device', 'element', 'unit'))}"
    found = _at(claims, claim, end, end, piece, "ambiguity", "stretched")
    return Injection(found.claims, claim.number, "ambiguity", "stretched", end - 1, end + len(piece))


def limb_joined(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever; a spring" becomes "a lever a spring"."""
    places = list(_LIMB.finditer(claim.text))
    if len(places) < 2:
        return None
    at = rng.choice(places).start()
    found = _at(claims, claim, at, at + 1, "", "syntax", "limb_joined")
    return Injection(found.claims, claim.number, "syntax", "limb_joined", max(0, at - 1), at + 2)


def step_joined(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "casting a lever; drilling a hole" becomes "casting a lever drilling a hole"."""
    places = list(_NEXT_STEP.finditer(claim.text))
    if len(places) < 2:
        return None
    at = rng.choice(places).start()
    found = _at(claims, claim, at, at + 1, "", "syntax", "step_joined")
    return Injection(found.claims, claim.number, "syntax", "step_joined", max(0, at - 1), at + 2)


def small_letter(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """The claim begins with a small letter."""
    if not claim.text[:1].isupper() or claim.text[1:2].isupper():
        return None
    first = claim.text.split(" ", 1)[0]
    return _at(claims, claim, 0, len(first), first.lower(), "syntax", "small_letter")


def numerals_differ(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever 12" is taken up as "the lever 21"."""
    for phrase in indefinite(claim.text):
        later = [one for one in definite(claim.text) if one.words == phrase.words and one.start > phrase.end]
        if later:
            one, number = rng.choice(later), rng.randint(10, 40)
            text = splice(claim.text, one.end, one.end, f" ({number + 50})")
            text = splice(text, phrase.end, phrase.end, f" ({number})")
            edited = with_text(claims, claim.number, text)
            return Injection(edited, claim.number, "syntax", "numerals_differ", one.start + 5, one.end + 10)
    return None


SLIPS: dict[str, tuple[Injector, ...]] = {
    "antecedent": (
        number_shifted,
        one_of_several,
        introduced_again,
        further_comprised,
        letter_dropped,
        ordinal_dropped,
        choice_of_parents,
    ),
    "dependency": (parent_canceled, multiple_on_multiple, both_parents, category_changed, emptied),
    "logical": (range_missed, steps_exchanged),
    "ambiguity": (and_or, group_opened, trademark, opinion, degree, preference, stretched),
    "syntax": (limb_joined, step_joined, small_letter, numerals_differ),
}
"""By class, each tried as often as any injector of `injectors`."""


def _terms(subtype: str) -> list[str]:
    return sorted(word for word, term in TERMS.items() if term.subtype == subtype)


def _before_noun(claims: ClaimSet, claim: Claim, rng: Random, word: str, subtype: str) -> Injection | None:
    places = [phrase for phrase in indefinite(claim.text) if phrase.start > 0]
    if not places:
        return None
    phrase = rng.choice(places)
    piece = f"{article_for(word)} {word} {phrase.text}"
    return _at(claims, claim, phrase.start, phrase.end, piece, "ambiguity", subtype)


def _clause(claims: ClaimSet, claim: Claim, rng: Random, says: str, subtype: str) -> Injection | None:
    places = _taken_up(claims, claim)
    if not places or not claim.text.endswith("."):
        return None
    end = len(claim.text) - 1
    piece = f", wherein the {rng.choice(places).text} {says}"
    return _at(claims, claim, end, end, piece, "ambiguity", subtype)


def _single(claim: Claim) -> re.Match[str] | None:
    found = _REFERENCE.search(claim.text)
    return found if found and claim.parents == (int(found[1]),) else None


def _taken_up(claims: ClaimSet, claim: Claim) -> list[Phrase]:
    """Definite phrases past the opening whose words were introduced by "a" before."""
    reference = _single(claim)
    begin = reference.end() if reference else 1
    above = [claims.get(number) for number in claims.ancestors(claim.number)]
    introduced = {phrase.words for other in above if other for phrase in indefinite(other.text)}
    own: dict[tuple[str, ...], int] = {}
    for phrase in indefinite(claim.text):
        own.setdefault(phrase.words, phrase.start)
    return [
        phrase
        for phrase in definite(claim.text)
        if phrase.start >= begin
        and (phrase.words in introduced or own.get(phrase.words, phrase.start) < phrase.start)
        and _ENDS.match(claim.text, phrase.end)
    ]


def _replaced(
    claims: ClaimSet,
    claim: Claim,
    rng: Random,
    places: list[Phrase],
    label: str,
    subtype: str,
    renamed: Callable[[Phrase], str],
) -> Injection | None:
    if not places:
        return None
    phrase = rng.choice(places)
    piece = f"{phrase.article} {renamed(phrase)}"
    return _at(claims, claim, phrase.start, phrase.end, piece, label, subtype)


def _at(
    claims: ClaimSet, claim: Claim, start: int, end: int, piece: str, label: str, subtype: str
) -> Injection:
    text = splice(claim.text, start, end, piece)
    edited = with_text(claims, claim.number, text)
    return Injection(edited, claim.number, label, subtype, start, start + len(piece))
