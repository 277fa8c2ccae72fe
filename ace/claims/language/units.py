"""Units of measure as claims write them, each with its dimension and its factor to a base unit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: value in the base unit = value x factor + shift. The base is SI where there is one."""

    dimension: str
    factor: float = 1.0
    shift: float = 0.0

    def base(self, value: float) -> float:
        """The value in the base unit of the dimension."""
        return value * self.factor + self.shift


NONE = Unit("")
PERCENT = frozenset({"percent", "percent by weight", "percent by volume", "mole percent"})
"""Dimensions of a share: a composition has no more than 100 of them."""

_CASED: dict[str, Unit] = {
    "M": Unit("concentration"),
    "mM": Unit("concentration", 1e-3),
    "µM": Unit("concentration", 1e-6),
    "nM": Unit("concentration", 1e-9),
    "pM": Unit("concentration", 1e-12),
    "m": Unit("length"),
    "nm": Unit("length", 1e-9),
    "mm": Unit("length", 1e-3),
    "µm": Unit("length", 1e-6),
    "K": Unit("temperature"),
    "mW": Unit("power", 1e-3),
    "MW": Unit("power", 1e6),
    "mHz": Unit("frequency", 1e-3),
    "MHz": Unit("frequency", 1e6),
    "mPa": Unit("pressure", 1e-3),
    "MPa": Unit("pressure", 1e6),
    "mΩ": Unit("resistance", 1e-3),
    "MΩ": Unit("resistance", 1e6),
    "mJ": Unit("energy", 1e-3),
    "MJ": Unit("energy", 1e6),
    "Mb": Unit("bits", 1e6),
    "MB": Unit("bytes", 1e6),
    "g": Unit("mass"),
    "G": Unit("field", 1e-4),
    "T": Unit("field"),
    "mT": Unit("field", 1e-3),
    "A": Unit("current"),
    "mA": Unit("current", 1e-3),
    "µA": Unit("current", 1e-6),
    "V": Unit("voltage"),
    "mV": Unit("voltage", 1e-3),
    "kV": Unit("voltage", 1e3),
    "W": Unit("power"),
    "J": Unit("energy"),
    "N": Unit("force"),
    "s": Unit("time"),
    "h": Unit("time", 3600),
    "l": Unit("volume", 1e-3),
    "L": Unit("volume", 1e-3),
}
"""Symbols that differ from others in case only, and single letters."""

_FAMILIES: dict[str, str] = {
    "length": """
        pm 1e-12 | Å ångström ångströms angstrom angstroms 1e-10
        nanometer nanometers nanometre nanometres 1e-9
        um micron microns micrometer micrometers micrometre micrometres 1e-6 | mil mils 2.54e-5
        millimeter millimeters millimetre millimetres 1e-3
        cm centimeter centimeters centimetre centimetres 1e-2 | inch inches 0.0254 | foot feet ft 0.3048
        meter meters metre metres 1 | km kilometer kilometers kilometre kilometres 1e3""",
    "area": "nm2 nm² 1e-18 | µm2 µm² um2 1e-12 | mm2 mm² 1e-6 | cm2 cm² 1e-4 | m2 m² 1",
    "volume": """
        nl nL 1e-12 | µl µL ul microliter microliters microlitre microlitres 1e-9 | mm3 mm³ 1e-9
        ml mL cc milliliter milliliters millilitre millilitres cm3 cm³ 1e-6 | cl 1e-5 | dl dL 1e-4
        liter liters litre litres 1e-3 | m3 m³ 1""",
    "mass": """
        pg 1e-12 | ng nanogram nanograms 1e-9 | µg ug mcg microgram micrograms 1e-6
        mg milligram milligrams 1e-3 | gram grams 1
        oz ounce ounces 28.349523 | lb lbs pound pounds 453.59237
        kg kilogram kilograms 1e3 | tonne tonnes 1e6""",
    "time": """
        ps picosecond picoseconds 1e-12 | ns nanosecond nanoseconds 1e-9 | µs us microsecond microseconds 1e-6
        ms msec millisecond milliseconds 1e-3 | sec secs second seconds 1 | min mins minute minutes 60
        hr hrs hour hours 3600 | day days 86400 | week weeks 604800
        month months 2629800 | year years 31557600""",
    "frequency": "hz hertz 1 | khz kilohertz 1e3 | megahertz 1e6 | ghz gigahertz 1e9 | thz terahertz 1e12",
    "rotation": "rpm 1",
    "voltage": "volt volts 1 | millivolt millivolts 1e-3 | kilovolt kilovolts 1e3 | µV 1e-6",
    "current": "ampere amperes amp amps 1 | milliampere milliamperes milliamps 1e-3 | nA 1e-9",
    "power": "watt watts 1 | kw kilowatt kilowatts 1e3 | µW 1e-6",
    "energy": "joule joules 1 | kj kilojoule kilojoules 1e3 | eV 1.602176634e-19 | kcal 4184",
    "resistance": "ohm ohms Ω 1 | kΩ kiloohm kiloohms 1e3 | megaohm megaohms 1e6",
    "capacitance": "pF 1e-12 | nF 1e-9 | µF uF 1e-6",
    "pressure": """
        pa pascal pascals 1 | hPa mbar 1e2 | torr mmHg 133.322368 | kpa kilopascal kilopascals 1e3
        psi psig psia 6894.757293
        bar bars 1e5 | atm atmosphere atmospheres 101325 | megapascal megapascals 1e6 | GPa 1e9""",
    "viscosity": "cp cps centipoise mPa·s mPa.s mPas 1e-3 | Pa·s Pa.s 1",
    "angle": "rad radian radians 57.29577951308232 | degree degrees ° deg 1",
    "percent": "% percent 1",
    "percent by weight": """
        wt% wt.% wt.-% weight% weight-% mass% mass-% w/w%
        weight_percent wt_percent mass_percent percent_by_weight percent_by_mass percent_weight
        %_by_weight %_by_wt %_by_wt. %_by_mass %_wt %_wt. %_w/w %_(w/w) wt_% wt._% weight_% mass_% 1""",
    "percent by volume": """
        vol% vol.% vol.-% volume% volume_percent percent_by_volume %_by_volume %_by_vol %_v/v %_(v/v)
        vol_% vol._% volume_% 1""",
    "percent by weight and volume": "%_w/v %_(w/v) 1",
    "mole percent": """
        mol% mol.% mol-% mole% mole-% mole_percent mol_percent molar_percent mole_% mol_% mol._%
        %_by_mole %_by_mol percent_by_mole at% at.% atomic% atomic_percent at_% at._% atomic_% 1""",
    "parts": "parts_by_weight parts_by_mass part_by_weight part_by_mass phr 1",
    "ppm": "ppm 1 | ppb 1e-3",
    "decibel": "db dbm dbi decibel decibels 1",
    "sequence length": "bp bps nucleotide nucleotides nt base_pair base_pairs bases 1 | kb kbp kilobases 1e3",
    "amino acids": "amino_acids amino_acid 1",
    "carbon atoms": "carbon_atoms carbon_atom carbons 1",
    "molar mass": "da dalton daltons g/mol 1 | kda kilodalton kilodaltons kg/mol 1e3",
    "density": """
        kg/m3 kg/m³ g/l g/L mg/ml mg/mL 1 | g/cm3 g/cm³ g/cc g/ml g/mL 1e3
        µg/ml µg/mL ug/ml mg/l mg/L 1e-3""",
    "dose": "mg/kg 1 | g/kg 1e3 | µg/kg ug/kg 1e-3",
    "speed": "mm/s 1e-3 | cm/s 1e-2 | m/s 1 | m/min 0.016666666666666666 | km/h 0.2777777777777778",
    "bits": "bit bits 1 | kilobits 1e3 | megabits 1e6",
    "bytes": "byte bytes 1 | kb_bytes kilobytes 1e3 | megabytes 1e6 | gigabytes 1e9",
    "pixels": "pixel pixels 1",
}
"""Dimension: names and symbols, then their factor; "|" only separates. An underscore stands for a space."""

