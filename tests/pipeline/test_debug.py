"""Debug mode: operators run while the function does."""

# ruff: noqa: SIM108

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.pipeline
from penstock import fn, pipeline_def, types
from penstock.pipeline import experimental

OPTIONS: dict[str, Any] = {"batch_size": 3, "num_threads": 2, "device_id": None, "seed": 3}


def numbers() -> Any:
    return fn.external_source(lambda i: [np.array([k + i], np.int32) for k in range(3)])


def listed(outputs: Any) -> Any:
    return [np.asarray(output.as_array()).tolist() for output in outputs]


def augmented() -> Any:
    x = numbers()
    noise = fn.random.uniform(range=(0.0, 1.0))
    own = fn.random.uniform(x, range=(0.0, 1.0))
    return (
        x * 2 + 1,
        noise,
        fn.rotate(fn.reshape(x, shape=[1, 1, 1], layout="HWC"), angle=noise, keep_size=True),
        own,
        5,
    )


def test_results_are_those_of_the_pipeline():
    debugged = experimental.pipeline_def(debug=True, **OPTIONS)(augmented)()
    plain = pipeline_def(**OPTIONS)(augmented)()
    for _ in range(3):
        assert listed(debugged.run()) == listed(plain.run())


def test_data_can_be_looked_at_and_errors_are_at_the_line():
    seen: list[Any] = []

    @experimental.pipeline_def(debug=True, **OPTIONS)
    def graph(offset: int) -> Any:
        x = numbers() + offset
        seen.append((np.asarray(x).tolist(), x.get().at(1).tolist(), str(x)))
        with pytest.raises(RuntimeError, match=r"fn\.crop"):
            fn.crop(fn.reshape(x, shape=[1, 1, 1], layout="HWC"), crop=[2, 2])
        return x

    pipeline = graph(10)
    assert listed(pipeline.run()) == [[[10], [11], [12]]]
    assert seen[0][:2] == ([[10], [11], [12]], [11])
    assert "DataNodeDebug(" in seen[0][2]
    assert "num_samples=3" in seen[0][2]


def test_data_is_fed_and_functions_are_called():
    calls: list[int] = []

    @experimental.pipeline_def(debug=True, **OPTIONS)
    def graph() -> Any:
        x = fn.external_source(name="x")
        fn.python_function(x, function=lambda each: calls.append(int(each)), num_outputs=0)
        return x, fn.random.coin_flip()

    pipeline = graph()
    pipeline.feed_input("x", np.array([1, 2], np.int32))
    assert [len(output) for output in pipeline.run()] == [2, 2]
    assert listed(pipeline.run(x=np.array([3], np.int32)))[0] == [3]
    assert calls == [1, 2, 3]


def test_readers_and_sources_go_on(tmp_path):
    (tmp_path / "class").mkdir()
    for k in range(4):
        (tmp_path / f"class/{k}.bin").write_bytes(bytes([k]))

    @experimental.pipeline_def(debug=True, **OPTIONS)
    def graph() -> Any:
        data, _ = fn.readers.file(file_root=str(tmp_path), file_filters="*.bin", name="files")
        return data

    pipeline = graph()
    assert [listed(pipeline.run()) for _ in range(2)] == [[[[0], [1], [2]]], [[[3], [0], [1]]]]
    assert pipeline.epoch_size("files") == 4


def test_a_function_that_changes_is_refused():
    turn: list[int] = []

    @experimental.pipeline_def(debug=True, **OPTIONS)
    def graph() -> Any:
        turn.append(1)
        x = numbers()
        return -x if len(turn) == 1 else x + 1

    pipeline = graph()
    pipeline.run()
    with pytest.raises(RuntimeError, match="must make the same calls every time"):
        pipeline.run()


def branching() -> Any:
    x = fn.external_source(lambda i: [np.array(k + i, np.int32) for k in range(3)])
    if x > 2:
        y = x * fn.random.uniform(range=(1.0, 2.0))
    elif x > 1 and fn.random.coin_flip(dtype=types.BOOL):
        y = -fn.cast(x, dtype=types.FLOAT)
    else:
        y = np.float32(7)
    if x == 2:
        z = [x, {"small": not x > 1}]
    else:
        z = [x + 1, {"small": x > 0}]
    return y, z[0], z[1]["small"]


@pytest.mark.parametrize("define", [branching, augmented])
def test_branches_give_what_those_of_the_pipeline_give(define: Any):
    debugged = experimental.pipeline_def(debug=True, enable_conditionals=True, **OPTIONS)(define)()
    plain = pipeline_def(enable_conditionals=True, **OPTIONS)(define)()
    for _ in range(5):
        assert listed(debugged.run()) == listed(plain.run())


def test_a_branch_shows_its_own_samples():
    seen: list[Any] = []

    @experimental.pipeline_def(debug=True, enable_conditionals=True, **OPTIONS)
    def graph() -> Any:
        x = fn.external_source(lambda i: [np.array(k + i, np.int32) for k in range(3)])
        if x > 1:
            seen.append(np.asarray(x + 10).tolist())
            y = x
        else:
            y = -x
            seen.append(len(y.get()))
        return y

    pipeline = graph()
    assert [listed(pipeline.run()) for _ in range(3)] == [[[0, -1, 2]], [[-1, 2, 3]], [[2, 3, 4]]]
    assert seen == [[12], 2, [12, 13], 1, [12, 13, 14], 0]


def test_without_debug_it_is_a_pipeline():
    plain = experimental.pipeline_def(**OPTIONS)(augmented)()
    assert type(plain) is penstock.pipeline.Pipeline
    assert callable(penstock.pipeline.do_not_convert)
    assert penstock.pipeline.pipeline_def is pipeline_def
    assert penstock.pipeline.DataNode.__name__ == "DataNode"
