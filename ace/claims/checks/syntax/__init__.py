"""Syntax: the form of a claim (37 CFR 1.75; MPEP 608.01(m)), its number and its reference numerals.

One sentence with a capital, a transition and a period (sentence.py); marks and words doubled (marks.py),
missing (limbs.py) or unpaired (brackets.py); numerals; numbers and what could not be read (numbering.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from ace.claims.checks.syntax import limbs, marks, sentence
from ace.claims.checks.syntax.brackets import unbalanced
from ace.claims.checks.syntax.numbering import numbering
from ace.claims.checks.syntax.numerals import numerals
from ace.claims.checks.syntax.rules import RULES
from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading

__all__ = ["RULES", "check"]

_MAX_DOUBLED_WORDS = 20
"""How many doubled words of a claim are reported."""


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The flaws in the form of the claim's own text, then those of its place among the others.

    Signals: "formula" where the text may have lost one; for how a transition is missing "run_in" (with
    "named", "again", "labelled" or "step" for what runs into what), "bare_mark", "first_limb", "loose",
    and "dependent" after a reference; "stranded" for a particle that may end a clause; "fronted",
    "listed", "bare", "labelled", "own_line", "steps", "acts" and "absolute" for a missing mark;
    "grammatical" for "that that", "two_numerals" for a thing with two; "first" and "disorder" for a number
    out of its row; the code of a reader's note.
    """
    text = claim.text
    yield from sentence.opening(text)
    yield from sentence.several(text)
    yield from sentence.ending(text)
    if claim.parents:
        found = list(sentence.after_reference(text, reading.references(claim.number)))
    else:
        found = list(sentence.transition(text))
    yield from found
    yield from chain(
        marks.doubled_marks(text), islice(marks.doubled_words(text), _MAX_DOUBLED_WORDS), unbalanced(text)
    )
    missing = chain(
        limbs.run_together(text),
        limbs.unmarked_lines(text),
        limbs.unmarked_labels(text),
        limbs.after_numerals(text),
        limbs.run_together_steps(text),
        limbs.no_conjunction(text),
    )
    yield from (flaw for flaw in missing if all(flaw.start >= other.end for other in found))
    yield from numerals(reading, claim)
    yield from numbering(reading, claim)
