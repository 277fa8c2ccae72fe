"""The expert's answer to one question, as a value. It imports no HTTP library."""

from dataclasses import dataclass

from ace.expert.client.dialects import Dialect
from ace.expert.prompt.rationale import Rationale


@dataclass(frozen=True, slots=True)
class Answer:
    """One good answer. `raw` is the text as the server sent it; tokens are None if it does not report them.

    `seconds` is the duration of the call that was answered, `calls` the number of HTTP calls made for it.
    `cut` says that part of the chain of ancestors was left out because the server rejected the whole.
    """

    raw: str
    rationale: Rationale
    model: str
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float
    calls: int = 1
    dialect: Dialect = Dialect.TGI
    cut: bool = False
    prompt_version: str = ""
