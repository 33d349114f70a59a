"""The rung that reads sentences by their grammar: who does what to whom, as spaCy's parser sees it.

What phrases on tokens cannot follow is followed here: relative clauses, appositions, participles, possessives,
conjunctions, who "she" is, and whether a clause is said at all or only wished, asked, denied or quoted. The way:

1. sentences that hold a telling word (`frames`) are parsed where names are found, in the same worker processes, and
   come back as plain data (`words`, `parsing`);
2. the frames of `patterns.yaml`, and those of a person's own ontology, are matched on the tree (`matching`,
   `nominal`), with their slots filled through conjunctions and relative pronouns (`tree`);
3. a clause must be asserted, by the writer or by a speaker who is named (`stance`);
4. what fills a slot becomes a name, the owner, the note, or text (`referents`), the dates of the clause its period
   (`times`), and all of it claims (`claims`).

Only pipelines with the English labels of ClearNLP are read; with any other the rung is silent.
"""

from kgmem.extraction.grammar.frames import Telling, telling_of
from kgmem.extraction.grammar.liking import without_vaguer
from kgmem.extraction.grammar.reading import Clauses
from kgmem.extraction.grammar.words import Parsed, Word

__all__ = ["Clauses", "Parsed", "Telling", "Word", "telling_of", "without_vaguer"]
