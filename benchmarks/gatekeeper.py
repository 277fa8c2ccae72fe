"""How fast the gatekeeper is, beside transformers' own pipeline and beside the bare model.

All contestants score the same real claims (not part of the project), taking turns; a rate is the median of
its turns. `ours` is what a worker does, from claim sets to probabilities: two messages in hand, the sets of
one analysed in processes of their own while the other is scored. `engine` has the analyses ready made.
`pipeline` is `pipeline("text-classification")` over the fp32 checkpoint, at the best of several batch sizes,
given the texts ready made. `ceiling` is our runtime alone: tokens ready made, batches perfectly sorted,
nothing else.

`delta_u_max` compares U of every claim in one call with U in batches of random mates, and `flips` counts
claims routed otherwise although U is further than 0.001 from tau. Memory is the highest that a process
reaches that does nothing but score. Without --checkpoint, one is made of the shipped weights.
"""

import importlib
import json
import multiprocessing
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import median
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ace import claim_work
from ace.bounded import Bounded
from ace.claim_work import analysed
from ace.claims.analysis import AnalysedClaim, from_json
from ace.claims.model import ClaimSet, kept_text
from ace.claims.taxonomy import LABELS
from ace.claims.terms import NO_TERMS
from ace.gatekeeper.batching import batches
from ace.gatekeeper.digests import seal
from ace.gatekeeper.facts import claim_facts
from ace.gatekeeper.inputs import CHAIN_CHARACTERS, ClaimInput, as_shown
from ace.gatekeeper.loading import SHIPPED_MODEL, load_engine
from ace.gatekeeper.model_files import read_model_files
from ace.gatekeeper.scoring_threads import MAX_THREADS, ScoringThreads, cores
from ace.gatekeeper.tokens import Arrays, padded
from ace.routing.policy import route
from ace.routing.score import binary_entropy
from ace_lab.data.filed_sets import read_filed
from benchmarks.figures import options_of, say, tell
from benchmarks.widened import checkpoint_of

DATA: Final = Path(__file__).resolve().parents[2] / "shared" / "data" / "us-claim-sets.jsonl.gz"
DOLLARS_PER_HOUR: Final = 3.0
NEAR_TAU: Final = 1e-3
BATCH_SIZES: Final = {"cpu": (1, 4, 16), "cuda": (32, 128, 512)}
MOST_MATES: Final = 64
WARM_UP: Final = 64
MESSAGE_SETS: Final = {"cpu": 4, "cuda": 40}  # a long backlog fills messages, and a GPU is bought for one
MESSAGES_IN_HAND: Final = 2  # as in workers/gatekeeper.py

Contestant = Callable[[Sequence[ClaimInput]], object]


def read_sets(path: Path, count: int) -> list[ClaimSet]:
    """Sets spread over the file, as many as have `count` claims; the last may have some more."""
    sets = [filed.claims() for filed in read_filed(path)]
    Random(0).shuffle(sets)
    found: list[ClaimSet] = []
    while count > 0:
        found.append(sets[len(found)])
        count -= len(found[-1])
    return found


def inputs_of(claims: ClaimSet) -> list[ClaimInput]:
    """The claims of a set as the gatekeeper is given them, in the order filed."""
    return [claims.input_of(claim.number, max_chain_characters=CHAIN_CHARACTERS) for claim in claims]


def analysed_inputs(claims: ClaimSet, made: str) -> list[AnalysedClaim]:
    """The same with the analysis of the set."""
    analyses = json.loads(made)
    return [
        AnalysedClaim.of(claim, from_json(analyses[str(claim.number)], claim.number, claim.text))
        for claim in inputs_of(claims)
    ]


def worker(engine: Any, sets: Sequence[ClaimSet], checks: Bounded, device: str) -> Contestant:
    """A worker's share of a message: sets to analyses, while the claims of another message are scored."""
    kept = {id(claims): [(claim.number, kept_text(claim)) for claim in claims] for claims in sets}
    size = MESSAGE_SETS[device]
    messages = [sets[start : start + size] for start in range(0, len(sets), size)]
    model, pool = Lock(), ThreadPoolExecutor(MESSAGES_IN_HAND)

    def screen(message: Sequence[ClaimSet]) -> None:
        made = checks.each(
            analysed, [(kept[id(claims)], NO_TERMS) for claims in message], range(len(message))
        )
        inputs = [
            claim
            for claims, one in zip(message, made, strict=True)
            for claim in analysed_inputs(claims, str(one))
        ]
        with model:
            engine.score(inputs)

    return lambda _: list(pool.map(screen, messages))


def told(model: Path, folder: Path, *, hints: bool) -> Path:
    """The model directory as if it had been trained with hints, or without."""
    copy = folder / f"{model.name}-{'with' if hints else 'without'}"
    copy.mkdir()
    for file in model.iterdir():
        (copy / file.name).symlink_to(file.resolve())
    about = json.loads((model / "gatekeeper.json").read_text(encoding="utf-8"))
    (copy / "gatekeeper.json").unlink()
    (copy / "gatekeeper.json").write_text(json.dumps({**about, "hints": hints}), encoding="utf-8")
    seal(copy)
    return copy


