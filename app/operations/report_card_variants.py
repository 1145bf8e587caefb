"""The versions and questions of variants: an entry's questions in another form of their texts, or fresh twins of them.

A form is made of the recipe of the entry's version, and asks the same questions by id. Of these, those are asked that
the form changes, as many as the suite says.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import Connection

from app.core.errors import Conflict
from app.core.identity import digest
from app.core.progress import Say
from app.core.settings import Settings
from app.operations.generate import generate_version
from app.operations.twins import TwinsRequest, make_twins
from app.predictions.runs import sample_of
from app.predictions.sampling import ChosenQuestions, draw_sample
from app.questions.generating import Progress as TellGenerated
from app.questions.reproducing import stored_recipe
from app.questions.versions import PublishedVersion, find_version
from app.report_cards import queries_variants as queries
from app.report_cards.suites import SuiteEntry
from app.report_cards.variants import FRESH, TEXT_FORMS, TITLES, Variant

LONGEST_NAME_OF_ENTRY = 40


class Chosen(NamedTuple):
    """The questions that a variant asks; `answers`: how many answers are wanted, one for each order of options."""

    questions: ChosenQuestions
    answers: int


def variant_version(
    connection: Connection,
    settings: Settings,
    entry: SuiteEntry,
    variant: Variant,
    usual: PublishedVersion,
    say: Say,
    tell: TellGenerated,
) -> PublishedVersion:
    """The version that a variant of the entry asks, made or found.

    Raises Conflict where it cannot be made of the entry's version, NotFound for another map that there is not.
    """
    if variant == FRESH:
        maps = [] if entry.fresh is None or not entry.fresh.startswith("map:") else [entry.fresh[4:]]
        request = TwinsRequest(usual.reference, _name(usual, FRESH, maps), maps)
        return make_twins(settings, request, say, tell).version
    if variant not in TEXT_FORMS:
        return usual
    recipe = stored_recipe(connection, usual)
    if recipe.hidden > 0:
        raise Conflict(
            f"{usual.reference} has hidden questions: the same questions in another form would show their answers."
        )
    form = replace(recipe, text_form=TEXT_FORMS[variant])
    maps = [one.reference for one in recipe.snapshots]
    return generate_version(settings, _name(usual, variant, []), form, maps, say, tell).version


def choose_questions(
    connection: Connection, entry: SuiteEntry, variant: Variant, usual: str, version: str
) -> Chosen | None:
    """The questions of the version that a form asks, of those that the entry asks of its usual one.

    None where the form changes no question, such as where no text has a length.
    """
    asked, made = find_version(connection, usual), find_version(connection, version)
    binds = {"usual": asked.id, "version_id": made.id}
    rows = connection.execute(queries.CHANGED if variant in TEXT_FORMS else queries.WITH_OPTIONS, binds).all()
    if entry.sample is not None and (sample := sample_of(connection, asked.id, entry.sample, entry.seed)):
        rows = [row for row in rows if row.id in set(sample)]
    drawn = set(draw_sample([(row.id, row.template) for row in rows], entry.forms_sample, entry.seed))
    if not drawn:
        return None
    answers = sum(row.answers for row in rows if row.id in drawn)
    return Chosen(ChosenQuestions(made.reference, tuple(sorted(drawn))), answers)


def why_nothing_changes(variant: Variant) -> str:
    """Why a form is not asked where it changes no question."""
    if variant in TEXT_FORMS:
        return f"“{TITLES[variant]}” changes the text of no question."
    return "No question has options."


def _name(usual: PublishedVersion, variant: Variant, maps: Sequence[str]) -> str:
    """The data set of a variant: cards that ask the same share it."""
    return f"{usual.name[:LONGEST_NAME_OF_ENTRY]}_{variant}_{digest(usual.reference, list(maps))[:6]}"
