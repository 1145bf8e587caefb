"""How often a question is tried again, and when an endpoint is asked no more."""

from dataclasses import dataclass

from app.inference.outcomes import NO_ANSWER

LIMITED_TRIES = 10
"""Refusals for rate count a tenth of other failures: the pace is ours to mend. So do tries without a database."""
LONGEST_BACKOFF = 30.0


@dataclass
class Circuit:
    """Stops asking an endpoint that has answered none of the last questions."""

    limit: int = 20
    unanswered_limit: int = 3
    """Questions that failed since calls timed out, at an endpoint that has answered nothing at all."""
    failures: int = 0
    has_answered: bool = False
    has_timed_out: bool = False
    reason: str = ""
    is_exhausted: bool = False

    @property
    def is_open(self) -> bool:
        """Whether to ask no more."""
        is_dead = self.has_timed_out and not self.has_answered
        return self.is_exhausted or self.failures >= (self.unanswered_limit if is_dead else self.limit)

    @property
    def told(self) -> str:
        """Why a question is not asked."""
        which = "no call succeeds" if self.is_exhausted else f"the last {self.failures} questions failed"
        return f"not asked: {which}: {self.reason}"

    def exhaust(self, reason: str) -> None:
        """What was paid for is used up: one such refusal suffices."""
        self.is_exhausted, self.reason = True, reason

    def note(self, reason: str | None) -> None:
        """One question ended: `reason` is why it failed, or None. What ends once no more is asked changes nothing.

        An answer to a call that was in flight is the exception: the endpoint is asked again.
        """
        if reason is None:
            self.failures, self.is_exhausted, self.has_answered = 0, False, True
        elif not self.is_open:
            self.failures += 1
            self.has_timed_out |= reason.startswith(NO_ANSWER)
            self.reason = reason
