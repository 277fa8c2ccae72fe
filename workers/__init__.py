"""The processes that Celery runs and the dispatcher that feeds them. Nothing else imports Celery."""
