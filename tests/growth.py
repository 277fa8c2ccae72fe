"""How work grows with what it is given: executed lines are counted, on texts made of the rules' own words.

Lines are counted instead of seconds, so that a busy machine changes nothing and small texts suffice. The
texts are derived from what the rules look for: words of every list of their tables, what their regular
expressions match, and their examples, each repeated in every frame. What a line costs is not seen: regular
expressions have a test of their own, and tests.hostile.slow_claims measures seconds.

`python -m tests.growth` tries every text and prints the functions that grow too fast; it takes an hour.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple, TypeVar

import ace
from ace.claim_work import analysed
from ace.claims.checks import RULES
from ace.claims.language import tables
from ace.claims.language.tables import table
from ace.claims.model import MAX_CLAIM_CHARACTERS
from ace.claims.terms import NO_TERMS
from tests.hostile.slow import NOUNS
from tests.pumping import samples

CHARACTERS: Final = 500
"""Of the smallest of the three texts that are compared."""
MOST_LINES: Final = 10_000_000
"""Lines that a function may run on the largest input beyond those that grow with it: a second or two."""
_WORDS_OF_A_LIST: Final = 2
_LONGEST_SAMPLE: Final = 100
_ROOT: Final = str(Path(ace.__path__[0]))

Made = TypeVar("Made")


class Shape(NamedTuple):
    """Texts of a claim set, made of `limb` repeated: each time with another noun in place of "{noun}".

    With `claims`, every limb is a claim, and "{number}" the one before it.
    """

    opening: str
    limb: str
    claims: bool = False

    def texts(self, characters: int) -> list[str]:
        """Claims of about so many characters in all."""
        limbs = [
            self.limb.replace("{noun}", NOUNS[at % len(NOUNS)]).replace("{number}", str(at + 1))
            for at in range(characters // max(8, len(self.limb)))
        ]
        return [self.opening, *limbs] if self.claims else [f"{self.opening}{''.join(limbs)}x."]


class Growth(NamedTuple):
    """A function whose work grows faster than what it is given, and how many lines more than in proportion it
    would run on the largest."""

    function: str
    lines: int


_LIMBS: Final = (
    ("A bracket comprising ", "a {noun} %s a plate, "),
    ("A bracket comprising ", "a plate %s a hook, "),
    ("A bracket comprising a plate and a hook, wherein ", "the plate %s the hook, "),
    ("A bracket comprising a plate and a hook, wherein ", "the {noun} is %s, "),
    ("A bracket comprising a plate, wherein ", "%s the plate and the {noun}; "),
    ("A method comprising: ", "%s a {noun}; "),
    ("A method comprising: ", "heating the plate %s the {noun}; "),
    ("A bracket comprising a plate having ", "a %s of 5 mm, "),
    ("A bracket comprising ", "%s "),
    ("A bracket comprising ", "%s, "),
)
_CLAIMS: Final = (
    "The bracket of claim {number}, wherein the plate %s a {noun}.",
    "The bracket of claim {number}, further comprising a %s.",
    "The bracket of any one of the preceding claims, wherein the %s is a {noun}.",
)


def frames(trigger: str) -> list[Shape]:
    """A trigger in every frame: limbs, lists, steps, quantities, and claims that depend on one another."""
    limbs = [Shape(opening, limb.replace("%s", trigger)) for opening, limb in _LIMBS]
    claims = [Shape("A bracket comprising a plate.", limb.replace("%s", trigger), True) for limb in _CLAIMS]
    return limbs + claims


def listed_words() -> list[str]:
    """Words of each list of the tables."""
    found: dict[str, None] = {}
    for file in sorted(Path(tables.__file__).parent.glob("*.toml")):
        for words in _lists(table(file.stem)):
            spread = words[:: max(1, len(words) // _WORDS_OF_A_LIST)][:_WORDS_OF_A_LIST]
            found.update((word.replace("_", " "), None) for word in spread)
    return list(found)


def _lists(node: Any) -> Iterator[list[str]]:
    """Every list of a table; the names of its entries are one as well."""
    if isinstance(node, dict):
        yield list(node)
        for inner in node.values():
            yield from _lists(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _lists(inner)
    elif isinstance(node, str):
        yield node.split()


def matched(pattern: str, flags: int) -> list[str]:
    """A text or two that the expression matches, if it matches short ones."""
    found = dict.fromkeys(text.strip() for text in samples(pattern, flags)[:_WORDS_OF_A_LIST])
    return [text for text in found if 0 < len(text) < _LONGEST_SAMPLE]


def examples() -> Iterator[Shape]:
    """The examples of the rules and their twins: their last claim, and what its "wherein" says, as limbs."""
    for rule in RULES:
        for text in (rule.example, rule.twin):
            first, *_ = lines = text.splitlines()
            opening, last = (line.partition(" ")[2].rstrip(".") for line in (first, lines[-1]))
            yield Shape(f"{opening}, ", f"{last}, ")
            yield Shape(f"{opening}, wherein ", f"{last.partition(' wherein ')[2] or last}; ")


def check(texts: list[str]) -> None:
    """All that the rules do with a set."""
    analysed(([*enumerate(texts, 1)], NO_TERMS))


def growths(
    run: Callable[[Made], object],
    make: Callable[[int], Made],
    *,
    size: int = CHARACTERS,
    largest: int = MAX_CLAIM_CHARACTERS,
    most: int = MOST_LINES,
) -> list[Growth]:
    """The functions of `ace` that would run more than `most` lines beyond those in proportion, if `run` is
    given what `make` makes of `largest`; the worst first.

    If the lines are a + b n + c n², the second differences of three sizes give c.
    """
    small, middle, large = (_lines(run, make(size * factor)) for factor in (1, 2, 4))
    found = []
    for code, count in large.items():
        excess = (count - middle[code]) - 2 * (middle[code] - small[code])
        lines = excess * largest**2 // (6 * size**2)
        if lines > most:
            place = Path(code.co_filename).relative_to(_ROOT)
            found.append(Growth(f"{place}:{code.co_firstlineno} {code.co_qualname}", lines))
    return sorted(found, key=lambda growth: -growth.lines)


def _lines(run: Callable[[Made], object], given: Made) -> Counter[CodeType]:
    """The lines that each function of `ace` runs; a loop counts its line each time."""
    lines: Counter[CodeType] = Counter()

    def in_function(frame: FrameType, event: str, _: object) -> Any:
        lines[frame.f_code] += event == "line"
        return in_function

    def called(frame: FrameType, _event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(_ROOT):
            return None
        lines[frame.f_code] += 1
        return in_function

    before = sys.gettrace()
    sys.settrace(called)
    try:
        run(given)
    finally:
        sys.settrace(before)
    return lines


def main() -> None:
    """Tries every text, in random order."""
    from tests.unit.test_patterns import patterns

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tries", type=int, help="stop after so many texts")
    options = parser.parse_args()
    texts = [
        text
        for used in patterns()
        if used.place.startswith("ace.claims.") and isinstance(used.pattern.pattern, str)
        for text in matched(used.pattern.pattern, used.pattern.flags)
    ]
    shapes = [*examples(), *(shape for trigger in (*listed_words(), *texts) for shape in frames(trigger))]
    random.Random(options.seed).shuffle(shapes)
    worst: dict[str, int] = {}
    for shape in shapes[: options.tries]:
        for growth in growths(check, shape.texts):
            if growth.lines > worst.get(growth.function, 0):
                worst[growth.function] = growth.lines
                print(f"{growth.lines:>13,} lines more  {growth.function}  {shape}", flush=True)
    sys.exit(1 if worst else 0)


if __name__ == "__main__":
    main()
