"""Running failed evaluations again, keys, and the state of the API."""

import json
from collections.abc import Sequence
from typing import Final

from patent_ace_client._async.connection import AsyncConnection
from patent_ace_client._async.sending import given
from patent_ace_client.administration import Expert, Experts, Key, Keys, NewKey, ProblemDescription, Ready
from patent_ace_client.literals import Scope

_JSON: Final = {"Content-Type": "application/json"}


class AsyncOrdering(AsyncConnection):
    """What keys with the scopes `replay` and `admin` may do, and what needs no key."""

    async def replay(self, evaluation_id: str) -> list[str]:
        """Runs a failed evaluation again; empty if it was not failed."""
        response = await self._sender.request("POST", f"/v1/evaluations/{evaluation_id}/replay")
        return [str(id_) for id_ in response.json()["replayed"]]

    async def replay_where(
        self,
        *,
        error: str | None = None,
        docket: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int = 1_000,
    ) -> list[str]:
        """Runs the oldest matching failed evaluations again; times are RFC 3339.

        Never retried: a second request would replay the next ones that failed.
        """
        which = given(error=error, docket=docket, since=since, until=until)
        content = json.dumps({"filter": which, "limit": limit}).encode()
        response = await self._sender.request(
            "POST", "/v1/replays", retries=0, content=content, headers=_JSON
        )
        return [str(id_) for id_ in response.json()["replayed"]]

    # Keys and the expert, for a key with the scope admin

    async def make_key(
        self,
        label: str,
        *,
        scopes: Sequence[Scope] | None = None,
        requests_per_second: float | None = None,
        expires_in_seconds: int | None = None,
        test: bool = False,
    ) -> NewKey:
        """Creates a key of the same tenant. It is shown only once; the request is never retried.

        What a `test` key files is decided by the gatekeeper and the rules alone, and purged after a day.
        """
        wanted = given(
            label=label,
            scopes=scopes,
            requests_per_second=requests_per_second,
            expires_in_seconds=expires_in_seconds,
            test=test or None,
        )
        content = json.dumps(wanted).encode()
        return await self._sender.post(NewKey, "/v1/keys", retries=0, content=content, headers=_JSON)

    async def list_keys(self) -> list[Key]:
        """The tenant's keys that are not revoked, oldest first."""
        return list((await self._sender.get(Keys, "/v1/keys")).keys)

    async def revoke_key(self, key_id: str) -> bool:
        """Revokes a key immediately; False if it was already revoked."""
        response = await self._sender.request("POST", f"/v1/keys/{key_id}/revoke")
        return bool(response.json()["revoked"])

    async def experts(self) -> list[Expert]:
        """The servers of the expert, by name."""
        return list((await self._sender.get(Experts, "/v1/experts")).experts)

    # For everybody

    async def alive(self) -> bool:
        """Whether the API's process answers. Raises `Unreachable` if it does not."""
        response = await self._sender.request("GET", "/healthz")
        return bool(response.json()["status"] == "ok")

    async def ready(self) -> Ready:
        """The state of everything that the API needs; raises `Unreachable` if a part is missing."""
        return await self._sender.get(Ready, "/readyz", retries=0)

    async def metrics(self) -> str:
        """The API's metrics in the text format of Prometheus."""
        return (await self._sender.request("GET", "/metrics")).text

    async def problem(self, name: str) -> ProblemDescription:
        """What a type of problem means: the end of a problem's `type`, such as "backlog_full"."""
        return await self._sender.get(ProblemDescription, f"/problems/{name}")
