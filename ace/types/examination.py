"""One examination: what was asked of the expert, what came back, and what it is worth.

This is the only declaration of the record. The store keeps its fields as columns of the same names, and the
API and the client show them under those names. To add a field, add it here and to the table; to the schema of
the API and to the client's `Evaluation` if clients are to see it; and to purge_examinations.sql if it can
quote a claim.
"""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from ace.types.verification import Verified


class Reasoned(Protocol):
    """A rationale, as far as the record goes: the verdict, and why."""

    @property
    def verdict(self) -> str: ...

    @property
    def error_class(self) -> str | None: ...

    @property
    def reasoning(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked, and of which server."""

    endpoint: str
    prompt_version: str
    cut: bool | None = None  # whether ancestors were left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What came back. `raw` is the text as the server sent it; tokens are None if it did not count them."""

    rationale: Reasoned
    raw: str
    model: str
    prompt_tokens: int | None
    completion_tokens: int | None
    calls: int = 1  # of HTTP, repeated ones too


A = TypeVar("A", bound=Answered, covariant=True)


@dataclass(frozen=True, slots=True)
class Conclusion(Generic[A]):
    """The answer that stands; its tokens and calls are those of all `opinions`.

    `verified` is of this answer, and holds the disagreements with the first one too; `agreeing` of the
    opinions have its verdict.
    """

    answer: A
    verified: Verified
    opinions: int = 1
    agreeing: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """One attempt of the expert at one evaluation: a conclusion, or the kind of the fault in `error`."""

    evaluation_id: UUID
    asked: Asked
    seconds: float
    conclusion: Conclusion[Answered] | None = None
    error: str | None = None
    retry_after: float | None = None  # seconds that the server asked for
