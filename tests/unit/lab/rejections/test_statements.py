"""Sentences of examiners, as dirty as they come: which claims, which class, which words."""

from collections import Counter

import pytest

from ace_lab.rejections.statements import Parsed, parse

HEAD = (
    "Claim Rejections - 35 USC § 112\n\nThe following is a quotation of 35 U.S.C. 112(b):\n"
    "(b) CONCLUSION.—The specification shall conclude with one or more claims particularly pointing out and"
    " distinctly claiming the subject matter which the inventor or a joint inventor"
    " regards as the invention.\n\n"
)
REJECTED = (
    "Claims {} are rejected under 35 U.S.C. 112(b) or 35 U.S.C. 112 (pre-AIA), second paragraph, as being"
    " indefinite for failing to particularly point out and distinctly claim the subject matter which the"
    " inventor or a joint inventor, or for pre-AIA the applicant regards as the invention.\n\n"
)
BASIS = "There is insufficient antecedent basis for this limitation in the claim."
LIMITS = (
    "Claim 5 is rejected under 35 U.S.C. 112(d) or pre-AIA 35 U.S.C. 112, 4th paragraph, as being of improper"
    " dependent form for failing to further limit the subject matter of the claim upon which it depends, or"
    " for failing to include all the limitations of the claim upon which it depends."
)


def told(parsed: Parsed) -> set[tuple[int, str, str]]:
    return {(number, each.category, each.quote) for each in parsed.statements for number in each.claims}


ONE_STATEMENT: list[tuple[str, str, set[tuple[int, str, str]]]] = [
    (
        "7.34.05 as printed",
        f'Claim 3 recites the limitation "the lever" in line 2. {BASIS}',
        {(3, "antecedent", "the lever")},
    ),
    (
        "curly quotes",
        f"Claim 3 recites the limitation “the lever” in line 2. {BASIS}",
        {(3, "antecedent", "the lever")},
    ),
    (
        "single quotes",
        f"Claim 3 recites the limitation ‘the user’s arm’ in line 2. {BASIS}",
        {(3, "antecedent", "the user's arm")},
    ),
    (
        "backticks",
        f"Claim 3 recites the limitation ``the lever'' in line 2. {BASIS}",
        {(3, "antecedent", "the lever")},
    ),
    (
        "no quotes",
        f"Claim 8 recites the limitation the outer ring in line 2. {BASIS}",
        {(8, "antecedent", "the outer ring")},
    ),
    (
        "square brackets",
        f"Claim 8 recites the limitation [the outer ring] in line 2. {BASIS}",
        {(8, "antecedent", "the outer ring")},
    ),
    (
        "a list and a range, two limitations",
        (
            'Claims 1, 3-5 and 7 recite the limitations "the lever" in line 2 and "said handle" in lines 4-5.'
            " There is insufficient antecedent basis for these limitations in the claims."
        ),
        {
            (number, "antecedent", words)
            for number in (1, 3, 4, 5, 7)
            for words in ("the lever", "said handle")
        },
    ),
    (
        "ranges in words",
        f'Claims 1 through 3, 6 to 7, & 9 recite "the cap". {BASIS}',
        {(number, "antecedent", "the cap") for number in (1, 2, 3, 6, 7, 9)},
    ),
    ("claim(s)", f'Claim(s) 4 recites the limitation "the lid". {BASIS}', {(4, "antecedent", "the lid")}),
    (
        "OCR",
        f'Clairn 3 recites the limitation "the lever" in line 2. {BASIS}',
        {(3, "antecedent", "the lever")},
    ),
    (
        "line breaks within words",
        (
            "Clai\nms 1 and 2 recite “the first ante\ncedent end”. There is insuffi-\ncient"
            " antecedent ba-\nsis\nfor it."
        ),
        {(1, "antecedent", "the first antecedent end"), (2, "antecedent", "the first antecedent end")},
    ),
    (
        "spaces within words",
        "In claim 4, “said spring” lacks ante cedent basis.",
        {(4, "antecedent", "said spring")},
    ),
    (
        "lacks",
        'In claim 4, line 3, "said spring" lacks antecedent basis.',
        {(4, "antecedent", "said spring")},
    ),
    ("lacks, unquoted", "Claim 9: the lid has no antecedent basis.", {(9, "antecedent", "the lid")}),
    (
        "the words come first",
        'The limitation "the flange" in claim 12, line 4 does not have proper antecedent basis.',
        {(12, "antecedent", "the flange")},
    ),
    ("basis for", 'There is no antecedent basis for "the cap" in claim 2.', {(2, "antecedent", "the cap")}),
    (
        "two claims in one sentence",
        (
            f'Claim 16 recites "the anchor" in the preamble and claim 17 recites "the planar'
            f' anchor" in line 1. {BASIS}'
        ),
        {(16, "antecedent", "the anchor"), (17, "antecedent", "the planar anchor")},
    ),
    (
        "what was introduced is no defect",
        (
            'Claim 7 recites "the levers" in line 3. There is insufficient antecedent basis'
            " for this limitation in"
            ' the claim. Claim 1 recites "a lever" only.'
        ),
        {(7, "antecedent", "the levers")},
    ),
    (
        "parent claims are not the ones rejected",
        f'Claim 6, which depends from claim 2, recites the limitation "the hub" in line 1. {BASIS}',
        {(6, "antecedent", "the hub")},
    ),
    (
        "HTML and entities",
        (
            "<p>Claim 3 recites the limitation &quot;the lever&quot; in"
            " line&nbsp;2.</p><p>There is insufficient"
            " antecedent basis for this limitation in the claim.</p>"
        ),
        {(3, "antecedent", "the lever")},
    ),
]

