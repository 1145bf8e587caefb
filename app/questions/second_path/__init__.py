"""Second path: proves a question's gold and its wrong options again, without the SQL that made them.

Reads the outline, whole layers by a SELECT of plain columns, and the stored typed parameters; writes nothing.
Shares no code with the picker, the instantiator or the templates. Distances are WGS84 geodesic metres.
"""

from app.questions.second_path import (
    extents,
    facts,
    knowledge,
    knowledge_addresses,
    knowledge_connections,
    knowledge_counts,
    knowledge_covers,
    knowledge_distances,
    knowledge_junctions,
    knowledge_kinds,
    knowledge_roads,
    knowledge_scenes,
    measures,
    nearby,
    places,
    regions,
)
from app.questions.second_path.agreeing import disagreements
from app.questions.second_path.answering import SecondAnswer, answer, second_path_templates
from app.questions.second_path.layers import Layers
from app.questions.second_path.options import OptionVerdict, wrong_options
from app.questions.second_path.reading import Row
from app.questions.second_path.wording import named_as, wording_fault

REGISTERED_BY = (
    extents,
    facts,
    knowledge,
    knowledge_addresses,
    knowledge_covers,
    knowledge_connections,
    knowledge_counts,
    knowledge_distances,
    knowledge_junctions,
    knowledge_kinds,
    knowledge_roads,
    knowledge_scenes,
    measures,
    nearby,
    places,
    regions,
)
"""The modules whose import registers the templates' functions."""

__all__ = [
    "Layers",
    "OptionVerdict",
    "Row",
    "SecondAnswer",
    "answer",
    "disagreements",
    "named_as",
    "second_path_templates",
    "wording_fault",
    "wrong_options",
]
