"""Probes find a leak where there is one, none where there is none, and say what is so by nature."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from ace.claims.model import ClaimInput
from ace.cli import app
from ace.routing.calibration import Calibration
from ace_lab.cli import probe
from ace_lab.data.rows import Row, write
from ace_lab.evaluation import probes
from ace_lab.evaluation.ablations import alone, in_order, masked, shuffled, twins

pytestmark = pytest.mark.slow

assert probe, "the command registers itself when it is imported"


class Spotter:
    """An engine that knows one word: the more often it occurs, the surer the defect."""

    revision = "rev"
    calibration = Calibration("cal-x", "by hand", "u", 0.3, 0.2, 1.0, "rev", "hash", 1, ())

    def __init__(self, word: str) -> None:
        self.word = word

    def score(self, inputs: Sequence[ClaimInput]) -> np.ndarray:
        said = [" ".join((claim.text, *claim.ancestors)).count(self.word) for claim in inputs]
        inv = np.minimum(0.1 + 0.4 * np.asarray(said), 0.9)
        return np.column_stack([1 - inv, inv, np.zeros((len(said), 4))]).astype(np.float32)


def row(
    text: str,
    label: str = "pass",
    *,
    spans: tuple[tuple[int, int], ...] = (),
    origin: str = "f/1",
    edit: str = "none",
    generator: str = "none",
    ancestors: tuple[str, ...] = (),
) -> Row:
    family = origin.split("/")[0]
    return Row("test", family, "ours", 1, text, ancestors, label, edit, generator, spans, origin)


NOUNS = ("anvil", "bobbin", "chimney", "eyelet", "gimbal", "kettle", "lantern", "mandrel", "rudder", "visor")
CLASSES = ("antecedent", "ambiguity", "logical")


def data(seed: int, *, more: str = "", hand: str = "", pairs: int = 240) -> list[Row]:
    """Sound claims, half of them placebos, and of each a defective twin with the same words.

    The defect is said to be in the last words of a claim, which tell nothing. `more` stands at the end of
    every defective claim, beside that place; `hand` is left by every edit, a placebo's too.
    """
    rng = Random(seed)
    rows = []
    for at in range(pairs):
        nouns = " and ".join(f"a {rng.choice(NOUNS)}" for _ in range(rng.randint(3, 9)))
        head, article = f"A lid comprising {nouns} and ", rng.choice(("a", "the"))
        span = (len(head), len(head) + len(article) + 5)
        origin, text = f"f{seed}-{at // 4}/{at}", f"{head}{article} hook"
        if at % 2:
            rows.append(row(f"{text}{hand}.", origin=origin, edit="numeral_added", generator="rules"))
        else:
            rows.append(row(f"{text}.", origin=origin))
        defective = f"{text}{hand}{more}."
        rows.append(
            row(defective, CLASSES[at % 3], spans=(span,), origin=origin, edit="x", generator="rules")
        )
    return rows


def test_where_nothing_tells_there_is_no_leak() -> None:
    found = probes.probe(data(1), data(2), engine=Spotter("nothing"), seed=1)
    assert found["leaks"] == []
    assert found["rows"] == {"train": 480, "test": 480}
    told = {(name, way) for name, way, _, _ in probes.figures_of(found)}
    assert told == {
        ("text_free", "logistic"),
        ("text_free", "boosted"),
        ("shuffled_words", "words_in_order"),
        ("shuffled_words", "words"),
        ("shuffled_words", "model"),
        ("masked_span", "words"),
        ("masked_span", "model"),
        ("masked_span", "model_without_chain"),
        ("generator_identity", "edited"),
        ("generator_identity", "edited_label"),
    }
    assert found["generator_identity"]["written"] is None
    for _, _, _, figure in probes.figures_of(found):
        assert 0 <= figure["low"] <= figure["auc"] <= figure["high"] <= 1


@pytest.mark.parametrize(
    ("more", "leaks"),
    [
        # Marks beside the span: sizes and marks tell, and so does what is left of the claim without it.
        (" ) ) )", {"text_free/logistic", "text_free/boosted", "shuffled_words/words", "masked_span/words"}),
        # A word beside the span: words tell, masked or not.
        (
            " badly",
            {"shuffled_words/words", "masked_span/words", "masked_span/model", "shuffled_words/model"},
        ),
    ],
)
def test_what_stands_beside_the_defect_is_found(more: str, leaks: set[str]) -> None:
    found = probes.probe(data(1, more=more), data(2, more=more), engine=Spotter("badly"), seed=1)
    assert {f"{leak}/{label}" for leak in leaks for label in CLASSES if label != "ambiguity"} <= {
        *found["leaks"]
    }
    figure = found["masked_span"]["words"]["logical"]
    assert figure["low"] > probes.NEAR_CHANCE
    assert figure["verdict"] == "leak: x 1.00"


def test_what_a_class_shows_by_nature_is_said_and_is_no_leak() -> None:
    found = probes.probe(data(1, more=" badly"), data(2, more=" badly"), engine=None, seed=1)
    figure = found["shuffled_words"]["words"]["ambiguity"]
    assert figure["verdict"].startswith("leak")
    assert figure["by_nature"] == probes.BY_NATURE["shuffled_words"]["ambiguity"]
    assert "shuffled_words/words/ambiguity" not in found["leaks"]
    assert "masked_span/words/ambiguity" in found["leaks"]
    assert "model" not in found["masked_span"]


def test_the_hand_that_edits_is_told_and_does_not_give_the_label_away() -> None:
    # Half of the sound rows are edited and all of the defective: the hand alone tells three in four
    found = probes.generator_identity(data(1, hand=" (7)"), data(2, hand=" (7)"))
    assert found["edited"]["all"]["auc"] > 0.95
    assert found["edited_label"]["all"]["auc"] == pytest.approx(0.75, abs=0.05)
    assert found["edited_label"]["all"]["verdict"].startswith("leak")


def test_language_models_are_told_from_rules_where_there_are_both() -> None:
    def mixed(seed: int) -> list[Row]:
        rows = data(seed)
        return [
            row(
                f"{each.text[:-1]} thereof.",
                each.label,
                spans=each.spans,
                origin=each.origin,
                generator="llm",
            )
            if each.label != "pass" and at % 4 == 1
            else each
            for at, each in enumerate(rows)
        ]

    found = probes.generator_identity(mixed(1), mixed(2))
    assert found["written"]["all"]["auc"] > 0.95
    assert found["written_label"]["all"]["auc"] > 0.6


def test_the_same_seed_gives_the_same_figures_whatever_the_order_of_the_rows() -> None:
    train, test = data(1), data(2)
    first, again = (probes.probe(train, test, engine=None, seed=3) for _ in range(2))
    assert first == again


def test_rows_without_twins_are_refused() -> None:
    with pytest.raises(ValueError, match="twins"):
        probes.probe([row("A lid.")], data(2), engine=None, seed=1)


@pytest.mark.parametrize(
    ("sound", "defective", "quote", "left", "left_of_twin"),
    [
        ("A pump with a lid.", "A pump with the lid.", "the lid", "A pump with.", "A pump with."),
        (
            "A pump.",
            "A pump, wherein no pump is present.",
            "wherein no pump is present",
            "A pump.",
            "A pump.",
        ),
        ("A pump with a lid.", "A pump with a lid", "d", "A pump with a li", "A pump with a li"),
        (
            "A cap, and a lid.",
            "A cap, and a very good lid.",
            "a very good",
            "A cap, and lid.",
            "A cap, and lid.",
        ),
        # Something else is different too: it stays, and the twin loses as much at the same place.
        ("A pump with a lid.", "A pomp with the lid.", "the lid", "A pomp with.", "A pump with"),
    ],
)
def test_a_defect_and_its_counterpart_are_cut_out(
    sound: str, defective: str, quote: str, left: str, left_of_twin: str
) -> None:
    start = defective.rindex(quote)
    pair = (row(defective, "syntax", spans=((start, start + len(quote)),)), row(sound))
    assert [each.text for each in masked([pair])] == [left, left_of_twin]


def test_a_shuffle_keeps_every_word_and_mark_and_the_chain() -> None:
    given = row("A lid, a hook; and a (small) cap.", ancestors=("1. A box.",))
    found = shuffled(given, Random(4))
    assert found.text != in_order(given).text
    assert sorted(found.text.split()) == sorted(in_order(given).text.split())
    assert found.ancestors == given.ancestors
    assert alone(found).ancestors == ()


def test_twins_share_an_origin() -> None:
    first, second, lonely = (row("A lid", "syntax", origin=origin) for origin in ("a/1", "a/2", "b/1"))
    sound = [row("A lid.", origin="a/2"), row("A lid.", origin="a/1")]
    assert twins([first, *sound, second, lonely]) == [(first, sound[1]), (second, sound[0])]


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["data", "probe", *arguments])


def test_the_command_writes_and_shows_what_it_found(tmp_path: Path) -> None:
    for split, seed in (("train", 1), ("test", 2)):
        write(tmp_path / f"{split}.jsonl", data(seed))
    shown = run(str(tmp_path), "--json")
    assert shown.exit_code == 0, shown.output
    written = json.loads((tmp_path / "probes.json").read_text(encoding="utf-8"))
    assert json.loads(shown.stdout) == written
    assert written["leaks"] == []
    assert "masked_span" in run(str(tmp_path)).stdout


def test_the_command_says_what_is_missing(tmp_path: Path) -> None:
    missing = run(str(tmp_path))
    assert (missing.exit_code, "has no train.jsonl" in missing.stderr) == (2, True)
    (tmp_path / "train.jsonl").write_text("{}\n")
    assert "line 1 of train.jsonl" in run(str(tmp_path)).stderr
