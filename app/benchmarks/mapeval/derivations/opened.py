"""Whether places are open at a time, by opening hours that are days with times."""

from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.derivations.hours import minutes_to_change, read_week, time_of
from app.questions.derivations.plans import call, found, members, plan, result, search


@derivation("mapeval", "open_at")
def open_at(case: Case) -> Derived:
    """Yes or no."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    week, time = read_week(row["opening_hours"]), time_of(row["moment"])
    if week is None:
        return refused("unreadable_hours")
    change = minutes_to_change(week, time)
    if change < case.margins["minutes"]:
        return refused("changes_soon")
    text, state = ("Yes", "open") if week.is_open(time) else ("No", "closed")
    answer = {"text": {"$only": members([text], [result(1, "state")]), "equals": state}}
    calls = search(row["name"]), call("open_at", place=found(0, name=row["name"]), time=row["moment"])
    return Derived({"text": text}, margin={"minutes": change}, solutions=plan(answer, *calls))
