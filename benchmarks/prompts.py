"""Version 1 of the expert's prompt against version 2, on the same claims.

Asks the structural examiner in this process, or with `--expert URL` a language model. Reads real claim sets
(not part of the project): whole filings, until there are `--count` claims, each asked about with its chain,
as the flow does. Tokens are those that a server counts, or else estimates of ace.expert.prompt.tokens, which
are roughly proportional. What a server's prefix cache can share is measured in three ways: the fixed
messages, what two neighbouring claims of a filing have in common beyond them, and how much of a filing's
last messages was in an earlier one, if the cache keeps everything. The last is why the chain is laid out
from its far end; the other order is measured too.
"""

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.expert_client import ExpertClient
from ace.expert.examiner.structural import examine
from ace.expert.prompt.copt import PROMPTS, Prompt
from ace.expert.prompt.rationale import Rationale
from ace.expert.prompt.tokens import count_tokens
from ace.expert.prompt.verification import verify
from ace_lab.data.filed_sets import read_filed
from benchmarks.figures import options_of, percentile, say, tell

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "us-claim-sets.jsonl.gz"
CHAIN_CHARACTERS = 60_000

Filing = Sequence[ClaimInput]


class Taken(NamedTuple):
    """One answer and its tokens; `tokens_in` is None if no server counted them."""

    rationale: Rationale
    tokens_in: int | None
    tokens_out: int


Ask = Callable[[ClaimInput, int], Taken | str]
"""Answers for a claim, given the number of claims in its filing, or returns the kind of fault."""


