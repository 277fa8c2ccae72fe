"""Two versions of a claim set: claims that are followed, words that changed, findings that went and came."""

from hypothesis import given
from hypothesis import strategies as st

from ace.claims.analysis import analyse
from ace.claims.model import ClaimSet
from ace.claims.readers import read_text
from ace.claims.reports.comparison import Change, ComparedClaim, Fate, compared, paired, word_runs

BEFORE = """1. A bracket comprising a plate and a hook fixed to the plate.
2. The bracket of claim 1, wherein the lever is made of steel.
3. The bracket of claim 1, wherein the plate has two round holes.
4. (Canceled)
5. The bracket of claim 1, wherein the hook is bent upwards at its end.
"""
AFTER = """1. (Currently amended) A bracket comprising a flat plate and a hook fixed to the plate.
2. (Currently amended) The bracket of claim 1, further comprising a lever made of steel.
3. (Original) The bracket of claim 1, wherein the plate has two square holes.
4. (Original) The bracket of claim 1, wherein the plate is red and shiny all over.
5. (Canceled)
6. (New) The bracket of claim 1, wherein the spring is round.
"""


def versions(before: str, after: str) -> list[ComparedClaim]:
    old, new = read_text(before), read_text(after)
    return compared(old, new, analyse(old), analyse(new))


def test_each_claim_has_its_fate_and_what_became_of_its_findings() -> None:
    found = versions(BEFORE, AFTER)
    assert [(each.number, each.fate) for each in found] == [
        (1, Fate.AMENDED),
        (2, Fate.AMENDED),
        (3, Fate.AMENDED),
        (4, Fate.NEW),
        (5, Fate.CANCELED),
        (6, Fate.NEW),
    ]
    assert [each.quote for each in found[1].went] == ["the lever"]
    assert (found[1].came, found[1].stayed) == ((), ())
    assert [each.quote for each in found[5].came] == ["the spring"]
    assert found[0].identifier == "Currently amended"


def test_status_identifiers_that_do_not_fit_are_remarked_on() -> None:
    remarks = {each.number: each.remarks for each in versions(BEFORE, AFTER)}
    assert remarks[1] == remarks[2] == remarks[5] == remarks[6] == ()
    assert remarks[3] == ("It is marked “(Original)”, but it is amended (37 CFR 1.121(c)).",)
    assert len(remarks[4]) == 2
    assert "only as a new claim with a new number" in remarks[4][0]


def test_findings_that_stay_are_told_apart_from_those_that_come() -> None:
    (_, second) = versions(
        "1. A plate.\n2. The plate of claim 1, wherein the lever and the spring are flat.",
        "1. A plate.\n2. The plate of claim 1, wherein the lever and the gear are flat.",
    )
    assert [each.quote for each in second.stayed] == ["the lever"]
    assert [each.quote for each in second.went] == ["the spring"]
    assert [each.quote for each in second.came] == ["the gear"]


def test_claims_that_are_numbered_anew_are_followed_by_their_words() -> None:
    after = BEFORE.replace("2. The bracket of claim 1, wherein the lever is made of steel.\n", "")
    after = after.replace("3. ", "2. ").replace("4. (Canceled)\n", "").replace("5. ", "3. ")
    old, new = read_text(BEFORE), read_text(after)
    assert paired(old, new) == {1: 1, 2: 3, 3: 5}
    found = compared(old, new, analyse(old), analyse(new))
    assert [(each.number, each.fate) for each in found] == [
        (1, Fate.SAME),
        (2, Fate.SAME),
        (3, Fate.SAME),
        (2, Fate.LEFT_OUT),
    ]
    assert found[1].remarks == ("It was claim 3: numbers are to be preserved (37 CFR 1.126).",)
    assert "must name every claim" in found[3].remarks[0]


def test_words_are_compared_one_by_one() -> None:
    assert word_runs("A plate of steel.", "A flat plate of brass.") == (
        (Change.SAME, "A "),
        (Change.INSERTED, "flat "),
        (Change.SAME, "plate of "),
        (Change.DELETED, "steel"),
        (Change.INSERTED, "brass"),
        (Change.SAME, "."),
    )


def test_words_that_went_before_a_comma_keep_their_distance_from_the_word_before() -> None:
    assert word_runs("A seat in it, and a ball.", "A seat, and a ball.") == (
        (Change.SAME, "A seat"),
        (Change.DELETED, " in it"),
        (Change.SAME, ", and a ball."),
    )


WORDS = st.text("ab .,\n", max_size=30)


@given(WORDS, WORDS)
def test_no_word_is_lost_or_made_up(before: str, after: str) -> None:
    runs = word_runs(before, after)

    def joined(left_out: Change) -> str:
        return "".join(run.text for run in runs if run.change is not left_out)

    if after.strip():
        assert joined(Change.DELETED) == after
    assert joined(Change.INSERTED).split() == before.split() or any(each in " .,\n" for each in before)


def test_many_claims_that_have_nothing_in_common_are_not_compared_with_each_other() -> None:
    old = ClaimSet(tuple(read_text("1. A plate.")))
    numbered = "\n".join(f"{number}. A word{number} of thing{number}." for number in range(1, 302))
    other = "\n".join(f"{number}. One other{number} by part{number}." for number in range(1, 302))
    assert paired(read_text(numbered), read_text(other)) == {}
    assert paired(old, old) == {1: 1}
