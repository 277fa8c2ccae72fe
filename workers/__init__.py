"""The processes that Celery runs and the dispatcher that feeds them. Nothing else imports Celery.

The folder stands at the top of the repository and is the package `ace.workers`.
"""

if __name__ != "ace.workers":
    message = f"since 0.3.0 the package {__name__!r} of ACE is 'ace.workers': import it by that name"
    raise ImportError(message)