UNDER_112B: list[tuple[str, str, set[tuple[int, str, str]]]] = [
    (
        "7.34.03 relative term",
        (
            "The term “substantially flat” in claims 1 and 4 is a relative term which"
            " renders the claim indefinite."
            " The term “substantially flat” is not defined by the claim, the specification"
            " does not provide a standard"
            " for ascertaining the requisite degree, and one of ordinary skill in"
            " the art would not be reasonably"
            " apprised of the scope of the invention."
        ),
        {(1, "ambiguity", "substantially flat"), (4, "ambiguity", "substantially flat")},
    ),
    (
        "7.34.08 for example",
        (
            'Regarding claim 6, the phrase "for example" renders the claim indefinite'
            " because it is unclear whether"
            " the limitation(s) following the phrase are part of the claimed"
            " invention. See MPEP § 2173.05(d)."
        ),
        {(6, "ambiguity", "for example")},
    ),
    (
        "7.34.09 or the like",
        (
            'Regarding claims 2, 3, the phrase "or the like" renders the claim(s)'
            " indefinite because the claim(s)"
            ' include(s) elements not actually disclosed (those encompassed by "or the like").'
        ),
        {(2, "ambiguity", "or the like"), (3, "ambiguity", "or the like")},
    ),
    (
        "7.34.10 such as",
        'With respect to Claim 2: the phrase "such as" renders the claim indefinite.',
        {(2, "ambiguity", "such as")},
    ),
    (
        "7.34.04 broad and narrow, unquoted",
        (
            "In the present instance, claim 5 recites the broad recitation 10-50 mm, and the"
            " claim also recites 20-30"
            " mm which is the narrower statement of the range/limitation."
        ),
        {(5, "ambiguity", "10-50 mm")},
    ),
    (
        "7.35.01 trademark",
        (
            "Claim 4 contains the trademark/trade name “Glidex”. Where a trademark or trade"
            " name is used in a claim as"
            " a limitation, the claim does not comply with the requirements of 35 U.S.C. 112(b)."
        ),
        {(4, "ambiguity", "Glidex")},
    ),
    (
        "unclear",
        "As to claim 1, it is unclear whether “a valve” in line 3 is the same as “the valve” in line 5.",
        {(1, "ambiguity", "a valve"), (1, "ambiguity", "the valve")},
    ),
    (
        "contradiction",
        'Claim 3 recites "the rod is rigid", which contradicts claim 1.',
        {(3, "logical", "the rod is rigid")},
    ),
    (
        "7.34.07 translation",
        "Claim 2 is narrative in form and replete with grammatical and idiomatic errors.",
        {(2, "syntax", "")},
    ),
    (
        "canceled parent",
        "Claim 6 depends from canceled claim 2, so that its scope is unclear.",
        {(6, "dependency", "")},
    ),
    (
        "7.34.12 omitted steps",
        (
            "Claim 1 is incomplete for omitting essential steps, such omission amounting to"
            " a gap between the steps."
        ),
        {(1, "other", "")},
    ),
    (
        "antecedent goes before unclear",
        (
            'Claim 3 recites "the rod" in line 1. There is insufficient antecedent basis for'
            " this limitation. It is"
            " unclear which rod is meant."
        ),
        {(3, "antecedent", "the rod")},
    ),
    (
        "two defects of one claim",
        (
            'Claim 3 recites the limitation "the rod" in line 1. There is'
            " insufficient antecedent basis for this"
            ' limitation in the claim. Further, the term "about" is a relative term.'
        ),
        {(3, "antecedent", "the rod"), (3, "ambiguity", "about")},
    ),
    (
        "what stands beside it in another claim is no defect",
        (
            'Claims 1 and 11 recite "the data". It is unclear which data is meant,'
            " as claim 1 previously recites"
            ' "first data" and "second data".'
        ),
        {(1, "ambiguity", "the data"), (11, "ambiguity", "the data")},
    ),
    (
        "the other claim named is not rejected",
        (
            "Claims 3-4 recite the limitation “a second length” in line 2 of each claim. It"
            " is unclear if this is the"
            " same as the second length of claim 1."
        ),
        {(3, "ambiguity", "a second length"), (4, "ambiguity", "a second length")},
    ),
    (
        "a semicolon between two claims",
        "In claim 1, ll. 3-4, “the rod”; and in claim 2, l. 1 “the pin” lack antecedent basis.",
        {(1, "antecedent", "the rod"), (2, "antecedent", "the pin")},
    ),
    (
        "the narrower quotation",
        (
            "Claim 2 recites “the pump of claim 1, wherein the valve”. The limitation “the"
            " valve” lacks antecedent"
            " basis."
        ),
        {(2, "antecedent", "the valve")},
    ),
    (
        "a parent that is not there",
        "Claim 14 is unclear because it depends from claim 22, which does not exist.",
        {(14, "dependency", "")},
    ),
    ("its own parent", "Claim 7 depends from claim 7, which is improper.", {(7, "dependency", "")}),
    (
        "7.34.18 no structure",
        (
            "Claim limitation “means for fastening” in claim 4 invokes 35 U.S.C. 112(f). However, the written"
            " description fails to disclose the corresponding structure. Therefore, the"
            " claim is indefinite and is"
            " rejected under 35 U.S.C. 112(b)."
        ),
        {(4, "other", "means for fastening")},
    ),
    (
        "several terms",
        (
            "In regard to claims 13-14, applicant recites “high” in claim 13, “low” in claim"
            " 14. These are relative terms."
        ),
        {(13, "ambiguity", "high"), (14, "ambiguity", "low")},
    ),
    (
        "the examiner's reading is no reason",
        (
            'Regarding claim 2, it is unclear what "the far end" means. For purposes of'
            ' examination, "the far end" of'
            ' claim 9 is interpreted as "a tip".'
        ),
        {(2, "ambiguity", "the far end")},
    ),
]