def bare(model: Path, threads: ScoringThreads, claims: Sequence[ClaimInput], device: str) -> Contestant:
    """Our runtime over ready-made arrays in perfectly sorted batches, with as many threads as ours."""
    encoded = threads.tokenizer.encode(claims)
    sizes = {"budget_tokens": threads.budget_tokens, "max_items": threads.max_items}
    ready = [
        padded([encoded[at] for at in batch], threads.tokenizer.pad, multiple=threads.multiple)
        for batch in batches([len(ids) for ids, _ in encoded], **sizes)
    ]
    forward = _cuda_forward(model) if device == "cuda" else _cpu_forward(model)
    pool = ThreadPoolExecutor(threads.count if device == "cpu" else 1)
    return lambda _: list(pool.map(forward, ready))


def _cpu_forward(model: Path) -> Callable[[Arrays], object]:
    from ace.gatekeeper.onnx_engine import session_of

    session = session_of(model / "model.onnx", alone=read_model_files(model).alone)
    names = {given.name for given in session.get_inputs()}
    return lambda arrays: session.run(["logits"], {name: arrays[name] for name in names})


def _cuda_forward(model: Path) -> Callable[[Arrays], object]:
    import torch

    from ace.gatekeeper.torch_engine import load_scorer

    scorer = load_scorer(model, torch.bfloat16).to("cuda")

    def forward(arrays: Arrays) -> object:
        with torch.inference_mode():
            given = {name: torch.from_numpy(array).to("cuda") for name, array in arrays.items()}
            return scorer(**given).float().cpu()

    return forward


def pipeline(checkpoint: Path, claims: Sequence[ClaimInput], device: str) -> tuple[Contestant, int]:
    """transformers' own pipeline over the checkpoint, and its best batch size."""
    torch, transformers = importlib.import_module("torch"), importlib.import_module("transformers")
    torch.set_num_threads(cores())
    transformers.logging.set_verbosity(50)  # it lists all classes of its own, among which ours is not
    files = read_model_files(checkpoint)
    scorer = importlib.import_module("ace.gatekeeper.torch_engine").load_scorer(checkpoint)

    class Pooled(transformers.PreTrainedModel):  # type: ignore[misc, name-defined]  # imported at run time
        """The checkpoint with one row of logits a claim, as the pipeline wants them."""

        config_class = type(scorer.model.config)
        _supports_sdpa = True

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            """As any model for sequence classification."""
            logits = scorer(input_ids, attention_mask, token_type_ids)
            return transformers.modeling_outputs.SequenceClassifierOutput(logits=logits)

    special = {name: f"[{name[:3].upper()}]" for name in ("pad_token", "cls_token", "sep_token", "unk_token")}
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(checkpoint / "tokenizer.json"),
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **special,
    )
    model = Pooled(scorer.model.config)
    model.inner = scorer
    ask = transformers.pipeline(
        "text-classification",
        model=model.eval().to(device),
        tokenizer=tokenizer,
        device=device,
        top_k=len(LABELS),
        truncation=True,
        max_length=files.max_tokens,
    )
    shown = [as_shown(claim, with_hints=files.hints) for claim in claims]
    ready = [{"text": each.own, "text_pair": f"{each.hints} {each.chain}".strip()} for each in shown]
    trial = ready[: max(48, 2 * max(BATCH_SIZES[device]) if device == "cuda" else 0)]
    took = {}
    for size in BATCH_SIZES[device]:
        began = time.perf_counter()
        ask(trial, batch_size=size)
        took[size] = time.perf_counter() - began
    best = min(took, key=lambda size: took[size])
    return lambda given: ask(ready[: len(given)], batch_size=best), best


def taking_turns(
    contestants: dict[str, Contestant], claims: Sequence[ClaimInput], turns: int
) -> dict[str, float]:
    """Claims a second of each, the median of its turns."""
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(turns):
        for name, contestant in contestants.items():
            began = time.perf_counter()
            contestant(claims)
            rates[name].append(len(claims) / (time.perf_counter() - began))
            say(f"turn {turn + 1} of {turns}: {name} {rates[name][-1]:.0f} claims a second")
    return {name: median(each) for name, each in rates.items()}


