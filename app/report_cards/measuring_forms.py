"""The same questions in other forms of their texts: how far the score moves, by kind of form. Read as the api role.

Each data set is compared as `trigpoint robustness` compares its runs; over all data sets, by the test of cards.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from app.core.errors import Conflict, UsageError
from app.leaderboard.robustness import compare_forms
from app.leaderboard.robustness_models import Robustness
from app.report_cards.measuring_pairs import Both, compare_groups
from app.report_cards.measuring_runs import MeasuredRun, key_of
from app.report_cards.models import FormOfCard, FormOfDataset
from app.report_cards.variants import FORMS, TITLES, Form

THIS, USUAL = "this form", "the usual form"
Pair = tuple[MeasuredRun, MeasuredRun]
"""A run in the usual form, and one of the same entry in another."""


def measure_forms(connection: Connection, runs: Sequence[MeasuredRun]) -> list[FormOfCard]:
    """The forms that were asked, in the order of FORMS; none where an entry was asked in its usual form alone."""
    usual = {run.entry.key: run for run in runs if run.entry.variant is None}
    asked: dict[Form, list[Pair]] = {}
    for run in runs:
        if run.entry.variant in FORMS and run.entry.entry in usual:
            asked.setdefault(run.entry.variant, []).append((usual[run.entry.entry], run))
    compared = _compare_each(connection, [pair for pairs in asked.values() for pair in pairs])
    whole = {form: [one for one in pairs if _is_complete(one)] for form, pairs in asked.items()}
    differences = compare_groups(
        {form: [one for pair in pairs for one in _both(*pair)] for form, pairs in whole.items()}, THIS, USUAL
    )
    found = []
    for form in FORMS:
        if form not in asked:
            continue
        datasets = [compared[run.about.id] for _, run in asked[form]]
        told = [one.compared for one in datasets if one.compared is not None]
        found.append(
            FormOfCard(
                form=form,
                title=TITLES[form],
                difference=differences[form],
                became_wrong=sum(one.became_wrong for one in told),
                became_right=sum(one.became_right for one in told),
                datasets=datasets,
            )
        )
    return found


def _is_complete(pair: Pair) -> bool:
    return all(run.is_complete for run in pair)


def _both(usual: MeasuredRun, run: MeasuredRun) -> list[Both]:
    """The questions that both answered, by their ids."""
    asked = {one.id for one in usual.questions}
    return [
        Both(
            one,
            run.skill_of(one),
            run.mean_of(one.key),
            usual.mean_of(key_of(usual.about.version_id, one.id)),
        )
        for one in run.questions
        if one.id in asked
    ]


def _compare_each(connection: Connection, pairs: Sequence[Pair]) -> Mapping[int, FormOfDataset]:
    """By the run in another form: all forms of an entry are compared at once."""
    by_usual: dict[int, list[Pair]] = {}
    for pair in pairs:
        by_usual.setdefault(pair[0].about.id, []).append(pair)
    found = {}
    for of_entry in by_usual.values():
        whole = [one for one in of_entry if _is_complete(one)]
        told: Robustness | None = None
        why = None
        if whole:
            try:
                told = compare_forms(connection, [whole[0][0].about.id, *(run.about.id for _, run in whole)])
            except (Conflict, UsageError) as refused:
                why = str(refused)
        for pair in of_entry:
            found[pair[1].about.id] = _of_dataset(pair, told, why)
    return found


def _of_dataset(pair: Pair, told: Robustness | None, why: str | None) -> FormOfDataset:
    usual, run = pair
    waiting = [one for one in pair if not one.is_complete]
    if waiting:
        why = "; ".join(f"run {one.about.id} is {one.about.status}" for one in waiting)
    forms, orders = ([], []) if told is None else (told.forms, told.orders)
    return FormOfDataset(
        key=usual.entry.key,
        dataset=usual.about.reference,
        run=usual.about.id,
        form_run=run.about.id,
        compared=next((one for one in forms if one.run == run.about.id), None),
        order=next((one for one in orders if one.run == run.about.id), None),
        why=why,
    )
