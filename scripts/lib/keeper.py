"""Keeper of the sandbox server: starts PostgreSQL niced and with limits on memory, and starts it again when it ends.

Reads /proc, writes the sandbox's log and its own pid file. Invariants: together the server's processes hold no more
than their memory; a session of models' SQL whose caller has left, or whose time is over, is killed where it does not
end by itself. PostgreSQL then ends all sessions and recovers, in about a second.
usage: keeper.py POSTGRES DATA_FOLDER MEGABYTES [USER]
"""

import contextlib
import ctypes
import os
import pwd
import re
import resource
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

PID_FILE = "keeper.pid"
LOG = "server.log"
STATEMENTS = 4
"""Statements that the server runs at once; others wait."""
STATEMENT_SECONDS = 60.0
"""The time of a statement (app.map_tools.sql_running); a session is one statement."""
OVERTIME = 4.0
"""Seconds that a session may last beyond that: to log in, and to be cancelled by its caller or by the server."""
GONE_SECONDS = 0.8
"""How long a session may go on after its caller has left: the server itself notices in half a second."""
LOOK_SECONDS = 0.1
IDLE_LOOK_SECONDS = 0.3
"""Between looks while nobody is connected: no process can take more than its own share before the next."""
LONGEST_LOG = 8 << 20
NICE = 5
"""Of the server: what fills and recovers is waited for."""
NICE_STATEMENT = 15
"""Of a statement that goes on for longer than a look."""
MODEL = b"postgres: trigpoint_reader "
"""How the process of a session of models' SQL is titled."""
_PEER = re.compile(rb"\((\d+)\)")
_ESTABLISHED = b"01"
_SUBREAPER, _DEATH_SIGNAL = 36, 1
_PAGE = os.sysconf("SC_PAGE_SIZE")


def shared_megabytes(megabytes: int) -> int:
    """PostgreSQL's shared buffers out of the memory of the whole server."""
    return max(32, min(128, megabytes // 16))


def process_megabytes(megabytes: int) -> int:
    """What one process may take: as many as there are statements, and one that fills, fit beside what is shared."""
    return (megabytes - shared_megabytes(megabytes) - 64) // (STATEMENTS + 1)


@dataclass
class Keeper:
    """One server and what is known of its sessions."""

    program: str
    folder: Path
    megabytes: int
    user: str | None
    stopping: bool = False
    server: int = 0
    gone_since: dict[int, float] = field(default_factory=dict)
    niced: set[int] = field(default_factory=set)
    sessions: int = 0
    """Sessions of models' SQL that the last look found."""

    def run(self) -> int:
        """Keeps the server until SIGTERM or SIGINT, or until its folder is gone."""
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._note_stop)
        (self.folder / PID_FILE).write_text(f"{os.getpid()}\n")
        port = _port_of(self.folder)
        last_start = 0.0
        while not self.stopping and (self.folder / "PG_VERSION").exists():
            if not self.server:
                time.sleep(max(0.0, min(1.0, last_start + 1.0 - time.monotonic())))
                last_start = time.monotonic()
                self._start()
            is_busy = has_sessions(self.server) or self.sessions > 0
            if is_busy:
                self._look(port)
            self._keep_log_short()
            self._reap()
            time.sleep(LOOK_SECONDS if is_busy else IDLE_LOOK_SECONDS)
        self._end()
        return 0

    def _note_stop(self, number: int, frame: object) -> None:
        self.stopping = True

    def _start(self) -> None:
        """Starts the server, after what is left of one that ended: it holds the shared memory."""
        for pid in children_of(os.getpid()):
            _kill(pid)
        while children_of(os.getpid()):
            self._reap()
            time.sleep(0.02)
        (self.folder / "postmaster.pid").unlink(missing_ok=True)
        more: dict[str, object] = {}
        if self.user is not None:
            more = {"user": self.user, "group": pwd.getpwnam(self.user).pw_gid, "extra_groups": []}
        log = os.open(self.folder / LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        if self.user is not None:
            os.chown(log, pwd.getpwnam(self.user).pw_uid, -1)
        clean = {key: value for key, value in os.environ.items() if not key.startswith("TRIGPOINT_")}
        # Where memory is limited from outside, too, sessions are ended before the server is.
        clean |= {"PG_OOM_ADJUST_FILE": "/proc/self/oom_score_adj", "PG_OOM_ADJUST_VALUE": "500"}
        process = subprocess.Popen(  # type: ignore[call-overload]
            [self.program, "-D", str(self.folder)],
            cwd="/",
            env=clean,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=self._limit,
            start_new_session=True,
            **more,
        )
        os.close(log)
        self.server = process.pid
        process.returncode = 0  # reaped here, not by its object

    def _limit(self) -> None:
        """In the new process: a nice level, limits that all sessions inherit, and an end with the keeper."""
        size = process_megabytes(self.megabytes) << 20
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(NICE)
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGQUIT, 0, 0, 0)

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                if ended == self.server:
                    self.server = 0

    def _look(self, port: int) -> None:
        """Kills sessions that outlast their callers or their time, and the largest where memory is over."""
        callers = established_peers(port)
        now = time.monotonic()
        processes = children_of(self.server) if self.server else []
        sizes, gone = {}, {}
        total = shared_megabytes(self.megabytes) << 20
        for pid in processes:
            title = read_title(pid)
            size = private_bytes(pid)
            total += size
            is_model = title.startswith(MODEL)
            if pid not in self.niced:
                renice(pid, NICE_STATEMENT if is_model else NICE)
            if not is_model:
                continue
            sizes[pid] = size
            peer = _PEER.search(title)
            if peer is not None and int(peer[1]) not in callers:
                gone[pid] = self.gone_since.get(pid, now)
        self.gone_since, self.niced, self.sessions = gone, set(processes), len(sizes)
        for pid in sizes:
            left = pid in gone and now - gone[pid] > GONE_SECONDS
            if left or age(pid) > STATEMENT_SECONDS + OVERTIME:
                _kill(pid)
                return
        if total > self.megabytes << 20 and sizes:
            _kill(max(sizes, key=lambda pid: sizes[pid]))

    def _keep_log_short(self) -> None:
        log = self.folder / LOG
        with contextlib.suppress(OSError):
            if log.stat().st_size > LONGEST_LOG:
                os.truncate(log, 0)

    def _end(self) -> None:
        """Stops the server: fast, and at once where that takes long."""
        for number, seconds in ((signal.SIGINT, 5.0), (signal.SIGQUIT, 8.0), (signal.SIGKILL, 5.0)):
            if self.server:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.server, number)
            deadline = time.monotonic() + seconds
            while self.server and time.monotonic() < deadline:
                self._reap()
                time.sleep(0.02)
        for pid in children_of(os.getpid()):
            _kill(pid)
        (self.folder / PID_FILE).unlink(missing_ok=True)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _port_of(folder: Path) -> int:
    found = re.search(r"^port = (\d+)$", (folder / "trigpoint.conf").read_text(), re.MULTILINE)
    return int(found[1]) if found else 5432


