"""From submission to a verdict on the fast path, one claim at a time, on the idle embedded stack.

What is measured is what a client waits: POST, then GET with `Prefer: wait`, over HTTP. The model's
own forward time is taken off: the median of the same engine scoring the same claim here, alone.
"""

import statistics
import tempfile
import time
from pathlib import Path

from ace.claims.readers import read_text
from ace.gatekeeper.loading import load_engine
from ace.local import samples
from ace.local.stack import Stack
from ace.settings import Settings
from benchmarks.figures import options_of, percentile, say, tell
from benchmarks.rig import undisturbed
from patent_ace_client import Client

WARM_UP = 20


def independent_claims() -> list[str]:
    """The first claim of every sample."""
    return [read_text(sample.text).claims[0].text for sample in samples.load()]


def forward_ms(settings: Settings, texts: list[str], rounds: int = 30) -> dict[str, float]:
    """Median forward time of each text by itself, in milliseconds."""
    from ace.claims.model import ClaimInput

    engine = load_engine(settings.gatekeeper_model, threads=settings.gatekeeper_threads or None)
    medians = {}
    for text in texts:
        times = []
        for _ in range(rounds):
            began = time.perf_counter()
            engine.score([ClaimInput(1, text)])
            times.append(1000 * (time.perf_counter() - began))
        medians[text] = statistics.median(times)
    return medians


def waited_ms(api: Client, text: str) -> tuple[float, bool]:
    """How long a client waits for one claim, in milliseconds, and whether the gatekeeper decided."""
    began = time.perf_counter()
    accepted = api.submit("latency", text)
    settled = api.evaluation(accepted.evaluations[0].id, wait_seconds=30)
    return 1000 * (time.perf_counter() - began), settled.decided_by == "gatekeeper"


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--claims", type=int, default=400, help="claims to submit, one after another")
    options = parser.parse_args()
    texts = independent_claims()
    with tempfile.TemporaryDirectory(prefix="ace-bench-", ignore_cleanup_errors=True) as folder:
        settings = Settings(data_dir=Path(folder), port=0)
        forward = forward_ms(settings, texts)
        with Stack(settings, quiet=True) as stack, Client(stack.url, stack.key) as api:
            say(f"{options.claims} claims, one after another")
            waited = []
            for number in range(WARM_UP + options.claims):
                text = texts[number % len(texts)]
                ms, fast = waited_ms(api, text)
                undisturbed(stack)
                if number >= WARM_UP and fast:
                    waited.append((ms, forward[text]))
    overhead = [ms - own for ms, own in waited]
    figures: dict[str, float | str] = {
        "claims": len(overhead),
        "p50_ms": statistics.median(overhead),
        "p99_ms": percentile(overhead, 0.99),
        "waited_p50_ms": statistics.median(ms for ms, _ in waited),
        "forward_p50_ms": statistics.median(own for _, own in waited),
    }
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
