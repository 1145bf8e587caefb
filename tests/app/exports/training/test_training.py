"""Training data: splits that share nothing, pairs of which one graph breaks a named constraint, files and card."""

import json
import random
from collections import Counter

import pytest
import yaml

from app.core.errors import UsageError
from app.exports.exported import Export, ExportedQuestion, ExportedVersion
from app.exports.training.examples import Example, collect_examples, join_shared_ground
from app.exports.training.files import training_files
from app.exports.training.pairs import fine_tuning_lines, preference_lines
from app.exports.training.splitting import split_examples
from app.geoflow.checking import violations_of
from app.geoflow.graphs import read_graph
from app.questions.prompts import text_prompt
from app.questions.storing import LICENCE
from tests.support.flows import random_flow

REGIONS = ("liechtenstein", "helsinki", "manhattan")
TEMPLATES = [f"{benchmark}/T{number}" for benchmark in ("mapqa", "gsqa") for number in range(5)]


def examples(count: int = 240) -> list[Example]:
    draw = random.Random(1)
    return [
        Example(
            f"q{number}",
            f"Question {number}?",
            draw.choice(TEMPLATES),
            frozenset([draw.choice(REGIONS)]),
            random_flow(draw),
        )
        for number in range(count)
    ]


def test_splits_share_neither_region_nor_template() -> None:
    found = split_examples(examples(), ["manhattan"], seed=3)
    assert {region for one in found.train for region in one.regions} == {"liechtenstein", "helsinki"}
    assert {region for one in found.test for region in one.regions} == {"manhattan"}
    trained, tested = ({one.template for one in part} for part in (found.train, found.test))
    assert not trained & tested
    assert Counter(one.partition("/")[0] for one in tested) == {"mapqa": 2, "gsqa": 2}, "a quarter of each"
    assert len(found.train) + len(found.test) + found.between == 240
    assert split_examples(examples(), ["manhattan"], seed=3) == found
    others = {tuple(split_examples(examples(), ["manhattan"], seed).test_templates) for seed in range(5)}
    assert len(others) > 1, "the seed draws the templates"


def test_a_part_that_would_be_empty_is_told() -> None:
    with pytest.raises(UsageError, match="no question has it; there are helsinki"):
        split_examples(examples(), ["vaduz"], seed=1)
    alone = [one for one in examples() if one.regions == {"helsinki"}]
    with pytest.raises(UsageError, match="0 examples for training"):
        split_examples(alone, ["helsinki"], seed=1)


def test_every_pair_breaks_the_constraint_that_it_names() -> None:
    lines = list(preference_lines(examples(), "Write a graph.", seed=1))
    for line in lines:
        chosen, rejected = (
            read_graph(json.loads(line[name][0]["content"])) for name in ("chosen", "rejected")
        )
        assert violations_of(chosen) == []
        assert line["broken"] in {one.constraint for one in violations_of(rejected)}
    counts = Counter(line["broken"] for line in lines)
    assert set(counts) == {"G1", "G2", "G3", "G4", "G5"}
    assert max(counts.values()) - min(counts.values()) <= 2, counts
    assert list(preference_lines(examples(), "Write a graph.", seed=1)) == lines


def test_the_graph_of_a_line_is_the_question_s() -> None:
    given = examples(20)
    for one, line in zip(given, fine_tuning_lines(given, "Write a graph."), strict=True):
        assert [message["role"] for message in line["prompt"]] == ["system", "user"]
        assert line["prompt"][1]["content"] == one.text
        read = read_graph(json.loads(line["completion"][0]["content"]))
        assert [step.op for step in read.steps] == [step.op for step in one.graph.steps]


def test_hidden_questions_and_texts_that_come_again_are_left_out() -> None:
    flow = random_flow(random.Random(1))
    export = Export(
        version(),
        [
            question("a", "One?"),
            question("b", "One?"),
            question("c", "Two?", split="hidden"),
            question("d", "Three?", with_gold=False),
            question("e", "Four?"),
        ],
        with_gold=True,
    )
    found = collect_examples([export], lambda one: None if one.id == "e" else flow)
    assert [(one.question_id, one.template, one.regions) for one in found.examples] == [
        ("a", "mapqa/T1", frozenset({"town"}))
    ]
    assert found.left_out == {"same text": 1, "hidden": 2, "no graph": 1}
    elsewhere = collect_examples([export], lambda one: None if one.id == "e" else flow, frozenset({"a"}))
    assert [one.question_id for one in elsewhere.examples] == ["b"]


def test_maps_that_share_ground_are_never_on_both_sides() -> None:
    given = [
        one._replace(regions=frozenset({name})) for one in examples()[:1] for name in ("old", "new", "far")
    ]
    joined = join_shared_ground(given, [("old", "new"), ("new", "old")])
    assert [sorted(one.regions) for one in joined] == [["new", "old"], ["new", "old"], ["far"]]


def test_the_card_counts_what_lies_beside_it() -> None:
    given = collect_examples([], lambda _: None)
    split = split_examples(examples(), ["manhattan"], seed=3)
    files = training_files([version()], given, split, "Write a graph.", seed=3)
    card = files["README.md"].decode()
    front = yaml.safe_load(card.split("---")[1])
    named = [one["path"] for config in front["configs"] for one in config["data_files"]]
    assert sorted(named) == ["dpo/test.jsonl", "dpo/train.jsonl", "sft/test.jsonl", "sft/train.jsonl"]
    for name in named:
        assert f"| {name} | {len(files[name].splitlines()):,} |" in card
    assert "town_qa@1 (canary `abc`)" in card
    assert LICENCE["attribution"] in files["LICENSE"].decode()
    assert training_files([version()], given, split, "Write a graph.", seed=3) == files


def question(name: str, text: str, split: str = "public", with_gold: bool = True) -> ExportedQuestion:
    gold = {"count": 1} if with_gold else None
    return ExportedQuestion(
        name, name, "T1", 1, [{"snapshot": "town@2024"}], text_prompt(text), None, "count", split, gold
    )


def version() -> ExportedVersion:
    recipe = {"benchmark": "mapqa", "snapshots": [{"snapshot": "town@2024", "checksum": "d"}]}
    return ExportedVersion("town_qa", 1, recipe, {}, "abc", LICENCE)
