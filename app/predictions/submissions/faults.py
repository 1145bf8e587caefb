"""What is wrong with submitted answers, by line, and what to do about it; the first ten are told, all are counted."""

from dataclasses import dataclass, field
from typing import NamedTuple

from app.core.errors import BadSubmission

MOST_TOLD = 10


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

    def add(self, line: int | None, said: str) -> None:
        """One more; kept where it is among the first ten."""
        self.count += 1
        if len(self.told) < MOST_TOLD:
            self.told.append(Fault(line, said))

    def refuse(self) -> None:
        """Raise BadSubmission where there are any."""
        if self.count:
            raise BadSubmission(self.count, [(fault.line, fault.said) for fault in self.told])
