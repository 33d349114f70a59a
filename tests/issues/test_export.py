"""Public reports about exports of other tools, as small cases."""

import re

from export.vaults import PEOPLE, Home
from markdown_it import MarkdownIt

from kgmem.export.text import prose
from kgmem.sources.document import Seen
from kgmem.sources.obsidian import Vault
from kgmem.sources.obsidian.links import Links

MIRA = "People/Mira/Mira.md"


def test_names_that_no_file_can_have__google_keep_import_4__obsidian_kindle_175(tmp_path):
    names = ["AC/DC", "Who?", "A|B", "C#", "CON", "x.", '"Sum: Sapiens: a history"', "n" * 300, "é one", "É one"]
    quoted = [name.replace('"', '\\"') for name in names]
    home = Home(tmp_path, {f"{place}.md": f'---\ntitle: "{name}"\n---\nText.\n' for place, name in enumerate(quoted)})
    home.export()
    pages = home.written()
    folded = {page.casefold() for page in pages}
    assert len(pages) == len(folded) == len(names)
    assert not re.search(r'[<>:"\\|?*#^\[\]%]', "".join(pages))
    assert {"Objects/AC DC/AC DC.md", "Objects/_CON/_CON.md", "Objects/x/x.md", "Objects/Who/Who.md"} <= set(pages)
    titles = [re.search(r"^title: (.*)$", home.page(page).read_text("utf-8"), re.MULTILINE)[1] for page in pages]
    assert sorted(titles) == sorted('"' + name.replace('"', '\\"') + '"' for name in names)
    assert '  - "AC/DC"\n' in home.page("Objects/AC DC/AC DC.md").read_text("utf-8")
    assert home.export().written == 0


def test_pages_in_the_vault_are_no_notes__statiq_156(tmp_path):
    home = Home(tmp_path, PEOPLE)
    home.export()
    counts = home.ingest().counts
    assert (counts.added, counts.changed, counts.removed, counts.unchanged) == (0, 0, 0, 4)
    (home.pages / ".kgmem-manifest.json").unlink()  # a page is known by its id as well
    known = {each.path: Seen(each.id, each.path, each.size, each.mtime_ns, each.hash) for each in home.store.sources()}
    scan = Vault(home.vault).scan(known)
    assert (scan.added, scan.changed, scan.removed, scan.unchanged) == ((), (), (), 4)


def test_what_a_person_writes_survives__zotero_integration_157__475(tmp_path):
    home = Home(tmp_path, PEOPLE)
    home.export()
    page = home.page(MIRA)
    text = page.read_text("utf-8").replace("type: Person\n", "type: Person\nrating: 5\n") + "\n## Mine\r\n\n- a  \n"
    page.write_bytes(text.encode())
    mtime = page.stat().st_mtime_ns
    assert home.export().written == 0
    assert (page.read_bytes(), page.stat().st_mtime_ns) == (text.encode(), mtime)
    home.write({"People/Mira.md": PEOPLE["People/Mira.md"].replace("rain", "snow")})
    assert home.export().written == 1
    assert page.read_bytes() == text.replace("rain", "snow").encode()


def test_a_link_with_an_alias_keeps_the_columns_of_its_table__pi_llm_wiki_156(tmp_path):
    notes = {
        "People/Bo.md": "---\ntype: person\nworks_at: \"[[A and B]]\"\nnick: 'x | y'\n---\n",
        "A and B.md": '---\ntitle: "A|B"\ntype: company\naliases: [AB]\n---\nA firm.\n',
    }
    home = Home(tmp_path, notes)
    home.export()
    text = home.page("People/Bo/Bo.md").read_text("utf-8")
    assert r"| works at | [[pages/Organizations/A B/A B\|A/B]] |" in text
    assert rf"| nick | {prose('x | y')} |" in text
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    cells = [token.type for token in tokens if token.type in {"tr_open", "th_open", "td_open"}]
    rows = "".join({"tr_open": "\n", "th_open": "h", "td_open": "d"}[each] for each in cells).split()
    assert rows == ["hhhh", "dddd", "dddd"]


def test_every_link_of_a_page_in_the_vault_leads_somewhere(tmp_path):
    home = Home(tmp_path, PEOPLE)
    home.export()
    files = [file.relative_to(home.vault).as_posix() for file in home.vault.rglob("*.md")]
    links = Links(files)
    for page in home.written():
        resolve = links.resolver(f"pages/{page}")
        targets = re.findall(r"\[\[([^\]|#\\]+)", home.page(page).read_text("utf-8"))
        assert targets
        found = {target: resolve(target)[0] for target in targets}
        assert {target: path for target, path in found.items() if path != f"{target}.md"} == {}
