"""Defects of logic in the words that drafters use, and twins of them in which nothing is wrong."""

import pytest

from ace.claims.checks.logical import check
from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of

CONTRADICTIONS = [
    (
        (
            "A rack comprising a frame and a plurality of hooks, wherein each of the plurality of hooks "
            "includes a spring."
        ),
        "The rack of claim 1, wherein only a single one of the plurality of hooks includes a spring.",
    ),
    (
        (
            "A rack comprising a plurality of hooks, wherein each hook carries a sensor, and wherein not "
            "all hooks carry a sensor."
        ),
    ),
    (
        "A rack comprising a plurality of hooks, wherein no hook touches the frame.",
        "The rack of claim 1, wherein at least two of the hooks touch the frame.",
    ),
    (
        (
            "A rack comprising a plurality of hooks, wherein the hooks are all coated, and wherein some "
            "of the hooks are uncoated."
        ),
    ),
    (
        (
            "A rack comprising a plurality of hooks, wherein neither of the hooks is magnetic, and "
            "wherein both of the hooks are magnetic."
        ),
    ),
    ("A device comprising a frame having two arms, wherein the frame has four arms.",),
    ("A device comprising two wheels, wherein the number of wheels is four.",),
    (
        "A device comprising two wheels.",
        "The device of claim 1, wherein all four wheels are driven.",
    ),
    (
        "A device comprising exactly two wheels.",
        "The device of claim 1, wherein the wheels are three in number.",
    ),
    (
        "A device comprising a single motor.",
        "The device of claim 1, wherein the device comprises two motors.",
    ),
    (
        "A device comprising no more than two wheels.",
        "The device of claim 1, wherein the device has five wheels.",
    ),
    ("A device comprising a pair of rollers, wherein the pair of rollers comprises three rollers.",),
    (
        "A device comprising a stack of five layers.",
        "The device of claim 1, wherein the stack consists of three layers.",
    ),
    (
        "A kit comprising a solvent, the solvent being water, ethanol or acetone.",
        "The kit of claim 1, wherein the solvent is hexane.",
    ),
    (
        (
            "A lamp, wherein the material of the shade is selected from the group consisting of glass, "
            "paper and silk."
        ),
        "The lamp of claim 1, wherein the material of the shade is wool.",
    ),
    (
        (
            "A tool comprising a blade, wherein a shape of the blade is selected from the group "
            "consisting of a circle, a square and a triangle."
        ),
        "The tool of claim 1, wherein the shape of the blade is a hexagon.",
    ),
    (
        "A polymer comprising a monomer selected from the group consisting of styrene and ethylene.",
        "The polymer of claim 1, wherein the monomer is propylene or ethylene.",
    ),
    (
        (
            "A controller configured to open a valve when a temperature exceeds a threshold, wherein the "
            "controller is configured to close the valve when the temperature exceeds the threshold."
        ),
    ),
    (
        (
            "A method comprising: if the value is above the threshold, increasing the speed; and if the "
            "value is above the threshold, decreasing the speed."
        ),
    ),
    (
        (
            "A device comprising a processor configured to accept the message if the checksum matches, "
            "and to reject the message if the checksum matches."
        ),
    ),
    (
        (
            "A device, wherein the motor runs whenever the door is closed, and the motor stops whenever "
            "the door is closed."
        ),
    ),
    (
        "A kit consisting of a knife and a fork.",
        "The kit of claim 1, and a spoon.",
    ),
    (
        "A kit consisting of a knife and a fork.",
        "The kit of claim 1, including a spoon.",
    ),
    (
        "A composition which consists of water and salt.",
        "The composition of claim 1, wherein a dye is added to the composition.",
    ),
    (
        "An alloy consisting of iron, carbon and chromium.",
        "The alloy of claim 1, containing nickel.",
    ),
    ("A device comprising an arm, wherein the arm is immovable, and wherein the arm swings to and fro.",),
    (
        "A device comprising a drum, wherein the drum is held stationary.",
        "The device of claim 1, wherein the drum is rotated by a motor.",
    ),
    (
        "A device comprising a plate, wherein the plate is non-movable.",
        "The device of claim 1, wherein the plate reciprocates.",
    ),
    (
        "A device comprising a fan, wherein the fan always runs.",
        "The device of claim 1, wherein the fan occasionally stops.",
    ),
    (
        "A device comprising a fan, wherein the fan runs at all times.",
        "The device of claim 1, wherein the fan only runs intermittently.",
    ),
    ("A pump with a flow rate no less than 20 l/min, wherein the flow rate is under 10 l/min.",),
    ("A pump having a mass of a minimum of 10 kg and a maximum of 5 kg.",),
    ("A tube, wherein the tube is at least 20 mm wide and at most 10 mm wide.",),
    (
        "A mixture comprising water and salt in a ratio of 10:1.",
        "The mixture of claim 1, wherein the ratio of water to salt is 2:1.",
    ),
    (
        "A mixture having a volume ratio of oil to water from 2:1 to 4:1.",
        "The mixture of claim 1, wherein the volume ratio of oil to water is 1:1.",
    ),
    (
        "A method comprising heating the mixture.",
        "The method of claim 1, wherein the mixture is not heated.",
    ),
    (
        "A method comprising a step of washing the plate.",
        "The method of claim 1, wherein the plate is never washed.",
    ),
    (
        "A device comprising a motor coupled to a shaft.",
        "The device of claim 1, wherein the motor is not coupled to the shaft.",
    ),
    (
        "A device comprising a pump connected to a tank.",
        "The device of claim 1, wherein the pump is disconnected from the tank.",
    ),
    (
        "A tube made of copper.",
        "The tube of claim 1, wherein the tube is made of glass.",
    ),
    (
        "A device comprising a tube formed from steel.",
        "The device of claim 1, wherein the tube consists of rubber.",
    ),
    (
        "A device comprising a one-piece body.",
        "The device of claim 1, wherein the body is assembled from a first part and a second part.",
    ),
    (
        "A device comprising a unitary body.",
        "The device of claim 1, wherein the body consists of several pieces.",
    ),
    # the same words but for one
    (
        "A car comprising a controller configured to brake when the distance is less than a limit.",
        "The car of claim 1, wherein the controller brakes when the distance is greater than the limit.",
    ),
    (
        "A valve comprising a spring biasing a plunger toward a seat.",
        "The valve of claim 1, wherein the spring biases the plunger away from the seat.",
    ),
    (
        "A display comprising a first electrode above a substrate.",
        "The display of claim 1, wherein the first electrode is disposed below the substrate.",
    ),
    (
        "A dryer comprising a drum configured to rotate about an axis.",
        "The dryer of claim 1, wherein the drum is stationary.",
    ),
    (
        "A method comprising drying the film in air.",
        "The method of claim 1, wherein the drying is performed in nitrogen in the absence of air.",
    ),
    # the order of steps
    (
        "A method comprising adding a dispersant before adding a binder.",
        "The method of claim 1, wherein the binder is added before the dispersant.",
    ),
    (
        "A method comprising: (a) rinsing a panel; and (b) after step (a), drying the panel.",
        "The method of claim 1, wherein step (b) is performed before step (a).",
    ),
    (
        "A method comprising mixing a powder and water to form a paste; and heating the paste.",
        "The method of claim 1, wherein heating the paste precedes mixing the powder and the water.",
    ),
    # values of steps
    (
        "A method comprising firing a tile in a kiln for at least 2 hours.",
        "The method of claim 1, wherein the firing is carried out for 30 minutes.",
    ),
    (
        "A method comprising firing a tile at a temperature of 900 to 1000 °C.",
        "The method of claim 1, wherein the firing temperature is from 950 to 1100 °C.",
    ),
    # numbers
    (
        "A chair comprising a seat and four legs.",
        "The chair of claim 1, wherein the chair has three legs.",
    ),
    (
        "A fan comprising a hub, wherein the hub carries two to three blades.",
        "The fan of claim 1, wherein the hub carries four blades.",
    ),
    # comparisons
    (
        "A fibre, wherein an index of the core is higher than an index of the jacket.",
        "The fibre of claim 1, wherein the index of the jacket is higher than that of the core.",
    ),
    (
        "A belt, wherein a speed of the first roller is greater than a speed of the second roller.",
        (
            "The belt of claim 1, wherein the speed of the first roller is equal to the speed of the second "
            "roller."
        ),
    ),
    # what was read too narrowly
    (
        "A method comprising administering 5 mg to 10 mg of a drug to a patient.",
        "The method of claim 1, wherein 20 mg of the drug is administered.",
    ),
    (
        "A method comprising administering a drug at a dose of 5 mg/kg to 10 mg/kg.",
        "The method of claim 1, wherein the dose of the drug is 20 mg/kg.",
    ),
    (
        "A furnace comprising a heater configured to heat a chamber to 800 to 900 °C.",
        "The furnace of claim 1, wherein the heater heats the chamber to 1000 °C.",
    ),
    (
        "A motor, wherein the motor operates at a speed of 1000 to 2000 rpm.",
        "The motor of claim 1, wherein the motor is operated at 3000 rpm.",
    ),
    (
        "An ink having a viscosity of 5 to 20 mPa·s when measured at 25 °C.",
        "The ink of claim 1, wherein the ink has a viscosity of 30 mPa·s at 25 °C.",
    ),
    (
        "A lock comprising a bolt and a spring that continuously urges the bolt outward.",
        "The lock of claim 1, wherein the spring urges the bolt outward only when the lock is open.",
    ),
    (
        "A hull comprising a rib of aluminum.",
        "The hull of claim 1, wherein the rib is wooden.",
    ),
    (
        "A method wherein the signal is sampled after being filtered.",
        "The method of claim 1, wherein the signal is filtered after being sampled.",
    ),
    (
        "A broth comprising a salt, wherein the salt is sodium chloride or potassium chloride.",
        "The broth of claim 1, wherein the salt is calcium chloride.",
    ),
    (
        "A gate comprising a post, wherein a handle is mounted on the post.",
        "The gate of claim 1, wherein no handle is mounted on the post.",
    ),
    (
        "A gate comprising a tank, wherein the tank holds water.",
        "The gate of claim 1, wherein the tank holds no water.",
    ),
    (
        "A farm comprising tanks, wherein every tank is insulated.",
        "The farm of claim 1, wherein not every tank is insulated.",
    ),
    (
        "A gate comprising a frame, wherein the frame is integrally formed.",
        "The gate of claim 1, wherein the frame is made up of several segments joined together.",
    ),
    (
        "A method comprising adding a salt to a broth, wherein the salt is added before the herb.",
        "The method of claim 1, wherein the herb is added before the salt.",
    ),
    # within one claim
    (
        (
            "A safe comprising a door and a siren, wherein the siren sounds if the door is forced, and "
            "wherein the "
            "siren sounds unless the door is forced."
        ),
    ),
    (
        (
            "A scanner comprising a mirror, wherein the mirror is stationary during scanning, and "
            "wherein the mirror "
            "oscillates during scanning."
        ),
    ),
    (
        (
            "A fan comprising a cover and a hub that is active when a switch is closed, wherein the "
            "cover is stationary, and "
            "wherein the cover rotates."
        ),
    ),
    # additions, choices and counts
    ("A kit consisting of a fork and a knife.", "The kit of claim 1, further provided with a spoon."),
    ("A kit consisting of a fork and a knife.", "The kit of claim 1, wherein a spoon is also provided."),
    (
        "A kit consisting of a fork and a knife.",
        "The kit of claim 1, wherein the kit includes a second fork.",
    ),
    (
        "A paint comprising a solvent selected from the group consisting of water, ethanol and acetone.",
        "The paint of claim 1, wherein toluene is used as the solvent.",
    ),
    (
        "A joint comprising a fastener selected from the group consisting of screws, bolts and rivets.",
        "The joint of claim 1, wherein the fastener is a nail.",
    ),
    (
        "A tray made of a material selected from the group consisting of steel, brass and copper.",
        "The tray of claim 1, wherein the tray is made of wood.",
    ),
    (
        "A board comprising a frame, wherein exactly three slots are formed in the frame.",
        "The board of claim 1, wherein four slots are formed in the frame.",
    ),
    (
        "A board comprising rollers, wherein each of the rollers comprises a groove.",
        "The board of claim 1, wherein at least one of the rollers is free of a groove.",
    ),
    (
        "A board, wherein a lever is locked in response to a detection of a fault.",
        "The board of claim 1, wherein the lever is unlocked in response to the detection of the fault.",
    ),
    # values
    (
        "A device comprising a tank, wherein a pressure in the tank is held below 3 bar.",
        "The device of claim 1, wherein the pressure in the tank is held at 5 bar.",
    ),
    (
        "A device comprising a lever, wherein the lever is no shorter than 5 cm.",
        "The device of claim 1, wherein the lever is 3 cm long.",
    ),
    (
        "A tank comprising at least five sensors.",
        "The tank of claim 1, wherein the tank comprises four sensors.",
    ),
    (
        "A tank comprising sensors, wherein the number of sensors in the tank is at least five.",
        "The tank of claim 1, wherein the number of sensors in the tank is three.",
    ),
    (
        "A method comprising drying a fibre, wherein the drying takes at least 2 hours.",
        "The method of claim 1, wherein the drying takes 1 hour.",
    ),
    (
        "A method wherein the fibre is cut to a length of 5 mm to 10 mm.",
        "The method of claim 1, wherein the fibre is cut to a length of 20 mm.",
    ),
    (
        "A method comprising washing a fibre at least three times.",
        "The method of claim 1, wherein the fibre is washed twice.",
    ),
    (
        "A paste, wherein the resin and the filler are present in a weight ratio of 2:1 to 3:1.",
        "The paste of claim 1, wherein the resin and the filler are present in a weight ratio of 5:1.",
    ),
    (
        "A method comprising administering to a patient a compound weekly.",
        "The method of claim 1, wherein the compound is administered daily.",
    ),
    (
        "A method comprising administering to a patient in need thereof 5 mg of a compound.",
        "The method of claim 1, wherein the compound is administered in an amount of 20 mg.",
    ),
]

