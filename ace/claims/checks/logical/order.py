"""Steps of a method that use what only a later step makes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ace.claims.checks.logical.chain import nearest_ancestors
from ace.claims.checks.logical.rules import USED_BEFORE_MADE
from ace.claims.findings import Flaw
from ace.claims.language.tables import word_list
from ace.claims.model import Claim
from ace.claims.reading import Reading

_METHOD = re.compile(
    r"\s?(?:(?:an?|the)\b\s?)?(?:[\w-]+\s){0,6}?(?:method|process|procedure)\b", re.IGNORECASE
)
_BODY = re.compile(
    r"\b(?:compris(?:ing|es)|includ(?:ing|es)|consist(?:ing|s)\sof|steps?\sof|having|wherein)\b"
    r"(?:\s(?:the\s)?(?:following\s)?(?:acts|operations|steps)(?:\sof)?\b)?\s?:?",
    re.IGNORECASE,
)
_LIMB = re.compile(r"[;\n]|:\s?(?=\(?[a-z0-9]{1,3}[).])")
_STEP = re.compile(r",\s(?:and\s)?(?:then\s)?(?=[a-z]{3,}ing\s(?:an?|the|said)\s)")
"""Between steps of a claim that has no semicolon."""
_LABEL = re.compile(
    r"\s?(?:and\s|then\s|and\sthen\s)?(?:\(?[a-z0-9]{1,4}[).]\s?)?(?:(?:step\sof|then|subsequently|thereafter|next|and|thereby)\s)*",
    re.IGNORECASE,
)
_MAKES = re.compile(
    r"""\b(?:(?:to|thereby|thus|so\sas\sto|and)\s)?
        (?P<verb>form|forming|produce|producing|obtain|obtaining|generate|generating|create|creating|yield|yielding
          |provide|providing|make|making|give|giving|prepare|preparing|synthesizing|fabricating|manufacturing|building
          |constructing|computing|calculating|determining|deriving|extracting|depositing|acquiring|receiving|capturing
          |selecting|identifying|defining|establishing|training|assembling|developing|estimating|collecting
          |isolating|measuring|detecting|transmitting|sending|storing)\s
        (?P<det>an?|the|said|one\sor\smore|at\sleast\sone|a\splurality\sof)\s
        (?P<name>[^\W\d_][\w-]*(?:\s[^\W\d_][\w-]*){0,5})""",
    re.VERBOSE | re.IGNORECASE,
)
_GERUND = re.compile(
    r"(?P<verb>[a-z]{2,}ing)\s(?P<det>the|said|an?)\s(?P<name>[^\W\d_][\w-]*(?:\s[^\W\d_][\w-]*){0,5})",
    re.IGNORECASE,
)
_STOP = word_list("logic", "step_name_ends")
_NEW = re.compile(r"\ban?\s(?P<name>[^\W\d_][\w-]*(?:\s[^\W\d_][\w-]*){0,5})", re.IGNORECASE)
_INTO = re.compile(r"\binto\san?\s(?P<name>[^\W\d_][\w-]*(?:\s[^\W\d_][\w-]*){0,5})", re.IGNORECASE)
_DOING = re.compile(r"(?:[a-z]+ly,?\s)?[a-z]{2,}ing\b", re.IGNORECASE)
_THE = re.compile(r"\b(?:the|said) ([^\W\d_][\w-]*)")
_ENDS = re.compile(r"(?![\w/-])")
_GOES_ON = re.compile(r"\s(?:is\sto|to\sbe|of\san?|as\sshown|shown\sin)\b|\s?#")
_TRULY = word_list("logic", "making")


def early_uses(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Definite phrases in a step whose thing is first made in a later step of the same method.

    What a later step brings in without making it ("placing a lid") counts too: the two steps then
    stand in the wrong order.
    """
    text = claim.text
    if not _METHOD.match(text):
        return
    body = _BODY.search(text)
    if body is None:
        return
    marked = ";" in text or "\n" in text
    limbs = _limbs(text, body.end(), _LIMB if marked else _STEP)
    if len(limbs) < 2:
        return
    lower = text.lower()
    definites = _definites(lower, body.end())
    before = [ancestor.text.lower() for ancestor in nearest_ancestors(reading, claim)]
    for begin, end in limbs[1:]:
        early = {
            use: made
            for name, definite, made in _brought(text, begin, end)
            if (made or marked)
            and (use := _first_use(lower, definites, name, definite, body.end(), begin)) is not None
            and not any(name in ancestor for ancestor in before)
        }
        flaw = _flaw(text, limbs, begin, early)
        if flaw is not None:
            yield flaw
            return


