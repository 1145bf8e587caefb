"""The recipe for teaching a model, run end to end on a small model of random weights."""

import json
import subprocess
from pathlib import Path

import pytest

from app.exports.training.examples import collect_examples
from app.exports.training.files import training_files
from app.exports.training.splitting import split_examples
from app.exports.writing import write_files
from tests.app.exports.training.test_training import examples, version

ROOT = Path(__file__).parents[4]


@pytest.mark.long
def test_both_stages_lower_the_loss_on_test_examples(tmp_path: Path) -> None:
    split = split_examples(examples(240), ["manhattan"], seed=3)
    files = training_files([version()], collect_examples([], lambda _: None), split, "Write a graph.", seed=3)
    write_files(files, tmp_path / "data")
    options = [
        "--steps",
        "20",
        "--batch",
        "2",
        "--evaluated",
        "16",
        "--sft-rate",
        "3e-3",
        "--dpo-rate",
        "1e-3",
    ]
    subprocess.run(
        [
            ROOT / "scripts/train",
            tmp_path / "data",
            "--model",
            "tiny-random",
            "--to",
            tmp_path / "trained",
            *options,
        ],
        check=True,
        cwd=tmp_path,
    )
    report = json.loads((tmp_path / "trained/report.json").read_text())
    assert report["sft"]["examples"] == len(split.train)
    for stage in ("sft", "dpo"):
        assert report[stage]["steps"] == 20
        assert report[stage]["test_loss_after"] < 0.98 * report[stage]["test_loss_before"], report
    assert (tmp_path / "trained/model/config.json").is_file()
