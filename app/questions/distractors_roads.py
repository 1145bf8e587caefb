"""Wrong options about roads: pairs of cross-roads of which one at least, or both, never meets the road."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.core import seeds
from app.core.names import bare_form, normal_form
from app.questions.derivations.roads import pair_text

Row = Mapping[str, Any]
Distractor = dict[str, Any]
TURNS = 200
"""How often a pair is drawn before there are too few."""


def junction_pairs(
    key: Sequence[str],
    strangers: Sequence[Row],
    excluded: set[str],
    count: int,
    seed: int,
    question_id: str,
) -> list[Distractor] | None:
    """The key's pair with its first, its second or both roads replaced by strangers, each as probable.

    UrbanGeoEval, Table 2: the fabricated junctions must not exist, so `strangers` are roads that share no node with
    the road; none reads like one of `excluded`. None where too few pairs are found.
    """
    taken = {bare_form(name) for name in key} | {bare_form(name) for name in excluded}
    offered = [row for row in strangers if bare_form(row["label"]) not in taken]
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
