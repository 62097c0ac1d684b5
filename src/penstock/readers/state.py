"""Where pickles of `ReaderState` looked for the class before it had its public address, `penstock.readers`."""

from penstock.readers.core.state import ReaderState

__all__ = ["ReaderState"]
