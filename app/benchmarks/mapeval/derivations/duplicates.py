"""Places that are compared and may be one place, mapped twice."""

from collections.abc import Sequence

from app.questions.alike import is_related
from app.questions.derivations.base import Row


def has_near_duplicate(rows: Sequence[Row]) -> bool:
    """Whether a place has a name like that of another within `near_metres`; rows tell these names as `close_names`."""
    return any(is_related(row["name"], other) for row in rows for other in row["close_names"] or ())
