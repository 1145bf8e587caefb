"""Second path: the register of the rules that prove a wrong option wrong, one a template."""

from collections.abc import Callable

from app.core.registers import VersionedRegister
from app.questions.second_path.answering import Parameters, SecondAnswer
from app.questions.second_path.fairness import stands_out
from app.questions.second_path.layers import Layers
from app.questions.second_path.names import normal_form

Verdict = tuple[bool, str]
Rule = Callable[[Layers, Parameters, SecondAnswer, str], Verdict]
"""Whether the text is proved wrong, and why or why not."""
RULES = VersionedRegister[Rule]("second_path", "rule for wrong options")


ALIKE = VersionedRegister[str]("second_path", "variant whose options look alike")


def of_like_looks(rule: Rule) -> Rule:
    """The rule for options that nobody may tell from the key by script or length: one that stands out is not proved."""

    def judge(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
        if betrayal := stands_out(answer.value["text"], text):
            return False, betrayal
        return rule(layers, parameters, answer, text)

    return judge


def look_alike(benchmark: str, template: str, variant: str, since: int) -> None:
    """Register that in this variant, from that version of the template on, options have the key's script and length."""
    ALIKE.add(benchmark, template, since, variant)


def of_one_bearer(rule: Rule) -> Rule:
    """The rule for options that are names: what may mean something else as well is not proved wrong."""

    def judge(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
        bearers = layers.bearing.get(normal_form(text), set())
        if len(bearers) > 1:
            return False, f"{', '.join(sorted(bearers)[:3])} have this name"
        return rule(layers, parameters, answer, text)

    return judge


def wrong_rule(benchmark: str, template: str, since: int = 1) -> Callable[[Rule], Rule]:
    """Register the rule of a template from that version on; raises ValueError on a second one."""

    def register(rule: Rule) -> Rule:
        RULES.add(benchmark, template, since, rule)
        return rule

    return register


def wrong_option_templates(benchmark: str) -> list[str]:
    """The templates of a benchmark that have a rule for wrong options, sorted."""
    return RULES.templates(benchmark)
