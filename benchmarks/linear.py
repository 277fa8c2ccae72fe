"""How the time of reading and checking grows with a text: each function on texts made to be slow.

Every input is measured at three sizes, each twice the one before; a ratio is the time of the last by that
of the middle one, in processor time of this thread, the least of `--rounds`. 2 is linear, 4 quadratic.
Times below a tenth of a millisecond give no ratio. `worst` is the largest ratio and `worst_at` its input;
`over_3` counts the ratios above 3. `--only` takes a part of the names.
"""

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ace.claims.analysis import check_set
from ace.claims.language.quantities import quantities
from ace.claims.model import Claim, ClaimSet
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of, references
from ace.claims.reports.graph_json import graph_as_json
from ace.claims.reports.graph_svg import draw
from ace.claims.reports.report import Report, checked
from ace.claims.reports.text import render
from ace.errors import Refused
from ace.expert.examiner.structural import examine
from benchmarks.figures import options_of, say, tell

FILLERS = (
    # any text
    *(
        "a",
        "a ",
        "a-",
        "1",
        "1 ",
        "1,",
        "1-",
        "9",
        ".",
        "()",
        "(",
        ")",
        "[[",
        ";",
        '"',
        " ",
        " \n",
        "™",
        ", ,",
    ),
    *(". A ", "A. B ", "a) ", "b) x ", "x (12) ", "of the ", "the ", "the the ", "the x", "the q ", "any "),
    *("the q a ", "a plate, ", "is open, ", "is high, ", "group comprising "),
    # references
    *("claim ", "claim 1 ", "claim 1, ", "claim 1 or ", "claim 1 and ", "or claim 1 ", "of claim "),
    *("claims 1-", "claims 1-9 ", "claim 1 of the of ", "1, ", "of the preceding ", "the plate of claim 1, "),
    # words of ambiguity
    *("very ", "very x", "such as ", "such  ", "sufficiently-"),
    # opposites, measures, steps, transitions
    "the housing is rigid, and the housing is flexible, ",
    "the housing is above the arm, ",
    "at least 5 mm and less than 3 mm, ",
    "5 mm to ",
    "5 mm to 10 mm and ",
    "at least ",
    "from 5 to 10 mm and ",
    "from 10 to 5 mm, ",
    "the width is 5 mm, ",
    "wherein no lid is present, a lid, ",
    "without any lid, ",
    "the lid is not porous, ",
    "consisting of further comprising ",
    "the lid consists of a pin and ",
    "the lid consists of a pin and further comprises a nut, ",
    "; forming a lid of the lid",
    "heating the heated heating, ",
)
"""What a claim is filled with to make the rules slow."""

LAYOUTS = (
    *("(", "[[", "the ", "1. ", "1.\n", "1-999 (cancel) ", "1, 2 and ", "- 1 -\n", "5\n", "   \n", "\f"),
    *("5 x\n10 y\n15 z\n", "claims\n", "what is claimed as ", "having thus described ", "A lamp.\n\n"),
    *("Attorney Docket No. ", "1. (Currently amended) [[", "111111111, ", "1 to ", "1.\n\n\n\n-"),
    "1" + " " * 30 + ", ",
)
"""What a document is filled with to make the reader of plain text slow."""


@dataclass(frozen=True)
class Case:
    """What is measured: `run` on what `make` makes of a size. The largest size is four times `size`."""

    name: str
    make: Callable[[int], Any]
    run: Callable[[Any], object]
    size: int


def filled(filler: str, characters: int) -> str:
    """A claim of about so many characters."""
    return f"A pump comprising a rotor {(filler * characters)[:characters]}."


def one_claim(filler: str, characters: int) -> ClaimSet:
    """That as a set of one claim."""
    return claim_set([filled(filler, characters)])


def laid_out(layout: str, characters: int) -> str:
    """A document of about so many characters that begins with a claim."""
    return f"1. A lamp {layout * (characters // len(layout))}"


def chained(count: int) -> ClaimSet:
    """A set of `count` claims in which each depends on the one before."""
    texts = ["A box comprising a lid, wherein a width of the lid is 5 mm, and the lid is rigid."]
    texts += [
        f"The box of claim {number}, wherein the lid is red, stiff and flat, and a width of it is 5 mm."
        for number in range(1, count)
    ]
    return claim_set(texts)


