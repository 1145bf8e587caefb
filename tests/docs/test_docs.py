"""The documentation as a test: its commands run and print what the pages show; nothing is left undocumented.

A block marked `sh run` is executed, in the order of its page, in a database where the demo's main job is done; a block
marked `text` after it must be printed: its lines in their order, `…` standing for anything. Blocks marked `sh` are
shown only. That takes minutes, so it is one of the long tests; that commands and their options exist is seen every time.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main

from app.cli.main import build_application
from app.core.settings import PROJECT_ROOT, Settings
from tests.support.processes import private_redis

DOCS = PROJECT_ROOT / "docs"
PAGES = [
    PROJECT_ROOT / "README.md",
    DOCS / "first-run.md",
    DOCS / "glossary.md",
    DOCS / "commands.md",
    DOCS / "proof-of-a-question.md",
    DOCS / "scoring.md",
    DOCS / "leaderboards.md",
    DOCS / "item-response.md",
    DOCS / "adding-a-template.md",
    DOCS / "architecture.md",
    DOCS / "drawing.md",
    DOCS / "data-model.md",
    DOCS / "bi.md",
    DOCS / "import.md",
    DOCS / "road-network.md",
    DOCS / "keeping.md",
    DOCS / "backup.md",
    DOCS / "exporting.md",
    DOCS / "papers.md",
    DOCS / "plotting.md",
    DOCS / "report-card.md",
    DOCS / "contamination.md",
    DOCS / "performance.md",
    DOCS / "scaling.md",
    DOCS / "settings.md",
    DOCS / "installing.md",
    DOCS / "facts.md",
    DOCS / "tools.md",
    DOCS / "agents.md",
    DOCS / "geoflow.md",
    DOCS / "faults.md",
    DOCS / "review.md",
    DOCS / "workbench.md",
    DOCS / "limits.md",
    PROJECT_ROOT / "sql_templates" / "README.md",
    PROJECT_ROOT / "sql_templates" / "gsqa" / "README.md",
    PROJECT_ROOT / "sql_templates" / "urban_knowledge" / "README.md",
    PROJECT_ROOT / "sql_templates" / "map_tools_check" / "README.md",
    PROJECT_ROOT / "sql_templates" / "mapeval" / "README.md",
    PROJECT_ROOT / "sql_templates" / "mapeval_visual" / "README.md",
    PROJECT_ROOT / "sql_templates" / "mapqa" / "README.md",
    PROJECT_ROOT / "sql_templates" / "urban_reasoning" / "README.md",
    PROJECT_ROOT / "sql_templates" / "evgeoqa" / "README.md",
    DOCS / "solvers.md",  # late: these make data sets and runs
    DOCS / "endpoints.md",
    DOCS / "api.md",
    DOCS / "dashboard.md",
    DOCS / "first-score.md",
    DOCS / "submitting.md",
    DOCS / "own-agent.md",
    DOCS / "runs.md",
    DOCS / "disputes.md",
    DOCS / "refresh.md",
    DOCS / "schedules.md",
    DOCS / "imported-data-sets.md",
    DOCS / "adding-a-benchmark.md",  # last: only its copy of the checkout can prove its data set
]
KINDS = {"sh run", "sh", "text", "sql", "python", "json", "yaml", "toml"}
SECONDS_A_PAGE = 600

_FENCE = re.compile(r"^```(?P<kind>[^`\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?P<target>[^)\s]+)\)|!\[[^\]]*\]\((?P<image>[^)\s]+)\)")
_FRAME = re.compile(r"[\s\u2500-\u257f│]+")


class Block(NamedTuple):
    """A fenced block of a page."""

    line: int
    kind: str
    body: str


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text()
    return [
        Block(text[: match.start()].count("\n") + 1, match["kind"].strip(), match["body"])
        for match in _FENCE.finditer(text)
    ]


def label(page: Path) -> str:
    return str(page.relative_to(PROJECT_ROOT))


def plain(line: str) -> str:
    """A printed line without the frames of tables, blanks made one."""
    return _FRAME.sub(" ", line).strip()


def first_missing(expected: str, printed: str) -> str | None:
    """The first line of `expected` that `printed` does not hold after the lines before it, or None."""
    rest = iter([plain(line) for line in printed.splitlines()])
    for line in expected.splitlines():
        wanted = plain(line)
        if wanted in ("", "…"):
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in wanted.split("…")))
        if not any(pattern.fullmatch(got) for got in rest):
            return line
    return None


# --- the pages' commands ----------------------------------------------------------------------------------------


def _environment(settings: Settings, folder: Path, redis_url: str) -> dict[str, str]:
    return {
        # without COLUMNS: tables are 80 columns wide, and sentences stay on one line
        **{name: value for name, value in os.environ.items() if name != "COLUMNS"},
        "PATH": f"{PROJECT_ROOT / '.venv' / 'bin'}:{os.environ['PATH']}",
        "LC_ALL": "C.UTF-8",
        "TMPDIR": str(folder),
        "PSQLRC": "/dev/null",
        "PAGER": "cat",
        "TRIGPOINT_DATABASE_URL": settings.database_url,
        "TRIGPOINT_REDIS_URL": redis_url,
        "TRIGPOINT_LOG_LEVEL": "warning",
        "TRIGPOINT_LOCAL_DIR": str(folder),
    }


def _demo_commands(extract: str, endpoint: str) -> list[list[str]]:
    """What `make demo` does (scripts/lib/demo-steps.sh), without proving again: the pages do that."""
    commands = [["import", extract, "--name", "helsinki"]]
    for benchmark, name in (("gsqa", "demo_gsqa"), ("urban_knowledge", "demo_knowledge")):
        snapshot = ["--snapshot", "helsinki", "--per-template", "25", "--seed", "1"]
        commands.append(["generate", benchmark, *snapshot, "--out", name])
        commands += [["evaluate", name, "--solver", solver] for solver in ("random", "oracle")]
        commands.append(["evaluate", name, "--solver", "direct", "--endpoint", endpoint])
    return [*commands, ["evaluate", "demo_knowledge", "--solver", "options_only"]]


RUN_COMMANDS = """
import json, sys
from app.cli.main import build_application
for command in json.loads(sys.argv[1]):
    build_application(command)(command, standalone_mode=False)
