"""The rules of dependency: what each looks for, by which law, and what it does not flag."""

from __future__ import annotations

from ace.claims.rules import Provision, Rule, Severity
from ace.claims.taxonomy import ErrorClass

_PUMP = "1. A pump comprising a housing and a rotor mounted in the housing.\n"
_HOLLOW = "2. The pump of claim 1, wherein the rotor is hollow.\n"
_FORWARD = "2. The pump of claim 3, further comprising a seal.\n"
_MISSING_US = "35 U.S.C. 112(d); 37 CFR 1.75(c); MPEP 608.01(n)"
_MISSING_EPC = "Art. 84 EPC; Rule 43(4) EPC; Guidelines F-IV, 3.4"


def _rule(
    subtype: str,
    what: str,
    example: str,
    twin: str,
    us: Provision | None,
    epc: Provision | None,
    silent: str = "",
    *,
    brief: str,
    whole_set: bool = False,
) -> Rule:
    return Rule(ErrorClass.DEPENDENCY, subtype, what, example, twin, us, epc, silent, whole_set, brief=brief)


NONEXISTENT = _rule(
    "nonexistent",
    "The claim refers to a claim that the set does not have.",
    _PUMP + "2. The pump of claim 7, wherein the rotor is hollow.",
    _PUMP + "2. The pump of claim 1, wherein the rotor is hollow.",
    Provision(_MISSING_US, Severity.ERROR),
    Provision(_MISSING_EPC, Severity.ERROR),
    "Claims of another document (“claim 7 of U.S. Patent No. …”), and “any preceding claim” where a number "
    "is left out.",
    brief="a missing or canceled parent",
)
SELF = _rule(
    "self",
    "The claim refers to itself, alone or within a range.",
    _PUMP + "2. The pump of claim 2, wherein the rotor is hollow.",
    _PUMP + "2. The pump of claim 1, wherein the rotor is hollow.",
    Provision(_MISSING_US, Severity.ERROR),
    Provision(_MISSING_EPC, Severity.ERROR),
    "“Any preceding claim”, which never means the claim itself.",
    brief="a reference in a circle, to itself or ahead",
)
CANCELED = _rule(
    "canceled",
    "The claim refers to a claim that is canceled or was not entered.",
    "1. (Canceled)\n2. (New) A pump comprising a housing and a rotor mounted in the housing.\n"
    "3. (Original) The pump of claim 1, further comprising a seal.",
    "1. (Canceled)\n2. (New) A pump comprising a housing and a rotor mounted in the housing.\n"
    "3. (Currently amended) The pump of claim 2, further comprising a seal.",
    Provision("35 U.S.C. 112(d); MPEP 608.01(n), V", Severity.ERROR),
    Provision(_MISSING_EPC, Severity.ERROR),
    "Withdrawn claims: they are still pending. “Any preceding claim” where one of those is canceled.",
    brief="a missing or canceled parent",
)
CIRCULAR = _rule(
    "circular",
    "The claim refers to a later claim that depends on it, so that neither says what it includes.",
    _PUMP + _FORWARD + "3. The pump of claim 2, further comprising a filter.",
    _PUMP + _HOLLOW + "3. The pump of claim 2, wherein the housing is closed.",
    Provision(_MISSING_US, Severity.ERROR),
    Provision(_MISSING_EPC, Severity.ERROR),
    "The references in the same circle that lead back to earlier claims: only the forward one is wrong.",
    brief="a reference in a circle, to itself or ahead",
)
FORWARD = _rule(
    "forward",
    "The claim refers to a claim that comes after it.",
    _PUMP + _FORWARD + "3. The pump of claim 1, wherein the housing is closed.",
    _PUMP + _HOLLOW + "3. The pump of claim 1, wherein the housing is closed.",
    Provision("35 U.S.C. 112(d); 37 CFR 1.75(c); MPEP 608.01(n), I.B.2"),
    Provision("Rule 43(4) EPC; Guidelines F-IV, 3.5"),
    brief="a reference in a circle, to itself or ahead",
)
UNNUMBERED = _rule(
    "unnumbered",
    "The claim refers to a claim without saying which.",
    _PUMP + "2. The pump of claim, further comprising a seal.",
    _PUMP + "2. The pump of claim 1, further comprising a seal.",
    Provision(_MISSING_US, Severity.ERROR),
    Provision(_MISSING_EPC, Severity.ERROR),
    "“Any preceding claim” and “the preceding claim”, and the word in another sense (“insurance claims”).",
    brief="a reference without number",
)
MULTIPLE = _rule(
    "multiple_on_multiple",
    "The claim refers to several claims, one of which does so itself or depends on one that does.",
    _PUMP
    + _HOLLOW
    + "3. The pump of claim 1 or 2, wherein the housing is closed.\n"
    + "4. The pump of any one of claims 1 to 3, further comprising a seal.",
    _PUMP
    + _HOLLOW
    + "3. The pump of claim 1 or 2, wherein the housing is closed.\n"
    + "4. The pump of claim 3, further comprising a seal.",
    Provision("35 U.S.C. 112(e); 37 CFR 1.75(c); MPEP 608.01(n), I.B.4", Severity.ERROR),
    None,
    "A claim that refers to one multiple dependent claim only. The EPC allows the form (Rule 43(4); "
    "Guidelines F-IV, 3.4).",
    brief="a multiple dependency on another or by “and”",
)
CUMULATIVE = _rule(
    "cumulative",
    "The claim refers to several claims together and not in the alternative only.",
    _PUMP + _HOLLOW + "3. The pump of claims 1 and 2, wherein the housing is closed.",
    _PUMP + _HOLLOW + "3. The pump of any one of claims 1 and 2, wherein the housing is closed.",
    Provision("35 U.S.C. 112(e); 37 CFR 1.75(c); MPEP 608.01(n), I.B.1"),
    None,
    "“Any of claims 1 and 2”, “claims 1 or 2”; a thing made of several claimed things (“a kit comprising the "
    "pumps of claims 1 and 2”). The EPC does not ask for the alternative.",
    brief="a multiple dependency on another or by “and”",
)
TWO_SETS = _rule(
    "two_sets",
    "The claim refers to several claims twice, to two sets of claims with different features.",
    _PUMP
    + _HOLLOW
    + "3. The pump of claim 1, wherein the housing is closed.\n"
    + "4. The pump of claim 1 or 2, wherein the housing is as defined in claim 1 or 3.",
    _PUMP
    + _HOLLOW
    + "3. The pump of claim 1, wherein the housing is closed.\n"
    + "4. The pump of claim 1 or 2, wherein the housing is as defined in claim 3.",
    Provision("35 U.S.C. 112(e); MPEP 608.01(n), I.B.3"),
    None,
    "Several references to one claim each; a thing made of several claimed things (“a kit comprising the "
    "pump of claim 1 or 2 and the hose of claim 3 or 4”).",
    brief="a multiple dependency on another or by “and”",
)
CATEGORY = _rule(
    "category_mismatch",
    "The claim refers to another claim as something that it is not, such as “the method” for a claim to a "
    "device.",
    _PUMP + "2. The method of claim 1, wherein the rotor is hollow.",
    _PUMP + "2. The pump of claim 1, wherein the rotor is hollow.",
    Provision("35 U.S.C. 112(b) and (d); MPEP 608.01(n), III"),
    Provision("Art. 84 EPC; Rule 43(4) EPC; Guidelines F-IV, 3.8"),
    "Other words for the same thing (“the device of claim 1” for a pump, unless another claim "
    "is called so); claims of another category that "
    "name what they refer to (“a method of operating the pump of claim 1”); an element of the parent; words "
    "that leave the category open (“the invention”).",
    brief="a wrong category (“the method” for a device)",
)
NOT_NARROWING = _rule(
    "not_narrowing",
    "The dependent claim adds nothing to its parent, or repeats a clause of it.",
    _PUMP + "2. The pump of claim 1.",
    _PUMP + "2. The pump of claim 1, wherein the rotor is hollow.",
    Provision("35 U.S.C. 112(d); MPEP 608.01(n), III"),
    Provision("Rule 43(4) EPC; Guidelines F-IV, 3.4 and F-V, 9"),
    "Claims of another category, which may end with their reference (“a vehicle comprising the pump of claim "
    "1”); words before the noun that limit it (“the portable pump of claim 1”).",
    brief="nothing added",
)
DUPLICATE = _rule(
    "duplicate_claim",
    "The claim says word for word the same as an earlier claim.",
    _PUMP + _HOLLOW + "3. The pump of claim 1, wherein the rotor is hollow.",
    _PUMP + _HOLLOW + "3. The pump of claim 1, wherein the housing is closed.",
    Provision("37 CFR 1.75(b); MPEP 608.01(m) and 706.03(k)"),
    Provision("Art. 84 EPC (conciseness); Guidelines F-IV, 5", Severity.NOTE),
    "The same words with a different parent, because they mean something else; claims that lost a formula.",
    whole_set=True,
    brief="a duplicate claim",
)
MALFORMED = _rule(
    "malformed",
    "A reference lacks its preposition, or offers a plural or a choice of one claim.",
    _PUMP + "2. The pump according claim 1, wherein the rotor is hollow.",
    _PUMP + "2. The pump according to claim 1, wherein the rotor is hollow.",
    Provision("37 CFR 1.75(c); MPEP 608.01(m)"),
    Provision("Art. 84 EPC; Rule 43(4) EPC", Severity.NOTE),
    "References to several claims; any words that join a reference to a noun (“as claimed in claim 1”).",
    brief="a reference without its preposition",
)
RULES: tuple[Rule, ...] = (
    NONEXISTENT,
    SELF,
    CANCELED,
    CIRCULAR,
    FORWARD,
    UNNUMBERED,
    MULTIPLE,
    CUMULATIVE,
    TWO_SETS,
    CATEGORY,
    NOT_NARROWING,
    DUPLICATE,
    MALFORMED,
)
