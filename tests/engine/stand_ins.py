"""Objects with a state, and checkpoints of them."""

from __future__ import annotations

from penstock.engine.checkpoint import Checkpoint

SAVED = '{"version": 2, "states": {"a": {"state": "7", "type": "Counter"}}}'


class Counter:
    def __init__(self, value: int = 0) -> None:
        self.value = value
        self.given: list[object] = []

    def get_state(self) -> int:
        return self.value

    def set_state(self, value: object) -> None:
        self.given.append(value)


class Other(Counter):
    pass


class Broken(Counter):
    def get_state(self) -> int:
        raise OSError("no state")


def collected(**objects: Counter) -> Checkpoint:
    checkpoint = Checkpoint()
    for name, op in objects.items():
        checkpoint.register(op, name)
    checkpoint.collect()
    return checkpoint


def loaded(text: str = SAVED) -> Checkpoint:
    checkpoint = Checkpoint()
    checkpoint.deserialize(text)
    return checkpoint