"""


def _wait_for(file: Path, process: subprocess.Popen[bytes]) -> str:
    until = time.monotonic() + SECONDS_A_PAGE
    while not (file.exists() and file.read_text().strip()):
        assert process.poll() is None, f"the process that should write {file.name} has ended"
        assert time.monotonic() < until, f"{file} was not written"
        time.sleep(0.05)
    return file.read_text().strip()


@pytest.fixture(scope="module")
def after_the_demo(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """The environment of a shell whose database is as `make demo` leaves it, with a worker that lives."""
    folder = tmp_path_factory.mktemp("docs")
    trigpoint = str(PROJECT_ROOT / ".venv" / "bin" / "trigpoint")
    port_file, log = folder / "port", folder / "output"
    with private_redis(folder) as redis, log.open("wb") as output:
        environment = _environment(make_database(), folder, redis.url)
        options: dict[str, Any] = {
            "cwd": PROJECT_ROOT,
            "env": environment,
            "stdin": subprocess.DEVNULL,
            "stdout": output,
            "stderr": output,
        }
        worker = subprocess.Popen([trigpoint, "worker"], **options)
        scripted = [trigpoint, "scripted-endpoint", "--policy", "first_option", "--port-file", str(port_file)]
        endpoint = subprocess.Popen(scripted, **options)
        try:
            extract = subprocess.run(
                [PROJECT_ROOT / "scripts" / "extract"], check=True, capture_output=True, text=True
            )
            url = f"http://127.0.0.1:{_wait_for(port_file, endpoint)}/v1"
            commands = json.dumps(_demo_commands(extract.stdout.strip(), url))
            done = subprocess.run([sys.executable, "-c", RUN_COMMANDS, commands], check=False, **options)
            assert done.returncode == 0, log.read_text()[-3000:]
            yield environment
        finally:
            for process in (worker, endpoint):
                process.terminate()
            for process in (worker, endpoint):
                process.wait(timeout=90)


def _run(script: str, environment: dict[str, str]) -> tuple[int, str]:
    """Exit status and output of a bash script; what it left in the background is ended."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            ["bash", "-c", script],
            cwd=PROJECT_ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status = process.wait(SECONDS_A_PAGE)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        output.seek(0)
        return status, output.read()


@pytest.mark.long
def test_commands_of_all_pages_print_what_they_show(after_the_demo: dict[str, str]) -> None:
    """One test, since pages go on with what the pages before them made."""
    faults = {}
    for page in PAGES:
        if any(block.kind == "sh run" for block in blocks_of(page)):
            try:
                check_commands(page, after_the_demo)
            except AssertionError as fault:
                faults[label(page)] = str(fault)
    assert not faults, "\n\n".join(faults.values())


def check_commands(page: Path, environment: dict[str, str]) -> None:
    """Run the page's commands, and compare what they print with what the page shows."""
    blocks = blocks_of(page)
    runs = [block for block in blocks if block.kind == "sh run"]
    script = "set -eu\n" + "".join(f"printf '\\036%s\\n' {block.line}\n{block.body}" for block in runs)
    code, output = _run(script, environment)
    printed = {int(part.split("\n", 1)[0]): part.split("\n", 1)[1] for part in output.split("\x1e")[1:]}
    last = max(printed, default=0)
    assert code == 0, f"{label(page)}:{last}: exit {code}\n{printed.get(last, output)}"
    for block, following in pairwise(blocks):
        if block.kind == "sh run" and following.kind == "text":
            missing = first_missing(following.body, printed[block.line])
            assert missing is None, (
                f"{label(page)}:{following.line}: not printed: {missing!r}\nprinted:\n{printed[block.line]}"
            )


# --- what pages must hold -----------------------------------------------------------------------------------------


