"""Calls whose time may grow faster than the text they are given, in code that reads what clients wrote where
nothing can stop it: in the processes of the API and of the workers.

Each is listed with the reason why it is harmless there. A new one fails this test until somebody has found
such a reason, or has moved it into the processes of `ace.bounded`. Regular expressions have a test of their
own.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from pydantic_core import from_json

import ace
import ace.workers

READING: Final = (
    *("claims/language/combining_marks.py", "claims/language/identification.py", "claims/readers"),
    *("claims/terms.py", "types/json_text.py"),
    *("gatekeeper", "expert", "api", "desk", "flow", "batch", "webhooks", "store"),
)
"""Below `ace`: what runs outside of the bounded processes, the readers of small filings among it."""

SUSPECT: Final = {
    **dict.fromkeys(("normalize", "is_normalized"), "quadratic in combining marks"),
    **dict.fromkeys(("SequenceMatcher", "get_close_matches", "Differ", "HtmlDiff"), "quadratic or worse"),
    **dict.fromkeys(("ndiff", "unified_diff", "context_diff"), "quadratic or worse"),
    **dict.fromkeys(("permutations", "combinations", "product"), "more results than elements"),
    **dict.fromkeys(("Decimal", "Fraction", "set_int_max_str_digits"), "digits without a limit"),
    **dict.fromkeys(("index", "remove", "insert"), "looks through or moves a list, perhaps for each element"),
    **dict.fromkeys(("literal_eval", "eval", "exec"), "reads any expression"),
    **dict.fromkeys(
        ("loads", "from_json", "model_validate_json", "validate_json"), "reads numbers of any length"
    ),
    **dict.fromkeys(("rank", "classify"), "a language model"),
    **dict.fromkeys(("encode_batch", "encode_batch_fast", "from_file"), "a tokenizer"),
    **dict.fromkeys(("unescape", "getaddrinfo", "idna"), "a parser of another library"),
}
"""Names of functions, and why they are suspected."""
REPEATED: Final = "while"
"""Stands for a loop that goes on as long as a search finds something or a text changes."""
SEARCHES: Final = frozenset(
    {"sub", "subn", "replace", "search", "match", "fullmatch", "find", "rfind", "partition"}
)

_CUT: Final = "the readers have left at most 30 combining marks in a row"
_OURS: Final = "a file of ours: no client writes it"
_OF_STORE: Final = "what this product stored as JSON; linear, and its numbers are ours"
_OF_ANSWER: Final = (
    "an answer, whose size the transport bounds; no parser here takes an integer above 4,300 digits"
)
_BEFORE_A_SLICE: Final = (
    "each search goes on behind the one before, so that together they read the message once"
)
ALLOWED: Final[dict[tuple[str, str, str], str]] = {
    ("ace/api/evaluations.py", "findings", "loads"): _OF_STORE,
    ("ace/api/exports.py", "export_of", "loads"): _OF_STORE,
    ("ace/batch/outputs.py", "Results.done", "loads"): _OURS,
    ("ace/claims/language/combining_marks.py", "_is_mark", "normalize"): "a single character",
    ("ace/claims/language/combining_marks.py", "nfc", "normalize"): "rows of marks are sorted before",
    (
        "ace/claims/language/identification.py",
        "probabilities",
        "rank",
    ): "counts pairs of bytes, of texts whose size is bounded",
    ("ace/claims/readers/formulas.py", "_multiscripts", "index"): "once for each element that closes",
    ("ace/claims/readers/languages.py", "_another", "normalize"): _CUT,
    ("ace/claims/readers/languages.py", "_plain", "normalize"): _CUT,
    ("ace/claims/readers/layout.py", "_at_start", REPEATED): "each match begins where the last one ended",
    ("ace/claims/readers/markdown.py", "_emphasis", "index"): "within the match that was just found",
    (
        "ace/claims/readers/layout.py",
        "_first_other",
        REPEATED,
    ): "once for each heading, of which 200 are looked at",
    (
        "ace/claims/readers/status.py",
        "_meant",
        "get_close_matches",
    ): "a word of an identifier of 40 characters",
    ("ace/claims/terms.py", "_without_numerals", REPEATED): "the words of a term, one after the other",
    ("ace/desk/filing.py", "_analyses", "loads"): _OF_STORE,
    ("ace/desk/filing.py", "claim", "index"): "once, among at most 1,000 numbers",
    ("ace/desk/filing.py", "evaluations_of", "loads"): _OF_STORE,
    ("ace/desk/filing.py", "shown_claims", "from_json"): _OF_STORE,
    ("ace/desk/pages.py", "problem_of", "loads"): "an answer that the API itself just made",
    ("ace/desk/search.py", "understood", REPEATED): "each search goes on behind the one before",
    (
        "ace/expert/prompt/instructions.py",
        "_as_read",
        "normalize",
    ): "rows of marks are sorted before, by `nfc`",
    ("ace/expert/prompt/instructions.py", "_load", "loads"): _OURS,
    ("ace/expert/client/probing.py", "_ask", "loads"): _OF_ANSWER,
    ("ace/expert/examiner/server.py", "_target", "from_json"): _OF_STORE,
    (
        "ace/expert/prompt/blocks.py",
        "content_of",
        REPEATED,
    ): "a text cannot hold the digest of itself, so one search is enough",
    ("ace/expert/prompt/copt.py", "_load", "loads"): _OURS,
    ("ace/expert/prompt/copt.py", "_read_v1", REPEATED): _BEFORE_A_SLICE,
    ("ace/expert/prompt/copt.py", "_read_v2", REPEATED): _BEFORE_A_SLICE,
    ("ace/expert/prompt/rationale.py", "read_object", "model_validate_json"): _OF_ANSWER,
    (
        "ace/expert/prompt/verification.py",
        "_place",
        REPEATED,
    ): "each search begins behind the last; quotations have 400 characters",
    ("ace/expert/prompt/verification.py", "_plain", "normalize"): "a single character",
    (
        "ace/expert/protocol/admission.py",
        "Admission._wait",
        "remove",
    ): "once, of a queue whose length is bounded",
    ("ace/expert/protocol/chat.py", "read_request", "model_validate_json"): "the server bounds what it reads",
    (
        "ace/expert/protocol/instances.py",
        "with_renamed_fields",
        "loads",
    ): "an answer that this product made for a test",
    ("ace/flow/analysing.py", "_of_set", "from_json"): _OF_STORE,
    ("ace/flow/analysing.py", "_with_analyses", "loads"): "what a bounded process made, within its time",
    ("ace/gatekeeper/model_files.py", "_json", "loads"): _OURS,
    ("ace/gatekeeper/scoring_threads.py", "ScoringThreads.batched", "encode_batch"): "as PairTokenizer._ids",
    ("ace/gatekeeper/tokens.py", "PairTokenizer.__init__", "from_file"): _OURS,
    (
        "ace/gatekeeper/tokens.py",
        "PairTokenizer._ids",
        "encode_batch_fast",
    ): "texts are cut before, and the interpreter is free",
    ("ace/gatekeeper/tokens.py", "PairTokenizer.marked", "encode_batch"): "for training only",
    ("ace/gatekeeper/tokens.py", "PairTokenizer.place", "encode_batch"): "the text is cut before",
    ("ace/gatekeeper/torch_engine.py", "load_scorer", "eval"): "of a module of torch: it evaluates nothing",
    ("ace/gatekeeper/torch_engine.py", "load_scorer", "loads"): _OURS,
    ("ace/store/pauses.py", "unknown", "get_close_matches"): "names of at most 100 characters",
    ("ace/store/workers.py", "missed", "remove"): "the processes of an installation",
    ("ace/workers/messages.py", "checked", "validate_json"): "a message of the broker, written by no client",
    (
        "ace/store/assignment.py",
        "assign",
        "remove",
    ): "the claims that a dispatcher looks at, which its statement bounds",
    ("ace/webhooks/sending.py", "resolve", "getaddrinfo"): "the length of a URL is bounded",
}


def _files() -> Iterator[tuple[str, ast.Module]]:
    product = Path(ace.__path__[0])
    for root in (*(product / each for each in READING), Path(ace.workers.__path__[0])):
        assert root.exists(), f"{root} has moved: look for its calls where it is now"
        for path in [root] if root.is_file() else sorted(root.rglob("*.py")):
            yield path.relative_to(product.parent).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def suspects(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(function that contains it, what is suspect) for each suspected call of a module."""
    yield from _within("", tree)