@pytest.mark.parametrize(
    ("body", "expected"), [row[1:] for row in ONE_STATEMENT], ids=[row[0] for row in ONE_STATEMENT]
)
def test_antecedent_statements_are_read_even_without_a_heading(
    body: str, expected: set[tuple[int, str, str]]
) -> None:
    assert told(parse(body)) == expected
    assert told(parse(HEAD + body)) == expected


@pytest.mark.parametrize(
    ("body", "expected"), [row[1:] for row in UNDER_112B], ids=[row[0] for row in UNDER_112B]
)
def test_other_reasons_are_read_under_112b(body: str, expected: set[tuple[int, str, str]]) -> None:
    numbers = ", ".join(str(number) for number in sorted({number for number, _, _ in expected}))
    assert told(parse(HEAD + REJECTED.format(numbers) + body)) == expected


QUIET = [
    "The rejection of claims 1-5 under 35 U.S.C. 112(b) has been withdrawn in view of the amendment.",
    (
        "Applicant’s amendment to claim 3 overcomes the rejection; the"
        " rejection of claim 3 as lacking antecedent"
        ' basis for "the lever" is withdrawn.'
    ),
    (
        "The specification is objected to as failing to provide proper"
        " antecedent basis for the claimed subject"
        " matter. See 37 CFR 1.75(d)(1)."
    ),
    (
        "Claim Rejections - 35 USC § 103\n\nClaims 1-5 are rejected under 35 U.S.C. 103"
        " as being unpatentable over"
        ' Smith. It is unclear where "a pump" in claim 5 would be placed.'
    ),
    (
        "Claims 4 and 6 are objected to as being dependent upon a rejected"
        " base claim, but would be allowable if"
        " rewritten in independent form including all of the limitations of the base claim."
    ),
    (
        "Claims 1-3 are rejected under 35 U.S.C. 112(a) as failing to comply with the written description"
        ' requirement. It is unclear where "the pump" of claim 2 is described.'
    ),
    "Response to Arguments\n\nApplicant argues that claim 3 does not lack antecedent basis for “the lever”.",
]


