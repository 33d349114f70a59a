"""Packs of the ontology: predicates and types for one field, laid beside the core; and files of a person's own.

A pack only adds: what the core and the packs before it say keeps its meaning, and what would change it is a mistake.
"""

from __future__ import annotations

from kgmem.extraction.packs.reading import CORE, SHIPPED, Pack, read_core, read_file, read_shipped
from kgmem.extraction.packs.stacking import Stack, stack, stack_soundly

__all__ = ["CORE", "SHIPPED", "Pack", "Stack", "read_core", "read_file", "read_shipped", "stack", "stack_soundly"]
