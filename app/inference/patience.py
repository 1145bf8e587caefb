"""How long an answer is waited for: longer where the endpoint has been slow, and after calls that timed out."""

from collections import deque

SEEN = 64
"""So many latencies, the latest, are looked at."""
OF_SLOWEST = 4.0
"""Times the slowest of them: a call that is made beside more others takes longer than those before."""
LONGEST = 10.0
"""Times the usual patience: a call that takes longer is taken as lost."""
LONGEST_UNANSWERED = 4.0
"""The same while the endpoint has answered nothing at all."""


class Patience:
    """The patience with one endpoint; `usual` seconds at first, for ever where that `is_fixed`."""

    def __init__(self, usual: float, *, is_fixed: bool = False) -> None:
        self._usual = usual
        self._is_fixed = is_fixed
        self._latencies: deque[float] = deque(maxlen=SEEN)
        self._in_vain = 0
        """Calls that timed out before the first answer."""

    def note(self, seconds: float) -> None:
        """A call was answered after so long."""
        self._latencies.append(seconds)

    def note_timeout(self) -> None:
        """A call timed out. Before the first answer all calls then wait longer: the endpoint may only be slow."""
        self._in_vain += not self._latencies

    def seconds(self, timed_out: int) -> float:
        """How long to wait for a call of which so many tries timed out."""
        if self._is_fixed:
            return self._usual
        slowest = max(self._latencies, default=0.0)
        doublings = timed_out if self._latencies else max(timed_out, self._in_vain)
        wanted = max(self._usual * 2.0**doublings, OF_SLOWEST * slowest)
        return float(min(wanted, self._usual * (LONGEST if self._latencies else LONGEST_UNANSWERED)))
