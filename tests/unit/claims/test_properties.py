"""What holds for every text: no crash, offsets that index what they quote, time that grows with length,
and findings that stand on their own claim and those it depends on.
"""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.checks import check_set, topic
from ace.claims.findings import Finding
from ace.claims.model import Claim, ClaimSet
from ace.claims.readers import read_claims, read_text
from ace.claims.reading import Reading
from ace.claims.reports.graph_json import graph_as_json
from ace.claims.reports.report import as_json, checked
from ace.claims.reports.sarif import as_sarif
from ace.claims.reports.text import render, render_proofs
from ace.claims.rules import Jurisdiction
from ace.errors import Refused

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
HOSTILE = {
    "brackets": "(" * 50_000,
    "articles": "the " * 12_000,
    "commas": "a plate, " * 5_000,
    "references": "the plate of claim 1, " * 2_000,
    "ranges": "claims 1-" * 5_000,
    "numbers": "1" * 50_000,
    "measures": "5 mm to 10 mm and " * 2_500,
    "dots": "." * 50_000,
    "spaces": " " * 49_990 + "a plate",
    "one_word": "a" * 50_000,
    "hyphens": "a-" * 25_000,
    "quotes": '"' * 50_000,
    "such_as": "such as " * 6_000,
    "steps": "heating the heated heating, " * 1_700,
}


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
    # then nothing new is found but in claims that depended on it, and the gap; a defect may turn into
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
        and each.rule_id != "syntax.numbering_gap"
    ]
    assert [(each.claim, each.rule_id, each.quote) for each in new] == []


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_text_takes_long(text: str) -> None:
    claims = ClaimSet((Claim(1, text),))
    began = time.process_time()
    hold(claims, check_set(claims, threshold=0.0))
    assert time.process_time() - began < 5


def bracket_set(count: int) -> ClaimSet:
    """An ordinary set of `count` claims, every tenth independent."""
    texts = []
    for number in range(1, count + 1):
        if number % 10 == 1:
            first = number
            texts.append(
                "A bracket comprising: a plate having a front surface; a hook fixed to the plate by a first"
                " screw; and a spring between the hook and the plate, wherein the spring is compressed."
            )
        else:
            texts.append(
                f"The bracket of claim {first if number % 2 else number - 1}, wherein the hook carries"
                f" a ring {number} and the plate has a thickness of {number} mm to {number + 5} mm."
            )
    return read_claims(list(enumerate(texts, 1)))


def seconds_for(claims: ClaimSet) -> float:
    began = time.process_time()
    check_set(claims)
    return time.process_time() - began


def test_time_grows_with_the_number_of_claims_and_no_faster() -> None:
    small, large = bracket_set(50), bracket_set(800)
    seconds_for(small)
    ratio = min(seconds_for(large) for _ in range(2)) / min(seconds_for(small) for _ in range(5))
    assert ratio < 16 * 2.5
