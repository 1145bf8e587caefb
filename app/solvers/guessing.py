"""Ten ways to guess an option without a map: the attacks of `options_only`.

Pure. Nine are functions of the option texts alone; the tenth, `shares_word`, also reads the words of the question. An
attack that does not apply to a question says None. Ties go to the first option.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from app.questions.shared_words import shared_words, telling_words

Attack = Callable[[Sequence[str]], int | None]
ReadingAttack = Callable[[Sequence[str], str], int | None]
"""An attack that is told the question's text, too."""
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_WORD = re.compile(r"\w+")


def _numbers(options: Sequence[str]) -> list[float] | None:
    """The one number of each option, or None where an option has none or several."""
    found = [_NUMBER.findall(option) for option in options]
    return [float(numbers[0]) for numbers in found] if all(len(numbers) == 1 for numbers in found) else None


def _points(options: Sequence[str]) -> list[tuple[float, float]] | None:
    """The pair of numbers of each option, or None where an option is no pair."""
    found = [_NUMBER.findall(option) for option in options]
    return [(float(a), float(b)) for a, b in found] if all(len(pair) == 2 for pair in found) else None


def _first(values: Sequence[float], wanted: float) -> int:
    return list(values).index(wanted)


def smallest(options: Sequence[str]) -> int | None:
    """The smallest number."""
    numbers = _numbers(options)
    return None if numbers is None else _first(numbers, min(numbers))


def largest(options: Sequence[str]) -> int | None:
    """The largest number."""
    numbers = _numbers(options)
    return None if numbers is None else _first(numbers, max(numbers))


def second_smallest(options: Sequence[str]) -> int | None:
    """The second smallest number."""
    numbers = _numbers(options)
    return None if numbers is None or len(numbers) < 2 else _first(numbers, sorted(numbers)[1])


def nearest_to_mean(options: Sequence[str]) -> int | None:
    """The number nearest to the mean of all."""
    numbers = _numbers(options)
    if numbers is None:
        return None
    mean = sum(numbers) / len(numbers)
    distances = [abs(number - mean) for number in numbers]
    return _first(distances, min(distances))


def shares_most(options: Sequence[str]) -> int | None:
    """The option whose words occur most often in the others."""
    words = [set(_WORD.findall(option.casefold())) for option in options]
    shared = [
        sum(len(mine & other) for j, other in enumerate(words) if i != j) for i, mine in enumerate(words)
    ]
    return None if len(set(shared)) == 1 else _first(shared, max(shared))


def corner_centre(options: Sequence[str]) -> int | None:
    """The point that is nearest to the centre of the box around all points."""
    points = _points(options)
    if points is None:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    distances = [math.hypot(px - x, py - y) for px, py in points]
    return _first(distances, min(distances))


def longest(options: Sequence[str]) -> int | None:
    """The longest text."""
    lengths = [len(option) for option in options]
    return None if len(set(lengths)) == 1 else _first(lengths, max(lengths))


def shortest(options: Sequence[str]) -> int | None:
    """The shortest text."""
    lengths = [len(option) for option in options]
    return None if len(set(lengths)) == 1 else _first(lengths, min(lengths))


ATTACKS: Mapping[str, Attack] = {
    "min": smallest,
    "max": largest,
    "second": second_smallest,
    "nearest_to_mean": nearest_to_mean,
    "shared_parts": shares_most,
    "corner_centre": corner_centre,
    "longest": longest,
    "shortest": shortest,
}
"""Eight of the ten. The class prior learns from other questions (learn_prior), the tenth reads (learn_words)."""


def learn_prior(seen: Sequence[tuple[Sequence[str], int]]) -> Attack:
    """The attack `class_prior`: the option whose words were keys most often, in the options and keys `seen`."""
    shown: Counter[str] = Counter()
    keyed: Counter[str] = Counter()
    for options, key in seen:
        for i, option in enumerate(options):
            words = set(_WORD.findall(option.casefold()))
            shown.update(words)
            if i == key:
                keyed.update(words)

    def rate(option: str) -> float:
        words = set(_WORD.findall(option.casefold())) & shown.keys()
        if not words:
            return 0.25
        return sum((keyed[word] + 1) / (shown[word] + 4) for word in sorted(words)) / len(words)

    def guess(options: Sequence[str]) -> int | None:
        rates = [rate(option) for option in options]
        return None if len(set(rates)) == 1 else _first(rates, max(rates))

    return guess


def learn_words(texts: Sequence[str]) -> ReadingAttack:
    """The attack `shares_word`: the option that shares most words with its question, rare words counting more.

    `texts` are those of a template's questions. A word counts the logarithm of how many times as many texts there are
    as texts with that word: what all texts say counts nothing.
    """
    said = Counter(word for text in texts for word in telling_words(text))
    weights = {word: math.log(len(texts) / times) for word, times in said.items()}

    def guess(options: Sequence[str], text: str) -> int | None:
        words = telling_words(text)
        shared = [
            math.fsum(sorted(weights.get(word, 0.0) for word in shared_words(option, words)))
            for option in options
        ]
        return None if len(set(shared)) == 1 else _first(shared, max(shared))

    return guess
