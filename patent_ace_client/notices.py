"""The feed of events, as the API answers it. The audit trail of an evaluation is in evaluations.py."""

from datetime import datetime

from patent_ace_client.literals import AnyNoticeKind, AnyVerdict
from patent_ace_client.model import Model


class NoticeData(Model):
    """What an event is about; which fields are given depends on its type. `link` is relative to the API."""

    evaluation: str | None = None
    filing: str | None = None
    claim: int | None = None
    verdict: AnyVerdict | None = None
    error_class: str | None = None
    error: str | None = None
    webhook: str | None = None
    reason: str | None = None
    link: str


class Notice(Model):
    """Something that has happened. Its id is the same in the feed and in a webhook's header `webhook-id`."""

    id: str
    type: AnyNoticeKind
    timestamp: datetime
    data: NoticeData


class StreamedNotice(Notice):
    """An event of a stream; `cursor` is where a stream, or a page, goes on after it."""

    cursor: str


class NoticePage(Model):
    """Events in their order, oldest first; `next` is the cursor of what comes after them."""

    events: tuple[Notice, ...]
    next: str
