"""Every column of an examination that can hold words is purged, or known to hold none of the claim's."""

from sqlalchemy import String, Text
from sqlalchemy.dialects.postgresql import JSONB

from ace.store.statements import statement
from ace.store.tables import Examination

# Names, kinds and versions: none of them is written by the expert or taken from a claim.
NO_CLAIM_TEXT = {"prompt_version", "model", "verdict", "error", "endpoint"}


def test_a_purge_takes_every_column_that_can_hold_claim_text() -> None:
    columns = Examination.__table__.columns  # type: ignore[attr-defined]
    wordy = {column.name for column in columns if isinstance(column.type, String | Text | JSONB)}
    sql = str(statement("purge_examinations"))
    assert {name for name in wordy if f"{name} = " in sql} == wordy - NO_CLAIM_TEXT
