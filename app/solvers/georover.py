"""`georover`: an agent that sees 5 km around a point and moves to see more (EVGeoQA's GeoRover).

In each turn, the model writes one JSON: a call of one of four tools, or the final list of 3 to 10 stations. What
cannot be used is told, three times in a row at most. An episode ends with the list, or with its twentieth call of a
tool, after which no answer is asked for. The same call may be made again: it counts, and its answer is known.
"""

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Connection

from app.agent_tools.georover.searching import SEARCH_STATIONS
from app.agent_tools.outcomes import ToolOutcome
from app.agent_tools.schemas import schema_of
from app.inference.outcomes import Reply
from app.solvers.agents.actions import NoAction
from app.solvers.agents.caps import CapReached
from app.solvers.agents.desk import Desk, Episode, agent, open_desk
from app.solvers.agents.manners import Message, NativeCalling, Turn, Wish
from app.solvers.agents.playing import Play
from app.solvers.agents.terms import GEOROVER_CALLS
from app.solvers.base import NextStep, RunView
from app.solvers.calls import Call, CallResult, tool_call
from app.solvers.exploring.answers import FEWEST, MOST
from app.solvers.exploring.replies import FORM, read_list, read_turn
from app.solvers.exploring.stops import Stop, load_stops, refuse_other_questions
from app.solvers.exploring.wandering import Wandering

MOST_UNUSABLE: Final = 3
"""Replies in a row that are neither a call nor an answer."""
IMPLICIT_MOVE: Final = "implicit_move_m"
"""The name, in the request of a step, of the metres by which a search left all points that the agent knew."""
DESTINATION: Final = "destination"
USUAL_DESTINATION: Final = "charging_station"


@agent("georover", version=1, check=refuse_other_questions)
def open_georover(connection: Connection, run: RunView) -> NextStep:
    """The tools are those of the run's set, `georover` or one with a larger view."""
    desk = open_desk(connection, run, "georover")
    stops = load_stops(connection, run.version_id)
    return desk.next_step(lambda episode: _Rover(episode, stops[episode.question.id]).play())


class _Rover:
    """One episode: the conversation, and where the agent has been."""

    def __init__(self, episode: Episode, stop: Stop) -> None:
        episode.meter.may_loop = True
        self._episode = episode
        self._stop = stop
        self._wandering = Wandering(stop.user)
        self._is_native = isinstance(episode.desk.manner, NativeCalling)
        self._unusable = 0

    def play(self) -> Play:
        """The loop. Raises CapReached."""
        messages = self._first_messages()
        while True:
            reply = yield from self._episode.ask(messages)
            turn = self._read(reply)
            self._note(turn)
            if turn.answer is not None:
                return self._episode.answer(replace(reply, content=turn.answer))
            messages.append(self._said(reply))
            for wish in turn.wishes:
                text = yield from self._use(wish)
                messages.append(self._episode.desk.manner.result(wish, text, whole=True))
            if turn.unread is not None:
                messages.append({"role": "user", "content": turn.unread})

    def _first_messages(self) -> list[Message]:
        desk = self._episode.desk
        system = self._episode.told(
            "system",
            tools=_describe(desk),
            native=self._is_native,
            most_calls=GEOROVER_CALLS,
            fewest=FEWEST,
            most=MOST,
        )
        return [
            {"role": "system", "content": system},
            {"role": "user", "content": self._episode.question.text()},
        ]

    def _read(self, reply: Reply) -> Turn:
        lenient = self._episode.desk.terms.lenient
        if not self._is_native:
            return read_turn(reply.content or "", lenient=lenient)
        turn = self._episode.desk.manner.read(reply)
        if turn.wishes or turn.unread is not None:
            return turn
        try:
            _, faults = read_list(reply.content or "", lenient=lenient)
            return Turn(answer=reply.content, faults=faults)
        except NoAction as error:
            return Turn(faults=1, unread=f"{error} {FORM}")

    def _note(self, turn: Turn) -> None:
        """Count faults of form. Raises CapReached after too many replies in a row that cannot be used."""
        self._episode.meter.format_faults += turn.faults
        is_used = turn.answer is not None or any(one.fault is None for one in turn.wishes)
        self._unusable = 0 if is_used else self._unusable + 1
        if self._unusable >= MOST_UNUSABLE:
            raise CapReached("unusable_replies")

    def _use(self, wish: Wish) -> Generator[Call, CallResult, str]:
        """Call a tool; what the model is told of it. Raises CapReached after the last call that there may be."""
        if wish.fault is not None:
            return wish.fault
        meter, desk = self._episode.meter, self._episode.desk
        arguments = dict(wish.arguments)
        if wish.name == SEARCH_STATIONS:
            arguments = _for_stop(arguments, self._stop)
        meter.admit_tool(wish.name, arguments)
        call = tool_call(desk.snapshots[self._episode.question.id], desk.terms.tools, wish.name, arguments)
        metres = self._wandering.leave_for(wish.name, arguments)
        result = yield call if metres is None else Call(call.kind, call.body | {IMPLICIT_MOVE: metres})
        outcome = result.expect(ToolOutcome)
        meter.note_tool(failed=outcome.kind is not None, milliseconds=result.latency_ms)
        self._wandering.learn(wish.name, outcome)
        self._episode.noted["georover"] = self._wandering.as_json()
        if meter.tool_calls >= GEOROVER_CALLS:
            raise CapReached("call_limit")
        return outcome.sentence

    def _said(self, reply: Reply) -> Message:
        if self._is_native:
            return self._episode.desk.manner.said(reply)
        return {"role": "assistant", "content": reply.content or ""}


def _for_stop(arguments: Mapping[str, Any], stop: Stop) -> dict[str, Any]:
    """The arguments of a search for the question's class of stations, whatever the model says of it."""
    given = {name: value for name, value in arguments.items() if name != DESTINATION}
    return given if stop.destination == USUAL_DESTINATION else given | {DESTINATION: stop.destination}


def _describe(desk: Desk) -> str:
    """The tools, a line each, with the fields of their calls; the class of the stations is the question's."""
    lines = []
    for one in desk.tools.values():
        fields = schema_of(one)["properties"]
        told = "; ".join(
            f"{name}: {field['description']}" for name, field in fields.items() if name != DESTINATION
        )
        lines.append(f"- {one.name}: {one.description} Fields: {told}.")
    return "\n".join(lines)
