"""Texts of questions: a phrasing by seed, words by locale."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.core import seeds
from app.core.errors import UsageError
from app.questions.grammar import plural, with_article
from app.questions.picking import Pick, Tuple
from app.questions.readings import Coordinates, texts_of_coordinates
from app.questions.text_forms import USUAL_FORM, Points, TextForm, length_in_words, lon_lat_in_words
from app.templates.catalogue import Benchmark
from app.templates.header import ParameterType
from app.templates.phrasings import EVERYDAY, PRECISE
from app.templates.templates import Template


class Wording(NamedTuple):
    """In which words a question is asked: of a language, of a register, drawn by a seed."""

    locale: str
    seed: int
    register: str = PRECISE
    form: TextForm = USUAL_FORM


def texts_of(template: Template, locale: str, register: str = PRECISE) -> Sequence[str]:
    """The template's phrasings in a locale and a register. Raises UsageError where it has none."""
    texts = template.phrasings.get(locale)
    if not texts:
        raise UsageError(
            f"{template.id} has no phrasings for locale {locale!r}; it has {', '.join(template.phrasings)}. "
            f"Add them to {template.header.phrasings}.yaml."
        )
    if register not in texts:
        raise UsageError(
            f"{template.id} has no {register} phrasings for locale {locale!r}. "
            f"Add them to {template.header.phrasings}.yaml."
        )
    return texts[register]


def tell_points(picked: Tuple, told: Coordinates, points: Points = "decimal") -> Tuple:
    """The tuple with the points that its labels must tell, behind the name or at the end of what is in brackets."""
    texts = texts_of_coordinates(told, points)
    return Tuple({name: [_telling(pick, texts) for pick in picks] for name, picks in picked.picks.items()})


def tell_derived(picked: Tuple, labels: Mapping[str, str]) -> Tuple:
    """The tuple with the labels of parameters that a derivation told; the same for both registers."""
    return Tuple(
        {
            name: [
                replace(pick, label=labels[name], everyday=None) if name in labels else pick for pick in picks
            ]
            for name, picks in picked.picks.items()
        }
    )


def _telling(pick: Pick, texts: Mapping[str, str]) -> Pick:
    point = texts.get(str(pick.value))
    if point is None:
        return pick
    return replace(pick, label=_at(pick.label, point), everyday=pick.everyday and _at(pick.everyday, point))


def _at(label: str, point: str) -> str:
    return f"{label[:-1]}; {point})" if label.endswith(")") else f"{label} ({point})"


def phrase(
    benchmark: Benchmark, template: Template, picked: Tuple, wording: Wording, question_id: str
) -> tuple[int, str]:
    """The number of the phrasing and the text. Raises UsageError for a locale that the template lacks."""
    texts = texts_of(template, wording.locale, wording.register)
    drawn = seeds.below(len(texts), wording.seed, "phrasing", question_id)
    number = (drawn + wording.form.phrasing) % len(texts)
    return number, texts[number].format_map(_words(benchmark, template, picked, wording, question_id))


def _words(
    benchmark: Benchmark, template: Template, picked: Tuple, wording: Wording, question_id: str
) -> Mapping[str, str]:
    is_everyday = wording.register == EVERYDAY
    written = benchmark.file.words.get(wording.locale, {})
    everyday = benchmark.file.everyday_words.get(wording.locale, {}) if is_everyday else {}
    words: dict[str, str] = {}
    for name, parameter in template.header.parameters.items():
        known = {**written.get(name, {}), **everyday.get(name, {})}
        labels = {
            str(pick.value): _label(pick, parameter.type, wording.form, is_everyday)
            for pick in picked.picks[name]
        }
        word = " and ".join(
            _one_of(known.get(value, label), wording.seed, question_id) for value, label in labels.items()
        )
        words[name] = word
        if parameter.has_nouns and wording.locale == "en":
            words[f"a_{name}"] = with_article(word)
            words[f"{name}_plural"] = plural(word)
    return words


def _label(pick: Pick, kind: ParameterType, form: TextForm, is_everyday: bool) -> str:
    """How a text names the value of a parameter, in the form that is asked."""
    if kind == "metres" and form.lengths != USUAL_FORM.lengths:
        return length_in_words(pick.value, form.lengths)
    if kind == "point" and form.points != USUAL_FORM.points:
        lon, lat, _ = str(pick.value).split(",")
        return lon_lat_in_words(lon, lat, form.points)
    return (is_everyday and pick.everyday) or pick.label


def _one_of(written: str | Sequence[str], seed: int, question_id: str) -> str:
    """How a value is written; of several ways, one that the seed draws."""
    return written if isinstance(written, str) else seeds.choose(written, seed, "word", question_id)
