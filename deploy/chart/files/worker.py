import os, socket
import psycopg, redis
broker = redis.Redis.from_url(os.environ["ACE_BROKER_URL"], socket_timeout=3)
here = broker.client_info()["addr"].rsplit(":", 1)[0]
waits = any(
    one["cmd"] == "brpop" and int(one["idle"]) < 30 and one["addr"].rsplit(":", 1)[0] == here
    for one in broker.client_list()
)
if not waits:
    mine = "%@" + socket.gethostname() + ":%"
    with psycopg.connect(os.environ["ACE_DATABASE_URL"], connect_timeout=3) as db:
        asked = db.execute("SELECT 1 FROM leases WHERE worker LIKE %s AND until > now()", [mine])
        raise SystemExit(asked.fetchone() is None)
