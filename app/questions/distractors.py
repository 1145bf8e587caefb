"""Wrong options: named strategies, each seeded by the question's id; the second path proves them wrong.

Reads a pool of candidates from the snapshot where the strategy needs one; coordinates lon, lat.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from app.core import seeds
from app.core.names import bare_form
from app.core.seeds import Seed
from app.questions.derivations.options import coordinates_text
from app.questions.distractors_numbers import distance_draws, length_multiples
from app.questions.distractors_roads import connections, junction_pairs
from app.templates.header import Distractors

Row = Mapping[str, Any]
Distractor = dict[str, Any]


def draw_distractors(
    strategy: Distractors,
    rows: Sequence[Row],
    pool: Sequence[Row],
    key: Mapping[str, Any],
    excluded: set[str],
    margins: Mapping[str, float],
    seed: Seed,
    question_id: str,
) -> list[Distractor] | None:
    """The wrong options of one question, or None where the map has too few.

    `rows` are those of the template's SELECT, `pool` those of the pool's, `excluded` the normal forms of names
    that would be right or unfair.
    """
    if strategy.strategy == "coordinate_corners":
        return _corners(rows[0], margins["offset_degrees"], strategy.count, seed, question_id)
    if strategy.strategy == "others":
        return [_distractor(row["name"], row) for row in rows if row["osm_key"] not in key["objects"]]
    if strategy.strategy == "length_multiples":
        return length_multiples(key["length"], margins)
    if strategy.strategy == "junction_pairs":
        return junction_pairs(key["names"], pool, excluded, strategy.count, seed, question_id)
    if strategy.strategy == "connections":
        return connections(key["text"], rows, excluded, strategy.count, seed, question_id)
    if strategy.strategy == "distance_draws":
        return distance_draws(key, margins, strategy.count, seed, question_id)
    return _from_pool(strategy, pool, {*excluded, key["text"]}, seed, question_id)


def order_of_options(texts: Sequence[str], seed: int, question_id: str) -> list[int]:
    """The positions in `texts` of the first option shown, the second, and so on.

    Depends on the set of texts alone, never on which of them is right: seed and id are public, and an order drawn
    for positions (key first) would tell anybody the key of a hidden question.
    """
    return sorted(range(len(texts)), key=lambda i: (seeds.draw(seed, "options", question_id, texts[i]), i))


def _corners(row: Row, offset: float, count: int, seed: Seed, question_id: str) -> list[Distractor]:
    """Corners of the square of side 2 · offset degrees around the rounded key (UrbanGeoEval, Table 6)."""
    lon, lat = round(row["lon"], 5), round(row["lat"], 5)
    corners = [(lon + dx * offset, lat + dy * offset) for dx in (-1, 1) for dy in (-1, 1)]
    drawn = seeds.shuffled(corners, seed, "corners", question_id)[:count]
    return [
        {"text": coordinates_text(*corner), "osm_key": None, "lon": corner[0], "lat": corner[1]}
        for corner in drawn
    ]


def _from_pool(
    strategy: Distractors, pool: Sequence[Row], excluded: set[str], seed: Seed, question_id: str
) -> list[Distractor] | None:
    groups = [list(rows) for _, rows in groupby(pool, key=lambda row: row["pool_group"])]
    candidates: list[list[Row]] = (
        [seeds.shuffled(rows, seed, "candidates", question_id, rows[0]["pool_group"]) for rows in groups]
        if strategy.one_a_group
        else [[row] for rows in groups for row in rows]
    )
    drawn: list[Distractor] = []
    seen = {bare_form(name) for name in excluded}
    for group in seeds.shuffled(candidates, seed, "groups", question_id):
        for row in group:
            if bare_form(row["label"]) not in seen:
                seen.add(bare_form(row["label"]))
                drawn.append(_distractor(row["label"], row))
                break
        if len(drawn) == strategy.count:
            return drawn
    return None


def _distractor(text: str, row: Row) -> Distractor:
    facts = {name: row[name] for name in ("osm_key", "lon", "lat", "area") if name in row}
    return {"text": text, **facts}
