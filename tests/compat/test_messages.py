"""Errors begin with the words that programs match on.

quoted_messages.json holds what the specification quotes of messages that a CPU can give: the rule or the operator, the
exception, its first words, and a program that provokes it. Limits that do not hold here are left out, as
docs/differences.md says.
"""

# ruff: noqa: SIM108

from __future__ import annotations

import ast
import io
import json
import wave
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import fn, pipeline_def, types

QUOTED = json.loads((Path(__file__).parent / "quoted_messages.json").read_text())


def encoded_sound() -> Any:
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(200))
    return np.frombuffer(file.getvalue(), np.uint8)


def run_program(program: str, names: dict[str, Any]) -> Any:
    """What a program ends in, if that is an expression."""
    tree = ast.parse(program)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "program", "exec"), names)
    return eval(compile(ast.Expression(last.value), "program", "eval"), names) if isinstance(last, ast.Expr) else None


def check(raises: str, words: str, error: BaseException) -> None:
    assert raises in [kind.__name__ for kind in type(error).__mro__]
    message = str(error.args[0])
    of_operator = message.partition("encountered:\n\n")[2]
    assert message.startswith(words) or of_operator.startswith(words), message


@pytest.fixture
def for_ndd(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "files/class").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    for k in range(7):
        (tmp_path / f"files/class/{k}.jpg").write_bytes(bytes([k]))
    image = np.zeros((4, 4, 3), np.uint8)
    return {
        "ndd": ndd,
        "np": np,
        "types": types,
        "read": lambda **options: ndd.readers.File(file_root=str(tmp_path / "files"), **options),
        "empty": str(tmp_path / "empty"),
        "some_object": object(),
        "image": image,
        "images": ndd.batch([image, image], layout="HWC"),
        "pair": ndd.batch([[1, 2], [3, 4]]),
        "cube": ndd.tensor(np.zeros((2, 3, 4)), layout="HWC"),
        "wave": np.zeros(9, np.float32),
        "boxes": np.float32([[0.1, 0.2, 0.3, 0.4]]),
        "garbage": np.zeros(64, np.uint8),
        "picture": cv2.imencode(".png", np.zeros((16, 24, 3), np.uint8))[1].ravel(),
        "sound": encoded_sound(),
    }


@pytest.mark.parametrize(("rule", "raises", "words", "program"), QUOTED["dynamic"])
def test_errors_of_ndd(rule: str, raises: str, words: str, program: str, for_ndd: dict[str, Any]) -> None:
    with pytest.raises(Exception) as caught, ndd.EvalMode.sync_cpu:  # noqa: PT011
        run_program(program, for_ndd)
    check(raises, words, caught.value)


def branches_of_two_types() -> Any:
    x = fn.external_source(lambda: [np.int32(k) for k in range(2)])
    if x > 0:
        y = fn.cast(x, dtype=types.FLOAT)
    else:
        y = x
    return y


def one_branch_only() -> Any:
    x = fn.external_source(lambda: [np.int32(k) for k in range(2)])
    if x > 0:
        y = x
    return y


def made(define: Any, **options: Any) -> Any:
    return pipeline_def(batch_size=2, num_threads=1, device_id=None, **options)(define)()


@pytest.mark.parametrize(("rule", "raises", "words", "program"), QUOTED["pipeline"])
def test_errors_of_pipelines(rule: str, raises: str, words: str, program: str) -> None:
    names = {
        "fn": fn,
        "np": np,
        "types": types,
        "pipeline_def": pipeline_def,
        "made": made,
        "run": lambda define, **options: made(define, **options).run(),
        "branches_of_two_types": branches_of_two_types,
        "one_branch_only": one_branch_only,
    }
    with pytest.raises(Exception) as caught:  # noqa: PT011
        run_program(program, names)
    check(raises, words, caught.value)
