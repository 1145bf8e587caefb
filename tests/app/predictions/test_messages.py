"""What messages travel over; tests/workers/test_hosts_long.py cuts a host off from it."""

import socket
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from app.core.settings import Settings
from app.predictions.messages import KEEPALIVES, make_celery
from tests.support.processes import private_redis


def test_connections_ask_whether_the_host_of_redis_lives(tmp_path: Path) -> None:
    with private_redis(tmp_path) as broker:
        settings = Settings.load().model_copy(update={"redis_url": SecretStr(broker.url)})
        with make_celery(settings).connection_for_write() as connection:
            channel: Any = connection.default_channel
            client = channel.client
            assert client.ping()
            (idle,) = client.connection_pool._available_connections
            assert idle._sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            assert {
                name: idle._sock.getsockopt(socket.IPPROTO_TCP, name) for name in KEEPALIVES
            } == KEEPALIVES
