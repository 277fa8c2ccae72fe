"""Claim sets that could be slow to check: pieces in random order, many times over, up to the limits.

`python -m tests.hostile.slow_claims --tries N --seed S` checks random sets of about `--characters`, with
reading, rules, graph and answer, and prints each that takes more than `--limit` seconds of processor time, as
a line for slow_claims.jsonl. Real sets are rarely longer than the 50,000 of the default; up to 200,000 are
checked, which may take four times as long. A set is written as a list of claims, a claim as a list of [piece,
times]. Every fifth is checked as it is; the others only if a sixteenth and an eighth of them grow so that
they may be slow.
"""

import argparse
import json
import random
import signal
import statistics
import sys
import time
from itertools import groupby
from math import log2
from pathlib import Path
from typing import Final

from ace.claims.model import MAX_CLAIM_CHARACTERS
from ace.claims.readers import read_claims, read_text
from ace.claims.reading import Reading
from ace.claims.reports.graph_json import graph_as_json
from ace.claims.reports.report import as_json, checked
from ace.errors import Refused

LIMIT_SECONDS: Final = 1.0
STOPPED_SECONDS: Final = 20.0
SET_CHARACTERS: Final = MAX_CLAIM_CHARACTERS
MIN_ROOM: Final = 60
"""For a claim of a set with so many that none has room."""
WHOLE_EVERY: Final = 5
_TICK = 0.001
"""Shorter times say nothing."""
MANY: Final = 20
"""Sets of more claims are made smaller by leaving out claims, others by shorter ones."""
CORPUS: Final = Path(__file__).parent / "slow_claims.jsonl"

Set = list[list[tuple[str, int]]]
"""The claims of a set, each as (piece, times)."""

SPACES: Final = (
    " ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\u3000",
    "\u2003",
    "\xa0",
    "\u2009",
    "\u2028",
    " \n",
    "\u200b",
)
PIECES: Final = (
    *SPACES,
    *(
        ",",
        ", ",
        ";",
        "; ",
        ":",
        ".",
        ". ",
        "-",
        "—",
        "/",
        "'",
        '"',
        "“",
        "”",
        "(",
        ")",
        "[",
        "]",
        "[[",
        "]]",
        "()",
    ),
    *(
        "a",
        "ab",
        "A",
        "1",
        "12, ",
        "1.5 ",
        "1-",
        "(12) ",
        "a) ",
        "(i) ",
        "x",
        "é",
        "電",
        "😀",
        "%",
        " °C",
        "™",
    ),
    *(
        "the ",
        "said ",
        "a plate, ",
        "an arm ",
        "the plate ",
        "said first plate ",
        "the plate of the ",
        "the x",
    ),
    *(
        "each ",
        "one or more ",
        "at least one ",
        "a plurality of pins, ",
        "and ",
        "or ",
        "and/or ",
        "of ",
        "to ",
    ),
    *(
        "wherein ",
        ", wherein ",
        "wherein the plate is ",
        "whereby ",
        "comprising ",
        "consisting of ",
        "having ",
    ),
    *(
        "of claim 1",
        "claim 1 ",
        "claims 1 to 3, ",
        "claims 1-",
        "claim 1 or ",
        "any preceding claim ",
        "claim ",
    ),
    *("the bracket of claim 1, ", "as claimed in claim 1 ", "according to any one of claims 1 and 2 "),
    *(
        "not ",
        "no ",
        "without any lid, ",
        "does not comprise a lid, ",
        "the lid is absent, ",
        "non-",
        "is not ",
    ),
    *("at least 5 mm ", "less than 3 mm, ", "from 5 to 10 mm ", "5 mm to ", "between 10 and 5 % ", "about "),
    *("the width is 5 mm, ", "the plate is rigid, ", "the plate is flexible, ", "the lid is above the arm, "),
    *(
        "selected from the group consisting of ",
        "such as ",
        "substantially ",
        "very ",
        "preferably ",
        "high-",
    ),
    *(
        "heating the plate; ",
        "; forming a lid of the lid",
        "steps of ",
        "means for ",
        "the method of ",
        "which ",
    ),
    *("the the ", "is is ", "A. B ", "e.g. ", "etc., ", "FIG. 2 ", "1. ", "2) ", "(canceled)", "is open, "),
)
"""What claims are made of, and what breaks them."""
OPENINGS: Final = (
    "A bracket comprising a plate ",
    "A method of making a lid, comprising ",
    "A kit ",
    "The ",
    "",
)
DEPENDENT: Final = (
    "The bracket of claim {}",
    "The bracket as claimed in any one of claims 1 to {}",
    "The kit of claim {},",
)
ENDINGS: Final = (".", " .", "", "wherein the plate is flat.", ";")


