"""A task for Inspect: a module that reads and judges, and what every task's folder holds."""

from app.exports.exported import Export
from app.exports.tasks.agent import USAGE, solver_of
from app.exports.tasks.folder import MOST_TOKENS, head, reading, task_folder, task_name

MODULE = '''\
from inspect_ai import Task, task  # noqa: E402
from inspect_ai.dataset import MemoryDataset, Sample  # noqa: E402
from inspect_ai.model import GenerateConfig  # noqa: E402
from inspect_ai.scorer import Score, mean, scorer  # noqa: E402
{generate}

@scorer(metrics=[mean()])
def trigpoint():
    """What the answer is worth; None where the folder holds no gold."""

    async def score(state, target):
        if not is_scored(state.metadata):
            return None
        answer = state.output.completion
        return Score(value=judge(answer, state.metadata), answer=answer)

    return score


@task
def {name}() -> Task:
    """The questions."""
    samples = [
        Sample(id=one["id"], input={input}, target=one["target"], metadata=one)
        for one in {reading}
    ]
    return Task(
        dataset=MemoryDataset(samples, name="{name}"),
        solver={solver},
        scorer=trigpoint(),
        config=GenerateConfig(temperature=0, max_tokens={tokens}),
        version={number},
    )
'''
GENERATE = "from inspect_ai.solver import generate  # noqa: E402\n"
WITH_PICTURES = '''\
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText  # noqa: E402


def with_pictures(one):
    """The prompt, and the pictures that it shows."""
    pictures = [ContentImage(image=str(FOLDER / name)) for name in one.get("pictures", [])]
    return [ChatMessageUser(content=[ContentText(text=one["prompt"]), *pictures])] if pictures else one["prompt"]


'''
"""Stands in a task whose questions show pictures."""
COMMAND = """\
MODEL_API_KEY=none MODEL_BASE_URL=http://127.0.0.1:8000/v1 inspect eval task.py --model openai-api/model/MODEL"""


def inspect_files(export: Export) -> dict[str, bytes]:
    """File names and bytes. Raises UsageError where no question has gold."""
    version = export.version
    module = MODULE.format(
        name=task_name(version),
        tokens=MOST_TOKENS,
        number=version.number,
        reading=reading(export),
        input="with_pictures(one)" if export.assets else 'one["prompt"]',
        generate="" if export.tool_set else GENERATE,
        solver="agent_with_map()" if export.tool_set else "generate()",
    )
    before = (solver_of(export) if export.tool_set else "") + (WITH_PICTURES if export.assets else "")
    own = {"task.py": head(version, "A task for Inspect.") + before + module}
    more = USAGE.format(tool_set=export.tool_set) if export.tool_set else ""
    return task_folder(export, own, COMMAND, more)
