"""The base of all models of the API's answers."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A frozen value with the fields of the API. Fields that a newer server adds are left out."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", populate_by_name=True, hide_input_in_errors=True, protected_namespaces=()
    )

    def as_dict(self) -> dict[str, Any]:
        """All fields, as the API's JSON has them."""
        return self.model_dump(mode="json", by_alias=True)


class Span(Model):
    """text[start:end], in code points."""

    start: int
    end: int


class Note(Model):
    """What the reader did not understand, or corrected. `code` is for programs."""

    code: str
    message: str
    claim: int | None
