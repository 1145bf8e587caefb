"""How many calls may be in flight at an endpoint: few at first, more while latency allows, fewer when it limits us.

Slow start, additive increase, multiplicative decrease (Jacobson, 1988; Chiu and Jain, 1989); latency is compared with
the best mean of a round, as TCP Vegas does (Brakmo and Peterson, 1995). `pacing.lua` does the same for all processes.
"""

QUICK = 1.0
"""Seconds: a mean latency below it never keeps the window from growing, since part of it is our own."""
STEEP, STEEPEST = 2.0, 3.0
"""Times the best mean of a round: beyond the first the window is not doubled any more, beyond the second it stays."""


class Window:
    """The window of one process, at most `most`."""

    def __init__(self, size: float, most: float) -> None:
        self.most = most
        self.size = min(most, max(1.0, size))
        self._is_starting = True
        self._best = float("inf")
        self._answered, self._seconds = 0.0, 0.0

    def note(self, answered: int, seconds: float) -> None:
        """So many calls were answered, which took `seconds` together.

        The window grows once in a round, which is as many answers as it holds.
        """
        if not answered:
            return
        self._answered += answered
        self._seconds += seconds
        if self._answered < self.size:
            return
        mean = self._seconds / self._answered
        self._best = min(mean, self._best)
        if mean > max(QUICK, STEEP * self._best):
            self._is_starting = False
        if self._is_starting:
            self.size = min(self.most, self.size + self._answered)
        elif mean <= max(QUICK, STEEPEST * self._best):
            self.size = min(self.most, self.size + self._answered / self.size)
        self._answered, self._seconds = 0.0, 0.0

    def shrink(self) -> None:
        """The endpoint limits us, or let a call time out."""
        self.size = max(1.0, self.size / 2)
        self._is_starting = False
        self._answered, self._seconds = 0.0, 0.0
