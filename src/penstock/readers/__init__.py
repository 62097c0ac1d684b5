"""Where samples come from: order, shards, reading ahead, saved state, and the readers themselves."""

from penstock.readers.file import File
from penstock.readers.nemo import NemoAsr
from penstock.readers.reader import Reader
from penstock.readers.source import BadSample
from penstock.readers.state import ReaderState, reshard

__all__ = ["BadSample", "File", "NemoAsr", "Reader", "ReaderState", "reshard"]
