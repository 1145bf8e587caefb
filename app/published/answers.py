"""The answers of a run to public questions, one by one. Read as the api role, which sees no others."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.core.identity import canonical_json
from app.published import queries_answers as queries
from app.scores.profiles import TRIGPOINT


class RunAnswer(BaseModel):
    """What a run answered to a public question, and what became of it."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(description="its id")
    template: str
    repeat: int
    rotation: int
    prompt: list[Any] | None = Field(
        description="messages of the last chat call as sent; null without a call"
    )
    state: str = Field(description="answered, no_answer or error")
    answer: str | None = Field(description="word for word")
    read: dict[str, Any] | None = Field(description="what the reader took the answer to be")
    gold: dict[str, Any] | None
    outcome: str | None = Field(description="correct, wrong or unparseable; null before it is scored")
    score: float | None
    prompt_tokens: int | None = Field(description="of all answered calls, as the endpoint counted them")
    completion_tokens: int | None
    milliseconds: int | None = Field(description="that all answered calls took")


def read_answers(connection: Connection, run_id: int) -> list[RunAnswer]:
    """Answers of a run that is there, in the order of the data set's questions."""
    binds = {"run_id": run_id, "profile": TRIGPOINT.name, "scorers": canonical_json(dict(TRIGPOINT.scorers))}
    return [RunAnswer(**row._mapping) for row in connection.execute(queries.OF_RUN, binds)]
