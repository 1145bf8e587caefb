"""The answers of a run to public questions, one by one. Read as the api role, which sees no others."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.published import queries_answers as queries
from app.published.models import Licensed
from app.questions.prompts import prompt_as_text
from app.scores.profiles import default_profile

State = Literal["answered", "no_answer", "error"]
Outcome = Literal["correct", "wrong", "unparseable"]


class RunAnswer(BaseModel):
    """What a run answered to a public question, and what became of it."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(description="its id")
    template: str
    repeat: int
    rotation: int
    text: str = Field(description="of the question")
    options: list[str] | None = Field(description="in the order of the data set; null if it has none")
    prompt: list[Any] | None = Field(
        description="the messages of the last chat call, as they were sent, but pictures by their names; null without a"
        " call"
    )
    state: str = Field(description="answered, no_answer or error")
    answer: str | None = Field(description="word for word")
    read: dict[str, Any] | None = Field(description="the value that the reader found in the answer")
    gold: dict[str, Any] | None
    outcome: str | None = Field(
        description="correct, wrong or unparseable; null before it is scored and if there is no answer"
    )
    score: float | None = Field(description="from 0 to 1; null before it is scored, and for errors")
    prompt_tokens: int | None = Field(
        description="tokens of all answered calls, as the endpoint counted them"
    )
    completion_tokens: int | None
    milliseconds: int | None = Field(
        description="time of all answered calls, including the wait before they left"
    )
    stated_usage: dict[str, int | float] | None = Field(
        description="tokens and money of a submitted answer, as stated by the submitter; null where nothing is stated"
    )
    ended_by: str | None = Field(
        description="what ended an episode without an answer: a cap, such as loop, or another reason"
    )


class RunAnswerPage(Licensed):
    """Answers of a run, in the order of its data set's questions."""

    answers: list[RunAnswer]
    next: str | None = Field(description="the cursor of the next page; null on the last page")


class Place(NamedTuple):
    """Where a page of answers ended."""

    position: int
    repeat: int
    rotation: int


@dataclass(frozen=True)
class WantedAnswers:
    """Which answers of a run are asked for."""

    template: str | None = None
    question: str | None = None
    state: State | None = None
    outcome: Outcome | None = None


ALL = WantedAnswers()


def read_answers(connection: Connection, run_id: int) -> list[RunAnswer]:
    """All answers of a run that is there, in the order of the data set's questions."""
    return [answer for _, answer in read_answer_page(connection, run_id, ALL, None, None)]


def read_answer_page(
    connection: Connection, run_id: int, wanted: WantedAnswers, after: Place | None, limit: int | None
) -> list[tuple[Place, RunAnswer]]:
    """At most `limit` of the wanted answers behind `after`, each with its place; all of them without a limit."""
    after = after or Place(-1, -1, -1)
    binds = {
        "run_id": run_id,
        **default_profile().scorer_binds(),
        "after_position": after.position,
        "after_repeat": after.repeat,
        "after_rotation": after.rotation,
        "most": limit,
        **asdict(wanted),
    }
    return [
        (
            Place(row.position, row.repeat, row.rotation),
            RunAnswer.model_validate({**row._mapping, "text": prompt_as_text(row.parts)}),
        )
        for row in connection.execute(queries.OF_RUN, binds)
    ]
