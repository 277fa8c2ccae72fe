"""The lemmatiser against a table of plurals as claims write them, and of singulars that look like plurals."""

from ace.claims.language.words import is_plural, lemma

PLURALS = """
    addresses:address adenoviruses:adenovirus algae:alga analyses:analysis antennae:antenna antennas:antenna
    apis:api apparatuses:apparatus areas:area arrays:array arteries:artery assemblies:assembly axes:axis
    bacilli:bacillus bacteria:bacterium bases:base batteries:battery biases:bias bodies:body bosses:boss
    boxes:box branches:branch bronzes:bronze buses:bus bushes:bush caches:cache calories:calorie
    cameras:camera canvases:canvas catalyses:catalysis causes:cause characteristics:characteristic
    children:child classes:class clauses:clause complexes:complex cookies:cookie copies:copy cpus:cpu
    criteria:criterion crosses:cross curves:curve databases:database derivatives:derivative devices:device
    diagnoses:diagnosis dies:die diseases:disease dishes:dish displays:display doses:dose echoes:echo
    entries:entry equilibria:equilibrium fabrics:fabric feet:foot foci:focus formulae:formula
    formulas:formula frequencies:frequency fungi:fungus fuses:fuse gases:gas gazes:gaze glasses:glass
    glazes:glaze gpus:gpu grooves:groove halves:half helices:helix hooves:hoof hoses:hose houses:house
    housings:housing hydrolyses:hydrolysis hypotheses:hypothesis ids:id indexes:index indices:index keys:key
    kinases:kinase knives:knife larvae:larva leaves:leaf leds:led legs:leg lenses:lens lives:life loci:locus
    masses:mass matrices:matrix maxima:maximum mazes:maze media:medium men:man menus:menu meshes:mesh
    metastases:metastasis metrics:metric mice:mouse microlenses:microlens minima:minimum
    mitochondria:mitochondrion mosquitoes:mosquito movies:movie niches:niche noses:nose nuclei:nucleus
    nucleobases:nucleobase openings:opening parentheses:parenthesis patches:patch people:person phases:phase
    phenomena:phenomenon pins:pin plastics:plastic plies:ply potatoes:potato prefixes:prefix presses:press
    prizes:prize processes:process prostheses:prosthesis pulleys:pulley pulses:pulse purposes:purpose
    quanta:quantum quartzes:quartz radii:radius ratios:ratio recesses:recess responses:response
    screens:screen services:service shelves:shelf shoes:shoe simplices:simplex sizes:size sleeves:sleeve
    slices:slice specimens:specimen spectra:spectrum springs:spring statuses:status stenoses:stenosis
    stimuli:stimulus strata:stratum sub-indices:sub-index subindices:subindex submatrices:submatrix
    surpluses:surplus switches:switch synapses:synapse syntheses:synthesis teeth:tooth tens:ten
    thicknesses:thickness ties:tie toes:toe tokens:token topics:topic trays:tray valves:valve
    vertebrae:vertebra vertices:vertex videos:video villi:villus viruses:virus waves:wave wheels:wheel
    windings:winding wolves:wolf women:woman x-axes:x-axis zeroes:zero
"""

SINGULARS = """
    abdomen aircraft analysis apparatus aqueous atlas axis basis bias biceps bonus boss bus business canvas
    caries chassis continuous corpus cross data electronics focus forceps gas glass iris k-means kinetics
    lens lumen mass means metadata news optics pancreas pelvis physics press process rabies radius regimen
    series spacecraft species specimen statistics status step stimulus synthesis testis themselves thickness
    time-series virus wheel
"""


def test_every_plural_has_the_lemma_of_its_singular() -> None:
    pairs = [entry.split(":") for entry in PLURALS.split()]
    wrong = {plural: lemma(plural) for plural, singular in pairs if lemma(plural) != singular}
    assert not wrong
    assert not {singular: lemma(singular) for _, singular in pairs if lemma(singular) != singular}
    assert all(is_plural(plural) for plural, _ in pairs)


def test_a_singular_that_looks_like_a_plural_stays() -> None:
    assert not {word: lemma(word) for word in SINGULARS.split() if is_plural(word)}
