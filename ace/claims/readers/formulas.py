"""Formulas in MathML and in Word's OMML, written on one line: "k=Gd^4/(8nD^3)", "∑_(i=1)^n x_i", "√(a+b)".

Elements are rendered as they close, from the inside out, so that depth costs nothing. An operand gets
brackets only if the line would read otherwise without them. A formula with an element that is not known here
is not understood: `Formula.line` is None then, and the reader says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from string import ascii_lowercase
from typing import Final, NamedTuple

from ace.claims.readers.notation import lowered, marks_only, raised


class _Bond(IntEnum):
    """How firmly the parts of a term hold together, from the loosest."""

    SUM = 0
    QUOTIENT = 1
    PRODUCT = 2
    POWER = 3
    ATOM = 4


class _Term(NamedTuple):
    text: str
    bond: _Bond = _Bond.ATOM
    operator: bool = False


@dataclass(slots=True)
class _Open:
    """An element that is open: the terms in it, by the name of the element that each came from."""

    name: str
    properties: dict[str, str]
    terms: list[tuple[str, _Term]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def all(self) -> list[_Term]:
        return [term for _, term in self.terms]

    def at(self, argument: int | str | None) -> _Term:
        """The argument at this place or of this name, empty if there is none."""
        if isinstance(argument, int):
            return self.terms[argument][1] if argument < len(self.terms) else _EMPTY
        return next((term for name, term in self.terms if name == argument), _EMPTY)


_EMPTY: Final = _Term("")
_TOKENS: Final = frozenset({"mi", "mn", "mo", "mtext", "ms", "t"})
_ROWS: Final = frozenset(
    (
        *("math", "mrow", "mstyle", "mpadded", "merror", "menclose", "semantics", "maction", "mspace"),
        *("malignmark", "maligngroup", "mprescripts", "none", "oMath", "r", "box", "borderBox", "groupChr"),
    )
)
_ARGUMENTS: Final = frozenset({"num", "den", "e", "sup", "sub", "deg", "lim", "fName"})
_UNSEEN: Final = frozenset({"mphantom", "phant", "annotation", "annotation-xml"})
_INVISIBLE: Final = dict.fromkeys(map(ord, "\u2061\u2062\u2063\u2064\u200b\u200c\u200d\ufeff"))
_TOKEN: Final = re.compile(r"[0-9]+(?:[.,][0-9]+)*|[^\W\d_]+|\s+|.", re.DOTALL)
_NO_MARKS: Final = dict.fromkeys(map(ord, ".,"))
_FUNCTIONS: Final = frozenset(
    (
        *("arccos", "arcsin", "arctan", "cos", "cosh", "cot", "csc", "det", "exp", "inf", "lim", "ln", "log"),
        *("max", "min", "mod", "sec", "sin", "sinh", "sup", "tan", "tanh"),
    )
)
_OPENING: Final = frozenset("([{⟨⌈⌊")
_CLOSING: Final = frozenset(")]}⟩⌉⌋")
_TIMES: Final = frozenset("×·*∙⋅•∗")
_DIVIDED: Final = frozenset("/÷∕⁄")
_BOND_OF: Final = {
    **dict.fromkeys(_TIMES, _Bond.PRODUCT),
    **dict.fromkeys(_DIVIDED, _Bond.QUOTIENT),
    " ": _Bond.ATOM,
}
"""How firmly an operator joins; all others join as loosely as a sum."""
_ACCENTS: Final = {
    **dict.fromkeys("^ˆ\u0302", "hat"),
    **dict.fromkeys("¯‾_ˉ―\u0304\u0305", "bar"),
    **dict.fromkeys("~˜\u0303", "tilde"),
    **dict.fromkeys("→⃗⇀\u20d7", "vec"),
    **dict.fromkeys("˙.\u0307", "dot"),
    **dict.fromkeys("¨\u0308", "ddot"),
}


class Formula:
    """One formula, fed with the events of its elements, whose names are local: "mfrac", "sSup"."""

    def __init__(self) -> None:
        self._open = [_Open("", {})]
        self._unseen = 0
        self._in_properties = 0
        self._understood = True

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element opens; attribute names are local."""
        if self._unseen or name in _UNSEEN:
            self._unseen += 1
        elif name.endswith("Pr"):
            self._in_properties += 1
        elif self._in_properties:
            self._open[-1].properties[name] = attributes.get("val", "")
        else:
            known = name in _TOKENS or name in _ROWS or name in _ARGUMENTS or name in _SCHEMES
            self._understood = self._understood and known
            self._open.append(_Open(name, dict(attributes)))

    def characters(self, text: str) -> None:
        """Text; only that of tokens counts."""
        if not self._unseen and self._open[-1].name in _TOKENS:
            self._open[-1].text.append(text)

    def end(self, name: str) -> None:
        """An element closes."""
        if self._unseen:
            self._unseen -= 1
            return
        if name.endswith("Pr"):
            self._in_properties -= 1
        elif not self._in_properties:
            self._close(name)

    def _close(self, name: str) -> None:
        closed, parent = self._open.pop(), self._open[-1]
        if name in _TOKENS:
            terms = _tokens(name, "".join(closed.text))
        elif name in _SCHEMES:
            terms = [_SCHEMES[name](closed) if any(term.text for term in closed.all()) else _EMPTY]
        else:
            terms = closed.all()
        if name in _ARGUMENTS or (parent.name in _SCHEMES and len(terms) != 1):
            terms = [_row(terms)]
        parent.terms += ((name, term) for term in terms)

    def line(self) -> str | None:
        """The formula on one line, "" if it has no text; None if it was not understood."""
        return _row(self._open[0].all()).text.strip() if self._understood else None