def _flaw(
    text: str, limbs: list[tuple[int, int]], begin: int, early: dict[tuple[int, int], bool]
) -> Flaw | None:
    """The first early use of what the limb at `begin` brings in. What it makes goes before what it names."""
    uses = [use for use, made in early.items() if made] or list(early)
    if not uses:
        return None
    start, stop = min(uses)
    signal = "made" if early[start, stop] else "several_uses" if len(uses) > 1 else "single"
    if signal == "single" and not (_is_step(text, begin) and _is_step(text, _limb_of(limbs, start))):
        return None
    why = f"“{text[start:stop]}” is used in a step that comes before the step that provides it."
    return Flaw(USED_BEFORE_MADE, start, stop, why, signals=(signal,))


def _is_step(text: str, begin: int) -> bool:
    """Whether the limb says what is done: it begins with a verb in -ing."""
    label = _LABEL.match(text, begin)
    return _DOING.match(text, label.end() if label else begin) is not None


def _limb_of(limbs: list[tuple[int, int]], at: int) -> int:
    return next(begin for begin, end in limbs if begin <= at < end)


def _limbs(text: str, start: int, ends: re.Pattern[str]) -> list[tuple[int, int]]:
    cuts = [start, *(match.end() for match in ends.finditer(text, start)), len(text)]
    return [(a, b) for a, b in pairwise(cuts) if text[a:b].strip()]


def _brought(text: str, begin: int, end: int) -> Iterator[tuple[str, bool, bool]]:
    """(name, whether it is definite, whether it is made) for what a limb brings in."""
    for match in _MAKES.finditer(text, begin, end):
        name = _name(match["name"])
        definite = match["det"].lower() in {"the", "said"}
        if name and (not definite or match["verb"].lower() in _TRULY):
            yield name, definite, True
    for match in _INTO.finditer(text, begin, end):
        name = _name(match["name"])
        if name:
            yield name, False, True  # "pressing a powder into a tablet"
    for match in _NEW.finditer(text, begin, end):
        name = _name(match["name"])
        if name:
            yield name, False, False
    label = _LABEL.match(text, begin)
    gerund = _GERUND.match(text, label.end() if label else begin, end)
    if gerund is not None:
        name = _name(gerund["name"]).split(" of ")[0]
        stem = gerund["verb"].lower()[:-3]
        for participle in {stem + "ed", stem[:-1] + "ied" if stem.endswith("y") else stem + "d"}:
            if name:
                yield f"{participle} {name}", True, True


def _name(written: str) -> str:
    words: list[str] = []
    for word in written.lower().split():
        if word in _STOP:
            break
        words.append(word)
    return "" if words == ["group"] else " ".join(words)


def _definites(lower: str, start: int) -> dict[str, list[int]]:
    """First word of each phrase after "the" or "said": where the words begin, in order."""
    found: dict[str, list[int]] = {}
    for match in _THE.finditer(lower, start):
        found.setdefault(match[1], []).append(match.start(1))
    return found


def _done_before(lower: str, name: str, at: int) -> bool:
    """Whether "the dried powder" rests on an earlier "drying a powder"."""
    first = name.split()[0]
    return len(first) > 5 and first.endswith("ed") and first[:-3] in lower[: at - 1]


def _first_use(
    lower: str, definites: dict[str, list[int]], name: str, definite: bool, body_end: int, begin: int
) -> tuple[int, int] | None:
    """Where a step before the limb at `begin` says "the" of a thing that nothing has named yet."""
    for at in definites.get(name.split()[0], ()):
        if at >= begin:
            break
        end = at + len(name)
        if lower.startswith(name, at) and _ENDS.match(lower, end) and not _GOES_ON.match(lower, end):
            if _done_before(lower, name, at) or _MAKING.search(lower, max(0, at - _LOOK_BACK), at):
                return None
            first = _first_named(lower, name, body_end if definite else 0)
            if first == at and (_first_named(lower, name, 0) == at or _is_handled(lower, at)):
                return lower.rindex(" ", 0, at - 1) + 1, end
            return None
    return None


_LOOK_BACK = 48
_MAKING = re.compile(
    r"\b(?:acquir|captur|collect|comput|creat|determin|form|generat|obtain|prepar|produc|provid|receiv|yield)(?:e|es|ing|s)?"
    r"\s(?:the|said)\s\Z"
)
_HANDLING = re.compile(
    r"[;:,]\s?(?:and\s)?(?:then\s)?(?:\(?[a-z0-9]{1,4}[).]\s)?(?:then\s)?[a-z]{3,}ing\s(?:the|said)\s\Z"
)


def _first_named(lower: str, name: str, start: int) -> int:
    """Where a text first has the name, brackets around its words left aside: "the pathway (RPS) value"."""
    pattern = r"\)?\s\(?".join(map(re.escape, name.split()))
    match = re.compile(rf"(?<![\w-]){pattern}").search(lower, start)
    return match.start() if match is not None else -1


def _is_handled(lower: str, at: int) -> bool:
    """Whether a step begins with what is done to the thing, which must then be there: "drying the film".

    What the preamble names as the aim may be spoken of before it is made: "where the tooth is desired".
    """
    return _HANDLING.search(lower, max(0, at - _LOOK_BACK), at) is not None
