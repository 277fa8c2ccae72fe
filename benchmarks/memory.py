"""Resident memory of every process of the embedded stack after 2,000 claims, in megabytes.

Resident set size, so memory that processes share counts in each of them. The processes in which the API and
the workers run the rules count with their owners.
"""

import tempfile
from pathlib import Path

from ace.claims.readers import read_text
from ace.gatekeeper.loading import FOR_ANY_EXPERT
from ace.local import samples
from ace.local.stack import Stack
from ace.settings import Settings
from benchmarks.figures import options_of, say, tell
from benchmarks.rig import resident_mb, undisturbed
from patent_ace_client import Client


def submit_claims(api: Client, stack: Stack, claims: int) -> None:
    """Submits the samples over and over until `claims` are decided."""
    sets = [(sample, len(read_text(sample.text).claims)) for sample in samples.load()]
    done = 0
    while done < claims:
        filings = []
        for sample, count in sets:
            filings.append(api.submit(sample.docket, sample.text))
            done += count
        for filing in filings:
            api.wait(filing.id, on_filing=lambda _: undisturbed(stack))


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--claims", type=int, default=2_000, help="claims to decide first")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ace-bench-", ignore_cleanup_errors=True) as folder:
        settings = Settings(data_dir=Path(folder), port=0, calibration=FOR_ANY_EXPERT)
        with Stack(settings, quiet=True) as stack, Client(stack.url, stack.key) as api:
            say(f"{options.claims} claims")
            submit_claims(api, stack, options.claims)
            figures: dict[str, float | str] = {"claims": options.claims}
            for child in stack.children:
                if child.process is not None:
                    figures[f"{child.name.replace('-', '_')}_mb"] = resident_mb(child.process.pid)
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
