"""`.env.example` names every setting with its default, and nothing else."""

from app.core.settings import PROJECT_ROOT, Settings

WRITTEN_EMPTY = {None, *(Settings.model_fields[name].default for name in ("local_dir", "cities_file"))}


def read_example() -> dict[str, str]:
    lines = (PROJECT_ROOT / ".env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_every_setting_is_named_and_nothing_else() -> None:
    assert set(read_example()) == {f"TRIGPOINT_{name.upper()}" for name in Settings.model_fields}


def test_the_defaults_are_those_of_the_code() -> None:
    example = read_example()
    for name, field in Settings.model_fields.items():
        written = example[f"TRIGPOINT_{name.upper()}"]
        if field.default in WRITTEN_EMPTY:
            assert written == "", name
        else:
            assert type(field.default)(written) == field.default, name
