"""What a finding on antecedent basis says, and the change that it proposes if that is safe."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ace.claims.checks.antecedent.rules import RULE
from ace.claims.findings import Fix
from ace.claims.language.lexicon import UNCOUNTABLE
from ace.claims.language.words import is_plural, lemma, plural_of
from ace.claims.model import Claim
from ace.claims.references.graph import Basis, Mention, Proof
from ace.claims.rules import Rule

_VOWELS: Final = "aeiou"
_A_DESPITE: Final = ("uni", "use", "usa", "util", "uter", "eu", "one", "once", "ubiqu", "ur")
_AN_DESPITE: Final = ("hour", "honest", "honor", "honour", "heir")
_LETTERS_AN: Final = "AEFHILMNORSX"
_SPOKEN: Final = re.compile(r"[FHLMNRSX][AEIOU][A-Z]{2}")  # read as a word: "a FIFO", "a RAID"
_ALIKE: Final = 5
_UNSAFE: Final = frozenset(
    {
        "general",
        "inherent_known",
        "of_element",
        "orphan",
        "preset",
        "proper",
        "respective",
        "said_of",
        "such",
    }
)


def explanation_of(rule: Rule, claim: Claim, proof: Proof) -> str:
    """One sentence that says what the phrase lacks, naming the words and the claims concerned."""
    quote = f"“{claim.text[proof.mention.start : proof.mention.end]}”"
    return _EXPLANATIONS.get(rule, _no_basis)(quote, claim, proof)


def _sibling_only(quote: str, claim: Claim, proof: Proof) -> str:
    where = _claims(proof.candidates)
    return (
        f"{quote} has no antecedent: {_name(proof)} is introduced only in {where}, "
        "which this claim does not depend on."
    )


def _some_paths(quote: str, claim: Claim, proof: Proof) -> str:
    source = proof.source.claim if proof.source else claim.number
    ways = " and ".join("→".join(map(str, path)) for path in proof.missing[:2])
    where = f" (path {ways})" if ways else ""
    return f"{quote} has antecedent basis through claim {source}, but not along every dependency{where}."


def _ambiguous(quote: str, claim: Claim, proof: Proof) -> str:
    rivals = dict.fromkeys(f"“{' '.join(each.words)}”" for each in proof.candidates)
    return f"{quote} could mean any of {', '.join(list(rivals)[:4])}."


def _number_shift(quote: str, claim: Claim, proof: Proof) -> str:
    if "miscounted" in proof.traits:
        return f"{quote}: another number of them was introduced{_at(proof)}."
    shift = "plural, but only one was" if proof.mention.plural else "singular, but several were"
    return f"{quote} is {shift} introduced{_at(proof)}."


def _introduced_again(quote: str, claim: Claim, proof: Proof) -> str:
    return f"{quote} was already introduced{_at(proof)}; it is unclear whether this is another one."


def _introduced_twice(quote: str, claim: Claim, proof: Proof) -> str:
    return f"{quote} is introduced twice in this claim; it is unclear which one is meant afterwards."


def _uncounted(quote: str, claim: Claim, proof: Proof) -> str:
    if "one_of_several" in proof.traits:
        return f"{quote}: several elements of this name were introduced, and it was not said which is which."
    return f"{quote}: no element of this name was introduced with this ordinal."


def _unknown_modifier(quote: str, claim: Claim, proof: Proof) -> str:
    return f"{quote}: “{proof.mention.head}” was introduced, but not with this qualification."


def _typo(quote: str, claim: Claim, proof: Proof) -> str:
    return f"{quote} has no antecedent; “{proof.meant}” was introduced, so this may be a misspelling."


def _introduced_later(quote: str, claim: Claim, proof: Proof) -> str:
    return f"{quote} is used before {_name(proof)} is introduced in this claim."


def _no_basis(quote: str, claim: Claim, proof: Proof) -> str:
    if proof.basis is Basis.ABBREVIATION and proof.source is not None:
        meant = " ".join(proof.source.words)
        return f"{quote} is not introduced; it may stand for “{meant}”{_at(proof)}."
    if proof.basis is Basis.TYPO:
        return f"Nothing earlier introduces {quote}; perhaps “{proof.meant}” is meant."
    return f"Nothing earlier in the claim{_chain(claim)} introduces {quote}."


_EXPLANATIONS: Final[dict[Rule, Callable[[str, Claim, Proof], str]]] = {
    RULE["sibling_only"]: _sibling_only,
    RULE["some_paths"]: _some_paths,
    RULE["ambiguous"]: _ambiguous,
    RULE["number_shift"]: _number_shift,
    RULE["introduced_again"]: _introduced_again,
    RULE["introduced_twice"]: _introduced_twice,
    RULE["uncounted"]: _uncounted,
    RULE["unknown_modifier"]: _unknown_modifier,
    RULE["typo"]: _typo,
    RULE["introduced_later"]: _introduced_later,
}
"""The explanation of each rule; phrases that break any other rule have no basis."""


def fix_for(rule: Rule, claim: Claim, proof: Proof) -> Fix | None:
    """An indefinite article if the element is new, the known spelling if it is misspelt.

    No article in a dependent claim, or if another name in the claim is similar: the phrase may mean that
    element, and "a control unit" beside "a controller" would claim a second one.
    """
    if rule is RULE["typo"]:
        return _respelt(claim, proof)
    mention = proof.mention
    safe = (
        rule is RULE["no_basis"]
        and proof.basis is Basis.NONE
        and not claim.parents
        and not mention.plural
        and mention.head not in UNCOUNTABLE
        and _UNSAFE.isdisjoint(proof.traits)
        and not any(
            word[:_ALIKE] in claim.text[: mention.start].lower() for word in mention.words if len(word) > 3
        )
    )
    determiner, _, noun = claim.text[mention.start : mention.end].partition(" ")
    first = noun.split(" ")[0]
    if not safe or determiner.lower() not in {"the", "said"} or first.lower() != mention.words[0]:
        return None
    article = article_before(first)
    if determiner[0].isupper():
        article = article.capitalize()
    return Fix(mention.start, mention.start + len(determiner), article)


def article_before(word: str) -> str:
    """ "a" or "an", by the sound of the word: "a unit", "an hour", "an LED", "a FIFO"."""
    if word.isupper() and len(word) > 1 and word[0] in _LETTERS_AN and not _SPOKEN.match(word):
        return "an"
    if word.isupper() and len(word) > 1 and word[0] == "U":
        return "a"
    lower = word.lower()
    if lower.startswith(_AN_DESPITE):
        return "an"
    return "an" if lower[0] in _VOWELS and not lower.startswith(_A_DESPITE) else "a"


def _respelt(claim: Claim, proof: Proof) -> Fix | None:
    """The one misspelt word, in lower case, as it was introduced."""
    mention = proof.mention
    quote = claim.text[mention.start : mention.end]
    wrong = [word for word in mention.words if _slip(word, proof.meant)]
    if len(wrong) != 1 or quote.count(wrong[0]) != 1:
        return None
    start = mention.start + quote.index(wrong[0])
    right = plural_of(proof.meant) if is_plural(wrong[0]) else proof.meant
    return Fix(start, start + len(wrong[0]), right)


def _slip(word: str, meant: str) -> bool:
    singular = lemma(word)
    return (
        singular[:1] == meant[:1]
        and abs(len(singular) - len(meant)) <= 1
        and sorted(singular)[:2] == sorted(meant)[:2]
    )


def _name(proof: Proof) -> str:
    return f"“{' '.join(proof.mention.words)}”"


def _claims(mentions: tuple[Mention, ...]) -> str:
    numbers = sorted({mention.claim for mention in mentions})
    return f"claim {numbers[0]}" if len(numbers) == 1 else f"claims {', '.join(map(str, numbers))}"


def _at(proof: Proof) -> str:
    same = proof.source is None or proof.source.claim == proof.mention.claim
    return "" if same or proof.source is None else f" in claim {proof.source.claim}"


def _chain(claim: Claim) -> str:
    return ", or in a claim that it depends on," if claim.parents else ""
