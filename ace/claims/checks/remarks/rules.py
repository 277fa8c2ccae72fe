"""The rules of remarks: what each notices, which law to read, and what it does not remark on."""

from __future__ import annotations

from typing import Final

from ace.claims.rules import RemarkRule

MEANS: Final = RemarkRule(
    "means_plus_function",
    "“Means” or “step” with a function covers what the description discloses for that function, and its"
    " equivalents; if it discloses nothing, the claim is indefinite.",
    example="1. A crate comprising a floor, a wall and means for locking the wall to the floor.",
    twin="1. A crate comprising a floor, a wall and means for locking the wall to the floor, the means"
    " comprising a hook.",
    us="35 U.S.C. 112(f); MPEP 2181",
    epc="Guidelines F-IV, 4.13.2",
    silent="“by means of”; means whose structure the claim states; a means that was introduced before",
)
NONCE: Final = RemarkRule(
    "nonce_word",
    "A noun that names no structure has a function: an examiner may read it as “means for” that function.",
    example="1. A recorder comprising a case and an encoding module configured to compress a recording.",
    twin="1. A recorder comprising a case and a processor configured to compress a recording.",
    us="35 U.S.C. 112(f); MPEP 2181(I)(A)",
    epc="Guidelines F-IV, 4.13.2",
    silent="nouns with a word that names a thing (“a spring member for”), parts whose structure the claim"
    " states, what the claim as a whole is about, and methods",
)
SINGLE_MEANS: Final = RemarkRule(
    "single_means",
    "The claim has nothing but one means: it covers every way to reach the result, of which the description"
    " can hardly teach more than some.",
    example="1. A lift comprising means for raising a load.",
    twin="1. A lift comprising a frame and means for raising a load.",
    us="35 U.S.C. 112(a); MPEP 2164.08(a)",
    epc=None,
    silent="a means in combination with anything else",
)
PRODUCT_BY_PROCESS: Final = RemarkRule(
    "product_by_process",
    "The product is described by the process that makes it: it is compared with the prior art as a product,"
    " whatever it was made by.",
    example="1. A tile obtained by a process comprising pressing clay and firing the clay.",
    twin="1. A tile comprising fired clay.",
    us="MPEP 2113; MPEP 2173.05(p)(I)",
    epc="Guidelines F-IV, 4.12",
    silent="claims to methods",
)
MARKUSH: Final = RemarkRule(
    "markush",
    "The members of a Markush group must share a single structural similarity and a common use, or form a"
    " recognised class.",
    example="1. A rope comprising a fibre selected from the group consisting of hemp, flax and jute.",
    twin="1. A rope comprising a fibre of hemp.",
    us="MPEP 2117(II); MPEP 803.02",
    epc="Guidelines F-IV, 3.7; F-V, 3.2.5",
    silent="groups that are not closed, which are defects (`ambiguity.open_alternatives`)",
)
JEPSON: Final = RemarkRule(
    "jepson",
    "The preamble of a claim to an improvement limits it, and is taken as an admission that what it describes"
    " is prior art.",
    example="1. In a bicycle having a frame and a saddle, the improvement comprising a sensor in the saddle.",
    twin="1. A bicycle comprising a frame, a saddle and a sensor in the saddle.",
    us="MPEP 2129(III)",
    epc=None,
    silent="dependent claims, which repeat the words; “characterized in that”",
)
MIXED_PREAMBLE: Final = RemarkRule(
    "mixed_preamble",
    "The preamble names a method and a thing: a claim belongs to one statutory category, and must make clear"
    " what infringes it.",
    example="1. A method and apparatus for sorting coins, comprising a chute and a scale.",
    twin="1. An apparatus for sorting coins, comprising a chute and a scale.",
    us="35 U.S.C. 101; MPEP 2173.05(p)(II)",
    epc="Guidelines F-IV, 3.1",
    silent="“a method for controlling a pump”, “a method and system” in a dependent claim",
)
MIXED_SET: Final = RemarkRule(
    "mixed_set",
    "The set claims a thing and an activity: if they are distinct inventions, expect a requirement for"
    " restriction.",
    example="1. A kiln comprising a chamber and a burner.\n2. A method of firing bricks, comprising heating"
    " clay.",
    twin="1. A kiln comprising a chamber and a burner.\n2. A stove comprising a grate and a flue.",
    us="35 U.S.C. 121; MPEP 806.05",
    epc=None,
    silent="claims whose category their opening leaves open",
)
PREAMBLE_BASIS: Final = RemarkRule(
    "preamble_basis",
    "Only the preamble introduces an element that the body relies on, so the preamble may limit the claim.",
    example="1. A lid for a jar, the lid comprising a rim and a thread that engages the jar.",
    twin="1. A lid for a jar, the lid comprising a rim and a thread.",
    us="MPEP 2111.02(I)",
    epc=None,
    silent="what the claim as a whole is about; claims to an improvement, whose preamble limits them anyway",
)
NUMBERING: Final = RemarkRule(
    "numbering",
    "The claims are not numbered consecutively: the Office renumbers what is filed so.",
    example="1. A press comprising a frame and a ram.\n3. The press of claim 1, wherein the ram is hollow.",
    twin="1. A press comprising a frame and a ram.\n2. The press of claim 1, wherein the ram is hollow.",
    us="37 CFR 1.75(f); 37 CFR 1.126; MPEP 608.01(j)",
    epc="Rule 43(5) EPC",
    silent="numbers taken by canceled claims",
)

RULES: Final = (
    MEANS,
    NONCE,
    SINGLE_MEANS,
    PRODUCT_BY_PROCESS,
    MARKUSH,
    JEPSON,
    MIXED_PREAMBLE,
    MIXED_SET,
    PREAMBLE_BASIS,
    NUMBERING,
)
