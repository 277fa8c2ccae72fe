"""Probes find a leak where there is one, and none where there is none."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from ace.claims.model import ClaimInput
from ace.lab import probes
from ace.lab.dataset import Row
from ace.routing.calibration import Calibration


class Spotter:
    """An engine that knows one word: the more often it occurs, the surer the defect."""

    revision = "rev"
    calibration = Calibration("cal-x", "by hand", "u", 0.3, 0.2, 1.0, "rev", "hash", 1, ())

    def score(self, inputs: Sequence[ClaimInput]) -> np.ndarray:
        inv = np.array([min(0.9, 0.1 + 0.4 * claim.text.count("bad")) for claim in inputs])
        rest = np.zeros((len(inputs), 4))
        return np.column_stack([1 - inv, inv, rest]).astype(np.float32)


def row(text: str, label: str, start: int = 0, end: int = 0) -> Row:
    return Row("test", "US1", "ours", 1, text, (), label, "x", start, end)


def rows(longer: int, n: int = 200) -> list[Row]:
    """Half sound, half defective; defective claims are `longer` words longer on average."""
    rng = Random(2)
    found = []
    for at in range(n):
        words = " ".join("word" for _ in range(rng.randint(20, 60) + (longer if at % 2 else 0)))
        text = f"A lid, bad {words}." if at % 2 else f"A lid, {words}."
        found.append(row(text, "syntax" if at % 2 else "pass", 7, 10) if at % 2 else row(text, "pass"))
    return found


def test_text_free_finds_a_leak_in_lengths() -> None:
    assert probes.text_free(rows(longer=60), rows(longer=60)) > 0.95


def test_text_free_is_near_chance_where_sizes_say_nothing() -> None:
    rng = Random(6)
    plain = [
        row("A lid" + " word" * rng.randint(5, 60) + ".", rng.choice(["pass", "syntax"])) for _ in range(600)
    ]
    assert probes.text_free(plain[:300], plain[300:]) == pytest.approx(0.5, abs=0.1)


def test_a_model_that_reads_the_defect_is_at_chance_without_it() -> None:
    found = probes.masked_span(Spotter(), rows(longer=0))
    assert found == {"all": 0.5, "syntax": 0.5}


def test_a_model_that_reads_something_else_is_found_out() -> None:
    leaky = [row("A bad lid.", "syntax", 2, 5), row("A lid.", "pass")] * 4
    shifted = [row("A bad lid.", "syntax", 6, 9), row("A lid.", "pass")] * 4
    assert probes.masked_span(Spotter(), leaky)["all"] == 0.5
    assert probes.masked_span(Spotter(), shifted)["all"] == 1.0


def test_words_survive_a_shuffle() -> None:
    assert probes.shuffled_words(Spotter(), rows(longer=0), seed=1) == 1.0
