"""Set-up stage: makes, starts and stops the sandbox server, the PostgreSQL in which models' SQL runs.

Reads app/db/sandbox.sql, writes the sandbox's data folder. Invariant: what it holds are copies, so a folder that does
not start, or that is from before the machine's last start, is made anew. The server runs under a keeper (keeper.py),
which holds it to its memory.
"""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import instances
import keeper
import processes
from instances import Place, SetupError

MEGABYTES = 2048
"""Memory of the whole server where TRIGPOINT_SANDBOX_MEMORY_MB does not say otherwise."""
LEAST_MEGABYTES = 1024
START_SECONDS = 60.0
_BOOT = Path("/proc/sys/kernel/random/boot_id")
"""Nothing of the sandbox is written to the disk for sure: what another life of the machine left is not trusted."""
_SQL = Path(__file__).resolve().parents[2] / "app" / "db"


def megabytes_of(values: Mapping[str, str]) -> int:
    """What the whole server may take. Raises SetupError where the setting is no number, or too small to start with."""
    given = values.get("TRIGPOINT_SANDBOX_MEMORY_MB", "") or str(MEGABYTES)
    if not given.isdecimal() or int(given) < LEAST_MEGABYTES:
        raise SetupError(
            f"TRIGPOINT_SANDBOX_MEMORY_MB is {given!r}.",
            f"give a number of megabytes, {LEAST_MEGABYTES} or more",
        )
    return int(given)


def settings(place: Place, listen: str, port: int, megabytes: int) -> str:
    """The settings laid over PostgreSQL's own: as those of the service's server, but for what keeps this one small.

    The log holds no statement and no error of one: its lines say who crashed.
    """
    changes = {
        "max_connections": "40",
        "shared_buffers": f"{keeper.shared_megabytes(megabytes)}MB",
        "max_wal_size": "512MB",
        "wal_level": "minimal",
        "max_wal_senders": "0",
        "autovacuum": "off",
        "max_parallel_workers": "0",
        "maintenance_work_mem": "64MB",
        # What recovers after a crash waits for no disk; after a crash of the machine the folder is made anew.
        "fsync": "off",
        "full_page_writes": "off",
        "synchronous_commit": "off",
        "log_min_messages": "log",
        "log_min_error_statement": "panic",
        "log_checkpoints": "off",
        "log_line_prefix": "'%m [%p] '",
        "restart_after_crash": "on",
    }
    base = instances.postgres_settings(listen, port, throwaway=place.throwaway)
    return base + "".join(f"{key} = {value}\n" for key, value in changes.items())


def is_our_keeper(place: Place) -> processes.Proof:
    """Proves a command line to be the keeper of our sandbox."""
    return lambda words: str(place.sandbox) in words and any(word.endswith("/keeper.py") for word in words)


def keeper_pid(place: Place) -> int:
    """The pid of our sandbox's keeper, 0 when it does not run."""
    return processes.pid_in(place.sandbox / keeper.PID_FILE, is_our_keeper(place))


def start(place: Place, port: int, values: Mapping[str, str], listen: str = "127.0.0.1") -> None:
    """Makes the cluster when there is none, starts it under its keeper, and makes its roles and its template."""
    if read_boot(place) != _BOOT.read_text().strip():
        instances.remove_folder(place.sandbox)
    try:
        _start(place, port, values, listen)
    except SetupError:
        remove(place)
        _start(place, port, values, listen)


def read_boot(place: Place) -> str:
    """In which life of the machine the data folder was made; empty where there is none."""
    kept = place.sandbox / "boot"
    return kept.read_text().strip() if kept.exists() else ""


def _start(place: Place, port: int, values: Mapping[str, str], listen: str) -> None:
    superuser = values["TRIGPOINT_PASSWORD_SANDBOX_SUPERUSER"]
    if not (place.sandbox / "PG_VERSION").exists():
        instances.make_cluster(place, place.sandbox, superuser)
        (place.sandbox / "boot").write_text(_BOOT.read_text())
    instances.link_into_local(place, place.sandbox)
    megabytes = megabytes_of(values)
    write_settings(place, listen, port, megabytes)
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PG", "TRIGPOINT_"))}
    log = place.sandbox / "keeper.log"
    with log.open("a") as said:
        process = subprocess.Popen(
            keeper_command(place, megabytes),
            cwd="/",
            env=clean,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    deadline = time.monotonic() + START_SECONDS
    while not _is_ready(port):
        if process.poll() is not None or time.monotonic() > deadline:
            process.terminate()
            server_log = place.sandbox / keeper.LOG
            text = server_log.read_text(errors="replace") if server_log.exists() else log.read_text()
            raise SetupError(f"The sandbox did not start: {instances.last_lines(text)}", f"read {server_log}")
        time.sleep(0.05)
    prepare(port, values)


def write_settings(place: Place, listen: str, port: int, megabytes: int) -> None:
    """Writes what the server reads when it starts."""
    conf = place.sandbox / "trigpoint.conf"
    conf.write_text(settings(place, listen, port, megabytes))
    conf.chmod(0o644)


def keeper_command(place: Place, megabytes: int) -> list[str]:
    """The keeper's command line."""
    script = str(Path(__file__).with_name("keeper.py"))
    program = instances.postgres_program("postgres")
    user = [place.postgres_user] if place.postgres_user else []
    return [sys.executable, script, program, str(place.sandbox), str(megabytes), *user]


def _is_ready(port: int) -> bool:
    command = [instances.postgres_program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
    return subprocess.run(command, check=False).returncode == 0


def prepare(port: int, values: Mapping[str, str]) -> None:
    """Runs sandbox.sql as the superuser; passwords reach psql through its input, never the list of processes."""
    lines = [
        f"\\set statements {keeper.STATEMENTS}",
        f"\\set sandbox_password {values['TRIGPOINT_PASSWORD_SANDBOX']}",
        f"\\set reader_password {values['TRIGPOINT_PASSWORD_READER']}",
        (_SQL / "sandbox.sql").read_text(),
    ]
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PG", "TRIGPOINT_"))}
    clean["PGPASSWORD"] = values["TRIGPOINT_PASSWORD_SANDBOX_SUPERUSER"]
    # a failing statement must not leave a password in the server's log
    clean["PGOPTIONS"] = "-c log_min_error_statement=panic -c client_min_messages=warning"
    url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
    command = [instances.postgres_program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", "-", url]
    done = subprocess.run(
        command, cwd=_SQL, env=clean, input="\n".join(lines), text=True, capture_output=True, check=False
    )
    if done.returncode:
        raise SetupError(
            f"The sandbox's roles could not be made: {instances.last_lines(done.stderr)}",
            "run it again; if it stays, stop the services and remove the sandbox's folder: it holds copies only",
        )


def stop(place: Place) -> bool:
    """Stops the keeper, and with it the server; also a server whose keeper was killed."""
    is_server: processes.Proof = lambda words: (  # noqa: E731 - as long as its use
        bool(words) and Path(words[0]).name == "postgres" and str(place.sandbox) in words
    )
    kept = processes.stop(keeper_pid(place), is_our_keeper(place))
    left = processes.stop(processes.pid_in(place.sandbox / "postmaster.pid", is_server), is_server)
    return kept or left


def remove(place: Place) -> None:
    """Stops the server and removes its data."""
    stop(place)
    instances.remove_folder(place.sandbox)
