"""Every template of every benchmark asks for just one skill."""

from pathlib import Path

import pytest

from app.report_cards.skills import read_skills
from app.templates.catalogue import load_benchmarks


def test_every_template_stands_in_one_skill_and_no_other_does() -> None:
    templates = {(name, one) for name, benchmark in load_benchmarks().items() for one in benchmark.templates}
    assert set(read_skills().of_template) == templates


def test_a_template_that_stands_in_two_skills_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "skills.toml"
    skill = '[skills.{0}]\ntitle = "A"\nabout = "b"\n[skills.{0}.templates]\ngsqa = ["T1"]\n'
    file.write_text(skill.format("where") + skill.format("plans"))
    with pytest.raises(ValueError, match="gsqa/T1 stands in where and in plans"):
        read_skills(file)
