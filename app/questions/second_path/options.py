"""Second path: proves each wrong option wrong from its text alone, by whole layers of the same snapshot.

A name is resolved by its normal form over the whole layer, coordinates by reading the text. An option that means
nothing in the snapshot is not proved wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.errors import ProofError
from app.questions.second_path.agreeing import read_coordinates
from app.questions.second_path.answering import (
    NO_ANSWER,
    VALUE,
    Parameters,
    SecondAnswer,
    TemplateVersion,
)
from app.questions.second_path.layers import Layers
from app.questions.second_path.names import without_marks
from app.questions.second_path.verdicts import ALIKE, RULES, Rule, of_like_looks


@dataclass(frozen=True)
class OptionVerdict:
    """Whether the option at `index` is proved wrong, and why or why not."""

    index: int
    text: str
    wrong: bool
    why: str


def wrong_options(
    layers: Layers,
    asked: TemplateVersion,
    parameters: Parameters,
    answer: SecondAnswer,
    options: Sequence[str],
    key_index: int,
) -> list[OptionVerdict]:
    """A verdict for each option but the key's; an option equal to another one in normal form is not proved wrong.

    By the rules of that version of the template. Raises ProofError for a template without a rule, and
    for a key that is none of the options.
    """
    rule = _rule_of(asked)
    if not 0 <= key_index < len(options):
        raise ProofError(f"The key is option {key_index} of {len(options)}: no such option. Counted from 0.")
    verdicts = []
    for index, text in enumerate(options):
        if index == key_index:
            continue
        twins = [other for other, one in enumerate(options) if other != index and _same(one, text)]
        if twins:
            wrong, why = False, f"the same as option {twins[0]}, {options[twins[0]]!r}"
        elif not answer.value:
            wrong, why = False, f"the question has no answer to compare with: {answer.refusal}"
        elif text == NO_ANSWER:
            wrong, why = answer.kind == VALUE, "the question has an answer"
        else:
            wrong, why = rule(layers, parameters, answer, text)
        verdicts.append(OptionVerdict(index, text, wrong, why))
    return verdicts


def _rule_of(asked: TemplateVersion) -> Rule:
    """The rule of that version; in a variant whose options look alike, looks count too."""
    whose = asked.benchmark, asked.template, asked.version
    rule = RULES.find(*whose)
    if rule is None:
        raise ProofError(f"{asked.template} of {asked.benchmark} has no rule for wrong options.")
    return of_like_looks(rule) if asked.variant and ALIKE.find(*whose) == asked.variant else rule


def _same(one: str, other: str) -> bool:
    places = read_coordinates(one), read_coordinates(other)
    return without_marks(one) == without_marks(other) or (places[0] is not None and places[0] == places[1])
