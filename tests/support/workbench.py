"""Maintainers on the workbench, as tests drive them: sign in, press buttons of forms, read what pages say."""

import re
from html import unescape
from typing import Any

import httpx
import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import make_engine
from app.operations.jobs import JobWorker, work_jobs
from tests.support.command_line import environment
from tests.support.service import client_of_another_address
from tests.support.tool_maps import bearing

BENCH = "/workbench"


def do_jobs(settings: Settings) -> None:
    """Do the jobs that wait, as a worker does: each as a command in a process of its own."""
    engine = make_engine(settings, Role.WORKER)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment(settings).items():
            patch.setenv(name, value)
        work_jobs(JobWorker(engine, settings, SystemClock(), "test"))
    engine.dispose()


class Person:
    """A maintainer in a browser of her own, without scripts."""

    def __init__(self, settings: Settings, address: str) -> None:
        self.key = bearing(settings, "maintainer", 100_000)["Authorization"].removeprefix("Bearer ")
        self.client = client_of_another_address(address)
        signed_in = self.client.post(f"{BENCH}/sign-in", data={"key": self.key})
        assert signed_in.status_code == 303, signed_in.text
        (self.token,) = set(re.findall(r'name="form_token" value="([^"]+)"', self.client.get(BENCH).text))

    def post(self, path: str, **fields: Any) -> httpx.Response:
        """Send a form of this session."""
        return self.client.post(f"{BENCH}{path}", data={"form_token": self.token, **fields})

    def begin(self, dataset: str, snapshot: str) -> str:
        """The id of a new draft."""
        answer = self.post("/drafts", dataset=dataset, benchmark="mapeval", snapshot=snapshot)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"].rpartition("/")[2])

    def page(self, draft: str) -> str:
        """The page of a draft."""
        shown = self.client.get(f"{BENCH}/drafts/{draft}")
        assert shown.status_code == 200, shown.text
        return shown.text

    def revision(self, draft: str) -> str:
        """What the forms of the draft's page name."""
        return str(re.findall(r'name="draft_revision" value="(\d+)"', self.page(draft))[0])

    def press(self, draft: str, do: str, **fields: Any) -> httpx.Response:
        """Press a button on the author's page, with what is typed."""
        sent = {"draft_revision": self.revision(draft), **fields}
        return self.post(f"/drafts/{draft}", do=do, **sent)

    def pin(self, draft: str, tool: str, **arguments: Any) -> None:
        """Pin the result of a call."""
        answer = self.press(draft, "pin", tool=tool, **arguments)
        assert answer.status_code == 303, cell(answer.text, "error")

    def answer(self, draft: str, choice: str, path: str = "answer", note: str = "") -> httpx.Response:
        """Answer somebody else's question, or decide it."""
        sent = {"draft_revision": self.revision(draft), "draft_key": choice, "note": note}
        return self.post(f"/drafts/{draft}/{path}", **sent)

    def write(self, dataset: str, snapshot: str, where: str, **fields: Any) -> str:
        """A whole question about what is near a place, handed in; its id."""
        draft = self.begin(dataset, snapshot)
        self.pin(draft, "nearby", where=where, type="restaurant", limit="2")
        done = self.press(draft, "hand in", **(QUESTION | fields))
        assert done.status_code == 303, cell(done.text, "error")
        return draft


QUESTION = {
    "draft_question": "closest place to eat from the café?",
    "draft_option_0": "Linde",
    "draft_option_1": "Krone",
    "draft_option_2": "Sonne",
    "draft_key": "1",
    "draft_class": "nearby",
    "draft_dimension": "",
}


def cell(page: str, name: str) -> str:
    """What a page says in a marked place."""
    found = re.search(rf'data-cell="{name}"[^>]*>(.*?)</', page, re.DOTALL)
    assert found, page[:3000]
    return unescape(found[1])
