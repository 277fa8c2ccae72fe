"""Parses the text of an office action into statements: these claims, for this reason, in these words.

Sentences are read one by one (form_paragraphs.py says what each does). A sentence that names its claims opens
a statement, and the sentences after it belong to it until the next one. What could not be read is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ace_lab.rejections import form_paragraphs as form
from ace_lab.rejections.attribution import (
    attached,
    is_parent,
    may_lack_basis,
    named_in,
    narrowed,
    pairs_of,
    speaks_on,
    subjects_of,
    unquoted_phrases,
    unquoted_terms,
)
from ace_lab.rejections.form_paragraphs import OTHER, Reason, Section
from ace_lab.rejections.wording import Mention, mentions, quotations, readable, sentences

MAX_REASON_CHARACTERS = 600

Pair = tuple[tuple[int, ...], str]
"""Claims, and words quoted from them."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One reason against claims. `quote` is "" where none is given; `assumed` where the claims are those
    of the heading sentence, because the statement names none itself."""

    claims: tuple[int, ...]
    category: str
    quote: str
    reason: str
    form: str
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Parsed:
    """What one action says under 112(b) and (d).

    `rejected` are all claims that it rejects so, with or without a statement; `dependent_on` those said
    to be rejected for what they depend on; `objected` and `unexamined` those objected to and withdrawn
    from consideration. `counts` says what was seen and what was left unread.
    """

    statements: tuple[Statement, ...]
    rejected: tuple[int, ...]
    dependent_on: tuple[int, ...]
    objected: tuple[int, ...]
    unexamined: tuple[int, ...]
    counts: Counter[str]


@dataclass(slots=True)
class _Block:
    """A statement that is being read: pairs of claims and quote, its sentences and reasons."""

    claims: tuple[int, ...]
    assumed: bool
    pairs: list[Pair] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)


def parse(body: str) -> Parsed:
    """The statements of one action's body."""
    reader = _Reader()
    for sentence in sentences(readable(body)):
        reader.read(sentence)
    return reader.result()


