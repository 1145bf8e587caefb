"""A task for lm-evaluation-harness: YAML, a module that reads and judges, and what every task's folder holds."""

import yaml

from app.core.errors import UsageError
from app.exports.exported import Export
from app.exports.tasks.folder import MOST_TOKENS, head, reading, task_folder, task_name

MODULE = '''\
from datasets import Dataset  # noqa: E402


def load(**_):
    """The questions. Columns are named: where the first question lacks one, from_list drops it for all."""
    rows = READING
    names = dict.fromkeys(name for row in rows for name in row)
    return {"test": Dataset.from_list([{name: row.get(name) for name in names} for row in rows])}


def process_results(doc, results):
    """What the answer is worth; nothing where the folder holds no gold."""
    return {"score": judge(results[0], doc)} if is_scored(doc) else {}
'''
TASK = """\
task: {name}
custom_dataset: !function task.load
test_split: test
output_type: generate_until
doc_to_text: "{{{{prompt}}}}"
doc_to_target: "{{{{target}}}}"
process_results: !function task.process_results
generation_kwargs:
  until: []
  temperature: 0
  max_gen_toks: {tokens}
metric_list:
  - metric: score
    aggregation: mean
    higher_is_better: true
"""
COMMAND = """\
lm_eval --model local-chat-completions --apply_chat_template --include_path . --tasks {name} \\
  --model_args model=MODEL,base_url=http://127.0.0.1:8000/v1/chat/completions --log_samples --output_path out"""


def lm_eval_files(export: Export) -> dict[str, bytes]:
    """File names and bytes. Raises UsageError where no question has gold, or where questions show pictures."""
    version = export.version
    if export.assets:
        raise UsageError(
            f"{version.reference} has questions with pictures, which lm-evaluation-harness does not send to chat "
            "endpoints. Use --format inspect."
        )
    name = task_name(version)
    marks = {
        "version": version.number,
        "licence": version.licence["name"],
        "attribution": version.attribution,
        "canary": version.canary,
    }
    metadata = yaml.safe_dump({"metadata": marks}, sort_keys=False, allow_unicode=True, width=120)
    own = {
        f"{name}.yaml": TASK.format(name=name, tokens=MOST_TOKENS) + metadata,
        "task.py": head(version, "Reads and judges for lm-evaluation-harness.")
        + MODULE.replace("READING", reading(export)),
    }
    return task_folder(export, own, COMMAND.format(name=name))
