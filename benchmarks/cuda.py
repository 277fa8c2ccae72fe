"""Everything of ACE that can use a GPU, one piece after the other: tests, speed, training (`make gpu`).

No piece takes ten minutes: what lasts longer is stopped, and training continues where it was when the command
is run again. The end of what each piece printed goes into docs/models/cuda.md. Without a GPU this says so and
leaves the page as it is.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.figures import options_of, say, tell
from docs.generate import put

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "models" / "cuda.md"
PIECE_SECONDS: Final = 570.0
EXPERT_UPDATES: Final = 20
EXPERT_ROWS: Final = 24 * EXPERT_UPDATES  # an update takes 24
SHOWN_LINES: Final = 40
SPEED_CLAIMS: Final = 4_000  # fewer are done before a GPU is warm
PLAIN: Final = {"TQDM_DISABLE": "1", "NO_COLOR": "1"}


class Piece(NamedTuple):
    """A heading of the page, and what Python runs below it."""

    name: str
    words: Sequence[str]


class Ran(NamedTuple):
    """The exit status, None if it was stopped, and the output."""

    status: int | None
    output: str


Run = Callable[[Sequence[str], float], Ran]


def pieces(options: Any) -> Iterator[Piece]:
    """What to run, in order; the expert only if there is a base for it."""
    data, out = options.data, options.out
    trained = str(out / "gatekeeper")
    base: Sequence[str] = ("--recipe", "paper")
    if options.gatekeeper_base is not None:
        base = ("--recipe", "large", "--base", options.gatekeeper_base)
    yield Piece(
        "Tests of the torch engine and of training",
        ("-m", "pytest", "-q", "--tb=line", "tests/unit/gatekeeper", "tests/unit/lab/training"),
    )
    yield Piece(
        "Speed of the shipped gatekeeper",
        (
            *("-m", "benchmarks.gatekeeper", "--device", "cuda", "--claims", str(options.claims)),
            *("--count", str(SPEED_CLAIMS)),
        ),
    )
    if not data.is_dir():
        yield Piece("Data", ("-m", "ace", "data", "build", str(options.claims), "--out", str(data)))
    yield Piece(
        "Training a gatekeeper",
        (
            *("-m", "ace", "train", "gatekeeper", "--data", str(data), "--out", trained, *base),
            *("--max-minutes", f"{options.minutes:g}", "--checkpoint-only"),
        ),
    )
    yield Piece(
        "What it is worth",
        (
            *("-m", "ace", "evaluate", "--quick", "--data", str(data), "--out", str(out / "report")),
            *("--model", f"{trained}/checkpoint"),
        ),
    )
    if options.expert_base is not None:
        yield Piece(
            "Training an expert by QLoRA",
            (
                *("-m", "ace", "train", "expert", "--data", str(data), "--out", str(out / "expert")),
                *("--base", options.expert_base, "--no-merge"),
                *("--limit-rows", str(EXPERT_ROWS), "--max-steps", str(EXPERT_UPDATES)),
            ),
        )


def run(words: Sequence[str], seconds: float) -> Ran:
    """Runs Python in the project's folder, with its errors among its output, for so long at most."""
    with subprocess.Popen(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | PLAIN,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            output, _ = process.communicate()
            return Ran(None, output)
        return Ran(process.returncode, output)


def section(piece: Piece, ran: Ran, minutes: float) -> str:
    """A piece's part of the page."""
    outcome = {None: "stopped, continues next time", 0: "done"}.get(ran.status, f"failed ({ran.status})")
    shown = "\n".join(ran.output.strip().splitlines()[-SHOWN_LINES:])
    command = f"python {' '.join(piece.words)}"
    return f"## {piece.name}\n\n{outcome}, {minutes:.1f} minutes\n\n```\n$ {command}\n{shown}\n```"


def main(arguments: Sequence[str] | None = None, *, gpu: str | None = None, run: Run = run) -> int:
    """Runs the pieces on `gpu`, or says that there is none; returns how many failed."""
    options = options_of(__doc__)
    options.add_argument("--claims", type=Path, required=True, help="claim sets: JSON lines or XML")
    options.add_argument("--data", type=Path, required=True, help="data directory; built if it is missing")
    options.add_argument("--out", type=Path, required=True, help="where models and their report go")
    options.add_argument("--minutes", type=float, default=6.0, help="limit of the gatekeeper's training [6]")
    options.add_argument("--gatekeeper-base", help="encoder or Llama to fine-tune [the bundled MiniLM]")
    options.add_argument("--expert-base", help="instruction-tuned model; without one no expert is trained")
    chosen = options.parse_args(arguments)
    gpu = gpu or _gpu()
    if gpu is None:
        say("no GPU: nothing was run on CUDA, and docs/models/cuda.md stays as it is")
        return 0
    sections, figures = [f"Measured on {gpu}."], dict[str, float | str]()
    for piece in pieces(chosen):
        say(piece.name)
        began = time.monotonic()
        ran = run(piece.words, PIECE_SECONDS)
        minutes = (time.monotonic() - began) / 60
        figures[piece.name] = "stopped" if ran.status is None else float(ran.status)
        sections.append(section(piece, ran, minutes))
        page = put("measured", "\n\n".join(sections), PAGE.read_text(encoding="utf-8"))
        PAGE.write_text(page, encoding="utf-8")
    tell(figures, as_json=chosen.json)
    return sum(status not in {"stopped", 0.0} for status in figures.values())


def _gpu() -> str | None:
    import torch  # takes seconds, and `--help` does not need it

    return torch.cuda.get_device_name() if torch.cuda.is_available() else None


if __name__ == "__main__":
    sys.exit(main())
