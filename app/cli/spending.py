"""What a run asked and what that took, in rows for people."""

from app.predictions.costs import Cost


def spent(cost: Cost) -> list[tuple[str, str]]:
    """What a run asked, and what that took, for people."""
    if cost.endpoint is None:
        return []
    endpoint = cost.endpoint
    revision = f" @ {endpoint['revision']}" if endpoint["revision"] else ""
    name = "" if endpoint["name"] == endpoint["model"] else f"{endpoint['name']}: "
    tokens = f"{cost.prompt_tokens:,} of prompts, {cost.completion_tokens:,} of answers"
    unknown = (
        f"; the endpoint gave no number for {cost.without_usage:,} answers" if cost.without_usage else ""
    )
    amount = "no prices are stored with it"
    if cost.amount is not None and cost.prices is not None:
        amount = f"{cost.amount.normalize():f} {cost.prices.currency}"
    return [
        ("endpoint", f"{name}{endpoint['model']}{revision} at {endpoint['url']}"),
        ("tokens", tokens + unknown),
        ("cost", amount),
        ("truncated", f"{cost.truncated:,}"),
    ]


def cut_off(cost: Cost, answers: int) -> list[str]:
    """A warning where answers ended because no more tokens were allowed, and what to do about it."""
    if not cost.truncated:
        return []
    # What words boards loads all that they are made of.
    from app.leaderboard import formatting as words

    return words.cut_off([words.CutOff("", cost.truncated, answers)])
