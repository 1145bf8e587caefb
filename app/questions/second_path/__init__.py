"""Second path: proves a question's gold and its wrong options again, without the SQL that made them.

Reads the outline, whole layers by a SELECT of plain columns, and the stored typed parameters; writes nothing.
Shares no code with the picker, the instantiator or the templates. Distances are WGS84 geodesic metres.
Benchmarks' packages register the functions that answer their templates' questions.
"""

from app.questions.second_path.agreeing import disagreements
from app.questions.second_path.answering import (
    SecondAnswer,
    TemplateVersion,
    answer,
    second_path_templates,
    unanswerable_templates,
)
from app.questions.second_path.layers import Layers
from app.questions.second_path.options import OptionVerdict, wrong_options
from app.questions.second_path.reading import Row
from app.questions.second_path.verdicts import wrong_option_templates
from app.questions.second_path.wording import named_as, wording_fault

__all__ = [
    "Layers",
    "OptionVerdict",
    "Row",
    "SecondAnswer",
    "TemplateVersion",
    "answer",
    "disagreements",
    "named_as",
    "second_path_templates",
    "unanswerable_templates",
    "wording_fault",
    "wrong_option_templates",
    "wrong_options",
]
