"""What was computed from the database and still holds: a value is kept with what was seen when it was made.

Truth stays in PostgreSQL: who asks reads first what could have changed, and gets the kept value only if that is equal.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")


class Kept:
    """At most `most` values, those asked for last; for any number of threads."""

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, tuple[object, Any]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, seen: object, make: Callable[[], T]) -> T:
        """The value kept under `key` if it was made of `seen`; else a new one. Two threads may make the same one."""
        with self._lock:
            held = self._values.get(key)
            if held is not None:
                self._values.move_to_end(key)
        if held is not None and (held[0] is seen or held[0] == seen):
            found: T = held[1]
            return found
        made = make()
        with self._lock:
            self._values[key] = (seen, made)
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return made
