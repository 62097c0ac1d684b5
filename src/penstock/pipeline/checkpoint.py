"""The checkpoint of a pipeline: how far the program has got, as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

_VERSION = 1


@dataclass(frozen=True)
class PipelineCheckpoint:
    """What a pipeline needs to resume: its seed, what it has handed out, and the states of its sources by name.

    `iterator` is what an iterator of a framework adds.
    """

    seed: int
    iteration: int = 0
    samples: tuple[int, ...] = ()  # all of them, and those of every branch with random operators
    sources: dict[str, Any] = field(default_factory=dict)
    iterator: dict[str, Any] = field(default_factory=dict)

    def text(self) -> bytes:
        return json.dumps({"version": _VERSION, **asdict(self)}, separators=(",", ":")).encode()

    @staticmethod
    def read(text: bytes | str) -> PipelineCheckpoint:
        """Parses what `text` returned; RuntimeError for anything else."""
        if not isinstance(text, bytes | str):
            raise TypeError(f"a checkpoint is the bytes that Pipeline.checkpoint() returns, got {type(text).__name__}")
        try:
            saved = json.loads(text)
            if saved.pop("version") != _VERSION:
                raise ValueError("it is of another version")
            return PipelineCheckpoint(**{**saved, "samples": tuple(saved["samples"])})
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise RuntimeError(f"this is not the checkpoint of a pipeline: {error}") from None
