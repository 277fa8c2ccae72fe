"""How every benchmark takes its options and tells its figures: the last line is one JSON object.

Progress goes to stderr, so that standard output holds the figures alone.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence


def options_of(doc: str | None) -> argparse.ArgumentParser:
    """A parser with what all benchmarks take; the help says the module's docstring as it stands."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object on the last line")
    return parser


def say(words: str) -> None:
    """Tells the person who waits how far it is."""
    print(words, file=sys.stderr, flush=True)


def tell(figures: Mapping[str, float | str], *, as_json: bool) -> None:
    """Prints the figures, rounded as far as they mean something."""
    rounded = {
        name: _rounded(value) if isinstance(value, float) else value for name, value in figures.items()
    }
    width = max(map(len, rounded))
    print(
        json.dumps(rounded)
        if as_json
        else "\n".join(f"{name:{width}}  {value:>12}" for name, value in rounded.items())
    )


def _rounded(value: float) -> float:
    return round(value) if abs(value) >= 1_000 else round(value, 1 if abs(value) >= 100 else 3)


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile: `share` 0.99 is p99. Raises ValueError where there is no value."""
    if not values:
        raise ValueError("no values")
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]
