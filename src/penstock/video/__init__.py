"""Frames of video files by their number, through PyAV; `VideoFile` is all that others need."""

from penstock.video.file import VideoFile

__all__ = ["VideoFile"]
