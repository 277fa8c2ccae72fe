"""Opposed properties: what one thing cannot be at once, grouped by the dimension they lie on.

Written by hand from general technical vocabulary; to grow it, add a line. A dimension lists its
poles, apart by "|"; any word of one pole excludes any word of another. The dimensions of STATES may
hold one after the other (a valve is open, later closed), so a check asks for more proof there.
"""

from __future__ import annotations

_PROPERTIES = """
light: transparent translucent see-through clear | opaque light-blocking non-transparent
stiffness: rigid stiff inflexible unbendable | elastic deformable flexible pliable bendable pliant limp
    compliant
elasticity: elastic resilient elastomeric rubbery stretchable | inelastic non-elastic plastic-deforming
    non-stretchable
deformability: deformable | undeformable non-deformable nondeformable rigid
hardness: hard hardened | soft
brittleness: brittle fragile | tough ductile
malleability: malleable | unmalleable brittle
conduction: conductive conducting electroconductive | insulating insulative non-conductive nonconductive
    dielectric electrically-insulating
superconduction: superconducting superconductive | normal-conducting resistive
doping: p-type p-doped | n-type n-doped | undoped intrinsic
mode: enhancement-mode | depletion-mode
water: hydrophilic water-attracting | hydrophobic water-repellent superhydrophobic
fat: lipophilic oleophilic | lipophobic oleophobic
charge: positive cationic positively-charged | negative anionic negatively-charged | neutral uncharged
    nonionic non-ionic
ionicity: ionic | nonionic non-ionic
polarity: polar | nonpolar non-polar apolar
acidity: acidic | basic alkaline | neutral
phase: solid | liquid | gaseous gas | plasma
solubility: soluble water-soluble dissolvable | insoluble water-insoluble
miscibility: miscible | immiscible
volatility: volatile | nonvolatile non-volatile involatile
water-content: aqueous water-based | nonaqueous non-aqueous anhydrous water-free oil-based
hydration: hydrated | anhydrous dehydrated
order: crystalline monocrystalline polycrystalline single-crystal | amorphous glassy non-crystalline
crystals: monocrystalline single-crystalline | polycrystalline multicrystalline
carbon: organic | inorganic
saturation: saturated | unsaturated polyunsaturated monounsaturated
ring: cyclic | acyclic non-cyclic
aroma: aromatic | aliphatic
chirality: chiral | achiral
optical-activity: racemic | enantiopure enantiomerically-pure
rotation-sense: dextrorotatory right-handed | levorotatory left-handed
polymer: thermoplastic | thermosetting thermoset
branching: linear unbranched straight-chain | branched hyperbranched dendritic
crosslinking: crosslinked cross-linked | uncrosslinked non-crosslinked noncrosslinked
porosity: porous perforated | nonporous non-porous pore-free unperforated dense
permeability: permeable pervious | impermeable impervious non-permeable
breathability: breathable | non-breathable airtight air-tight
sealing: leaky unsealed | airtight leakproof hermetic leak-tight
watertightness: watertight waterproof | permeable non-waterproof
metal: metallic metal | nonmetallic non-metallic plastic polymeric wooden ceramic metal-free
magnetism: magnetic ferromagnetic magnetizable | nonmagnetic non-magnetic antimagnetic unmagnetized
magnetic-order: ferromagnetic | antiferromagnetic | diamagnetic | paramagnetic
heat-flow: heat-conducting | heat-insulating
heat: exothermic | endothermic
heat-exchange: adiabatic | diathermic
temperature: hot heated warm | cold cooled chilled refrigerated
temperature-course: isothermal | non-isothermal nonisothermal
combustion: flammable combustible inflammable | nonflammable non-flammable incombustible non-combustible
    fireproof
reactivity: reactive | inert unreactive nonreactive non-reactive
toxicity: toxic poisonous | nontoxic non-toxic harmless
sterility: sterile aseptic | nonsterile non-sterile contaminated septic
degradability: biodegradable degradable compostable bioresorbable | nonbiodegradable non-biodegradable
    nondegradable non-degradable non-resorbable
digestibility: digestible | indigestible non-digestible
edibility: edible | inedible non-edible
clonality: monoclonal | polyclonal
species: human | nonhuman non-human murine bovine porcine
oxygen: aerobic | anaerobic
viability: living live viable | dead nonviable non-viable killed inactivated
attenuation: virulent | avirulent attenuated nonvirulent
invasiveness: invasive | noninvasive non-invasive
nucleus: prokaryotic | eukaryotic
gram: gram-positive | gram-negative
strands: single-stranded | double-stranded
ploidy: haploid | diploid | tetraploid
zygosity: homozygous | heterozygous
genetics: dominant | recessive
malignancy: malignant cancerous | benign noncancerous non-cancerous
duration: acute | chronic
binding: covalent | noncovalent non-covalent
agonism: agonistic | antagonistic
dose-release: immediate-release | sustained-release extended-release delayed-release controlled-release
route: oral | parenteral intravenous
age: pediatric juvenile | adult
sex: male | female
dimension: one-dimensional | two-dimensional | three-dimensional
linearity: linear | nonlinear non-linear
shape: straight rectilinear | curved bent arcuate arched curvilinear crooked
surface: flat planar plane | curved nonplanar non-planar domed bulging uneven
curvature: concave | convex | flat planar
outline: circular round | rectangular square triangular hexagonal polygonal | oval elliptical
body: spherical ball-shaped | cubic square cubical cuboid box-shaped | cylindrical | conical cone-shaped |
    flat planar disc-shaped
elongation: elongated oblong | spherical cubic square short
taper: tapered tapering | untapered non-tapered
tread: threaded | unthreaded non-threaded threadless
teeth: toothed | toothless untoothed
roughness: smooth polished even | rough roughened coarse textured knurled
sharpness: sharp pointed | blunt dull rounded
solidity: hollow tubular | solid solid-throughout
depth: deep | shallow
width: wide broad | narrow
length: long | short
height: high tall | low
thickness: thick | thin
size: large big | small tiny
weight: heavy | light lightweight
density: dense | sparse
grain: coarse coarse-grained | fine fine-grained
viscosity: viscous | inviscid non-viscous
evenness: uniform even homogeneous | nonuniform non-uniform uneven heterogeneous inhomogeneous
uniformity: constant invariable unvarying invariant | variable varying changing fluctuating
symmetry: symmetric symmetrical | asymmetric asymmetrical unsymmetrical nonsymmetric
regularity: regular | irregular
periodicity: periodic | aperiodic non-periodic
continuity: continuous uninterrupted unbroken | discontinuous interrupted intermittent broken segmented
    discrete
concentricity: concentric coaxial | eccentric off-axis non-concentric
direction: vertical upright | horizontal
orientation: longitudinal lengthwise | transverse transversal crosswise
axiality: axial | radial
angles: parallel | perpendicular orthogonal transverse | oblique skewed slanted
slope: level horizontal | inclined sloped sloping tilted slanted
place: upper uppermost top | lower lowermost bottom
place-inside: inner innermost interior internal | outer outermost exterior external
side: left left-hand | right right-hand
front: front forward frontal | rear rearward back
nearness: proximal near | distal far remote
centre: central | peripheral
rank: primary | secondary | tertiary
adjacency: adjacent contiguous adjoining touching | spaced spaced-apart separated remote distant
contact: contacting touching | contactless noncontact non-contact
turning: clockwise | counterclockwise anticlockwise counter-clockwise anti-clockwise
inclination-of-screw: right-handed | left-handed
portability: portable handheld wearable | stationary
moving: stationary static fixed immobile immovable nonmoving non-moving stationarily-fixed | movable
    moveable mobile moving displaceable dynamic rotating freely-movable
turning-part: rotatably-mounted rotatable rotating rotary | fixedly-mounted rigidly-mounted nonrotatable
    non-rotatable nonrotating non-rotating
    rotationally-fixed
fixing: removably-attached detachably-attached releasably-attached removably-mounted removable detachable
    releasable separable separate | fixedly-attached permanently-attached permanently-mounted
    permanently-fixed
    permanently-inseparable fixed permanent inseparable integral non-removable nonremovable non-detachable
    undetachable irremovable
adjustability: adjustable | nonadjustable non-adjustable unadjustable fixed
extension: extendable extensible telescopic | nonextendable non-extendable inextensible
folding: foldable collapsible | nonfoldable non-foldable non-collapsible
reversal: reversible | irreversible nonreversible non-reversible
reuse: reusable | disposable single-use
replacement: replaceable exchangeable interchangeable | irreplaceable non-replaceable
refill: refillable rechargeable | nonrefillable non-refillable non-rechargeable nonrechargeable
pieces: monolithic one-piece single-piece unitary | multi-piece multipart two-piece multi-part modular
layers: single-layer single-layered monolayer | multilayer multi-layer multilayered multi-layered
cladding: coated clad covered | uncoated bare unclad uncovered
reinforcement: reinforced | unreinforced non-reinforced
weave: woven | nonwoven non-woven
knit: knitted | woven
stickiness: adhesive sticky tacky | nonadhesive non-adhesive nonstick non-stick tack-free
reflection: reflective mirrored specular | nonreflective non-reflective antireflective anti-reflective
    absorbent
scattering: specular | diffuse diffusing
coherence: coherent | incoherent non-coherent
polarization: polarized | unpolarized non-polarized
colour-count: monochromatic monochrome | polychromatic multicolored multicoloured
material: steel | aluminum aluminium | copper | brass | titanium | wood wooden | glass | rubber |
    plastic polymeric | ceramic | paper cardboard | concrete | leather | silicon | gold | silver | platinum |
    stone
material-kind: metal metallic steel aluminum aluminium copper brass titanium gold silver | wood wooden |
    glass | rubber | plastic polymeric | ceramic | paper cardboard | concrete | leather | stone
visibility: visible | invisible hidden
luminosity: bright luminous | dark
spectrum: infrared | ultraviolet
lens: converging convergent | diverging divergent
signal: analog analogue | digital
number: integer | fractional
wiring: wired cabled tethered exclusively-wired | wireless cordless untethered
link: full-duplex | half-duplex
transfer: serial | parallel
clock: synchronous | asynchronous
current: direct-current dc | alternating-current ac
power: passive unpowered | powered self-powered
memory: volatile | nonvolatile non-volatile
storage: transitory transient | nontransitory non-transitory
writing: read-only write-protected | writable rewritable writeable
encryption: encrypted ciphered | unencrypted plaintext plain-text cleartext
compression: compressed | uncompressed
signing: signed | unsigned
authentication: authenticated | unauthenticated
anonymity: anonymous anonymized | identified named
access: public | private
trust: trusted | untrusted
validity: valid | invalid
correctness: correct | incorrect erroneous faulty
centralization: centralized centralised | decentralized decentralised distributed
place-of-computing: local on-premises | remote cloud-based
state-keeping: stateful | stateless
supervision: supervised | unsupervised
order-of-data: sorted ordered | unsorted unordered
mutability: mutable | immutable
emptiness-of-set: nonempty non-empty | empty
determinism: deterministic | nondeterministic non-deterministic stochastic random probabilistic
power-of-effect: strong | weak
pace: fast rapid quick | slow
loudness: loud noisy | quiet silent noiseless
cleanness: clean | dirty soiled
novelty: new novel unused | used old
complexity: simple | complex complicated
directness: direct | indirect
explicitness: explicit | implicit
sequence: sequential serial successive | concurrent simultaneous
connectivity: online | offline off-line
drive: active | passive
relief: raised protruding projecting embossed convex | recessed sunken depressed debossed
scope: global | local
reality: virtual simulated | physical real
knowledge: known | unknown
alignment: aligned registered | misaligned offset unaligned
sealing-of-vessel: sealed | unsealed
extreme: maximum maximal | minimum minimal
location-of-use: indoor | outdoor
constancy: fixed constant | variable adjustable
safety: safe | unsafe dangerous hazardous
affinity: attractive attracting | repulsive repelling
efficiency: efficient | inefficient
certainty: certain | uncertain
completeness-of-data: lossless | lossy
buffering: buffered | unbuffered
hosting: on-chip | off-chip
phase-of-wave: in-phase | out-of-phase
layout: interleaved | non-interleaved
automation: automatic automated | manual hand-operated
loop: open-loop | closed-loop
feedback: inverting | noninverting non-inverting
gender-of-connector: plug-type | socket-type
ends: open-ended | closed-ended
identity: identical same equal | different unequal distinct
dependence: dependent | independent
necessity: mandatory required compulsory | optional
totality: complete entire full | partial incomplete
finiteness: finite limited bounded | infinite unlimited unbounded endless
multiplicity: single sole | multiple plural
divisibility: divisible | indivisible
even-number: even | odd
sign: positive | negative
monotony: increasing ascending rising | decreasing descending falling declining
convergence: convergent converging | divergent diverging
stability: stable | unstable instable labile
balance: balanced | unbalanced
bias: biased | unbiased
truth: true | false
time-order: earlier prior preceding previous | later subsequent following
permanence: permanent lasting | temporary transient momentary
frequency-of-event: frequent | infrequent rare
naturalness: natural naturally-occurring | synthetic artificial man-made non-naturally-occurring
processing: raw uncooked unprocessed | cooked processed
freshness: fresh | stale
ripeness: ripe | unripe
sweetness: sweet sweetened | unsweetened bitter
lactose: lactose-free | lactose-containing
gluten: gluten-free | gluten-containing
alcohol: alcoholic alcohol-based | nonalcoholic non-alcoholic alcohol-free
sugar: sugar-free sugarless | sugar-containing sugary
purity: pure purified | impure unpurified crude
dilution: concentrated undiluted | diluted dilute
corrosion: corrosive | noncorrosive non-corrosive
rust: rustproof stainless | rusting
pressure-kind: pressurized pressurised | unpressurized unpressurised pressureless
pressure-sign: overpressure superatmospheric | subatmospheric vacuum | atmospheric
flow: laminar | turbulent
compressibility: compressible | incompressible
inflation: inflatable | noninflatable non-inflatable
buoyancy: buoyant floating | sinking non-buoyant
ventilation: ventilated vented | unventilated unvented
absorption: absorbent absorptive | nonabsorbent non-absorbent
electrification: electric electrical electronic | purely-mechanical mechanical | pneumatic | hydraulic
grounding: grounded earthed | ungrounded floating
aerial: directional | omnidirectional
bands: narrowband narrow-band | broadband wideband
radio: licensed | unlicensed
direction-of-link: uplink | downlink
two-way: unidirectional one-way | bidirectional two-way
edges: bladed | bladeless
depolarization: isotropic | anisotropic
thermal: thermal | nonthermal non-thermal athermal
radiation: radioactive | nonradioactive non-radioactive
nuclei: fissile | non-fissile
coding: coding | noncoding non-coding
"""

