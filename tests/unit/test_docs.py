"""The docs against the code: their commands exist, generated parts are up to date, prose keeps the style."""

import html
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jsonschema
import pytest
from typer.testing import CliRunner

from ace.bounded import Bounded
from ace.claims.readers import read_text
from ace.cli import app
from ace.types.faults import ERRORS
from docs import generate, screenshots, transcripts
from docs.hundred_claims import HUNDRED_CLAIMS
from tests import commands
from tests.openapi import document

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "ace/**/*.md")
    for path in ROOT.glob(pattern)
)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
MAKE_TARGETS = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def shell_lines(page: str) -> Iterator[str]:
    """The lines of a page's shell blocks, with continued lines and open quotes joined."""
    for language, body in BLOCK.findall(text_of(page)):
        if language != "sh":
            continue
        held = ""
        for line in body.splitlines():
            held += line + "\n"
            if held.endswith("\\\n"):
                held = held[:-2]
                continue
            try:
                shlex.split(held, comments=True)
            except ValueError:
                continue  # a quote is open
            yield held.strip()
            held = ""
        assert not held, f"{page}: a quote stays open"


def typed(page: str) -> Iterator[list[str]]:
    """Every command that a page asks the reader to type, in a shell block or between backticks."""
    for line in shell_lines(page):
        yield from commands.simple_commands(line)
    for span in SPAN.findall(BLOCK.sub("", text_of(page))):
        if span.split()[0] in {"ace", "make", "python"} and not span.endswith("…"):
            yield from commands.simple_commands(span)


TYPED = [(page, words) for page in PAGES for words in typed(page)]
IN_PATHS = "(?:[0-9a-f-]{36}|[a-z]+_[a-z]+)"  # an id, or the name of a type of problem
CURLS = [words for page, words in TYPED if words[0] == "curl"]


def ace_words(words: list[str]) -> list[str] | None:
    """What follows `ace`, which may run in a container or in the virtual environment."""
    inside = words[:3] == ["docker", "compose", "exec"] or words[:2] == ["kubectl", "exec"]
    for place, word in enumerate(words):
        if word in {"ace", ".venv/bin/ace"} and (place == 0 or inside):
            return words[place + 1 :]
    return None


def test_pages_were_found() -> None:
    assert {"README.md", "CHANGELOG.md", "docs/architecture.md", "docs/reference/api.md"} <= set(PAGES)
    assert len(CURLS) >= 8
    assert len(ACE_LINES) >= 50


ACE_LINES = [(page, rest) for page, words in TYPED if (rest := ace_words(words)) is not None]


def test_every_ace_command_of_the_docs_exists() -> None:
    wrong = []
    for page, words in ACE_LINES:
        try:
            commands.parse(words)
        except Exception as error:
            wrong.append(f"{page}: ace {' '.join(words)}: {error}")
    assert wrong == []


@pytest.mark.parametrize(
    "words",
    [
        ["sumbit", "x"],
        ["submit", "x", "--wiat"],
        ["worker", "fast", "slow"],
        ["up", "--port", "high"],
        ["keys", "x"],
        ["--verison"],
    ],
    ids=" ".join,
)
def test_a_command_that_does_not_exist_is_noticed(words: list[str]) -> None:
    with pytest.raises(Exception, match=r"(?i)no such|no command|unexpected|valid integer"):
        commands.parse(words)


def test_every_make_target_of_the_docs_exists() -> None:
    targets = {words[1] for _, words in TYPED if words[0] == "make" and len(words) > 1}
    assert {"demo", "test"} <= targets <= MAKE_TARGETS


def test_every_module_of_the_docs_can_be_run() -> None:
    modules = {words[2] for _, words in TYPED if words[:2] == ["python", "-m"]}
    for module in modules:
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


@pytest.fixture(scope="module")
def openapi(rules: Bounded) -> dict[str, Any]:
    return document(rules)


def asked(words: list[str]) -> tuple[str, str, str | None]:
    """Method, URL and body of a curl command."""
    method = words[words.index("-X") + 1] if "-X" in words else None
    body = next((words[words.index(flag) + 1] for flag in ("-d", "--data-binary") if flag in words), None)
    (url,) = [word for word in words if word.startswith("$ACE/")]
    return method or ("GET" if body is None else "POST"), url.removeprefix("$ACE"), body


