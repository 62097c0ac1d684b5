"""`Index`: the frames of a video and the packets that decoding can start at, from a scan without decoding."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock.video.track import Track

Array = np.ndarray[Any, Any]

_SHOWN_IN_VP8 = 0x10
_PROGRESSIVE = (0, 1)  # of FFmpeg's field orders: unknown, progressive


@dataclass
class Index:
    """A few numbers for each frame, in presentation order, and for each key packet, at which decoding can start.

    Frames are identified by timestamp. If packets have none, or share one, `timed` is False: frames are then identified
    by counting from the start of the file.
    """

    timed: bool
    timestamps: Array
    key_frames: Array  # the first frame that can be decoded starting at each key packet
    key_times: Array  # decoding times of key packets, by which some containers seek
    key_labels: Array  # presentation times of key packets, by which others seek

    @property
    def nbytes(self) -> int:
        return sum(each.nbytes for each in (self.timestamps, self.key_frames, self.key_times, self.key_labels))

    def frame_at(self, timestamp: int | None, guess: int) -> int:
        """The number of the frame with this timestamp, or -1; `guess` is tried first."""
        count = len(self.timestamps)
        if guess < count and self.timestamps[guess] == timestamp:
            return guess
        if timestamp is None:
            return -1
        found = int(np.searchsorted(self.timestamps, timestamp))
        return found if found < count and self.timestamps[found] == timestamp else -1

    def key_at(self, timestamp: int | None) -> int:
        """The number of the key packet with this timestamp, or -1."""
        if timestamp is None:
            return -1
        found = int(np.searchsorted(self.key_labels, timestamp))
        return found if found < len(self.key_labels) and self.key_labels[found] == timestamp else -1

    def start_of(self, frame: int) -> int:
        """The first frame that has to be decoded to get this one."""
        key = self.key_before(frame)
        return int(self.key_frames[key]) if key >= 0 else 0

    def key_before(self, frame: int) -> int:
        """The last key packet from which the frame can be decoded; -1 for the start of the file."""
        return int(np.searchsorted(self.key_frames, frame, side="right")) - 1


def read_index(track: Track) -> Index:
    """Scans all packets of a track that has just been opened, without its decoder."""
    shown, keys, key_times = array("q"), array("q"), array("q")
    hides = track.codec.name == "vp8"
    timed = track.codec.field_order in _PROGRESSIVE  # an interlaced frame may be two packets, one for each field
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
    """Builds the index. Frames stored after a key packet but shown before it may depend on earlier packets."""
    order = np.argsort(labels, kind="stable")
    labels = labels[order]
    return Index(True, timestamps, np.searchsorted(timestamps, labels), times[order], labels)


def _without_lost_leaders(track: Track, timestamps: Array, key: int) -> Array:
    """Drops frames stored after the first key packet but shown before it, unless the decoder can decode them."""
    track.rewind()
    made = set()
    for frame in track.frames():
        made.add(frame.pts)
        if frame.pts is not None and frame.pts >= key:
            break
    kept = np.array([time >= key or int(time) in made for time in timestamps[timestamps < key]], bool)
    return np.concatenate([timestamps[timestamps < key][kept], timestamps[timestamps >= key]])


def _count_frames(track: Track) -> Index:
    """An index by counting decoded frames, with timestamps from the nominal frame rate."""
    track.rewind()
    count = sum(1 for _ in track.frames())
    none = np.zeros(0, np.int64)
    rate = track.stream.guessed_rate or 25
    step = 1 / rate / track.stream.time_base if track.stream.time_base else 1
    return Index(False, np.rint(np.arange(count) * float(step)).astype(np.int64), none, none, none)
