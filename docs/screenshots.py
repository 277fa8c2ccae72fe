"""Takes a picture of every page of the desk, light and dark, from a real stack: `python -m docs.screenshots`.

The stack holds 10,000 filings, the samples, a filing of 100 claims and an amendment. Pictures are PNG files
of few colours, cut off below, in `docs/desk`. `--only operations claim` takes some of them. `--width 390`
shows what a phone does, 640 a screen at 200 %.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from io import BytesIO
from pathlib import Path
from shutil import which
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, FloatRect, Page, sync_playwright
from sqlalchemy import Engine

from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.local import samples
from ace.local.stack import Stack
from ace.local.stack_key import TENANT
from ace.settings import Settings
from ace.store import keys
from ace.store.database import connect_engine, transact
from ace.store.scopes import Scope
from benchmarks import stored
from benchmarks.figures import say
from benchmarks.filings import CLAIMS_PER_FILING
from docs.hundred_claims import HUNDRED_CLAIMS
from patent_ace_client import Client, Evaluation

FOLDER: Final = Path(__file__).parent / "desk"
THEMES: Final = ("light", "dark")
FILINGS: Final = 10_000
WIDTH: Final = 1280
MAX_HEIGHT: Final = 1100
COLOURS: Final = 256
PROPOSED: Final = SHIPPED_MODEL / "calibration.json"
"""Another record than that of `ace up`, whose expert is a set of rules."""
REPORT: Final = "docs/models/gatekeeper/report.json"
ORIGINAL: Final = """1. A valve comprising a housing, a seat in it, and a ball that rests on the seat.
2. The valve of claim 1, wherein the lever turns the ball.
3. The valve of claim 2, wherein the seat is made of a polymer.
4. The valve of claim 1, wherein the ball is hollow.
"""
AMENDED: Final = """1. (Currently Amended) A valve comprising a housing, a seat, a lever, and a ball on it.
2. (Original) The valve of claim 1, wherein the lever turns the ball.
3. (Canceled)
4. (Original) The valve of claim 1, wherein the ball is hollow.
5. (New) The valve of claim 4, wherein the ball is made of about 70 % steel
"""
TYPED: Final = """1. A drone comprising a frame and four rotors fixed to the frame.
2. The drone of claim 1, wherein the propeller has two blades.
3. The drone of claim 7, wherein the frame is made of carbon fibres
"""

Act = Callable[[Page], object]


@dataclass(frozen=True, slots=True)
class Shot:
    """A page, and what is done there before its picture is taken."""

    path: str
    act: Act | None = None


def prepare(stack: Stack, db: Engine) -> dict[str, Shot]:
    """Files, reviews and orders what pictures show; returns the pages of somebody who may do everything."""
    say(f"storing {FILINGS:,} filings")
    stored.fill(db, FILINGS * CLAIMS_PER_FILING, tenant=TENANT)
    say("filing and waiting")
    with Client(stack.url, stack.key) as api, Client(stack.url, _key(db, TENANT)) as colleague:
        api.add_term("clock recovery loop", "keep_together", reason="A name of our own")
        api.add_term("the art", reason="Never an element")
        before = api.submit("P-2088-US", ORIGINAL)
        hundred = api.submit(
            "P-2101-EP dispenser", HUNDRED_CLAIMS, metadata={"attorney": "M. Ito", "art_unit": 3754}
        )
        sampled = {each.docket: api.submit(each.docket, each.text) for each in reversed(samples.load())}
        filed = (before, hundred, *sampled.values())
        found = [one for each in filed for one in api.wait(each.id, timeout_seconds=600)]
        after = api.submit("P-2088-US", AMENDED)
        api.wait(after.id, timeout_seconds=600)
        shown = _explained(found)
        api.review(shown.id, "agree", reason="The element is indeed not introduced.")
        colleague.review(shown.id, "disagree", label="pass", reason="Inherent in the housing.")
        api.draw_sample(0.01, since=(datetime.now(UTC) - timedelta(days=9)).isoformat())
        model = _proposed(stack)
        api.promote_model(model, share=10, reason="First on a tenth of the filings")
        pause = api.pause("stage", "fast", reason="The gatekeepers get more memory at noon")
        job = api.order_job(error="poison", reason="The worker was given more memory")
        waiting = api.submit("P-2107-US watch", HUNDRED_CLAIMS)
    sample = f"/filings/{sampled['battery-module'].id}"
    doubtful = max((one for one in found if one.id != shown.id), key=lambda one: one.doubt or 0)
    return {
        "filings": Shot("/"),
        "filings-searched": Shot("/?q=verdict:Fail class:antecedent since:7d", _save_view),
        "filings-misspelt": Shot("/?q=colour:red"),
        "submit": Shot("/submit", _type_claims),
        "filing": Shot(sample, _light_a_phrase),
        "filing-of-100": Shot(f"/filings/{hundred.id}"),
        "filing-under-way": Shot(f"/filings/{waiting.id}"),
        "claim": Shot(f"/filings/{shown.filing}/claims/{shown.claim}"),
        "versions": Shot(f"/filings/{after.id}/compare"),
        "comparison": Shot(f"/filings/{after.id}/compare?with={before.id}"),
        "review": Shot("/review?queue=doubtful"),
        "review-disputed": Shot("/review"),
        "review-audit": Shot("/review?queue=audit"),
        "review-blind": Shot(f"/review/{doubtful.id}"),
        "review-differing": Shot(f"/review/{shown.id}?queue=differing"),
        "operations": Shot("/operations"),
        "pause": Shot(f"/operations/pause?kind=tenant&name={TENANT}"),
        "resume": Shot(f"/operations/pauses/{pause.id}/resume"),
        "replay": Shot("/operations/replay?error=truncated"),
        "job": Shot(f"/operations/jobs/{job.id}"),
        "calibration": Shot("/calibration?escalation=40"),
        "promote": Shot(f"/calibration/models/{model}/promote"),
        "rollback": Shot("/calibration/rollback"),
        "terms": Shot("/terms"),
        "api": Shot("/docs"),
        "nothing": Shot("/nowhere"),
        "graph": Shot(
            "/submit", partial(_show_file, path=f"/filings/{sampled['session-replay'].id}/report.svg")
        ),
        "report": Shot("/submit", partial(_show_file, path=f"{sample}/report.html")),
    }


def everybody(stack: Stack, db: Engine) -> Iterator[tuple[str | None, dict[str, Shot]]]:
    """The pages of a stranger, of a newcomer, and of somebody who may do everything, with their keys."""
    yield None, {"sign-in": Shot("/sign-in")}
    yield _key(db, "newcomer"), {"first-run": Shot("/"), "review-empty": Shot("/review")}
    yield stack.key, prepare(stack, db)


def _key(db: Engine, tenant: str) -> str:
    return transact(db, partial(keys.create, tenant=tenant, label="colleague", scopes=Scope))[1]


def _proposed(stack: Stack) -> str:
    """The id of the shipped model, proposed with another record and its report."""
    words = ["models", "propose", "--calibration", str(PROPOSED), "--report", REPORT]
    told = subprocess.run(  # noqa: S603  # our own command
        [sys.executable, "-m", "ace", *words, "--reason", "For an expert that nobody has measured", "--json"],
        cwd=Path(__file__).parents[1],
        env=stack.environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return str(json.loads(told.stdout)["id"])


def _explained(found: list[Evaluation]) -> Evaluation:
    """A Fail, of the expert and disputed if there is one."""
    fails = (one for one in found if one.verdict == "Fail")
    return max(fails, key=lambda one: (one.decided_by == "expert", one.disputed))


def _save_view(page: Page) -> None:
    page.click("text=Save this view")
    page.fill("#view", "Antecedents of the week")
    page.click("text=Save >> nth=-1")
    page.wait_for_selector(".views [aria-current]")


def _type_claims(page: Page) -> None:
    page.fill("#claims", TYPED)
    page.fill("#docket", "P-2110-US")
    page.wait_for_selector("#understood h2")


def _light_a_phrase(page: Page) -> None:
    page.locator("#claim-4 .phrase").last.focus()
    page.evaluate("scrollTo(0, 0)")


def _show_file(page: Page, path: str) -> None:
    content = page.request.get(path).text()
    page.goto("about:blank")
    page.set_content(f"<!doctype html>\n{content.removeprefix('<!doctype html>')}")


@dataclass(frozen=True, slots=True)
class Camera:
    """Takes pictures of the desk at `url` with a window of this width."""

    browser: Browser
    url: str
    folder: Path
    width: int = WIDTH

    def take(self, shots: Mapping[str, Shot], key: str | None) -> Iterator[Path]:
        """Takes pictures of pages in both themes, signed in if there is a key; yields the files."""
        for theme in THEMES:
            context = self.browser.new_context(
                base_url=self.url, color_scheme=theme, viewport={"width": self.width, "height": MAX_HEIGHT}
            )
            page = context.new_page()
            if key is not None:
                page.goto("/sign-in")
                page.fill("#key", key)
                page.click("main button")
                page.wait_for_url(f"{self.url}/")
            for name, shot in shots.items():
                page.goto(shot.path)
                if shot.act is not None:
                    shot.act(page)
                yield self._taken(page, self.folder / f"{name}-{theme}.png")
            context.close()

    def _taken(self, page: Page, file: Path) -> Path:
        page.evaluate("document.fonts.ready")
        height = min(MAX_HEIGHT, page.evaluate("Math.ceil(document.body.getBoundingClientRect().bottom)"))
        clip: FloatRect = {"x": 0, "y": 0, "width": self.width, "height": height}
        picture = Image.open(BytesIO(page.screenshot(clip=clip))).convert("RGB")
        few = picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(file, optimize=True)
        return file


@contextmanager
def stack_and_database() -> Iterator[tuple[Stack, Engine]]:
    """A stack of its own in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="ace-screenshots-", ignore_cleanup_errors=True) as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), port=0)
        with Stack(settings, quiet=True) as stack:
            db = connect_engine(stack.environment["ACE_DATABASE_URL"], name="screenshots")
            try:
                yield stack, db
            finally:
                db.dispose()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the pictures [docs/desk]")
    parser.add_argument("--width", type=int, default=WIDTH, help="of the window, in pixels")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="pages to take, such as operations [all]")
    options = parser.parse_args()
    chromium = which("chromium") or which("chromium-browser")
    if chromium is None:
        sys.exit("no Chromium: apt-get install chromium")
    options.out.mkdir(parents=True, exist_ok=True)
    with stack_and_database() as (stack, db), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        camera = Camera(browser, stack.url, options.out, options.width)
        for key, shots in everybody(stack, db):
            wanted = {name: shot for name, shot in shots.items() if name in (options.only or shots)}
            for file in camera.take(wanted, key):
                say(str(file))
        browser.close()


if __name__ == "__main__":
    main()
