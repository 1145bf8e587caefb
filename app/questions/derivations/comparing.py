"""Keys of questions that compare what areas hold."""

from app.questions.derivations.base import Case, Derived, derivation, refused


def _most(case: Case, measure: str) -> Derived:
    """The area with the most, every other at most `ratio` of it, whatever lies on a border."""
    if len(case.rows) < 2:
        return refused("no_answer")
    if any(row["repaired"] for row in case.rows):
        return refused("repaired_geometry")
    first, second, *_ = sorted(case.rows, key=lambda row: (-row[measure], row["osm_key"]))
    if first[measure] == 0:
        return refused("zero")
    if second[measure] > case.margins["ratio"] * first[measure]:
        return refused("margin")
    possible = max(row[f"possible_{measure}"] for row in case.rows if row is not first)
    if possible > case.margins["ratio"] * first[f"sure_{measure}"]:
        return refused("near_area_edge")
    gold = {"text": first["name"], "objects": [first["osm_key"]], "count": first[measure]}
    evidence = [("poi", key) for row in case.rows for key in row["poi_keys"]]
    margin = {"second_to_first": second[measure] / first[measure], "wanted": case.margins["ratio"]}
    return Derived(gold, None, evidence, margin)


@derivation("most_pois_option")
def most_pois_option(case: Case) -> Derived:
    """The area with the most points of interest."""
    return _most(case, "number")


@derivation("most_kinds_option")
def most_kinds_option(case: Case) -> Derived:
    """The area whose points of interest are of the most kinds."""
    return _most(case, "kinds")
