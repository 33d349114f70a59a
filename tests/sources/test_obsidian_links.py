import pytest

from kgmem.sources.obsidian.links import Links

LINKS = Links(
    ["Home.md", "a/Note.md", "a/b/Other.md", "a/b/Twin.md", "c/Twin.md", "c/d/Deep.md", "Node.js.md", "v1.2.md"],
    ["img/photo.raw", "data.csv", "Board.canvas"],
)


@pytest.mark.parametrize(
    ("source", "target", "path"),
    [
        ("x.md", "Home", "Home.md"),
        ("x.md", "hOME", "Home.md"),
        ("x.md", "a/Note", "a/Note.md"),
        ("x.md", "Note", "a/Note.md"),
        ("x.md", "b/Other", "a/b/Other.md"),
        ("x.md", "x/Other", None),
        ("a/x.md", "Twin", "a/b/Twin.md"),
        ("c/d/x.md", "Twin", "c/Twin.md"),
        ("x.md", "Twin", "c/Twin.md"),
        ("a/b/x.md", "../Note", "a/Note.md"),
        ("a/b/x.md", "./Other", "a/b/Other.md"),
        ("a/b/x.md", "../../../Home", None),
        ("a/b/x.md", "/Home", "Home.md"),
        ("a/b/x.md", "/Note", None),
        ("x.md", "Node.js", "Node.js.md"),
        ("x.md", "v1.2", "v1.2.md"),
        ("x.md", "Nobody", None),
        ("a/x.md", "", "a/x.md"),
    ],
)
def test_which_note_a_link_means(source, target, path):
    assert LINKS.resolver(source)(target) == (path, False)


@pytest.mark.parametrize("target", ["photo.png", "img/photo.raw", "DATA.CSV", "Board.canvas", "Other.js"])
def test_attachments(target):
    assert LINKS.resolver("x.md")(target) == (None, True)


def test_unknown_endings_are_part_of_a_name():
    assert LINKS.resolver("x.md")("St. Gallen") == (None, False)