def _tokens(name: str, text: str) -> list[_Term]:
    text = text.translate(_INVISIBLE)
    bare = " ".join(text.split())
    if name == "mi":
        return [_Term(bare)] if bare else []
    if name == "mo" and not bare.isalpha():
        return [_Term(bare, _Bond.SUM, operator=True)] if bare else []
    kept = text if name == "t" else text.strip(" \t\r\n")
    return [_token(part, product=name == "t") for part in _TOKEN.findall(kept)]


def _token(text: str, *, product: bool) -> _Term:
    """A number, a name or an operator; letters that are typed together in Word are mostly a product."""
    if text[0].isalpha():
        several = product and len(text) > 1 and text.lower() not in _FUNCTIONS
        return _Term(text, _Bond.PRODUCT if several else _Bond.ATOM)
    if text[0].isdigit():
        return _Term(text)
    return _Term(" " if text.isspace() else text, _Bond.SUM, operator=True)


def _row(terms: Sequence[_Term]) -> _Term:
    """Terms one after the other, as one term."""
    if len(terms) == 1:
        return terms[0]
    parts: list[str] = []
    bond, depth, groups = _Bond.ATOM, 0, 0
    for at, term in enumerate(terms):
        before = terms[at - 1] if at else None
        after = terms[at + 1] if at + 1 < len(terms) else None
        if term.text in _CLOSING:
            depth -= 1
        if depth <= 0:
            bond = min(bond, _bond_here(before, term))
            groups += 1
        if term.text in _OPENING:
            depth += 1
        parts += _gap(before, term), _within_row(before, term, after)
    whole = groups == 2 and terms[0].text in _OPENING and terms[-1].text in _CLOSING
    return _Term("".join(parts), _Bond.ATOM if whole else bond)


def _bond_here(before: _Term | None, term: _Term) -> _Bond:
    """How firmly a term that stands outside brackets holds to what is before it."""
    if term.text in _CLOSING:
        return _Bond.PRODUCT
    if term.operator and term.text not in _OPENING:
        return _BOND_OF.get(term.text, _Bond.SUM)
    mine = _Bond.PRODUCT if term.operator else term.bond
    return min(mine, _Bond.PRODUCT) if _is_factor(before, _CLOSING) else mine


