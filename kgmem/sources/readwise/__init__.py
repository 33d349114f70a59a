"""Highlights of Readwise and its kin: every shape of export comes to a `Book`, its body, and a document.

One module a shape (`export`, `csv_export`, `reader`, `kindle`) → `book` → `body` → `reading`; `files` recognises
them, and `exports` compares the files of a folder with what is known.
"""

from kgmem.sources.readwise.body import body_of
from kgmem.sources.readwise.book import Book, Highlight
from kgmem.sources.readwise.export import books_of
from kgmem.sources.readwise.reading import document_of

__all__ = ["Book", "Highlight", "body_of", "books_of", "document_of"]