def drawn(draw: random.Random, characters: int = SET_CHARACTERS) -> Set:
    """A set of a random shape: mostly one long claim behind a short one, some with many claims."""
    count = draw.choice((1, 2, 2, 2, 3, 5, 20, 200))
    room = max(MIN_ROOM, min(MAX_CLAIM_CHARACTERS, characters // count) - 300)
    return [_claim(draw, number, room) for number in range(1, count + 1)]


def _claim(draw: random.Random, number: int, room: int) -> list[tuple[str, int]]:
    if number == 1 and draw.random() < 0.7:
        return [("A bracket comprising a plate, an arm and a lid.", 1)]
    opening = (
        draw.choice(DEPENDENT).format(draw.randint(1, number - 1)) if number > 1 else draw.choice(OPENINGS)
    )
    runs = draw.choice((1, 1, 1, 2, 3, 5))
    parts = [(opening, 1)]
    for _ in range(runs):
        unit = "".join(draw.choice(PIECES) for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 6, 12))))
        parts += [(unit, max(1, room // runs // len(unit))), (draw.choice(PIECES), 1)]
    return [*parts, (draw.choice(ENDINGS), 1)]


def texts(claims: Set) -> list[str]:
    """The claims as texts."""
    return ["".join(piece * times for piece, times in claim) for claim in claims]


def check(claims: list[str], *, listed: bool) -> None:
    """Reads and checks the claims as a request does, from a list or from one text."""
    numbered = list(enumerate(claims, 1))
    try:
        read = (
            read_claims(numbered, partial=True)
            if listed
            else read_text("\n".join(f"{at}. {text}" for at, text in numbered), partial=True)
        )
    except Refused:
        return
    reading = Reading(read)
    report = checked(reading)
    json.dumps({**as_json(report), "graph": graph_as_json(reading, report.findings)})


def seconds(claims: Set) -> float:
    """Processor seconds of the slower way to give the set, each given up at STOPPED_SECONDS."""
    made = texts(claims)
    before = signal.signal(signal.SIGVTALRM, _stop)
    try:
        return max(_seconds(made, listed=listed) for listed in (True, False))
    finally:
        signal.signal(signal.SIGVTALRM, before)


def _seconds(claims: list[str], *, listed: bool) -> float:
    began = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, STOPPED_SECONDS)
    try:
        check(claims, listed=listed)
    except _StoppedError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - began


class _StoppedError(BaseException):
    """A check took too long."""


def _stop(_signal: int, _frame: object) -> None:
    raise _StoppedError


def corpus() -> list[Set]:
    """The sets that were slow once."""
    return [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


def part(claims: Set, divisor: int) -> Set:
    """A set of the same kind that is so many times smaller."""
    if len(claims) > MANY:
        return claims[: len(claims) // divisor]
    return [[(piece, -(-times // divisor)) for piece, times in claim] for claim in claims]


def may_be_slow(claims: Set, limit: float) -> bool:
    """Whether a part of the set takes so long, and grows so, that the whole could exceed the limit.

    If the time is a * n + b * n², twice the growth from a sixteenth to an eighth bounds the rest.
    """
    sixteenth, eighth = (max(_TICK, seconds(part(claims, divisor))) for divisor in (16, 8))
    growth = max(1.0, log2(eighth / sixteenth))
    return bool(2 * eighth * 8**growth > limit)


def main() -> None:
    """Measures random sets."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--tries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--characters", type=int, default=SET_CHARACTERS)
    parser.add_argument("--limit", type=float, default=LIMIT_SECONDS)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    spent: list[float] = []
    for at in range(options.tries):
        claims = drawn(draw, options.characters)
        if at % WHOLE_EVERY == 0 or may_be_slow(claims, options.limit):
            spent.append(seconds(claims))
            if spent[-1] > options.limit:
                print(f"{spent[-1]:.2f} s", _shortened(claims), flush=True)
    slow = sum(each > options.limit for each in spent)
    print(
        f"{options.tries} tries from seed {options.seed}, {len(spent)} at full size: {slow} above"
        f" {options.limit} s, slowest {max(spent):.2f} s, median {statistics.median(spent):.3f} s"
    )
    sys.exit(1 if slow else 0)


def _shortened(claims: Set) -> str:
    """A set as a line of the corpus; neighbours that are alike are joined."""
    return json.dumps(
        [
            [
                (piece, sum(times for _, times in same))
                for piece, same in groupby(claim, key=lambda part: part[0])
            ]
            for claim in claims
        ],
        ensure_ascii=True,
    )


if __name__ == "__main__":
    main()
