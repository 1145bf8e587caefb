"""Wrong options about roads: pairs of cross-roads of which one at least, or both, never meets the road."""

from collections.abc import Sequence

from app.benchmarks.urban_knowledge.derivations.roads import pair_text
from app.core import seeds
from app.core.names import bare_form, normal_form
from app.core.seeds import Seed
from app.questions.strategies import TOO_FEW, Distractor, QuestionToFill, Row, Strategy, strategy

TURNS = 200
"""How often a pair is drawn before there are too few."""


def junction_pairs(
    key: Sequence[str],
    roads: Sequence[Row],
    excluded: set[str],
    count: int,
    seed: Seed,
    question_id: str,
) -> list[Distractor] | None:
    """The key's pair with its first, its second or both roads replaced by strangers, each as probable.

    UrbanGeoEval, Table 2: the fabricated junctions must not exist, so of the roads of the area those are drawn that
    share no node with the road; none reads like one of `excluded`. None where too few pairs are found.
    """
    taken = {bare_form(name) for name in key} | {bare_form(name) for name in excluded}
    offered = [row for row in roads if not row["meets"] and bare_form(row["label"]) not in taken]
    drawn: list[Distractor] = []
    seen = {bare_form(pair_text(key))}
    for turn in range(TURNS if offered else 0):
        new = [offered[seeds.below(len(offered), seed, "stranger", question_id, turn, i)] for i in range(2)]
        replaced = seeds.below(3, seed, "replaced", question_id, turn)
        names = [
            new[0]["label"] if replaced in (0, 2) else key[0],
            new[1]["label"] if replaced in (1, 2) else key[1],
        ]
        text = pair_text(names)
        if normal_form(names[0]) == normal_form(names[1]) or bare_form(text) in seen:
            continue
        seen.add(bare_form(text))
        keys = [new[0]["osm_key"]] * (replaced in (0, 2)) + [new[1]["osm_key"]] * (replaced in (1, 2))
        drawn.append({"text": text, "osm_keys": sorted(keys)})
        if len(drawn) == count:
            return drawn
    return None


def junction_grid(key: Sequence[str], strangers: Sequence[Row]) -> list[Distractor]:
    """Of the key (A, B) and two strangers X and Y: (A, Y), (X, B), (X, Y). Each road is in two options of the four."""
    x, y = strangers
    return [
        {"text": pair_text([key[0], y["label"]]), "osm_keys": [y["osm_key"]]},
        {"text": pair_text([x["label"], key[1]]), "osm_keys": [x["osm_key"]]},
        {"text": pair_text([x["label"], y["label"]]), "osm_keys": sorted((x["osm_key"], y["osm_key"]))},
    ]


def connections(
    key: str, rows: Sequence[Row], excluded: set[str], count: int, seed: Seed, question_id: str
) -> list[Distractor] | None:
    """Roads that are connected where the key is not; else roads two hops away, and then others of the area.

    UrbanGeoEval's Table 2 leaves open how; None where too few are found that read differently.
    """
    hops = {1} if rows[0]["form"] == "not_connected" else {2, 3}
    seen = {bare_form(name) for name in (key, *excluded)}
    drawn: list[Distractor] = []
    for hop in sorted(hops):
        for row in seeds.shuffled([row for row in rows if row["hop"] == hop], seed, "hop", question_id, hop):
            if bare_form(row["name"]) not in seen and len(drawn) < count:
                seen.add(bare_form(row["name"]))
                drawn.append({"text": row["name"], "osm_key": row["osm_key"]})
    return drawn if len(drawn) == count else None


@strategy("urban_knowledge", "junction_pairs")
class JunctionPairs(Strategy):
    """The strategy `junction_pairs`."""

    pool = "own"

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Pairs of roads in which strangers stand."""
        names, excluded = question.gold["names"], question.excluded
        return (
            junction_pairs(names, question.pool, excluded, count, self.sources.seed, question.id) or TOO_FEW
        )


@strategy("urban_knowledge", "connections")
class Connections(Strategy):
    """The strategy `connections`."""

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Roads that answer the question which is asked the other way round."""
        text, rows, excluded = question.gold["text"], question.rows, question.excluded
        return connections(text, rows, excluded, count, self.sources.seed, question.id) or TOO_FEW
