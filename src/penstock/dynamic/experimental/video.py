"""`ndd.experimental.readers.Video`."""

from __future__ import annotations

from penstock.dynamic.readers import Reader
from penstock.readers.video.video import ExperimentalVideo


class Video(ExperimentalVideo, Reader):
    pass
