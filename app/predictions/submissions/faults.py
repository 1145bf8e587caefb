"""What is wrong with submitted answers, by line, and what to do about it; the first ten are told.

Reading ends where enough is wrong: whoever sends nonsense is not to keep a processor busy with 200 MB of it.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from app.core.errors import BadSubmission

MOST_TOLD = 10
MOST_FAULTS = 100
MOST_BAD_BYTES = 2_000_000
"""So many faults, or bytes of values that are wrong, end the reading."""


class Fault(NamedTuple):
    """One thing that is wrong; `line` is None for what no line is to blame for."""

    line: int | None
    said: str

    def __str__(self) -> str:
        return self.said if self.line is None else f"line {self.line:,}: {self.said}"


class Unreadable(Exception):
    """Nothing after this point can be read, so that reading ends with this fault."""

    def __init__(self, said: str, line: int | None = None) -> None:
        super().__init__(said)
        self.fault = Fault(line, said)


@dataclass
class Faults:
    """The faults of one submission, in the order in which they were found."""

    told: list[Fault] = field(default_factory=list)
    count: int = 0
    bad_bytes: int = 0
    ended_at: int | None = None
    """The line after which nothing was read, because enough was wrong."""

    def add(self, line: int | None, said: str, size: int = 0) -> None:
        """One more, of a value of `size` bytes; kept where it is among the first ten."""
        self.count += 1
        self.bad_bytes += size
        if len(self.told) < MOST_TOLD:
            self.told.append(Fault(line, said))

    @property
    def are_enough(self) -> bool:
        """Whether reading on would tell nobody more."""
        return self.count >= MOST_FAULTS or self.bad_bytes >= MOST_BAD_BYTES

    def refuse(self) -> None:
        """Raise BadSubmission where there are any."""
        if self.count:
            raise BadSubmission(self.count, [(fault.line, fault.said) for fault in self.told], self.ended_at)
