"""How a benchmark's questions vary: templates are fixed strata, and questions about one place move together.

Pure. What holds of the questions is computed once and serves every run; the same values give the same bits.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SUPPOSED_SHARE = 0.3
"""The share of the variance that is taken to be of places where values are too equal to show it."""

Values = NDArray[np.float64]
Codes = NDArray[np.int64]


class Spread(NamedTuple):
    """How far values lie from their templates' means: squares of the places' sums, and of single values.

    Both estimate, times n squared, the variance of the mean: the first whatever places share, the second if they share
    nothing.
    """

    by_place: float
    by_question: float


@dataclass(frozen=True, eq=False)
class Strata:
    """Each question's template and place, as whole numbers from 0 on without gaps; `make_strata` makes it."""

    templates: Codes
    places: Codes

    @property
    def n(self) -> int:
        """How many questions there are."""
        return len(self.templates)

    @property
    def template_count(self) -> int:
        """How many templates."""
        return count_codes(self.templates)

    @property
    def place_count(self) -> int:
        """How many places."""
        return count_codes(self.places)

    @cached_property
    def is_simple(self) -> bool:
        """Whether all are of one template and no two about one place: then they are independent and alike."""
        return self.template_count <= 1 and self.place_count == self.n

    def of(self, which: Codes) -> "Strata":
        """Those of some of the questions."""
        return make_strata(self.templates[which], self.places[which])

    @cached_property
    def usual_size(self) -> float:
        """How many questions the place of a question drawn at random has, itself among them (at least 1)."""
        sizes = np.bincount(self.places)
        return float(np.sum(sizes * sizes)) / self.n if self.n else 1.0

    @cached_property
    def degrees(self) -> int:
        """Degrees of freedom of `Spread.by_place`, rounded down; 0 where a single place has all questions.

        Those of Bell and McCaffrey (Survey Methodology 28, 2002, 169-181), once as if all questions were independent,
        and once as if questions of one template about one place were always alike; the fewer count. They follow from
        how questions lie in templates and places, and not from answers.
        """
        if self.place_count < 2:
            return 0
        cells = self._cells
        weights = 1.0 / np.sqrt(cells.left)
        shape = (self.place_count, count_codes(cells.stratum))
        shares = np.zeros(shape)
        shares[cells.place, cells.stratum] = weights * cells.sizes / cells.stratum_sizes
        independent = _degrees(
            np.bincount(cells.place, weights=weights**2 * cells.sizes).astype(np.float64),
            shares,
            -np.diag(np.bincount(self._strata).astype(float)),
        )
        squares = np.zeros(shape)
        squares[cells.place, cells.stratum] = weights * cells.sizes**2
        sums = np.bincount(cells.stratum, weights=cells.sizes**2.0)
        one, none = np.eye(len(sums)), np.zeros((len(sums), len(sums)))
        alike = _degrees(
            np.bincount(cells.place, weights=weights**2 * cells.sizes**2).astype(np.float64),
            np.hstack([squares, shares]),
            np.block([[none, -one], [-one, np.diag(sums)]]),
        )
        return int(min(independent, alike) + 1e-9)

    def spread(self, values: Values) -> Spread:
        """How far one value a question lies from the templates' means; two places at least.

        The sum of a place is divided by sqrt(1 - m / n) in each template, of whose n questions it has m, so that its
        square is not too small where values vary alike (CR2 of Bell and McCaffrey 2002).
        """
        cells = self._cells
        means = np.bincount(self._strata, weights=values) / np.bincount(self._strata)
        residuals = values - means[self._strata]
        sums = np.bincount(cells.of_question, weights=residuals) / np.sqrt(cells.left)
        by_place = np.bincount(cells.place, weights=sums)
        sizes = np.bincount(self._strata)[self._strata]
        by_question = np.sum(residuals * residuals * (sizes / (sizes - 1.0)))
        return Spread(float(np.sum(by_place * by_place)), float(by_question))

    def count_differing(self, differences: Values) -> int:
        """At how many places the differences do not add up to 0."""
        sums = np.bincount(self.places, weights=differences)
        return int(np.count_nonzero(np.abs(sums) > 1e-9))

    def questions_alike(self, spread: Spread) -> float:
        """How many questions count as one: the design effect (Kish, Survey Sampling, 1965), 1 to `usual_size`.

        Values that are nearly equal tell nothing of what places share: then it is near what SUPPOSED_SHARE makes it.
        """
        supposed = 1.0 + (self.usual_size - 1.0) * SUPPOSED_SHARE
        effect = (spread.by_place + 2.0) / (spread.by_question + 2.0 / supposed)
        return min(self.usual_size, max(1.0, effect))

    @cached_property
    def _strata(self) -> Codes:
        """The stratum of each question: its template, but templates that have a single place are taken together.

        Where those have but one place, too, they go with the smallest other (collapsed strata: Cochran, Sampling
        Techniques, 1977, 5A.12): the variance comes out too large rather than too small.
        """
        pairs = np.unique(self.templates * self.place_count + self.places)
        template_of, place_of = np.divmod(pairs, self.place_count)
        places = np.bincount(template_of)
        if self.place_count < 2 or places.min() > 1:
            return self.templates
        single = places < 2
        if len(np.unique(place_of[single[template_of]])) < 2 and not single.all():
            others = np.flatnonzero(~single)
            single[others[np.argmin(np.bincount(self.templates)[others])]] = True
        joined = np.where(single, -1, np.arange(len(places)))
        return number_codes(joined[self.templates])

    @cached_property
    def _cells(self) -> "_Cells":
        """The pairs of stratum and place that have questions."""
        strata = self._strata
        _, first, of_question, sizes = np.unique(
            strata * self.place_count + self.places,
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        stratum_sizes = np.bincount(strata)[strata[first]]
        return _Cells(
            strata[first], self.places[first], of_question, sizes, stratum_sizes, 1.0 - sizes / stratum_sizes
        )


def _degrees(diagonal: Values, columns: Values, core: Values) -> float:
    """trace(M)^2 / trace(M^2) of M = diag(diagonal) + columns core columns'; 0 where M is 0."""
    inner = columns.T @ columns @ core
    own = np.sum((columns @ core) * columns, axis=1)
    trace = float(np.sum(diagonal) + np.sum(own))
    square = float(np.sum(diagonal**2) + 2.0 * np.sum(diagonal * own) + np.sum(inner * inner.T))
    return trace * trace / square if square > 0.0 else 0.0


class _Cells(NamedTuple):
    """By cell: stratum, place, its and its stratum's number of questions, the share of others; each question's cell."""

    stratum: Codes
    place: Codes
    of_question: Codes
    sizes: Codes
    stratum_sizes: Codes
    left: Values


def make_strata(templates: NDArray[Any], places: NDArray[Any]) -> Strata:
    """From names or numbers, one a question."""
    return Strata(number_codes(templates), number_codes(places))


def number_codes(names: NDArray[Any]) -> Codes:
    """Whole numbers from 0 on for the names, in their order."""
    return np.asarray(np.unique(names, return_inverse=True)[1], dtype=np.int64)


def count_codes(codes: Codes) -> int:
    """How many different ones there are, of codes without gaps."""
    return int(codes.max()) + 1 if len(codes) else 0
