"""Words around the options of an answer, in some forty languages: "Answer:", "is", "none", "wait", and labels.

Patterns are for text made plain (app.scores.reading.cleaning); words are made plain likewise, so that both agree.
"""

import re

from app.scores.reading.cleaning import plain

LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OTHER_LABELS = (
    "ΑΒΓΔΕ",  # Greek: each has the place of its Latin look-alike, if any
    "АБ ГД",  # Cyrillic: the third letter looks like B and the sixth like E, so neither is read
    "أبجدهو",
    "ابجد",
    "אבגדהו",
    "कखगघङच",
    "กขคง",
    "アイウエオカ",
    "甲乙丙丁戊己",
    "가나다라마바",
)
PLACES = {letter: place for place, letter in enumerate(LATIN)}
PLACES |= {letter.lower(): place for place, letter in enumerate(LATIN)}
PLACES |= {
    "С": 2,
    "с": 2,
    "α": 0,
    "β": 1,
    "γ": 2,
    "δ": 3,
    "ε": 4,
}  # the first two are Cyrillic, a look-alike of C
for _labels in _OTHER_LABELS:
    PLACES |= {letter: place for place, letter in enumerate(_labels) if letter != " "}
_OTHERS = "".join(sorted(label for label in PLACES if not label.isascii()))
_BOUND = r"(?![A-Za-z0-9_À-ɏͰ-ӿ\u0590-\u0dff\u0e00-\u0eff]|'(?!d[ıi]r))"
_FREE = r"(?!\w)"
LABEL = rf"(?:[A-Za-z]{_BOUND}|[{_OTHERS}]{_FREE})"
"""A label that ends there: no word goes on after it, but Chinese, Japanese or Korean may follow a Latin letter."""
CAPITAL = rf"(?-i:[A-Z]{_BOUND}|[{_OTHERS}]{_FREE})"
"""The same, in capitals where the script has them; whatever the flags of the pattern around it."""

