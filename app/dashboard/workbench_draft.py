"""The page of a draft: its author searches, pins and writes; others answer it without its key, or decide.

Every button of the author's form sends all that was typed, so that no click loses anything; a script saves between.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool

from app.agent_tools.errors import ToolError
from app.core.errors import Conflict, NotAllowed, TooMany, TrigpointError, UsageError
from app.dashboard.sent_forms import read_texts
from app.dashboard.signing_in import PATH, PRIVATE, Noted, OfMaintainer, SentForm, SignedIn
from app.dashboard.workbench import DraftId
from app.dashboard.workbench_search import (
    CALLED,
    USUAL,
    address_of,
    call,
    fault_status,
    search,
    tool_of,
    use_place,
)
from app.workbench import agreeing, typed, writing
from app.workbench.forms import find_form
from app.workbench.records import NO_OPTION, Draft, names_of, read_draft, said_choice

router = APIRouter(include_in_schema=False)
PAGE = f"{PATH}/drafts/{{draft}}"
WRITTEN = ("writing", "flagged")
"""States in which an author may change the words."""
STEPS: Mapping[str, tuple[str, Callable[..., None]]] = {
    "hand in": ("draft.hand_in", writing.hand_in),
    "take back": ("draft.take_back", writing.take_back),
    "take newer": ("draft.take_newer", writing.take_newer),
    "drop": ("draft.drop", writing.drop_draft),
}
"""What a button does to the draft as a whole, and how the record calls it."""


@router.get(PAGE, response_class=HTMLResponse)
async def show_draft(signed: OfMaintainer, draft: DraftId) -> HTMLResponse:
    """The draft as who is signed in may see it."""
    found = await run_in_threadpool(_read, signed, draft)
    return await _page(signed, found, read_texts(signed.request.url.query))


@router.post(PAGE)
async def post_draft(signed: OfMaintainer, sent: SentForm, draft: DraftId) -> Response:
    """Save what was typed, then do what the button says; a script is answered in JSON."""
    action, _, rest = sent.get("do", "save").partition(":")
    try:
        revision = await run_in_threadpool(_save, signed, sent, draft)
        if action == "autosave":
            return JSONResponse({"revision": revision}, headers=PRIVATE)
        if action == "pin":
            await _pin(signed, sent, draft, revision)
        elif action != "save":
            await run_in_threadpool(_step, signed, draft, revision, action, rest)
    except (UsageError, Conflict, ToolError, TooMany) as error:
        if isinstance(error, NotAllowed):
            raise
        if action == "autosave":
            return JSONResponse({"fault": str(error)}, fault_status(error), headers=PRIVATE)
        found = await run_in_threadpool(_read, signed, draft)
        return await _page(signed, found, dict(sent), error)
    return RedirectResponse(_next_address(draft, action, rest, sent), 303, headers=PRIVATE)


@router.post(f"{PAGE}/answer")
def post_answer(signed: OfMaintainer, sent: SentForm, draft: DraftId) -> RedirectResponse:
    """Keep the answer of a second person. Raises UsageError, Conflict, NotAllowed; then nothing was stored."""

    def answer(connection: Connection, now: datetime) -> Noted:
        choice = _choice(sent)
        if choice is None:
            raise UsageError("Choose one of the options.")
        caller, note = signed.session.caller, sent.get("note", "")
        state = agreeing.answer_draft(connection, caller, draft, _revision(sent), choice, note, now)
        return Noted(None, "draft.answer", draft, {"state": state})

    signed.change(answer)
    return RedirectResponse(PAGE.format(draft=draft), 303, headers=PRIVATE)


@router.post(f"{PAGE}/decide")
def post_decision(signed: OfMaintainer, sent: SentForm, draft: DraftId) -> RedirectResponse:
    """Keep what a third person decides. Raises as an answer does."""

    def decide(connection: Connection, now: datetime) -> Noted:
        choice = None if sent.get("draft_key") == "drop" else _choice(sent)
        if choice is None and sent.get("draft_key") != "drop":
            raise UsageError("Choose one of the options, or to drop the question.")
        caller, note = signed.session.caller, sent.get("note", "")
        state = agreeing.decide_draft(connection, caller, draft, _revision(sent), choice, note, now)
        return Noted(None, "draft.decide", draft, {"state": state})

    signed.change(decide)
    return RedirectResponse(PAGE.format(draft=draft), 303, headers=PRIVATE)


def _read(signed: SignedIn, draft: str) -> Draft:
    return signed.read(lambda connection: read_draft(connection, draft))


def _names(signed: SignedIn, draft: Draft) -> dict[int, str]:
    return signed.read(lambda connection: names_of(connection, [draft]))


def _save(signed: SignedIn, sent: Mapping[str, str], draft: str) -> int:
    """Keep what was typed; the revision from now on. A form without these fields, as of a draft handed in, has none."""
    seen = _revision(sent)
    if "draft_question" not in sent:
        return seen

    def save(connection: Connection, now: datetime) -> Noted | None:
        form = find_form(read_draft(connection, draft).benchmark)
        words = typed.read_typed(form, sent)
        revision = writing.save_draft(connection, signed.session.caller, draft, seen, words, now)
        return Noted(revision, "draft.save", draft) if revision != seen else None

    saved = signed.change(save)
    return seen if saved is None else int(saved)


async def _pin(signed: SignedIn, sent: Mapping[str, str], draft: str, revision: int) -> None:
    found = await run_in_threadpool(_read, signed, draft)
    called = await call(signed, found, tool_of(sent), sent)

    def pin(connection: Connection, now: datetime) -> Noted:
        writing.pin_result(connection, signed.session.caller, draft, revision, called, now)
        return Noted(
            None, "draft.pin", draft, {"tool": called.answer.tool, "arguments": dict(called.arguments)}
        )

    await run_in_threadpool(signed.change, pin)


def _step(signed: SignedIn, draft: str, revision: int, action: str, rest: str) -> None:
    """Unpin a result, or what STEPS names; a search changes nothing."""

    def step(connection: Connection, now: datetime) -> Noted | None:
        caller = signed.session.caller
        if action == "unpin" and rest.isascii() and rest.isdecimal():
            writing.unpin_result(connection, caller, draft, revision, int(rest[:18]), now)
            return Noted(None, "draft.unpin", draft, {"evidence": int(rest[:18])})
        if action in STEPS:
            name, change = STEPS[action]
            change(connection, caller, draft, revision, now)
            return Noted(None, name, draft)
        return None

    signed.change(step)


def _next_address(draft: str, action: str, rest: str, sent: Mapping[str, str]) -> str:
    """The page that follows: with the search that was filled in, which a step on the whole draft clears."""
    if action in STEPS:
        return PAGE.format(draft=draft)
    if action == "tool":
        return address_of(draft, tool_of({"tool": rest}), _for_tool(sent), call=False)
    if action == "use":
        used = use_place(sent, rest)
        tool = tool_of(used)
        is_whole = tool.name == "place_details"
        return address_of(draft, tool, used, call=is_whole) + ("#answer" if is_whole else "")
    part = {"search": "#answer", "pin": "#context", "unpin": "#context"}.get(action, "")
    return address_of(draft, tool_of(sent), sent, call=action == "search") + part


def _for_tool(sent: Mapping[str, str]) -> dict[str, str]:
    """What another tool takes over: the places of a route."""
    return {name: text for name, text in sent.items() if name.endswith(("origin", "destination"))}


async def _page(
    signed: SignedIn, draft: Draft, asked: Mapping[str, str], error: TrigpointError | None = None
) -> HTMLResponse:
    caller = signed.session.caller
    is_author = draft.author_id == caller.first_id
    second = draft.given_now("second")
    values: dict[str, Any] = {
        "draft": draft,
        "form": find_form(draft.benchmark),
        "second": second,
        "decision": draft.given_now("adjudication"),
        "said": lambda choice: said_choice(draft, choice),
        "no_option": NO_OPTION,
        "names": await run_in_threadpool(_names, signed, draft),
        "limits": typed,
        "fault": "" if error is None else str(error),
        "is_stale": isinstance(error, writing.Stale),
    }
    status = 200 if error is None else fault_status(error)
    if not is_author:
        answered_it = second is not None and second.key_id == caller.first_id
        return signed.show("draft_of_others.html", status, answered_it=answered_it, **values)
    if draft.state not in WRITTEN:
        return signed.show("draft_handed_in.html", status, **values)
    found = await search(signed, draft, asked if error is None else {**asked, **_as_shown(asked)})
    shown = _shown_words(draft, asked if error is not None else {})
    return signed.show("draft.html", status, search=found, tools=USUAL, words_of=shown, **values)


def _as_shown(asked: Mapping[str, str]) -> dict[str, str]:
    """After a fault the search is shown with its answer again where it had been made."""
    return {CALLED: "1"} if asked.get("do") in ("search", "pin") else {}


def _shown_words(draft: Draft, sent: Mapping[str, str]) -> dict[str, Any]:
    """What the fields hold: what is stored, or what was typed where that could not be kept."""
    stored = dict(enumerate(draft.options))
    key = {None: "", NO_OPTION: "none"}.get(draft.key, str(draft.key))
    return {
        "class": sent.get("draft_class", draft.class_),
        "dimension": sent.get("draft_dimension", draft.dimension),
        "question": sent.get("draft_question", draft.question),
        "options": [
            sent.get(f"draft_option_{place}", stored.get(place, "")) for place in range(typed.MOST_OPTIONS)
        ],
        "key": sent.get("draft_key", key),
    }


def _revision(sent: Mapping[str, str]) -> int:
    """The revision that the form was filled in on; -1, which no draft has, where it names none."""
    text = sent.get("draft_revision", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


def _choice(sent: Mapping[str, str]) -> int | None:
    text = sent.get("draft_key", "")
    if text == "none":
        return NO_OPTION
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else None
