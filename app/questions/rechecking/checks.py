"""What a benchmark's package brings to recheck the keys of data sets that others published."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from app.core.registers import Register

VerdictName = Literal["agrees", "contradicts", "cannot be checked"]
AGREES: VerdictName = "agrees"
CONTRADICTS: VerdictName = "contradicts"
UNCHECKED: VerdictName = "cannot be checked"
VERDICTS: tuple[VerdictName, ...] = (AGREES, CONTRADICTS, UNCHECKED)


@dataclass(frozen=True)
class KeyedQuestion:
    """A stored question with its key; `key` is its place in the files, `told` what else they say of it."""

    id: str
    key: str
    template: str
    text: str
    """The words of its prompt."""
    context: str | None
    """The text of its context; None where it has none."""
    options: Sequence[str] | None
    gold: Mapping[str, Any]
    gold_kind: str
    told: Mapping[str, Any]


class Finding(NamedTuple):
    """What became of one key: `check` names the kind of computation, `working` shows it or says why there is none.

    `fault` is what is wrong with the question whatever its key is worth, such as two equal options; None where nothing
    is.
    """

    verdict: VerdictName
    check: str
    working: str
    fault: str | None = None

    @property
    def is_flagged(self) -> bool:
        """Whether boards can leave the question out: its key is contradicted, or the question has a fault."""
        return self.verdict == CONTRADICTS or self.fault is not None


Checker = Callable[[KeyedQuestion], Finding]
"""Pure. Where it is not sure what a question asks, or of what, its verdict is that the key cannot be checked."""
CHECKERS = Register[Checker]("rechecks", "check of published keys")


def find_checker(benchmark: str, format_name: str) -> Checker | None:
    """The checker for questions that were loaded from files of that format; None where the benchmark has none."""
    return CHECKERS.find(benchmark, format_name)