_ANSWER = """
answer ans response solution conclusion verdict antwort lösung antwoord svar svaret vastaus
vastaukseni vastus réponse reponse respuesta solución resposta risposta soluzione răspuns răspunsul
odpowiedź odpověď odpoveď odgovor válasz cevap cevabım yanıt jawaban jawabannya ответ відповідь
отговор απάντηση الجواب الإجابة الاجابة إجابتي جوابي تشובה תשובה התשובה پاسخ جواب उत्तर जवाब উত্তর
பதில் விடை đáp_án trả_lời câu_trả_lời
"""
_ANSWER_UNSPACED = "答案 答え 答 回答 解答 正解 정답 답변 답 คำตอบ"
_CHOICE = """
final option choice selection pick auswahl wahl keuze opción elección alternativa alternative opção
escolha opzione scelta choix vaihtoehto vaihtoehtoni valinta alternativ val valg opcja wybór вариант
варіант выбор الخيار خيار विकल्प lựa_chọn pilihan seçenek şık möjlighet letter buchstabe lettre
letra lettera буква kirjain
"""
_CHOICE_UNSPACED = "选项 選項 选择 選択肢 선택지 선택 보기 ตัวเลือก ข้อ"
_IS = """
is was are be ist lautet wäre est serait es sería é seria è sarebbe är er jest je este это είναι هي
هو هى الصحيح הוא היא است है হলো là adalah ialah
"""
_IS_UNSPACED = "是 为 為 は 은 는 คือ"
_CHOOSE = """
i_choose i_chose i_pick i_select i_would_choose i_would_pick i'd_choose i'd_pick i_would_go_with
i'd_go_with i_go_with i'll_go_with i_will_go_with going_with i_would_say i'd_say my_choice_is
my_pick_is i_vote_for ich_wähle ich_nehme ich_tippe_auf odpowiedź_to odpowiedzią_jest vastaus_on
vastaukseni_on vaihtoehto_on je_choisis je_dirais elijo escojo escolho scelgo valitsen jag_väljer
jeg_vælger ik_kies wybieram выбираю أختار मैं_चुनता_हूँ
"""
_CHOOSE_UNSPACED = "我选择 我选 我選擇 我選 应选 應選 故选 故選 选"
_CORRECT = (
    r"(?:(?:the|my|die|das|la|le|el|a|den|det|il)\s)?"
    r"(?:most\s)?(?:final\s)?(?:correct|right|best|richtige?|korrekte?|bonne|correcte|correct[ao]|corrett[ao]|corret[ao]|"
    r"oikein|oikea|rätt|rätta|riktige?|rigtige?|juist|правильный|верный|верно|правильно|सही|"
    r"answer|antwort|réponse|respuesta|resposta|risposta|vastaus|svaret|ответ|उत्तर)"
    r"(?!\w)"
)
_WEAK = """
it_is it's it_must_be must_be that_is that's this_is therefore thus hence so conclude is are was be
therefore_it_is es_ist c'est donc es è é é_a é_o är это ist est
"""
_FILLERS = """
the a_letter option choice letter answer probably likely most_likely i_think i_believe i_would_say
clearly definitely certainly therefore thus hence so then indeed simply only just either between
both number it_is it's that_is that's would_be must_be should_be still now now_clearly again final
is die der das option_mit antwort buchstabe wohl wahrscheinlich la le el l'option lettre letra
lettera opción opção opzione réponse respuesta probablement probablemente вариант буква вероятно
الخيار الحرف حرف خيار विकल्प entweder sowohl soit entre zwischen vaihtoehto alternativ alternative
seçenek şık pilihan lựa_chọn
"""
_FILLERS_UNSPACED = "选项 選項 应该是 應該是 可能是 是 为 選択肢 答案 선택지 ข้อ"
_IF = """
if unless otherwise sonst sinon altrimenti иначе
suppose supposing assume assuming imagine in_case provided wenn falls angenommen si se supponendo если
jeśli jos als indien eğer अगर यदि لو إذا
"""
_IF_UNSPACED = "如果 假如 若 要是 もし 만약"
_CONTRARY = """
had were without otherwise should else hätte hätten wäre wären ohne sonst sans sinon sin si_no senza altrimenti
sem без иначе
"""
_WOULD = """
would would_be would_have_been wäre serait sería seria sarebbe olisi бы zou skulle byłaby
"""
_WAS = """
was were used_to_be had_been war wäre_gewesen était fut avait_été era fue sido è_stata foi был
была было oli var byla była
"""
_PAST = """
previously formerly originally initially earlier once historically before back_then at_the_time used_to until at_first
in_the_past in_older older old last_year years_ago früher vorher ursprünglich zuvor damals bisher bis auparavant avant
autrefois anciennement initialement jusqu'en antes anteriormente hasta anteriormente prima in_passato antigamente раньше
ранее прежде до aiemmin ennen tidigare vroeger
"""
_EARLIER = """
first initial old former earlier original prior previous last_year's erste frühere vorherige ursprüngliche alte première
ancienne primera antigua anterior prima_risposta старый первый
"""
_SO = "so thus hence therefore consequently daher folglich donc luego quindi portanto следовательно значит"
_SO_UNSPACED = "所以 因此 したがって よって 따라서"
_MOST = """
most least best only_one wins le_plus la_plus el_más la_más più_vicino più_vicina o_mais a_mais najbliższy närmast
lähin самый самая ближе_всего ближайший dichtstbij
"""
_NONE = """
not none neither nor unknown unsure n/a nothing no nobody cannot can't can_not could_not couldn't
i_cannot i_can't i_do_not i_don't i_am_not i'm_not i_am_unable i'm_unable i_am_sorry i'm_sorry sorry
unable uncertain undetermined undeterminable indeterminate insufficient impossible unanswerable
unclear ambiguous unsolvable all all_of_them all_of_the_above any not_enough nicht keine keiner
keines weder unbekannt alle aucun aucune ni inconnu inconnue toutes ninguno ninguna desconocido
desconocida todas nessuno nessuna nenhuma nenhum sconosciuto niente ei_mikään en_tiedä inget ingen
geen niet ни никакой неизвестно нет нельзя لا ليس כל אין कोई_नहीं नहीं
"""
_NONE_UNSPACED = "以上都不 都不 不 无法 無法 没有 わかりません 分かりません 不明 なし 해당_없음 모름 없음"
_REASON = "because since as weil denn car parce porque ya_que perché koska потому так_как"
_BECAUSE = """
because since as would which who due given based weil denn da car parce_que porque ya_que perché
koska потому так_как لأن क्योंकि
"""
_OTHER_ANSWER = """
wrong incorrect false bad worst alternative other another second_best previous falsche falsch
mauvaise fausse incorrecta equivocada errada sbagliata väärä fel fout błędna неправильный неверный
गलत
"""
_NOT = "not nicht no pas niet inte ikke не ei"
_BUT = "but rather instead it_is it's sondern mais sino vaan utan а ma mas"
_OVER = """
wait hold_on scratch_that correction on_second_thought on_second_thoughts on_reflection
let_me_reconsider let_me_recheck i_made_a_mistake i_made_an_error i_was_wrong that_is_wrong
that's_wrong that_is_incorrect that's_incorrect strike_that i_take_that_back my_mistake oops
moment_mal korrektur attends espera un_momento погоди
"""
_OVER_UNSPACED = "等等 不对 待って"
_AGAIN = """
wait no actually rather sorry correction i_mean make_that change_to instead doch nein sondern non
no,_wait нет
"""
_ALSO = """
also too as_well likewise equally both auch ebenfalls aussi également también anche também również
ook också også myös też również также тоже
"""
_ALSO_UNSPACED = "也 也是 も 도"
_RATHER = """
rather_than instead_of and_not not over plutôt_que et_non statt anstatt und_nicht en_lugar_de
en_vez_de y_no invece_di piuttosto_che e_non em_vez_de ao_invés_de а_не вместо
"""
_NEGATIVE = """
might could maybe perhaps possibly not cannot isn't neither nor never no wrong incorrect false except unlike eliminate
eliminated eliminates exclude excluded rule_out ruled_out rules_out discard if whether unless instead_of
rather_than nicht falsch kein pas faux incorrecta incorrecto falso не неверно 不是 错误 不正确 ではない 아닙니다
नहीं ليس
"""
_WRONG = """
no wrong incorrect false not nope falsch nein faux incorrecte incorrecta incorrecto falso errato
väärin fel нет неверно 错 错误 不正确
"""
_RIGHT = """
yes correct right true richtig ja vrai juste correcte sí correcta correcto vero giusto sim oikein
rätt да верно 正确 对 正解
"""


