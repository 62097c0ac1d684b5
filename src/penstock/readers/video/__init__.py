"""Sequences of frames, from video files or from folders of images."""
