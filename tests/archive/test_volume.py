"""The form of a volume: what goes in comes out, and nothing else ever does."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgmem.store.volumes import volume
from kgmem.store.volumes.volume import SUFFIX, DamagedError, Volume, digest_of, header_length, make, read_header
from kgmem.store.volumes.zstd import compress, decompress

BODIES = [
    "Mira works at Nord.\n",
    "Mira works at Nord since 2015.\n",
    "",
    "naïve 漢字 🍇\r\n\x00",
    "Mira works at Nord.\n",
]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=20))
@settings(max_examples=50)
def test_every_body_comes_out_as_it_went_in(bodies):
    name, content = make(bodies)
    held = Volume(name, content)
    assert held.digests == {digest_of(body) for body in bodies}
    assert [held.body(digest_of(body)) for body in bodies] == bodies


def test_a_name_is_the_digest_of_the_content():
    name, content = make(BODIES)
    assert volume.name_of(content) == name
    assert name.endswith(SUFFIX)
    assert len(name) == 32 + len(SUFFIX)


def test_two_volumes_of_the_same_bodies_have_two_names():
    assert make(BODIES)[0] != make(BODIES)[0]


def test_revisions_of_one_note_cost_little_more_than_one():
    text = "".join(f"Line {number} of a long note about {number * 7919 % 1009}.\n" for number in range(2000))
    alone = len(make([text])[1])
    many = len(make([text.replace("Line 7 ", f"Line seven, edit {edit}: ") for edit in range(10)])[1])
    assert many < 2 * alone


def test_bodies_that_fill_several_blocks_are_all_there(monkeypatch):
    monkeypatch.setattr(volume, "_BLOCK_BYTES", 100)
    bodies = [f"{number} " * 20 for number in range(30)]
    name, content = make(bodies)
    held = Volume(name, content)
    assert len(read_header(content).blocks) == 25
    assert [held.body(digest_of(body)) for body in bodies] == bodies


@pytest.mark.parametrize("place", [0, 7, 8, 20, -1])
def test_a_byte_that_changed_is_found(place):
    name, content = make(BODIES)
    changed = bytearray(content)
    changed[place] ^= 1
    with pytest.raises(DamagedError):
        Volume(name, bytes(changed))


@pytest.mark.parametrize("length", [0, 5, 12, 40, -1])
def test_a_file_that_is_cut_off_is_found(length):
    name, content = make(BODIES)
    with pytest.raises(DamagedError):
        Volume(name, content[:length])


def test_another_volume_under_its_name_is_found():
    with pytest.raises(DamagedError, match="not what its name says"):
        Volume(make(BODIES)[0], make(BODIES)[1])


def test_what_is_not_in_it_is_not_found():
    name, content = make(BODIES)
    with pytest.raises(DamagedError, match="does not hold"):
        Volume(name, content).body(digest_of("something else"))


def forged(told, *frames):
    header = compress(json.dumps(told).encode())
    content = volume.START.pack(volume.MAGIC, len(header)) + header + b"".join(frames)
    return Volume(volume.name_of(content), content)


@pytest.mark.parametrize(
    ("blocks", "place"),
    [
        ([[0, 10, 5]], [0, 0, 5]),  # no frame
        ([], [0, 0, 5]),  # no such block
        ([[0, 20, 3]], [0, 0, 5]),  # it holds more than it says
    ],
)
def test_a_forged_file_with_the_right_name_yields_nothing(blocks, place):
    digest = digest_of("hello")
    held = forged({"blocks": blocks, "bodies": {digest: place}}, compress(b"other"))
    with pytest.raises(DamagedError):
        held.body(digest)


def test_a_body_that_is_another_one_is_found():
    frame = compress(b"other")
    held = forged({"blocks": [[0, len(frame), 5]], "bodies": {digest_of("hello"): [0, 0, 5]}}, frame)
    with pytest.raises(DamagedError, match="not what it was"):
        held.body(digest_of("hello"))


@pytest.mark.parametrize("told", [{}, [], {"blocks": 1, "bodies": {}}, {"blocks": [], "bodies": {"x": [1]}}])
def test_a_header_that_says_nothing_is_found(told):
    with pytest.raises(DamagedError):
        forged(told)


def test_the_header_is_read_without_the_rest():
    _, content = make(BODIES)
    start = content[: header_length(content)]
    assert len(start) < len(content)
    assert set(read_header(start).bodies) == {digest_of(body) for body in BODIES}
    assert read_header(start).size == len(content)


def test_a_frame_that_holds_more_than_it_says_is_not_read_on():
    frame = compress(b"a" * 10**7)
    assert len(frame) < 2000
    with pytest.raises(ValueError, match="more than it says"):
        decompress(frame, 1000)
    assert decompress(frame, 10**7) == b"a" * 10**7
