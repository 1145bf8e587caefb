"""The folder of training data: lines by stage and split, a card, and the licence of the maps."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import yaml

from app.core.identity import canonical_json
from app.exports.exported import ExportedVersion
from app.exports.training.examples import Collected
from app.exports.training.pairs import Line, fine_tuning_lines, preference_lines
from app.exports.training.splitting import Split


def training_files(
    versions: Sequence[ExportedVersion], collected: Collected, split: Split, instructions: str, seed: int
) -> dict[str, bytes]:
    """File names and bytes; the same questions and seed give the same bytes."""
    lines = {
        "sft/train.jsonl": list(fine_tuning_lines(split.train, instructions)),
        "sft/test.jsonl": list(fine_tuning_lines(split.test, instructions)),
        "dpo/train.jsonl": list(preference_lines(split.train, instructions, seed)),
        "dpo/test.jsonl": list(preference_lines(split.test, instructions, seed)),
    }
    return {
        "README.md": _card(versions, collected, split, lines, seed).encode(),
        "LICENSE": "\n".join(dict.fromkeys(one.licence_text for one in versions)).encode(),
        **{name: _bytes(found) for name, found in lines.items()},
    }


def _bytes(lines: Iterable[Line]) -> bytes:
    return "".join(canonical_json(one) + "\n" for one in lines).encode()


def _card(
    versions: Sequence[ExportedVersion],
    collected: Collected,
    split: Split,
    lines: Mapping[str, Sequence[Line]],
    seed: int,
) -> str:
    front = yaml.safe_dump(
        {
            "pretty_name": "GeoFlow graphs of questions",
            "license": "odbl",
            "task_categories": ["text-generation"],
            "tags": ["geospatial", "openstreetmap", "geoflow"],
            "configs": [
                {
                    "config_name": stage,
                    "data_files": [
                        {"split": part, "path": f"{stage}/{part}.jsonl"} for part in ("train", "test")
                    ],
                }
                for stage in ("sft", "dpo")
            ],
        },
        sort_keys=False,
    )
    broken = Counter(one["broken"] for one in [*lines["dpo/train.jsonl"], *lines["dpo/test.jsonl"]])
    left_out = {**collected.left_out, "region of one side and template of the other": split.between}
    return f"""---
{front}---

# GeoFlow graphs of questions

Questions about OpenStreetMap, each with the graph of steps that leads to its answer. `sft` has pairs of question and
graph; `dpo` sets a graph that keeps all constraints against one that breaks one of them. Each line has TRL's
conversational form.

Do not test a model that was trained on these data on the data sets that they are made of:
{_list(f"{one.reference} (canary `{one.canary}`)" for one in versions)}

## Splits

The splits share neither a region nor a template. Templates for testing were drawn with the seed {seed}.

| file | lines |
|---|--:|
{_rows({name: len(found) for name, found in lines.items()})}

Regions for testing: {", ".join(split.test_regions)}.

Templates for testing:
{_list(split.test_templates)}

Questions that are in neither split:

| reason | questions |
|---|--:|
{_rows(left_out)}

## Broken graphs

| constraint | pairs |
|---|--:|
{_rows(dict(sorted(broken.items())))}

## Licence

See LICENSE: whoever shares these data must name OpenStreetMap and keep them open.
"""


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {one}" for one in items)


def _rows(counts: Mapping[str, int]) -> str:
    return "\n".join(f"| {name} | {number:,} |" for name, number in counts.items())
