"""One question with its proof, its wrong options, its map and what was answered. Read as the api role.

Row-level security keeps all but text and options of hidden questions; here they are not even asked for.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from app.core.errors import NotFound
from app.leaderboard.board import attribution_of_versions
from app.published import queries_inspecting as queries
from app.published.derivation_words import words_of
from app.published.failures import kind_of
from app.published.inspected import ModelAnswer, Proof, QuestionDetail, Wrong
from app.published.question_maps import letter_of, objects_of, parts_of, read_map
from app.published.questions import read_question
from app.published.reasons import why_wrong
from app.questions.versions import PublishedVersion
from app.scores.diagnosis import DIAGNOSIS, VERSION
from app.scores.profiles import default_profile


def inspect(connection: Connection, version: PublishedVersion, question_id: str) -> QuestionDetail:
    """The question of a published version. Raises NotFound."""
    question = read_question(connection, version, question_id)
    if question is None:
        raise NotFound(f"{version.reference} has no question {question_id!r}.")
    key: dict[str, Any] = {"version_id": version.id, "question_id": question_id}
    place = connection.execute(queries.PLACE, key).one()
    known: dict[str, Any] = {"question": question, "title": place.title or question.template}
    known |= {"before": place.before, "after": place.after}
    known["attribution"] = attribution_of_versions(connection, [version.id])
    row = connection.execute(queries.PROOF, key).one_or_none() if question.split == "public" else None
    if row is None or question.gold is None:
        return QuestionDetail(**known, proof=None, wrong=[], answers=[], map=None)
    proof = dict(row._mapping)
    parts = parts_of(place.header, question.options, question.gold, proof)
    drawn = read_map(connection, version.id, question_id, parts)
    facts = proof["second_path"].get("facts", {})
    words = words_of(version.benchmark, proof["derive"])
    wrong = [
        Wrong(
            letter=letter_of(question.options, one["text"]) or "",
            text=one["text"],
            osm_keys=objects_of(one),
            why=why_wrong(one, question.gold, facts, drawn, words.not_found),
        )
        for one in proof.pop("distractors") or []
    ]
    return QuestionDetail(
        **known,
        proof=Proof(**proof),
        wrong=sorted(wrong, key=lambda one: one.letter),
        answers=_answers(connection, key),
        map=drawn,
    )


def _answers(connection: Connection, key: Mapping[str, Any]) -> list[ModelAnswer]:
    """What was answered; of what failed, the kind."""
    binds: dict[str, Any] = default_profile().scorer_binds()
    binds |= {"most": queries.MOST_ANSWERS, **key}
    binds |= {"diagnosis": DIAGNOSIS, "diagnosis_version": VERSION}
    return [
        ModelAnswer(**{**row._mapping, "error": row.error and kind_of(row.error)})
        for row in connection.execute(queries.ANSWERS, binds)
    ]
