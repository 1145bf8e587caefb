"""Reasons for which only GS-QA's questions are refused, in words."""

from app.questions.refusals import register_reasons

register_reasons(
    "gsqa",
    {
        "no_fact": "the source has no such fact about the answer, or sources contradict each other",
        "has_answer": (
            "a question without an answer was wanted, and something lies there that people may take for one"
        ),
        "ambiguous_anchor": "the fact that describes the anchor also describes another place",
        "unnamed_answer": "the answer has no name",
        "near_sector_edge": "a place that could change the answer lies within 1° of the sector's edge",
        "near_region_edge": "a place lies within 1 m of the region's border",
        "too_many_answers": "more answers would be right than the template allows",
        "vacuous": (
            "more than a quarter of all places of the category, or of all possible answers, would be right"
        ),
        "own_class": "the anchor belongs to the class that the question asks for",
        "anchors_too_near": (
            "the two anchors of a direction are less than 600 m apart: 10 m would turn the direction by a degree"
        ),
        "anchors_far_apart": "the two anchors of a direction are more than 50 km apart",
        "along_border": (
            "a way runs along the region's border, within 20 m of it: a very small difference would decide whether "
            "it counts"
        ),
    },
)