def _any(words: str, unspaced: str = "") -> str:
    """An alternation, longer words first; "_" is a blank; words of scripts without blanks need no bounds."""
    bounded, free = (
        sorted(map(_pattern_of, some.split()), key=len, reverse=True) for some in (words, unspaced)
    )
    whole = [rf"\b(?:{'|'.join(bounded)})(?!\w)"] if bounded else []
    return f"(?:{'|'.join(whole + free)})"


def _pattern_of(word: str) -> str:
    return re.escape(plain(word)).replace("_", r"[^\S\n]{1,3}")


def _compiled(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE | re.MULTILINE)


_S = r"[^\S\n]*+"
_CLOSE = r"""[$"'*_)\]`」』】]*+"""
_OPEN = r"""[($"'*_\[`「『【]*+"""
_GAP = r"(?:[^\S\n]{1,3}[^\W\d_]{2,15}){0,4}?"
_TO = r"(?:\s?(?:[:=]|=>|->|→|⇒)|\s-(?=[ ]))"
_LONE_NEXT = rf"(?={_S}{_OPEN}{CAPITAL}{_CLOSE}{_S}(?:$|[.。!;।']|[^\x00-\x7f]))"
_IS_ONE = _any(_IS, _IS_UNSPACED)

MARKER = _compiled(
    rf"{_any(_ANSWER)}{_CLOSE}(?:{_GAP}{_S}{_IS_ONE}{_S}:?|{_GAP}{_CLOSE}{_TO}|{_LONE_NEXT})",
    rf"{_any('', _ANSWER_UNSPACED)}{_CLOSE}[^\W\da-z_]{{0,4}}?{_S}(?:{_IS_ONE}{_S}:?|{_TO}|{_LONE_NEXT})",
    rf"{_any(_CHOICE, _CHOICE_UNSPACED)}{_CLOSE}{_S}(?:{_IS_ONE}{_S}:?|{_TO})",
    _any(_CHOOSE, _CHOOSE_UNSPACED) + rf"{_S}:?",
    _any(_AGAIN) + r"[,.:!\s-]{1,4}" + rf"(?={_OPEN}{CAPITAL}{_CLOSE}{_S}(?:$|[.!]))",
    r"[<\[](?:final[_ ]?)?(?:answer|choice|option)[>\]]",
    r"\\(?:boxed|fbox)\s?\{(?:\\(?:text|textbf|mathrm|mathbf|textrm)\s?\{)?",
    rf"^[^\w\n]*(?:(?:the|my|final|correct|right|best)[^\S\n]+){{0,3}}"
    rf"{_any(_ANSWER, _ANSWER_UNSPACED)}[^\w\n.]*$",
)
"""What an explicit answer follows."""
CORRECT = _compiled(rf"{_S}{_any(_IS, 'が は 是 为')}?{_S}(?:{_CORRECT}|正确|正確|正解|答案|答え|정답){_S}")
"""What an explicit answer stands before: "… is the correct answer"."""
WEAK = _compiled(_any(_WEAK))
"""What a choice may follow in running text: "so", "it is"."""
NAMED = _compiled(
    rf"{_any(_CHOICE + ' ' + _ANSWER, _CHOICE_UNSPACED)}[^\S\n]{{0,2}}{_OPEN}(?P<label>{CAPITAL})"
)
MARKED = re.compile(
    rf"\((?P<round>{CAPITAL})\)|(?:\*\*|__|`)\(?(?P<bold>{CAPITAL})[).:]?(?:\*\*|__|`)"
    rf"|\"(?P<quoted>{CAPITAL})\"|【(?P<boxed>{CAPITAL})】"
)
FILLER = _compiled(rf"{_any(_FILLERS, _FILLERS_UNSPACED)}{_S}[#:,]?{_S}")
NONE = _compiled(_any(_NONE, _NONE_UNSPACED))
NOT_BUT = _compiled(rf"{_any(_NOT)}{_S}{_OPEN}{LABEL}{_CLOSE}[,;.\s-]*{_any(_BUT)}{_S}(?P<rest>.*)")
TAKEN_BACK = _compiled(rf"(?:^|(?<=[.!?])){_S}{_any(_OVER, _OVER_UNSPACED)}{_S}(?:[,.!:…-]|$)")
NEGATIVE = _compiled(_any(_NEGATIVE, "不是 错误 不正确 ではない 아닙니다") + r"|n't(?!\w)|\?")
WRONG = _compiled(rf"[^\w\n]*(?:{_any(_WRONG, '错 错误 誤り')}|[❌✗✘✖])")
RIGHT = _compiled(rf"[^\w\n✅✔☑]*(?:{_any(_RIGHT, '正确 对 正解')}{_S}(?:[.!,;]|$)|[✅✔☑])")
TICK = _compiled(
    r"[✅✔☑]|(?:←|<-+|\()\s?(?:this\s|the\s)?(?:is\s)?(?:the\s)?(?:correct|right|richtig|answer)"
)
_OR = r"(?:or|oder|ou|o|или|eller|tai|of|veya|أو|या|或|或者|또는)"
_AND = r"(?:and|und|et|y|e|i|и|och|ja|en|ve|و|और|和|と|か|와|과)"
SECOND = re.compile(rf"(?:\({_OR}(?!\w)|{_OR}(?!\w)|{_AND}(?!\w)|[/&+,|])*\s*{_OPEN}(?P<label>{CAPITAL})")
IS = _compiled(_IS_ONE)
DOUBTED = _compiled(
    r"(?:n't|\bnot|\bnever)\s(?:think|believe|say|mean|sure|certain|clear)[^,.;\n]*\Z",
    rf"{_any('if whether unless suppose assume assuming wenn falls ob si se если', '如果 もし 만약')}[^,.;\n]*\Z",
    _any(_OTHER_ANSWER) + r"\s*\Z",
    r"\b(?:one|you|some|people|others|many|someone|they)\b[^,.;\n]{0,20}\b(?:say|think|argue|claim|guess|expect|believe)\b"
    r"[^,.;\n]*\Z",
)
"""What stands before an answer that is not given: "I do not think that", "if", "wrong"."""
CONDITION = _compiled(_any(_IF, _IF_UNSPACED))
COUNTERFACTUAL = _compiled(_any(_IF + " " + _CONTRARY, _IF_UNSPACED))
"""What makes "the answer would be" a hypothesis when it stands before it in its sentence."""
MUST = _compiled(
    _any("if_i_must if_i_had_to if_i_have_to if_i_am_right if_i'm_right if_i_were_to wenn_ich_muss")
)
WOULD = _compiled(_any(_WOULD))
PAST = _compiled(
    _any(_PAST, "以前 之前 原来 かつて 이전"),
    r"\b(?:in|im|en|до|until|bis|since|of)\s(?:the\s)?(?:year\s)?(?:19|20)[0-9]{2}\b",
)
WAS_TO = _compiled(_any("would_have_been wäre_gewesen aurait_été habría_sido sarebbe_stata teria_sido"))
WAS = _compiled(_any(_WAS))
EARLIER = _compiled(_any(_EARLIER) + r"\s*(?:final\s)?\Z")
"""What stands before an answer that is no more: "my first guess", "the old answer"."""
SO = _compiled(
    _any("so therefore thus hence then daher also donc luego quindi", "所以 因此") + r"[^.\n]{0,20}\Z"
)
SAID_BEFORE = _compiled(r"\b(?:said|thought|believed|assumed|guessed|wrote|claimed)\b")
AGAINST = _compiled(
    _any(_WRONG)
    + r"|\b(?:too|farther|further|closed|away|gone|isn't|not|far|zu|trop|demasiado|troppo|слишком)\b"
)
"""What speaks against an option, where a sentence of its own tells of it."""
MAYBE = _compiled(r"\b(?:could|might|may|can|cannot|isn't|not|könnte|pourrait|podría)\b")
ALSO = _compiled(_any(_ALSO, _ALSO_UNSPACED))
CALLED_RIGHT = _compiled(
    rf"{_any(_IS, _IS_UNSPACED)}\s*{_any(_ALSO)}?\s*{_CORRECT}",
    r"\b(?:valid|possible|acceptable|works|fits|qualifies)\b",
)
OF_OTHERS = re.compile(
    rf"{_OPEN}{CAPITAL}{_CLOSE}(?:\s*(?:,|{_AND}|{_OR}|[/&])\s*{_OPEN}{CAPITAL}{_CLOSE})*(?:\s?\([^()\n]{{1,100}}\))?"
    rf"(?:,?[^\S\n]+(?!(?i:{_any(_REASON)}|{_AND}|{_OR})(?!\w))(?:[^\W\d_]{{2,}}|[èé](?!\w))|n't|(?=[是は가는이不也]))",
)
"""A sentence about other options: their labels, then a word that goes on."""
RATHER = re.compile(
    rf"{_OPEN}(?P<label>{CAPITAL}){_CLOSE},?\s*(?i:{_any(_RATHER, '而不是 ではなく')})\s*"
    rf"{_OPEN}(?i:option\s)?{_OPEN}{CAPITAL}"
)
"""A choice set against another one: "B rather than C"."""
ANOTHER = _compiled(rf"\W{{0,3}}(?:{_OR}|{_AND}|[/&+])\s*{_OPEN}(?P<label>{LABEL})\s*(?:[).:\]]|$)")
OPENING, CLOSING = _OPEN, _CLOSE
SO_SIGN = rf"(?i:{_any(_SO, _SO_UNSPACED)}|[→⇒]|=>|->)"
SUPERLATIVE = (
    r"(?i:\b(?!(?:\w{0,8}west|rest|test|forest|guest|interest|request|suggest|honest|contest|harvest|est)\b)\w{2,}est\b"
    rf"|\w{{3,}}ste[nr]?\b|{_any(_MOST)}|最近|最接近|最も|一番|最短|最长|最大|最小|가장|제일)"
)
CHOICE = _compiled(_any(_CHOICE, _CHOICE_UNSPACED))
EXPLAINS = _compiled(
    _any(_BECAUSE, "です だ 입니다 이다 예요 이에요 是正确 因为 因為 번"),
    r"-(?!\w)|\((?!\w\))|'d[ıi]r|[=→]",
)