def test_every_page_is_listed() -> None:
    there = {
        *DOCS.glob("*.md"),
        *(PROJECT_ROOT / "sql_templates").glob("**/README.md"),
        PROJECT_ROOT / "README.md",
    }
    assert there == set(PAGES)


@pytest.mark.parametrize("page", [*PAGES, PROJECT_ROOT / "CHANGELOG.md"], ids=label)
def test_links_lead_somewhere(page: Path) -> None:
    text = _FENCE.sub("", page.read_text())
    for match in _LINK.finditer(text):
        target = match["target"] or match["image"]
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{label(page)}: {target} does not exist"
        if anchor and file.suffix == ".md":
            assert anchor in _anchors(file), f"{label(page)}: {target} has no such heading"


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", page.read_text()), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-") for heading in headings
    }


def test_every_setting_is_documented() -> None:
    page = (DOCS / "settings.md").read_text()
    missing = [name for name in Settings.model_fields if f"`TRIGPOINT_{name.upper()}`" not in page]
    assert missing == []


def test_settings_page_names_no_other_setting() -> None:
    known = {f"TRIGPOINT_{name.upper()}" for name in Settings.model_fields}
    beside = {
        "TRIGPOINT_ENV_FILE",
        "TRIGPOINT_SUPERUSER_URL",
        "TRIGPOINT_PASSWORD_SUPERUSER",
        "TRIGPOINT_PASSWORD_REDIS",
        "TRIGPOINT_SANDBOX_SUPERUSER_URL",
        "TRIGPOINT_PASSWORD_SANDBOX_SUPERUSER",
    }
    named = set(re.findall(r"TRIGPOINT_[A-Z_]+[A-Z]", (DOCS / "settings.md").read_text()))
    assert named - known - beside == set()


@cache
def _commands() -> dict[str, Any]:
    found: dict[str, Any] = {}

    def walk(command: Any, name: str) -> None:
        below = getattr(command, "commands", {})
        if not below:
            found[name] = command
        for part, one in below.items():
            walk(one, f"{name} {part}")

    walk(typer.main.get_command(build_application([])), "trigpoint")
    return found


def test_every_command_and_option_is_documented() -> None:
    page = (DOCS / "commands.md").read_text()
    sections = {
        match["name"]: match["body"]
        for match in re.finditer(
            r"^#+ `(?P<name>trigpoint [^`]+?)`\n(?P<body>.*?)(?=^#+ |\Z)", page, re.MULTILINE | re.DOTALL
        )
    }
    missing = []
    for name, command in _commands().items():
        help_text = command.help or ""
        if re.search(r"\b[Ll]ater\b", help_text) and f"`{name}`" in page:
            continue
        if name not in sections:
            missing.append(name)
            continue
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--") and option != "--help" and f"`{option}" not in sections[name]:
                    missing.append(f"{name} {option}")
    assert missing == []


def test_pages_name_only_commands_that_exist() -> None:
    known = {name.split()[1] for name in _commands()}
    for page in PAGES:
        for block in blocks_of(page):
            if block.kind in ("sh run", "sh"):
                named = set(re.findall(r"(?:^|[|&(;] *)trigpoint ([a-z][a-z-]+)", block.body, re.MULTILINE))
                assert named <= known, f"{label(page)}:{block.line}"


_SHOWN = re.compile(r"(?:^|[|&(;] *)trigpoint (?P<rest>[^|&;()<>#\n]*)", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_shown_commands_have_the_options_that_they_are_given(page: Path) -> None:
    known = _commands()
    for block in blocks_of(page):
        if block.kind in ("sh run", "sh"):
            for match in _SHOWN.finditer(block.body.replace("\\\n", " ")):
                name, words = _named(match["rest"].split(), known)
                command = known[name]
                if command.context_settings.get("ignore_unknown_options"):
                    continue  # such as those of each tool
                options = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
                given = set(re.findall(r"(?<!\S)--[a-z][a-z-]*", " ".join(words)))
                assert given <= {*options, "--help"}, f"{label(page)}:{block.line}: {match[0]}"


def _named(words: list[str], known: dict[str, Any]) -> tuple[str, list[str]]:
    """The command that words begin with, and the words after it."""
    length = next(n for n in (3, 2, 1) if " ".join(["trigpoint", *words[:n]]) in known)
    return " ".join(["trigpoint", *words[:length]]), words[length:]


@pytest.mark.parametrize(
    ("expected", "printed", "missing"),
    [
        ("a\nb", "a\nx\nb", None),
        ("b\na", "a\nb", "a"),
        ("│ T1 │ 25 │", "┃ T1   ┃  25 ┃", None),
        ("took … s", "took 3.2 s", None),
        ("took … s", "took 3.2 ms", "took … s"),
        ("100 agree, 0 differ", "100 agree, 10 differ", "100 agree, 0 differ"),
    ],
)
def test_output_is_compared_line_by_line(expected: str, printed: str, missing: str | None) -> None:
    assert first_missing(expected, printed) == missing
