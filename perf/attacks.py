"""Attacks on questions with options: how often a guess without a map is right, and how sure that is.

Pure. Beside the ten attacks of `options_only` there are those of MEASURES, each both ways, and one that learns how to
weigh them all. Questions of one subject are not independent: rates are sure as if there were fewer (`clustered_bound`).
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from app.core.names import bare_form
from app.core.seeds import below
from app.scores.intervals import Z_95, wilson_of
from app.solvers.guessing import ATTACKS, learn_prior, learn_words
from app.solvers.options_only import Keyed, guess_all

Measure = Callable[[Sequence[str]], Sequence[float] | None]
Guesses = Sequence[int | None]
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"\w+")
_SEED = 0


class Shown(NamedTuple):
    """A question as an attacker sees it, its key, and the subject whose other questions are like it."""

    id: str
    text: str
    options: Sequence[str]
    key: int
    subject: str
    asked: str
    """All that the question is about: copies of one question have it in common."""


@dataclass(frozen=True)
class Rate:
    """How often a guess is right. Bounds are the upper ends of Wilson's two-sided interval at 95 %."""

    rate: float
    bound: float
    """As if all questions were independent."""
    clustered_bound: float
    """As if there were `effective` questions."""
    effective: float

    def as_json(self) -> dict[str, float]:
        """Four decimals."""
        return {
            "rate": round(self.rate, 4),
            "upper_95": round(self.bound, 4),
            "clustered_upper_95": round(self.clustered_bound, 4),
            "effective_n": round(self.effective),
        }


def rate_of(hits: Sequence[float], subjects: Sequence[str]) -> Rate:
    """The rate of hits (each 0 to 1), and its bounds; one value a question, of one question or more.

    The effective number is n over the design effect of subjects as clusters (the linearised variance of a ratio over
    the binomial one; at least 1), times (z/t)² with as many degrees of freedom as subjects but one, as Korn and
    Graubard (1998) do for proportions.
    """
    n = len(hits)
    mean = math.fsum(hits) / n
    effective = _effective(hits, subjects, mean)
    return Rate(mean, wilson_of(mean, n).high, wilson_of(mean, effective).high, effective)


def _effective(hits: Sequence[float], subjects: Sequence[str], mean: float) -> float:
    excess: dict[str, float] = defaultdict(float)
    for hit, subject in zip(hits, subjects, strict=True):
        excess[subject] += hit - mean
    n, clusters, binomial = len(hits), len(excess), mean * (1 - mean)
    if clusters < 2:
        return 1.0
    if binomial == 0:
        return float(clusters)
    variance = clusters / (clusters - 1) * math.fsum(one * one for one in excess.values()) / n**2
    t = Z_95 + (Z_95**3 + Z_95) / (4 * (clusters - 1))  # Student's quantile to the first order
    return n / max(1.0, variance * n / binomial) * (Z_95 / t) ** 2


def position_p_value(questions: Sequence[Shown]) -> float:
    """The chi-square test's p-value that keys stand equally often at each position; all have as many options."""
    places = len(questions[0].options)
    counts = Counter(question.key for question in questions)
    expected = len(questions) / places
    return chi_square_tail(sum((counts[i] - expected) ** 2 / expected for i in range(places)), places - 1)


def chi_square_tail(value: float, freedom: int) -> float:
    """The probability of more than `value`, by the recurrence over degrees of freedom from one or two."""
    half = value / 2
    start = 1 if freedom % 2 else 2
    tail = math.erfc(math.sqrt(half)) if start == 1 else math.exp(-half)
    for k in range(start, freedom, 2):
        tail += half ** (k / 2) * math.exp(-half) / math.gamma(k / 2 + 1)
    return tail


def _numbers(options: Sequence[str]) -> list[list[float]] | None:
    found = [[float(number) for number in _NUMBER.findall(option)] for option in options]
    return found if all(found) and len({len(one) for one in found}) == 1 else None


def _first_numbers(options: Sequence[str]) -> list[float] | None:
    numbers = _numbers(options)
    return None if numbers is None else [one[0] for one in numbers]


def _alphabet(options: Sequence[str]) -> Sequence[float]:
    order = sorted(bare_form(option) for option in options)
    return [order.index(bare_form(option)) for option in options]


