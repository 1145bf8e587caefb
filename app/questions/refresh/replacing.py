"""Questions in the place of those that ended: of the same template and classes, in an order that each ended one seeds.

Every ended question tries tuples of its own order, a few at a time, beside the others of its template; the first that
is accepted and that no other has taken is its replacement. It depends on all that ended together, and on nothing else.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain, filterfalse, islice
from typing import Any

from app.core import seeds
from app.core.identity import canonical_json
from app.questions.accepting import Accepted, Asking
from app.questions.evidence import Key, parameter_keys
from app.questions.lacking import lacking
from app.questions.picking import Pick, Space, Tuple, combination, open_space
from app.questions.pictures.asking import tuples_of_pictures
from app.questions.records import QuestionRecord, SnapshotRef, TemplateReport
from app.questions.refresh.rerunning import Rerunning
from app.templates.templates import Template

ROUNDS = (4, 8, 16, 32, 64, 128)
"""How many tuples an ended question tries at a time."""
IN_VAIN_EACH, IN_VAIN = 60, 100
"""How many tuples each ended question of a template tries, and how many all of them together, before the template is
given up if not one was accepted: most often all that it can ask about is in the data set already."""
LEFT_OVER = 12
"""How many tuples about objects that are as they were each ended question tries of a template of which the data set had
all: these were refused before, or are in the data set already."""
GROWN = 1.1
"""Of how many times the tuples of its first map a data set may be said to have had all."""
KEPT_TYPES = ("class", "filter", "attribute", "choice", "form")
"""Types of parameters that a replacement has in common with the question that ended."""


def replace_ended(
    rerunning: Rerunning,
    ended: Sequence[QuestionRecord],
    taken: set[str],
    reports: Mapping[str, TemplateReport],
) -> dict[str, QuestionRecord]:
    """By the id of an ended question, what stands in its place, where something can.

    `ended` in the version's order; `taken` are ids that nothing may have, and is added to; `reports` tell by template
    what its first map gave.
    """
    found: dict[str, Accepted] = {}
    by_template: dict[str, list[QuestionRecord]] = defaultdict(list)
    for record in ended:
        by_template[record.template].append(record)
    for name, template in rerunning.recipe.benchmark.templates.items():
        if by_template[name] and not lacking(rerunning.new, template):
            found |= _replace(rerunning, template, by_template[name], taken, reports[name])
    made = {record.id: record for record in rerunning.assemble(list(found.values()))}
    return {ended_id: made[one.id] for ended_id, one in found.items()}


def had_all(report: TemplateReport, per_template: int, capacity: int) -> bool:
    """Whether a data set of so many has all that a template gave, and the new map offers about as many tuples.

    Then every tuple of the first map was tried, and none that was accepted was left over.
    """
    tried_all = report.accepted + sum(report.refused.values()) == report.capacity
    return tried_all and report.accepted <= per_template and capacity <= GROWN * report.capacity


def seed_of(seed: int, ended_id: str, new: SnapshotRef) -> int:
    """The seed of a replacement, by those of the data set, of the question that ended, and of the new map."""
    return seeds.draw(seed, "replacement", ended_id, new.reference, new.checksum) >> 1


def _replace(
    rerunning: Rerunning,
    template: Template,
    ended: Sequence[QuestionRecord],
    taken: set[str],
    report: TemplateReport,
) -> dict[str, Accepted]:
    recipe, new = rerunning.recipe, rerunning.new
    space = open_space(
        rerunning.connection,
        template,
        recipe.seed,
        new.outline,
        recipe.chosen,
        new.facts,
        rerunning.known.picks,
    )
    asking = rerunning.asking(template, space.choices, taken, {})
    if asking.refusal:
        return {}
    is_sized = recipe.per_city is None and template.header.id not in recipe.shares
    wanted = recipe.per_template if is_sized else report.selected
    came = rerunning.came if had_all(report, wanted, space.capacity) else None
    orders = {
        record.id: _order(rerunning, space, record, seed_of(recipe.seed, record.id, new), came)
        for record in ended
    }
    found: dict[str, Accepted] = {}
    each = 0
    for size in ROUNDS:
        tried = {one: list(islice(order, size)) for one, order in orders.items() if one not in found}
        found |= _first_accepted(asking, tried, taken)
        each += size
        in_vain = not found and each >= IN_VAIN_EACH and each * len(ended) >= IN_VAIN
        if in_vain or len(found) == len(ended) or not any(tried.values()):
            break
    asking.warn_of_differing()
    return found


def _order(
    rerunning: Rerunning, space: Space, record: QuestionRecord, seed: int, came: Set[Key] | None
) -> Iterator[Tuple]:
    """The tuples that may stand in a question's place, in an order of its own; of pictures, any."""
    if space.template.header.picture is not None:
        return tuples_of_pictures(rerunning.ground, replace(space, seed=seed))
    return candidates(space.template, space.choices, record.parameters, seed, came)