@pytest.mark.parametrize("words", CURLS, ids=lambda words: asked(words)[1].replace("/", "."))
def test_every_curl_fits_the_api(openapi: dict[str, Any], words: list[str]) -> None:
    method, url, body = asked(words)
    split = urlsplit(url)
    templates = sorted(openapi["paths"], key=lambda path: "{" in path)
    fits = [
        path
        for path in templates
        if re.fullmatch(re.sub(r"\\\{\w+\\\}", IN_PATHS, re.escape(path)), split.path)
    ]
    assert fits, f"there is no path {split.path}"
    operation = openapi["paths"][fits[0]].get(method.lower())
    assert operation, f"{fits[0]} has no {method}"
    known = {(one["in"], one["name"].lower()) for one in operation.get("parameters", [])}
    headers = dict(word.split(": ", 1) for word in words if re.match(r"[A-Z][\w-]+: ", word))
    used = {("query", name) for name, _ in parse_qsl(split.query)}
    used |= {("header", name.lower()) for name in set(headers) - {"Authorization", "Content-Type"}}
    assert used <= known
    if "/v1/" in url:
        assert headers["Authorization"] == "Bearer $KEY"
    if body is not None:
        content = operation["requestBody"]["content"][headers["Content-Type"]]
        if not body.startswith("@"):
            schema = {**content["schema"], "components": openapi["components"]}
            sent = json.loads(body) if headers["Content-Type"] == "application/json" else body
            jsonschema.validate(sent, schema)


def test_every_error_of_an_evaluation_is_explained() -> None:
    explained = set(SPAN.findall(text_of("docs/reference/states.md").partition("## Errors")[2]))
    assert set(ERRORS) <= explained


def test_generated_pages_and_pictures_are_up_to_date() -> None:
    stale = [page for page in generate.PAGES if generate.filled(page, text_of(page)) != text_of(page)]
    stale += [name for name, make in generate.PICTURES.items() if make() != text_of(name)]
    assert stale == [], "run: python -m docs.generate"


def test_the_picture_of_a_check_shows_what_was_found_and_fetches_nothing() -> None:
    picture = generate.check_picture()
    shown = html.unescape(re.sub(r"<[^>]+>", "", picture)).replace("\xa0", " ")
    assert "antecedent.no_basis" in shown
    assert "3 claims, 3 findings" in shown
    assert not re.search(r"url\(\s*[\"']?http|href=|@import", picture)


def test_every_picture_of_the_desk_is_there_in_both_themes_and_together_they_are_small() -> None:
    found = {path.stem: path.stat().st_size for path in (ROOT / "docs/desk").iterdir()}
    names = {stem.rpartition("-")[0] for stem in found}
    assert found.keys() == {f"{name}-{theme}" for name in names for theme in screenshots.THEMES}
    assert sum(found.values()) <= 3_000_000


def test_every_picture_that_a_page_shows_exists() -> None:
    shown = {(page, picture) for page in PAGES for picture in PICTURE.findall(text_of(page))}
    assert ("README.md", "docs/desk/filing-light.png") in shown
    assert [each for each in shown if not (ROOT / each[0]).parent.joinpath(each[1]).is_file()] == []


def test_the_claim_set_for_pictures_has_a_hundred_claims() -> None:
    assert [claim.number for claim in read_text(HUNDRED_CLAIMS)] == list(range(1, 101))


def test_a_lost_mark_is_noticed() -> None:
    page = "docs/reference/settings.md"
    with pytest.raises(ValueError, match="settings"):
        generate.filled(page, text_of(page).replace("<!-- settings -->", ""))


def test_a_run_of_the_demo_is_shortened() -> None:
    filings = [f"S-{n}: sample\nclaim  verdict\n1      Pass" for n in range(4)]
    about, rationale, summary = "The expert here is rules.", "The rationale for claim 1:\nstep", "4 claims"
    shown = transcripts.shortened("\n\n".join([*filings, about, rationale, summary]))
    assert shown.split("\n\n") == [*filings[:2], "…", about, rationale, summary]


def test_what_differs_from_run_to_run_is_left_out_of_a_transcript() -> None:
    id_ = "01a22266-879e-74cc-a00c-da0c9e957b41"
    rows = f"state    filing{32 * ' '}evaluation{28 * ' '}\ndecided  {id_}  {id_}\n"
    assert transcripts.settled(f"{rows}\n79 claims in 12.7 s: 79 decided\n").splitlines() == [
        "state    filing  evaluation",
        "decided  019a…   019a…",
        "",
        "79 claims in … s: 79 decided",
    ]
    assert max(map(len, transcripts.settled("claim 2: " + 40 * "word ").splitlines())) <= transcripts.COLUMNS


def test_every_move_is_described() -> None:
    from ace.store.tables import MOVES

    assert set(generate.MOVERS) == set(MOVES)


