"""Public reports about frontmatter, each with the input that broke a tool like ours."""

from pathlib import Path

import pytest

from kgmem.model import Problem
from kgmem.sources.document import Document, SourceSettings
from kgmem.sources.obsidian import Vault


def read(folder: Path, text: str, name: str = "Note.md") -> Document:
    (folder / name).write_text(text, encoding="utf-8", newline="")
    vault = Vault(folder, SourceSettings())
    scan = vault.scan({})
    assert [found.path for found in scan.added] == [name]
    return vault.read(name)


def values(document: Document) -> dict[str, list[str]]:
    return {each.key: [value.text for value in each.values] for each in document.head.properties}


def body(document: Document) -> list[str]:
    return [block.text for block in document.blocks if block.kind not in {"title", "property"}]


def test_gbrain_4543_backticked_path(tmp_path):
    document = read(tmp_path, "---\nkey: `C:\\agent\\x`\n---\nThe body.\n")
    assert values(document) == {"key": ["`C:\\agent\\x`"]}
    assert [(problem.path, problem.line, problem.hint) for problem in document.problems] == [
        ("Note.md", 2, "quote the value")
    ]
    assert body(document) == ["The body."]


def test_gbrain_4543_italic_title_falls_back_to_the_file_name(tmp_path):
    document = read(tmp_path, "---\nstatus: new\ntitle: *Italic*\n---\nThe body.\n")
    assert document.head.title == "Note"
    assert values(document) == {"status": ["new"], "title": []}
    assert [(problem.line, problem.hint) for problem in document.problems] == [(3, "quote the value")]


def test_gbrain_4543_rule_on_line_one(tmp_path):
    document = read(tmp_path, "---\nProse below a rule.\n\nMore.\n")
    assert (document.head.properties, document.problems) == ((), ())
    assert body(document) == ["Prose below a rule.", "More."]


def test_gbrain_4543_link_with_a_suffix(tmp_path):
    document = read(tmp_path, "---\nrelated: [[x]]suffix\nother: 1\n---\n")
    assert values(document) == {"related": ["[[x]]suffix"], "other": ["1"]}
    assert [problem.line for problem in document.problems] == [2]


def test_obsidiantools_3_nothing_but_frontmatter(tmp_path):
    document = read(tmp_path, "---\naliases: [Product-Market fit]\n---")
    assert document.head.aliases == ("Product-Market fit",)
    assert (body(document), document.problems) == ([], ())


