"""Streams on a machine without an accelerator."""

import pytest

import penstock.dynamic as ndd
from penstock.values.accelerator import known_count

pytestmark = pytest.mark.skipif(known_count() > 0, reason="there is an accelerator")


def test_there_are_no_streams():
    with pytest.raises(RuntimeError, match="streams need an accelerator"):
        ndd.stream()
    with pytest.raises(ValueError, match="wraps something"):
        ndd.Stream(stream=None)
    assert ndd.stream(stream=None) is None
    assert ndd.get_current_stream() is None
    assert ndd.get_default_stream() is None


def test_what_a_stream_is_can_be_read_only():
    assert isinstance(ndd.Stream.handle, property)
    assert isinstance(ndd.Stream.device_id, property)


def test_setting_none_breaks_nothing():
    ndd.set_default_stream(None)
    ndd.set_current_stream(None)
    assert (ndd.tensor([1]) + 1).item() == 2
