"""Claims to ids: who gets the room, and what is cut."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ace.claims.model import ClaimInput
from ace.gatekeeper import scoring_threads
from ace.gatekeeper.canonical import canonical
from ace.gatekeeper.tokens import TAIL_TOKENS, PairTokenizer, padded
from tests.pumping import Attack, given_up_when_stuck, slow_growth
from tests.unit.gatekeeper.models import WORDS, tokenizer_file

UNKNOWN, CLS, SEP, FIRST = 1, 2, 3, 4


@pytest.fixture
def tokenizer(tmp_path: Path) -> PairTokenizer:
    tokenizer_file(tmp_path / "tokenizer.json")
    return PairTokenizer(tmp_path / "tokenizer.json", max_tokens=48)


def ids_of(*words: str) -> list[int]:
    return [FIRST + WORDS.index(word) for word in words]


def test_layout_of_a_short_pair(tokenizer: PairTokenizer) -> None:
    claim = ClaimInput(2, "The pump.", ("1. A pump.",))
    [(ids, head)] = tokenizer.encode([claim])
    own = [CLS, *ids_of("2", ".", "the", "pump", "."), SEP]
    assert ids == [*own, *ids_of("1", ".", "a", "pump", "."), SEP]
    assert head == len(own)


def test_an_independent_claim_has_one_segment(tokenizer: PairTokenizer) -> None:
    [(ids, head)] = tokenizer.encode([ClaimInput(1, "A pump.")])
    assert head == len(ids)


def test_ancestors_are_cut_from_the_far_end(tokenizer: PairTokenizer) -> None:
    near, far = "2. The valve." + " a lid" * 20, "1. A rotor."
    [(ids, head)] = tokenizer.encode([ClaimInput(3, "The pump.", (near, far))])
    assert len(ids) == 48
    assert ids[head : head + 3] == ids_of("2", ".", "the")
    assert ids[-1] == SEP
    assert ids_of("rotor")[0] not in ids


def test_a_long_claim_keeps_its_beginning_and_its_end(tokenizer: PairTokenizer) -> None:
    text = "A pump" + " and a lid" * 60 + " or a rotor."
    [(ids, head)] = tokenizer.encode([ClaimInput(1, text, ("never seen",))])
    assert len(ids) == head == 48
    assert ids[1:5] == ids_of("1", ".", "a", "pump")
    assert ids[-5:-1] == ids_of("or", "a", "rotor", ".")


@pytest.mark.parametrize(
    ("lids", "own", "chain"),
    # A claim of 4 + 2n ids in a model of 200, where ancestors usually fill up to 100
    [(10, 24, 75), (18, 40, 63), (60, 124, 63), (80, 164, 35), (120, 200, 0)],
    ids=["short", "at the edge", "long", "nearly too long", "too long"],
)
def test_a_claim_longer_than_usual_is_read_whole(tmp_path: Path, lids: int, own: int, chain: int) -> None:
    tokenizer_file(tmp_path / "tokenizer.json")
    tokenizer = PairTokenizer(tmp_path / "tokenizer.json", max_tokens=200, usual_tokens=100)
    [(ids, head)] = tokenizer.encode([ClaimInput(2, "a lid " * lids, ("a rotor " * 100,))])
    assert head == own
    assert len(ids) - head == (chain + 1 if chain else 0)


@pytest.mark.parametrize("text", ["{lids}rotor.", "rotor {lids}."], ids=["end", "beginning"])
@pytest.mark.parametrize("words", [5, 40, 46, 47, 200])
def test_marked_positions_are_those_of_the_defect(tokenizer: PairTokenizer, words: int, text: str) -> None:
    claim = ClaimInput(1, text.format(lids="a lid " * words))
    [(ids, _)] = tokenizer.encode([claim])
    at = claim.text.index("rotor")
    assert [ids[position] for position in tokenizer.marked(claim, at, at + 5)] == ids_of("rotor")


def test_few_long_words_are_read_once_each(tokenizer: PairTokenizer) -> None:
    # Given words so long that the text has more characters than the model's tokens usually have
    text = " ".join("x" * 60 + word for word in "abcdefghijklmnopqrs")
    [(ids, _)] = tokenizer.encode([ClaimInput(1, text)])
    assert ids == [CLS, *ids_of("1", "."), *[UNKNOWN] * 19, SEP]


def test_a_defect_in_the_cut_middle_is_marked_nowhere(tokenizer: PairTokenizer) -> None:
    text = "a lid " * 60 + "rotor " + "a lid " * 60
    at = text.index("rotor")
    assert tokenizer.marked(ClaimInput(1, text), at, at + 5) == []
    assert TAIL_TOKENS < 48


def test_padding_marks_what_is_real() -> None:
    arrays = padded([([2, 9, 3], 3), ([2, 9, 3, 8, 3], 3)], pad=0, multiple=4)
    assert arrays["input_ids"].tolist() == [[2, 9, 3, 0, 0, 0, 0, 0], [2, 9, 3, 8, 3, 0, 0, 0]]
    assert arrays["attention_mask"].sum(axis=1).tolist() == [3, 5]
    assert arrays["token_type_ids"].tolist() == [[0] * 8, [0, 0, 0, 1, 1, 0, 0, 0]]
    assert all(array.dtype == np.int64 for array in arrays.values())


def test_a_tokenizer_without_special_tokens_is_refused(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models

    Tokenizer(models.WordLevel({"a": 0}, unk_token="a")).save(str(tmp_path / "t.json"))
    with pytest.raises(ValueError, match="special tokens"):
        PairTokenizer(tmp_path / "t.json", max_tokens=48)


@pytest.mark.parametrize(
    ("text", "meant", "expected"),
    [
        ("The pump is a lid.", "pump", "pump"),
        ("The   pump , is\na lid .", "lid", "lid"),  # spelt otherwise than it is shown
        ("The lid\u00ad is the \u2018pump\u2019.", "pump", "pump"),
        ("A lid e\u0301 pump.", "pump", "pump"),
        ("a lid " * 60 + "rotor.", "rotor", "rotor"),  # behind the cut middle
    ],
)
def test_a_position_is_found_again_in_the_text(
    tokenizer: PairTokenizer, text: str, meant: str, expected: str
) -> None:
    claim = ClaimInput(3, text, ("2. The pump.",))
    [(ids, head)] = tokenizer.encode([claim])
    position = max(at for at in range(head) if ids[at] == ids_of(meant)[0])
    start, end = tokenizer.place(claim, position) or (0, 0)
    assert text[start:end] == expected


def test_a_position_outside_of_the_text_means_the_nearest_token(tokenizer: PairTokenizer) -> None:
    claim = ClaimInput(3, "The pump")
    [(ids, _)] = tokenizer.encode([claim])
    number, end = 1, len(ids) - 1
    assert tokenizer.place(claim, 0) == tokenizer.place(claim, number) == (0, 3)
    assert tokenizer.place(claim, end) == (4, 8)
    assert tokenizer.place(ClaimInput(3, "  "), 0) is None


def test_a_text_that_is_read_in_part_is_found_again(tmp_path: Path) -> None:
    tokenizer_file(tmp_path / "tokenizer.json")
    tokenizer = PairTokenizer(tmp_path / "tokenizer.json", max_tokens=48)
    text = "a lid " * 5_000 + "rotor."
    claim = ClaimInput(1, text)
    [(ids, _)] = tokenizer.encode([claim])
    at = text.index("rotor")
    assert tokenizer.place(claim, ids.index(ids_of("rotor")[0])) == (at, at + 5)


@pytest.mark.parametrize("words", [3, 20, 60, 500])
def test_a_chain_read_in_part_gives_the_same_tokens(tmp_path: Path, words: int) -> None:
    # Given chains around the length up to which the first, cheap try reads
    tokenizer_file(tmp_path / "tokenizer.json")
    tokenizer = PairTokenizer(tmp_path / "tokenizer.json", max_tokens=48)
    for word in ("a", "comprising", "unheardofandverylongindeed"):
        chain = "1. " + f"{word} lid " * words
        [(ids, head)] = tokenizer.encode([ClaimInput(2, "The pump.", (chain,))])
        expected = [1 if word.startswith("un") else ids_of(word)[0], ids_of("lid")[0]] * words
        assert ids[head:-1] == [*ids_of("1", "."), *expected][: 48 - head - 1]


def test_a_text_that_many_claims_depend_on_is_spelled_once(tokenizer: PairTokenizer) -> None:
    # Given twenty claims that depend on one
    spelled: list[str] = []

    def spell(text: str) -> str:
        spelled.append(text)
        return canonical(text)

    root = "1. A  pump."
    claims = [ClaimInput(number, "The pump of claim 1.", (root,)) for number in range(2, 22)]
    # When they are encoded with a spelling that is kept, then that one text is spelled once
    assert tokenizer.encode(claims, cache(spell)) == tokenizer.encode(claims)
    assert spelled.count(root) == 1


def test_the_threads_of_a_call_share_what_was_spelled(
    tokenizer: PairTokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    spelled: list[str] = []

    def spell(text: str) -> str:
        spelled.append(text)
        return canonical(text)

    monkeypatch.setattr(scoring_threads, "canonical", spell)
    threads = scoring_threads.ScoringThreads(tokenizer, count=1, window=2, budget_tokens=999, max_items=1)
    claims = [ClaimInput(number, "The pump of claim 1.", ("1. A pump.",)) for number in range(2, 22)]
    threads.run(claims, lambda arrays: np.zeros((len(arrays["input_ids"]), 6), np.float32), np.float32)
    assert spelled.count("1. A pump.") == 1


@pytest.mark.parametrize("pump", ["\u0301\u0323", "a\u0301", "\u96fb", "a-", "1", "\u0f71\u0f72"])
def test_encoding_and_finding_a_place_take_time_in_proportion(tokenizer: PairTokenizer, pump: str) -> None:
    def run(text: str) -> object:
        claim = ClaimInput(2, f"A pump {text}", (f"1. A pump {text}",))
        return tokenizer.encode([claim]), tokenizer.place(claim, 3)

    with given_up_when_stuck():
        assert slow_growth(run, Attack("", pump)) is None
