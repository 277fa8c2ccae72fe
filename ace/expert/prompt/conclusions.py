"""What free text says of the claim as a whole: a verdict in words, or a defect. Read by patterns.

The text is cut into clauses, its quotations left out. A clause that only supposes, concedes, or is taken
back by the next one says nothing. Verdicts are read after a heading ("Verdict:", "Conclusion:"), after
"therefore", and where the claim is the subject ("the claim is not valid"); a negation turns them round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from ace.claims.taxonomy import ErrorClass, Verdict
from ace.expert.prompt.quotations import QUOTED

_FAILING: Final = (
    r"fail(?:s|ed|ing|ure)?|invalid|reject(?:ed|s|ion)?|refused|non-?compliant|defective|deficient|indefinite"
    r"|unpatentable|(?:un|non-?)allowable|unacceptable|objectionable|unsound|defects?"
)
_PASSING: Final = (
    r"free (?:of|from) (?:\w+ ){0,2}(?:defects?|errors?)|pass(?:es|ed)?|valid|compl(?:y|ies)|compliant"
    r"|definite|sound|satisf(?:y|ies|ied)|meets?|allow(?:ed|able)|accept(?:ed|able)|patentable|approved"
    r"|in order"
)
_WORD: Final = re.compile(rf"\b(?:(?P<passing>{_PASSING})|(?P<failing>{_FAILING}))\b")
_NEGATION: Final = re.compile(
    r"\b(?:not|no|never|cannot|neither|nor|none|nothing|without|zero|far from|\w+n't)\b"
    r"(?:\W+[\w-]+){0,4}\W*\Z"
)

_LABEL: Final = re.compile(
    r"\b(?:verdict|conclusion|decision|determination|disposition|result|answer|outcome|judge?ment|ruling)\b"
    r"[]\"']*\s*(?:[:=–—-]|\b(?:is|was|must be|should be)\b)(?:\W|\b(?:that|therefore|thus|hence|clearly)\b)*"
)
_THEREFORE: Final = re.compile(r"\b(?:therefore|thus|hence|accordingly|consequently|so|overall)\W+")
_BARE: Final = re.compile(rf"(?:not )?(?:{_FAILING}|{_PASSING})\W*\Z")
_CLAIM: Final = re.compile(r"\bclaim(?: \d+)?(?: as (?:written|filed|drafted))?\s+")
_PREDICATE: Final = re.compile(
    r"(?:(?:is|was|be|stands?|remains?|must|should|shall|can|cannot|does|did|has|have|to|as|held|found"
    r"|considered|deemed|therefore|thus|hence|also|clearly|still|never|not|fully|otherwise|\w+n't)\W+)*\Z"
)
_NO_DEFECT: Final = re.compile(
    r"\bno (?:\w+ ){0,2}(?:defects?|errors?|violations?|issues?|problems?)"
    r" (?:was|were|is|are|has been|have been) (?:found|identified|detected|noted)(?! in (?:its|the) )"
)

_KIND: Final = "|".join((*ErrorClass, "antecedent basis", "indefiniteness"))
_FAULT: Final = "(?:defects?|errors?|violations?|deficienc(?:y|ies)|problems?|issues?)"
_SOME: Final = r"(?:one|two|three|four|five|six|several|multiple|an?|\d+)"
_DEFECTS: Final = (
    re.compile(
        r"\b(?:lacks?|lacking|without|missing|for want of|has no|have no|is no|with no|n[o']t have)"
        r" (?:(?:an?|any|proper|clear|sufficient|explicit|its) )*antecedent(?: basis)?\b"
        rf"(?! {_FAULT}| (?:is|was) (?:needed|required|necessary))"
    ),
    re.compile(r"\bantecedent(?: basis)? (?:is|was) (?:missing|lacking|absent|insufficient|not \w+)"),
    re.compile(
        rf"\b{_SOME} (?:\w+ ){{0,2}}{_FAULT} (?:was|were|is|are|has been|have been)"
        r" (?:found|identified|detected|noted|present)"
    ),
    re.compile(
        r"\b(?:contains?|has|have|shows?|is|are|constitutes?|suffers from)"
        rf" {_SOME} (?:\w+ ){{0,2}}(?:{_KIND}) {_FAULT}"
    ),
    re.compile(
        rf"\b(?:{_KIND}) ?[:=]\W*(?:defect(?:ive)?|fail(?:s|ed|ure)?|violated|not (?:satisfied|met|sound))\b"
    ),
    re.compile(rf"\b(?:{_KIND}) defect\b(?= in\b|\Z)"),
    re.compile(r"\b(?:violates|(?:is|are) an? (?:\w+ )?violation of) (?:35 usc|section|§|37 cfr|112)"),
    re.compile(r"\b(?:renders?|makes?|leaves?) (?:the |this )?claim (?:indefinite|unclear|invalid)"),
)
_NAMED: Final = re.compile(rf"\[(?:{_KIND})\]")

_SUPPOSED: Final = re.compile(
    r"\b(?:would|could|might|may|if|unless|whether|seems?|seemingly|appears?|arguably|wrong|incorrect|mistaken"
    r"|unfounded)\b"
)
_CONCEDED: Final = re.compile(
    r"\W*(?:although|though|while|whereas|even|despite|had|were|apart|except|aside)\b"
)
_TAKEN_BACK: Final = re.compile(r"\W*(?:but|however|yet|nevertheless|though|although|except|unless)\b")

_STEP_3: Final = re.compile(r"step\s*3\b|\[verdict\]")
_REACH: Final = 120  # characters from a word to what belongs to it
_CLAUSE: Final = re.compile(r"(?<=[,;.!?])\s+|\n+")
_COMMA: Final = re.compile(r"\b(therefore|thus|hence|accordingly|consequently|so|overall),")
_PARENTHESIS: Final = re.compile(r"\([^() ]*+ [^()]*+\)")
_ABBREVIATION: Final = re.compile(r"u\.\s?s\.\s?c\.|c\.f\.r\.|e\.g\.|i\.e\.|cf\.")


class Clause(NamedTuple):
    """A clause in small letters; `asserted` unless it supposes or concedes, or is taken back at once."""

    text: str
    asserted: bool
    concluding: bool  # in Step 3


def opposing(text: str, verdict: Verdict) -> str | None:
    """A sentence that says how the text contradicts the verdict beside it; None if it does not.

    Against a Pass, anything counts; against a Fail, Step 3, or else the last thing that is said, because the
    other steps say what is sound.
    """
    clauses = list(_clauses(text))
    said = [(clause, found) for clause in clauses for found in _verdicts(clause)]
    if verdict is Verdict.PASS:
        if any(found is Verdict.FAIL for _, found in said):
            return "Its reasoning says that the claim fails."
        return "Its reasoning states a defect." if any(map(_states_defect, clauses)) else None
    last = [found for clause, found in said if clause.concluding] or [found for _, found in said[-1:]]
    return "Its reasoning says that the claim passes." if Verdict.PASS in last else None


def _clauses(text: str) -> Iterator[Clause]:
    plain = QUOTED.sub(_unquoted, text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")).lower()
    plain = _ABBREVIATION.sub(lambda match: re.sub(r"\W", "", match.group()), _PARENTHESIS.sub(" ", plain))
    plain = _COMMA.sub(r"\1", plain)
    opened = _STEP_3.search(plain)
    concluding = len(plain) if opened is None else opened.start()
    ends = [0, *(match.end() for match in _CLAUSE.finditer(plain)), len(plain)]
    parts = [(start, re.sub(r"[*_`\s]+", " ", plain[start:end])) for start, end in pairwise(ends)]
    for (start, part), (_, following) in pairwise((*parts, (0, ""))):
        doubtful = _SUPPOSED.search(part) or _CONCEDED.match(part) or _TAKEN_BACK.match(following)
        yield Clause(part.strip(), not doubtful, start + len(part) > concluding)


def _unquoted(quotation: re.Match[str]) -> str:
    """A single word may be a verdict or its name in quotation marks; more are the claim's."""
    words = next(filter(None, quotation.group("a", "b", "c", "d")), "")
    return words if words.isalpha() else " … "


