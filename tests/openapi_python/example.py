"""A program that uses a client which openapi-python-client made of the OpenAPI document.

`example.py URL KEY FILE.docx` files a claim set, waits for it, and prints what it got as JSON.
"""

import io
import json
import sys
from pathlib import Path

from ace_generated import AuthenticatedClient
from ace_generated.api.evaluations import list_evaluations
from ace_generated.api.filings import get_filing, submit_filing, submit_filings
from ace_generated.models import FilingAccepted, FilingIn, FilingOut, Problem
from ace_generated.types import File

url, key, document = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)
told = {}

filed = submit_filing.sync(
    client=client,
    body=FilingIn(docket="P-1", claims="1. A bracket comprising a plate.", priority=3),
    idempotency_key="first",
)
assert isinstance(filed, FilingAccepted)
settled = get_filing.sync(filed.filing, client=client, prefer="wait=30")
assert isinstance(settled, FilingOut)
told["settled"] = [settled.docket, settled.settled, settled.evaluations[0].verdict.value]

refused = submit_filing.sync(client=client, body=FilingIn(docket="P-1", claims="1. A hook.\n1. A plate."))
assert isinstance(refused, Problem)
told["refused"] = [refused.type_, refused.status, refused.errors[0].pointer, refused.errors[0].code]

unknown = get_filing.sync("00000000-0000-0000-0000-000000000000", client=client)
assert isinstance(unknown, Problem)
told["unknown"] = [unknown.type_, unknown.title, unknown.status, unknown.errors or None]

stranger = list_evaluations.sync(client=AuthenticatedClient(base_url=url, token="ace_none"))
assert isinstance(stranger, Problem)
told["stranger"] = [stranger.type_, stranger.status]

with Path(document).open("rb") as opened:
    kept = submit_filing.sync(client=client, body=File(opened), docket="P-2")
assert isinstance(kept, FilingAccepted)
told["document"] = [one.claim for one in kept.evaluations]

lines = [json.dumps({"docket": "P-3", "claims": "A hook."}), "nonsense"]
upload = submit_filings.sync_detailed(client=client, body=File(io.BytesIO("\n".join(lines).encode())))
told["lines"] = [json.loads(line)["status"] for line in upload.content.splitlines()]

print(json.dumps(told))
