"""What notes are called, where their paths do not say it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kgmem.sources.document import Document, Link, Property

Called = Callable[[Link], str | None]
"""What the note of a link is called; None where its path or its target ends in that."""


def renamed(document: Document, called: Called) -> Document:
    """A document whose links know what their notes are called."""
    head = replace(document.head, properties=_properties(document.head.properties, called))
    blocks = (
        replace(each, links=_links(each.links, called), fields=_properties(each.fields, called))
        if each.links or each.fields
        else each
        for each in document.blocks
    )
    return replace(document, head=head, blocks=tuple(blocks))


def _properties(every: tuple[Property, ...], called: Called) -> tuple[Property, ...]:
    return tuple(
        replace(each, values=tuple(replace(value, links=_links(value.links, called)) for value in each.values))
        for each in every
    )


def _links(links: tuple[Link, ...], called: Called) -> tuple[Link, ...]:
    return tuple(replace(each, name=called(each)) if each.target else each for each in links)
