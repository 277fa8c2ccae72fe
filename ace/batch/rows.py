"""One row of an input: a claim set, or the reason why it cannot be one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ace.claim_work import Unread
from ace.errors import Refused
from ace.types.json_text import read_json


@dataclass(frozen=True, slots=True)
class Row:
    """Row number `index` of an input, from 0. `claims` is to be read, unless `error` says why not."""

    index: int
    docket: str | None = None
    claims: Unread | None = None
    error: str | None = None


def row_of(index: int, value: Any) -> Row:
    """The row that an object describes: `claims`, as one numbered text or as a list of objects with `text`
    and perhaps `number`, and perhaps a `docket`. Other fields belong to the owner of the file."""
    if not isinstance(value, Mapping):
        return Row(index, error="malformed_row: not an object")
    docket = None
    try:
        docket = _docket(value.get("docket"))
        return Row(index, docket, Unread(_claims(value.get("claims"))))
    except Refused as refused:
        return Row(index, docket, error=worded(refused))


def row_of_line(index: int, line: bytes) -> Row:
    """The row in one line of JSON, which is read as the API reads a body."""
    try:
        return row_of(index, read_json(line))
    except Refused as refused:
        return Row(index, error=worded(refused))


def worded(refused: Refused) -> str:
    """Why a claim set was refused: code, field and reason, without words of the claims."""
    at = f" {refused.pointer}:" if refused.pointer else ""
    return f"{refused.code}:{at} {refused.message}"


def _docket(value: Any) -> str | None:
    try:
        return None if value is None else str(value)
    except ValueError:  # an integer of more digits than Python writes
        raise Refused("must be a text", code="docket_type", pointer="/docket") from None


def _claims(value: Any) -> str | list[tuple[int, str]]:
    if isinstance(value, str) and value:
        return value
    if not isinstance(value, list) or not value:
        raise Refused("must be a text or a list of claims", code="claims_type", pointer="/claims")
    return [_claim(place, each) for place, each in enumerate(value)]


def _claim(place: int, value: Any) -> tuple[int, str]:
    at = f"/claims/{place}"
    if not isinstance(value, Mapping) or not isinstance(value.get("text"), str):
        raise Refused("must be an object with a text", code="claims_type", pointer=at)
    number = value.get("number")
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if number is None:
        return place + 1, value["text"]
    if not isinstance(number, int) or isinstance(number, bool):
        raise Refused("must be a whole number", code="claims_type", pointer=f"{at}/number")
    return number, value["text"]
