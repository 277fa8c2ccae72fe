"""Harmless edits of wide variety, for training only: what an encoder must not take for a defect.

Each kind adds, in several wordings, something that drafters rightly write in the words that defects are
written in too: further elements with an introduction, negative limitations, conditions, choices, opposites
that are not said of the same thing at the same time, narrower values. `placebo` and `placebo_twins` are what
judges are measured on; these are not.
"""

from collections.abc import Sequence
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import parents_of
from ace_lab.injectors.edit_sites import OPENING, appended, known, needs_introduction, single_reference
from ace_lab.injectors.edits import Injection, Injector, Lexicon, borrowed_noun, chain_text, splice, with_text
from ace_lab.injectors.phrases import article_for, definite, occurs

LABEL = "pass"

ADDED = (
    "further comprising {an_n} that is coupled to the {x}",
    "further comprising {an_n} and {an_m}, wherein the {n} is coupled to the {m}",
    "further comprising {an_n}, the {n} being arranged at the {x}",
    "and further including {an_n}, wherein said {n} extends along the {x}",
    "wherein the {x} comprises {an_n}, and wherein the {n} comprises {an_m}",
    "wherein {an_n} is associated with the {x}, the {x} being supported by the {n}",
)
COUNTED = (
    "further comprising a first {n} and a second {n}, wherein the first {n} is spaced from the second {n}",
    "further comprising at least two instances of {an_n}, wherein each instance is assigned to the {x}",
    "further comprising one or more units of {an_n}, each unit of the {n} being associated with the {x}",
    "wherein the {x} is one of a plurality of elements, and each of the elements is coupled to {an_n}",
    (
        "further comprising a first {n}, a second {n} and a third {n}, "
        "the second {n} being next to the first {n}"
    ),
)
EXCLUDED = (
    "wherein no {n} is arranged at the {x}",
    "wherein the {x} is not coupled to any {n}",
    "wherein the {x} lacks {an_n}",
    "wherein the {x} does not comprise {an_n}",
    "with the proviso that the {x} is not {an_n}",
    "wherein the {x} is operable in the absence of {an_n}",
    "wherein neither {an_n} nor {an_m} is attached to the {x}",
    "wherein the {x} is other than {an_n}",
)
CONDITIONS = (
    "wherein the {x} is adjusted when {an_n} is detected, and is not adjusted otherwise",
    "wherein, if {an_n} is present, the {x} is coupled to the {n}",
    "wherein the {x} remains unchanged unless {an_n} is detected",
    "wherein the {x} is changed in response to a signal that represents {an_n}",
    "wherein the {x} is activated only after {an_n} has been provided",
    "wherein the {x} is used while {an_n} is being provided, and the {n} is removed thereafter",
    "wherein the {x} is adjusted if a temperature exceeds {low} °C, and is left as it is at {low} °C or less",
)
CHOICES = (
    "wherein the {x} comprises one of {an_n} and {an_m}",
    "wherein the {x} is selected from the group consisting of {an_n}, {an_m} and {an_o}",
    "wherein the {x} is coupled to either {an_n} or {an_m}",
    "wherein the {x} comprises at least one of: {an_n}; {an_m}; and {an_o}",
    "wherein the {x} comprises {an_n}, {an_m}, or both",
    "wherein the {x} is assigned to one or more of {an_n}, {an_m}, and {an_o}",
)
STATES = (
    "wherein the {x} is movable between {an_a} position and {an_b} position",
    "wherein the {x} has {an_a} portion and {an_b} portion",
    "wherein a first part of the {x} is {a} and a second part of the {x} is {b}",
    "wherein the {x} is {a} in a first state and {b} in a second state",
    "wherein the {x} is changed from {a} to {b}",
    "wherein the {x} is coupled to {an_a} member and to {an_b} member, the members being separate",
    "further comprising {an_n} that is {a} and {an_m} that is {b}",
)
COMPARED = (
    "wherein the {x} is {more} the {y}, so that the {y} is {less} the {x}",
    "wherein the {y} is {less} the {x}, the {x} thus being {more} the {y}",
    "wherein the {x} is {more} the {y}",
    "wherein the {y} is {less} the {x}",
    "further comprising {an_n}, the {n} being {more} the {x} and {less} the {y}",
    "further comprising {an_n} that is {more} the {x} and {an_m} that is {less} the {x}",
    "wherein, of the {x} and the {y}, the {x} is {more} the {y}",
)
SUBSTANCES = (
    "wherein the {x} is made of {s} and does not contain {t}",
    "wherein the {x} consists of {s} rather than of {t}",
    "wherein the {x} is formed of {s}, the {s} being free of {t}",
    "wherein the {x} is made of {s} and is coupled to {an_n} made of {t}",
    "further comprising {an_n} of {s} and {an_m} of {t}",
    "wherein the {x} is coated with {s}, no {t} being present in the coating",
)
DEGREES = (
    "wherein the {x} is substantially parallel to the {y}",
    "wherein the {x} is arranged at an angle of about {low} degrees to the {y}",
    "wherein the {x} is spaced from the {y} by approximately {low} mm",
    "wherein the {x} has substantially the same extent as the {y}",
    "wherein the {x} is at least partially enclosed by {an_n}",
)
PURPOSES = (
    "wherein the {x} is configured to cooperate with {an_n}",
    "wherein the {x} is arranged such that the {y} is in contact with the {x}",
    "wherein the {x} is adapted to receive {an_n}, so that the {n} is held by the {x}",
    "wherein the {x} is provided for supporting {an_n}",
    "whereby the {x} is secured to the {y}",
    "wherein the {x} is capable of being separated from the {y}",
)
NARROWED = (
    ("at least {low} {u}", "at least {more} {u}"),
    ("at most {high} {u}", "at most {less} {u}"),
    ("less than {high} {u}", "less than {less} {u}"),
    ("more than {low} {u}", "more than {more} {u}"),
    ("between {low} and {high} {u}", "between {more} and {less} {u}"),
    ("from {low} to {high} {u}", "{more} {u} to {less} {u}"),
    ("{low} {u} or more", "{more} {u} or more"),
    ("no greater than {high} {u}", "equal to {more} {u}"),
)
"""What a claim says of a measure, and what one that depends on it says; {more} and {less} lie within."""
_SAID = (
    "wherein the {x} has {an_m} of {v}",
    "wherein {an_m} of the {x} is {v}",
    "the {x} having {an_m} of {v}",
)
_SAID_AGAIN = ("wherein the {m} is {v}", "wherein the {m} of the {x} is {v}", "the {m} of the {x} being {v}")

