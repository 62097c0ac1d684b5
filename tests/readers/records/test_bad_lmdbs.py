"""LMDBs and messages that are damaged: an error that says where, whatever the bytes are."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock._native import Samples, caffe2_tensors, caffe_datums
from penstock.readers import Caffe, Caffe2
from readers.lmdb_files import (
    BRANCH,
    BYTE,
    FLOAT,
    INT32,
    LEAF,
    STRING,
    UINT8,
    datum,
    header,
    lmdb_file,
    tensor,
    tensors,
    write_lmdb,
)  # fmt: skip
from readers.promises import contents

IMAGE, LABEL = tensor(STRING, b"a file", [1]), tensor(INT32, [5])
# Two leaves on pages 4 and 5 under the branch on page 6; the pages 2 and 3 hold the value of the first entry.
WHOLE = lmdb_file([(b"%03d" % n, datum(b"x" * (5000 if n == 0 else 25), n)) for n in range(100)])
PAGE = 4096


def changed(*changes: tuple[int, int, str, int]) -> bytes:
    """The database with numbers written into it: page, place in the page, kind, value."""
    made = bytearray(WHOLE)
    for page, at, kind, value in changes:
        struct.pack_into(f"<{kind}", made, page * PAGE + at, value)
    return bytes(made)


def read_all(folder, data):
    (folder / "data.mdb").write_bytes(data)
    reader = Caffe(path=folder)
    return [label[0] for outputs in reader.next_epoch(batch_size=10) for label in contents(outputs)[1]]


def test_the_database_is_what_the_other_tests_take_it_for(tmp_path):
    kinds = [struct.unpack_from("<H", WHOLE, page * PAGE + 10)[0] for page in range(7)]
    assert (len(WHOLE), kinds[4:]) == (7 * PAGE, [LEAF, LEAF, BRANCH])
    assert read_all(tmp_path, WHOLE) == list(range(100))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is too short for an LMDB"),
        (WHOLE[:100], "it is too short for an LMDB"),
        (b"no database" * 1000, "it is no LMDB"),
        (WHOLE[:PAGE], "it is too short for an LMDB"),
        (changed((1, 16, "I", 0)), "it is no LMDB"),
        (changed((0, 16, "I", 0xDEC0EFBE)), "another byte order or word size"),
        (changed((0, 20, "I", 999)), "version 999; version 1 can be read"),
        (changed((0, 40, "I", 4095)), "pages have 4095 bytes"),
        (changed((1, 40, "I", 8192)), "pages of 4096 and 8192 bytes"),
        (changed((1, 92, "H", 4)), "several values each"),
        (changed((1, 94, "H", 60)), "at depth 60"),
        (changed((1, 120, "Q", 1 << 40)), "speaks of 1099511627776 entries under page 6, but the file has 28672 bytes"),
        (changed((1, 128, "Q", 7)), "under page 7, but the file has 28672 bytes; it may be cut short"),
        (changed((1, 120, "Q", 101)), "its pages hold 100 entries, its header says 101"),
        (changed((1, 120, "Q", 99)), "its pages hold 100 entries, its header says 99"),
        (WHOLE[: 6 * PAGE], "under page 6, but the file has 24576 bytes; it may be cut short"),
        (changed((6, 0, "Q", 9)), "page 6 at byte 24576: the page calls itself page 9"),
        (changed((6, 10, "H", LEAF)), "page 6 at byte 24576: it is no branch page, its flags are 2"),
        (changed((4, 10, "H", BRANCH)), "page 4 at byte 16384: it is no leaf page, its flags are 1"),
        (changed((4, 12, "H", 17)), "page 4 at byte 16384: its free space is from 17"),
        (changed((4, 14, "H", 5000)), "page 4 at byte 16384: its free space is from .* to 5000"),
        (changed((4, 16, "H", 4095)), "page 4 at byte 16384: an entry is at 4095"),
        (changed((6, 16, "H", 2)), "page 6 at byte 24576: an entry is at 2"),
    ],
)
def test_a_damaged_tree(tmp_path, data, why):
    with pytest.raises(RuntimeError, match=rf"data\.mdb: .*{why}"):
        read_all(tmp_path, data)


def node(page: int, at: int) -> int:
    """Where an entry stands in its page."""
    return int(struct.unpack_from("<H", WHOLE, page * PAGE + 16 + 2 * at)[0])


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (changed((6, node(6, 1), "I", 900)), "page 6 at byte 24576: it leads to page 900, the file has 7 pages"),
        (changed((4, node(4, 1) + 6, "H", 9999)), "page 4 at byte 16384: an entry at .* has a key of 9999 bytes"),
        (changed((4, node(4, 1), "I", 9999)), "page 4 at byte 16384: a value of 9999 bytes ends behind it"),
        (changed((4, node(4, 1) + 4, "H", 2)), "page 4 at byte 16384: it holds a database of its own"),
        (changed((4, node(4, 0) + 11, "Q", 900)), "a value of 50.. bytes is on page 900, the file has 28672 bytes"),
        (changed((4, node(4, 0), "I", 1 << 30)), "a value of 1073741824 bytes is on page 2"),
    ],
)
def test_a_damaged_entry(tmp_path, data, why):
    with pytest.raises(RuntimeError, match=rf"data\.mdb: .*{why}"):
        read_all(tmp_path, data)


def test_branches_that_lead_to_the_same_pages_again_and_again(tmp_path):
    page = bytearray(WHOLE[6 * PAGE :])
    for at in (0, 1):
        struct.pack_into("<I", page, node(6, at), 6)
    deep = header(PAGE, 30, 100, 6, 1, 7).ljust(PAGE, b"\0")
    with pytest.raises(RuntimeError, match="its branches lead to more pages than it has, 7"):
        read_all(tmp_path, WHOLE[:PAGE] + deep + WHOLE[2 * PAGE : 6 * PAGE] + bytes(page))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ((2, 0, "Q", 3), "page 2 at byte 8192: it is not the first of the pages of a value"),
        ((2, 10, "H", LEAF), "page 2 at byte 8192: it is not the first of the pages of a value"),
        ((2, 12, "I", 1), "page 2 at byte 8192: a value of 50.. bytes has 1 pages"),
    ],
)
def test_a_damaged_large_value_is_the_only_one_that_is_lost(tmp_path, change, why):
    with pytest.raises(RuntimeError, match=rf"Error while parsing Caffe file: .* at key 000: {why}"):
        read_all(tmp_path, changed(change))
    reader = Caffe(path=tmp_path, on_error="skip")
    assert sum(len(contents(outputs)[1]) for outputs in reader.next_epoch(batch_size=1)) == 99
    assert [bad.source for bad in reader.errors] == [f"{tmp_path} at key 000"]


def test_there_is_no_database(tmp_path):
    with pytest.raises(RuntimeError, match=r"Cannot open: .*nope.data\.mdb: No such file"):
        next(Caffe(path=tmp_path / "nope").next_epoch())
    with pytest.raises(RuntimeError, match="there are no entries in an empty list"):
        next(Caffe(path=[]).next_epoch())


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (b"", "there is no image"),
        (datum(None, 1, floats=[1.0]), "the image is made of floats"),
        (datum(b"x"), "there is no label; label_available=False does without"),
        (datum(bytes(23), 1, (3, 2, 4), False), "the image of 2x4x3 pixels has 23 bytes"),
        (datum(bytes(24), 1, (-3, -2, 4), False), "the image of -2x4x-3 pixels has 24 bytes"),
        (datum(bytes(24), 1, None, False), "the image of 0x0x0 pixels has 24 bytes"),
        (datum(b"abcdef", 1)[:-2], "a field of 6 bytes where 4 are left"),
        (b"\xff" * 30, "a number without an end"),
    ],
)
def test_a_damaged_datum(tmp_path, message, why):
    path = write_lmdb(tmp_path / "db", [message])
    with pytest.raises(RuntimeError, match=f"Error while parsing Caffe file: {path} at key 00000000: .*{why}"):
        next(Caffe(path=path).next_epoch())


@pytest.mark.parametrize(
    ("message", "arguments", "why"),
    [
        (b"", {}, "the message has 0 tensors, not 2"),
        (tensors(IMAGE), {}, "the message has 1 tensors, not 2"),
        (tensors(IMAGE, LABEL), {"label_type": 3, "num_labels": 9}, "the message has 2 tensors, not 3"),
        (tensors(tensor(STRING), LABEL), {}, "the image has no string"),
        (tensors(tensor(FLOAT, [1.0]), LABEL), {}, "the image is of type FLOAT, not STRING"),
        (tensors(tensor(BYTE, bytes(6), [6]), LABEL), {}, "the image has 1 dims, not 2 or 3"),
        (tensors(tensor(BYTE, bytes(6), [2, 2]), LABEL), {}, "the image of 2x2x1 pixels has 6 bytes"),
        (tensors(tensor(BYTE, bytes(6), [1 << 62, 4]), LABEL), {}, "pixels has 6 bytes"),
        (tensors(IMAGE, tensor(INT32, [1, 2])), {}, "the label has 2 numbers, not 1"),
        (tensors(IMAGE, tensor(UINT8, [1])), {}, "the label is of type UINT8, not FLOAT, INT32 or INT64"),
        (tensors(IMAGE, LABEL), {"label_type": 1, "num_labels": 5}, "label 5 is not below num_labels=5"),
        (tensors(IMAGE, tensor(INT32, [-1])), {"label_type": 1, "num_labels": 5}, "label -1 is not below"),
        (tensors(IMAGE, LABEL, tensor(FLOAT, [])), {"label_type": 3, "num_labels": 9}, "has 0 numbers, not 1"),
        (tensors(IMAGE, LABEL, LABEL), {"bbox": True}, "the bounding box has 1 numbers, not 4"),
        (tensors(IMAGE, LABEL, IMAGE), {"additional_inputs": 1}, "the additional input is of type STRING"),
        (tensors(IMAGE, b"\x10\x01\x1a\x03abc"), {}, "a list of floats has 3 bytes"),
        (tensors(IMAGE, LABEL)[:-1], {}, "bytes where"),
    ],
)
def test_damaged_tensors(tmp_path, message, arguments, why):
    path = write_lmdb(tmp_path / "db", [message])
    with pytest.raises(RuntimeError, match=f"Error while parsing Caffe2 file: {path} at key 00000000: .*{why}"):
        next(Caffe2(path=path, **arguments).next_epoch())


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"label_type": 5}, "label_type is from 0 to 4, got 5"),
        ({"label_type": 1, "num_labels": 0}, "needs the number of classes: num_labels=0"),
        ({"additional_inputs": -1}, "got -1"),
        ({"label_type": 4, "image_available": False}, "nothing would be read"),
    ],
)
def test_arguments_that_make_no_sense(arguments, why):
    with pytest.raises(RuntimeError, match=why):
        Caffe2(path="db", **arguments)


def test_numbers_of_different_types_in_a_batch(tmp_path):
    path = write_lmdb(tmp_path / "db", [tensors(IMAGE, LABEL), tensors(IMAGE, tensor(FLOAT, [1.0]))])
    with pytest.raises(RuntimeError, match="at key 00000001: its numbers are of another type than those of the batch"):
        next(Caffe2(path=path).next_epoch(batch_size=2))


PLACES = st.lists(st.tuples(st.integers(0, 30_000), st.integers(0, 7)), min_size=1, max_size=8)


@settings(deadline=None, max_examples=80)
@given(PLACES, st.integers(0, len(WHOLE)))
def test_flipped_bits_are_refused_or_go_unseen(tmp_path_factory, places, cut):
    data = bytearray(WHOLE[: len(WHOLE) - (cut if cut % 4 == 0 else 0)])
    for at, bit in places:
        if data:
            data[at % len(data)] ^= 1 << bit
    folder = tmp_path_factory.mktemp("flipped")
    told = ""
    try:
        assert read_all(folder, bytes(data))
    except RuntimeError as error:
        told = str(error)
    assert not told or str(folder) in told


@settings(deadline=None, max_examples=80)
@given(PLACES, st.integers(0, 20))
def test_flipped_bits_of_messages_are_refused_or_go_unseen(places, cut):
    parts = [IMAGE, tensor(INT32, [1, 2, 300]), tensor(FLOAT, [1, 2, 3]), tensor(INT32, [1, 2, 3, 4])]
    for message in (datum(bytes(24), 7, (3, 2, 4), False), tensors(*parts)):
        data = bytearray(message[: len(message) - cut])
        for at, bit in places:
            data[at % len(data)] ^= 1 << bit
        samples = Samples.gather([np.frombuffer(bytes(data), np.uint8)])
        outputs, failures = caffe_datums(samples, True, True)
        assert failures or len(outputs) == 2
        outputs, failures = caffe2_tensors(samples, ["image", "weighted_label", "box"], 1000)
        assert failures or len(outputs) == 3
