"""Inside a container: whether its service is well, for the health checks of docker-compose.yml; exit 1 when not.

Reads the environment; asks the service, never the database. usage: health.py api | worker | beat
"""

import os
import socket
import sys
import urllib.request


def api_is_well() -> bool:
    """The API answers, and says that its database does."""
    port = os.environ.get("TRIGPOINT_HTTP_PORT", "8080")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/health", timeout=4) as answer:
        return int(answer.status) == 200


def worker_is_well() -> bool:
    """The worker of this container answers a ping."""
    from celery import Celery

    with Celery(broker=os.environ["TRIGPOINT_REDIS_URL"]) as celery:
        answers = celery.control.ping(timeout=4) or []
    return any(name.endswith(f"@{socket.gethostname()}") for answer in answers for name in answer)


def beat_is_well() -> bool:
    """The schedule of this container has sent a message of late (`workers/beat.py`)."""
    import redis

    with redis.Redis.from_url(os.environ["TRIGPOINT_REDIS_URL"], socket_timeout=4) as client:
        return bool(client.exists(f"trigpoint:beat:{socket.gethostname()}"))


CHECKS = {"api": api_is_well, "worker": worker_is_well, "beat": beat_is_well}

if __name__ == "__main__":
    try:
        well = CHECKS[sys.argv[1]]()
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        well = False
    sys.exit(0 if well else 1)
