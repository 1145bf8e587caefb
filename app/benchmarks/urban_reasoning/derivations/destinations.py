"""Prediction (PR): a way of six legs and five candidates, one of which lies ahead. Degrees."""

from app.benchmarks.urban_reasoning.judged import facts_of_way, judged
from app.benchmarks.urban_reasoning.printing import DECIMAL, print_point
from app.benchmarks.urban_reasoning.truth.destinations import destination_of
from app.benchmarks.urban_reasoning.truth.sphere import leg_on_sphere
from app.questions.derivations.base import Case, Derived, Row, derivation, refused

POINTS, CANDIDATES = 7, 5


@derivation("urban_reasoning", "printed_destination")
def printed_destination(case: Case) -> Derived:
    """The only candidate ahead, by the printed coordinates."""
    way = [row for row in case.rows if row["role"] == "way"]
    candidates = [row for row in case.rows if row["role"] == "candidate"]
    if not case.rows:
        return refused("way_out_of_range")
    if (len(way), len(candidates)) != (POINTS, CANDIDATES):
        return refused("no_answer")
    if len({row["osm_key"] for row in case.rows}) < len(case.rows):
        return refused("place_told_twice")
    printed = {row["osm_key"]: print_point(row["lon"], row["lat"], DECIMAL) for row in case.rows}
    points = [printed[row["osm_key"]].point for row in way]
    destination = candidates[0]
    metres = leg_on_sphere(points[0], printed[destination["osm_key"]].point).metres
    if not case.margins["least"] <= metres <= case.margins["most"]:
        return refused("way_out_of_range")
    if destination_of(points, [printed[row["osm_key"]].point for row in candidates]) != 0:
        return refused("not_one_ahead")
    others = sorted(candidates[1:], key=lambda row: row["osm_key"])

    def told(rows: list[Row]) -> list[list[str]]:
        return [[row["name"], printed[row["osm_key"]].text] for row in rows]

    by_name = sorted(candidates, key=lambda row: row["name"])
    facts = facts_of_way(points, {row["name"]: printed[row["osm_key"]].point for row in by_name})
    gold = {
        "text": destination["name"],
        "objects": [destination["osm_key"]],
        "way": told(way),
        "candidates": told(by_name),
        **judged("PR", destination["name"], facts),
    }
    evidence = [("poi", row["osm_key"]) for row in (*way[1:], *others)]
    return Derived(gold, evidence=evidence)
