"""What a model said: an answer without thinking, tokens of its chat format, and turns that it made up after its own.

Linear in the answer's length. What is cut off by tokens is surely not the answer; a next question in plain words may
also be the asked one repeated, so both what stands before it and all of it are given to the reader, in this order.
"""

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from app.scores.reading.cleaning import MAX_END, MAX_SEGMENT, marked_segments, plain, shortened
from app.scores.reading.reading import Reading
from app.scores.reading.thinking import without_thinking

T = TypeVar("T")

_OTHERS = "user|human|system|tool|developer|prompter|ipython|environment"
_MODELS = "assistant|model|chatbot|bot|gpt|ai"
_BAR = "[|\uff5c]"
_TURN = re.compile(
    rf"""
    (?: <{_BAR}(?:im_start|start_header_id|header_start|start_of_role|role_start|start){_BAR}>
      | <start_of_turn> | <\|turn> )
    \s*+ (?: (?P<other>{_OTHERS}) | {_MODELS} )\b
    (?>(?: <{_BAR}(?:end_header_id|header_end|end_of_role|role_end|im_middle){_BAR}> )?)
    | <{_BAR} (?:im_)? (?: (?P<other_token>{_OTHERS}) | {_MODELS} ) (?:_token)? {_BAR}>
    | \[{_BAR} (?: (?P<other_square>{_OTHERS}) | {_MODELS} ) {_BAR}\]
    | (?P<asks>\[INST\]) | (?P<asked>\[/INST\])
    | (?P<end>
        <{_BAR}(?: im_end|eo[tmsd]_id|eo[tmsd]|endoftext|end_of_text|end|return|endofturn|end_of_turn
          | end_of_turn_token|end_response|end_text|end_of_solution|end[\u2581_]of[\u2581_]sentence|call ){_BAR}>
      | <end_of_turn> | <turn\|> | <eo[smdt]> | <end_of_text> | <endoftext> | \[EOS\]
      | \[{_BAR}endofturn{_BAR}\] | </s>\s*+<s> | \[\[[ ]\#\#[ ]completed[ ]\#\#[ ]\]\]
      )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TOKEN = re.compile(
    rf"""
    <{_BAR}[^|\uff5c<>\n]{{1,40}}{_BAR}?> | <[a-z_]{{1,20}}{_BAR}> | \[{_BAR}[^|\uff5c\[\]\n]{{1,40}}{_BAR}\]
    | </?s> | </?(?:end|start|begin)_of_[a-z_]{{1,20}}> | </?(?:bos|eos|eod|eom|eot|pad|unk|sep|cls|mask|endoftext
        |assistant)>
    | \[/?(?:INST|EOS|BOS|PAD|SYS|SEP|CLS|UNK)\] | <</?SYS>> | <0x[0-9A-F]{{2}}> | <extra_id_[0-9]{{1,3}}>
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OWN_ROLE = re.compile(
    rf"\W{{0,6}}(?:{_MODELS})[*_]{{0,3}}[^\S\n]*+(?::[*_]{{0,3}}|\n)[^\S\n]*+", re.IGNORECASE
)
_NEXT_WORDS = (
    "question|problem|query|q|exercise|frage|aufgabe|pregunta|domanda|pergunta|vraag|fråga|spørgsmål|kysymys|pytanie"
    "|otázka|kérdés|întrebare|soru|pertanyaan|câu hỏi|вопрос|питання|ερώτηση|السؤال|سؤال|שאלה|प्रश्न|সওয়াল|প্রশ্ন|คำถาม"
    "|问题|問題|題目|题目|質問|질문|문제"
)
_BEFORE_NEXT = (
    "next|new|another|other|follow-?up|sample|similar|second|additional|bonus|nächste|neue|otra|nueva|nouvelle|autre"
    "|siguiente|следующий|下一个|下一個|次の|다음"
)
_RUN_ON = re.compile(
    rf"""
    ^ [^\S\n]{{0,8}} [>\#*_\-]{{0,6}} [^\S\n]{{0,3}}
    (?:
        \[?+ (?>(?:(?:{_BEFORE_NEXT})[ ]?)?) (?:{_NEXT_WORDS}) (?!\w*[a-z])
        (?>(?:[ ]?(?:\#|no\.?|nr\.?)?[ ]?[0-9]{{1,3}})?)
        [*_]{{0,3}} [^\S\n]*+ (?: [:.)\]] | $ )
      | (?:user|human|instructions?|input|prompt|(?P<own>assistant|model|ai))[*_]{{0,3}}[^\S\n]?:
      | (?-i:user|human|system|assistant|model)[^\S\n]*+$
      | \#{{1,4}}[ ](?:user|human|instructions?|input|prompt)\b
      | [^\n]{{3,400}}\?[*_]{{0,3}}[^\S\n]*+
        \n{{1,2}} [^\S\n]*+ [-*]?[ ]? \(?A[).:] [^\n]* \n{{1,2}} [^\S\n]*+ [-*]?[ ]? \(?B[).:]
    )
    | (?-i:(?<=[^\sa-z])(?:assistant|user))[^\S\n]*+$
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
_REPLY = re.compile(
    r"^[^\S\n]*+A[0-9]{0,2}[^\S\n]?:(?=[^\n]{0,200}$(?![\s\S]{0,3}B[0-9]{0,2}[^\S\n]?[:.)]))", re.MULTILINE
)
"""The reply to "Q:", which is no first option of a list."""
_MARKS = 3
"""Marks of a next question that are looked at."""


def spoken(answer: str) -> str:
    """The model's own turn in `answer`, without thinking and without tokens."""
    text = _own_turn(without_thinking(answer))
    return _TOKEN.sub(" ", text).strip()


def said_parts(answer: str, prepare: Callable[[str], str] = str) -> Iterator[str]:
    """Plain texts in which the answer may be looked for, the surest first; the last one is all that was said.

    `prepare` is done to what was said before it is made plain.
    """
    text = shortened(plain(prepare(shortened(spoken(answer)))))
    own = _OWN_ROLE.match(text)
    text = text[own.end() :] if own else text
    reply_at = None
    for number, mark in enumerate(_RUN_ON.finditer(text)):
        if number == _MARKS:
            break
        head = text[: mark.start()].strip()
        if head:
            yield head
        elif number == 0 and (reply := _REPLY.search(text, mark.end())):
            following = _RUN_ON.search(text, reply.end())
            yield text[reply.end() : following.start() if following else None].strip()
        if mark["own"] and reply_at is None:
            reply_at = mark.end()
    if reply_at is not None:
        yield text[reply_at:].strip()
    yield text


def read_parts(
    answer: str, read: Callable[[str], Reading[T]], nothing: str, prepare: Callable[[str], str] = str
) -> Reading[T]:
    """What `read` makes of the first part that says something; `nothing` is the reason of one that says nothing."""
    reading: Reading[T] = Reading(reason=nothing)
    for part in said_parts(answer, prepare):
        reading = read(part)
        if reading.reason != nothing:
            return reading
    return reading


def likely_part(answer: str) -> str:
    """Of `said_parts` the one that most likely holds a text that is the answer: any text is read as a name.

    What stands before a next question is one where it is a line of its own or says "Answer:".
    """
    part = ""
    for part in said_parts(answer):
        if ("\n" not in part and len(part) <= MAX_SEGMENT and part[-1:] != ":") or any(marked_segments(part)):
            break
    return part


def _own_turn(text: str) -> str:
    """The first turn that is the model's and says something; the one without a mark is the model's, too."""
    is_own, start = not _OTHER_FIRST.match(text), 0
    for mark in _TURN.finditer(text):
        said = text[start : mark.start()]
        if is_own and not mark["asked"] and _says_something(said):
            return said
        if mark["asked"] and is_own and not _says_something(text[mark.end() : mark.end() + MAX_END]):
            return said
        is_own = not (mark["other"] or mark["other_token"] or mark["other_square"] or mark["asks"])
        start = mark.end()
    return text[start:] if is_own else ""


_OTHER_FIRST = re.compile(r"\s*+(?:user|human|system)[^\S\n]*+\n", re.IGNORECASE)


def _says_something(text: str) -> bool:
    return bool(_TOKEN.sub("", text).strip())
