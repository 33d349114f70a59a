"""One request to a service: what may go wrong on the way, and what a person is told."""

import json
import time
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from ssl import SSLCertVerificationError
from urllib.error import URLError

import pytest
from syncing.readwise import MORNING, TOKEN, book, highlight, lending, service

from kgmem.errors import ConfigurationError, SourceError
from kgmem.sources.readwise import service as service_module
from kgmem.sources.readwise import wire
from kgmem.sources.readwise.service import token_for, usable
from kgmem.sources.readwise.wire import address_of

SAPIENS = book(1, "Sapiens", highlight(1, "Wheat domesticated us."))
PLAIN = {"Content-Type": "application/json"}


def sent(status, body=b"", **headers):
    """A trouble."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, {"Content-Length": str(len(body))} | named, body


def silence():
    time.sleep(0.5)
    return sent(200)


def test_a_page_is_asked_for_with_the_token_and_what_is_deleted():
    with lending(SAPIENS) as library:
        page = service(library).page(datetime(2026, 2, 1, tzinfo=UTC), None)
    assert library.keys == [f"Token {TOKEN}"]
    assert library.asked == [
        {"path": "/api/v2/export/", "includeDeleted": "true", "updatedAfter": "2026-02-01T00:00:00+00:00"}
    ]
    assert page.books == (SAPIENS,)
    assert (page.cursor, page.count, page.at) == (None, 1, MORNING)


def test_a_busy_service_is_given_the_time_it_asks_for():
    told = []
    with lending(SAPIENS, troubles=[sent(429, Retry_After="37"), sent(429)]) as library:
        page = service(library, told=told).page(None, None)
    assert page.books == (SAPIENS,)
    assert told == ["Readwise is asked again in 37 seconds", 37, "Readwise is asked again in 30 seconds", 30]


def test_the_time_may_be_a_date_of_the_services_own_clock():
    told = []
    at = format_datetime(MORNING + timedelta(seconds=90), usegmt=True)
    with lending(SAPIENS, troubles=[sent(429, Retry_After=at)]) as library:
        service(library, told=told).page(None, None)
    assert told[1] == 90


def test_nobody_waits_for_ever():
    with lending(troubles=[sent(429, Retry_After="400")] * 3) as library, pytest.raises(SourceError) as error:
        service(library).page(None, None)
    assert error.value.message == "Readwise takes no more requests for 7 minutes"
    assert "goes on from there" in error.value.hint
    assert len(library.asked) == 2


def test_who_says_to_come_back_at_once_is_not_pestered():
    told = []
    with lending(troubles=[sent(429, Retry_After="0")] * 99) as library, pytest.raises(SourceError):
        service(library, told=told).page(None, None)
    assert [each for each in told if not isinstance(each, str)] == [1, 2, 4, 8, 16, 32, 64, 128, 256]


def test_a_service_that_keeps_silent_is_given_up(monkeypatch):
    monkeypatch.setattr(wire, "_SILENCE", 0.05)
    monkeypatch.setattr(wire, "_TRIES", 2)
    with (
        lending(troubles=[silence] * 2) as library,
        pytest.raises(SourceError, match="Readwise gives no answer in time"),
    ):
        service(library).page(None, None)
    assert len(library.asked) == 2


def test_a_certificate_that_is_none_is_said_at_once(monkeypatch):
    tried = []

    def untrusted(_opener, request, **_):
        tried.append(request.full_url)
        error = SSLCertVerificationError()
        error.verify_message = "self-signed certificate"
        raise URLError(error)

    monkeypatch.setattr(wire.OpenerDirector, "open", untrusted)
    with lending() as library, pytest.raises(SourceError) as error:
        service(library).page(None, None)
    said = "Readwise shows a certificate that this machine does not trust: self-signed certificate"
    assert error.value.message == said
    assert len(tried) == 1


def test_a_failing_service_is_asked_five_times_a_little_later_each():
    told = []
    with lending(troubles=[sent(502, b"<html>")] * 9) as library, pytest.raises(SourceError, match=r"fails \(502\)"):
        service(library, told=told).page(None, None)
    assert [each for each in told if not isinstance(each, str)] == [1, 2, 4, 8]
    assert len(library.asked) == 5


def test_a_service_that_comes_back_is_heard():
    with lending(SAPIENS, troubles=[sent(500), sent(503)]) as library:
        assert service(library).page(None, None).books == (SAPIENS,)


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_token_says_where_to_get_one(status):
    refused = sent(status, b'{"detail": "Token abcTOKEN123 is wrong"}')
    with lending(troubles=[refused]) as library, pytest.raises(ConfigurationError) as error:
        service(library).page(None, None)
    assert error.value.message == "Readwise refuses the token"
    assert "https://readwise.io/access_token" in error.value.hint
    assert len(library.asked) == 1


def test_a_web_page_is_no_answer_and_is_not_asked_for_again():
    page = sent(200, b"<!DOCTYPE html><title>Sign in</title>", Content_Type="text/html")
    with lending(troubles=[page]) as library, pytest.raises(SourceError) as error:
        service(library).page(None, None)
    assert error.value.message == "Readwise gives a web page and no data"
    assert "sign in to this network" in error.value.hint
    assert len(library.asked) == 1


@pytest.mark.parametrize(
    "cut",
    [
        (200, PLAIN | {"Content-Length": "500"}, b'{"count": 1'),
        (200, PLAIN | {"Content-Length": "11"}, b'{"count": 1'),
        (200, PLAIN | {"Content-Length": "2"}, b"\xff\xfe"),
    ],
    ids=["connection", "json", "letters"],
)
def test_an_answer_that_is_cut_off_is_asked_for_again(cut):
    with lending(SAPIENS, troubles=[cut]) as library:
        assert service(library).page(None, None).books == (SAPIENS,)
    with lending(troubles=[cut] * 5) as library, pytest.raises(SourceError, match="cut off"):
        service(library).page(None, None)


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"results": {}}', b"7", b""])
def test_another_thing_than_a_list_of_books_is_said(body):
    with lending(troubles=[sent(200, body)]) as library, pytest.raises(SourceError, match="no list of books"):
        service(library).page(None, None)


def test_a_nest_of_brackets_is_no_answer():
    with lending(troubles=[sent(200, b"[" * 100_000)]) as library, pytest.raises(SourceError, match="Readwise gives"):
        service(library).page(None, None)


def test_an_endless_answer_is_given_up(monkeypatch):
    monkeypatch.setattr(wire, "_MOST", 100_000)
    endless = sent(200, b" " * 300_000)
    with lending(troubles=[endless]) as library, pytest.raises(SourceError, match="more than 100,000 bytes"):
        service(library).page(None, None)


def test_the_token_goes_nowhere_else():
    with lending(SAPIENS) as other, lending() as library:
        library.troubles = [sent(302, Location=other.url + "export/")]
        with pytest.raises(SourceError, match=r"Readwise sends to 127\.0\.0\.1, and a token goes nowhere else"):
            service(library).page(None, None)
    assert other.asked == []


def test_no_proxy_hears_what_goes_to_this_machine(monkeypatch):
    with lending() as proxy, lending(SAPIENS) as library:
        monkeypatch.setenv("http_proxy", proxy.url)
        assert service(library).page(None, None).books == (SAPIENS,)
    assert proxy.asked == []


def test_nobody_answers():
    with lending() as library:
        gone = service(library)
    with pytest.raises(SourceError) as error:
        gone.page(None, None)
    assert error.value.message == "Readwise cannot be reached"


def test_no_error_holds_the_token():
    troubles = [sent(401, TOKEN.encode()), sent(418, TOKEN.encode()), sent(200, TOKEN.encode()), sent(302)]
    for trouble in troubles:
        with lending(troubles=[trouble] * 5) as library, pytest.raises((ConfigurationError, SourceError)) as error:
            service(library).page(None, None)
        told = "".join(traceback.format_exception(error.value)) + error.value.hint + repr(service(library))
        assert TOKEN not in told


def test_a_cursor_that_leads_nowhere_is_no_page():
    with lending(troubles=[sent(404, b'{"detail": "Invalid cursor"}')]) as library:
        assert service(library).page(None, "gone") is None


def test_the_same_page_again_and_again_ends():
    again = json.dumps({"results": [], "nextPageCursor": 7}).encode()
    with lending(troubles=[sent(200, again)]) as library, pytest.raises(SourceError, match="the same page again"):
        service(library).page(None, "7")


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://readwise.io/api/v2", "https://readwise.io/api/v2/"),
        ("http://127.0.0.1:8000/x/", "http://127.0.0.1:8000/x/"),
        ("http://[::1]:8000", "http://[::1]:8000/"),
    ],
)
def test_a_base_ends_in_a_slash(url, base):
    assert address_of(url) == base


@pytest.mark.parametrize(
    "url",
    [
        "http://readwise.io/api/v2",
        "http://localhost.example.org/",
        "http://127.0.0.1.example.org/",
        "ftp://readwise.io",
        "file:///etc/passwd",
        "readwise.io",
        "",
        "https://me:secret@readwise.io",
        "https://readwise.io:99999",
        "https://readwise.io/?a=b",
        "https://[x",
    ],
)
def test_a_token_goes_by_https_or_stays_here(url):
    with pytest.raises(ConfigurationError) as error:
        address_of(url)
    assert "secret" not in error.value.message + error.value.hint


def test_the_token_of_the_environment_comes_before_the_keyring(monkeypatch):
    monkeypatch.setattr(service_module, "kept_key", {"readwise.io": "kept"}.get)
    assert token_for("https://readwise.io/api/v2", {"READWISE_TOKEN": " mine\n"}) == "mine"
    assert token_for("https://readwise.io/api/v2", {}) == "kept"


def test_without_a_token_it_says_where_to_get_one(monkeypatch):
    monkeypatch.setattr(service_module, "kept_key", lambda _host: "")
    with pytest.raises(ConfigurationError) as error:
        token_for("https://readwise.io/api/v2", {})
    assert error.value.message == "there is no token for Readwise"
    assert "https://readwise.io/access_token" in error.value.hint


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "clé", "\x00"])
def test_what_is_no_token_is_refused_unseen(token):
    with pytest.raises(ConfigurationError) as error:
        usable(token)
    assert error.value.message == "that is no token"


def test_a_token_may_be_copied_with_its_first_word():
    assert usable(" Token abc123 ") == "abc123"