def _verdicts(clause: Clause) -> Iterator[Verdict]:
    """What the clause says of the claim as a whole."""
    text = clause.text
    for label in _LABEL.finditer(text):
        said = text[label.end() :][:_REACH]
        word = _WORD.search(said)
        if word and ("claim" in said[: word.start()] or len(said[: word.start()].split()) < 4):
            yield _polarity(said, word)
    if not clause.asserted:
        return
    for therefore in _THEREFORE.finditer(text):
        said = text[therefore.end() :][:_REACH]
        if _BARE.match(said) and (word := _WORD.search(said)):
            yield _polarity(said, word)
    for subject in _CLAIM.finditer(text):
        said = text[subject.end() :][:_REACH]
        word = _WORD.search(said)
        if word and _PREDICATE.match(said[: word.start()]) and not _of_one_check(said[word.start() :]):
            yield _polarity(said, word, turned=_negated(text, subject.start()))
    if _NO_DEFECT.search(text):
        yield Verdict.PASS


def _polarity(text: str, word: re.Match[str], *, turned: bool = False) -> Verdict:
    negated = _negated(text, word.start()) != turned
    return Verdict.PASS if (word["passing"] is not None) != negated else Verdict.FAIL


def _negated(text: str, at: int) -> bool:
    return _NEGATION.search(text[max(0, at - _REACH) : at]) is not None


def _of_one_check(predicate: str) -> bool:
    """Whether a claim only passes one of the checks."""
    return re.match(rf"(?:passes|meets|satisfies)\b[^,;.]*\b(?:{_KIND})\b", predicate) is not None


def _states_defect(clause: Clause) -> bool:
    if not clause.asserted:
        return False
    found = [match for pattern in _DEFECTS for match in pattern.finditer(clause.text)]
    if clause.concluding:
        found.extend(_NAMED.finditer(clause.text))
    return not all(_negated(clause.text, match.start()) for match in found)
