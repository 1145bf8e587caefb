"""Labels: how texts and options name places and classes of places, in English."""

from app.questions.labels.register import columns_in_words, everyday_label_of, label_of

__all__ = ["columns_in_words", "everyday_label_of", "label_of"]
