"""Where volumes are: folders, and what fsspec reaches."""

import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from kgmem.errors import ArchiveError
from kgmem.store.volumes import places
from kgmem.store.volumes.places import is_local, open_place, path_of, refuse_password

fsspec = pytest.importorskip("fsspec")


@pytest.fixture(params=["folder", "file", "memory"])
def url(request, tmp_path):
    where = {"folder": str(tmp_path / "a" / "b"), "file": (tmp_path / "c d").as_uri(), "memory": "memory://kgmem/x"}
    yield where[request.param]
    fsspec.filesystem("memory").store.clear()


def test_a_place_keeps_files(url):
    place = open_place(url)
    assert (place.names(), place.size("one"), place.read("one")) == ((), None, None)
    place.write("two", b"2222")
    place.write("one", b"1")
    assert place.names() == ("one", "two")
    assert (place.size("two"), place.read("two"), place.read("two", 2)) == (4, b"2222", b"22")
    place.write("one", b"another")
    assert place.read("one") == b"another"
    place.remove("one")
    place.remove("one")
    assert place.names() == ("two",)


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's")
def test_files_and_folders_are_their_owners_alone(tmp_path):
    open_place(str(tmp_path / "a" / "b")).write("one", b"1")
    modes = [(tmp_path / each).stat().st_mode & 0o777 for each in ("a", "a/b", "a/b/one")]
    assert modes == [0o700, 0o700, 0o600]


def test_what_was_half_written_is_written_anew_and_removed(tmp_path):
    (tmp_path / ".one.partial").write_bytes(b"ha")
    place = open_place(str(tmp_path))
    place.write("one", b"whole")
    assert place.names() == ("one",)
    (tmp_path / ".one.partial").write_bytes(b"ha")
    place.remove("one")
    assert not tmp_path.exists() or place.names() == ()


def test_a_folder_that_others_use_stays(tmp_path):
    (tmp_path / "mine.txt").write_text("keep")
    place = open_place(str(tmp_path))
    place.write("one", b"1")
    place.remove("one")
    assert place.names() == ("mine.txt",)


def test_a_folder_that_cannot_be_made_is_an_error_that_names_it(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(ArchiveError, match="file/one cannot be written"):
        open_place(str(tmp_path / "file")).write("one", b"1")
    assert open_place(str(tmp_path / "file")).read("one") is None


def test_what_is_local():
    assert [is_local(each) for each in ("/a", "a/b", "file:///a", "FILE:///a", "s3://a", "memory://a")] == [
        True, True, True, True, False, False,
    ]  # fmt: skip
    assert path_of("file:///a%20b").as_posix() == "/a b"
    assert path_of("~/x").is_absolute()


@pytest.mark.parametrize("url", ["s3://key:secret@bucket/x", "sftp://h/a@b", "s3://bucket/x?secret=1"])
def test_a_secret_in_a_url_is_refused_and_not_repeated(url):
    with pytest.raises(ArchiveError) as refused:
        refuse_password(url)
    assert "secret" not in refused.value.message
    with pytest.raises(ArchiveError):
        open_place(url)


def test_a_protocol_that_nobody_knows_is_an_error():
    with pytest.raises(ArchiveError, match=r"nosuch://x cannot be opened: Protocol not known"):
        open_place("nosuch://x")


def test_a_folder_needs_no_fsspec(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    open_place(str(tmp_path)).write("one", b"1")
    with pytest.raises(ArchiveError, match="needs fsspec"):
        open_place("memory://x")


class StrangeError(Exception):
    """What a library of a service raises, which no other one knows."""


def test_what_a_foreign_library_raises_is_an_error_and_what_we_do_wrong_is_not():
    with pytest.raises(ArchiveError, match="it is broken"), places.Translated("x://y", "read"):
        raise StrangeError("it is broken\nsecond line")
    with pytest.raises(TypeError), places.Translated("x://y", "read"):
        raise TypeError
    with pytest.raises(KeyboardInterrupt), places.Translated("x://y", "read"):
        raise KeyboardInterrupt


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def server(tmp_path):
    """A server of the files of a folder, on the loopback."""
    pytest.importorskip("aiohttp")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path)) as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()
        thread.join()


def test_a_server_that_only_gives_can_be_read_and_not_written(server, tmp_path):
    (tmp_path / "one").write_bytes(b"12345")
    place = open_place(server)
    assert place.read("one") == b"12345"
    assert place.read("two") is None
    with pytest.raises(ArchiveError, match="cannot be written"):
        place.write("three", b"3")


def test_a_server_that_is_gone_is_an_error(server):
    place = open_place(server.rsplit(":", 1)[0] + ":1")
    with pytest.raises(ArchiveError, match="cannot be read"):
        place.read("one")