def test_obsidiantools_18_one_broken_note_in_three(tmp_path):
    for name, text in {"A.md": "one", "B.md": "---\na: b: c\n---\ntwo", "C.md": "three"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    vault = Vault(tmp_path, SourceSettings())
    assert [found.path for found in vault.scan({}).added] == ["A.md", "B.md", "C.md"]
    problems = {path: [problem.line for problem in vault.read(path).problems] for path in vault.paths()}
    assert problems == {"A.md": [], "B.md": [2], "C.md": []}


@pytest.mark.parametrize("line", ["{{ foo }}: bar", "title: {{title}}", "title: <% tp.file.title %>"])
def test_obsidian_projects_399_templates_are_passed_over(tmp_path, line):
    (tmp_path / "t.md").write_text(f"---\n{line}\n---\ntext", encoding="utf-8")
    (tmp_path / "Real.md").write_text("text", encoding="utf-8")
    scan = Vault(tmp_path, SourceSettings()).scan({})
    assert [found.path for found in scan.added] == ["Real.md"]
    assert scan.problems == ()


def test_obsidian_projects_399_templates_folder(tmp_path):
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian" / "templates.json").write_text('{"folder": "Templates"}', encoding="utf-8")
    (tmp_path / "Templates").mkdir()
    (tmp_path / "Templates" / "t.md").write_text("plain", encoding="utf-8")
    (tmp_path / "Real.md").write_text("text", encoding="utf-8")
    vault = Vault(tmp_path, SourceSettings())
    assert [found.path for found in vault.scan({}).added] == ["Real.md"]
    assert not vault.wanted("Templates/t.md")


@pytest.mark.parametrize("fence", ["___", "***", "<hr>", " ---", "text\n---"])
def test_obsidiantools_not_frontmatter(tmp_path, fence):
    document = read(tmp_path, f"{fence}\ntitle: Other\n---\n")
    assert (document.head.title, document.head.properties) == ("Note", ())


@pytest.mark.parametrize("written", ["foo, bar", "foo bar", "[foo, bar]", "\n  - foo\n  - '#bar'", "'#foo, #bar'"])
def test_obsidian_metatable_1_tags(tmp_path, written):
    assert read(tmp_path, f"---\ntags: {written}\n---\n").head.tags == ("foo", "bar")


@pytest.mark.parametrize(("written", "title"), [("", "Note"), ('""', "Note"), ("null", "Note"), ("None", "None")])
def test_basic_memory_389_empty_titles(tmp_path, written, title):
    assert read(tmp_path, f"---\ntitle: {written}\n---\n").head.title == title


def test_basic_memory_368_null_type(tmp_path):
    document = read(tmp_path, "---\ntype: null\n---\n")
    assert (values(document), document.problems) == ({"type": []}, ())


def test_basic_memory_byte_order_mark(tmp_path):
    assert read(tmp_path, "\ufeff---\ntitle: Real\n---\n").head.title == "Real"


def test_basic_memory_line_anchored_fences(tmp_path):
    document = read(tmp_path, "---\ntitle: a --- b\nnote: |\n  x\n   ---\n  y\n---\nbody --- text\n")
    assert document.head.title == "a --- b"
    assert values(document)["note"] == ["x\n ---\ny\n"]
    assert body(document) == ["body --- text"]


def test_base_162_links_in_properties(tmp_path):
    document = read(
        tmp_path, '---\nrelated:\n  - "[[Alpha]]"\n  - "[[Beta]]"\nArea: "[[My Hub|hub]]"\nplain: [[Gamma]]\n---\n'
    )
    found = {
        each.key: [(link.target, value.line) for value in each.values for link in value.links]
        for each in document.head.properties
    }
    assert found == {"related": [("Alpha", 3), ("Beta", 4)], "Area": [("My Hub", 5)], "plain": [("Gamma", 6)]}
    assert document.problems == ()


def test_obsidian_nvim_380_unquoted_links_in_lists(tmp_path):
    document = read(tmp_path, "---\na: [[x y]]\nb:\n  - [[y|shown]]\n  - z\nc: [[[A]], [[B]]]\n---\n")
    assert values(document) == {"a": ["[[x y]]"], "b": ["[[y|shown]]", "z"], "c": ["[[A]]", "[[B]]"]}
    assert [each.is_list for each in document.head.properties] == [False, True, True]


def test_obsidian_readwise_52_author_handle(tmp_path):
    document = read(tmp_path, "---\nauthor: @naval\nsource: web\n---\n")
    assert values(document) == {"author": ["@naval"], "source": ["web"]}
    assert [(problem.line, problem.hint) for problem in document.problems] == [(2, "quote the value")]


def test_obsidian_ibook_44_colon_in_title(tmp_path):
    document = read(tmp_path, "---\nyear: 2011\ntitle: Sapiens: A Brief History\n---\n")
    assert document.head.title == "Sapiens: A Brief History"
    assert [problem.line for problem in document.problems] == [3]


def test_impossible_day(tmp_path):
    document = read(tmp_path, "---\ndate: 2024-02-30\nstatus: open\n---\n")
    assert values(document) == {"date": ["2024-02-30"], "status": ["open"]}
    assert document.problems == (
        Problem("Note.md", 2, "date", "no such day: 2024-02-30", "correct the date of 'date'"),
    )


def test_yaml_1_1_scalars_stay_as_typed(tmp_path):
    typed = {"country": "NO", "time": "12:30:45", "ratio": "1:30", "code": "0123", "version": "1.10", "name": ".inf"}
    document = read(tmp_path, "---\n" + "".join(f"{key}: {value}\n" for key, value in typed.items()) + "---\n")
    assert values(document) == {key: [value] for key, value in typed.items()}


@pytest.mark.parametrize(
    ("written", "line", "expected"),
    [
        ("a: 1\na: 2", 3, {"a": ["2"]}),
        ("title:\u00a0Real", 2, {"title": ["Real"]}),
        ("b: 1\ntitle:\u00a0Real", 3, {"b": ["1"], "title": ["Real"]}),
        ("- one\n- two", 2, {}),
        ("tags: [#work]\nb: 1", 2, {"tags": ["work"], "b": ["1"]}),
        ("list:\n\t- x\nb: 1", 3, {"list": ["x"], "b": ["1"]}),
    ],
)
def test_one_problem_each_and_the_rest_survives(tmp_path, written, line, expected):
    document = read(tmp_path, f"---\n{written}\n---\nbody\n")
    assert values(document) == expected
    assert [problem.line for problem in document.problems] == [line]
    assert body(document) == ["body"]


def test_anchors_do_not_explode(tmp_path):
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for name, before in zip("bcdefghi", "abcdefgh", strict=True):
        bomb += f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
    document = read(tmp_path, f"---\n{bomb}---\nbody\n")
    assert values(document)["a"] == ["x"] * 10
    assert sum(len(found) for found in values(document).values()) < 1_000
    assert document.problems


def test_tag_wrangler_82_text_before_the_fence(tmp_path):
    document = read(tmp_path, "words\n---\ntags: a\n---\n")
    assert document.head.tags == ()
