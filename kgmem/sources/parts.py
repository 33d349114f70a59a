"""What stands in a file with others, as ``FILE#TITLE``: books with highlights, and conversations."""

from __future__ import annotations

from kgmem.sources.chats.body import body_of as conversation_body
from kgmem.sources.chats.body import is_conversation
from kgmem.sources.chats.conversation import Conversation
from kgmem.sources.document import Document, Head
from kgmem.sources.readwise.body import body_of as book_body
from kgmem.sources.readwise.book import Book


def body_of(part: Book | Conversation) -> str:
    """The text of one, in its readable form."""
    return conversation_body(part) if isinstance(part, Conversation) else book_body(part)


def document_of(path: str, body: str) -> Document:
    """Read such a text."""
    if is_conversation(body):
        from kgmem.sources.chats.reading import document_of as conversation

        return conversation(path, body)
    from kgmem.sources.readwise.reading import document_of as book

    return book(path, body)


def head_of(path: str, body: str) -> Head:
    """The head of that document."""
    if is_conversation(body):
        from kgmem.sources.chats.reading import head_of as conversation

        return conversation(path, body)
    from kgmem.sources.readwise.reading import head_of as book

    return book(path, body)