@dataclass
class Measured:
    """The measurements of one version."""

    tokens_in: list[int] = field(default_factory=list)
    tokens_out: list[int] = field(default_factory=list)
    quotes: int = 0
    verified: int = 0
    answers: int = 0
    fails: int = 0
    disputed: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    shared: list[int] = field(default_factory=list)
    seen_before: int = 0
    asked: int = 0

    def figures(self, name: str) -> dict[str, float]:
        """Every figure under the version's name."""
        return {
            f"{name}_answers": float(self.answers),
            **{f"{name}_failed_{kind}": float(count) for kind, count in sorted(self.failed.items())},
            f"{name}_tokens_in_mean": _share(sum(self.tokens_in), len(self.tokens_in)),
            f"{name}_tokens_in_p95": float(percentile(self.tokens_in or [0], 0.95)),
            f"{name}_tokens_out_mean": _share(sum(self.tokens_out), len(self.tokens_out)),
            f"{name}_tokens_out_p95": float(percentile(self.tokens_out or [0], 0.95)),
            f"{name}_quotes": float(self.quotes),
            f"{name}_verified_share": _share(self.verified, self.quotes),
            f"{name}_fail_share": _share(self.fails, self.answers),
            f"{name}_disputed_share": _share(self.disputed, self.answers),
            **self.prefixes(name),
        }

    def prefixes(self, name: str) -> dict[str, float]:
        """What a prefix cache can use, beyond the fixed messages."""
        return {
            f"{name}_prefix_shared_mean": _share(sum(self.shared), len(self.shared)),
            f"{name}_prefix_seen_share": _share(self.seen_before, self.asked),
        }


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures of both versions."""
    options = options_of(__doc__)
    options.add_argument("--claims", type=Path, default=DATA, help="JSONL or JSONL.GZ with claim sets")
    options.add_argument("--count", type=int, default=300, help="claims to ask about")
    options.add_argument("--expert", help="URL of a language model, in place of the structural examiner")
    options.add_argument("--concurrency", type=int, default=8, help="questions at a time, with --expert")
    chosen = options.parse_args(arguments)
    if not chosen.claims.exists():
        say(f"{chosen.claims} is not there: name a file of claim sets with --claims")
        return 1
    filings = list(_filings(chosen.claims, chosen.count))
    figures: dict[str, float | str] = {
        "claims": float(sum(map(len, filings))),
        "filings": float(len(filings)),
    }
    for name, prompt in PROMPTS.items():
        say(f"{prompt.version}: {len(filings)} filings")
        figures[f"{name}_fixed_tokens"] = float(_fixed(prompt))
        ask = _structural(prompt) if chosen.expert is None else _model(prompt, chosen.expert)
        threads = 1 if chosen.expert is None else chosen.concurrency
        figures |= _measured(prompt, filings, ask, threads).figures(name)
    figures |= _nearest_first(filings).prefixes("v2_nearest_first")
    tell(figures, as_json=chosen.json)
    return 0


def _filings(path: Path, count: int) -> Iterator[Filing]:
    """Whole filings, every ninth of the file, so that they come from several sources."""
    left = count
    for filed in islice(read_filed(path), 0, None, 9):
        claims = filed.claims()
        inputs = [
            claims.input_of(claim.number, max_chain_characters=CHAIN_CHARACTERS)
            for claim in islice(claims, left)
        ]
        left -= len(inputs)
        if inputs:
            yield inputs
        if left <= 0:
            return


def _structural(prompt: Prompt) -> Ask:
    def ask(claim: ClaimInput, total: int) -> Taken:
        raw = examine(claim, prompt.name).model_dump_json()
        return Taken(prompt.parse(raw, "stop"), None, count_tokens(raw))

    return ask


def _model(prompt: Prompt, url: str) -> Ask:
    client = ExpertClient(url, dialect="auto", prompt=prompt, max_tokens=2_048)

    def ask(claim: ClaimInput, total: int) -> Taken | str:
        try:
            answer = client.examine(claim, total)
        except (ExpertTransient, ExpertPermanent) as fault:
            return fault.kind
        tokens_out = answer.completion_tokens
        return Taken(
            answer.rationale,
            answer.prompt_tokens,
            count_tokens(answer.raw) if tokens_out is None else tokens_out,
        )

    return ask


def _measured(prompt: Prompt, filings: Sequence[Filing], ask: Ask, threads: int) -> Measured:
    measured = Measured()
    counted: list[int] = []
    with ThreadPoolExecutor(threads) as pool:
        for filing in filings:
            for claim, taken in zip(filing, pool.map(ask, filing, [len(filing)] * len(filing)), strict=True):
                if isinstance(taken, str):
                    measured.failed[taken] += 1
                    continue
                found = verify(taken.rationale, claim)
                measured.answers += 1
                measured.fails += taken.rationale.verdict == "Fail"
                measured.disputed += found.disputed
                measured.quotes += len(found.findings)
                measured.verified += len(found.verified)
                measured.tokens_out.append(taken.tokens_out)
                if taken.tokens_in is not None:
                    counted.append(taken.tokens_in)
            _prefixes(prompt, filing, measured)
    measured.tokens_in = counted or measured.tokens_in
    return measured


def _prefixes(prompt: Prompt, filing: Filing, measured: Measured) -> None:
    """What the last messages of a filing have in common at their beginning, in tokens."""
    messages = [prompt.messages(claim, len(filing)) for claim in filing]
    last = [each[-1]["content"] for each in messages]
    measured.tokens_in.extend(sum(count_tokens(part["content"]) for part in each) for each in messages)
    measured.shared.extend(count_tokens(one[: _common(one, other)]) for one, other in pairwise(last))
    for at, message in enumerate(last):
        known = max((_common(message, other) for other in last[:at]), default=0)
        measured.seen_before += count_tokens(message[:known])
        measured.asked += count_tokens(message)


def _common(one: str, other: str) -> int:
    """How many characters two messages have in common at their beginning."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _nearest_first(filings: Sequence[Filing]) -> Measured:
    """Version 2 with the chain from its near end, as version 1 has it."""
    measured = Measured()
    for filing in filings:
        turned = [replace(claim, ancestors=tuple(reversed(claim.ancestors))) for claim in filing]
        _prefixes(PROMPTS["v2"], turned, measured)
    return measured


def _fixed(prompt: Prompt) -> int:
    claim = ClaimInput(1, "x")
    return sum(count_tokens(each["content"]) for each in prompt.messages(claim, 1)[:-1])


if __name__ == "__main__":
    sys.exit(main())