_OPPOSED = (
    ("open", "closed"),
    ("rigid", "flexible"),
    ("upper", "lower"),
    ("inner", "outer"),
    ("raised", "lowered"),
    ("locked", "unlocked"),
    ("hollow", "solid"),
    ("extended", "retracted"),
    ("horizontal", "vertical"),
    ("loaded", "unloaded"),
    ("static", "moving"),
    ("transparent", "opaque"),
    ("heated", "cooled"),
    ("conductive", "insulating"),
)
_COMPARISONS = (
    ("longer than", "shorter than"),
    ("wider than", "narrower than"),
    ("thicker than", "thinner than"),
    ("stiffer than", "softer than"),
    ("larger than", "smaller than"),
    ("higher than", "lower than"),
    ("in front of", "behind"),
    ("upstream of", "downstream of"),
    ("arranged above", "arranged below"),
)
_KINDS = (
    ("steel", "plastic"),
    ("aluminum", "rubber"),
    ("glass", "metal"),
    ("rubber", "steel"),
    ("copper", "wood"),
    ("ceramic", "polymer"),
    ("wood", "glass"),
    ("polyethylene", "metal"),
    ("cotton", "nylon"),
)
_MEASURES = (
    ("width", "mm"),
    ("length", "cm"),
    ("thickness", "µm"),
    ("mass", "g"),
    ("temperature", "°C"),
    ("volume", "ml"),
    ("pressure", "kPa"),
    ("duration", "minutes"),
)
_CHOSEN = ("of claim {0} or claim {1}", "of any one of claims {0} and {1}", "according to claim {0} or {1}",
           "as claimed in any of claims {0} or {1}", "of one of claims {0} or {1}")  # fmt: skip
_REFERRING = ("of", "according to", "as recited in", "as defined in")


def _kind(name: str, wordings: Sequence[str]) -> Injector:
    """The edit that adds one of these clauses, to a claim or as a claim of its own."""

    def edit(claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon) -> Injection | None:
        clause = _clause(rng.choice(wordings), claims, claim, rng, lexicon)
        return None if clause is None else _placed(claims, claim, clause, rng, name)

    edit.__name__ = name
    return edit


