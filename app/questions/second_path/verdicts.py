"""Second path: the register of the rules that prove a wrong option wrong, one a template."""

from collections.abc import Callable

from app.questions.second_path.answering import Parameters, SecondAnswer
from app.questions.second_path.layers import Layers

Verdict = tuple[bool, str]
Rule = Callable[[Layers, Parameters, SecondAnswer, str], Verdict]
"""Whether the text is proved wrong, and why or why not."""
RULES: dict[str, Rule] = {}


def wrong_rule(template: str) -> Callable[[Rule], Rule]:
    """Register the rule of a template; raises ValueError on a second one."""

    def register(rule: Rule) -> Rule:
        if template in RULES:
            raise ValueError(f"{template} already has a rule: {RULES[template].__qualname__}")
        RULES[template] = rule
        return rule

    return register
