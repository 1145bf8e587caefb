"""Labels: how texts name places and classes of places, in English."""

from app.questions.labels.register import everyday_label_of, label_of

__all__ = ["everyday_label_of", "label_of"]
