"""What a rule is: the defect or the remark it looks for, and its law in each jurisdiction.

The rules themselves are beside the checks that apply them (checks/); `checks.RULES` has them all. A
jurisdiction is data: the provision that a rule rests on there, and its severity. A rule without a
provision in a jurisdiction does not run there. What a defect draws, a rejection or an objection, follows from
the law that the provision names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from ace.claims.taxonomy import REMARK, ErrorClass, Ground, ground_of


class Jurisdiction(StrEnum):
    """The law to apply."""

    US = "US"
    EPC = "EPC"


class Severity(StrEnum):
    """How serious a finding is; the values are the levels of SARIF 2.1.0 (3.27.10)."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Provision:
    """The statute, rule or guideline that a defect offends, as an action cites it."""

    law: str
    severity: Severity = Severity.WARNING

    @property
    def ground(self) -> Ground:
        """What the defect draws."""
        return ground_of(self.law)


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of defect. `subtype` is a stable word, unique within its class.

    `what` says in one sentence what is wrong; `example` is a claim set that has this defect and no
    other, `twin` the same set without it; `silent` says what looks similar and is not flagged. A rule
    with `whole_set` needs all claims of a filing, not just a claim and those that it depends on. `brief`
    names the defect in a few words, as the expert's prompt lists it.
    """

    error_class: ErrorClass
    subtype: str
    what: str
    example: str
    twin: str
    us: Provision | None
    epc: Provision | None
    silent: str = ""
    whole_set: bool = False
    brief: str = field(kw_only=True)

    @property
    def id(self) -> str:
        """ "<class>.<subtype>", the stable name of the rule."""
        return f"{self.error_class.value}.{self.subtype}"

    def provision(self, jurisdiction: Jurisdiction) -> Provision | None:
        """The law of this jurisdiction that the rule rests on, or None if the rule does not run there."""
        return self.us if jurisdiction is Jurisdiction.US else self.epc


@dataclass(frozen=True, slots=True)
class RemarkRule:
    """One kind of remark: what a practitioner expects to hear about a claim with which nothing is wrong.

    `kind` is a stable word; `what` says in one sentence what was noticed and what follows from it.
    `example` is a claim set without defects that has this remark, `twin` the same set without it; `silent`
    says what looks similar and is not remarked on. `us` and `epc` are the law to read, None where there is
    none.
    """

    kind: str
    what: str
    example: str
    twin: str
    us: str | None
    epc: str | None
    silent: str = ""

    @property
    def id(self) -> str:
        """ "remark.<kind>", the stable name of the rule."""
        return f"{REMARK}.{self.kind}"

    def law(self, jurisdiction: Jurisdiction) -> str | None:
        """The law of this jurisdiction that the remark is about, or None if it is not made there."""
        return self.us if jurisdiction is Jurisdiction.US else self.epc


def read_rules(path: Path, error_class: ErrorClass) -> dict[str, Rule]:
    """The rules of a TOML file by subtype, in the order of the file."""
    return {
        subtype: Rule(
            error_class,
            subtype,
            _prose(entry["what"]),
            entry["example"],
            entry["twin"],
            _provision(entry.get("us")),
            _provision(entry.get("epc")),
            _prose(entry.get("silent", "")),
            entry.get("whole_set", False),
            brief=entry["brief"],
        )
        for subtype, entry in _entries(path).items()
    }


def read_remark_rules(path: Path) -> dict[str, RemarkRule]:
    """The remarks of a TOML file by kind, in the order of the file."""
    return {
        kind: RemarkRule(
            kind,
            _prose(entry["what"]),
            entry["example"],
            entry["twin"],
            entry.get("us"),
            entry.get("epc"),
            _prose(entry.get("silent", "")),
        )
        for kind, entry in _entries(path).items()
    }


def _entries(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _provision(stored: Mapping[str, str] | None) -> Provision | None:
    return None if stored is None else Provision(stored["law"], Severity(stored["severity"]))


def _prose(text: str) -> str:
    """The text on one line; files wrap it."""
    return " ".join(text.split())
