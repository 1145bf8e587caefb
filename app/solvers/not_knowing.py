"""Answers that give none: empty ones, thoughts without a word beside them, and those that say they do not know."""

import re
from collections.abc import Container

_BEGINS, _ENDS = "<think>", "</think>"
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


_UNANSWERABLE = {"unanswerable"} | {
    subject + said
    for subject in ("", "it ", "this ", "the question ", "this question ")
    for said in ("cannot be answered", "can not be answered", "cant be answered", "is unanswerable")
}


def says_unanswerable(text: str) -> bool:
    """Whether a whole answer says in words that it does not know, or that the question cannot be answered."""
    spoken = said_beside_thinking(text.strip(), cut_off=False)
    return bool(_sentences(spoken)) and _says_only(spoken, _NOT_KNOWING | _UNANSWERABLE)


def says_not_knowing(text: str) -> bool:
    """Whether a whole answer, or all after its last `Answer:` that words follow, says only that it does not know.

    It may say so several times. A text without a word says so, too.
    """
    return _says_only(text, _NOT_KNOWING)


def _says_only(text: str, sentences: Container[str]) -> bool:
    parts = [_sentences(part) for part in re.split(r"(?i)\banswer(?:\s+is)?\s*:", text)]
    last = next((part for part in reversed(parts) if part), [])
    return all(sentence in sentences for sentence in last)


def gives_none(answer: str) -> bool:
    """Whether a whole answer is empty, only thinks, or says that it does not know."""
    text = answer.strip()
    return not said_beside_thinking(text, cut_off=False) or says_not_knowing(text)


def _sentences(text: str) -> list[str]:
    """The sentences of a text, in small letters and without marks; those without a word are left out."""
    plain = text.replace("’", "").replace("'", "").casefold()
    parts = (re.sub(r"[^\w\s]", "", part).split() for part in re.split(r"[.!?\n]", plain))
    return [" ".join(words) for words in parts if words]


def said_beside_thinking(text: str, *, cut_off: bool) -> str:
    """What a text says apart from thoughts that it marks as such; thoughts that were `cut_off` are all there is."""
    # By plain searches: for a text of beginnings alone, a pattern would look for an end from each of them.
    kept: list[str] = []
    place = 0
    while (begin := text.find(_BEGINS, place)) >= 0:
        end = text.find(_ENDS, begin)
        if end < 0:
            break
        kept.append(text[place:begin])
        place = end + len(_ENDS)
    spoken = "".join((*kept, text[place:]))
    return (spoken.partition(_BEGINS)[0] if cut_off else spoken).strip()
