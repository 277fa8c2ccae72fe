"""Superscripts and subscripts on one line, from XML and from Word."""

import pytest

from ace.claims.readers import read_file
from ace.claims.readers.notation import LinearText, Script
from tests.unit.claims.readers.word import W, package

RAISED, LOWERED = Script.RAISED, Script.LOWERED

LINES: list[tuple[str, str]] = [
    # powers and indices
    ("10^{4} cells", "10^4 cells"),
    ("10^{−3} M and 10^{-12} M", "10^−3 M and 10^-12 M"),
    ("2×10^{5} and 10^{n+1}", "2×10^5 and 10^(n+1)"),
    ("10 ^{6} cells", "10 6 cells"),
    ("2 × 10 ^{6} cells", "2 × 10^6 cells"),
    ("x^{2} and x^{2n} and x^{1/2}", "x^2 and x^(2n) and x^(1/2)"),
    ("(a+b)^{2} and [a]^{n}", "(a+b)^2 and [a]^n"),
    ("e^{-kt}dt and x^{2}y", "e^-kt dt and x^2y"),
    ("10^{2}5", "10^2 5"),
    ("5 cm^{2}, 3 m^{2}/s, 4 kg·m^{-3}, 1 meter^{2}", "5 cm^2, 3 m^2/s, 4 kg·m^-3, 1 meter^2"),
    ("R^{1} or R^{1a} or sp^{3}", "R^1 or R^1a or sp^3"),
    ("Ca^{2+} and SO_{4}^{2-}", "Ca^2+ and SO4^2-"),
    # superscripts that are no powers
    ("the 1^{st}, 22^{ND}, n^{th} gear", "the 1st, 22ND, nth gear"),
    ("Teflon^{™}, Nafion^{®}, Zork^{TM}, rotor^{*}", "Teflon™, Nafion®, ZorkTM, rotor*"),
    ("Na^{+} and Cl^{−}", "Na+ and Cl−"),
    ("a ^{13}C atom and [^{18}F]FDG", "a 13C atom and [18F]FDG"),
    ("the valve^{1} turns.^{2}", "the valve1 turns.2"),
    ("20^{o}C to 50^{0}C and 30^{°} F", "20°C to 50°C and 30° F"),
    ("x^{′} and 5^{′′}", "x′ and 5′′"),
    # fractions that are set in small figures
    ("^{1}/_{2} inch", "1/2 inch"),
    ("1^{1}/_{2} inch", "1 1/2 inch"),
    ("3^{3}⁄_{4}-inch", "3 3/4-inch"),
    ("about^{1}/_{8}inch", "about 1/8 inch"),
    # subscripts
    ("CO_{2}, H_{2}O, C_{1-6}alkyl, (CH_{2})_{n}", "CO2, H2O, C1-6alkyl, (CH2)n"),
    ("In_{x}Ga_{1-x}N and Al_{0.3}Ga_{0.7}As", "InxGa1-xN and Al0.3Ga0.7As"),
    ("V_{dd}, T_{g} and k_{max}", "Vdd, Tg and kmax"),
    ("log_{10}5", "log_10 5"),
    ("x_{n+1}, t_{1/2} and a_{i,j}", "x_(n+1), t_(1/2) and a_(i,j)"),
    ("1010_{2}", "1010_2"),
    ("x_{1}^{2}", "x1^2"),
]


@pytest.mark.parametrize(("marked", "line"), LINES, ids=[line for _, line in LINES])
def test_xml_and_word_write_scripts_alike(marked: str, line: str) -> None:
    # Given a text with scripts: ^{raised} and _{lowered}
    # When it is read from the XML of an office and from a Word document
    # Then both write it on the line in the same way
    assert _from_xml(marked) == _from_word(marked) == f"A text with {line}."


def _parts(marked: str) -> list[tuple[Script, str]]:
    parts: list[tuple[Script, str]] = []
    for piece in marked.replace("^{", "\0^").replace("_{", "\0_").replace("}", "\0").split("\0"):
        if piece.startswith(("^", "_")) and len(piece) > 1:
            parts.append((RAISED if piece[0] == "^" else LOWERED, piece[1:]))
        elif piece:
            parts.append((Script.NONE, piece))
    return parts


