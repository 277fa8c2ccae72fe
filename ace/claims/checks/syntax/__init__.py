"""Syntax: the form of a claim (37 CFR 1.75; MPEP 608.01(m)), and its number.

One sentence with a capital and a period (sentence.py), with a transition (transition.py); marks and words
that are doubled (marks.py), missing (limbs.py, separators.py, conjunctions.py), left over (leftovers.py) or
unpaired (brackets.py); wordings that no claim can have (wordings.py), articles and verbs that do not fit
(articles.py, predicates.py), lost articles and nouns in the wrong number (determined.py), items in another
form than the others of their list (parallel.py); misspelt words (spelling.py); claim numbers, and what the
reader could not read (numbering.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from ace.claims.checks.syntax import (
    conjunctions,
    leftovers,
    marks,
    parallel,
    run_on_steps,
    sentence,
    separators,
    transition,
)
from ace.claims.checks.syntax.articles import a_or_an, plural_after_a
from ace.claims.checks.syntax.brackets import unbalanced
from ace.claims.checks.syntax.determined import lost_articles, miscounted
from ace.claims.checks.syntax.labels import labels
from ace.claims.checks.syntax.numbering import numbering, status
from ace.claims.checks.syntax.predicates import predicates
from ace.claims.checks.syntax.rules import RULES
from ace.claims.checks.syntax.spelling import misspellings
from ace.claims.checks.syntax.wordings import wordings
from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading

__all__ = ["RULES", "check"]

_MAX_DOUBLED_WORDS: Final = 20
"""The maximum number of doubled words that are reported for one claim."""


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The flaws in the form of the claim's own text, then those of its number and numerals.

    Signals: "formula" where the text may have lost one at its end; "dependent" for a transition missing
    behind a reference; "stranded" for a particle that may end a clause; "fronted", "listed", "element",
    "bare", "labelled", "own_line", "steps" and "known_step" for a missing mark; "run" for several words that
    are doubled, "grammatical" for "that that"; the code of a reader's note.
    """
    text = claim.text
    yield from sentence.opening(text)
    yield from sentence.several(text)
    yield from sentence.ending(text)
    yield from sentence.limbs_broken(text)
    if claim.parents:
        found = list(transition.after_reference(text, reading.references(claim.number)))
    else:
        found = list(transition.transition(text))
    yield from found
    yield from chain(
        marks.doubled_marks(text), islice(marks.doubled_words(text), _MAX_DOUBLED_WORDS), unbalanced(text)
    )
    missing = chain(
        separators.run_together(text),
        separators.unmarked_lines(text),
        separators.unmarked_labels(text),
        separators.after_numerals(text),
        run_on_steps.run_together_steps(text),
        run_on_steps.run_together_verbs(text),
        conjunctions.no_conjunction(text),
        conjunctions.no_conjunction_between_commas(text),
        conjunctions.unclosed_enumeration(text),
    )
    yield from (flaw for flaw in missing if all(flaw.start >= other.end for other in found))
    yield from chain(wordings(text), a_or_an(text), predicates(text))
    yield from parallel.broken_limbs(text)
    yield from parallel.broken_series(text)
    yield from chain(plural_after_a(text), miscounted(text), lost_articles(reading, claim))
    yield from leftovers.placeholders(text)
    yield from misspellings(reading, claim)
    yield from labels(text)
    yield from numbering(reading, claim)
    yield from status(reading, claim)
