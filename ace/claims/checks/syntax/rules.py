"""The rules on the form of a claim, with the law behind each. Data for docs, jurisdictions and tests."""

from __future__ import annotations

from ace.claims.rules import Provision, Rule, Severity
from ace.claims.taxonomy import ErrorClass

_MPEP_FORM = "MPEP 608.01(m)"
_FORM = f"37 CFR 1.75; {_MPEP_FORM}"
_EPC_CLEAR = "Art. 84 EPC; Guidelines F-IV, 4.1"

RULES: tuple[Rule, ...] = (
    Rule(
        ErrorClass.SYNTAX,
        "no_period",
        "The claim does not end with a period.",
        example="1. A pump comprising a housing and a rotor in the housing",
        twin="1. A pump comprising a housing and a rotor in the housing.",
        us=Provision(_FORM),
        epc=Provision(_EPC_CLEAR, Severity.NOTE),
        silent="a period inside a closing quotation mark or bracket",
        brief="no final period",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "several_sentences",
        "The claim is more than one sentence.",
        example="1. A pump comprising a housing and a rotor. The rotor is made of brass.",
        twin="1. A pump comprising a housing and a rotor, wherein the rotor is made of brass.",
        us=Provision(_FORM),
        epc=Provision(_EPC_CLEAR, Severity.NOTE),
        silent="the periods of abbreviations, numbers, names of species, figures and labels of steps (“a.”)",
        brief="several sentences",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "no_transition",
        "No transition separates the preamble of the claim from its body.",
        example="1. A method of making a lid pressing a sheet of tin between two molds and trimming it.",
        twin="1. A method of making a lid, comprising pressing a sheet of metal between two molds.",
        us=Provision("35 U.S.C. 112(b); 37 CFR 1.75(e); MPEP 2111.03"),
        epc=Provision("Rule 43(1) EPC; Art. 84 EPC; Guidelines F-IV, 2.2"),
        silent="short claims of one phrase (“The salt of claim 1.”), designs, substances",
        brief="no transition",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "missing_punctuation",
        "Two elements or steps of the claim run together without punctuation between them.",
        example="1. A pump comprising: a housing; a rotor in the housing; a valve a motor; and a seal.",
        twin="1. A pump comprising: a housing; a rotor in the housing; a valve; a motor; and a seal.",
        us=Provision("37 CFR 1.75(i); MPEP 608.01(m)"),
        epc=Provision(_EPC_CLEAR, Severity.NOTE),
        silent="an element named after its place (“storing in the memory a key”)",
        brief="a missing separator",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "doubled_punctuation",
        "Two punctuation marks stand in place of one.",
        example="1. A pump comprising: a housing;; and a rotor in the housing.",
        twin="1. A pump comprising: a housing; and a rotor in the housing.",
        us=Provision(_FORM),
        epc=Provision(_EPC_CLEAR, Severity.NOTE),
        silent="ellipses, the period of an abbreviation before another mark (“etc.,”), “::” inside a name",
        brief="a doubled word or mark",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "doubled_word",
        "A word is repeated.",
        example="1. A pump comprising a housing and a rotor in the the housing.",
        twin="1. A pump comprising a housing and a rotor in the housing.",
        us=Provision(_FORM),
        epc=Provision(_EPC_CLEAR, Severity.NOTE),
        silent="“had had”; numbers, symbols and formulas",
        brief="a doubled word or mark",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "unbalanced_bracket",
        "A bracket is not paired.",
        example="1. A pump comprising a housing (of brass and a rotor in the housing.",
        twin="1. A pump comprising a housing (of brass) and a rotor in the housing.",
        us=Provision(_FORM),
        epc=Provision(_EPC_CLEAR, Severity.NOTE),
        silent="labels of steps and items (“a)”, “1)”, “iv)”); half-open intervals (“[0, 1)”)",
        brief="an unpaired bracket",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "broken_off",
        "The claim breaks off in the middle of its sentence.",
        example="1. A pump comprising a housing, a rotor in the housing and a valve for the.",
        twin="1. A pump comprising a housing, a rotor in the housing and a valve for the rotor.",
        us=Provision("35 U.S.C. 112(b); 37 CFR 1.75; MPEP 608.01(m)", Severity.ERROR),
        epc=Provision(_EPC_CLEAR, Severity.ERROR),
        silent="“the switch is turned on”; letters of formulas (“A”), words in quotation marks",
        brief="a missing or ill-fitting word",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "opening",
        "The claim does not open with a capital letter.",
        example="1. a pump comprising a housing and a rotor in the housing.",
        twin="1. A pump comprising a housing and a rotor in the housing.",
        us=Provision(_FORM),
        epc=None,
        silent="names with a small first letter (“mRNA”, “p-xylene”, “eNodeB”); “What is claimed is a …”",
        brief="a wrong capital",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "missing_conjunction",
        "Neither “and” nor “or” joins the last item, so it is unclear whether all are required.",
        example="1. A pump comprising: a housing; a rotor in the housing; a valve on the housing.",
        twin="1. A pump comprising: a housing; a rotor in the housing; and a valve on the housing.",
        us=Provision("37 CFR 1.75(i); MPEP 608.01(m)"),
        epc=Provision(_EPC_CLEAR, Severity.NOTE),
        silent=(
            "lists whose items differ in form; lists of clauses (“wherein …; wherein …”); adjectives between"
            " commas (“a large, flat plate”)"
        ),
        brief="a missing or misplaced “and” or “or”",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "ungrammatical",
        "Two words or the items of a list do not fit together, or a clause has no verb.",
        example="1. A pump comprising a housing and a rotor, wherein the rotor is connected the housing.",
        twin="1. A pump comprising a housing and a rotor, wherein the rotor is connected to the housing.",
        us=Provision(f"37 CFR 1.75(a); {_MPEP_FORM}"),
        epc=Provision(_EPC_CLEAR, Severity.NOTE),
        silent=(
            "inversions (“on which is mounted a rotor”), “the said”, letters that stand for something (“the a"
            " axis”), “an” before a silent or an abbreviated letter (“an hour”, “an LED”); “to” before"
            " a noun (“adapted to existing pipes”)"
        ),
        brief="a missing or ill-fitting word",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "placeholder",
        "A place of the claim is yet to be filled in.",
        example="1. A pump comprising a housing and a rotor that has a length of XX mm.",
        twin="1. A pump comprising a housing and a rotor that has a length of 20 mm.",
        us=Provision("35 U.S.C. 112(b); 37 CFR 1.75(a)"),
        epc=Provision(_EPC_CLEAR),
        silent="numbers of formulas and compounds (“formula XX”), brackets with text, gaps in sequences",
        brief="a missing or ill-fitting word",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "misspelling",
        "A word is misspelt: one that differs by one letter is frequent in these claims, or in all claims.",
        example="1. A pump compirsing a housing, wherein a rotor is mounted in the housing.",
        twin="1. A pump comprising a housing, wherein a rotor is mounted in the housing.",
        us=Provision(f"37 CFR 1.75(a); {_MPEP_FORM}"),
        epc=Provision(_EPC_CLEAR, Severity.NOTE),
        silent=(
            "words that the tables know or that differ in their endings only; a misspelt name after “the”,"
            " which lacks a basis (antecedent.typo)"
        ),
        brief="a misspelling",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "labels",
        "The labels of the items of a list skip one or repeat one.",
        example="1. A method comprising: a) peeling a fruit; b) heating the fruit; and d) serving the fruit.",
        twin="1. A method comprising: a) peeling a fruit; b) heating the fruit; and c) serving the fruit.",
        us=Provision(f"37 CFR 1.75(a); {_MPEP_FORM}"),
        epc=Provision(_EPC_CLEAR, Severity.NOTE),
        silent="lists within an item that begin anew; labels that are referred to (“steps a) and c)”)",
        brief="wrong labels or numerals",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "duplicate_number",
        "A claim number is used more than once.",
        example=(
            "1. A pump comprising a housing and a rotor in the housing.\n"
            "1. A fan comprising a frame and a blade in the frame."
        ),
        twin=(
            "1. A pump comprising a housing and a rotor in the housing.\n"
            "2. A fan comprising a frame and a blade in the frame."
        ),
        us=Provision("37 CFR 1.75(f); 37 CFR 1.126; MPEP 608.01(j)"),
        epc=Provision("Rule 43(5) EPC"),
        whole_set=True,
        brief="a number used twice",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "status_identifier",
        "A status identifier is misspelt, unknown or missing, or a canceled claim shows text.",
        example=(
            "1. (Original) A pump comprising a housing and a rotor in the housing.\n"
            "2. (Currently amend) The pump of claim 1, wherein the rotor is hollow."
        ),
        twin=(
            "1. (Original) A pump comprising a housing and a rotor in the housing.\n"
            "2. (Currently amended) The pump of claim 1, wherein the rotor is hollow."
        ),
        us=Provision("37 CFR 1.121(c); MPEP 714(II)(C)"),
        epc=None,
        silent="the variants that the Office accepts (“Presently amended”, “Cancelled”, “Newly added”)",
        whole_set=True,
        brief="a wrong status identifier",
    ),
    Rule(
        ErrorClass.SYNTAX,
        "not_understood",
        "The claim, or the text around it, could not be read as filed.",
        example="1. A pump comprising a housing and a rotor in the housing.\n2.",
        twin="1. A pump comprising a housing and a rotor in the housing.\n2. A fan comprising a frame.",
        us=Provision("37 CFR 1.75; 37 CFR 1.121(c)", Severity.NOTE),
        epc=Provision("Rule 43 EPC; Rule 49(2) EPC", Severity.NOTE),
        silent="differences of layout only: line breaks, page numbers, headings",
        whole_set=True,
        brief="text that cannot be read",
    ),
)

RULE = {rule.subtype: rule for rule in RULES}
