"""The kinds of runs: what the predictions of a run are."""

from typing import Final, Literal

RunKind = Literal["answers", "judgement"]
ANSWERS: Final = "answers"
"""Its predictions answer the questions of its version."""
JUDGEMENT: Final = "judgement"
"""Its predictions are a judge's marks on the answers of another run."""
