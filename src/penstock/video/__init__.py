"""Frames of video files by number, decoded by PyAV. Other packages use `VideoFile` and `frame_selection`."""

from penstock.video.file import VideoFile

__all__ = ["VideoFile"]