def _roundness(options: Sequence[str]) -> Sequence[float] | None:
    digits = [re.sub(r"\D", "", option) for option in options]
    return [len(one) - len(one.rstrip("0")) for one in digits] if all(digits) else None


def _from_median(options: Sequence[str]) -> Sequence[float] | None:
    numbers = _first_numbers(options)
    return None if numbers is None else [abs(number - median(numbers)) for number in numbers]


def _rank(options: Sequence[str], wanted: int) -> Sequence[float] | None:
    numbers = _first_numbers(options)
    if numbers is None or len(numbers) <= wanted:
        return None
    return [float(number == sorted(numbers)[wanted]) for number in numbers]


def _ratios(options: Sequence[str]) -> Sequence[float] | None:
    """How many others are a half, twice, three times or a tenth of the number."""
    numbers = _first_numbers(options)
    if numbers is None or min(numbers) <= 0:
        return None
    known = (0.1, 0.5, 2, 3)
    return [
        sum(any(abs(other / number - ratio) < 0.01 * ratio for ratio in known) for other in numbers)
        for number in numbers
    ]


def _gap(options: Sequence[str]) -> Sequence[float] | None:
    """How far the nearest other option is, by all of its numbers."""
    numbers = _numbers(options)
    if numbers is None:
        return None
    return [
        min(math.dist(one, other) for j, other in enumerate(numbers) if i != j)
        for i, one in enumerate(numbers)
    ]


def _shared_words(options: Sequence[str]) -> Sequence[float]:
    words = [set(_WORD.findall(option.casefold())) for option in options]
    return [sum(len(mine & other) for j, other in enumerate(words) if i != j) for i, mine in enumerate(words)]


def _shared_letters(options: Sequence[str]) -> Sequence[float]:
    pairs = [{one[i : i + 2] for i in range(len(one) - 1)} for one in map(bare_form, options)]
    return [
        sum(len(mine & other) / max(1, len(mine | other)) for j, other in enumerate(pairs) if i != j)
        for i, mine in enumerate(pairs)
    ]


def _from_mean_length(options: Sequence[str]) -> Sequence[float]:
    mean = sum(map(len, options)) / len(options)
    return [abs(len(option) - mean) for option in options]


MEASURES: Mapping[str, Measure] = {
    "alphabet": _alphabet,
    "length": lambda options: [len(option) for option in options],
    "distance from mean length": _from_mean_length,
    "words": lambda options: [len(_WORD.findall(option)) for option in options],
    "digits": lambda options: [sum(sign.isdigit() for sign in option) for option in options],
    "capitals": lambda options: [sum(sign.isupper() for sign in option) for option in options],
    "accents": lambda options: [sum(not sign.isascii() for sign in option) for option in options],
    "punctuation": lambda options: [
        sum(not sign.isalnum() and not sign.isspace() for sign in option) for option in options
    ],
    "number": _first_numbers,
    "second number": lambda options: _rank(options, 1),
    "third number": lambda options: _rank(options, 2),
    "distance from median": _from_median,
    "roundness": _roundness,
    "multiples": _ratios,
    "gap": _gap,
    "shared words": _shared_words,
    "shared letters": _shared_letters,
}
"""What may tell a key from the other options of its question; an attack takes the most, another the least."""


def measures_over(questions: Sequence[Shown]) -> dict[str, Measure]:
    """What may tell a key by the options (not the keys) of all questions: how popular texts and words are."""
    texts = Counter(option for question in questions for option in question.options)
    words = Counter(word for text, times in texts.items() for word in _WORD.findall(text.casefold()) * times)

    def popularity(options: Sequence[str]) -> Sequence[float]:
        return [texts[option] for option in options]

    def commonest_word(options: Sequence[str]) -> Sequence[float]:
        return [
            max((words[word] for word in _WORD.findall(option.casefold())), default=0) for option in options
        ]

    def rarest_word(options: Sequence[str]) -> Sequence[float]:
        return [
            min((words[word] for word in _WORD.findall(option.casefold())), default=0) for option in options
        ]

    return {"popularity": popularity, "commonest word": commonest_word, "rarest word": rarest_word}


def guess_ten(questions: Sequence[Shown], seed: int = _SEED) -> tuple[list[int], Counter[str]]:
    """What `options_only` guesses (best of its ten attacks, chosen on the other half), and how often each was best."""
    keyed = [Keyed(one.id, "", one.text, list(one.options), one.key) for one in questions]
    guesses = guess_all(keyed, seed)
    return [guesses[one.id][0] for one in questions], Counter(guesses[one.id][1] for one in questions)


