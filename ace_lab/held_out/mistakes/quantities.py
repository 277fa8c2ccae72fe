"""Values that exclude each other (MPEP 2173.05(c); 112(d)), in the frames that drafters use: what is kept or
driven at a value, shares of a mixture, doses, the conditions of a step, a property at a condition, bounds in
words, counts, ratios, other units; and shares that cannot add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ace.claims.model import ClaimSet
from ace_lab.held_out.edits import Defect
from ace_lab.held_out.elements import a
from ace_lab.held_out.mistakes.family import Site, adding, at_end, fresh, is_method, several, site, stated
from ace_lab.held_out.mistakes.frames import (
    AT_CONDITION,
    CONDITIONS,
    DOSING,
    KEPT,
    SHARE_UNITS,
    SHARES,
    SIZES,
    SUBSTANCES,
    WORDS,
)


def kept_at_a_value(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "kept at a temperature of 20 to 40 °C", and then "kept at 95 °C"."""
    first, seconds, unit = rng.choice(KEPT)
    one, other = _amounts(rng, unit, wrong)
    return _said(claims, rng, first.replace("{}", one), rng.choice(seconds).replace("{}", other), wrong=wrong)


def share_of_a_mixture(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "10 to 20 wt% of talc", and then "35 wt% of talc"."""
    first, seconds = rng.choice(SHARES)
    one, other = _amounts(rng, rng.choice(SHARE_UNITS), wrong, low=2, high=30)
    substance = rng.choice(SUBSTANCES)
    clauses = (first.replace("{}", one), rng.choice(seconds).replace("{}", other))
    return _said(claims, rng, *(each.replace("{s}", substance) for each in clauses), wrong=wrong)


def shares_over_a_hundred(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "60 wt% of talc, 30 wt% of silica and 25 wt% of urea". Twin: they make 100 or less."""
    found = site(claims, rng)
    if found is None:
        return None
    one, two, three = rng.sample(SUBSTANCES, 3)
    unit = rng.choice(SHARE_UNITS)
    shares = [rng.randint(30, 40), rng.randint(20, 25), rng.randint(10, 20)]
    if wrong:
        shares[rng.randrange(3)] += rng.randint(50, 60)
    (x, *_), verb = fresh(claims, rng), rng.choice(("contains", "comprises", "consists of", "is composed of"))
    if not wrong and verb.endswith("of"):
        shares[2] = 100 - shares[0] - shares[1]
    least = rng.choice(("", "at least "))
    parts = [f"{least}{share} {unit} {name}" for share, name in zip(shares, (one, two, three), strict=True)]
    number = found.claim.number
    clause = f"wherein the {x} {verb} {parts[0]}, {parts[1]} and {parts[2]}"
    return at_end(claims, number, f"{adding(claims, number, a(x))}, {clause}", clause)


def dose(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "10 to 20 mg once daily", and then "40 mg once daily"."""
    frame, unit = rng.choice(DOSING), rng.choice(("mg", "µg", "mg/kg", "IU"))
    one, other = _amounts(rng, unit, wrong)
    return _said(claims, rng, frame.replace("{}", one), frame.replace("{}", other), wrong=wrong)


def condition_of_a_step(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "rinsing it for 10 to 20 minutes", and then "the rinsing takes place for 45 minutes". In methods."""
    found = site(claims, rng)
    if found is None or not is_method(claims, found.claim.number):
        return None
    step = rng.choice(("rinsing", "annealing", "stirring", "soaking", "curing", "pressing"))
    first, second, unit = rng.choice(CONDITIONS)
    one, other = _amounts(rng, unit, wrong)
    x, *_ = fresh(claims, rng)
    done = rng.choice(("is carried out", "is performed", "takes place"))
    begun = f"further comprising {step} {a(x)} {first.format(one)}"
    return stated(claims, rng, found.claim.number, begun, f"wherein the {step} {done} {second.format(other)}")


def property_at_a_condition(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a viscosity of 100 to 200 mPa·s at 25 °C", and then "of 500 mPa·s at 25 °C". Twin: at 80 °C."""
    what, unit, condition = rng.choice(AT_CONDITION)
    one, other = _amounts(rng, unit, True)
    low, high = rng.choice(((5, 25), (20, 60), (10, 40)))
    first = f"the {{x}} has {a(what)} of {one} at {low} {condition}"
    second = f"the {{x}} has {a(what)} of {other} at {low if wrong else high} {condition}"
    return _said(claims, rng, first, second, wrong=wrong)


def bounds_in_words(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a length of no less than 20 mm", and then "shorter than 10 mm". Twin: "no less than 30 mm"."""
    size, unit, low = rng.choice(SIZES), rng.choice(("mm", "cm", "µm")), rng.randint(12, 80)
    floor = rng.choice(
        ("at least {}", "no less than {}", "not under {}", "more than {}", "{} or more", "over {}")
    )
    roof = rng.choice(("at most {}", "no more than {}", "less than {}", "{} or less", "up to {}", "under {}"))
    one, other = (floor, roof) if rng.random() < 0.5 else (roof, floor)
    far = low // 2 if one == floor else low * 2
    if not wrong:
        other, far = one, low * 2 if one == floor else low // 2
    clauses = (
        f"the {{x}} has a {size} of {each.format(f'{value} {unit}')}"
        for each, value in ((one, low), (other, far))
    )
    return _said(claims, rng, *clauses, wrong=wrong)


def both_bounds_in_words(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a minimum of 20 mm and a maximum of 10 mm". Twin: the other way round."""
    found = site(claims, rng)
    if found is None:
        return None
    unit, low = rng.choice(("mm", "cm", "kg", "°C")), rng.randint(3, 60)
    high = low + rng.randint(2, 60)
    span = (high, low) if wrong else (low, high)
    form = rng.choice(
        (
            "a minimum of {} {u} and a maximum of {} {u}",
            "not less than {} {u} and not more than {} {u}",
            "a lower limit of {} {u} and an upper limit of {} {u}",
            "more than {} {u} but less than {} {u}",
            "{} {u} or more and {} {u} or less",
        )
    )
    what = {"kg": "weight", "°C": "temperature"}.get(unit, rng.choice(SIZES))
    x, *_ = fresh(claims, rng)
    number = found.claim.number
    clause = f"wherein the {x} has a {what} of {form.format(*span, u=unit)}"
    return at_end(claims, number, f"{adding(claims, number, a(x))}, {clause}", clause)


def count_against_count(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "at least four ribs", and then "three ribs". Twin: "six ribs"."""
    part = rng.choice(("rib", "groove", "slot", "flap", "notch", "barb", "spoke"))
    few = rng.randint(4, 6)
    more, less = rng.randint(few + 1, 10), rng.randint(2, few - 1)
    form = rng.choice(("at least {}", "no fewer than {}", "{} or more", "no more than {}", "at most {}"))
    up = form.startswith(("at least", "no fewer", "{}"))
    count = less if wrong == up else more
    written = str if rng.random() < 0.3 else WORDS.__getitem__
    first = f"the {{x}} has {form.format(written(few))} {several(part)}"
    return _said(claims, rng, first, f"the {{x}} has {written(count)} {several(part)}", wrong=wrong)


def ratio_against_ratio(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a ratio of 2:1 to 4:1", and then "a ratio of 6:1". Twin: "3:1"."""
    of, to = rng.sample(("length", "width", "height", "depth"), 2)
    low = rng.randint(2, 4)
    name = f"ratio of the {of} to the {to} of the {{x}}"
    value = low + rng.randint(4, 8) if wrong else low + 1
    spans = (f"{low}:1 to {low + 2}:1", f"between {low}:1 and {low + 2}:1", f"at most {low + 2}:1")
    return _said(claims, rng, f"a {name} is {rng.choice(spans)}", f"the {name} is {value}:1", wrong=wrong)


def other_unit(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "1 mm to 2 mm", and then "5 cm". Twin: "1500 µm"."""
    size = rng.choice(SIZES)
    unit, finer, coarser = rng.choice((("mm", "µm", "cm"), ("µm", "nm", "mm"), ("m", "mm", "km")))
    low = rng.randint(2, 6)
    inside = f"{low * 1000 + 500:g} {finer}"
    outside = rng.choice((f"{low * 200} {finer}", f"{low * 2} {coarser}"))
    first = f"the {{x}} has a {size} of {low} {unit} to {low + 2} {unit}"
    return _said(claims, rng, first, f"the {{x}} has a {size} of {outside if wrong else inside}", wrong=wrong)


def one_value_against_another(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "is 5 mm thick", and then "is 7 mm thick". Twin: is 7 mm wide."""
    how, another = rng.sample(("thick", "long", "wide", "high", "deep"), 2)
    value, unit = rng.randint(2, 40), rng.choice(("mm", "cm"))
    form = rng.choice(("the {{x}} is {} {} {}", "the {{x}} is exactly {} {} {}"))
    second = f"the {{x}} is {value + rng.randint(1, 9)} {unit} {how if wrong else another}"
    return _said(claims, rng, form.format(value, unit, how), second, wrong=wrong)


def _amounts(rng: Random, unit: str, wrong: bool, *, low: int = 10, high: int = 90) -> tuple[str, str]:
    """An interval, and a value or an interval outside (or partly outside) it or inside it."""
    start = rng.randint(low, high)
    width = rng.randint(10, 30)
    end = start + width
    first = rng.choice(
        (
            f"{start} to {end} {unit}",
            f"{start} {unit} to {end} {unit}",
            f"between {start} and {end} {unit}",
            f"from {start} {unit} to {end} {unit}",
            f"{start}-{end} {unit}",
        )
    )
    if not wrong:
        inside = (
            f"{start + 4} {unit}",
            f"{start + 3} to {end - 3} {unit}",
            f"from {start + 2} to {end - 2} {unit}",
        )
        return first, rng.choice(inside)
    below, beyond = max(1, start // 2), end + rng.randint(5, 40)
    outside = (
        f"{beyond} {unit}",
        f"{below} {unit}",
        f"{beyond} to {beyond + 10} {unit}",
        f"{start} to {beyond} {unit}",
        f"more than {beyond} {unit}",
    )
    return first, rng.choice(outside)


def _said(claims: ClaimSet, rng: Random, first: str, second: str, *, wrong: bool) -> Defect | None:
    """Both of one element of the claim, or of a new one; in a twin of a new one only."""
    found = site(claims, rng)
    if found is None:
        return None
    x = found.name if wrong and rng.random() < 0.6 else fresh(claims, rng)[0]
    return _stated_of(claims, rng, found, x, (first, second))


def _stated_of(claims: ClaimSet, rng: Random, found: Site, x: str, both: Sequence[str]) -> Defect | None:
    number = found.claim.number
    given = "" if x == found.name else f"{adding(claims, number, a(x))}, "
    first, second = (each.replace("{x}", x) for each in both)
    return stated(claims, rng, number, f"{given}wherein {first}", f"wherein {second}")


EDITS = (
    kept_at_a_value,
    share_of_a_mixture,
    shares_over_a_hundred,
    dose,
    condition_of_a_step,
    property_at_a_condition,
    bounds_in_words,
    both_bounds_in_words,
    count_against_count,
    ratio_against_ratio,
    other_unit,
    one_value_against_another,
)