def padding_waste(threads: ScoringThreads, claims: Sequence[ClaimInput]) -> float:
    """The share of padding in all that went through the model, batched as the engine does."""
    real = total = 0
    for encoded, batch in (each for _, window in threads.windows(claims) for each in threads.batched(window)):
        lengths = [len(encoded[at][0]) for at in batch]
        width = -(-max(lengths) // threads.multiple) * threads.multiple
        real, total = real + sum(lengths), total + width * len(lengths)
    return 1 - real / total


def beside_mates(engine: Any, claims: Sequence[ClaimInput]) -> dict[str, float]:
    """How far U moves with the claims that are scored together, and what that does to routing."""
    together = engine.score(claims)
    apart = np.zeros_like(together)
    for batch in _random_batches(len(claims)):
        apart[batch] = engine.score([claims[at] for at in batch])
    u, other = binary_entropy(together), binary_entropy(apart)
    facts = claim_facts(claims)
    routed, otherwise = (route(p, engine.calibration, facts=facts) for p in (together, apart))
    far = np.abs(routed.doubt - engine.calibration.tau) > NEAR_TAU
    flips = int(((routed.escalate != otherwise.escalate) & far).sum())
    return {"delta_u_max": float(np.abs(u - other).max()), "flips": flips, "delta_u_claims": len(claims)}


def _random_batches(count: int) -> Iterator[list[int]]:
    random = Random(1)
    order = random.sample(range(count), count)
    while order:
        size = random.randint(1, MOST_MATES)
        yield order[:size]
        del order[:size]


def peak_memory_mb(model: Path, claims: Sequence[ClaimInput], device: str) -> float:
    """The highest resident memory of a new process that only loads the model and scores."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_highest, (model, claims, device))


def _highest(model: Path, claims: Sequence[ClaimInput], device: Any) -> float:
    load_engine(model, device=device).score(claims)
    # Not getrusage: its maximum is carried over from the process that started this one.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return float(status.partition("VmHWM:")[2].split()[0]) / 1024


def _same(p: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float((p.argmax(axis=1) == other.argmax(axis=1)).mean())


def measure(options: Any, folder: Path) -> dict[str, float | str]:
    """All figures by name."""
    model, device = options.model or SHIPPED_MODEL, options.device
    checkpoint = options.checkpoint or checkpoint_of(model, folder / "checkpoint")
    if device == "cuda":
        model = checkpoint
    every = read_sets(options.claims, max(options.count, options.mates))
    sets = read_sets(options.claims, options.count)
    checks = Bounded(processes=min(cores(), MAX_THREADS), cpu_seconds=60, warm=claim_work.warm)
    ready = checks.each(
        analysed,
        [([(c.number, kept_text(c)) for c in claims], NO_TERMS) for claims in sets],
        range(len(sets)),
    )
    claims = [each for one, made in zip(sets, ready, strict=True) for each in analysed_inputs(one, str(made))]
    mates = [each for one in every for each in inputs_of(one)][: options.mates]
    files = read_model_files(model)
    if read_model_files(checkpoint).hints != files.hints:
        checkpoint = told(checkpoint, folder, hints=files.hints)
    engine = load_engine(model, device=device)
    threads: ScoringThreads = getattr(engine, "threads")  # noqa: B009  # not part of the protocol
    slow, best = pipeline(checkpoint, claims, device)
    contestants: dict[str, Contestant] = {
        "ours": worker(engine, sets, checks, device),
        "engine": engine.score,
        "ceiling": bare(model, threads, claims, device),
        "pipeline": slow,
    }
    engine.score(claims[:WARM_UP])
    rates = taking_turns(contestants, claims, options.turns)
    checks.close()
    say("agreement, batch mates, memory")
    reference = load_engine(checkpoint, device=device) if device == "cuda" else _fp32(checkpoint)
    return {
        **{f"{name}_claims_per_second": rate for name, rate in rates.items()},
        "ratio_vs_pipeline": rates["ours"] / rates["pipeline"],
        "ratio_vs_ceiling": rates["ours"] / rates["ceiling"],
        "padding_waste": padding_waste(threads, claims),
        "label_agreement": _same(engine.score(claims), reference.score(claims)),
        "peak_memory_mb": peak_memory_mb(model, claims, device),
        **beside_mates(engine, mates),
        "dollars_per_million": 1e6 / rates["ours"] / 3600 * DOLLARS_PER_HOUR if device == "cuda" else "",
        "hints": str(files.hints).lower(),
        "claims": len(claims),
        "mean_tokens": float(np.mean([len(ids) for ids, _ in threads.tokenizer.encode(claims)])),
        "pipeline_batch_size": best,
        "checkpoint": "given" if options.checkpoint else "widened from the graph",
        "device": device,
        "threads": cores(),
        **{name: version(name) for name in ("torch", "transformers", "onnxruntime", "tokenizers")},
    }


def _fp32(checkpoint: Path) -> Any:
    return importlib.import_module("ace.gatekeeper.torch_engine").TorchEngine(checkpoint, device="cpu")


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--device", choices=tuple(BATCH_SIZES), default="cpu")
    parser.add_argument(
        "--claims", type=Path, default=DATA, help="JSON lines of claim sets, plain or gzipped"
    )
    parser.add_argument("--model", type=Path, help="model directory; without it, the shipped one")
    parser.add_argument("--checkpoint", type=Path, help="the fp32 checkpoint that it was made of")
    parser.add_argument("--count", type=int, default=400, help="claims of a turn, of whole sets")
    parser.add_argument("--turns", type=int, default=3, help="turns of each contestant")
    parser.add_argument("--mates", type=int, default=1_500, help="claims that are scored in random batches")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="ace-bench-"))
    try:
        tell(measure(options, folder), as_json=options.json)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
