"""Term lists: what a term covers, what is no term, and what the rules make of a list."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.analysis import ClaimAnalysis, analyse, analysis_of
from ace.claims.chains import kept_set
from ace.claims.model import ClaimInput, ClaimSet
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.taxonomy import ErrorClass
from ace.claims.terms import (
    MAX_TERM_WORDS,
    MAX_TERMS,
    NO_TERMS,
    TERM_CHARACTERS,
    TermKind,
    Terms,
    joined,
    term_of,
    terms_of,
)
from ace.errors import Refused
from ace.local.samples import load
from tests.factories import claim_set

IGNORE, KEEP = TermKind.IGNORE, TermKind.KEEP_TOGETHER
FAN = "A fan comprising a housing and an airflow directing member."


@pytest.mark.parametrize(
    ("written", "term"),
    [
        ("Operator", "operator"),
        ("  the\tsaid  Operator ", "operator"),
        ("an airflow Directing member", "airflow directing member"),
        ("the", "the"),
        ("Wi-Fi module", "wi-fi module"),
        ("cafe\u0301 table", "caf\u00e9 table"),
    ],
)
def test_a_term_is_kept_in_one_form(written: str, term: str) -> None:
    assert term_of(IGNORE, written) == term


@pytest.mark.parametrize(
    ("kind", "written", "limit"),
    [
        (IGNORE, "", None),
        (IGNORE, " (12) ", None),
        (IGNORE, "oper\u0000ator", None),
        (IGNORE, "oper\u202eator", None),
        (IGNORE, "o" * (TERM_CHARACTERS + 1), TERM_CHARACTERS),
        (KEEP, "operator", None),
        (KEEP, "the operator", None),
        (KEEP, "lever, hook", None),
        (KEEP, "7 levers", None),
        (KEEP, "lever of claim 1", None),
        (KEEP, "insurance claims form", None),
        (KEEP, " ".join("bcdefghij"[: MAX_TERM_WORDS + 1]), MAX_TERM_WORDS),
    ],
)
def test_what_is_no_term_is_refused_with_its_place_and_limit(
    kind: TermKind, written: str, limit: int | None
) -> None:
    with pytest.raises(Refused) as refused:
        term_of(kind, written, pointer="/term")
    assert (refused.value.code, refused.value.pointer, refused.value.limit) == ("bad_term", "/term", limit)


def test_a_list_is_bounded_and_names_the_term_that_is_wrong() -> None:
    many = [f"lever {at}a" for at in range(MAX_TERMS)]
    assert len(terms_of(many).ignore) == MAX_TERMS
    with pytest.raises(Refused) as refused:
        terms_of([*many, "hook"], pointer="/terms")
    assert (refused.value.code, refused.value.pointer, refused.value.limit) == (
        "too_many_terms",
        "/terms/ignore",
        MAX_TERMS,
    )
    with pytest.raises(Refused) as refused:
        terms_of(["lever"], ["heat pump", "hook"], pointer="/terms")
    assert refused.value.pointer == "/terms/keep_together/1"


def test_a_digest_follows_from_what_is_on_the_list_alone() -> None:
    listed = terms_of(["the Lever", "hook"], ["heat pump"])

    assert NO_TERMS.digest == ""
    assert listed.digest == terms_of(["hook", "lever", "a hook"], ["Heat Pump"]).digest
    others = [terms_of(["lever"]), terms_of(["hook", "lever"]), terms_of([], ["heat pump", "hot lever"])]
    assert len({listed.digest, *(each.digest for each in others)}) == 4


@pytest.mark.parametrize(
    ("words", "ignored"),
    [
        ("operator", True),
        ("The Operators", True),
        ("said operator (12)", True),
        ("the operator 12a", True),
        ("an operator", True),
        ("the operator seat", False),
        ("the seat operator", False),
        ("the cooperator", False),
        ("the Wi-Fi modules", True),
        ("the wi fi module", True),
        ("the module", False),
        ("", False),
    ],
)
def test_what_a_term_to_ignore_covers(words: str, ignored: bool) -> None:
    assert terms_of(["operator", "Wi-Fi module"]).ignores(words) is ignored


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("an airflow directing member", "an airflow-directing-member"),
        ("Airflow directing\nmembers, each", "Airflow-directing-members, each"),
        ("the airflow-directing member 7", "the airflow-directing-member 7"),
        ("the airflow directing membership", "the airflow directing membership"),
        ("a non-airflow directing member", "a non-airflow directing member"),
        ("an airflow directing member-like lid", "an airflow directing member-like lid"),
        ("an airflow  directing member", "an airflow  directing member"),
        ("an airflow directing flap", "an airflow-directing-flap"),
        ("airflow directing flap member", "airflow-directing-flap-member"),
    ],
)
def test_a_term_to_keep_together_is_read_as_one_word_of_the_same_length(text: str, read: str) -> None:
    terms = terms_of(
        [], ["airflow directing member", "airflow directing flap", "airflow directing flap member"]
    )

    made = joined(claim_set([text]), terms)

    assert made.claims[1].text == read
    assert made.as_written(made.claims[1].text) == text


def reported(claims: ClaimSet, terms: Terms = NO_TERMS) -> list[tuple[int, str, str]]:
    found = analyse(Reading(claims, terms)).values()
    return [(each.claim, each.rule_id, each.quote) for analysis in found for each in analysis.reported()]


def test_a_finding_about_a_term_to_ignore_is_left_out_and_no_other() -> None:
    claims = claim_set(
        ["A press comprising a lever, wherein the flange holds the crank.", "The press of claim 9."]
    )
    before = reported(claims)

    assert reported(claims, terms_of(["flange"])) == [each for each in before if each[2] != "the flange"]
    assert (1, "antecedent.no_basis", "the flange") in before
    assert reported(claims, terms_of(["crank", "flange", "press", "claim 9", "claim"])) == [
        each for each in before if each[1].startswith("dependency.")
    ]


def test_a_phrase_that_is_kept_together_has_one_head() -> None:
    claims = claim_set([FAN, "The fan of claim 1, wherein the airflow directing member is hollow."])
    terms = terms_of([], ["airflow directing member"])

    heads = [each.words for each in Reading(claims, terms).graph.mentions(2)]
    (proof,) = [
        each
        for each in analyse(Reading(claims, terms))[2].phrases
        if claims[2].text[each.start :].startswith("the air")
    ]

    assert ("airflow-directing-member",) in heads
    assert proof.source is not None
    assert claims[1].text[proof.source.start : proof.source.end] == "an airflow directing member"


def test_words_within_a_term_that_is_kept_together_are_not_looked_at_alone() -> None:
    claims = claim_set(
        ["A radio comprising a good enough filter, wherein the good enough filter is passive."]
    )

    assert {rule for _, rule, _ in reported(claims)} == {"ambiguity.subjective", "ambiguity.degree"}
    assert reported(claims, terms_of([], ["good enough filter"])) == []


def test_findings_have_the_words_as_they_were_filed() -> None:
    claims = claim_set(
        [
            FAN,
            "The fan of claim 1, wherein the airflow directing members and the Airflow Directing flap move.",
        ]
    )
    terms = terms_of([], ["airflow directing member", "airflow directing flap"])

    found = analyse(Reading(claims, terms))[2].findings

    assert any("members" in each.quote for each in found)
    for each in found:
        assert each.quote == claims[2].text[each.start : each.end]
        assert "-" not in f"{each.explanation}{each.fix}"


def test_a_claim_that_comes_with_its_chain_obeys_the_list_too() -> None:
    claim = ClaimInput(2, "The press of claim 1, wherein the flange is flat.", ("1. A press.",))

    assert [each.quote for each in analysis_of(claim).findings] != []
    assert analysis_of(claim, terms_of(["flange"])).findings == ()


def test_lists_do_not_mix_in_what_is_kept_of_a_text() -> None:
    """The same texts in turn, as of two tenants in one process."""
    claims = claim_set(
        ["A radio comprising a good enough filter.", "The radio of claim 1, wherein the operator hums."]
    )
    lists = [NO_TERMS, terms_of([], ["good enough filter"]), terms_of(["operator"]), NO_TERMS]
    alone = [analyse(Reading(claims, each)) for each in lists]

    assert [analyse(Reading(claims, each)) for each in lists] == alone
    assert alone[0] == alone[3] != alone[1]


SAMPLES = [read_text(sample.text) for sample in load()]
PHRASES = sorted({word for claims in SAMPLES for claim in claims for word in claim.text.lower().split()})


@given(claims=st.sampled_from(SAMPLES), data=st.data())
@settings(max_examples=40, deadline=None)
def test_ignoring_terms_only_ever_takes_findings_away(claims: ClaimSet, data: Any) -> None:
    before = analyse(claims)
    quotes = sorted({each.quote for analysis in before.values() for each in analysis.findings if each.quote})
    chosen = data.draw(st.lists(st.sampled_from([*quotes, *PHRASES]).filter(fits), max_size=8))

    terms = terms_of(chosen)
    after = analyse(Reading(claims, terms))

    for number, analysis in before.items():
        kept = [
            each
            for each in analysis.findings
            if each.error_class is ErrorClass.DEPENDENCY or not terms.ignores(each.quote)
        ]
        assert list(after[number].findings) == kept
        assert without_findings(after[number]) == without_findings(analysis)


def fits(term: str) -> bool:
    return any(map(str.isalpha, term)) and len(term) <= TERM_CHARACTERS and term.isprintable()


def without_findings(analysis: ClaimAnalysis) -> tuple[Any, ...]:
    return analysis.missing, analysis.phrases, analysis.remarks


def test_an_empty_list_changes_no_claim() -> None:
    claims = kept_set([(1, FAN)])
    assert Reading(claims).claims is claims
