"""Nouns of things that a claim introduces by "a" before it speaks of "the". Data only.

Chosen for how seldom a claim speaks of such a thing without having introduced it; a noun that is
missing here may still need an introduction.
"""

from __future__ import annotations

THINGS = frozenset(
    """
    abrasive absorber activator actuator adapter address adenovirus adhesive adjuvant agent agonist
    alert algorithm alkyl alloy alteration amplifier analog analogue analysis analyte analyze analyzer
    andat angiogenesis anion anode answer antagonist antenna antibiotic antibody antigen antimetabolite
    antioxidant aperture apparatus application approximation aptamer arginine arm array article assay
    assembly axle backbone bag balloon band bandage bandwidth bank batch battery beam bearing bed belt
    bin binder bioreactor blade block blocker blower board bolt bond boom bore box bracket brake break
    buckle buffer bulb burner bushing button cable cache calculator call camera camshaft candidate
    cannula canopy cap capacitor capsule carcinoma card carrier casing cassette catalyst category
    catheter cathode chain chair chamber charger chip chromatography chromosome chuck chute circle
    circuit clamp classifier client clock cloud cluster clutch coating coding codon coil collar
    collector collision column comparator compartment composite compound compressor computer
    conductivity conductor conduit cone configuration connector constraint construct container
    contribution controller converter conveyor copolymer corpus corticosteroid cost coupler cover crane
    crankshaft crystal cup curd current cylinder cysteine database dataset decoder decrease demodulator
    deposition derivative description desk destination detector detergent deviation device dictionary
    die dielectric diet diluent diode disease disk disorder dispatcher dispersion display document donor
    door dose drawer drill droplet drug duct dye dysfunction effector elbow electrode electrolyte
    element embedding embryo emulsifier emulsion encoder engine ensemble entity entry enzyme equipment
    error estimate exchanger excipient experiment fabric facility fan fiber filament file filler film
    filter finger flange flap flexible fluid fluoride foam food foot format formulation fragment frame
    framework functionality fuse fuselage garment gasket gateway gear gearbox gel generator glycoprotein
    gradient graph grating grid grip gripper groove hammer handle hatch head heater heel helmet
    hemagglutinin heteroaryl heterocycle hinge histogram hoist holder hole hook hopper hose housing hub
    identifier image imaging immunoassay impeller implant indication indicator inductor infection
    inference ingredient inhibitor injector injury inlet insert instance instruction instrument
    insulator integer interface interferometer intron inverter isotope jaw joint junction keel key
    keyboard kit knob ladder lamp language laser latch layer lead leg lens lever library lid ligase limb
    limit link linker lip lipid liposome lock logic louver lubricant lysate machine magnet manager
    manifold map mask mast match matrix measure mechanism medicament medium member membrane memory mesh
    message meter method metric microorganism microphone microprocessor microscope mimic mirror mismatch
    mixer mixture mode model modem modulator module modulus monolayer monomer motor mount mouse
    multiplexer multiplier nail nanotube neck needle network nose notch notification nozzle nut object
    objective oil oocyte opening organic oscillator oven packet pad pair panel paper parser partner pass
    passage patch pedal percentage perceptron photodetector photodiode photoresist piece pig pigment
    pillar pin pipe piston pitch pixel plan plasma plate platform plot plug plunger pocket policy
    polymer polymerase polymorphism polysaccharide population port portion pose powder preference
    primary printer prism probe processor projection propeller pulley pump qubit quencher query queue
    rail reader reagent receiver recess recipient recognition record rectifier reflector regimen
    register relay repeat representation request resin resistant resistor resonator response rib rivet
    robot rod roof rope rotor route router rudder rule sail salt sample saw scaffold scalpel scan
    scanner scene scheduler scheme score screen screw seal section segment selector sensor sentence
    server sgrna shade shaft sheath sheet shelf shield shoe shoulder sign signal simulation single
    sleeve slide slot socket sole solution solvate solvent spacer span spar speaker specimen
    spectrometer sphere spindle spout spring sprocket stabilizer stack stator stencil stent storage
    store strap strategy stream strip style stylet subject subset substrate subsystem summation
    supplement supply support surfactant suspension swab switch synthase syringe system table tablet
    tank task technique template terminal thickener thread threshold tire toe tongue tool topic topology
    train trajectory transceiver transcriptase transducer transform transformer transistor transition
    translation transmitter tube turbine unit update utterance valve variant vector vehicle vent version
    vertebrate vertex vessel vibration video view viewpoint vise vocabulary voxel wafer wall washer
    wedge well wheel whistle winch window wing wire word yarn zipper
    """.split()  # noqa: SIM905 (a list of quoted words would hide what it says)
)

CONFUSABLE = frozenset(
    """
    angel ankle beam bean bear boar bond bone bow bowl brake bread breast breath brine broom carp cast
    casting coal coin colon cone coral cord cork corn crate crown crust curd dam dust face fact fan fang
    farm fiber flake flame flange flank flap flare flask flesh float floor flour flute foam fork form
    foul fruit gain gate gear gel glove grain gram grape grass grate grave groove gum hail hair hand
    harp hatch heart heel helm herb hole home hood horn hose hull knob lace lamb land lane lash lawn
    leaf leak leather ledge lens letter lever lime line link lint lip loaf loan lobe lock loft log loop
    lung mail male mane mast meal meat mint mist moat mode mole mould nail neck nest node nose oar oven
    palm pane paste patch path pea peak pearl peel pen pest pill pine pipe pit plain plan plane plank
    plant plate plot plug plum poem pole pond pool pore pork porch potion pouch prong prune pulp purse
    rail rain ramp reed reel rib ridge rim rind roast rock roll roof root rope rose row rug rust sack
    sail salt sand sash sauce scale scarf seam seat seed shade shaft shed shell shoe shop shore shot
    shrub shutter sill silk sink skin skirt slab slat sleeve slice slide slope slot slug smoke snail
    snow soap sole soup spade spark spear spine spool spoon spot spout spray stain stair stake stalk
    stamp staple star state steak steam steel stem step stick stone stool storm straw stream street
    string strip stud sugar suit swan sweat tail tank tape tart tent thorn throat thumb tide tile tin
    toe tomb tone tongue tool tooth torch towel tower toy trail tray tree trench tribe tube tulip tune
    value valve vane vase vein vest vial vine vise wage wall ward wave web wedge weed well wheat whip
    wick wing wolf wood wool word worm yarn yeast yoke
    """.split()  # noqa: SIM905 a list of words reads better as words
)
"""Further nouns that are another noun with one letter changed."""
