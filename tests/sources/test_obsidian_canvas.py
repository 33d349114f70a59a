import json

import pytest

from kgmem.sources.document import SourceSettings
from kgmem.sources.obsidian import Vault

BOARD = {
    "nodes": [
        {"id": "1", "type": "file", "file": "People/Ann.md"},
        {"id": "2", "type": "file", "file": "Acme.md", "subpath": "#Team"},
        {"id": "3", "type": "text", "text": "Ask [[Ann]] #soon"},
        {"id": "4", "type": "file", "file": "photo.png"},
        {"id": "5", "type": "group", "label": "Work"},
        {"id": "6", "type": "link", "url": "https://x.org"},
    ],
    "edges": [
        {"id": "7", "fromNode": "1", "toNode": "2", "label": "works at"},
        {"id": "8", "fromNode": "1", "toNode": "2"},
        {"id": "9", "fromNode": "1", "toNode": "3", "label": "about"},
        {"id": "10", "fromNode": "2", "toNode": "1", "label": "hired by", "fromEnd": "arrow", "toEnd": "none"},
    ],
}


@pytest.fixture
def document(tmp_path):
    (tmp_path / "People").mkdir()
    for path in ("People/Ann.md", "Acme.md"):
        (tmp_path / path).write_text("x", encoding="utf-8")
    (tmp_path / "Board.canvas").write_text(json.dumps(BOARD, indent=1), encoding="utf-8")
    vault = Vault(tmp_path, SourceSettings())
    assert [found.path for found in vault.scan({}).added] == ["Acme.md", "Board.canvas", "People/Ann.md"]
    return vault.read("Board.canvas")


def test_cards_and_notes(document):
    assert document.head.title == "Board"
    assert [(block.kind, block.text, block.first_line) for block in document.blocks] == [
        ("title", "Board", 1),
        ("canvas", "Ann", 4),
        ("canvas", "Acme", 9),
        ("canvas", "Ask [[Ann]] #soon", 15),
        ("canvas", "photo.png", 20),
        ("canvas", "Work", 25),
    ]
    ann, acme, card, photo, _ = document.blocks[1:]
    assert (ann.links[0].path, acme.links[0].path, acme.links[0].heading) == ("People/Ann.md", "Acme.md", "Team")
    assert (card.links[0].path, card.tags) == ("People/Ann.md", ("soon",))
    assert photo.links[0].attachment


def test_labelled_arrows_between_notes(document):
    assert [(edge.start.path, edge.label, edge.end.path, edge.line) for edge in document.edges] == [
        ("People/Ann.md", "works at", "Acme.md", 37),
        ("People/Ann.md", "hired by", "Acme.md", 54),
    ]


@pytest.mark.parametrize(
    ("text", "line"), [('{\n"nodes": [', 2), ("[]", 1), ("[" * 100_000, 1), ('{"nodes": ' + "1" * 5_000 + "}", 1)]
)
def test_broken_boards_are_problems(tmp_path, text, line):
    document = Vault(tmp_path, SourceSettings()).parse("B.canvas", text, mtime_ns=0)
    assert [(problem.path, problem.line, problem.kind) for problem in document.problems] == [
        ("B.canvas", line, "canvas")
    ]
    assert len(document.blocks) == 1


@pytest.mark.parametrize(
    "text", ["", "{}", '{"nodes": 3, "edges": [1, null]}', '{"nodes": [{"type": "text", "text": 4}]}']
)
def test_odd_boards_are_empty(tmp_path, text):
    document = Vault(tmp_path, SourceSettings()).parse("B.canvas", text, mtime_ns=0)
    assert (len(document.blocks), document.edges, document.problems) == (1, (), ())
