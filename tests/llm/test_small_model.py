"""A real model at a real server: what `find_chat` sends is understood, and what comes back is read as it comes."""

from kgmem.llm.chat import LlmSettings, find_chat
from kgmem.recall.phrasing import RULES, prompt

LINES = ("- Mira lives in Avignon (since 2023-05). [Mira.md:3]", "[Mira.md:5] Mira keeps bees.")


def test_an_answer_comes_in_pieces_and_is_counted(citing_model):
    chat = find_chat(LlmSettings("smollm2", citing_model), {})
    pieces = list(chat.answer(RULES, prompt("where does Mira live", LINES)))
    assert "".join(pieces) == "Mira lives in Avignon [1]."
    assert len([piece for piece in pieces if piece]) >= 5
    assert chat.tokens > len(pieces)


def test_an_answer_is_no_longer_than_was_asked_for(small_model):
    chat = find_chat(LlmSettings("smollm2", small_model, longest=8), {})
    assert 0 < len([piece for piece in chat.answer("Count.", "Count to a hundred.") if piece]) <= 8
