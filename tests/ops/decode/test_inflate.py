"""decoders.inflate: LZ4 blocks."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from messages import told
from ops.promises import check_operator


def deflated(data: bytes) -> bytes:
    """An LZ4 block, by a simple greedy search: matches are at least four bytes and end twelve before the last."""
    out, literals, seen, at = bytearray(), bytearray(), {}, 0
    while at < len(data):
        known = seen.get(data[at : at + 4])
        seen[data[at : at + 4]] = at
        if known is None or at - known > 65535 or at + 12 > len(data):
            literals.append(data[at])
            at += 1
            continue
        length = 4
        while at + length < len(data) - 5 and data[known + length] == data[at + length]:
            length += 1
        out += sequence(literals, at - known, length)
        literals.clear()
        at += length
    return bytes(out + sequence(literals))


def sequence(literals: bytes, back: int = 0, length: int = 4) -> bytes:
    def extra(count: int) -> bytes:
        return b"" if count < 15 else b"\xff" * ((count - 15) // 255) + bytes([(count - 15) % 255])

    copied = length - 4
    head = bytes([min(len(literals), 15) << 4 | min(copied, 15)]) + extra(len(literals)) + literals
    return head + (back.to_bytes(2, "little") + extra(copied) if back else b"")


def packed(array: np.ndarray) -> np.ndarray:
    return np.frombuffer(deflated(array.tobytes()), np.uint8)


IMAGE = np.tile(np.arange(30, dtype=np.uint8), 8).reshape(8, 10, 3)


def test_a_block_by_eye():
    block = np.frombuffer(b"\x32abc\x03\x00\x50abcab", np.uint8)
    assert np.asarray(ndd.decoders.inflate(block, shape=[14])).tobytes() == b"abcabcabcabcab"


def test_inflate_keeps_the_promises():
    samples = [packed(IMAGE), packed(IMAGE[::-1])]
    got = check_operator("decoders.inflate", samples, layout=None, shape=[8, 10, 3])
    np.testing.assert_array_equal(got[0], IMAGE)
    floats = [packed(np.float32([1, 2, 3])), packed(np.float32([4]))]
    each = {"shape": [[3], [1]]}
    assert [*map(len, check_operator("decoders.inflate", floats, layout=None, per_sample=each, dtype=ndd.float32))] == [
        3,
        1,
    ]


@pytest.mark.parametrize("given_as", ["sizes", "offsets", "both"])
def test_chunks_become_frames(given_as):
    chunks = [packed(IMAGE), packed(IMAGE[::-1]), packed(IMAGE[:, ::-1])]
    sizes = [len(chunk) for chunk in chunks]
    offsets = [0, sizes[0], sizes[0] + sizes[1]]
    arguments = {"sizes": {"chunk_sizes": sizes}, "offsets": {"chunk_offsets": offsets}}
    arguments["both"] = arguments["sizes"] | arguments["offsets"]
    video = ndd.decoders.inflate(np.concatenate(chunks), shape=IMAGE.shape, layout="HWC", **arguments[given_as])
    np.testing.assert_array_equal(video, np.stack([IMAGE, IMAGE[::-1], IMAGE[:, ::-1]]))
    assert video.layout == "FHWC"


def test_chunks_may_differ_from_sample_to_sample():
    one, two = packed(IMAGE), np.concatenate([packed(IMAGE)] * 2)
    sizes = ndd.batch([[len(one)], [len(one), len(one)]])
    clips = ndd.decoders.inflate(
        ndd.batch([one, two]), shape=[240], chunk_sizes=sizes, layout="X", sequence_axis_name="N"
    )
    assert (clips.shape, clips.layout) == ([(1, 240), (2, 240)], "NX")


def test_empty_things():
    assert ndd.decoders.inflate(np.zeros(1, np.uint8), shape=[0, 3]).shape == (0, 3)
    assert ndd.decoders.inflate(ndd.batch(np.zeros((0, 4), np.uint8)), shape=[4]).evaluate().batch_size == 0
    nothing = ndd.batch([], dtype=ndd.int32)
    assert ndd.decoders.inflate(ndd.batch(np.zeros((0, 4), np.uint8)), shape=nothing).evaluate().batch_size == 0


@pytest.mark.parametrize(
    ("data", "arguments", "message"),
    [
        (b"", {"shape": [1]}, "more than 0 bytes of LZ4 data can hold"),
        (b"\x50abc", {"shape": [5]}, "ends too early"),
        (b"\xf0", {"shape": [5]}, "ends too early"),
        (b"\x10a\x01", {"shape": [9]}, "ends too early"),
        (b"\x10a\x02\x00\x10b", {"shape": [6]}, "refers 2 bytes back, where 1 have been made"),
        (b"\x10a\x00\x00\x10b", {"shape": [6]}, "refers 0 bytes back"),
        (b"\x30abc", {"shape": [2]}, "inflates to more than the 2 bytes"),
        (b"\x30abc", {"shape": [4]}, "inflates to 3 bytes, but the shape asks for 4"),
        (b"\x10a\x01\x00\x10b", {"shape": [5]}, "inflates to more than the 5 bytes"),
        (b"\x30abc", {"shape": [2**30, 2**30]}, "more than 4 bytes of LZ4 data can hold"),
        (b"\x30abc", {"shape": [3], "chunk_sizes": [5]}, "chunk 0 of 5 bytes at 0 is not within the 4 bytes"),
        (b"\x30abc", {"shape": [3], "chunk_offsets": [-1]}, "is not within"),
        (b"\x30abc", {"shape": [3], "chunk_offsets": [2, 0]}, "chunk 0 of -2 bytes at 2"),
        (b"\x30abc", {"shape": [3], "chunk_offsets": [0], "chunk_sizes": [2, 2]}, "1 chunk_offsets and 2 chunk_sizes"),
        (b"\x30abc", {"shape": [-3]}, "negative"),
        (b"\x30abc", {"shape": [3], "layout": "HW"}, "does not name the 1 axes"),
        (b"\x30abc", {"shape": [3], "algorithm": "ZIP"}, "choose from 'LZ4'"),
    ],
)
def test_damaged_data_and_bad_arguments_are_refused(data, arguments, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.decoders.inflate(np.frombuffer(data, np.uint8), **arguments).evaluate()


def test_the_failing_sample_is_named():
    batch = ndd.batch([packed(IMAGE), np.zeros(4, np.uint8)])
    with pytest.raises(RuntimeError) as caught:
        ndd.decoders.inflate(batch, shape=[240]).evaluate()
    assert "sample 1" in told(caught.value)


@given(st.binary(max_size=400), st.integers(1, 9))
@settings(max_examples=100, deadline=None)
def test_what_was_deflated_comes_back(data, times):
    data = data * times
    inflated = ndd.decoders.inflate(np.frombuffer(deflated(data), np.uint8), shape=[len(data)])
    assert np.asarray(inflated).tobytes() == data


@given(st.binary(min_size=1, max_size=60), st.integers(0, 300))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_inflated_or_refused(data, size):
    with contextlib.suppress(RuntimeError):
        ndd.decoders.inflate(np.frombuffer(data, np.uint8), shape=[size]).evaluate()