@pytest.mark.parametrize("body", QUIET)
def test_what_is_no_rejection_under_112b_says_nothing(body: str) -> None:
    assert told(parse(body)) == set()


def test_claims_rejected_for_their_parents_are_kept_apart() -> None:
    parsed = parse(
        HEAD
        + REJECTED.format("1-20")
        + f'Claim 1 recites the limitation "the lever" in line 2. {BASIS}\n\n'
        + "Claims 2-12 are rejected for depending on claim 1.\n"
        + "Dependent claims 13 and 14 inherit the deficiencies of the claims from which they depend.\n"
        + "Claims 15-18 depend from claim 1 and are therefore likewise indefinite.\n"
        + "Claim 19 is rejected as being dependent upon a rejected base claim.\n"
        + "The dependent claim 20 is likewise rejected.\n"
    )
    assert told(parsed) == {(1, "antecedent", "the lever")}
    assert set(parsed.dependent_on) == set(range(2, 21))
    assert parsed.rejected == tuple(range(1, 21))


def test_a_claim_rejected_without_a_word_is_not_lost() -> None:
    parsed = parse(HEAD + REJECTED.format("1 and 2") + f'Claim 1 recites "the lever". {BASIS}')
    assert told(parsed) == {(1, "antecedent", "the lever"), (2, "other", "")}
    assert parsed.counts["claims_without_statement"] == 1
    assert [each.assumed for each in parsed.statements] == [False, True]


def test_improper_dependent_form() -> None:
    parsed = parse(LIMITS + " Applicant may cancel the claim(s), or amend the claim(s).")
    assert told(parsed) == {(5, "dependency", "")}
    assert parsed.statements[0].form == "7.36"


def test_a_statement_without_claims_is_of_those_in_the_heading() -> None:
    parsed = parse(HEAD + REJECTED.format("2-3") + "The term “strong” is a relative term.")
    assert told(parsed) == {(2, "ambiguity", "strong"), (3, "ambiguity", "strong")}
    assert parsed.statements[0].assumed


def test_objections_and_withdrawn_claims_are_noted() -> None:
    parsed = parse(
        "Claims 11-20 are withdrawn from further consideration pursuant to 37 CFR 1.142(b).\n\n"
        "Claim Objections\n\nClaim 2 is objected to because of the following"
        ' informalities: "leverr" should read'
        ' "lever". Appropriate correction is required.\n\n'
        + HEAD
        + REJECTED.format("1")
        + f'Claim 1 recites "the lever". {BASIS}'
    )
    assert parsed.objected == (2,)
    assert parsed.unexamined == tuple(range(11, 21))
    assert told(parsed) == {(1, "antecedent", "the lever")}


def test_one_line_bodies_are_read_as_well() -> None:
    flat = (HEAD + REJECTED.format("1") + f'Claim 1 recites "the lever". {BASIS}').replace("\n", " ")
    rest = (
        " Claim Rejections - 35 USC § 102 Claims 1-9 are rejected under 35 U.S.C. 102(a)(1). It is unclear."
    )
    assert told(parse(flat + rest)) == {(1, "antecedent", "the lever")}


@pytest.mark.parametrize(
    "body", ["", "\x00\x00", 'claim claim claims 112(b) rejected """\'\'', "Claim 999999 recites"]
)
def test_nonsense_breaks_nothing(body: str) -> None:
    parsed = parse(body)
    assert parsed.statements == ()
    assert isinstance(parsed.counts, Counter)