def halves_of(questions: Sequence[Shown], seed: int = _SEED) -> list[int]:
    """Which half each question belongs to, 0 or 1; copies of one question to the same: nobody learns from them."""
    return [below(2, seed, "attacks", "half", one.asked) for one in questions]


def guess_by_each(questions: Sequence[Shown], halves: Sequence[int]) -> dict[str, Guesses]:
    """By attack what it guesses, None where it does not apply; those that learn do so from the other half."""
    single: dict[str, Guesses] = {
        name: [attack(one.options) for one in questions] for name, attack in ATTACKS.items()
    }
    prior = {
        half: learn_prior(
            [(one.options, one.key) for one, other in zip(questions, halves, strict=True) if other != half]
        )
        for half in (0, 1)
    }
    single["class_prior"] = [prior[half](one.options) for one, half in zip(questions, halves, strict=True)]
    shares_word = learn_words([one.text for one in questions])
    single["shares_word"] = [shares_word(one.options, one.text) for one in questions]
    return single


def guess_by_more(questions: Sequence[Shown], halves: Sequence[int]) -> dict[str, Guesses]:
    """As guess_by_each, for the attacks beyond the ten."""
    guesses: dict[str, Guesses] = {}
    columns: list[list[Sequence[float] | None]] = []
    for name, measure in {**MEASURES, **measures_over(questions)}.items():
        values = [measure(one.options) for one in questions]
        columns.append(values)
        guesses[f"most {name}"] = [_place_of(one, max) for one in values]
        guesses[f"least {name}"] = [_place_of(one, min) for one in values]
    guesses["learnt weights"] = _guess_by_weights(questions, halves, columns)
    return guesses


def _place_of(values: Sequence[float] | None, best: Callable[[Sequence[float]], float]) -> int | None:
    return None if values is None or len(set(values)) == 1 else list(values).index(best(values))


def _guess_by_weights(
    questions: Sequence[Shown], halves: Sequence[int], columns: Sequence[Sequence[Sequence[float] | None]]
) -> Guesses:
    """A conditional logit over all measures, and over their squares, each standardised within its question."""
    places = len(questions[0].options)
    values = np.array(
        [[(column[i] or [0.0] * places) for column in columns] for i in range(len(questions))],
        dtype=float,
    )  # question, measure, option
    spread = values.std(axis=2, keepdims=True)
    values = (values - values.mean(axis=2, keepdims=True)) / np.where(spread > 0, spread, 1)
    values = np.concatenate([values, values**2], axis=1)
    keys, which = np.array([one.key for one in questions]), np.array(halves)
    guesses = np.zeros(len(questions), dtype=int)
    for half in (0, 1):
        weights = _fit(values[which != half], keys[which != half])
        guesses[which == half] = np.argmax(np.einsum("qmo,m->qo", values[which == half], weights), axis=1)
    return [int(one) for one in guesses]


def _fit(values: np.ndarray[Any, Any], keys: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Weights of most likelihood, held small by a penalty, by steps along the gradient."""
    weights = np.zeros(values.shape[1])
    if not len(keys):
        return weights
    right = values[np.arange(len(keys)), :, keys]
    for _ in range(200):
        scores = np.einsum("qmo,m->qo", values, weights)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        gradient = (right - np.einsum("qmo,qo->qm", values, chances)).mean(axis=0) - 0.001 * weights
        weights += 0.3 * gradient
    return weights


def hits_of(questions: Sequence[Shown], guesses: Guesses) -> list[float]:
    """1 where a guess is right, 0 where it is wrong, and chance where there is none."""
    return [
        1 / len(one.options) if guess is None else float(guess == one.key)
        for one, guess in zip(questions, guesses, strict=True)
    ]


def hits_of_best(hits: Mapping[str, Sequence[float]], halves: Sequence[int]) -> tuple[list[float], list[str]]:
    """What the attack that is best on one half hits on the other, both ways, and which those attacks are."""
    best = [
        max(hits, key=lambda name: sum(hit for hit, at in zip(hits[name], halves, strict=True) if at != half))
        for half in (0, 1)
    ]
    return [hits[best[half]][i] for i, half in enumerate(halves)], best
