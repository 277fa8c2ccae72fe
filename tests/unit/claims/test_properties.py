"""What holds for every text: no crash, offsets that index what they quote, time that grows with length,
and findings that stand on their own claim and those it depends on.
"""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.analysis import check_set, topic
from ace.claims.findings import Finding
from ace.claims.model import ClaimSet
from ace.claims.readers import read_claims, read_text
from ace.claims.reading import Reading
from ace.claims.reports.graph_json import graph_as_json
from ace.claims.reports.report import as_json, checked
from ace.claims.reports.sarif import as_sarif
from ace.claims.reports.text import render, render_proofs
from ace.claims.rules import Jurisdiction
from ace.errors import Refused
from benchmarks.linear import FILLERS, filled

pytestmark = pytest.mark.slow

WORDS = """
    a an the said each one two first second third plurality of sensor sensors housing lever valve
    temperature between 5 10 mm % about at least most more than less wherein comprising consisting and or
    and/or further which is are not substantially preferably such as claim claims 1 2 3 4 1-3 any preceding
    method device system step heating heated open closed ( ) [ ] , ; : . .. "quoted" Teflon® 12 (12) e.g.
    configured to by with from in on without having no greater equal
"""
SENTENCES = st.lists(st.sampled_from(WORDS.split()), max_size=60).map(" ".join)
CLAIMS = st.lists(SENTENCES.filter(lambda text: any(map(str.isalnum, text))), min_size=1, max_size=8)
MARKED = st.lists(
    st.tuples(st.sampled_from(["1.", "2.", "3)", "Claim 4.", "5-7.", "", "\n", "(canceled)"]), SENTENCES),
    max_size=8,
).map(lambda pairs: "\n".join(f"{marker} {text}" for marker, text in pairs))


def everything(claims: ClaimSet) -> list[Finding]:
    """All that is made of a claim set, in both jurisdictions; the findings of the first."""
    reading = Reading(claims)
    for jurisdiction in reversed(Jurisdiction):
        report = checked(reading, jurisdiction=jurisdiction, threshold=0.0)
        as_json(report)
        as_sarif(report, "claims.txt")
        render(report)
    render_proofs(reading)
    graph_as_json(reading, report.findings)
    return list(report.findings)


def hold(claims: ClaimSet, findings: list[Finding]) -> None:
    """Offsets index the quoted text, in the claim and, where it was read from one, in the source."""
    for finding in findings:
        text = claims[finding.claim].text
        assert 0 <= finding.start <= finding.end <= len(text)
        assert finding.start < finding.end or not text
        assert text[finding.start : finding.end] == finding.quote
        assert finding.explanation.endswith((".", "?", "!"))
        assert 0 <= finding.confidence <= 1
        if finding.fix is not None:
            assert 0 <= finding.fix.start <= finding.fix.end <= len(text)
        span = claims[finding.claim].source_span(finding.start, finding.end)
        if claims.source is not None and span is not None:
            source = claims.source[slice(*span)]
            assert source[:1] == finding.quote[:1]
            assert source[-1:] == finding.quote[-1:]
    for note in claims.notes:
        assert claims.source is None or 0 <= note.start <= note.end <= len(claims.source)


@settings(deadline=None, max_examples=200)
@given(st.one_of(st.text(max_size=2_000), MARKED))
def test_any_text_is_read_in_part_and_checked(text: str) -> None:
    try:
        claims = read_text(text, partial=True)
    except Refused:
        return
    hold(claims, everything(claims))


@settings(deadline=None, max_examples=200)
@given(CLAIMS)
def test_any_words_of_claims_are_checked(texts: list[str]) -> None:
    claims = read_claims(list(enumerate(texts, 1)))
    hold(claims, everything(claims))


@settings(deadline=None, max_examples=100)
@given(CLAIMS)
def test_the_same_set_gives_the_same_findings(texts: list[str]) -> None:
    claims = read_claims(list(enumerate(texts, 1)))
    assert check_set(claims, threshold=0.0) == check_set(claims, threshold=0.0)


@settings(deadline=None, max_examples=150)
@given(CLAIMS.filter(lambda texts: len(texts) > 1), st.data())
def test_what_is_not_related_to_a_removed_claim_is_found_as_before(
    texts: list[str], data: st.DataObject
) -> None:
    claims = read_claims(list(enumerate(texts, 1)))
    before = check_set(claims, threshold=0.0)
    # when a claim goes
    gone = data.draw(st.sampled_from([claim.number for claim in claims]))
    rest = replace(claims, claims=tuple(claim for claim in claims if claim.number != gone))
    after = check_set(rest, threshold=0.0)
    # then nothing new is found but in claims that depended on it; a defect may turn into
    # another of its class there, as "introduced only in claim 3" does into "introduced nowhere", and
    # what was told at the claim that is gone is told at the next that has it
    touched = {claim.number for claim in claims if gone in claims.ancestors(claim.number)}
    known = {(each.claim, each.error_class, each.start, each.end) for each in before}
    shared = {
        (number, topic(each.error_class, each.subtype, each.quote)) for each in before for number in each.also
    }
    new = [
        each
        for each in after
        if (each.claim, each.error_class, each.start, each.end) not in known
        and (each.claim, topic(each.error_class, each.subtype, each.quote)) not in shared
        and each.claim not in touched
    ]
    assert [(each.claim, each.rule_id, each.quote) for each in new] == []


def test_hostile_words_in_one_claim_change_nothing_in_another() -> None:
    # given a claim full of what is hard to read, between a sound one and one with a defect
    for filler in FILLERS:
        texts = [
            "A pump comprising a housing and a rotor.",
            f"The pump of claim 1, wherein the rotor {filled(filler, 5_000)}.",
            "The pump of claim 1, wherein the spring is of steel.",
        ]
        claims = read_claims(list(enumerate(texts, 1)))
        # when the set is checked, then every finding is where it says, and that defect is found alone
        found = check_set(claims, threshold=0.0)
        hold(claims, found)
        elsewhere = [(each.rule_id, each.claim, each.quote) for each in found if each.claim != 2]
        assert elsewhere == [("antecedent.no_basis", 3, "the spring")], filler