def _is_factor(term: _Term | None, brackets: frozenset[str]) -> bool:
    """Whether what stands beside a term multiplies it: another term, or a bracket."""
    return term is not None and (not term.operator or term.text in brackets)


def _within_row(before: _Term | None, term: _Term, after: _Term | None) -> str:
    if term.operator or term.bond is not _Bond.QUOTIENT or _mixed(before, term):
        return term.text
    beside = _is_factor(before, _CLOSING | _DIVIDED) or _is_factor(after, _OPENING | _DIVIDED)
    return f"({term.text})" if beside else term.text


def _mixed(before: _Term | None, term: _Term) -> bool:
    """Whether both are one number: "1 1/2"."""
    above, _, below = term.text.partition("/")
    whole = before is not None and before.text.translate(_NO_MARKS).isdecimal()
    return whole and above.isdecimal() and below.isdecimal()


def _gap(before: _Term | None, term: _Term) -> str:
    """The space that keeps two terms apart, if they need one."""
    if before is None or not (before.text[-1:].isalnum() and term.text[:1].isalnum()):
        return ""
    pair = (before, term)
    words = any(len(part.text) > 1 and part.text.isalpha() and part.bond is _Bond.ATOM for part in pair)
    return " " if words or not {"_", "^"}.isdisjoint(before.text) or term.text[0].isdigit() else ""


def _held(term: _Term, least: _Bond) -> str:
    """The term as an operand that must hold together at least so firmly."""
    return term.text if term.bond >= least or not term.text else f"({term.text})"


def _fraction(above: _Term, below: _Term, *, bar: bool) -> _Term:
    if not bar:
        return _Term(f"binom({above.text}, {below.text})")
    return _Term(f"{_held(above, _Bond.PRODUCT)}/{_held(below, _Bond.POWER)}", _Bond.QUOTIENT)


def _scripts(base: _Term, sub: _Term = _EMPTY, sup: _Term = _EMPTY) -> _Term:
    """ "x_i^2"; a base of several parts gets brackets, a mark such as a prime just follows."""
    text = base.text if base.operator else _held(base, _Bond.ATOM)
    if sub.text:
        text += lowered(_held(sub, _Bond.ATOM) if sub.bond is _Bond.PRODUCT else sub.text)
    if sup.text and (mark := marks_only(sup.text)):
        text += mark
    elif sup.text:
        text += raised(_held(sup, _Bond.ATOM) if sup.bond is _Bond.PRODUCT else sup.text)
    return _Term(text, _Bond.POWER if sup.text else base.bond if not sub.text else _Bond.ATOM)


def _root(radicand: _Term, degree: _Term = _EMPTY) -> _Term:
    if degree.text:
        return _Term(f"{_held(radicand, _Bond.ATOM)}^(1/{_held(degree, _Bond.POWER)})", _Bond.POWER)
    return _Term(f"√{_held(radicand, _Bond.ATOM)}", _Bond.POWER)


def _over(base: _Term, above: _Term) -> _Term:
    accent = _ACCENTS.get(above.text)
    return _Term(f"{accent}({base.text})") if accent else _scripts(base, sup=above)


def _fenced(opening: str, separators: str, closing: str, terms: Sequence[_Term]) -> _Term:
    parts = [opening]
    for at, term in enumerate(terms):
        parts += separators[min(at, len(separators)) - 1 :][:1] if at else "", term.text
    return _Term("".join([*parts, closing]))


def _called(name: _Term, argument: _Term) -> _Term:
    text = argument.text
    bare = argument.bond is _Bond.ATOM and text[:1] in _OPENING
    return _Term(f"{name.text}{text}" if bare or not text else f"{name.text}({text})", _Bond.POWER)


def _before_base(base: _Term, sub: _Term, sup: _Term) -> _Term:
    """ "13C": a superscript before what it belongs to, as isotopes have."""
    before = f"({lowered(sub.text)}{raised(sup.text) if sup.text else ''})" if sub.text else sup.text
    return _Term(f"{before}{_held(base, _Bond.ATOM)}")


