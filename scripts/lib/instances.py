"""Set-up stage: makes, starts and stops the data folders and servers of one checkout.

Reads templates of settings here, writes data folders and their settings. Invariant: a data folder appears under its
final name only when it is complete, so an interrupted run is simply run again.
"""

import hashlib
import locale
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import processes


class SetupError(Exception):
    """Something in the way of the services: what it is, and what the person can do."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what, self.remedy = what, remedy


@dataclass(frozen=True)
class Place:
    """Where a checkout's services live, and the users they run as (None: whoever runs this)."""

    checkout: Path
    local: Path
    data: Path
    postgres_user: str | None
    redis_user: str | None
    throwaway: bool = False
    """For tests: nothing in it need outlive the machine's power."""

    @property
    def postgres(self) -> Path:
        """PostgreSQL's data folder."""
        return self.data / "postgres"

    @property
    def sandbox(self) -> Path:
        """The data folder of the PostgreSQL in which models' SQL runs."""
        return self.data / "sandbox"

    @property
    def redis(self) -> Path:
        """Redis's folder: settings, log and pid file; nothing worth keeping."""
        return self.data / "redis"


def place_of(checkout: Path, local: Path, *, throwaway: bool = False) -> Place:
    """As root outside .local/, under users of their own; as an ordinary user inside .local/."""
    if os.geteuid() != 0:
        return Place(checkout, local, local, None, None, throwaway)
    digest = hashlib.sha256(os.fsencode(checkout)).hexdigest()[:16] + ("-test" if throwaway else "")
    return Place(checkout, local, Path("/var/lib/trigpoint") / digest, "postgres", "redis", throwaway)


