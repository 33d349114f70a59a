from kgmem.sources.document import Seen
from kgmem.sources.obsidian import Vault
from kgmem.watching.withholding import Withholding, paths_of


def seen(path, digest):
    return Seen(f"id of {path}", path, 1, 1, digest)


def folder(tmp_path, **notes):
    for name, text in notes.items():
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    return Vault(tmp_path)


def known(tmp_path, *names):
    """What the memory knows after it read these notes, and another one that is gone."""
    scan = Vault(tmp_path).scan({})
    now = {each.path: Seen(each.path, each.path, 0, 0, each.hash) for each in scan.added if each.path in names}
    return {**now, "gone.md": seen("gone.md", "other")}


def test_what_still_changes_is_not_read_and_then_nothing_counts_as_gone(tmp_path):
    vault = folder(tmp_path, old="one", new="two")
    reader = Withholding(vault, {"new.md"})
    scan = reader.scan(known(tmp_path, "old.md"))
    assert paths_of(scan) == ()
    assert reader.found is scan


def test_a_known_note_that_still_changes_keeps_no_other_from_going(tmp_path):
    folder(tmp_path, old="one")
    before = known(tmp_path, "old.md")
    (tmp_path / "old.md").write_text("other words", encoding="utf-8")
    assert paths_of(Withholding(Vault(tmp_path), {"old.md"}).scan(before)) == ("gone.md",)
    assert paths_of(Withholding(Vault(tmp_path)).scan(before)) == ("gone.md", "old.md")


def test_what_is_gone_can_be_kept(tmp_path):
    vault = folder(tmp_path, old="one", new="two")
    assert paths_of(Withholding(vault, removed=True).scan(known(tmp_path, "old.md"))) == ("new.md",)
