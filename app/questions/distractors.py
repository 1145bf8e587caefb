"""Wrong options by strategies that any benchmark can name; the second path proves them wrong."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

from app.core import seeds
from app.core.names import bare_form
from app.questions.alike import (
    TRIES,
    AlikeOptions,
    Candidate,
    candidate_of,
    may_be_right,
    offered_by,
    scripts_of,
)
from app.questions.strategies import (
    TOO_FEW,
    Distractor,
    QuestionToFill,
    Row,
    Sources,
    Strategy,
    generic_strategy,
)


def order_of_options(texts: Sequence[str], seed: int, question_id: str) -> list[int]:
    """The positions in `texts` of the first option shown, the second, and so on.

    Depends on the set of texts alone, never on which of them is right: seed and id are public, and an order drawn
    for positions (key first) would tell anybody the key of a hidden question.
    """
    return sorted(range(len(texts)), key=lambda i: (seeds.draw(seed, "options", question_id, texts[i]), i))


@generic_strategy("others")
class Others(Strategy):
    """The other objects among the rows of the template's SELECT, by their names: all that the key is compared with."""

    may_be_five = says_names = is_drawn = False
    offers_places = True

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Every row that is not the key's, whatever `count` is."""
        objects = question.gold["objects"]
        return [_distractor(row["name"], row) for row in question.rows if row["osm_key"] not in objects]


@generic_strategy("pool")
class FromPool(Strategy):
    """Rows of the template's pool, one of each of so many groups."""

    pool = "own"
    offers_places = True

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Groups in a drawn order; a text that reads like another one, or like what is excluded, is passed over."""
        drawn: list[Distractor] = []
        seen = {bare_form(name) for name in (*question.excluded, question.gold["text"])}
        for group in seeds.shuffled(self._groups(question), self.sources.seed, "groups", question.id):
            for row in group:
                forms = {bare_form(row["label"]), bare_form(row.get("also") or row["label"])}
                if not forms & seen:
                    seen |= forms
                    drawn.append(_distractor(row["label"], row))
                    break
            if len(drawn) == count:
                return drawn
        return TOO_FEW

    def _groups(self, question: QuestionToFill) -> list[list[Row]]:
        groups = [list(rows) for _, rows in groupby(question.pool, key=lambda row: row["pool_group"])]
        if not self.sources.header.one_a_group:
            return [[row] for rows in groups for row in rows]
        seed = self.sources.seed
        return [
            seeds.shuffled(rows, seed, "candidates", question.id, rows[0]["pool_group"]) for rows in groups
        ]


@generic_strategy("alike")
class Alike(Strategy):
    """Options that are drawn as keys are, of the pick's other values or of a pool's rows (see `alike`)."""

    pool = "optional"
    offers_places = True

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._options = AlikeOptions(sources.header, sources.margins, sources.first_picks, sources.seed)

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Options of the key's kind and script, and about as long."""
        offered = self._offered(question.pool) if self.sources.header.pool else None
        text, excluded, told = question.gold["text"], question.excluded, question.told
        return self._options.draw(question.subject, text, offered, excluded, told, count, question.id)

    @staticmethod
    def _offered(pool: Sequence[Row]) -> list[Row]:
        """The rows that may stand beside the key; a pool that holds others too says which by its column `alike`."""
        return [row for row in pool if row.get("alike", True)]


@generic_strategy("anywhere")
class Anywhere(Strategy):
    """What the pick's other values offer, wherever on the map; each text equally often, however many offer it.

    Of a pick's columns `option_kind` tells what may stand beside the key, and `option_group`, or the text, what may be
    as right as the key (see `alike.candidate_of`).
    """

    offers_places = True

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        offered = offered_by(sources.first_picks)
        self._texts: dict[str, list[Candidate]] = defaultdict(list)
        for _, one in sorted({one.text: one for one in reversed(offered)}.items()):
            self._texts[one.kind].append(one)

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Texts one after the other; what reads like another one, or may be right, is drawn again."""
        key = candidate_of(question.subject.facts, str(question.subject.value))
        texts = self._texts[key.kind] if key else []
        if key is None or len(texts) <= count:
            return TOO_FEW
        drawn: list[Candidate] = []
        seen = {bare_form(name) for name in (*question.excluded, key.text)}
        for turn in range(TRIES):
            one = texts[seeds.below(len(texts), self.sources.seed, "anywhere", question.id, turn)]
            fits = scripts_of(one.text) == scripts_of(key.text) and not one.words & key.said
            if bare_form(one.text) not in seen and fits and not may_be_right(key, one):
                seen.add(bare_form(one.text))
                drawn.append(one)
            if len(drawn) == count:
                return [
                    {"text": found.text, "osm_key": found.osm_key if self.sources.header.layer else None}
                    for found in drawn
                ]
        return TOO_FEW


def _distractor(text: str, row: Row) -> Distractor:
    facts = {name: row[name] for name in ("osm_key", "lon", "lat", "area") if name in row}
    return {"text": text, **facts}
