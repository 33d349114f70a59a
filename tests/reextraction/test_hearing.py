"""The language rungs over a whole past read no text twice."""

from kgmem.extraction.entities import LanguageRead, NamedSpan, Recognizer
from kgmem.model import EntityType
from kgmem.reextraction.hearing import Remembering


class Capitals(Recognizer):
    """Takes a first word for a person, and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def read(self, texts, telling=None):
        for key, some in texts:
            self.asked.append((telling, some))
            words = [text.split()[0] for text in some]
            spans = [[NamedSpan(0, len(word), word, EntityType.PERSON, "PERSON")] for word in words]
            yield key, LanguageRead(spans, [[] for _ in some])


def test_every_text_is_read_once():
    capitals = Capitals()
    remembering = Remembering(capitals, "telling")
    assert len(list(remembering.once.learn([["Mira came."], ["Jon left."], ["Mira came."]]))) == 2
    found = dict(remembering.read([(1, ["Jon left."]), (2, ["Anna stayed."]), (3, ["Mira came."])]))
    assert {key: read.names[0][0].surface for key, read in found.items()} == {1: "Jon", 2: "Anna", 3: "Mira"}
    assert capitals.asked == [("telling", [each]) for each in ("Mira came.", "Jon left.", "Anna stayed.")]