def _stat(pid: int) -> list[bytes]:
    """What /proc/PID/stat says after the name of the program; empty where the process is gone."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    return []


def children_of(parent: int) -> list[int]:
    """The processes that `parent` started, or inherited."""
    with contextlib.suppress(OSError):
        return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_bytes().split()]
    # A kernel without that list has all processes asked.
    wanted = str(parent).encode()
    pids = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    return [pid for pid in pids if _stat(pid)[1:2] == [wanted]]


def age(pid: int) -> float:
    """Seconds since the process began; 0 where it is gone."""
    fields = _stat(pid)
    if len(fields) < 20:
        return 0.0
    uptime = float(Path("/proc/uptime").read_bytes().split()[0])
    return uptime - int(fields[19]) / os.sysconf("SC_CLK_TCK")


def read_title(pid: int) -> bytes:
    """How a process calls itself."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def private_bytes(pid: int) -> int:
    """Memory that a process holds alone: what is resident, less files and shared buffers."""
    with contextlib.suppress(OSError):
        _, resident, shared = map(int, Path(f"/proc/{pid}/statm").read_bytes().split()[:3])
        return (resident - shared) * _PAGE
    return 0


def renice(pid: int, level: int) -> None:
    """Nices a process, also where the kernel weighs sessions, not processes: each of PostgreSQL's is one of its own."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, level)
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(level))


def _lines(port: int) -> list[list[bytes]]:
    """Lines of the kernel's list of TCP connections whose end here is the port."""
    ending = f":{port:04X}".encode()
    found = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with contextlib.suppress(OSError):
            rows = (line.split() for line in Path(table).read_bytes().splitlines()[1:])
            found += [row for row in rows if row[1].endswith(ending)]
    return found


def has_sessions(server: int) -> bool:
    """Whether anybody is connected to a server, by the titles of its processes: the list of connections costs more."""
    return any(_PEER.search(read_title(pid)) for pid in children_of(server)) if server else False


def established_peers(port: int) -> set[int]:
    """The ports from which callers are connected, and have not left."""
    return {int(row[2].rpartition(b":")[2], 16) for row in _lines(port) if row[3] == _ESTABLISHED}


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.stderr.write((__doc__ or "").strip().splitlines()[-1] + "\n")
        sys.exit(2)
    owner = sys.argv[4] if len(sys.argv) == 5 else None
    sys.exit(Keeper(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), owner).run())
