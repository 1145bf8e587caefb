"""A data set with one question that is proved on the village's map, one hidden, one of hostile words; and its runs."""

import json

from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.templates.catalogue import load_benchmarks
from tests.support.factories import FAILED, MADE_AT, MadeVersion, QuestionSpec, make_run, make_version
from tests.support.scored_runs import score

HOSTILE = '<script>alert("x")</script> & \u202eright to left\u202c 🧭 ' + "long" * 500
OPTIONS = ["Krone", "Adler", "Linde", "Wurst Eck"]
KEYS = {"Krone": "n3", "Adler": "n2", "Linde": "n4", "Wurst Eck": "n6"}
FACTS = {"margin": 10.0, "second": 295.6, "nearest": 75.9, "search_radius": 85.9}


def _question(number: int, wording: str, split: str = "public") -> QuestionSpec:
    wrong = [{"text": name, "osm_key": KEYS[name]} for name in OPTIONS if name != "Adler"]
    gold = {"index": 1, "text": "Adler", "objects": ["n2"]}
    return QuestionSpec(
        "Find_Nearest_POI", "option", wording, gold, {"poi": "n1", "test": number}, OPTIONS, wrong, split
    )


def make_inspected(settings: Settings, name: str = "shown") -> MadeVersion:
    """Three questions about the village's museum; the second is hidden. Four runs, one with a name that is markup."""
    wordings = ["Which of these places is nearest to the museum?", "A hidden question?", HOSTILE]
    questions = [_question(i, said, "hidden" if i == 1 else "public") for i, said in enumerate(wordings)]
    version = make_version(settings, questions, name=name, publish=False)
    header = load_benchmarks()["urban_knowledge"].templates["Find_Nearest_POI"].header.as_json()
    evidence = [
        {"layer": "poi", "osm_key": key, "version": 1, "content_hash": "0" * 32}
        for key in ("n1", "n2", "n3", "n4", "n6")
    ]
    binds = {
        "version": version.id,
        "at": MADE_AT,
        "header": json.dumps(header),
        "evidence": json.dumps(evidence),
        "margin": json.dumps({"behind": 219.7, "wanted": 10.0, "outline": "box"}),
        "second": json.dumps({"facts": FACTS, "value": {"text": "Adler"}, "refusal": None}),
        "keys": [one["osm_key"] for one in evidence],
    }
    with connect(settings, Role.WORKER) as connection:
        for statement in (
            "update template set header = cast(:header as jsonb) where name = 'Find_Nearest_POI'",
            "update proof set evidence = cast(:evidence as jsonb), margin = cast(:margin as jsonb),"
            " second_path = cast(:second as jsonb), sql = 'select ''<b>''', binds = '{\"poi\": \"n1\"}'"
            " where version_id = :version",
            "insert into footprint (version_id, question_id, area, classes, osm_keys, name_keys, fact_ids, uses_outline)"
            " select version_id, id, st_buffer(st_setsrid(st_makepoint(9.5, 47.1), 4326)::geography, 400)::geometry,"
            " array['poi:restaurant'], cast(:keys as text[]), array[]::text[], array[]::text[], true"
            " from question where version_id = :version",
            "update dataset_version set state = 'published', published_at = :at where id = :version",
        ):
            connection.execute(text(statement), binds)
        connection.commit()
    for label, answers in (
        ("oracle", ["B", "B", "B"]),
        ("org/model-1:instruct", ["A", "A", "B"]),
        ("<i>markup</i>" + "x" * 300, ["lorem ipsum", "B", None]),
        ("all failed", [FAILED, FAILED, FAILED]),
    ):
        status = "incomplete" if label == "all failed" else "complete"
        run = make_run(settings, version, answers, label, "oracle" if label == "oracle" else "direct", status)
        score(settings, run)
    return version