_CELSIUS = """°_c °c ºc º_c ˚c ˚_c ℃ degrees_c degrees_celsius degrees_centigrade degree_celsius degree_c degc
    deg_c deg._c °celsius °_celsius celsius"""
_FAHRENHEIT = "°_f °f ºf º_f ˚f ℉ degrees_f degrees_fahrenheit degree_fahrenheit deg_f fahrenheit"
_KELVIN = "°k °_k kelvin kelvins degrees_k degrees_kelvin"
_FACTOR = re.compile(r"[0-9][0-9.e-]*")


def _named() -> dict[str, Unit]:
    named: dict[str, Unit] = {}
    for dimension, family in _FAMILIES.items():
        waiting: list[str] = []
        for word in family.split():
            if _FACTOR.fullmatch(word):
                named.update(dict.fromkeys(waiting, Unit(dimension, float(word))))
                waiting = []
            elif word != "|":
                waiting.append(word.replace("_", " ").lower())
    scales = ((_CELSIUS, Unit("temperature", 1, 273.15)), (_KELVIN, Unit("temperature")))
    for names, unit in (*scales, (_FAHRENHEIT, Unit("temperature", 5 / 9, 459.67 * 5 / 9))):
        named.update({name.replace("_", " "): unit for name in names.split()})
    return named


_NAMED = _named()
_FOLDED = {name.lower(): unit for name, unit in _CASED.items() if len(name) > 1}


def _alternatives() -> str:
    names = sorted({*_NAMED, *(name.lower() for name in _CASED)}, key=len, reverse=True)
    written = (re.escape(name).replace(r"\ ", r"[\s-]?").replace("µ", "[µμ]") for name in names)
    return "|".join(written)


UNIT_PATTERN: str = _alternatives()
"""Alternatives of a regular expression, longest first, to be matched without regard to case."""


@lru_cache(maxsize=512)
def unit_of(written: str) -> Unit:
    """The unit that is written so, spaces around it ignored; NONE where it is unknown or empty."""
    name = " ".join(written.replace("μ", "µ").replace("-", " ").split()) if written else ""
    if not name:
        return NONE
    cased = _CASED.get(name)
    if cased is not None:
        return cased
    lower = name.lower()
    known = _NAMED.get(lower) or _NAMED.get(lower.replace(" ", "-")) or _NAMED.get(lower.replace(" ", ""))
    if known is not None:
        return known
    if "/" in lower or " per " in lower:
        return Unit(lower)
    return _FOLDED.get(lower, NONE)


def common(one: Unit, other: Unit) -> tuple[Unit, Unit] | None:
    """Both units where they measure the same thing, else None. A bare "%" takes the other's kind:
    "0.5% to 10% by weight"."""
    if one.dimension == other.dimension:
        return one, other
    if one.dimension == "percent" and other.dimension in PERCENT:
        return other, other
    if other.dimension == "percent" and one.dimension in PERCENT:
        return one, one
    return None