def postgres_settings(listen: str, port: int, *, throwaway: bool = False) -> str:
    """The settings laid over PostgreSQL's own. Errors are logged without DETAIL, which would carry stored values.

    A throwaway cluster does not wait for the disk: tests make and drop databases by the dozen.
    """
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20
    settings = {
        "listen_addresses": f"'{listen}'",
        "port": str(port),
        "unix_socket_directories": "''",
        "max_connections": "100",
        "shared_buffers": f"{max(32, min(512, memory // 8))}MB",
        "effective_cache_size": f"{max(128, memory // 2)}MB",
        "work_mem": "32MB",
        "maintenance_work_mem": f"{max(64, min(256, memory // 16))}MB",
        "max_wal_size": "2GB",
        "random_page_cost": "1.1",
        "jit": "off",
        "password_encryption": "'scram-sha-256'",
        "timezone": "'UTC'",
        "log_timezone": "'UTC'",
        "log_error_verbosity": "terse",
        "lc_messages": "'C'",
    }
    if throwaway:
        settings |= {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
        # Workers of all test processes count together.
        settings["max_connections"] = "300"
        # Else, among hundreds of databases, autovacuum would start a process for the next one all the time.
        settings["autovacuum_naptime"] = "10min"
    return "".join(f"{key} = {value}\n" for key, value in settings.items())


def postgres_program(name: str) -> str:
    """The path of a program of the PostgreSQL version in use."""
    found = subprocess.run(
        ["sh", str(Path(__file__).with_name("pg-bin"))], capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise SetupError(
            "No PostgreSQL with PostGIS was found.",
            "run scripts/packages, or set TRIGPOINT_PG_BIN to its bin folder",
        )
    return str(Path(found.stdout.strip()) / name)


def run_as(user: str | None, command: list[str], **more: object) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, as another user when we are root, away from folders that user cannot enter."""
    if user is not None:
        more |= {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    clean = {
        key: value for key, value in os.environ.items() if not key.startswith(("PG", "TRIGPOINT_PASSWORD"))
    }
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        command, cwd="/", env=clean, stdin=subprocess.DEVNULL, text=True, check=False, **more
    )


def make_folder(path: Path, user: str | None) -> None:
    """A folder that only its user enters; the way to it is made as needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    if user is not None:
        owner = pwd.getpwnam(user)
        os.chown(path, owner.pw_uid, owner.pw_gid)


def link_into_local(place: Place, folder: Path) -> None:
    """As root: a link in .local/ that shows where the data lies."""
    link = place.local / folder.name
    if folder.parent != place.local and not (link.is_symlink() and link.resolve() == folder):
        link.unlink(missing_ok=True)
        link.symlink_to(folder)


def make_cluster(place: Place, folder: Path, password: str) -> None:
    """initdb beside the final name `folder`, then a rename."""
    fresh, secret = place.data / f"{folder.name}.new", place.data / f"{folder.name}.password"
    shutil.rmtree(fresh, ignore_errors=True)
    make_folder(fresh, place.postgres_user)
    secret.unlink(missing_ok=True)
    with os.fdopen(os.open(secret, os.O_WRONLY | os.O_CREAT, 0o600), "w") as handle:
        handle.write(password)
    if place.postgres_user:
        os.chown(secret, pwd.getpwnam(place.postgres_user).pw_uid, -1)
    try:
        locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
        language = "C.UTF-8"
    except locale.Error:
        language = "C"
    command = [postgres_program("initdb"), f"--pgdata={fresh}", "--username=postgres", f"--pwfile={secret}"]
    command += ["--auth=scram-sha-256", "--encoding=UTF8", f"--locale={language}"]
    try:
        made = run_as(place.postgres_user, command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    finally:
        secret.unlink(missing_ok=True)
    if made.returncode:
        raise SetupError(
            f"initdb failed: {last_lines(made.stdout)}",
            "see that the disk has room (df -h), then run it again",
        )
    with open(fresh / "postgresql.conf", "a") as conf:
        conf.write("include_if_exists = 'trigpoint.conf'\n")
    if place.throwaway:
        remove_folder(folder)  # what a removal that was cut off left of a cluster
    fresh.rename(folder)


def start_postgres(place: Place, port: int, password: str, listen: str = "127.0.0.1") -> None:
    """Makes the cluster when there is none, starts it and waits until it answers."""
    if not (place.postgres / "PG_VERSION").exists():
        make_cluster(place, place.postgres, password)
    link_into_local(place, place.postgres)
    (place.postgres / "postmaster.pid").unlink(
        missing_ok=True
    )  # postgres_pid() has shown that none of ours runs
    settings = place.postgres / "trigpoint.conf"
    settings.write_text(postgres_settings(listen, port, throwaway=place.throwaway))
    settings.chmod(0o644)
    log = place.postgres / "server.log"
    command = [
        postgres_program("pg_ctl"),
        "start",
        "-w",
        "-t",
        "60",
        "-s",
        "-D",
        str(place.postgres),
        "-l",
        str(log),
    ]
    if run_as(place.postgres_user, command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        text = log.read_text() if log.exists() else ""
        version = (place.postgres / "PG_VERSION").read_text().strip()
        programs = f"TRIGPOINT_PG_BIN=/usr/lib/postgresql/{version}/bin"
        remedy = f"read {log}; data made by PostgreSQL {version} need its programs: {programs}"
        raise SetupError(f"PostgreSQL did not start: {last_lines(text)}", remedy)


def is_our_postgres(place: Place) -> processes.Proof:
    """Proves a command line to be the server of our data folder."""
    return lambda words: bool(words) and Path(words[0]).name == "postgres" and str(place.postgres) in words


def is_our_redis(place: Place) -> processes.Proof:
    """Proves a command line to be the Redis of our port: Redis shows `redis-server ADDRESS:PORT` as its own."""
    conf = place.redis / "redis.conf"
    found = re.search(r"^port (\d+)$", conf.read_text(), re.MULTILINE) if conf.exists() else None
    return lambda words: (
        found is not None and " ".join(words).split()[:2] == ["redis-server", f"127.0.0.1:{found[1]}"]
    )


def postgres_pid(place: Place) -> int:
    """The pid of our PostgreSQL, 0 when it does not run."""
    return processes.pid_in(place.postgres / "postmaster.pid", is_our_postgres(place))


def redis_pid(place: Place) -> int:
    """The pid of our Redis, 0 when it does not run."""
    return processes.pid_in(place.redis / "redis.pid", is_our_redis(place))


def redis_settings(folder: Path, listen: str, port: int, password: str) -> str:
    """Nothing is saved to disk: PostgreSQL holds all truth, Redis only passes word that there is work."""
    lines = [
        f"bind {listen}",
        f"port {port}",
        f"requirepass {password}",
        f'dir "{folder}"',
        'save ""',
        "appendonly no",
    ]
    return "\n".join([*lines, "maxmemory 256mb", "maxmemory-policy noeviction", "databases 16", ""])


def start_redis(place: Place, port: int, password: str) -> None:
    """Starts Redis in the background and waits until it answers PONG."""
    user = place.redis_user
    make_folder(place.redis, user)
    link_into_local(place, place.redis)
    conf = place.redis / "redis.conf"
    conf.unlink(missing_ok=True)
    more = f'daemonize yes\npidfile "{place.redis}/redis.pid"\nlogfile "{place.redis}/server.log"\n'
    with os.fdopen(os.open(conf, os.O_WRONLY | os.O_CREAT, 0o600), "w") as handle:
        handle.write(redis_settings(place.redis, "127.0.0.1", port, password) + more)
    if user is not None:
        os.chown(conf, pwd.getpwnam(user).pw_uid, -1)
    started = run_as(user, ["redis-server", str(conf)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    deadline = time.monotonic() + 20
    while started.returncode == 0 and time.monotonic() < deadline:
        if answers_ping(port, password):
            return
        time.sleep(0.05)
    log = place.redis / "server.log"
    text = started.stdout + (log.read_text() if log.exists() else "")
    raise SetupError(f"Redis did not start: {last_lines(text)}", f"read {log}, then run it again")


def answers_ping(port: int, password: str) -> bool:
    """Whether a Redis with this password answers on the port."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(f"AUTH {password}\r\nPING\r\n".encode())
            answer = b""
            while b"PONG" not in answer and (chunk := connection.recv(256)):
                answer += chunk
            return b"PONG" in answer
    except OSError:
        return False


def stop_all(place: Place) -> list[str]:
    """Stops our Redis and PostgreSQL; the names of those that ran."""
    stopped = []
    if processes.stop(redis_pid(place), is_our_redis(place)):
        stopped.append("Redis")
    if stop_postgres(place):
        stopped.append("PostgreSQL")
    return stopped


def stop_postgres(place: Place) -> bool:
    """Stops our PostgreSQL by SIGINT, its fast shutdown: sessions end, committed work is kept."""
    return processes.stop(postgres_pid(place), is_our_postgres(place), signal.SIGINT)


def remove_data(place: Place) -> None:
    """Removes what stopped services of a throwaway place left."""
    for folder in (place.postgres, place.redis):
        remove_folder(folder)


def remove_folder(folder: Path) -> None:
    """Removes a folder of data, renamed first: a removal that is cut off leaves no half of it in its place."""
    removed = folder.with_name(f"{folder.name}.removed")
    shutil.rmtree(removed, ignore_errors=True)
    if folder.exists():
        folder.rename(removed)
        shutil.rmtree(removed, ignore_errors=True)


def discard_orphans(place: Place) -> None:
    """The checkout lost .local/env (a fresh clone in an old place): its data lost their password and are removed."""
    stop_all(place)
    remove_data(place)


def last_lines(text: str, count: int = 3) -> str:
    """The end of a log, on one line."""
    return " / ".join(line.strip() for line in text.strip().splitlines()[-count:]) or "it said nothing"