def _within(place: str, node: ast.AST) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        inner = place
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{place}.{child.name}".lstrip(".")
        if isinstance(child, ast.Call) and (name := _suspect(child)):
            yield place, name
        if isinstance(child, ast.While) and any(map(_searches, ast.walk(child))):
            yield place, REPEATED
        yield from _within(inner, child)


def _suspect(call: ast.Call) -> str | None:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in {"encode", "decode"} and any(getattr(each, "value", "") == "idna" for each in call.args):
        return "idna"
    if (
        name == "encode"
        and isinstance(call.func, ast.Attribute)
        and "tokenizer" in ast.unparse(call.func.value)
    ):
        return "encode_batch"
    return name if name in SUSPECT else None


def _searches(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SEARCHES


def test_each_call_that_is_not_known_to_be_linear_has_its_reason() -> None:
    found = {(file, place, name) for file, tree in _files() for place, name in suspects(tree)}
    assert sorted(found - ALLOWED.keys()) == []  # find out why it is harmless, or let `ace.bounded` run it
    assert sorted(ALLOWED.keys() - found) == []  # gone: so goes its reason
    assert all(ALLOWED.values())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(x): return unicodedata.normalize('NFC', x)", [("f", "normalize")]),
        ("class A:\n def f(self, x): return SequenceMatcher(None, x, x)", [("A.f", "SequenceMatcher")]),
        ("def f(x):\n while (y := P.sub('', x)) != x: x = y", [("f", REPEATED)]),
        ("def f(x): return x.encode('idna')", [("f", "idna")]),
        ("def f(self, x): return self._tokenizer.encode(x)", [("f", "encode_batch")]),
        ("def f(x): return x.encode() + str(len(x))", []),
    ],
)
def test_such_calls_are_found(source: str, expected: list[tuple[str, str]]) -> None:
    assert list(suspects(ast.parse(source))) == expected


def test_integers_of_thousands_of_digits_are_refused_before_they_are_read() -> None:
    assert 0 < sys.get_int_max_str_digits() <= 4_300
    with pytest.raises(ValueError, match="out of range"):
        from_json(b"[" + b"1" * 1_000_000 + b"]")
