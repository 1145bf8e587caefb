"""Wrong options that are numbers of the map, drawn as keys are. Metres; reads the pool's numbers once a map."""

from functools import cached_property
from typing import ClassVar

from app.benchmarks.urban_knowledge.derivations.numerals import kilometres_text, metres_text
from app.benchmarks.urban_knowledge.distractors.alike_numbers import AlikeNumbers
from app.questions.strategies import Distractor, QuestionToFill, Strategy, strategy
from app.templates.statements import PROVIDED, SQL_TYPES, as_single, binds_of


class OtherNumbers(Strategy):
    """What `other_lengths` and `other_distances` share."""

    pool = "numbers"
    says_names = False
    measure: ClassVar[str]
    """Which part of gold is the number."""

    @staticmethod
    def written(metres: float) -> str:
        """How options write it."""
        raise NotImplementedError

    @cached_property
    def _numbers(self) -> AlikeNumbers:
        sources = self.sources
        pool, margins = sources.template.pool or "", sources.margins
        bounds = {name: margins[name] for name in sorted(margins.keys() & binds_of(pool))}
        types = {"outline": "text", **PROVIDED, **dict.fromkeys(bounds, SQL_TYPES["number"])}
        binds = {"outline": sources.snapshot.outline, "facts": sources.snapshot.facts, **bounds}
        rows = sources.connection.exec_driver_sql(as_single(pool, types), binds)
        return AlikeNumbers([float(row.value) for row in rows], margins, sources.seed)

    def has_enough(self, count: int) -> bool:
        """Whether so many numbers, and a key, can stand together."""
        return self._numbers.can_stand_together(count + 1)

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Numbers of other keys, a little moved."""
        drawn = self._numbers.draw(question.gold[self.measure], count, question.id)
        if isinstance(drawn, str):
            return drawn
        return [{"text": self.written(metres), "osm_key": None, self.measure: metres} for metres in drawn]


@strategy("urban_knowledge", "other_lengths")
class OtherLengths(OtherNumbers):
    """The strategy `other_lengths`."""

    measure = "length"
    written = staticmethod(metres_text)


@strategy("urban_knowledge", "other_distances")
class OtherDistances(OtherNumbers):
    """The strategy `other_distances`."""

    measure = "distance"
    written = staticmethod(kilometres_text)