def test_every_mention_of_a_setting_is_one() -> None:
    from ace.settings import Settings

    for page in PAGES:
        for name in re.findall(r"\bACE_[A-Z_]+[A-Z]\b", text_of(page)):
            assert name.removeprefix("ACE_").lower() in Settings.model_fields, f"{page}: {name}"


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives to a page's headings."""
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_relative_link_leads_somewhere() -> None:
    broken = []
    for page in PAGES:
        for target in LINK.findall(BLOCK.sub("", text_of(page))):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            path = (ROOT / page).parent / name if name else ROOT / page
            if not path.exists() or (anchor and anchor not in anchors(path.read_text(encoding="utf-8"))):
                broken.append(f"{page}: {target}")
    assert broken == []


def test_every_path_between_backticks_exists() -> None:
    folders = "ace|ace_lab|workers|migrations|benchmarks|tests|docs"
    missing = [
        f"{page}: {span}"
        for page in PAGES
        for span in SPAN.findall(BLOCK.sub("", text_of(page)))
        if re.fullmatch(rf"(?:{folders})/[\w./-]*", span) and not (ROOT / span).exists()
    ]
    assert missing == []


@pytest.mark.slow
def test_the_site_builds_without_a_broken_link(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", str(tmp_path / "cache")]
    built = subprocess.run(
        [*command, "docs", str(tmp_path / "site")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (built.returncode, built.stderr) == (0, "")
    assert (tmp_path / "site" / "quickstart.html").exists()
    loaded = re.compile(r"""(?:src=|<link[^>]+href=)["'](?:https?:)?//""")
    assert [page.name for page in tmp_path.glob("site/*.html") if loaded.search(page.read_text())] == []


PROSE_COLUMNS = 120
# Written by the release of a model, not by hand.
GENERATED = re.compile(r"ace/|docs/models/")
TRANSLATED = re.compile(
    r"""\b(?:
      dear | cheaply | strewn | whoever | aimed\ at | for\ ever | turn(?:s|ed)?\ (?:\w+\ )?away
    | mend(?:s|ed|ing)? | (?:is|are|was|were|be|as)\ told | told\ (?:of|as|once|apart)
    | no\ known\ \w+ | is\ there\ twice | in\ the\ place\ of | it\ is\ had | as\ they\ lie | most\ that
    | by\ the\ lot | the\ lot\ decides | does\ not\ hold | beside\ that | (?:longest|most|least)\ that
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


def prose_lines(page: str) -> Iterator[tuple[int, str]]:
    """The lines of a page outside code blocks and tables, with their numbers."""
    fenced = False
    for number, line in enumerate(text_of(page).splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("|"):
            yield number, line


WRITTEN = [page for page in PAGES if not GENERATED.match(page)]


def test_the_readme_fits_a_screen_or_two() -> None:
    assert len(text_of("README.md").splitlines()) <= 125


def test_no_line_of_prose_is_too_long() -> None:
    long = [f"{page}:{at}" for page in WRITTEN for at, line in prose_lines(page) if len(line) > PROSE_COLUMNS]
    assert long == []


def test_no_page_has_both_sides_of_a_merge() -> None:
    assert [page for page in PAGES if re.search(r"^(<{7}|={7}|>{7})( |$)", text_of(page), re.MULTILINE)] == []


def test_no_page_has_a_translated_turn_of_phrase() -> None:
    found = [
        f"{page}:{at}: {match.group()}"
        for page in WRITTEN
        for at, line in prose_lines(page)
        for match in TRANSLATED.finditer(SPAN.sub("", line))
    ]
    assert found == []


@pytest.mark.parametrize(
    "phrase", ["A claim is told of it.", "too dear for every claim", "It turns requests away.", "once mended"]
)
def test_a_translated_turn_of_phrase_is_noticed(phrase: str) -> None:
    assert TRANSLATED.search(phrase)


HELPS = list(commands.commands())


@pytest.mark.parametrize("path", [path for path, _ in HELPS], ids=lambda path: " ".join(["ace", *path]))
def test_every_help_ends_with_three_examples_that_parse(path: list[str]) -> None:
    result = CliRunner().invoke(app, [*path, "--help"])
    assert result.exit_code == 0
    lines = result.output.rstrip().splitlines()
    assert lines[-4].strip() == "Examples:"
    examples = [line.strip() for line in lines[-3:]]
    assert all(line.startswith("$ ") for line in examples)
    words = [one for line in examples for one in commands.simple_commands(line[2:]) if one[0] == "ace"]
    assert words, "no example runs ace"
    for one in words:
        commands.parse(one[1:])
