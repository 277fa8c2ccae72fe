import os, socket
import psycopg
mine = "dispatcher@" + socket.gethostname() + ":%"
with psycopg.connect(os.environ["ACE_DATABASE_URL"], connect_timeout=3) as db:
    asked = db.execute(
        "SELECT 1 FROM pg_stat_activity WHERE application_name LIKE %s"
        " AND state_change > now() - interval '30 seconds'", [mine])
    raise SystemExit(asked.fetchone() is None)