def values_narrowed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """The parent says a measure of its element, and the claim narrows it down in one of many ways."""
    parent = claims.get(claim.parents[0]) if len(claim.parents) == 1 else None
    names = known(claims, parent) if parent else []
    (measure, unit), (wide, narrow) = rng.choice(_MEASURES), rng.choice(NARROWED)
    if parent is None or not names or occurs(measure, f"{claim.text} {chain_text(claims, claim.number)}"):
        return None
    low = rng.randint(2, 60)
    high = low * rng.randint(3, 6)
    values = {"low": low, "high": high, "more": low + (high - low) // 3, "less": high - (high - low) // 3}
    said = {"x": rng.choice(names), "m": measure, "an_m": f"{article_for(measure)} {measure}"}
    first = rng.choice(_SAID).format(v=wide.format(**values, u=unit), **said)
    second = rng.choice(_SAID_AGAIN).format(v=narrow.format(**values, u=unit), **said)
    above = appended(claims, parent, first, LABEL, "")
    below = above and appended(above.claims, above.claims[claim.number], second, LABEL, "")
    return below and Injection(below.claims, claim.number, LABEL, "values_narrowed")


def parents_offered(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "of claim 2" becomes "of any one of claims 1 and 2", where claim 1 introduces all that is taken up."""
    reference = single_reference(claim)
    parent = claims.get(claim.parents[0]) if reference else None
    above = claims.get(parent.parents[0]) if parent and len(parent.parents) == 1 else None
    opening = OPENING.match(claim.text)
    if reference is None or parent is None or above is None or opening is None or len(above.parents) > 1:
        return None
    basis = f"{above.text} {chain_text(claims, above.number)}"
    phrases = (each for each in definite(claim.text) if needs_introduction(each))
    if any(not occurs(each.head, f"{basis} {claim.text[: each.start]}") for each in phrases):
        return None
    chosen = rng.choice(_CHOSEN).format(above.number, parent.number)
    text = splice(claim.text, opening.end("subject") + 1, reference.end(), chosen)
    return Injection(with_text(claims, claim.number, text), claim.number, LABEL, "parents_offered")


SOUND_EDITS: tuple[tuple[Injector, int], ...] = (
    (_kind("parts_added", ADDED), 3),
    (_kind("parts_counted", COUNTED), 2),
    (_kind("parts_excluded", EXCLUDED), 3),
    (_kind("conditions_set", CONDITIONS), 3),
    (_kind("choices_listed", CHOICES), 3),
    (_kind("states_apart", STATES), 3),
    (_kind("things_compared", COMPARED), 3),
    (_kind("substances_apart", SUBSTANCES), 3),
    (_kind("degrees_accepted", DEGREES), 2),
    (_kind("purposes_given", PURPOSES), 2),
    (values_narrowed, 3),
    (parents_offered, 2),
)
"""The edits and their weights."""


def _clause(wording: str, claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon) -> str | None:
    """The wording with elements that the claim knows and things that nothing in its chain reminds of; None
    if it says something of which the claim speaks already, or if there are too few elements."""
    around = f"{claim.text} {chain_text(claims, claim.number)}"
    names = known(claims, claim)
    things: list[str] = []
    for _ in range(3):
        things.append(borrowed_noun(lexicon, rng, around, *things) or "")
    if len(names) < 1 + ("{y}" in wording) or not all(things):
        return None
    x, y = rng.sample(names, 2) if len(names) > 1 else (names[0], "")
    (a, b), (more, less), (s, t) = rng.choice(_OPPOSED), rng.choice(_COMPARISONS), rng.choice(_KINDS)
    if rng.random() < 0.5:
        a, b, more, less = b, a, less, more
    spoken = {"{a}": (a, b), "{an_a}": (a, b), "{s}": (s, t), "{more}": (more.split()[0], less.split()[0])}
    if any(part in wording and any(occurs(word, around) for word in words) for part, words in spoken.items()):
        return None
    words = dict(zip("nmoab", (*things, a, b), strict=True))
    articled = {f"an_{key}": f"{article_for(word)} {word}" for key, word in words.items()}
    words |= {"x": x, "y": y, "more": more, "less": less, "s": s, "t": t, "low": str(rng.randint(5, 80))}
    return wording.format(**words, **articled)


def _placed(claims: ClaimSet, claim: Claim, clause: str, rng: Random, name: str) -> Injection | None:
    """The clause at the end of the claim, or all that a new claim says, which depends on it."""
    opening = OPENING.match(claim.text)
    if opening is None or rng.random() < 0.5:
        found = appended(claims, claim, clause, LABEL, name)
        return found and Injection(found.claims, claim.number, LABEL, name)
    number = max(each.number for each in claims) + 1
    text = f"The {opening['subject']} {rng.choice(_REFERRING)} claim {claim.number}, {clause}."
    edited = ClaimSet((*claims, Claim(number, text, parents_of(text, number))))
    return Injection(edited, number, LABEL, name)
