"""Answers that give none: empty ones, thoughts without a word beside them, and those that say they do not know."""

import re

_THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL)
_OPEN_THOUGHTS = re.compile(r"<think>.*", re.DOTALL)
_NOT_KNOWING = {
    "i do not know",
    "i dont know",
    "do not know",
    "dont know",
    "idk",
    "unknown",
    "i am not sure",
    "im not sure",
    "i cannot answer",
    "i cant answer",
}


def says_not_knowing(text: str) -> bool:
    """Whether a whole answer, or all after its last `Answer:`, says nothing but that it does not know."""
    last = re.split(r"(?i)\banswer\s*:", text)[-1]
    words = re.sub(r"[^\w\s]", "", last.replace("’", "").replace("'", "")).casefold().split()
    return not words or " ".join(words) in _NOT_KNOWING


def said_beside_thinking(text: str, *, cut_off: bool) -> str:
    """What a text says apart from thoughts that it marks as such; thoughts that were `cut_off` are all there is."""
    spoken = _THOUGHTS.sub("", text)
    return (_OPEN_THOUGHTS.sub("", spoken) if cut_off else spoken).strip()
