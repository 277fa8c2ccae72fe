"""Claim sets that could be slow to check: pieces in random order, many times over, up to the limits.

`python -m tests.hostile.slow_claims --tries N --seed S` checks random sets in a child process, with reading,
rules, graph and answer, and prints each that takes more than `--limit` seconds of processor time, as a line
for slow_claims.jsonl. A set is written as a list of claims, a claim as a list of [piece, times].
"""

import argparse
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Final

from ace.analysis import CHECKED_SET_CHARACTERS
from ace.claims.model import MAX_CLAIM_CHARACTERS
from ace.claims.readers import read_claims, read_text
from ace.claims.reading import Reading
from ace.claims.reports.graph_json import graph_as_json
from ace.claims.reports.report import as_json, checked
from ace.errors import Refused

LIMIT_SECONDS: Final = 1.0
STOPPED_SECONDS: Final = 20.0
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


def drawn(draw: random.Random) -> Set:
    """A set of a random shape: mostly one long claim behind a short one, some with many claims."""
    count = draw.choice((1, 2, 2, 2, 3, 5, 20, 200))
    room = min(MAX_CLAIM_CHARACTERS, CHECKED_SET_CHARACTERS // count) - 300
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


def check(claims: list[str]) -> None:
    """Reads and checks the claims as a request does, from one text and from a list."""
    for listed in (True, False):
        try:
            if listed:
                read = read_claims(list(enumerate(claims, 1)), partial=True)
            else:
                read = read_text(
                    "\n".join(f"{at}. {text}" for at, text in enumerate(claims, 1)), partial=True
                )
        except Refused:
            continue
        reading = Reading(read)
        report = checked(reading)
        json.dumps({**as_json(report), "graph": graph_as_json(reading, report.findings)})


def seconds(claims: Set) -> float:
    """Processor seconds of a check, given up at STOPPED_SECONDS."""
    made = texts(claims)
    before = signal.signal(signal.SIGVTALRM, _stop)
    began = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, STOPPED_SECONDS)
    try:
        check(made)
    except _StoppedError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return (time.process_time() - began) / 2  # it was checked twice


class _StoppedError(BaseException):
    """A check took too long."""


def _stop(_signal: int, _frame: object) -> None:
    raise _StoppedError


def corpus() -> list[Set]:
    """The sets that were slow once."""
    return [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


@contextmanager
def _child() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", __spec__.name if __spec__ else "tests.hostile.slow_claims", "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        yield child


def measured(sets: Iterator[Set]) -> Iterator[tuple[float, Set]]:
    """Each set with the seconds that its check took in a child process."""
    with _child() as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for claims in sets:
            child.stdin.write(json.dumps(claims) + "\n")
            child.stdin.flush()
            yield float(child.stdout.readline()), claims
        child.stdin.close()


def main() -> None:
    """Measures random sets, or serves as the child that does."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--tries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=LIMIT_SECONDS)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        for line in sys.stdin:
            print(seconds(json.loads(line)), flush=True)
        return
    draw = random.Random(options.seed)
    slowest, slow = 0.0, 0
    for spent, claims in measured(drawn(draw) for _ in range(options.tries)):
        slowest = max(slowest, spent)
        if spent > options.limit:
            slow += 1
            print(f"{spent:.2f} s", _shortened(claims), flush=True)
    print(
        f"{options.tries} tries from seed {options.seed}: {slow} above {options.limit} s,"
        f" slowest {slowest:.2f} s"
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
