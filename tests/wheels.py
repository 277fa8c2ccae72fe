"""Whether every package of the product has a wheel for each Python and platform: `python -m tests.wheels`.

uv resolves the pinned requirements as that Python on that platform would, from wheels alone; it needs no
interpreter of that version and installs nothing. What it finds has to be what docs/reference/supply-chain.md
says; `--write` puts it there. If the package index cannot be reached, nobody can know, and one line says that
this check was skipped.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

from uv import find_uv_bin

from docs.generate import put, table

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "reference" / "supply-chain.md"
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
PLATFORMS: Final = {  # as the page names them, and as uv does
    "Linux, x86-64": "x86_64-manylinux_2_28",
    "Linux, arm64": "aarch64-manylinux_2_28",
    "macOS 14, arm64": "aarch64-apple-darwin",
    "macOS 14, x86-64": "x86_64-apple-darwin",
}
MACOS: Final = "14.0"
NOWHERE: Final = Path(tempfile.gettempdir()) / "ace-wheels"  # uv wants a folder, and puts nothing there
LONGEST_SECONDS: Final = 120.0

_PINNED: Final = re.compile(r"^([a-z][a-z0-9-]*)==([^\\\n]+)", re.MULTILINE)
_NO_WHEEL: Final = re.compile(r"Because ([\w.-]+)==\S+ has no (?:usable )?wheels")
_EXPLAINED: Final = re.compile(r"^\| `([\w-]+)` \|", re.MULTILINE)


class Answer(NamedTuple):
    """What uv made of requirements: whether all have wheels, and its words if not."""

    complete: bool
    words: str


class Unanswered(Exception):
    """uv failed for another reason than a missing wheel."""


Ask = Callable[[list[str], str, str], Answer]


def requirements() -> dict[str, str]:
    """Every pinned package of the product and of the one-machine stack, with version and marker."""
    files = (ROOT / "requirements" / name for name in ("product.txt", "embedded.txt"))
    return {
        name: f"{name}=={rest.strip()}"
        for file in files
        for name, rest in _PINNED.findall(file.read_text(encoding="utf-8"))
    }


def resolved(wanted: list[str], python: str, platform: str) -> Answer:
    """Asks uv, which heeds the markers."""
    command = [find_uv_bin(), "pip", "install", "--quiet", "--color=never", "--dry-run", "--no-deps"]
    command += ["--only-binary=:all:", f"--python-version={python}", f"--python-platform={platform}"]
    try:
        done = subprocess.run(
            [*command, f"--python={sys.executable}", f"--target={NOWHERE}", "--requirements=-"],
            input="\n".join(wanted),
            env=os.environ | {"MACOSX_DEPLOYMENT_TARGET": MACOS},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer(complete=False, words="too slow")
    return Answer(complete=done.returncode == 0, words=done.stderr)


def without_wheel(wanted: dict[str, str], python: str, platform: str, ask: Ask = resolved) -> list[str]:
    """The packages that have no wheel there. uv names one at a time. Raises Unanswered."""
    left, missing = dict(wanted), []
    while not (answer := ask(list(left.values()), python, platform)).complete:
        named = _NO_WHEEL.search(answer.words)
        if named is None or named[1] not in left:
            raise Unanswered(answer.words.strip().partition("\n")[0])
        missing.append(named[1])
        del left[named[1]]
    return sorted(missing)


def wheels(ask: Ask = resolved) -> dict[tuple[str, str], list[str]]:
    """For each platform and Python the packages without a wheel. Raises Unanswered."""
    wanted, places = requirements(), list(product(PLATFORMS, PYTHONS))
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda at: without_wheel(wanted, at[1], PLATFORMS[at[0]], ask), places)
        return dict(zip(places, found, strict=True))


def shown(found: dict[tuple[str, str], list[str]]) -> str:
    """The table of the page."""
    rows = [(platform, *(_cell(found[platform, python]) for python in PYTHONS)) for platform in PLATFORMS]
    return table(("platform", *(f"Python {python}" for python in PYTHONS)), *rows)


def _cell(missing: list[str]) -> str:
    return "no wheel of " + ", ".join(f"`{name}`" for name in missing) if missing else "all wheels"


def judged(found: dict[tuple[str, str], list[str]], page: str) -> list[str]:
    """What is wrong with the page."""
    missing = {name for names in found.values() for name in names}
    explained = set(_EXPLAINED.findall(page))
    wrong = [f"{name} lacks wheels and the page gives no way to do without" for name in missing - explained]
    wrong += [f"{name} has wheels everywhere, yet the page explains it" for name in explained - missing]
    if put("wheels", shown(found), page) != page:
        wrong.append("the table is out of date; run: python -m tests.wheels --write")
    return sorted(wrong)


def main(arguments: list[str]) -> int:
    """Compares what the index has with the page; the exit code of the check."""
    try:
        found = wheels()
    except Unanswered as error:
        print(f"wheels: NOT CHECKED, the package index gave no answer: {error}")
        return 0
    page = PAGE.read_text(encoding="utf-8")
    if arguments == ["--write"]:
        page = put("wheels", shown(found), page)
        PAGE.write_text(page, encoding="utf-8")
    wrong = judged(found, page)
    for line in wrong:
        print(f"{PAGE.name}: {line}")
    complete = sum(not missing for missing in found.values())
    print(f"wheels: {len(requirements())} packages, complete for {complete} of {len(found)} combinations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
