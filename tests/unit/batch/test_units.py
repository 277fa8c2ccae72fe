"""Which units an input has, what each holds, and which share a process takes."""

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ace.batch.units import WINDOW_ROWS, Unit, UnreadableError, share_of, units_of
from ace.errors import Refused
from tests.unit.batch.sets import SOUND, listed


def parquet(path: Path, values: list[dict[str, Any]], *, rows: int) -> Path:
    pq.write_table(pa.Table.from_pylist(values), path, row_group_size=rows)
    return path


def lines(path: Path, *values: Any) -> Path:
    text = "".join(json.dumps(value) + "\n" for value in values).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def indices(unit: Unit) -> list[list[int]]:
    return [[row.index for row in window] for window in unit.windows()]


def test_row_groups_and_files_are_units_in_the_order_of_names(tmp_path: Path) -> None:
    lines(tmp_path / "c.jsonl", {"claims": SOUND})
    lines(tmp_path / "b.ndjson.gz", {"claims": SOUND})
    parquet(tmp_path / "a.parquet", [{"claims": SOUND}] * 5, rows=2)
    lines(tmp_path / ".hidden.jsonl", {"claims": SOUND})
    (tmp_path / "notes.txt").write_text("no input")
    names = ["a.parquet-00000", "a.parquet-00001", "a.parquet-00002", "b.ndjson.gz-00000", "c.jsonl-00000"]
    assert [unit.name for unit in units_of(tmp_path)] == names
    assert units_of(tmp_path / "c.jsonl") == [Unit(tmp_path / "c.jsonl")]


@pytest.mark.parametrize("name", ["missing", "empty", "notes.txt"])
def test_no_input_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").touch()
    with pytest.raises(Refused, match="holds no file that ends with"):
        units_of(tmp_path / name)


def test_rows_keep_their_number_in_the_file(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", [{"claims": SOUND}] * (WINDOW_ROWS + 3), rows=WINDOW_ROWS + 1)
    first, second = units_of(path)
    assert indices(first) == [list(range(WINDOW_ROWS)), [WINDOW_ROWS]]
    assert indices(second) == [[WINDOW_ROWS + 1, WINDOW_ROWS + 2]]


def test_empty_lines_are_no_rows_and_count(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"claims": "1. A."}\n\n  \n{"claims": "1. B."}')
    assert indices(Unit(path)) == [[0, 3]]


def test_claims_of_parquet_are_a_text_or_a_list(tmp_path: Path) -> None:
    texts = parquet(tmp_path / "a.parquet", [{"claims": SOUND, "docket": "D", "other": 1}], rows=9)
    lists = parquet(tmp_path / "b.parquet", [{"claims": listed("A pump.")}, {"claims": None}], rows=9)
    ((row,),) = Unit(texts).windows()
    assert (row.docket, row.claims and row.claims.sent) == ("D", SOUND)
    ((one, none),) = Unit(lists).windows()
    assert one.claims is not None
    assert one.claims.sent == [(1, "A pump.")]
    assert none.error == "claims_type: /claims: must be a text or a list of claims"


def test_the_digest_is_that_of_the_units_own_bytes(tmp_path: Path) -> None:
    values = [{"claims": f"1. A pump of type {number}."} for number in range(4)]
    path = parquet(tmp_path / "a.parquet", values, rows=2)
    before = [unit.digest() for unit in units_of(path)]
    assert len(set(before)) == 2
    values[3] = {"claims": "1. A pump of type 9."}
    parquet(path, values, rows=2)
    after = [unit.digest() for unit in units_of(path)]
    assert (after[0] == before[0], after[1] == before[1]) == (True, False)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.parquet", b"PAR1 and nothing else"),
        ("a.jsonl.gz", gzip.compress(b'{"claims": "1. A."}\n' * 1_000)[:-20]),
        ("a.jsonl.gz", b"no gzip"),
    ],
    ids=["parquet", "cut gzip", "no gzip"],
)
def test_a_damaged_file_is_one_unit_that_cannot_be_read(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    (unit,) = units_of(tmp_path)
    with pytest.raises(UnreadableError, match=rf"^{name} cannot be read: \w+$"):
        list(unit.windows())


def test_a_table_without_claims_cannot_be_read(tmp_path: Path) -> None:
    parquet(tmp_path / "a.parquet", [{"text": SOUND}], rows=1)
    (unit,) = units_of(tmp_path)
    with pytest.raises(UnreadableError, match=r"a\.parquet has no column claims"):
        list(unit.windows())


@pytest.mark.parametrize("count", [1, 3, 7, 20])
def test_shards_have_each_unit_once(count: int) -> None:
    units = [Unit(Path("a.parquet"), group) for group in range(10)]
    shares = [share_of(units, f"{index}/{count}") for index in range(count)]
    assert sorted(unit.group for share in shares for unit in share) == list(range(10))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


@pytest.mark.parametrize("shard", ["3/3", "1", "-1/3", "a/b", "/3", "0/0", "²/3"])
def test_what_is_no_shard_is_refused(shard: str) -> None:
    with pytest.raises(Refused, match="a shard is written i/N"):
        share_of([Unit(Path("a.parquet"))], shard)