def _from_xml(marked: str) -> str:
    tags = {RAISED: "sup", LOWERED: "sub", Script.NONE: "i"}
    inner = "".join(f"<{tags[script]}>{text}</{tags[script]}>" for script, text in _parts(marked))
    xml = f'<claims><claim num="1"><claim-text>A text with {inner}.</claim-text></claim></claims>'
    return read_file(xml.encode())[1].text


def _from_word(marked: str) -> str:
    names = {RAISED: "superscript", LOWERED: "subscript", Script.NONE: "baseline"}
    runs = "".join(_run(text, names[script]) for script, text in _parts(marked))
    whole = f"<w:p>{_run('1. A text with ')}{runs}{_run('.')}</w:p>"
    return read_file(package(whole))[1].text


def _run(text: str, align: str = "baseline") -> str:
    properties = f'<w:rPr><w:vertAlign w:val="{align}"/></w:rPr>'
    return f'<w:r {W}>{properties}<w:t xml:space="preserve">{text}</w:t></w:r>'


def test_a_script_in_pieces_is_one() -> None:
    # Word splits runs, and mark-up may nest within a script
    assert _from_word("10^{1}^{8} cells") == "A text with 10^18 cells."
    assert _from_xml("10^{1}^{8} cells") == "A text with 10^18 cells."
    assert _from_xml("x_{i<sub2>j</sub2>}, x^{<b>n</b>+1}") == "A text with x_(i_j), x^(n+1)."


LOOSE: list[tuple[tuple[tuple[str, Script] | None, ...], str]] = [
    # None is a line end between elements
    (
        (("in", Script.NONE), None, ("claim 1", Script.NONE), None, (", where", Script.NONE)),
        "in claim 1, where",
    ),
    ((("CO", Script.NONE), None, ("2", LOWERED), None, ("that", Script.NONE)), "CO2 that"),
    ((("H", Script.NONE), None, ("2", LOWERED), None, ("O", Script.NONE)), "H2O"),
    ((("Al", Script.NONE), None, ("2", LOWERED), None, ("O", Script.NONE), None, ("3", LOWERED)), "Al2O3"),
    ((("10", Script.NONE), None, ("4", RAISED), None, ("Pa", Script.NONE)), "10^4 Pa"),
    ((("5 m", Script.NONE), None, ("2", RAISED), None, ("/s", Script.NONE)), "5 m^2/s"),
    ((("with", Script.NONE), None, ("13", RAISED), None, ("C", Script.NONE)), "with 13C"),
    ((("(", Script.NONE), None, ("1", Script.NONE), None, (")", Script.NONE)), "(1)"),
    ((("of", Script.NONE), None, (".5 mm", Script.NONE)), "of .5 mm"),
]


@pytest.mark.parametrize(("events", "line"), LOOSE, ids=[line for _, line in LOOSE])
def test_a_line_end_between_elements_is_a_space_unless_the_text_shows_otherwise(
    events: tuple[tuple[str, Script] | None, ...], line: str
) -> None:
    parts: list[str] = []
    text = LinearText(parts)
    for event in events:
        if event is None:
            text.loose_space()
        else:
            text.write(*event)
    text.close()
    assert "".join(parts) == line


def test_short_text_that_is_raised_or_lowered_by_its_position_is_a_script() -> None:
    def moved(half_points: str, text: str) -> str:
        return f'<w:r {W}><w:rPr><w:position w:val="{half_points}"/></w:rPr><w:t>{text}</w:t></w:r>'

    body = _run("1. A gas of CO") + moved("-6", "2") + _run(" at 10") + moved("6", "4") + _run(" Pa, ")
    claims = read_file(package(f"<w:p>{body}{moved('8', 'words that are not')}{moved('1', '.')}</w:p>"))
    assert claims[1].text == "A gas of CO2 at 10^4 Pa, words that are not."


def test_deleted_and_hidden_scripts_are_left_out() -> None:
    struck = f'<w:r {W}><w:rPr><w:strike/><w:vertAlign w:val="superscript"/></w:rPr><w:t>4</w:t></w:r>'
    body = f"{_run('1. A gas at 10')}{struck}{_run('5', 'superscript')}{_run(' Pa.')}"
    assert read_file(package(f"<w:p>{body}</w:p>"))[1].text == "A gas at 10^5 Pa."
