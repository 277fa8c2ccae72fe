"""Reading claim sets: JSON lines and bulk XML, alone, gzipped and in folders; what is bad is named."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ace.errors import Refused
from ace_lab.data.sources import is_sound, read_sources, sound_claims
from ace_lab.injectors.edits import with_text
from tests.unit.lab.samples import SET, TEXTS

GRANT = """<?xml version="1.0" encoding="UTF-8"?>
<us-patent-grant><us-bibliographic-data-grant><publication-reference><document-id>
<country>US</country><doc-number>{number}</doc-number></document-id></publication-reference>
</us-bibliographic-data-grant><claims>
<claim id="CLM-1" num="1"><claim-text>A  lid comprising a ring of \u201csteel\u201d.</claim-text></claim>
<claim id="CLM-2" num="2"><claim-text>The lid of <claim-ref idref="CLM-1">claim 1</claim-ref>, wherein the
ring is round.</claim-text></claim></claims></us-patent-grant>
"""
OTHER = '<?xml version="1.0"?><drawings><s>secret</s></drawings>\n'


def line(patent: str | None, **more: object) -> str:
    claims = [{"num": number, "text": text} for number, text in TEXTS.items()]
    return json.dumps({"source": "ours", "path": "p", "patent": patent, "claims": claims, **more}) + "\n"


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("name", ["claims.jsonl", "claims.jsonl.gz"])
def test_lines(tmp_path: Path, name: str) -> None:
    alone = [{"num": 1, "text": "A  lid."}]
    text = "\n".join(
        (
            line("US1"),
            line("US2", complete=False),
            line(None, complete=False, claims=alone),
            line("US4", family="F9", source=None),
        )
    )
    found = read_sources([written(tmp_path / name, text)]).sets
    assert [(one.family, one.source) for one in found] == [
        ("US1", "ours"),
        ("ours/p/5", "ours"),
        ("F9", name),
    ]
    assert found[0].claims == SET
    assert found[1].claims[1].text == "A lid."


@pytest.mark.parametrize("name", ["bulk.xml", "bulk.XML", "bulk.xml.gz"])
def test_a_bulk_file_is_parted_at_its_declarations(tmp_path: Path, name: str) -> None:
    text = GRANT.format(number=101) + GRANT.format(number=102).rstrip() + GRANT.format(number=103)
    found = read_sources([written(tmp_path / name, text)]).sets
    assert [one.family for one in found] == ["US101", "US102", "US103"]
    assert found[1].claims[1].text == 'A lid comprising a ring of "steel".'
    assert found[1].claims[2].parents == (1,)


def test_files_of_folders_in_order_and_one_family_twice(tmp_path: Path) -> None:
    written(tmp_path / "b" / "two.xml", GRANT.format(number=2))
    written(tmp_path / "b" / "one.jsonl", line("US1"))
    written(tmp_path / "b" / "notes.txt", "nothing")
    last = written(tmp_path / "last.jsonl", line("US1"))
    found = read_sources([tmp_path / "b", last])
    assert [(one.family, one.name) for one in found.sets] == [
        ("US1", "US1"),
        ("US2", "US2"),
        ("US1", "US1#2"),
    ]
    assert found.sets[2].origin(3) == "US1#2/3"
    assert {path.name: count for path, count in found.files.items()} == {
        "one.jsonl": 1,
        "two.xml": 1,
        "last.jsonl": 1,
    }


BAD: dict[str, tuple[Callable[[Path], Path], str, int]] = {
    "no JSON": (
        lambda to: written(to / "a.jsonl", line("US1") + "secret\n" + line("US2")),
        "line 2 of a.jsonl",
        2,
    ),
    "no number": (
        lambda to: written(to / "a.jsonl", line("US1", claims=[{"num": "x", "text": "secret"}])),
        "line 1 of a.jsonl",
        0,
    ),
    "a number twice": (
        lambda to: written(
            to / "a.jsonl", line("US1", claims=[{"num": 1, "text": "secret"}] * 2) + line("US2")
        ),
        "line 1 of a.jsonl",
        1,
    ),
    "no object": (lambda to: written(to / "a.jsonl", "[]\n" + line("US2")), "line 1 of a.jsonl", 1),
    "a document without claims": (
        lambda to: written(to / "a.xml", GRANT.format(number=1) + OTHER + GRANT.format(number=3)),
        "document 2 of a.xml",
        2,
    ),
    "broken mark-up": (
        lambda to: written(
            to / "a.xml", GRANT.format(number=1).replace("</claims>", "") + GRANT.format(number=2)
        ),
        "document 1 of a.xml",
        1,
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_claim_set_is_named_or_counted(tmp_path: Path, case: str) -> None:
    make, place, left = BAD[case]
    path = make(tmp_path)
    with pytest.raises(Refused, match=place) as caught:
        read_sources([path])
    assert "secret" not in str(caught.value)
    found = read_sources([path], skip_bad=True)
    assert len(found.sets) == left
    assert [place in skipped for skipped in found.skipped] == [True]


def test_a_gzip_file_that_ends_too_soon(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress((line("US1") * 50).encode())[:-20])
    with pytest.raises(Refused, match=r"a\.jsonl\.gz: the file is damaged or cut off"):
        read_sources([path])


@pytest.mark.parametrize("name", ["none.jsonl", "folder", "notes.txt"])
def test_paths_that_hold_no_claim_sets(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_text("secret")
    with pytest.raises(Refused, match=name):
        read_sources([tmp_path / name], skip_bad=True)


@pytest.mark.parametrize(
    "text",
    [
        "A lid comprising a ring",
        "A lid comprising a ring. The ring is round.",
        "A lid comprising a ring, such as a hoop.",
        "A lid comprising a (ring.",
        "a lid comprising a ring of steel.",
        "A lid comprising a relatively thin ring.",
        "The lid of claim 9, comprising a ring.",
        "(canceled)",
        "A lid comprising a ring;andbending it.",
    ],
)
def test_dirt_is_no_pass_and_takes_its_dependents_along(text: str) -> None:
    changed = with_text(SET, 1, text)
    assert not is_sound(changed, changed[1])
    assert [claim.number for claim in sound_claims(changed)] == [6, 7]


def test_sound_claims_of_a_sound_set() -> None:
    assert sound_claims(SET) == SET