def _first_accepted(
    asking: Asking, tried: Mapping[str, Sequence[Tuple]], taken: set[str]
) -> dict[str, Accepted]:
    owners = [one for one, tuples in tried.items() for _ in tuples]
    outcomes = asking.ask_lazily([picked for tuples in tried.values() for picked in tuples])
    found: dict[str, Accepted] = {}
    for owner, settle in zip(owners, outcomes, strict=True):
        outcome = None if owner in found else settle()
        if isinstance(outcome, Accepted) and outcome.id not in taken:
            taken.add(outcome.id)
            found[owner] = outcome
    return found


def candidates(
    template: Template,
    choices: Mapping[str, Sequence[Pick]],
    parameters: Mapping[str, Any],
    seed: int,
    came: Set[Key] | None = None,
) -> Iterator[Tuple]:
    """Every tuple with the classes of an ended question, whose `parameters` are given, in an order of its own.

    None where the map lacks a value. Those come first that keep, of a set of objects, what is still offered. Where
    `came` is given, the objects that have come or changed, of the rest those about any come first, and few about none.
    """
    narrowed = {
        name: [pick for pick in choices[name] if _is_value(pick, parameters[name])]
        if parameter.type in KEPT_TYPES
        else choices[name]
        for name, parameter in template.header.parameters.items()
    }
    space = Space(template, narrowed, seed)
    if space.missing:
        return iter(())
    kept = _keeping_others(space, parameters)
    if came is None:
        return chain(kept, space.tuples())

    def is_about_these(one: Tuple) -> bool:
        return not came.isdisjoint(parameter_keys(template.header, one.parameters))

    return chain(
        kept,
        filter(is_about_these, space.tuples()),
        islice(filterfalse(is_about_these, space.tuples()), LEFT_OVER),
    )


def _keeping_others(space: Space, parameters: Mapping[str, Any]) -> Iterator[Tuple]:
    """Tuples in which only the objects are others that are gone from a set; none where none, or all, are gone."""
    header = space.template.header.parameters
    for name, parameter in header.items():
        others = [one for other, one in header.items() if other != name]
        if parameter.choose == 1 or any(one.type not in KEPT_TYPES for one in others):
            continue
        offered = space.choices[name]
        kept = [i for i, pick in enumerate(offered) if pick.value in parameters[name]]
        rest = [i for i, pick in enumerate(offered) if pick.value not in parameters[name]]
        gone = parameter.choose - len(kept)
        if not 0 < gone < parameter.choose:
            continue
        same = {other: picks[:1] for other, picks in space.choices.items()}
        for rank in seeds.permutation(math.comb(len(rest), gone), space.seed, "kept", name):
            new = [rest[i] for i in combination(len(rest), gone, rank)]
            yield Tuple({**same, name: [offered[i] for i in sorted([*kept, *new])]})


def _is_value(pick: Pick, value: Any) -> bool:
    return pick.value == value or canonical_json(pick.value) == canonical_json(value)
