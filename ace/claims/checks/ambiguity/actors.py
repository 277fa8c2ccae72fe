"""Claims to a thing that also claim what is done with it: a person who acts, or the step of a method.

Such a claim leaves open whether the thing alone infringes or only its use (MPEP 2173.05(p)(II); IPXL Holdings
v. Amazon.com, 430 F.3d 1377). What a thing is made for ("configured to be pressed by a user"), and what
happens when somebody acts ("when the user presses the button"), is claimed lawfully.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.claims.checks.ambiguity.rules import RULE
from ace.claims.checks.ambiguity.scan import trigger
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import NOUNS_ING, third_person
from ace.claims.language.subject_matter import ClaimCategory, Subject, subject_of
from ace.claims.language.tables import word_list
from ace.claims.language.words import plural_of, word_set
from ace.claims.model import Claim
from ace.claims.reading import Reading

_PEOPLE = word_list("actors", "people")
_MAYBE = word_list("actors", "maybe_people")
_BODILY = word_list("actors", "bodily")
_MANY = frozenset(map(plural_of, _PEOPLE)) | word_list("actors", "people_plural")
_ACTS = word_list("actors", "acts")
_ACTS_OF_ONE = {third_person(act): act for act in _ACTS}
_DONE = word_list("actors", "acts_done")
_STATES = word_list("actors", "states")

_PERSONS = _PEOPLE | _MAYBE | _MANY
_ANY_PERSON = trigger(_PERSONS)
_MEANWHILE = (
    r"(?:in\s(?:use|operation|practice|this\sstate)"
    r"|thereafter|then|first|subsequently|afterwards|optionally|also)"
)
_CLAUSE = re.compile(
    rf"""(?:(?P<where>\bwhere(?:in|by)?,?)          # what opens the clause
          |(?P<mark>[;,:])(?:\s(?:and|then|but))?
          |(?P<and>\band(?:\sthen)?))
        (?:\s{_MEANWHILE},?)?
        \s(?P<one>(?:the|an?|said|each|another|one|every)\s)?  # what determines the person
        (?:one\sor\smore\s|both\s|two\s|the\s|said\s)?
        (?:[a-z-]+\s)?\Z""",
    re.VERBOSE,
)
_CLAUSE_CHARACTERS = 60
_ACT = re.compile(
    r"""\s(?:(?P<modal>must|shall|will|has\sto|is\sto|needs\sto)\s)?
        (?:(?:[a-z]+ly|then|first|also|simply)\s)?
        (?P<verb>[a-z]+)\b
        (?!\s(?:is|are|has|have|can|may|to\sbe|being|of)\b)""",
    re.VERBOSE,
)
_CONDITION = re.compile(
    r"""\b(?:when|if|while|once|until|whenever|whether|unless|upon|after|before|where|as|because|since|so|such
        |that|which|who|whose|how
        |allow\w*|enabl\w*|caus\w*|let\w*|permit\w*|help\w*
        |configured|adapted|operable|arranged|capable|for|can|may|could)\b""",
    re.VERBOSE,
)
_PARTICLE = (
    r"(?:up|down|out|in|on|off|away|together|open|shut|into|onto|to|from|at|the|an?|said)(?:\s[a-z-]+){0,4}?"
)
_BY = re.compile(
    rf"""\b(?:is|are|was|were|gets?)\s
        (?:(?:then|also|first|manually|[a-z]+ly)\s)?
        (?P<done>[a-z]+)(?:\s{_PARTICLE})?
        \s(?:manually\s)?by\s(?:the\s|an?\s|said\s|each\s)?(?:[a-z-]+\s)?\Z""",
    re.VERBOSE,
)
_BY_CHARACTERS = 90
_CLAUSE_OPENS = re.compile(r"(?:[;:]|\bwhere(?:in|by)?\b)(?!.*(?:[;:]|\bwhere(?:in|by)?\b))", re.DOTALL)
_CLAUSE_WINDOW = 300
_WHY = "says what a person does, so it is unclear whether the thing alone or its use is claimed"


def mixed(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """What a person does, and the steps of a method, in a claim to a thing.

    Signals: "passive" for what is done by a person, "absolute" for "the user holding it", "joined" where no
    "wherein" opens the clause, "medium" in a claim to a program; "step" for a step, "gerund" for one without
    the word, "operations" if the claim or one that it depends on speaks of operations or a method.
    """
    subject = subject_of(claim.text)
    if subject is None or not subject.category.thing:
        return
    if not _PERSONS.isdisjoint(word_set(claim.text)):
        yield from _deed(claim, subject)
    yield from _steps(reading, claim)


def _deed(claim: Claim, subject: Subject) -> Iterator[Flaw]:
    """The first act of a person."""
    medium = ("medium",) if subject.category is ClaimCategory.MEDIUM else ()
    for person in _ANY_PERSON.finditer(claim.text):
        found = _acts(claim.text, person) or _done_by(claim.text, person)
        if found is not None:
            start, end, signals = found
            quote = " ".join(claim.text[start:end].split())
            yield Flaw(RULE["mixed_category"], start, end, f"“{quote}” {_WHY}.", None, (*signals, *medium))
            return


def _acts(text: str, person: re.Match[str]) -> tuple[int, int, tuple[str, ...]] | None:
    """The span of "the user presses" as a clause of its own."""
    clause = _CLAUSE.search(text, max(0, person.start() - _CLAUSE_CHARACTERS), person.start())
    act = _ACT.match(text, person.end())
    if clause is None or act is None:
        return None
    signals: tuple[str, ...] = ()
    verb = act["verb"]
    if verb.endswith("ing"):
        if clause["and"] or verb == "operating" or not _base_of_gerund(verb):
            return None
        signals = ("absolute",)
    elif act["modal"] or person.group() in _MANY:
        if verb not in _ACTS:
            return None
    elif verb not in _ACTS_OF_ONE or clause["one"] is None:
        return None
    if person.group() in _MAYBE and _ACTS_OF_ONE.get(verb, verb) not in _BODILY:
        return None
    if clause["where"] is None:
        if _conditional(text, clause.start()):
            return None
        signals = (*signals, "joined")
    return person.start(), act.end("verb"), signals


def _base_of_gerund(verb: str) -> bool:
    stem = verb[:-3]
    return stem in _ACTS or f"{stem}e" in _ACTS or (stem[-1:] == stem[-2:-1] and stem[:-1] in _ACTS)


def _conditional(text: str, at: int) -> bool:
    """Whether the clause that `at` belongs to opens with a condition or says what something is for."""
    window = text[max(0, at - _CLAUSE_WINDOW) : at]
    opens = _CLAUSE_OPENS.search(window)
    return _CONDITION.search(window, opens.end() if opens else 0) is not None


def _done_by(text: str, person: re.Match[str]) -> tuple[int, int, tuple[str, ...]] | None:
    """The span of "is pressed by the user", unless under a condition."""
    by = _BY.search(text, max(0, person.start() - _BY_CHARACTERS), person.start())
    if (
        by is None
        or person.group() in _MAYBE
        or by["done"] in _STATES
        or not _is_done(by["done"])
        or _conditional(text, by.start())
    ):
        return None
    return by.start(), person.end(), ("passive",)


def _is_done(word: str) -> bool:
    if word in _DONE:
        return True
    stem = word[:-2] if word.endswith("ed") else ""
    return (
        stem in _ACTS
        or f"{stem}e" in _ACTS
        or (len(stem) > 2 and stem[-1] == stem[-2] and stem[:-1] in _ACTS)
    )


_COMPRISES = r"(?:further\s|additionally\s|also\s)?(?:compris(?:ing|es)|includ(?:ing|es))\s(?:further\s)?"
_NAMED_STEP = re.compile(
    rf"{_COMPRISES}(?:the\s|an?\s)?(?:further\s|additional\s|following\s)?(?:method\s|process\s)?steps?\sof\b"
    r"|\bby\sperforming\sthe\s(?:following\s)?steps\sof\b"
    r"|(?<=[;,]\s)(?:and\s)?(?:then\s)?(?:an?|the)\s(?:further\s|additional\s|final\s)?step\sof\s(?=[a-z]+ing\b)"
    r"|(?<=wherein\s)the\sfollowing\ssteps\sare\s(?:carried|performed|executed|done)\b"
    r"|(?<=[;,]\s)and\sthen\s[a-z]{3,20}ing(?=\s(?:the|an?|said)\s)"
    r"|(?<=[;,]\s)the\ssteps\sof\swhich\s(?:are|include|comprise)\s[a-z]{3,20}ing(?=\s(?:the|an?|said)\s)"
    r"|(?<=[;,]\s)(?:the|its)\suse\s(?:thereof\s)?compris(?:es|ing)\s[a-z]{3,20}ing(?=\s(?:the|an?|said)\s)"
)
_GERUND_STEP = re.compile(rf"{_COMPRISES}(?P<gerund>[a-z]{{3,20}}ing)(?=\s(?:the|an?|said|at\sleast|one)\s)")
_LATER_STEP = re.compile(
    r"further(?<=[,;]\sfurther)\scomprising\s(?P<gerund>[a-z]{3,20}ing)(?=\s(?:the|an?|said|at\sleast|one)\s)"
)
_METHOD = re.compile(r"(?:wherein|,)\s(?:the|said)\s(?:method|process)\s(?:further\s)?(?:compris|includ)\w+")
_OPERATIONS = re.compile(
    r"\b(?:operations?|methods?|process(?:es)?|steps?|acts|instructions|program|perform\w*|software|code|functions?|algorithm"
    r"|computer|processor|machine|medium)\b",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"\bclaims?\s[0-9]++(?:(?:,|\sor|\sand|\sto|-)\s?[0-9]++)*+,?\s(?:and\s)?")
_OF_THING = re.compile(
    r"(?:[,;]\s(?:and\s)?(?:the\s(?:device|apparatus|system)\s)?|\bclaims?\s[0-9]+,?\s|\A[^,;:]{1,120}\s)\Z"
)
_OF_PROCESS = re.compile(r"\b(?:process|method|procedure|algorithm|steps?)\b[^,;:]{0,120}\Z", re.IGNORECASE)
_WHY_STEP = "is a step of a method in a claim to a thing, so it is unclear which of the two is claimed"


def _steps(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """A step as what the thing comprises: "The device of claim 1, further comprising the step of heating"."""
    text = claim.text
    found = _named_step(text) if any(each in text for each in _STEPWISE) else None
    found = (
        found
        or (_METHOD.search(text) if "method" in text or "process" in text else None)
        or _gerund_step(claim)
    )
    if found is None:
        return
    texts = [reading.claims[number].text for number in reading.claims.ancestors(claim.number)]
    texts.append(text[: found.start()])
    signals = ["step"]
    if "gerund" in found.re.groupindex:
        signals.append("gerund")
    if any(_OPERATIONS.search(each) for each in texts):
        if found.re is _METHOD:
            return
        signals.append("operations")
    quote = " ".join(found.group().split())
    yield Flaw(
        RULE["mixed_category"], found.start(), found.end(), f"“{quote}” {_WHY_STEP}.", None, tuple(signals)
    )


_STEPWISE = ("step", " then ", " use ")


def _named_step(text: str) -> re.Match[str] | None:
    """ "comprising the step of", said of the thing that is claimed and not of a process or of a step."""
    for found in _NAMED_STEP.finditer(text):
        begin = max(0, found.start() - 130)
        if _OF_PROCESS.search(text, begin, found.start()) is None and _OF_THING.search(
            text, begin, found.start()
        ):
            return found
    return None


def _gerund_step(claim: Claim) -> re.Match[str] | None:
    """ "claim 1, further comprising heating the plate"."""
    reference = _REFERENCE.search(claim.text, 0, 200) if claim.parents else None
    found = _GERUND_STEP.match(claim.text, reference.end()) if reference else None
    found = found or _LATER_STEP.search(claim.text) or _last_step(claim.text)
    if found is None or (found["gerund"] in NOUNS_ING and _OBJECT.match(claim.text, found.end()) is None):
        return None
    return found


_LAST_STEP = re.compile(
    r"""(?<=[;,]\s)and\s(?P<gerund>adding|administering|applying|cleaning|collecting|cooling|cutting|discarding|drying
        |filling|heating|injecting|inserting|measuring|mixing|mounting|placing|pouring|removing|repeating|rinsing|rotating
        |sending|spraying|stirring|storing|transmitting|washing)(?=\s(?:the|an?|said)\s)""",
    re.VERBOSE,
)
_OF_PART = re.compile(
    r"\b(?:for|by|of|when|while|to|capable|configured|that|which|[a-z]{2,20}ing)\b[^;:]{0,150}\Z"
)


def _last_step(text: str) -> re.Match[str] | None:
    """ "and injecting the liquid" as the last of the things that are listed."""
    for found in _LAST_STEP.finditer(text):
        begins = max(text.rfind(";", 0, found.start() - 2), text.rfind("comprising", 0, found.start()) + 10)
        if _OF_PART.search(text, max(begins, found.start() - 200), found.start() - 2) is None:
            return found
    return None


_OBJECT = re.compile(r"\s(?:the|an?|said)\s")
