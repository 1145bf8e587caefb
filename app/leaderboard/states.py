"""How the answers of one run ended, as its board counts them, and what they came to. Reads board_aggregate."""

from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.leaderboard import queries
from app.scores.profiles import default_profile
from app.scores.withholding import step_of_mean


class States(BaseModel):
    """How many of the predictions that a run owes ended how, of all repeats and rotations."""

    model_config = ConfigDict(frozen=True)

    correct: int = 0
    wrong: int = 0
    unparseable: int = Field(default=0, description="answered, but no value could be read")
    no_answer: int = Field(default=0, description="says that it does not know; counts 0 in the mean")
    error: int = Field(
        default=0, description="Trigpoint or the endpoint failed; the run is incomplete and not ranked"
    )
    missing: int = Field(default=0, description="not answered, or not scored yet")

    @property
    def answers(self) -> int:
        """Answers that were given and looked at."""
        return self.correct + self.wrong + self.unparseable

    @property
    def read_rate(self) -> float | None:
        """The share of them that could be read."""
        return (self.correct + self.wrong) / self.answers if self.answers else None

    @property
    def is_badly_read(self) -> bool:
        """Whether fewer than 98 % of them could."""
        return 100 * (self.correct + self.wrong) < 98 * self.answers


class Result(NamedTuple):
    """What the answers of a run came to, over all questions that it was asked.

    The score is in shares of 1, with its 95 % interval; null for a run that is not complete. `step` is None where no
    hidden question counts. `truncated` answers ended because the limit on tokens was reached.
    """

    states: States
    truncated: int
    score: float | None
    low: float | None
    high: float | None
    step: float | None


def read_result(connection: Connection, run_id: int) -> Result | None:
    """What the run's answers came to; None before it is scored."""
    binds = {"run_id": run_id, **default_profile().version_binds()}
    found = connection.execute(queries.RESULT_OF_RUN, binds).one_or_none()
    if found is None:
        return None
    step = step_of_mean(found.hidden, found.questions) if found.n == found.questions else None
    return Result(States(**found.states), found.truncated or 0, found.score, found.low, found.high, step)
