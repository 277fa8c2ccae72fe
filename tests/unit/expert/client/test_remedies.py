"""What is asked after a fault that the same question would bring again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.model import CHAIN_CUT, ClaimInput
from ace.expert.client.remedies import FRESH_TEMPERATURE, Question, remedy
from ace.expert.prompt.copt import PROMPTS
from ace.types.faults import FaultKind

V1, V2 = PROMPTS["v1"], PROMPTS["v2"]
CHAIN = ("2. " + "b" * 97, "1. " + "a" * 97)
ASKED = Question(ClaimInput(3, "A lamp.", CHAIN), 3, V2, 1_000)


def test_a_truncated_answer_is_given_twice_the_room_once() -> None:
    more = remedy(ASKED, FaultKind.TRUNCATED)
    assert more is not None
    assert (more.max_tokens, more.prompt, more.claim) == (2_000, V2, ASKED.claim)
    assert remedy(more, FaultKind.TRUNCATED, shorter=V1) is None


@pytest.mark.parametrize(
    ("most", "shorter", "expected"),
    [
        (1_600, None, (1_600, V2)),
        (1_600, V1, (1_600, V2)),
        (1_100, V1, (1_000, V1)),
        (1_000, V1, (1_000, V1)),
        (1_100, V2, None),
        (1_100, None, None),
    ],
)
def test_where_the_server_has_no_room_the_shorter_version_is_asked(
    most: int, shorter: object, expected: object
) -> None:
    found = remedy(ASKED, FaultKind.TRUNCATED, shorter=shorter, max_tokens=most)  # type: ignore[arg-type]
    assert (found and (found.max_tokens, found.prompt)) == expected


def test_white_space_is_left_by_the_shorter_version_or_by_fresh_sampling() -> None:
    briefer = remedy(ASKED, FaultKind.WHITESPACE, shorter=V1)
    assert briefer is not None
    assert (briefer.prompt, briefer.temperature, briefer.max_tokens) == (V1, None, 1_000)
    fresh = remedy(ASKED, FaultKind.WHITESPACE)
    assert fresh is not None
    assert (fresh.prompt, fresh.temperature) == (V2, FRESH_TEMPERATURE)


def test_another_language_is_left_by_fresh_sampling_once() -> None:
    fresh = remedy(ASKED, FaultKind.LANGUAGE, shorter=V1)
    assert fresh is not None
    assert (fresh.prompt, fresh.temperature) == (V2, FRESH_TEMPERATURE)
    assert remedy(fresh, FaultKind.LANGUAGE) is None


def test_a_chain_too_long_is_halved_and_then_left_out() -> None:
    half = remedy(ASKED, FaultKind.TOO_LONG)
    assert half is not None
    assert (half.claim.ancestors, half.cut) == ((CHAIN[0], CHAIN_CUT), True)
    none = remedy(half, FaultKind.TOO_LONG)
    assert none is not None
    assert none.claim.ancestors == (CHAIN_CUT,)
    assert (none.claim.number, none.claim.text) == (3, "A lamp.")
    assert remedy(none, FaultKind.TOO_LONG) is None


@pytest.mark.parametrize(
    "kind",
    sorted(set(FaultKind) - {"truncated", "whitespace", "language", "too_long"}),
)
def test_the_other_faults_have_no_remedy(kind: FaultKind) -> None:
    assert remedy(ASKED, kind, shorter=V1) is None


@given(
    chain=st.lists(st.text(min_size=1, max_size=30), max_size=5),
    cut=st.booleans(),
    kinds=st.lists(st.sampled_from(FaultKind), max_size=12),
)
def test_no_question_is_put_twice(chain: list[str], cut: bool, kinds: list[FaultKind]) -> None:
    ancestors = (*chain, CHAIN_CUT) if cut else tuple(chain)
    question = Question(ClaimInput(9, "A lamp.", ancestors), 9, V2, 256)
    seen = [question]
    for kind in kinds:
        following = remedy(question, kind, shorter=V1)
        if following is None:
            continue
        question = following
        seen.append(question)
    asked = [(each.claim, each.prompt.version, each.max_tokens, each.temperature) for each in seen]
    assert len(set(asked)) == len(asked)
    assert len(asked) <= 6
    assert all(CHAIN_CUT not in each.claim.ancestors[:-1] for each in seen)
