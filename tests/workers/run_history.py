"""What happened in a run that troubles disturbed, as the endpoint and the database tell it, and what must never happen."""

from collections import Counter
from dataclasses import dataclass, field

from tests.support.processes import scalar
from tests.support.runs import hashes_of
from tests.workers.fault_run import Stage


@dataclass(frozen=True)
class Moment:
    """A trouble, and what was true when it was over: calls whose answers were committed, requests received."""

    trouble: str
    committed: frozenset[str]
    received: int


@dataclass
class History:
    """A run's troubles, and the requests that the endpoint received, in order.

    `limit` is how many calls can have been in flight at all troubles together, `before` how many requests the endpoint
    had received when the run began.
    """

    limit: int
    before: int = 0
    moments: list[Moment] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    reasked: int = 0

    def note(self, stage: Stage, run_id: int, trouble: str) -> None:
        """Remember what is committed now; no such call may be asked from now on."""
        committed = frozenset(hashes_of(stage.settings, run_id, "done"))
        self.moments.append(Moment(trouble, committed, stage.received() - self.before))

    def read(self, stage: Stage, run_id: int) -> None:
        """Read the rest when the run is over."""
        self.requests = [request["hash"] for request in stage.server.requests()[self.before :]]
        self.lost = hashes_of(stage.settings, run_id, "lost")
        self.done = hashes_of(stage.settings, run_id, "done")
        self.sent = hashes_of(stage.settings, run_id, "sent")
        self.reasked = scalar(stage.settings, "select reasked from run where id = :id", id=run_id)

    def faults(self) -> list[str]:
        """What must never happen, and did."""
        found = []
        for number, moment in enumerate(self.moments):
            again = moment.committed & set(self.requests[moment.received :])
            if again:
                found.append(
                    f"{len(again)} committed calls were asked again after trouble {number}, {moment.trouble}"
                )
        asked, lost = Counter(self.requests), Counter(self.lost)
        uncounted = {key for key, times in asked.items() if times > 1 + lost[key]}
        if uncounted:
            found.append(f"{len(uncounted)} calls were asked twice and are not counted as lost")
        if self.reasked > self.limit:
            found.append(
                f"{self.reasked} questions were asked again: more than were in flight at all troubles"
            )
        if sorted(self.done) != sorted(asked):
            done = set(self.done)
            found.append(
                f"what the endpoint was asked is not what is stored as answered: {len(asked.keys() - done)} without an "
                f"answer, {len(done - asked.keys())} never asked, {len(self.done) - len(done)} answered twice"
            )
        if self.sent:
            found.append(f"{len(self.sent)} calls are left in flight")
        return found
