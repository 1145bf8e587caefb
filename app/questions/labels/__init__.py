"""Labels: how texts name places and classes of places, in English."""

from app.questions.labels.register import label_of

__all__ = ["label_of"]
