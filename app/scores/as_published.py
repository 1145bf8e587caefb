"""Runs under the rules of a paper: predictions and gold → score rows of profile `published` or of a variant.

A variant parses answers or places addresses another way; its rows stand beside those of `published`, never instead.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from app.scores import queries
from app.scores.expectations import Judged
from app.scores.judging import judge, upsert_scores, write_scores
from app.scores.paper_rules import PROFILE, PaperRules, Reader
from app.scores.placing import (
    COMPONENT,
    Located,
    Placer,
    addresses_of,
    by_gazetteer,
    with_distance_errors,
)
from app.scores.score import Score


class Ways(NamedTuple):
    """How answers are parsed and addresses placed; `told` is stored with every score, `profile` names the rows."""

    profile: str
    place: Placer
    read: Reader
    told: Mapping[str, str] = {}


@dataclass(frozen=True)
class Answers:
    """A run's answered predictions to questions of the kinds that the paper has, the questions, and their maps."""

    run_id: int
    rules: PaperRules
    rows: Sequence[Row[Any]]
    questions: Mapping[str, Judged]
    schemas: Mapping[str, str]

    def to_parse(self) -> list[Row[Any]]:
        """The answers that have a parsed score."""
        return [row for row in self.rows if self.rules.has_parsed_score(self.questions[row.question_id])]

    def judged(self, read: Reader) -> dict[int, Score]:
        """Each answer's score, before its addresses are placed."""
        return {row.id: judge(self._question(row, read), row.answer or "", row.rotation) for row in self.rows}

    def _question(self, row: Row[Any], read: Reader) -> Judged:
        """The question of an answer: where the answer came with its parsed form, that is what is scored."""
        question = self.questions[row.question_id]
        if row.parsed is not None:
            return self.rules.scored_parsed(question, row.parsed)
        return self.rules.scored_by(question, read)

    def located(self, scores: Mapping[int, Score]) -> dict[int, Located]:
        """The scored answers to questions for a location."""
        return {
            row.id: Located(
                self.schemas[row.question_id], self.questions[row.question_id].gold, scores[row.id]
            )
            for row in self.rows
            if row.question_id in self.schemas and row.id in scores
        }


class Placed(NamedTuple):
    """Answers to questions for a location: `unplaced` ones name addresses of which none could be placed."""

    placed: int
    unplaced: int
    without_address: int


class PublishedGrounds(NamedTuple):
    """A version's questions of the kinds that the paper has, and the maps of those for a location."""

    rules: PaperRules
    questions: Mapping[str, Judged]
    schemas: Mapping[str, str]

    def answers(self, run_id: int, predictions: Sequence[Row[Any]]) -> Answers:
        """Those of a run's predictions that the published rules score."""
        rows = [row for row in predictions if row.state == "answered" and row.question_id in self.questions]
        return Answers(run_id, self.rules, rows, self.questions, self.schemas)


def read_published_grounds(
    connection: Connection, version_id: int, questions: Mapping[str, Judged], rules: PaperRules
) -> PublishedGrounds:
    """What the published rules need of a version."""
    known = {
        name: question._replace(scorer=scorer)
        for name, question in questions.items()
        if (question.answerable or rules.counts_unanswerable)
        and (scorer := rules.scorer(question.scorer.name, rules.read)) is not None
    }
    schemas = connection.execute(queries.LOCATION_SCHEMAS, {"version_id": version_id})
    return PublishedGrounds(rules, known, {row.id: row.schema_name for row in schemas})


def score_as_published(connection: Connection, answers: Answers, ways: Ways | None = None) -> Placed:
    """Write the score rows, by the rules and the questions' own maps where no other ways are given."""
    ways = ways or Ways(PROFILE, by_gazetteer(connection), answers.rules.read)
    scores = answers.judged(ways.read)
    scores |= with_distance_errors(answers.rules, answers.located(scores), ways.place)
    told = {
        number: replace(score, parsed={**score.parsed, **ways.told}) if ways.told else score
        for number, score in scores.items()
    }
    write_scores(connection, answers.run_id, ways.profile, answers.rows, answers.questions, told)
    return _count(answers.located(scores).values())


def place_and_write(connection: Connection, answers: Answers, judged: Mapping[int, Score]) -> None:
    """Write the rows of answers that are judged by the rules, their addresses placed by the questions' own maps."""
    scores = dict(judged) | with_distance_errors(
        answers.rules, answers.located(judged), by_gazetteer(connection)
    )
    upsert_scores(connection, PROFILE, answers.rows, answers.questions, scores)


def _count(located: Iterable[Located]) -> Placed:
    placed = unplaced = without = 0
    for one in located:
        if not addresses_of(one.score):
            without += 1
        elif one.score.components[COMPONENT].attempted:
            placed += 1
        else:
            unplaced += 1
    return Placed(placed, unplaced, without)