SOUND = [
    (
        "A rack comprising a plurality of hooks, wherein each hook is coated.",
        "The rack of claim 1, wherein only one of the hooks is magnetic.",
    ),
    (
        "A rack comprising a plurality of hooks, wherein at least one of the hooks is coated.",
        "The rack of claim 1, wherein none of the hooks is magnetic.",
    ),
    (
        "A rack comprising a plurality of hooks, wherein each hook has a slot.",
        "The rack of claim 1, wherein at least one of the hooks has a slot.",
    ),
    (
        "A rack comprising a plurality of hooks, wherein at least one of the hooks has a slot.",
        "The rack of claim 1, wherein only one of the hooks has a slot.",
    ),
    (
        "A device comprising two wheels and a frame.",
        ("The device of claim 1, further comprising two further wheels, wherein the four wheels are driven."),
    ),
    (
        "A device comprising two wheels.",
        "The device of claim 1, comprising three wheels.",
    ),
    ("A device comprising a first wheel and two rear wheels, wherein the three wheels are driven.",),
    (
        "A device comprising at least two wheels.",
        "The device of claim 1, wherein the device has four wheels.",
    ),
    (
        "A device comprising a plurality of wheels.",
        "The device of claim 1, wherein the number of wheels is four.",
    ),
    (
        (
            "A device comprising three wheels, wherein two of the three wheels are driven and the two "
            "wheels are steered."
        ),
    ),
    (
        ("A device comprising a fastener selected from the group consisting of a screw, a rivet and a bolt."),
        "The device of claim 1, wherein the fastener is a screw.",
    ),
    (
        ("A device comprising a fastener selected from the group consisting of a screw, a rivet and a bolt."),
        "The device of claim 1, wherein the fastener is a steel bolt.",
    ),
    (
        "A device comprising a fastener selected from the group consisting of screws, rivets and bolts.",
        "The device of claim 1, wherein the fastener is removable.",
    ),
    (
        (
            "A device, wherein the motor runs when the door is closed, and the motor stops when the door "
            "is open."
        ),
    ),
    (
        (
            "A device, wherein the lamp is on when the sensor detects motion, and the lamp is off when "
            "the sensor detects no motion."
        ),
    ),
    (
        "A paste consisting of flour and water.",
        "The paste of claim 1, wherein the flour comprises gluten.",
    ),
    (
        "A paste comprising flour and water.",
        "The paste of claim 1, further comprising salt.",
    ),
    ("A device comprising a plate fixed to a shaft, wherein the shaft rotates.",),
    (
        (
            "A device comprising a plate, wherein the plate is stationary in a first position and rotates"
            " in a second position."
        ),
    ),
    (
        "A device comprising a fan, wherein the fan always runs when the door is open.",
        "The device of claim 1, wherein the fan sometimes runs when the door is closed.",
    ),
    (
        "A car comprising a controller configured to brake when the distance is less than a limit.",
        "The car of claim 1, wherein the controller accelerates when the distance is greater than the limit.",
    ),
    (
        "A sensor comprising a layer between a lower shield and a frame.",
        (
            "The sensor of claim 1, wherein a second layer is between an upper shield and the upper shield's "
            "frame."
        ),
    ),
    (
        "A dryer comprising a drum configured to rotate a fan.",
        "The dryer of claim 1, wherein the drum is stationary.",
    ),
    (
        "A dryer comprising a drum configured to rotate when a motor runs.",
        "The dryer of claim 1, wherein the drum is stationary.",
    ),
    (
        "A pump comprising a valve, wherein the valve opens when the pressure is above a limit.",
        "The pump of claim 1, wherein the valve also opens when the pressure is below the limit.",
    ),
    (
        "A method comprising rinsing a panel; brushing the rinsed panel; and drying the panel.",
        "The method of claim 1, wherein the panel is rinsed again before the drying.",
    ),
    (
        "A method comprising rinsing a panel; and heating a plate.",
        "The method of claim 1, wherein the plate is heated before the panel is rinsed.",
    ),
    (
        "A method comprising heating a tile at 200 °C; and heating the tile at 900 °C.",
        "The method of claim 1, wherein the tile is heated at 900 °C.",
    ),
    (
        "A method comprising mixing a powder at 20 °C; and firing the powder at 900 °C.",
        "The method of claim 1, wherein the mixing is carried out for 30 minutes.",
    ),
    (
        "A chair comprising a seat and four legs.",
        "The chair of claim 1, wherein the chair has two legs that are arranged below a rear of the seat.",
    ),
    ("A fan comprising two or three blades, wherein the fan has two blades.",),
    (
        "A belt, wherein a speed of the first roller is greater than a speed of the second roller.",
        (
            "The belt of claim 1, wherein the width of the first roller is equal to the width of the second "
            "roller."
        ),
    ),
    (
        "A method comprising administering 5 mg to 10 mg of a drug to a patient.",
        "The method of claim 1, wherein 20 mg of the drug is administered per day.",
    ),
    (
        "A method comprising administering 5 mg of a drug to a patient.",
        "The method of claim 1, wherein 20 mg of a solvent is administered with the drug.",
    ),
    (
        "A furnace comprising a heater configured to heat a chamber to 900 °C.",
        "The furnace of claim 1, wherein the heater heats the tray to 1000 °C.",
    ),
    (
        "A lock comprising a bolt and a spring that urges the bolt outward.",
        "The lock of claim 1, wherein the spring urges the bolt outward only when the lock is open.",
    ),
    (
        "A hull comprising a rib of aluminum and a rib of steel.",
        "The hull of claim 1, wherein the rib is made of aluminum.",
    ),
    (
        "A battery comprising a salt of lithium and a compound of nickel.",
        "The battery of claim 1, wherein the compound is made of zinc.",
    ),
    (
        "A gate comprising a frame, wherein the frame is integrally formed with a post.",
        "The gate of claim 1, wherein the frame is made up of several segments joined together.",
    ),
    (
        "A method comprising adding a salt to a broth, wherein the salt is added before the herb.",
        "The method of claim 1, wherein the herb is removed before the salt.",
    ),
    (
        (
            "A pump comprising a valve, wherein the valve opens when the pressure is above a limit, and "
            "wherein the "
            "valve closes when the pressure is below the limit."
        ),
    ),
    ("A lid, wherein in a first position the lid is open, and in a second position the lid is closed.",),
    ("A kit consisting of a first fork and a second fork.", "The kit of claim 1, including a second fork."),
    (
        "A joint comprising a fastener selected from the group consisting of screws, bolts and rivets.",
        "The joint of claim 1, wherein the fastener is a rivet.",
    ),
    (
        (
            "A diode, wherein if a metal has a low work function, the metal is aluminum or calcium, "
            "and wherein if "
            "the metal has a high work function, the metal is platinum or gold."
        ),
    ),
    (
        "A tray made of a material selected from the group consisting of metal, brass and wood.",
        "The tray of claim 1, wherein the tray is made of steel.",
    ),
    (
        "A board comprising two slots, wherein two slots are formed in a frame.",
        "The board of claim 1, wherein two slots are round.",
    ),
    (
        "A tank comprising at least five sensors.",
        "The tank of claim 1, wherein the number of sensors is six.",
    ),
    (
        "A method comprising washing a fibre three times its weight in water.",
        "The method of claim 1, wherein the fibre is washed twice.",
    ),
    (
        "A method comprising washing a fibre twice.",
        "The method of claim 1, wherein the fibre is dried once.",
    ),
    (
        "A method comprising administering to a patient a compound once weekly.",
        "The method of claim 1, wherein the compound is administered at a daily dose of 5 mg.",
    ),
    (
        "A device, wherein a pressure in the tank is held below 3 bar.",
        "The device of claim 1, wherein the pressure in the lever is held at 5 bar.",
    ),
    (
        "A gate, wherein the bar is attached to a post or hinged to a wall.",
        "The gate of claim 1, wherein the bar is steel.",
    ),
]


def defective(texts: tuple[str, ...]) -> list[int]:
    claims = ClaimSet(
        tuple(Claim(number, text, parents_of(text, number)) for number, text in enumerate(texts, start=1))
    )
    reading = Reading(claims)
    return [claim.number for claim in claims if list(check(reading, claim))]


@pytest.mark.parametrize("texts", CONTRADICTIONS, ids=lambda texts: texts[-1][-40:])
def test_the_last_claim_contradicts_itself_or_what_it_inherits(texts: tuple[str, ...]) -> None:
    assert defective(texts) == [len(texts)]


@pytest.mark.parametrize("texts", SOUND, ids=lambda texts: texts[-1][-40:])
def test_what_only_looks_like_it_does_not(texts: tuple[str, ...]) -> None:
    assert not defective(texts)