def apart(count: int, *, forked: bool = False) -> ClaimSet:
    """A set of `count` claims in a chain; each of the second half uses what one half a set before it
    introduces. `forked`: each depends on either of the two before it.
    """
    texts = ["A box comprising a lid."]
    for number in range(2, count + 1):
        parents = f"{number - 1} or {number - 2}" if forked and number > 2 else f"{number - 1}"
        used = max(1, number - count // 2)
        texts.append(
            f"The box of claim {parents}, comprising a {_word(number)} and a {_word(-number)},"
            f" wherein the {_word(used)} and the {_word(-used)} are flat."
        )
    return claim_set(texts)


def _word(number: int) -> str:
    """A noun of its own for each number."""
    return f"{'b' if number < 0 else 't'}{abs(number)}".translate(str.maketrans("0123456789", "aeiouklmnr"))


def branched(count: int) -> ClaimSet:
    """An ordinary set of `count` claims, every tenth independent."""
    texts = []
    for number in range(1, count + 1):
        if number % 10 == 1:
            first = number
            texts.append(
                "A bracket comprising: a plate having a front surface; a hook fixed to the plate by a first"
                " screw; and a spring between the hook and the plate, wherein the spring is compressed."
            )
        else:
            texts.append(
                f"The bracket of claim {first if number % 2 else number - 1}, wherein the hook carries"
                f" a ring {number} and the plate has a thickness of {number} mm to {number + 5} mm."
            )
    return claim_set(texts)


def claim_set(texts: list[str]) -> ClaimSet:
    """The texts as claims, numbered from 1."""
    return ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in enumerate(texts, 1)))


def one_long_line(characters: int) -> Report:
    """One claim, with a finding in every twelve characters."""
    report = checked(Reading(claim_set(["A pump wherein " + "the plate x " * (characters // 12)])))
    (first, *_) = report.findings
    every = range(first.start, characters, 12)
    return replace(report, findings=tuple(replace(first, start=at, end=at + 9) for at in every))


def drawn(claims: ClaimSet) -> str:
    """The picture of a set."""
    reading = Reading(claims)
    return draw(graph_as_json(reading, checked(reading).findings))


def reading_of(text: str) -> None:
    """Reads a text that may be no claim set."""
    with contextlib.suppress(Refused):
        read_text(text, partial=True)


def cases() -> Iterator[Case]:
    """All that is measured."""
    for filler in FILLERS:
        fill = partial(filled, filler)
        yield Case(f"check {filler!a}", partial(one_claim, filler), check_set, 8_000)
        yield Case(f"references {filler!a}", fill, lambda text: references(text, 3), 12_000)
        yield Case(f"quantities {filler!a}", fill, quantities, 12_000)
    for layout in LAYOUTS:
        yield Case(f"read {layout!a}", partial(laid_out, layout), reading_of, 10_000)
    sets: dict[str, Callable[[int], ClaimSet]] = {
        "chain": chained,
        "far apart": apart,
        "forked": partial(apart, forked=True),
        "branches": branched,
        "preceding": lambda n: claim_set(
            ["A pump comprising a rotor."]
            + ["The pump of any preceding claim, wherein the rotor is red."] * n
        ),
    }
    for name, make in sets.items():
        yield Case(f"check a set: {name}", make, check_set, 200)
        yield Case(f"draw a set: {name}", make, drawn, 200)
    yield Case("render one long line", one_long_line, render, 8_000)
    yield Case(
        "examine a chain",
        chained,
        lambda claims: examine(claims.input_of(len(claims))),
        100,
    )


def seconds_of(case: Case, size: int, rounds: int) -> float:
    """The least of the rounds: whatever else the machine did only adds to it."""
    made = case.make(size)
    spent = []
    for _ in range(rounds):
        began = time.thread_time()
        case.run(made)
        spent.append(time.thread_time() - began)
    return min(spent)


def ratio_of(case: Case, rounds: int) -> float:
    """Time of four times the size by time of twice; NaN where that is too short to be measured."""
    seconds_of(case, case.size, 1)
    half, whole = (seconds_of(case, case.size * factor, rounds) for factor in (2, 4))
    return whole / half if half > 1e-4 else math.nan


def main() -> None:
    """Measures and tells."""
    parser = options_of(__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="times each is measured (3)")
    parser.add_argument("--only", default="", help="a part of the names of what is measured")
    options = parser.parse_args()
    ratios = {}
    for case in cases():
        if options.only in case.name:
            ratios[case.name] = ratio_of(case, options.rounds)
            say(f"{ratios[case.name]:6.2f}  {case.name}")
    measured = {name: ratio for name, ratio in ratios.items() if not math.isnan(ratio)}
    worst = max(measured, key=measured.__getitem__, default="none")
    tell(
        {
            "cases": len(ratios),
            "measured": len(measured),
            "over_3": sum(ratio > 3 for ratio in measured.values()),
            "worst": measured.get(worst, math.nan),
            "worst_at": worst,
        },
        as_json=options.json,
    )


if __name__ == "__main__":
    main()