class _Reader:
    """The state between sentences."""

    def __init__(self) -> None:
        self._section = Section.UNKNOWN
        self._header: tuple[int, ...] = ()
        self._block: _Block | None = None
        self._statements: dict[tuple[tuple[int, ...], str, str], Statement] = {}
        self._rejected: dict[int, str] = {}
        self._form_of: dict[int, Reason] = {}
        self._dependent: dict[int, None] = {}
        self._objected: dict[int, None] = {}
        self._unexamined: dict[int, None] = {}
        self._counts: Counter[str] = Counter()

    def read(self, sentence: str) -> None:
        """One sentence after the other."""
        if self._turn(sentence):
            return
        if self._section is Section.ASIDE:
            self._counts["sentences_aside"] += 1
            return
        if self._section is Section.OBJECTION:
            self._objected.update(dict.fromkeys(named_in(sentence)))
            return
        named = mentions(sentence)
        reason = form.reason_of(sentence)
        if form.depends_only(sentence) and (reason is None or reason.category != "dependency"):
            self._close()
            self._depend(sentence, named)
        elif not form.interprets(sentence) or (reason is not None and quotations(sentence)):
            self._tell(sentence, named, reason)

    def result(self) -> Parsed:
        """All of it, with a statement for every claim that was rejected without one."""
        self._close()
        stated = {number for statement in self._statements.values() for number in statement.claims}
        bare: dict[tuple[str, Reason], list[int]] = {}
        for number, sentence in self._rejected.items():
            if number not in stated and number not in self._dependent:
                bare.setdefault((sentence, self._form_of[number]), []).append(number)
        for (sentence, reason), numbers in bare.items():
            assumed = reason.form == ""
            self._counts["claims_without_statement"] += len(numbers) if assumed else 0
            self._add(Statement(tuple(numbers), reason.category, "", sentence, reason.form, assumed))
        self._counts["statements"] = len(self._statements)
        return Parsed(
            statements=tuple(self._statements.values()),
            rejected=tuple(self._rejected),
            dependent_on=tuple(self._dependent),
            objected=tuple(self._objected),
            unexamined=tuple(self._unexamined),
            counts=self._counts,
        )

    def _turn(self, sentence: str) -> bool:
        """Whether the sentence is a heading, a rejection, an objection, or takes one back."""
        opened = form.heading(sentence)
        if opened is not None:
            self._close()
            self._section, self._header = opened, ()
        if form.takes_back(sentence):
            self._close()
            self._counts["taken_back"] += 1
            return True
        if form.leaves_unexamined(sentence) and named_in(sentence):
            self._close()
            self._unexamined.update(dict.fromkeys(named_in(sentence)))
            return True
        under = form.rejected_under(sentence)
        if under is not None:
            self._close()
            self._section = under
            self._reject(sentence, under)
            return True
        if form.allows(sentence):
            self._close()
            return True
        if form.objects(sentence) and named_in(sentence):
            self._close()
            self._section = Section.OBJECTION
            self._objected.update(dict.fromkeys(named_in(sentence)))
            return True
        return False

    def _reject(self, sentence: str, under: Section) -> None:
        if under is Section.ASIDE:
            return
        named = [each for each in mentions(sentence) if not is_parent(sentence, each)]
        own = subjects_of(sentence, named)
        self._header = tuple(dict.fromkeys(number for each in own for number in each.claims))
        self._counts["headers"] += 1
        if not self._header:
            self._counts["headers_without_claims"] += 1
            return
        reason = form.reason_of(sentence)
        if under is Section.DEPENDENT_FORM:
            reason = Reason("dependency", "7.36")
        for number in self._header:
            self._rejected.setdefault(number, sentence[:MAX_REASON_CHARACTERS])
            self._form_of.setdefault(number, reason or Reason(OTHER, ""))
        if form.depends_only(sentence) and under is Section.INDEFINITE and reason is None:
            self._depend(sentence, named)
        elif reason is not None and quotations(sentence):
            self._tell(sentence, named, reason)

    def _depend(self, sentence: str, named: Sequence[Mention]) -> None:
        """ "Claims 2-5 are rejected for depending on claim 1": 2 to 5, not 1."""
        children = [each for each in named if not is_parent(sentence, each)][:1]
        if not children:
            self._counts["dependents_without_numbers"] += 1
        for each in children:
            self._dependent.update(dict.fromkeys(each.claims))

    def _tell(self, sentence: str, named: Sequence[Mention], reason: Reason | None) -> None:
        subjects = subjects_of(sentence, named)
        pairs = pairs_of(sentence, named, subjects)
        own = tuple(dict.fromkeys(number for each in subjects for number in each.claims))
        if self._opens(sentence, named, own, pairs, reason):
            before = self._block
            self._close()
            inherited = before.claims if before is not None else self._header
            assumed = not own and (before is None or before.assumed)
            self._block = _Block(own or inherited, assumed)
        block = self._block
        if block is None:
            return
        if not (block.pairs and named and speaks_on(sentence) and self._goes_on(sentence, named)):
            block.pairs.extend((claims or block.claims, quote) for claims, quote in pairs)
        block.said.append(sentence)
        if reason is not None:
            block.reasons.append(reason)

    def _opens(
        self,
        sentence: str,
        named: Sequence[Mention],
        own: tuple[int, ...],
        pairs: list[Pair],
        reason: Reason | None,
    ) -> bool:
        """Whether a sentence begins a new statement: it names its claims, or gives a reason of its own
        after the block had one."""
        block = self._block
        if block is None:
            return bool(own or pairs or reason is not None)
        if self._goes_on(sentence, named):
            return False
        if own:
            # "Claim 3 recites the limitation. Claim 3 has no antecedent basis for it." is one statement.
            same = own == block.claims and not block.reasons
            return not (same and (not pairs or not block.pairs))
        return bool(pairs) and reason is not None and bool(block.reasons)

    def _goes_on(self, sentence: str, named: Sequence[Mention]) -> bool:
        """Whether the sentence still speaks of what the block quoted: "It is unclear …", "There is …",
        or what follows a semicolon. Claims that it names beside are not the ones rejected."""
        block = self._block
        if block is None or block.reasons or not block.pairs:
            return False
        if block.said and block.said[-1].endswith(";"):
            return True
        return speaks_on(sentence) and not any(attached(sentence, each) for each in named)

    def _close(self) -> None:
        block, self._block = self._block, None
        if block is None:
            return
        if not block.reasons:
            self._counts["blocks_without_reason"] += bool(block.pairs)
            return
        reason = min(block.reasons, key=form.rank)
        if self._section is Section.UNKNOWN and reason.form != "7.34.05":
            self._counts["reasons_outside_section"] += 1
            return
        if not block.claims and not any(claims for claims, _ in block.pairs):
            self._counts["reasons_without_claims"] += 1
            return
        said = " ".join(block.said)[:MAX_REASON_CHARACTERS]
        for claims, quote in _quotations_of(block, reason.category, said) or [(block.claims, "")]:
            self._add(
                Statement(claims or block.claims, reason.category, quote, said, reason.form, block.assumed)
            )

    def _add(self, statement: Statement) -> None:
        if not statement.claims:
            self._counts["reasons_without_claims"] += 1
            return
        if statement.quote == "":
            self._counts["statements_without_quote"] += 1
        key = (statement.claims, statement.category, statement.quote.casefold())
        self._statements.setdefault(key, statement)


def _quotations_of(block: _Block, category: str, said: str) -> list[Pair]:
    """The claims and the words that a statement of this category objects to, quoted or not."""
    pairs = [pair for pair in block.pairs if not narrowed(pair, block.pairs)]
    if category == "antecedent":
        pairs = pairs or [(block.claims, words) for words in unquoted_phrases(said)]
        definite = {claims for claims, quote in pairs if may_lack_basis(quote)}
        return [pair for pair in pairs if may_lack_basis(pair[1]) or pair[0] not in definite]
    if category == "ambiguity" and not pairs:
        return [(block.claims, words) for words in unquoted_terms(said)]
    return pairs
