"""Formulas of MathML and of Word, on one line."""

import pytest

from ace.claims.readers import read_file
from tests.unit.claims.readers.word import W, package

M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def i(name: str) -> str:
    return f"<mi>{name}</mi>"


def n(number: object) -> str:
    return f"<mn>{number}</mn>"


def o(mark: str) -> str:
    return f"<mo>{mark}</mo>"


def row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def power(name: str, exponent: int) -> str:
    return f"<msup>{i(name)}{n(exponent)}</msup>"


def t(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def w(name: str, **arguments: str) -> str:
    inner = "".join(f"<m:{key}>{value}</m:{key}>" for key, value in arguments.items())
    return f"<m:{name}>{inner}</m:{name}>"


SUM, OTHER = row(i("a"), o("+"), i("b")), row(i("c"), o("+"), i("d"))
FORMULAS: list[tuple[str, str, str]] = [
    ("1/2", f"<mfrac>{n(1)}{n(2)}</mfrac>", w("f", num=t("1"), den=t("2"))),
    ("(a+b)/(c+d)", f"<mfrac>{SUM}{OTHER}</mfrac>", w("f", num=t("a+b"), den=t("c+d"))),
    ("10^(n+1)", f"<msup>{n(10)}{row(i('n'), o('+'), n(1))}</msup>", w("sSup", e=t("10"), sup=t("n+1"))),
    ("10^-3", f"<msup>{n(10)}{row(o('-'), n(3))}</msup>", w("sSup", e=t("10"), sup=t("-3"))),
    (
        "k=Gd^4/(8nD^3)",
        i("k") + o("=") + f"<mfrac>{row(i('G'), power('d', 4))}{row(n(8), i('n'), power('D', 3))}</mfrac>",
        t("k=")
        + w(
            "f",
            num=t("G") + w("sSup", e=t("d"), sup=t("4")),
            den=t("8n") + w("sSup", e=t("D"), sup=t("3")),
        ),
    ),
    (
        "(1/2)mv^2",
        f"<mfrac>{n(1)}{n(2)}</mfrac>{i('m')}<msup>{i('v')}{n(2)}</msup>",
        w("f", num=t("1"), den=t("2")) + t("m") + w("sSup", e=t("v"), sup=t("2")),
    ),
    ("1 1/2", f"{n(1)}<mfrac>{n(1)}{n(2)}</mfrac>", t("1") + w("f", num=t("1"), den=t("2"))),
    (
        "(a/b)/c",
        f"<mfrac><mfrac>{i('a')}{i('b')}</mfrac>{i('c')}</mfrac>",
        w("f", num=w("f", num=t("a"), den=t("b")), den=t("c")),
    ),
    (
        "1/(2πRC)",
        f"<mfrac>{n(1)}{row(n(2), o('&#x2062;'), i('π'), o('&#x2062;'), i('R'), i('C'))}</mfrac>",
        w("f", num=t("1"), den=t("2πRC")),
    ),
    ("√(a+b)", f"<msqrt>{i('a')}{o('+')}{i('b')}</msqrt>", w("rad", deg="", e=t("a+b"))),
    ("x^(1/3)", f"<mroot>{i('x')}{n(3)}</mroot>", w("rad", deg=t("3"), e=t("x"))),
    (
        "∑_(i=1)^n x_i y_i",
        (
            f"<munderover>{o('∑')}{row(i('i'), o('='), n(1))}{i('n')}</munderover>"
            f"<msub>{i('x')}{i('i')}</msub><msub>{i('y')}{i('i')}</msub>"
        ),
        (
            '<m:nary><m:naryPr><m:chr m:val="∑"/><m:limLoc m:val="undOvr"/></m:naryPr>'
            f"<m:sub>{t('i=1')}</m:sub><m:sup>{t('n')}</m:sup>"
            f"<m:e>{w('sSub', e=t('x'), sub=t('i'))}{w('sSub', e=t('y'), sub=t('i'))}</m:e></m:nary>"
        ),
    ),
    (
        "x_i^2+13C",
        (
            f"<msubsup>{i('x')}{i('i')}{n(2)}</msubsup>{o('+')}"
            f"<mmultiscripts>{i('C')}<mprescripts/><none/>{n(13)}</mmultiscripts>"
        ),
        w("sSubSup", e=t("x"), sub=t("i"), sup=t("2")) + t("+") + w("sPre", sub="", sup=t("13"), e=t("C")),
    ),
    (
        "[a,b]",
        f'<mfenced open="[" close="]">{i("a")}{i("b")}</mfenced>',
        (
            '<m:d><m:dPr><m:begChr m:val="["/><m:sepChr m:val=","/><m:endChr m:val="]"/></m:dPr>'
            f"<m:e>{t('a')}</m:e><m:e>{t('b')}</m:e></m:d>"
        ),
    ),
    (
        "(a+b)^2",
        f"<msup>{row(o('('), i('a'), o('+'), i('b'), o(')'))}{n(2)}</msup>",
        w("sSup", e=w("d", e=t("a+b")), sup=t("2")),
    ),
    ("(a+b)^2", f"<msup>{SUM}{n(2)}</msup>", w("sSup", e=t("a+b"), sup=t("2"))),
    (
        "bar(x)",
        f"<mover>{i('x')}{o('¯')}</mover>",
        f'<m:acc><m:accPr><m:chr m:val="\u0305"/></m:accPr><m:e>{t("x")}</m:e></m:acc>',
    ),
    (
        "lim_(x→0)",
        f"<munder>{o('lim')}{row(i('x'), o('→'), n(0))}</munder>",
        w("limLow", e=t("lim"), lim=t("x→0")),
    ),
    (
        "a, b; c, d",
        (
            f"<mtable><mtr><mtd>{i('a')}</mtd><mtd>{i('b')}</mtd></mtr>"
            f"<mtr><mtd>{i('c')}</mtd><mtd>{i('d')}</mtd></mtr></mtable>"
        ),
        (
            f"<m:m><m:mr><m:e>{t('a')}</m:e><m:e>{t('b')}</m:e></m:mr>"
            f"<m:mr><m:e>{t('c')}</m:e><m:e>{t('d')}</m:e></m:mr></m:m>"
        ),
    ),
    (
        "binom(n, k)",
        f'<mfrac linethickness="0">{i("n")}{i("k")}</mfrac>',
        f'<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>{t("n")}</m:num><m:den>{t("k")}</m:den></m:f>',
    ),
    ("25°C", f"<msup>{n(25)}{o('∘')}</msup>{i('C')}", w("sSup", e=t("25"), sup=t("∘")) + t("C")),
    ("x′", f"<msup>{i('x')}{o('′')}</msup>", w("sSup", e=t("x"), sup=t("′"))),
]


@pytest.mark.parametrize(("line", "mathml", "omml"), FORMULAS, ids=[line for line, _, _ in FORMULAS])
def test_a_formula_of_either_kind_is_written_on_the_line(line: str, mathml: str, omml: str) -> None:
    # Given one formula in MathML and in OMML, within a claim; both read as the same line
    expected = f"A spring whose rate is {line} per turn."
    assert from_xml(f"<maths><math>{mathml}</math></maths>") == expected
    assert from_word(f"<m:oMath>{omml}</m:oMath>") == expected


def from_xml(inner: str) -> str:
    text = f"A spring whose rate is {inner} per turn."
    xml = f'<claims><claim num="1"><claim-text>{text}</claim-text></claim></claims>'
    return read_file(xml.encode())[1].text


def from_word(inner: str) -> str:
    before, behind = (
        f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'
        for text in ("1. A spring whose rate is ", " per turn.")
    )
    return read_file(package(f"<w:p {W} {M}>{before}{inner}{behind}</w:p>"))[1].text


def test_white_space_between_the_elements_of_a_formula_means_nothing() -> None:
    loose = "<math>\n <mrow>\n  <mfrac>\n   <mn> 1 </mn>\n   <mn>2</mn>\n  </mfrac></mrow>\n</math>"
    assert from_xml(loose) == "A spring whose rate is 1/2 per turn."


def test_words_in_a_formula_keep_their_spaces_and_annotations_are_left_out() -> None:
    mathml = (
        f"<semantics>{row(i('a'), '<mtext> if </mtext>', i('b'))}<annotation>a b</annotation></semantics>"
    )
    assert from_xml(f"<math>{mathml}</math>") == "A spring whose rate is a if b per turn."
    function = w("func", fName=t("sin"), e=t("x"))
    assert from_word(f"<m:oMath>{function}</m:oMath>") == "A spring whose rate is sin(x) per turn."


def test_a_formula_is_kept_apart_from_the_words_and_numbers_that_it_touches() -> None:
    half = f"<maths><math><mfrac>{n(1)}{n(2)}</mfrac></math></maths>"
    assert from_xml(f"about 1{half}turn") == "A spring whose rate is about 1 1/2 turn per turn."
    assert (
        from_xml(f"the <maths><math>{i('n')}</math></maths>th") == "A spring whose rate is the nth per turn."
    )


def test_deleted_parts_of_a_formula_are_left_out() -> None:
    old = w("f", num=t("1"), den=t("2"))
    whole = f"<w:del><m:oMath>{old}</m:oMath></w:del>"
    part = f"<m:oMath><w:del>{t('4')}</w:del><w:ins>{t('3')}</w:ins></m:oMath>"
    assert from_word(whole + part) == "A spring whose rate is 3 per turn."


@pytest.mark.parametrize(
    "inner",
    [
        "<math><apply><divide/><cn>1</cn><cn>2</cn></apply></math>",
        "<math><mfrac><img/><mn>2</mn></mfrac></math>",
    ],
)
def test_a_formula_that_is_not_understood_is_lost_and_not_guessed(inner: str) -> None:
    assert from_xml(inner) == "A spring whose rate is [formula] per turn."


def test_two_formulas_of_one_word_paragraph_are_apart() -> None:
    both = f"<m:oMathPara><m:oMath>{t('a=b')}</m:oMath><m:oMath>{t('c=d')}</m:oMath></m:oMathPara>"
    assert from_word(both) == "A spring whose rate is a=b c=d per turn."
