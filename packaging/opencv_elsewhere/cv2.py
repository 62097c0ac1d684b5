"""Stands for OpenCV in tests with a Python that OpenCV has no wheel for: another Python, OPENCV_PYTHON, does the calls.

Every attribute is asked of the real module. Arrays go there and back, those that a function writes into as well;
functions and objects stay there and are known here by their number.
"""

from __future__ import annotations

import atexit
import builtins
import os
import pickle
import subprocess
import sys
import threading
from typing import Any


class error(Exception):  # noqa: N801, N818 - its name in OpenCV
    err = ""


class _Remote:
    """A function, class, module or object of the other process."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _ask("attribute", self._number, name)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        made, written, returned = _ask("call", self._number, arguments, keywords)
        given = [*arguments, *keywords.values()]
        for position, array in written:
            given[position][...] = array
        return _read(*made) if returned is None else given[returned]


class _Process:
    """The other Python, for one process of tests: a forked child has its own."""

    def __init__(self) -> None:
        # Without the variables of this Python, whose packages are not for the other one.
        others = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        command = [os.environ["OPENCV_PYTHON"], "-I", __file__]
        self._started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=others)
        self._lock = threading.Lock()
        self.asked_by = os.getpid()
        atexit.register(self._end)

    def ask(self, question: bytes) -> bytes:
        with self._lock:
            questions, answers = self._started.stdin, self._started.stdout
            assert questions is not None
            assert answers is not None
            questions.write(len(question).to_bytes(8, "little") + question)
            questions.flush()
            return answers.read(int.from_bytes(answers.read(8), "little"))

    def _end(self) -> None:
        if self.asked_by == os.getpid():
            self._started.communicate()


_processes: list[_Process] = []
_starting = threading.Lock()


def _ask(*question: Any) -> Any:
    with _starting:
        if not _processes or _processes[-1].asked_by != os.getpid():
            _processes.append(_Process())
        process = _processes[-1]
    return _read(*pickle.loads(process.ask(pickle.dumps(question))))


def _read(kind: str, value: Any) -> Any:
    if kind == "raised":
        name, message, err = value
        raised = error(message) if name == "error" else getattr(builtins, name, RuntimeError)(message)
        raised.err = err
        raise raised
    if kind == "tuple":
        return tuple(_read(*each) for each in value)
    return _Remote(value) if kind == "remote" else value


def __getattr__(name: str) -> Any:
    if name.startswith("__") and name != "__version__":
        raise AttributeError(name)
    found = globals()[name] = _ask("attribute", 0, name)
    return found


def _serve() -> None:
    """In the other process: answers until nobody asks any more."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path = [path for path in sys.path if os.path.abspath(path) != here]
    import cv2
    import numpy as np

    kept: list[Any] = [cv2]
    plain = (int, float, bool, str, bytes, type(None), np.ndarray, np.generic, list, dict)

    def told(value: Any) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return "tuple", [told(each) for each in value]
        if isinstance(value, plain):
            return "plain", value
        kept.append(value)
        return "remote", len(kept) - 1

    def answer(what: str, number: int, *rest: Any) -> tuple[str, Any]:
        if what == "attribute":
            return told(getattr(kept[number], rest[0]))
        arguments, keywords = rest
        given = [*arguments, *keywords.values()]
        before = [each.copy() if isinstance(each, np.ndarray) else None for each in given]
        made = kept[number](*arguments, **keywords)
        arrays = [(k, each) for k, each in enumerate(given) if isinstance(each, np.ndarray)]
        written = [(k, each) for k, each in arrays if not np.array_equal(each, before[k])]
        returned = next((k for k, each in arrays if made is each), None)
        return "plain", (told(made) if returned is None else None, written, returned)

    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed is no answer
    while size := questions.read(8):
        try:
            said = answer(*pickle.loads(questions.read(int.from_bytes(size, "little"))))
        except BaseException as raised:
            said = "raised", (type(raised).__name__, str(raised), getattr(raised, "err", ""))
        text = pickle.dumps(said)
        answers.write(len(text).to_bytes(8, "little") + text)
        answers.flush()


if __name__ == "__main__":
    _serve()
