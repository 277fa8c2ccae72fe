"""What a server answered to one question, as a value. It imports no HTTP library."""

from dataclasses import dataclass

from ace.expert.client.dialects import Dialect
from ace.expert.prompt.rationale import Rationale
from ace.types.examination import Answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Answered):
    """One good answer, and the question it belongs to; `calls` are all HTTP calls made for it.

    `seconds` are those of the call that was answered. `cut` says that part of the chain of ancestors was
    left out because the server rejected the whole.
    """

    rationale: Rationale
    seconds: float
    dialect: Dialect = Dialect.TGI
    cut: bool = False
    prompt_version: str = ""