_CONDITIONS = """
opening: open opened unsealed | closed shut sealed
switch: on | off
activity: active activated enabled operating running | inactive deactivated disabled idle inoperative
engagement: engaged meshed | disengaged
lock: locked latched | unlocked unlatched
connection: connected attached coupled joined | disconnected detached decoupled unconnected separate
expansion: expanded extended inflated deployed unfolded | contracted retracted collapsed deflated folded
    stowed
filling: filled full | empty unfilled evacuated void
moisture: wet moist damp | dry dried
charging: charged | discharged uncharged
energizing: energized energised | deenergized de-energized de-energised
exposure: exposed uncovered | covered concealed hidden shielded
loading: loaded | unloaded
rest: moving | stationary
freezing: frozen | thawed molten liquid
melt: molten melted | solidified
tension: tensioned taut tight | slack loose untensioned
curing: cured | uncured
sintering: sintered | unsintered green
availability: available | unavailable
conducting-state: conducting | blocking
selection: selected | unselected deselected
blocking: blocked obstructed | unblocked unobstructed
insertion: inserted | withdrawn
"""


def _read(table: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    dimensions: dict[str, tuple[tuple[str, ...], ...]] = {}
    for line in table.replace("\n    ", " ").strip().splitlines():
        name, poles = line.split(":", 1)
        dimensions[name] = tuple(tuple(pole.split()) for pole in poles.split("|"))
    return dimensions


STATES: dict[str, tuple[tuple[str, ...], ...]] = _read(_CONDITIONS)
"""Dimensions along which one thing may change: name to poles."""

DIMENSIONS: dict[str, tuple[tuple[str, ...], ...]] = {**_read(_PROPERTIES), **STATES}
"""Every dimension: name to poles, each pole the words that mean it."""


def _places() -> dict[str, dict[str, int]]:
    places: dict[str, dict[str, int]] = {}
    for dimension, poles in DIMENSIONS.items():
        for index, pole in enumerate(poles):
            for word in pole:
                places.setdefault(word, {}).setdefault(dimension, index)
    return places


PLACES: dict[str, dict[str, int]] = _places()
"""Every word: dimension to the pole it is at."""


def opposed(one: str, other: str) -> str | None:
    """The dimension on which two lower-case words exclude each other, or None.

    A word also excludes its own negation: "porous" and "non-porous" need no line above.
    """
    mine, theirs = PLACES.get(one, {}), PLACES.get(other, {})
    agree = any(theirs.get(dimension) == pole for dimension, pole in mine.items())
    for dimension, pole in mine.items():
        if not agree and theirs.get(dimension, pole) != pole:
            return dimension
    if unnegated(one) == other or unnegated(other) == one:
        return "negation"
    return None


def opposites(word: str) -> frozenset[str]:
    """The words that exclude a lower-case word, its own negation included."""
    found = {
        other
        for dimension, pole in PLACES.get(word, {}).items()
        for index, others in enumerate(DIMENSIONS[dimension])
        if index != pole
        for other in others
        if opposed(word, other)
    }
    plain = unnegated(word)
    return frozenset(found | ({plain} if plain else {f"non-{word}", f"non{word}"}))


def unnegated(word: str) -> str | None:
    """ "porous" for "non-porous" and "nonporous", else None."""
    if not word.startswith("non") or len(word) < 6:
        return None
    return word[4:] if word[3] == "-" else word[3:]


def changeable(dimension: str) -> bool:
    """Whether one thing may be at one pole now and at another later."""
    return dimension in STATES
