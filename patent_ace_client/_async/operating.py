"""Looking after the work: pauses, jobs, models, who ordered what, workers and backlogs."""

from patent_ace_client._async.connection import AsyncConnection
from patent_ace_client._async.sending import given
from patent_ace_client.errors import NotFound
from patent_ace_client.literals import DecidedBy, ErrorClass, PauseKind, Verdict
from patent_ace_client.operating import (
    Act,
    Acts,
    Backlog,
    Backlogs,
    GatekeeperModel,
    GatekeeperModels,
    Job,
    Jobs,
    Pause,
    Pauses,
    RolledBack,
    Worker,
    Workers,
)


class AsyncOperating(AsyncConnection):
    """What keys with the scopes `read`, `replay`, `admin` and `operate` may do."""

    async def pauses(self) -> list[Pause]:
        """The pauses in force that concern the tenant, oldest first; with the scope operate all."""
        return list((await self._sender.get(Pauses, "/v1/pauses")).pauses)

    async def pause(self, kind: PauseKind, name: str, *, reason: str, drain: bool = False) -> Pause:
        """Dispatches nothing of a tenant, a stage or an endpoint until `resume`; needs the scope admin.

        With `drain`, messages that no worker has taken up are taken back too. What is paused stays paused.
        """
        body = {"kind": kind, "name": name, "drain": drain, "reason": reason}
        return await self._sender.post(Pause, "/v1/pauses", json=body)

    async def resume(self, pause_id: str, *, reason: str) -> bool:
        """Ends a pause; False if no such pause is in force."""
        try:
            await self._sender.request("POST", f"/v1/pauses/{pause_id}/resume", json={"reason": reason})
        except NotFound:
            return False
        return True

    async def jobs(self, *, limit: int = 50) -> list[Job]:
        """The newest jobs, newest first, up to 50."""
        return list((await self._sender.get(Jobs, "/v1/jobs", params={"limit": str(limit)})).jobs)

    async def job(self, job_id: str) -> Job:
        """A job with its progress."""
        return await self._sender.get(Job, f"/v1/jobs/{job_id}")

    async def order_job(
        self,
        *,
        reason: str,
        error: str | None = None,
        docket: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> Job:
        """Has all matching failed evaluations run again, however many; times are RFC 3339. Never retried."""
        which = given(error=error, docket=docket, since=since, until=until)
        return await self._sender.post(Job, "/v1/jobs", retries=0, json={"filter": which, "reason": reason})

    async def count_job(
        self,
        *,
        error: str | None = None,
        docket: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> int:
        """How many evaluations a job with this filter would run again now."""
        which = given(error=error, docket=docket, since=since, until=until)
        response = await self._sender.request("POST", "/v1/jobs/count", json={"filter": which})
        return int(response.json()["matched"])

    async def reevaluate(
        self,
        *,
        reason: str,
        docket: str | None = None,
        filing: str | None = None,
        verdict: Verdict | None = None,
        decided_by: DecidedBy | None = None,
        error_class: ErrorClass | None = None,
        model: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> Job:
        """Has the claims of all matching decided evaluations evaluated again, by the model and rules of now.

        Each gets a new evaluation; earlier verdicts stay as they are. `model` is the revision of the
        gatekeeper that judged them, `since` and `until` (RFC 3339) when they were decided. Never retried.
        """
        which = given(
            docket=docket,
            filing=filing,
            verdict=verdict,
            decided_by=decided_by,
            error_class=error_class,
            model=model,
            since=since,
            until=until,
        )
        body = {"filter": which, "reason": reason}
        return await self._sender.post(Job, "/v1/evaluations/reevaluate", retries=0, json=body)

    async def count_reevaluation(
        self,
        *,
        docket: str | None = None,
        filing: str | None = None,
        verdict: Verdict | None = None,
        decided_by: DecidedBy | None = None,
        error_class: ErrorClass | None = None,
        model: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> int:
        """How many claims `reevaluate` with this filter would have evaluated again now."""
        which = given(
            docket=docket,
            filing=filing,
            verdict=verdict,
            decided_by=decided_by,
            error_class=error_class,
            model=model,
            since=since,
            until=until,
        )
        path = "/v1/evaluations/reevaluate/count"
        response = await self._sender.request("POST", path, json={"filter": which})
        return int(response.json()["matched"])

    async def cancel_job(self, job_id: str, *, reason: str) -> Job:
        """Cancels a job; what it has done stays done, and one that has ended stays as it is."""
        return await self._sender.post(Job, f"/v1/jobs/{job_id}/cancel", json={"reason": reason})

    async def models(self) -> list[GatekeeperModel]:
        """The gatekeeper models, newest first; needs the scope operate, as all orders about them do."""
        return list((await self._sender.get(GatekeeperModels, "/v1/models")).models)

    async def promote_model(self, model_id: str, *, reason: str, share: float = 100) -> GatekeeperModel:
        """Lets a model decide `share` per cent of the filings: below 100 as a canary, at 100 in the place of
        the model that does. It needs its report. Never retried."""
        body = {"share": share, "reason": reason}
        return await self._sender.post(
            GatekeeperModel, f"/v1/models/{model_id}/promote", retries=0, json=body
        )

    async def shadow_model(self, model_id: str, *, reason: str, share: float = 5) -> GatekeeperModel:
        """Lets a model score `share` per cent of the filings once their verdicts stand."""
        body = {"share": share, "reason": reason}
        return await self._sender.post(GatekeeperModel, f"/v1/models/{model_id}/shadow", json=body)

    async def retire_model(self, model_id: str, *, reason: str) -> GatekeeperModel:
        """Gives up a proposed model or a shadow. Never retried."""
        path, body = f"/v1/models/{model_id}/retire", {"reason": reason}
        return await self._sender.post(GatekeeperModel, path, retries=0, json=body)

    async def roll_back_model(self, *, reason: str) -> RolledBack:
        """Undoes the last promotion: ends the canary, or brings back the model that was replaced. Never
        retried."""
        return await self._sender.post(RolledBack, "/v1/models/rollback", retries=0, json={"reason": reason})

    async def acts(self) -> list[Act]:
        """The tenant's newest acts, newest first; with the scope operate also those for all tenants."""
        return list((await self._sender.get(Acts, "/v1/acts")).acts)

    async def workers(self) -> list[Worker]:
        """The workers that hold something; needs the scope operate."""
        return list((await self._sender.get(Workers, "/v1/workers")).workers)

    async def backlogs(self) -> list[Backlog]:
        """The tenants with the most claims on their way, up to fifty; needs the scope operate."""
        return list((await self._sender.get(Backlogs, "/v1/backlogs")).backlogs)
