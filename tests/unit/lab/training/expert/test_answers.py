"""The answers that rows deserve: what they quote, by which law, and that ACE reads them as meant.

The rows are those of every injector and placebo on two claim sets of our own.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from ace.claims.taxonomy import ErrorClass
from ace.expert.examiner.structural import examine
from ace.expert.prompt.copt import PROMPTS
from ace.expert.prompt.verification import locate, verify
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace.types.rationale import CheckOutcome
from ace_lab.data.rows import Row
from ace_lab.injectors import INJECTORS, PLACEBO
from ace_lab.injectors.edits import Injector
from ace_lab.training.expert.answers import answer, quote_of, steps_of
from ace_lab.training.expert.defects import RULE_OF_EDIT, reason
from tests.unit.lab.injectors.test_injectors import KITE
from tests.unit.lab.samples import LEXICON, SET
from tests.unit.lab.training.expert import models

QUOTED = re.compile(r"(?<!\w)'|[“”‘’\"]")
DEFECTS = [(label, injector) for label, choices in INJECTORS.items() for injector, _ in choices]


def rows_of(label: str, injector: Injector, seeds: int = 3) -> Iterator[Row]:
    for claims in (SET, KITE):
        for seed in range(seeds):
            for claim in claims:
                made = injector(claims, claim, Random(seed), LEXICON)
                if made is not None:
                    shown = made.claims.input_of(made.number, max_chain_characters=CHAIN_CHARACTERS)
                    yield Row(
                        split="train", family="F", source="ours", number=shown.number, text=shown.text,
                        ancestors=shown.ancestors, label=label, edit=made.subtype, generator="rules",
                        spans=() if label == "pass" else ((made.start, made.end),), origin="F/1",
                    )  # fmt: skip


@pytest.mark.parametrize("prompt", ["v1", "v2"])
def test_a_defect_is_told_with_its_class_its_words_and_its_law(
    subtests: pytest.Subtests, prompt: str
) -> None:
    for label, injector in DEFECTS:
        with subtests.test(injector.__name__):
            rows = list(rows_of(label, injector))
            assert rows
            for row in rows:
                rationale = PROMPTS[prompt].parse(answer(row, "rationale", prompt), "stop")
                verified = verify(rationale, row.claim())
                assert (rationale.verdict, rationale.error_class) == ("Fail", ErrorClass(label))
                assert not verified.disputed
                [finding] = verified.findings
                [(start, end)] = row.spans
                start += len(row.text[start:end]) - len(row.text[start:end].lstrip())
                assert finding.span is not None, row
                # The very place: no other with the same words, and whole unless it is longer than a quote
                # may be.
                assert finding.span[0] <= start, row
                assert finding.span[1] >= min(end, start + 150), row
                assert finding.span[1] - finding.span[0] <= max(end - start + 60, 60), row


@pytest.mark.parametrize("label", INJECTORS)
def test_each_edit_breaks_a_rule_of_its_class(label: str) -> None:
    for injector, _ in INJECTORS[label]:
        why = reason(ErrorClass(label), injector.__name__)
        assert RULE_OF_EDIT[injector.__name__].startswith(f"{label}.")
        assert not QUOTED.search(why.explanation), "a reader would take it for words of the claim"
        assert why.law
    assert set(RULE_OF_EDIT) == {injector.__name__ for _, injector in DEFECTS}


@pytest.mark.parametrize("kind", ErrorClass)
def test_what_a_language_model_made_is_told_by_its_class(kind: ErrorClass) -> None:
    assert reason(kind, "llm").law == kind.law
    # An edit of another class says nothing.
    other = "no_final_period" if kind is not ErrorClass.SYNTAX else "self_reference"
    assert reason(kind, other) == reason(kind, "llm")


def test_a_sound_row_gives_clean_checks() -> None:
    rows = [row for injector, _ in PLACEBO for row in rows_of("pass", injector, seeds=1)]
    assert len(rows) > 20
    for row in rows:
        steps = steps_of(row)
        assert (steps.verdict, steps.findings) == ("Pass", ())
        assert {outcome for _, outcome in steps.outcomes()} == {CheckOutcome.SOUND}
        for prompt in ("v1", "v2"):
            rationale = PROMPTS[prompt].parse(answer(row, "rationale", prompt), "stop")
            assert (rationale.verdict, rationale.findings) == ("Pass", ())


def test_step_one_is_that_of_the_structural_examiner() -> None:
    row = next(rows_of("antecedent", INJECTORS["antecedent"][0][0]))
    ours, its = steps_of(row), examine(row.claim(), "v2")
    assert (ours.preamble, ours.transition) == (its.preamble, its.transition)
    for element in ours.elements:
        assert locate(element, row.text)


def test_each_of_several_defects_is_a_finding_of_its_own() -> None:
    text = "A pump comprising a nice rotor, a fine housing and a good seal."
    spans = tuple((text.index(word), text.index(word) + len(word)) for word in ("nice", "fine", "good"))
    row = replace(models.row(1, fails=True), text=text, label="ambiguity", edit="opinion", spans=spans)
    steps = steps_of(row)
    assert [found.quote for found in steps.findings] == ["nice", "fine", "good"]
    assert {found.law for found in steps.findings} == {ErrorClass.AMBIGUITY.law}
    assert steps.reasoning.startswith("3 defects were found, of the kind ambiguity.")
    many = replace(row, spans=tuple((at, at + 2) for at in range(0, 40, 4)))
    assert len(steps_of(many).findings) == 6


@pytest.mark.parametrize(
    ("text", "shown", "quote"),
    [
        ("A pump of claim 16 the rotor is red.", "6 t", "16 the"),
        ("A pump with a rotor", "r", "rotor"),
        ("A lid and a rod.", "a rod", "a rod"),
        ("the lid holds a rod.", "the", "the"),
        ("A lid of the the rod, of the.", "the the", "the the"),
        ("A rod, the lid and a bar; the lid opens.", "the lid opens", "the lid opens"),
        ("A lid of the pump, of.", "of.", "of."),
        ("A lid; a rod of ; steel", ";", "lid;"),
        ("A lid (a rod of steel.", "(", "lid ("),
        ("A" + " long word" * 60 + ".", "A" + " long word" * 60, "A" + " long word" * 19 + " long"),
    ],
)
def test_quotes_are_whole_words_that_are_found_where_the_defect_is(text: str, shown: str, quote: str) -> None:
    start = text.index(shown) if shown != "r" else len(text) - 1
    assert quote_of(text, (start, start + len(shown))) == quote


def test_the_second_occurrence_is_quoted_with_the_words_after_it() -> None:
    text = "A rod, the lid and a bar; wherein the lid opens."
    second = text.rindex("the lid")
    assert quote_of(text, (second, second + 7)) == "the lid opens"


@pytest.mark.parametrize(("fails", "said"), [(True, "Fail"), (False, "Pass")])
def test_a_verdict_alone_is_the_papers_object(fails: bool, said: str) -> None:
    assert json.loads(answer(models.row(1, fails=fails), "verdict", "v1")) == {"verdict": said}
