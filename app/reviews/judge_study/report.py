"""A judge study as Markdown, for people; the terminal prints the same."""

from collections.abc import Iterator

from app.reviews.judge_study.models import JudgeStudy, Pair
from app.scores.correlating import Correlation

UNDEFINED = "not defined"
MOST_STEPS = 3
"""Steps of a task that are named."""


def as_markdown(found: JudgeStudy) -> str:
    """The whole study."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: JudgeStudy) -> Iterator[str]:
    yield f"# Judge study of run {found.run}"
    yield ""
    yield f"Answers of {found.label} to {found.dataset}; {found.judged} to public questions with a rubric."
    if found.sampled:
        told = ", ".join(f"{task} {n}" for task, n in found.sampled.items())
        yield f"People marked a sample of {sum(found.sampled.values())} (seed {found.seed}): {told}."
    yield from (
        "",
        "## Who marked",
        "",
        "| rater | responses | mean, % | marks between levels | by task, % |",
    )
    yield "|---|---|---|---|---|"
    for rater in found.raters:
        tasks = ", ".join(f"{task} {100 * mean:.1f}" for task, mean in rater.tasks.items())
        yield f"| {rater.name} | {rater.responses} | {100 * rater.mean:.2f} | {rater.between_levels} | {tasks} |"
    yield from ("", "## Agreement", "")
    for mean in found.means:
        yield (
            f"- Among {mean.among}, {mean.measure}: mean Pearson {value(mean.pearson)}, mean Spearman "
            f"{value(mean.spearman)} ({mean.pairs} {'pair' if mean.pairs == 1 else 'pairs'})."
        )
    yield from ("", "| first | second | of | n | Pearson r | Spearman ρ | first − second, points of 100 |")
    yield "|---|---|---|---|---|---|---|"
    for pair in found.pairs:
        yield _pair(pair)
    if found.methods:
        yield from ("", "## All marks by the judge against hybrid marks", "")
        yield from ("| judge | n | Pearson r | pure − hybrid, points of 100 |", "|---|---|---|---|")
    for one in found.methods:
        yield f"| {one.judge} | {one.pearson.n} | {correlation(one.pearson)} | {100 * one.mean_difference:+.2f} |"
    yield from _steps(found)
    yield from ("", f"Intervals: {found.interval}, drawn within tasks ({found.interval_source}).")


def _steps(found: JudgeStudy) -> Iterator[str]:
    """The reasoning recomputed, beside the judges' marks."""
    if not found.steps:
        return
    yield from (
        "",
        "## Reasoning recomputed",
        "",
        "| task | answers | checked | broken | by class | most often first |",
        "|---|---|---|---|---|---|",
    )
    for one in found.steps:
        told = ", ".join(f"{failure} {n}" for failure, n in one.broken.items())
        first = ", ".join(f"{each.step} {each.answers}" for each in one.first[:MOST_STEPS])
        yield f"| {one.task} | {one.answers} | {one.checked} | {one.broken_answers} | {told} | {first} |"
    if not found.checks:
        return
    yield from (
        "",
        "A judge says that reasoning is broken where a criterion other than clarity has less than its maximum.",
        "",
        "| judge | n | both broken | both fine | only the check | only the judge | same, % | Cohen's kappa |",
        "|---|---|---|---|---|---|---|---|",
    )
    for each in found.checks:
        yield (
            f"| {each.judge} | {each.responses} | {each.both_broken} | {each.both_fine} | {each.only_check} | "
            f"{each.only_judge} | {100 * each.share:.1f} | {value(each.kappa)} |"
        )


def _pair(pair: Pair) -> str:
    difference = "" if pair.mean_difference is None else f"{100 * pair.mean_difference:+.2f}"
    cells = (
        *(pair.first, pair.second, pair.measure, str(pair.pearson.n)),
        *(correlation(pair.pearson), correlation(pair.spearman), difference),
    )
    return f"| {' | '.join(cells)} |"


def value(found: float | None) -> str:
    """A coefficient with two decimals."""
    return UNDEFINED if found is None else f"{found:.2f}"


def correlation(found: Correlation) -> str:
    """A coefficient with its interval."""
    if found.low is None or found.high is None:
        return value(found.value)
    return f"{value(found.value)} ({found.low:.2f} to {found.high:.2f})"
