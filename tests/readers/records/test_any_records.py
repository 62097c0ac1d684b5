"""Records of any contents, whole and damaged: what was written is read, and damage is an error or goes unseen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.tfrecord as tfrec
from penstock._native import Features, Samples, record_images
from penstock.storage.storage import reading_pool
from readers.record_files import MAGIC, example, framed, packed_image, recordio_record

INT = st.integers(-(2**63), 2**63 - 1)
FLOAT = st.floats(width=32, allow_nan=False)
WANTED = {
    "text": tfrec.FixedLenFeature((), tfrec.string, "none"),
    "ints": tfrec.VarLenFeature(tfrec.int64, 0),
    "floats": tfrec.VarLenFeature(tfrec.float32, 0.0),
    "pair": tfrec.FixedLenFeature([2], tfrec.int64, 9),
}
FEATURES = st.fixed_dictionaries(
    {},
    optional={
        "text": st.lists(st.binary(max_size=200), min_size=1, max_size=2),
        "ints": st.lists(INT, max_size=30),
        "floats": st.lists(FLOAT, min_size=1, max_size=30),
        "pair": st.lists(INT, min_size=2, max_size=2),
        "other": st.lists(FLOAT, max_size=3),
    },
)
PARSED = Features([feature.for_parser(name) for name, feature in WANTED.items()], 1 << 30)
# The magic word among the bytes makes a record of several parts.
FILES = st.lists(st.binary(max_size=9) | st.just(MAGIC), max_size=12).map(b"".join)


def samples_of(records: list[bytes]) -> Samples:
    return Samples.gather([np.frombuffer(record, np.uint8) for record in records])


def parsed(records: Samples) -> tuple[list[Samples], dict[int, str]]:
    parser = PARSED.parser(len(records))
    parser.take_all(reading_pool(), records)
    return parser.finish(reading_pool(), records)


def damaged(record: bytes, places: list[tuple[int, int]]) -> bytes:
    made = bytearray(record)
    for at, value in places:
        made[at % len(made)] = value
    return bytes(made)


PLACES = st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=6)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(FEATURES, st.booleans()), min_size=1, max_size=5))
def test_features_are_read_as_they_were_written(given_records):
    records = samples_of([framed(example(features, packed)) for features, packed in given_records])
    outputs, failures = parsed(records)
    assert failures == {}
    for at, (features, _) in enumerate(given_records):
        text, ints, floats, pair = (output.sample(at) for output in outputs)
        assert text.tobytes() == features.get("text", [b"none"])[0]
        assert ints.tolist() == features.get("ints", [])
        assert floats.tolist() == features.get("floats", [])
        assert pair.tolist() == features.get("pair", [9, 9])


@settings(deadline=None, max_examples=80)
@given(FEATURES, st.booleans(), PLACES, st.integers(0, 60))
def test_damaged_examples_are_refused_or_read(features, packed, places, cut):
    payload = damaged(example(features | {"last": [1]}, packed), places)
    outputs, failures = parsed(samples_of([framed(payload[: max(0, len(payload) - cut)])]))
    assert failures or len(outputs) == len(WANTED)


@settings(deadline=None, max_examples=50)
@given(FEATURES, PLACES)
def test_a_checksum_sees_all_damage_to_a_record(features, places):
    record = framed(example(features))
    other = damaged(record, places)
    _, failures = parsed(samples_of([other]))
    assert bool(failures) == (other != record)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(FILES, FLOAT | st.lists(FLOAT, min_size=1, max_size=4)), min_size=1, max_size=5))
def test_images_are_read_as_they_were_packed(given_images):
    records = samples_of([recordio_record(packed_image(*image)) for image in given_images])
    files, labels, failures = record_images(records)
    assert failures == {}
    for at, (file, label) in enumerate(given_images):
        assert files.sample(at).tobytes() == file
        assert labels.sample(at).tolist() == ([label] if isinstance(label, float) else label)


@settings(deadline=None, max_examples=80)
@given(FILES, PLACES, st.integers(0, 60))
def test_damaged_images_are_refused_or_read(file, places, cut):
    record = damaged(recordio_record(packed_image(file, [1.0, 2.0])), places)
    files, labels, failures = record_images(samples_of([record[: len(record) - cut]]))
    assert failures or (len(files), len(labels)) == (1, 1)


def test_what_is_no_record_of_bytes_is_refused():
    with pytest.raises(TypeError, match="vectors of uint8"):
        parsed(Samples.wrap(np.zeros((2, 3), np.float32)))
    with pytest.raises(ValueError, match="another number of samples"):
        PARSED.parser(2).take_all(reading_pool(), samples_of([b""]))
    with pytest.raises(TypeError, match="vectors of uint8"):
        record_images(Samples.wrap(np.zeros((2, 3, 1), np.uint8)))
