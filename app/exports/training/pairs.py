"""Lines for supervised fine-tuning and for direct preference optimisation, in TRL's conversational forms.

Spatial-Agent (section 3.4) trains on pairs of question and graph, then on well-formed against violated graphs; it
publishes neither. Here the violated graph is the right one with one of five corruptions, each as often as it can be.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.core.identity import canonical_json, digest
from app.exports.training.examples import Example
from app.geoflow.corrupting import CORRUPTIONS
from app.geoflow.graphs import Graph, write_graph

Message = Mapping[str, str]
Line = dict[str, Any]


def fine_tuning_lines(examples: Sequence[Example], instructions: str) -> Iterator[Line]:
    """A line an example: `prompt` and `completion`."""
    for one in examples:
        yield {"prompt": _prompt(one, instructions), "completion": [_answer(one.graph)], **_about(one)}


def preference_lines(examples: Sequence[Example], instructions: str, seed: int) -> Iterator[Line]:
    """A line an example that can be corrupted: `prompt`, `chosen`, `rejected`, and the constraint that is `broken`.

    The constraint that was broken least often so far is broken next, so that all five come about equally often.
    """
    broken_so_far: Counter[str] = Counter()
    for one in examples:
        draw = random.Random(digest(seed, one.question_id))  # noqa: S311 - secrets come from it nowhere
        for constraint in sorted(CORRUPTIONS, key=lambda name: (broken_so_far[name], name)):
            broken = CORRUPTIONS[constraint](one.graph, draw)
            if broken is None:
                continue
            broken_so_far[constraint] += 1
            yield {
                "prompt": _prompt(one, instructions),
                "chosen": [_answer(one.graph)],
                "rejected": [_answer(broken)],
                "broken": constraint,
                **_about(one),
            }
            break


def _prompt(one: Example, instructions: str) -> list[Message]:
    return [{"role": "system", "content": instructions}, {"role": "user", "content": one.text}]


def _answer(graph: Graph) -> Message:
    return {"role": "assistant", "content": canonical_json(write_graph(graph))}


def _about(one: Example) -> Line:
    return {"question_id": one.question_id, "template": one.template, "regions": sorted(one.regions)}
