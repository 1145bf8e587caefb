"""Wrong classes of hidden places, on one map: classes that are keys of other questions, as often wrong as right.

A class that is common around a place cannot be wrong there: drawn at random, common classes would be keys more often
than wrong options. Reads the questions of the map in groups, each once; those that the outline rules out count, too.
"""

from collections.abc import Iterator, Sequence

from app.benchmarks.urban_knowledge.distractors.alike_keys import AlikeKeys, Asked
from app.core.names import bare_form, normal_form
from app.core.seeds import below
from app.questions.alike import is_related
from app.questions.derivations import Case, derive
from app.questions.instantiate import ask_batch, types_used
from app.questions.picking import Pick
from app.questions.shared_words import telling_words
from app.questions.strategies import Distractor, QuestionToFill, Sources, Strategy, strategy

TOGETHER = 1000
"""About how many questions share their classes: all of a small map, and so many by hash of a large one."""

Class = tuple[str, str]
"""What people call a class, and the words of its tag, by which it is compared with what tags say."""

AT_ONCE = 256
"""How many questions are asked at once: each says all that is tagged around it."""


@strategy("urban_knowledge", "keyed_classes")
class KeyedClasses(Strategy):
    """The strategy `keyed_classes`."""

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._groups: dict[int, Sequence[Asked]] = {}
        self._keys: dict[tuple[int, int], AlikeKeys] = {}

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Classes that are keys of other questions of the map."""
        group = self._group_of(question.subject)
        if (group, count) not in self._keys:
            self._keys[group, count] = AlikeKeys(self._asked(group), count, self.sources.seed)
        drawn = self._keys[group, count].draw(question.subject.value, question.excluded, question.id)
        if isinstance(drawn, str):
            return drawn
        return [{"text": row["label"], "osm_key": row["osm_key"]} for row in drawn]

    def _group_of(self, pick: Pick) -> int:
        return below(1 + len(self.sources.first_picks) // TOGETHER, 0, "scenes", pick.value)

    def _asked(self, group: int) -> Sequence[Asked]:
        """The questions of a group that have a key, in the order of their subjects."""
        if group not in self._groups:
            offered = (pick for pick in self.sources.first_picks if pick.facts["option"] is not None)
            picks = sorted(
                (pick for pick in offered if self._group_of(pick) == group), key=lambda pick: str(pick.value)
            )
            classes = sorted({(str(pick.facts["option"]), str(pick.facts["option_group"])) for pick in picks})
            self._groups[group] = [
                one
                for start in range(0, len(picks), AT_ONCE)
                for one in self._ask(picks[start : start + AT_ONCE], classes)
            ]
        return self._groups[group]

    def _ask(self, picks: Sequence[Pick], classes: Sequence[Class]) -> Iterator[Asked]:
        template, header = self.sources.template, self.sources.template.header
        (name,) = header.parameters
        binds = [{name: pick.bind, **header.constants} for pick in picks]
        types = types_used(header, template.body)
        answers = ask_batch(self.sources.connection, template.body, types, binds)
        for pick, bound, rows in zip(picks, binds, answers, strict=True):
            case = Case(rows, bound, header.margins, header.limits, {name: pick.facts})
            if derive(template.benchmark, header.derive, case).refusal is None:
                yield _asked_about(pick, rows[0]["unfit"] or (), classes)


def _asked_about(pick: Pick, unfit: Sequence[str], classes: Sequence[Class]) -> Asked:
    """A question as others see it; the key's class, and those that are said around it, are no wrong options."""
    key, own = str(pick.facts["option"]), str(pick.facts["option_group"])
    said = {normal_form(text) for text in unfit}
    right = {bare_form(word) for word, text in classes if normal_form(text) in said or is_related(text, own)}
    told = telling_words(str(pick.facts["tells"]))
    return Asked(str(pick.value), {key: str(pick.value)}, frozenset(right), None, told)