def _multiscripts(element: _Open) -> _Term:
    names = [name for name, _ in element.terms]
    cut = names.index("mprescripts") if "mprescripts" in names else len(names)
    terms = element.all()
    behind, ahead = terms[1:cut], terms[cut + 1 :]
    base = _scripts(element.at(0), _row(behind[0::2]), _row(behind[1::2]))
    return _before_base(base, _row(ahead[0::2]), _row(ahead[1::2])) if ahead else base


def _listed(separator: str) -> Callable[[_Open], _Term]:
    """What makes one line of rows, or of the cells of a row."""
    return lambda element: _Term(separator.join(term.text for term in element.all()), _Bond.SUM)


def _scripted(base: int | str, sub: int | str | None, sup: int | str | None) -> Callable[[_Open], _Term]:
    """What makes one term of the arguments with these places or names."""
    return lambda element: _scripts(element.at(base), element.at(sub), element.at(sup))


def _mfrac(element: _Open) -> _Term:
    thickness = element.properties.get("linethickness", "1").rstrip("%" + ascii_lowercase)
    return _fraction(element.at(0), element.at(1), bar=thickness not in ("0", "0.0"))


def _f(element: _Open) -> _Term:
    return _fraction(element.at("num"), element.at("den"), bar=element.properties.get("type") != "noBar")


def _rad(element: _Open) -> _Term:
    hidden = element.properties.get("degHide", "0") not in ("0", "off", "false")
    return _root(element.at("e"), _EMPTY if hidden else element.at("deg"))


def _nary(element: _Open) -> _Term:
    sign = _Term(element.properties.get("chr") or "∫")
    return _row([_scripts(sign, element.at("sub"), element.at("sup")), element.at("e")])


def _d(element: _Open) -> _Term:
    marks = {"begChr": "(", "sepChr": "|", "endChr": ")", **element.properties}
    return _fenced(marks["begChr"], marks["sepChr"], marks["endChr"], element.all())


def _mfenced(element: _Open) -> _Term:
    marks = {"open": "(", "separators": ",", "close": ")", **element.properties}
    return _fenced(marks["open"], "".join(marks["separators"].split()), marks["close"], element.all())


def _acc(element: _Open) -> _Term:
    return _over(element.at("e"), _Term(element.properties.get("chr") or "\u0302"))


_SCHEMES: Final[Mapping[str, Callable[[_Open], _Term]]] = {
    "mfrac": _mfrac,
    "msup": _scripted(0, None, 1),
    "msub": _scripted(0, 1, None),
    "msubsup": _scripted(0, 1, 2),
    "munder": _scripted(0, 1, None),
    "mover": lambda it: _over(it.at(0), it.at(1)),
    "munderover": _scripted(0, 1, 2),
    "msqrt": lambda it: _root(_row(it.all())),
    "mroot": lambda it: _root(it.at(0), it.at(1)),
    "mfenced": _mfenced,
    "mtable": _listed("; "),
    "mtr": _listed(", "),
    "mlabeledtr": _listed(", "),
    "mtd": lambda it: _row(it.all()),
    "mmultiscripts": _multiscripts,
    "f": _f,
    "sSup": _scripted("e", None, "sup"),
    "sSub": _scripted("e", "sub", None),
    "sSubSup": _scripted("e", "sub", "sup"),
    "sPre": lambda it: _before_base(it.at("e"), it.at("sub"), it.at("sup")),
    "rad": _rad,
    "nary": _nary,
    "d": _d,
    "func": lambda it: _called(it.at("fName"), it.at("e")),
    "limLow": _scripted("e", "lim", None),
    "limUpp": _scripted("e", None, "lim"),
    "acc": _acc,
    "bar": lambda it: _over(it.at("e"), _Term("¯")),
    "eqArr": _listed("; "),
    "m": _listed("; "),
    "mr": _listed(", "),
}
"""What each element that arranges its parts makes of them."""
