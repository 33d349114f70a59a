"""The rung that reads plain sentences: "Mira has worked at Acme since May 2023", with no model.

Precision before recall: what the grammar cannot place is no claim. The phrases of each predicate stand in the
ontology (`says`, `starts`, `ends`); here stands only what English does around them. The way of a block:

1. one pass of an automaton finds the telling words of all phrases (`wordings`); most blocks have none;
2. a sentence with such a word becomes tokens: words, names, dates (`tokens`);
3. phrases are matched on tokens, with the subject and the object directly beside them (`matching`, `subjects`);
4. a match becomes claims with the period that the dates beside it give (`claims`).
"""

from kgmem.extraction.relations.reading import Relations
from kgmem.extraction.relations.tokens import Name

__all__ = ["Name", "Relations"]
