"""The registry of problem types: every `type` that a problem document of the API can have.

The OpenAPI document, `GET /problems/{slug}` and the page in the docs are made from it; tests compare every
answer with it. A slug never changes: programs compare it.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple


class ProblemType(NamedTuple):
    """One type: its stable name, its HTTP status, what it means and what the client can do."""

    slug: str
    status: int
    title: str
    meaning: str
    remedy: str

    @property
    def uri(self) -> str:
        """The `type` of its documents, relative to the root of the API, where it is described."""
        return f"/problems/{self.slug}"


_P: Final = ProblemType
_SHORTER: Final = "Send less."
_LATER: Final = "Try again after `Retry-After` seconds."
_FILE: Final = "Correct the file, or send its claims as text."

KEYED: Final = (
    _P("unauthorised", 401, "No valid key", "The key is missing, wrong or revoked.",
       "Send `Authorization: Bearer ace_…` with a key in force."),
    _P("key_expired", 401, "Key expired", "The key was valid and has expired.",
       "Use another key of the tenant; an admin can make one."),
    _P("forbidden", 403, "Scope missing", "The key lacks the scope that `WWW-Authenticate` names.",
       "Use a key that has the scope."),
    _P("too_many_requests", 429, "Too many requests", "The key exceeds its requests per second.", _LATER),
    _P("unavailable", 503, "A part cannot serve", "`part` names the part that cannot serve,"
       " `cause` says why.", _LATER),
    _P("invalid_input", 422, "Fields do not fit", "A field, parameter or header is unknown, missing or"
       " outside its limits; `errors` names each.", "Correct what `errors` names."),
)  # fmt: skip
"""What every route with a key may answer."""

NOT_FOUND: Final = _P("not_found", 404, "Not found", "It does not exist, or it belongs to another tenant.",
                      "Check the path and the id.")  # fmt: skip

BODIES: Final = (
    _P("malformed_json", 400, "Malformed JSON", "The body or line is not JSON.",
       "Send one JSON value without trailing commas or comments."),
    _P("invalid_utf8", 400, "Not UTF-8", "The text is not valid UTF-8.", "Encode it as UTF-8."),
    _P("empty_body", 400, "Empty body", "The request has no body.", "Send one."),
    _P("malformed_encoding", 400, "Not gzip", "The body is not gzip, as its `Content-Encoding` says, or it is"
       " cut off.", "Send it again, or without `Content-Encoding`."),
    _P("slow_body", 408, "Body too slow", "The body took too long to arrive.", "Send it again, faster."),
    _P("body_too_large", 413, "Body too large", "The body has more bytes than `limit`.", _SHORTER),
    _P("too_many_values", 413, "Too many values", "The JSON has more commas and brackets than `limit`.",
       _SHORTER),
    _P("input_too_long", 413, "Fields too long", "A list has more entries, or a text more characters, than"
       " `limit`.", "Shorten what `errors` names."),
    _P("unsupported_media_type", 415, "Media type not supported", "The route does not accept this"
       " `Content-Type`, a charset other than UTF-8, or a `Content-Encoding` other than gzip.",
       "Send one of the types that `detail` names."),
    _P("too_many_bytes", 429, "Too many bytes at once", "The tenant, or the process, holds as many bytes of"
       " bodies as it may.", _LATER),
)  # fmt: skip
"""What a route that takes a JSON body may answer."""

CLAIMS: Final = (
    _P("empty_set", 422, "No claim", "No claim was found.", "Send at least one claim."),
    _P("check_too_slow", 422, "Claims take too long", "Reading and checking the claims takes more processor"
       " time than `limit`.", "Split the set, or shorten its longest claims."),
    _P("check_crashed", 422, "Claims cannot be checked", "The process that read these claims ended.",
       "Report it; other claims are not affected."),
    _P("claim_too_long", 413, "Claim too long", "A claim has more characters than `limit`.", _SHORTER),
    _P("set_too_long", 413, "Claim set too long", "The claims have more characters together than `limit`.",
       "Split the set."),
    _P("too_many_claims", 413, "Too many claims", "The set has more claims than `limit`.", "Split the set."),
    _P("unsupported_type", 415, "Not a known file", "The content is not text, DOCX or XML of claims; `detail`"
       " names its format.", _FILE),
    _P("not_english", 422, "Not in English", "The claims that `detail` names are in another language.",
       "Send an English translation."),
    _P("too_many_checks", 429, "Claims are still being read", "Other claims of the tenant are still being"
       " read or checked.", _LATER),
)  # fmt: skip
"""What a route that reads claims may answer."""

FILES: Final = (
    _P("invalid_utf16", 400, "Not UTF-16", "The text is not valid UTF-16.", "Encode it as UTF-8."),
    _P("file_too_large", 413, "File too large", "The file has more bytes than `limit`.", _SHORTER),
    _P("xml_too_large", 413, "XML too large", "The XML has more elements than `limit`.", _SHORTER),
    _P("zip_bomb", 413, "Unpacks to too much", "A part of the archive unpacks to more than `limit`.", _FILE),
    _P("type_mismatch", 415, "Another type than stated", "The content is not of the type that `Content-Type`"
       " states.", "Send the `Content-Type` of the file."),
    _P("malformed_xml", 422, "Malformed XML", "The XML is not well-formed or its encoding unknown.", _FILE),
    _P("xml_too_deep", 422, "XML too deep", "Elements are nested deeper than `limit`.", _FILE),
    _P("too_many_attributes", 422, "Too many attributes", "An element has more attributes than `limit`.",
       _FILE),
    _P("attribute_too_long", 422, "Attribute too long", "An attribute or tag is longer than `limit`.", _FILE),
    _P("entities_declared", 422, "Entities declared", "The XML declares entities, which are not resolved.",
       "Remove the declarations."),
    _P("no_claims", 422, "No claims in the XML", "The XML contains no claims in a known format.", _FILE),
    _P("malformed_zip", 422, "Damaged archive", "The DOCX is damaged or is not a zip archive.", _FILE),
    _P("embedded_document", 422, "Document in the document", "The DOCX shows another document, which is not"
       " read.", "Open it in Word and save it as a new document."),
    _P("encrypted", 422, "Encrypted", "The DOCX is encrypted.", "Remove its password."),
    _P("too_many_entries", 422, "Too many parts", "The archive has more entries than `limit`.", _FILE),
    _P("not_beside_json", 422, "Parameter beside JSON", "A query parameter states what belongs in the JSON"
       " body.", "Move it into the body."),
    _P("missing", 422, "Parameter missing", "A file needs the query parameter that `errors` names.",
       "Add it."),
)  # fmt: skip
"""What a route that takes files of claims may answer beyond that."""

FILINGS: Final = (
    _P("empty_claim", 422, "Empty claim", "A claim has a number but no text.",
       "Add its text, or mark it as canceled."),
    _P("no_claim_numbers", 422, "Claims cannot be separated", "Lines begin with numbers, but not in a form"
       " that claims use.", "Number the claims “1.”, “2.”, …, or send them as a list."),
    _P("lettered_number", 422, "Claim number with a letter", "A claim has a number such as 1A.",
       "Number the claims consecutively, without letters."),
    _P("number_out_of_range", 422, "Claim number out of range", "A claim's number is 0 or above `limit`.",
       "Number the claims from 1."),
    _P("duplicate_number", 422, "Claim number used twice", "Two claims have the same number.",
       "Give each claim its own number."),
    _P("control_character", 422, "Control character", "The text contains a control character.", "Remove it."),
    _P("several_documents", 422, "Several documents", "The file contains several XML documents.",
       "Send one document."),
    _P("several_sets", 422, "Several claim sets", "The XML contains several claim sets.", "Keep only one."),
    _P("nothing_pending", 422, "Nothing to evaluate", "Every claim of the set is canceled.",
       "Send at least one claim that is not canceled."),
    _P("bad_idempotency_key", 422, "Idempotency key refused", "The `Idempotency-Key` is empty, too long or"
       " not visible ASCII.", "Send 1 to 255 visible ASCII characters."),
    _P("idempotency_key_reused", 422, "Idempotency key used before", "The key came with a different body.",
       "Use a new key for a new body."),
    _P("backlog_full", 429, "Backlog full", "As many claims of the tenant wait for a verdict as may wait.",
       _LATER),
)  # fmt: skip
"""What a route that stores filings may answer beyond that."""

OWN: Final = (
    _P("line_too_long", 413, "Line too long", "A line of an upload has more bytes than `limit`.", _SHORTER),
    _P("bad_cursor", 422, "Cursor refused", "The cursor does not belong to this list.",
       "Use `next` of the page before, with the same filter."),
    _P("too_many_waits", 429, "Too many waits", "As many requests of the tenant wait with `Prefer: wait` as"
       " may wait.", _LATER),
    _P("no_verdict", 409, "No verdict yet", "The evaluation has no verdict to review.",
       "Review it when it is decided."),
    _P("nothing_to_adjudicate", 409, "Nothing to adjudicate", "Nobody has reviewed this yet.",
       "Send the status `reviewed`."),
    _P("label_mismatch", 422, "Label does not fit", "The label contradicts the answer, or is missing.",
       "Give the right class with a disagreement, and none if you are unsure."),
    _P("span_outside", 422, "Span outside the claim", "A span ends beyond the claim's text, or is empty.",
       "Count code points of the claim's text."),
    _P("bad_term", 422, "Term refused", "A term is too long, has no letter, or its words cannot be read as"
       " one.",
       "Correct the term that `errors` names."),
    _P("too_many_terms", 409, "Too many terms", "The term list has the maximum number of terms of a kind.",
       "Remove one first."),
    _P("text_purged", 410, "Text purged", "The text of the filing was removed; its verdicts remain.",
       "Read its evaluations."),
    _P("too_many_keys", 409, "Too many keys", "The tenant has the maximum number of active keys.",
       "Revoke one first."),
    _P("operate_for_tests", 409, "Not for tests", "A test key cannot have the scope `operate`, which reaches"
       " beyond tests.", "Leave the scope out."),
    _P("unknown_endpoint", 422, "Unknown endpoint", "The expert has no endpoint of this name.",
       "Use a name that `GET /v1/experts` lists."),
    _P("unknown_tenant", 404, "Unknown tenant", "No tenant has this name: none has a key or a filing.",
       "Correct the name; `detail` may suggest one."),
    _P("own_key", 409, "A key's own revocation", "A key cannot revoke itself.",
       "Revoke it with another key."),
    _P("url_refused", 422, "URL refused", "A webhook cannot have this URL: it is not https, or it names an"
       " address that nothing is sent to.", "Use an https URL of the public network; the operator can allow"
       " others."),
    _P("too_many_webhooks", 409, "Too many webhooks", "The tenant has the maximum number of webhooks.",
       "Delete one first."),
    _P("model_state", 409, "Not in this state", "The state of this model, or of another one, does not"
       " allow this; `detail` says why.", "Look at `GET /v1/models`."),
    _P("report_missing", 409, "No report", "A model is promoted only with its evaluation report.",
       "Propose it again with the report that `ace evaluate` writes."),
    _P("not_ready", 503, "Not ready", "`missing` names the parts that are not ready.", _LATER),
    _P("method_not_allowed", 405, "Method not allowed", "The path exists, but not for this method.",
       "Use a method that `Allow` names."),
    _P("internal_error", 500, "Internal error", "ACE failed; its log has the details under `instance`.",
       "Report the `instance`."),
)  # fmt: skip
"""What single routes answer, and what no route is for."""

SECTIONS: Final[Mapping[str, tuple[ProblemType, ...]]] = {
    "Keys and every request": (*KEYED, NOT_FOUND),
    "Bodies": BODIES,
    "Claims": CLAIMS,
    "Files": FILES,
    "Filings": FILINGS,
    "Others": OWN,
}
TYPES: Final[Mapping[str, ProblemType]] = {one.slug: one for section in SECTIONS.values() for one in section}


def named(*slugs: str) -> tuple[ProblemType, ...]:
    """These types."""
    return tuple(TYPES[slug] for slug in slugs)
