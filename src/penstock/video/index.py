"""Which frames a video has, and from where each can be decoded, told from its packets without decoding them."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock.video.track import Track

Array = np.ndarray[Any, Any]

_SHOWN_IN_VP8 = 0x10
_PROGRESSIVE = (0, 1)  # not said, and said


@dataclass
class Index:
    """A few numbers for each frame, in the order shown, and for each packet that decoding can start at.

    A frame is known by its timestamp. Where packets have none, or two the same one, `timed` is False: frames are
    known by counting them from the start of the file.
    """

    timed: bool
    timestamps: Array
    key_frames: Array  # the first frame, as shown, for which it is enough to start at the packet
    key_times: Array  # when these packets are decoded, which some containers seek by
    key_labels: Array  # and shown, which others seek by

    @property
    def nbytes(self) -> int:
        return sum(each.nbytes for each in (self.timestamps, self.key_frames, self.key_times, self.key_labels))

    def frame_at(self, timestamp: int | None, guess: int) -> int:
        """The number of the frame with this timestamp; -1 for none."""
        count = len(self.timestamps)
        if guess < count and self.timestamps[guess] == timestamp:
            return guess
        if timestamp is None:
            return -1
        found = int(np.searchsorted(self.timestamps, timestamp))
        return found if found < count and self.timestamps[found] == timestamp else -1

    def key_at(self, timestamp: int | None) -> int:
        """The number of the key packet with this timestamp; -1 for none."""
        if timestamp is None:
            return -1
        found = int(np.searchsorted(self.key_labels, timestamp))
        return found if found < len(self.key_labels) and self.key_labels[found] == timestamp else -1

    def start_of(self, frame: int) -> int:
        """The frame with which decoding up to this one begins."""
        key = self.key_before(frame)
        return int(self.key_frames[key]) if key >= 0 else 0

    def key_before(self, frame: int) -> int:
        """The last key packet from which the frame can be decoded; -1 for the start of the file."""
        return int(np.searchsorted(self.key_frames, frame, side="right")) - 1


def read_index(track: Track) -> Index:
    """Walks through all packets of a track that has just been opened; its decoder is where it was."""
    shown, keys, key_times = array("q"), array("q"), array("q")
    hides = track.codec.name == "vp8"
    timed = track.codec.field_order in _PROGRESSIVE  # two fields of a frame may be two packets
    packets = 0
    for packet in track.packets():
        if not packet.size:
            continue
        packets += 1
        pts = packet.pts
        if pts is None:
            timed = False
            continue
        if packet.is_keyframe:
            keys.append(pts)
            key_times.append(pts if packet.dts is None else packet.dts)
        if keys and not packet.is_discard and not (hides and not memoryview(packet)[0] & _SHOWN_IN_VP8):
            shown.append(pts)
    track.require_all(packets)
    timestamps = np.sort(np.array(shown, np.int64))
    if not timed or not len(timestamps) or (np.diff(timestamps) == 0).any():
        return _count_frames(track)
    if timestamps[0] < keys[0]:
        timestamps = _without_lost_leaders(track, timestamps, keys[0])
    return _with_keys(timestamps, np.array(keys, np.int64), np.array(key_times, np.int64))


def _with_keys(timestamps: Array, labels: Array, times: Array) -> Index:
    """Frames shown before a key packet, though stored after it, may refer to what was before it."""
    order = np.argsort(labels, kind="stable")
    labels = labels[order]
    return Index(True, timestamps, np.searchsorted(timestamps, labels), times[order], labels)


def _without_lost_leaders(track: Track, timestamps: Array, key: int) -> Array:
    """Frames stored after the first key packet but shown before it are kept only if the decoder can make them."""
    track.rewind()
    made = set()
    for frame in track.frames():
        made.add(frame.pts)
        if frame.pts is not None and frame.pts >= key:
            break
    kept = np.array([time >= key or int(time) in made for time in timestamps[timestamps < key]], bool)
    return np.concatenate([timestamps[timestamps < key][kept], timestamps[timestamps >= key]])


def _count_frames(track: Track) -> Index:
    """Frames as the decoder gives them, one after the other, at the rate the file tells."""
    track.rewind()
    count = sum(1 for _ in track.frames())
    none = np.zeros(0, np.int64)
    rate = track.stream.guessed_rate or 25
    step = 1 / rate / track.stream.time_base if track.stream.time_base else 1
    return Index(False, np.rint(np.arange(count) * float(step)).astype(np.int64), none, none, none)
