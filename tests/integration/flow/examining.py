"""An expert worker's share of one message, in this process."""

import random
from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import Engine

from ace import flow
from ace.expert.client.control import ControlledExpert
from ace.expert.client.opinions import NO_SECOND, Expert, Opinions
from ace.types.endpoints import ONLY
from tests import fakes


def examine_by(
    db: Engine, token: UUID, experts: Expert | Mapping[str, Expert], opinions: Opinions = NO_SECOND
) -> bool:
    """`flow.examine` by one expert, or by several, by the names of their endpoints."""
    named = experts if isinstance(experts, Mapping) else {ONLY: experts}
    return flow.examine(
        db,
        token,
        {name: ControlledExpert(expert, name) for name, expert in named.items()},
        fakes.holding,
        checks=fakes.Checks(),
        lease_seconds=10,
        worker="w",
        rng=random.Random(1),
        opinions=opinions,
    )
