"""The Redis transport as Trigpoint uses it: a worker outlives its broker.

Where Redis goes away while a message is not acknowledged yet, kombu (5.7) tries to acknowledge it, or to put it back,
over the closed channel, and the worker ends of an AttributeError. Here that is an ordinary lost connection, and nothing
is put back: a message says no more than "look for work", and the sweepers send it again from what PostgreSQL holds.
"""

from typing import Any

from kombu.transport.redis import Channel as RedisChannel
from kombu.transport.redis import Transport as RedisTransport
from redis.exceptions import ConnectionError as RedisConnectionError


class Channel(RedisChannel):
    """A channel that forgets what it has not acknowledged, and says so when it is used after its end."""

    do_restore = False

    def _connparams(self, asynchronous: bool = False) -> Any:
        if getattr(self.connection, "client", None) is None:
            raise RedisConnectionError("the channel was closed when Redis went away")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]


class Transport(RedisTransport):
    """Redis, with such channels."""

    Channel = Channel
