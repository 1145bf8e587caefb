"""nltk's Penn Treebank and Punkt tokenizers, without the rest of nltk.

Its packages load all of it when they are imported, with numpy: 0.3 s and some 500 modules, where the two need 78, most
of them Python's own (`python -c "import sys; n = len(sys.modules); import nltk; print(len(sys.modules) - n)"`).
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from threading import Lock

_LIBRARY = "nltk"
_PACKAGES = (_LIBRARY, "nltk.tokenize")
_loading = Lock()


def word_tokenizer(punkt: Path) -> Callable[[str], list[str]]:
    """A text → its words, sentence by sentence, by the parameters in the folder `punkt`; OSError where it is not."""
    with _modules_alone():
        from nltk.tokenize.destructive import NLTKWordTokenizer
        from nltk.tokenize.punkt import PunktSentenceTokenizer, load_punkt_params

        sentences = PunktSentenceTokenizer(load_punkt_params(str(punkt)))
    words = NLTKWordTokenizer()
    return lambda text: [word for sentence in sentences.tokenize(text) for word in words.tokenize(sentence)]


@contextmanager
def _modules_alone() -> Iterator[None]:
    """Within the block, nltk's modules are loaded without what their packages load.

    Afterwards they are as good as never imported: whoever imports nltk in this process gets the whole of it.
    """
    with _loading:
        if _LIBRARY in sys.modules:
            yield
            return
        try:
            for name in _PACKAGES:
                spec = find_spec(name)
                assert spec is not None, f"{name} is installed with Trigpoint"
                sys.modules[name] = module_from_spec(spec)
            yield
        finally:
            for name in [name for name in sys.modules if name.partition(".")[0] == _LIBRARY]:
                del sys.modules[name]
