"""What endpoints can do is tried: against servers on loopback that can all of it, or lack one thing each."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from app.inference.abilities import ABILITIES, NOT_LOOKED_AT, found_ability, read_context, told_abilities
from app.inference.chat import Endpoint
from app.inference.probing import Health, examine_endpoint, sees_pictures
from app.inference.sight_trials import SHOWN, picture_of
from tests.support.faulty_endpoint import says
from tests.support.http_server import Answer, Request, serving_http
from tests.support.seeing import look

ALL = dict.fromkeys(ABILITIES, "yes")
Part = Callable[[dict[str, Any]], Answer | None]


def message(content: str | None, calls: list[tuple[str, dict[str, Any]]] | None = None) -> Answer:
    written = [
        {
            "id": f"c{place}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for place, (name, arguments) in enumerate(calls or [])
    ]
    said = {"role": "assistant", "content": content} | ({"tool_calls": written} if written else {})
    return says({"choices": [{"finish_reason": "tool_calls" if written else "stop", "message": said}]})


def words_of(body: dict[str, Any]) -> str:
    content = body["messages"][0]["content"]
    return content if isinstance(content, str) else content[0]["text"]


def capable(body: dict[str, Any]) -> Answer:
    """A server that can do all of it."""
    words, choice = words_of(body), body.get("tool_choice", "auto")
    if isinstance(body["messages"][0]["content"], list):
        return message(look(body))
    if "tools" not in body:
        wants_json = "one JSON object" in words
        action = {"tool": "look_up_weather", "arguments": {"city": "Oslo"}}
        return message(json.dumps(action) if wants_json else "A")
    if body["messages"][-1]["role"] == "tool":
        assert body["messages"][1]["tool_calls"][0]["id"] == body["messages"][2]["tool_call_id"]
        return message(f"In short: {body['messages'][-1]['content']}")
    if choice == "none":
        return message("I cannot look.")
    if isinstance(choice, dict):
        return message(None, [(choice["function"]["name"], {"city": "Oslo"})])
    cities = [city for city in ("Oslo", "Lima") if city in words]
    if not cities and choice != "required":
        return message("Hello!")
    return message(None, [("look_up_weather", {"city": city}) for city in cities or ["Rome"]])


def examined(chat: Callable[[dict[str, Any]], Answer], entry: dict[str, Any] | None = None) -> Health:
    def answer(request: Request) -> Answer:
        if request.path == "/v1/models":
            return says({"data": [{"id": "m", **(entry or {})}]})
        return chat(json.loads(request.body)) if request.body else Answer(404, {}, b"")

    with serving_http(answer) as url:
        return examine_endpoint(Endpoint(f"{url}/v1", "m"), 5.0)


def lacking(part: Part) -> Health:
    """What a look finds at a capable server, but for calls that `part` answers."""
    return examined(lambda body: part(body) or capable(body))


def without(*names: str) -> dict[str, str]:
    return ALL | dict.fromkeys(names, "no")


def test_a_server_that_can_all_of_it() -> None:
    found = examined(capable, {"max_model_len": 4096})
    assert (found.state, dict(found.abilities), found.remarks, found.context) == ("ok", ALL, (), 4096)
    told = told_abilities(json.loads(json.dumps(found.as_json())))
    assert told == {
        "tools": "yes; their results: yes; several in one answer: yes; tool_choice: auto, required, none, named",
        "JSON object": "yes",
        "pictures": "yes",
        "context": "4,096 tokens",
    }


def ignores_tools(body: dict[str, Any]) -> Answer | None:
    return message("I cannot look.") if "tools" in body else None


def refuses_tools(body: dict[str, Any]) -> Answer | None:
    """As llama.cpp, where it was started without --jinja."""
    return (
        Answer(500, {}, b'{"error": {"message": "tools param requires --jinja flag"}}')
        if "tools" in body
        else None
    )


def refuses_choices(body: dict[str, Any]) -> Answer | None:
    return Answer(400, {}, b'{"error": "unknown field tool_choice"}') if "tool_choice" in body else None


def ignores_choices(body: dict[str, Any]) -> Answer | None:
    return capable({name: value for name, value in body.items() if name != "tool_choice"})


def one_call_an_answer(body: dict[str, Any]) -> Answer | None:
    wants_two = "tools" in body and "Lima" in words_of(body)
    return message(None, [("look_up_weather", {"city": "Oslo"})]) if wants_two else None


def refuses_results(body: dict[str, Any]) -> Answer | None:
    is_result = body["messages"][-1]["role"] == "tool"
    return Answer(400, {}, b'{"error": "roles must alternate"}') if is_result else None


def forgets_results(body: dict[str, Any]) -> Answer | None:
    return message("It is sunny.") if body["messages"][-1]["role"] == "tool" else None


def fences_json(body: dict[str, Any]) -> Answer | None:
    if "one JSON object" not in words_of(body):
        return None
    return message(
        '<think>Which one?</think>\n```json\n{"tool": "look_up_weather", "arguments": {"city": "Oslo"}}\n```'
    )


def talks_round_json(body: dict[str, Any]) -> Answer | None:
    return message('Sure! {"tool": "look_up_weather"}') if "one JSON object" in words_of(body) else None


def shows(body: dict[str, Any]) -> bool:
    return isinstance(body["messages"][0]["content"], list)


def refuses_pictures(body: dict[str, Any]) -> Answer | None:
    return Answer(400, {}, b'{"error": "m is not a multimodal model"}') if shows(body) else None


def guesses_pictures(body: dict[str, Any]) -> Answer | None:
    """Is right of the first picture, by chance."""
    return message("red 4") if shows(body) else None


ALL_OF_TOOLS = [name for name in ABILITIES if name not in ("json", "pictures")]
LACKING = {
    "ignores-tools": (ignores_tools, without(*ALL_OF_TOOLS), "It was offered a tool and did not call it."),
    "refuses-tools": (refuses_tools, without(*ALL_OF_TOOLS), "“tools param requires --jinja flag”"),
    "refuses-choices": (
        refuses_choices,
        without("tool_choice_auto", "tool_choice_required", "tool_choice_none", "tool_choice_named"),
        "It refuses tool_choice required: ",
    ),
    "ignores-choices": (
        ignores_choices,
        without("tool_choice_required", "tool_choice_none", "tool_choice_named"),
        "It calls a tool where tool_choice is none.",
    ),
    "one-call": (one_call_an_answer, without("parallel"), "one call of a tool an answer"),
    "refuses-results": (refuses_results, without("results"), "“roles must alternate”"),
    "forgets-results": (forgets_results, without("results"), "did not use the one it was given"),
    "fences": (fences_json, ALL | {"json": "fenced"}, None),
    "talks": (talks_round_json, without("json"), "its answer is none"),
    "refuses-pictures": (refuses_pictures, without("pictures"), "“m is not a multimodal model”"),
    "guesses": (guesses_pictures, without("pictures"), "does not say what they show"),
}


@pytest.mark.parametrize(("part", "abilities", "words"), LACKING.values(), ids=LACKING)
def test_what_a_server_lacks_is_found_and_said(
    part: Part, abilities: dict[str, str], words: str | None
) -> None:
    found = lacking(part)
    assert (found.state, dict(found.abilities)) == ("ok", abilities)
    assert (words is None and not found.remarks) or any(words in one for one in found.remarks if words), (
        found.remarks
    )


def test_a_full_or_silent_server_leaves_it_unknown() -> None:
    full = lacking(lambda body: Answer(429, {}, b"slow down") if "tools" in body else None)
    assert (full.state, full.abilities["tools"], full.abilities["parallel"]) == ("ok", "unknown", "unknown")
    assert (full.abilities["json"], full.abilities["pictures"]) == ("yes", "yes")

    def half(body: dict[str, Any]) -> Answer | None:
        return Answer(200, {}, b"{}", length=99) if "one JSON object" in words_of(body) else None

    silent = lacking(half)
    assert (silent.state, silent.abilities["tools"]) == ("ok", "yes")
    assert (silent.abilities["json"], silent.abilities["pictures"]) == ("unknown", "yes")
    assert any("What it can do with JSON in its answers was not found out" in one for one in silent.remarks)

    def silent_after_a_call(body: dict[str, Any]) -> Answer | None:
        return Answer(200, {}, b"{}", length=99) if body["messages"][-1]["role"] == "tool" else None

    after = lacking(silent_after_a_call).abilities
    assert (after["tools"], after["results"], after["tool_choice_named"]) == ("yes", "unknown", "unknown")
    assert (after["json"], after["pictures"]) == ("yes", "yes")


def test_an_answer_that_was_cut_off_tells_nothing() -> None:
    def thinks_long(body: dict[str, Any]) -> Answer | None:
        said = {"role": "assistant", "content": "<think>Let me see"}
        cut = says({"choices": [{"finish_reason": "length", "message": said}]})
        return cut if shows(body) else None

    found = lacking(thinks_long)
    assert found.abilities["pictures"] == "unknown"
    assert found.remarks == (
        "Whether it can take pictures was not found out: its answer was cut off after 512 tokens.",
    )


def test_pictures_can_be_tried_alone() -> None:
    asked = []

    def answer(request: Request) -> Answer:
        asked.append(json.loads(request.body))
        return capable(asked[-1])

    with serving_http(answer) as url:
        finding = sees_pictures(Endpoint(f"{url}/v1", "m"), 5.0)
    assert (finding.found, len(asked), all(map(shows, asked))) == ("yes", 2, True)
    assert asked[0]["messages"][0]["content"][0] == asked[1]["messages"][0]["content"][0], (
        "the words tell nothing"
    )
    nobody = sees_pictures(Endpoint("http://127.0.0.1:9/v1", "m"), 1.0)
    assert (nobody.found, "cannot be reached" in (nobody.remark or "")) == ("unknown", True)


def test_the_pictures_are_whole_files_that_differ() -> None:
    opened = [Image.open(io.BytesIO(picture_of(shown))) for shown in SHOWN]
    assert [(one.format, one.size, one.mode) for one in opened] == [("PNG", (216, 264), "RGB")] * 2
    for one, shown in zip(opened, SHOWN, strict=True):
        assert set(one.get_flattened_data()) == {shown.rgb, (255, 255, 255)}


@pytest.mark.parametrize(
    ("entry", "context"),
    [
        ({"max_model_len": 32768}, 32768),
        ({"context_length": 200_000, "top_provider": {"context_length": 128_000}}, 128_000),
        ({"meta": {"n_ctx": 2048, "n_ctx_train": 131_072}}, 2048),
        ({"meta": {"n_ctx_train": 131_072}}, None),
        ({"max_model_len": True, "context_window": -1, "context_length": "many", "meta": 7}, None),
        ({}, None),
    ],
)
def test_the_context_is_what_the_server_tells(entry: dict[str, Any], context: int | None) -> None:
    assert read_context(entry) == context


def test_looks_of_before_are_not_looked_at() -> None:
    old = {"state": "ok", "said": "it answers", "guides": []}
    assert found_ability(old, "tools") is None
    assert found_ability(None, "pictures") is None
    assert set(told_abilities(old).values()) == {NOT_LOOKED_AT}
    of_pictures = told_abilities(old | {"abilities": {"pictures": "no"}})
    assert of_pictures.pop("pictures") == "no"
    assert set(of_pictures.values()) == {NOT_LOOKED_AT}
