"""What pages show to anybody of runs, submissions and disputes: these fields of what REST tells to keys, and no others.

docs/dashboard.md lists them. A page is given nothing else, so that it cannot show more.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from app.leaderboard.formatting import NONE

Fields = Mapping[str, Any]


def _fields(names: str, **parts: Fields) -> Fields:
    return {**dict.fromkeys(names.split(), True), **parts}


RUN_LISTED = _fields("run dataset label solver status total created_at")
RUN = _fields(
    "run dataset label solver solver_version status total created_at finished_at scored reasked endpoint_requests"
    " seed repeats sampling presentation sample reuse states",
    progress=_fields(
        "done waiting in_flight retrying errors reused tokens cost currency seconds_left paused",
    ),
)
CALLS = _fields(
    "",
    latency=_fields("calls median_ms slow_ms slowest_ms"),
    errors={"__all__": _fields("reason answers question")},
)
ANSWER = _fields(
    "question template repeat rotation text options prompt state answer read gold outcome score prompt_tokens"
    " completion_tokens milliseconds"
)
STEP = _fields(
    "ordinal attempt kind state thought said tool arguments snapshot sentence result withheld_bytes fault failure"
    " repeated reused finish_reason prompt_tokens completion_tokens cost milliseconds",
    wanted={"__all__": _fields("tool arguments")},
)
EPISODE = _fields(
    "run dataset label solver solver_version agent currency question template repeat rotation text options sums state"
    " ended_by answer failure read gold outcome score errors",
    steps={"__all__": STEP},
)
SUBMISSION = _fields("submission dataset name state before answers age_seconds run self_reported")
DISPUTE = _fields("dispute dataset question reason state outcome erratum created_at")
ON_BOARDS = ("waiting", "scoring", "scored")
"""States of submissions that are on a board, or on their way there."""


def shown(model: BaseModel, fields: Fields) -> dict[str, Any]:
    """These fields of `model`. What was cancelled or withdrawn is named no more."""
    values = model.model_dump(include=dict(fields))
    if values.get("status") == "cancelled":
        values["label"] = "cancelled"
    if values.get("state") not in ON_BOARDS and "name" in values:
        values["name"] = NONE
    return values
