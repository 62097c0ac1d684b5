"""`penstock.ray.BatchMapper` on tables, as its actors get them."""

from __future__ import annotations

import importlib
import sys
import traceback
from typing import Any

import cv2
import numpy as np
import pyarrow as pa
import pytest

import penstock.dynamic as ndd

pytest.importorskip("ray.data")

from penstock.ray import BatchMapper
from penstock.ray.columns import samples_of

SIZES = [(20 + 3 * k, 50 - 2 * k, 3) for k in range(11)]


def jpeg(number: int) -> bytes:
    noise = np.random.default_rng(number).integers(0, 256, SIZES[number], np.uint8)
    return cv2.imencode(".jpg", noise)[1].tobytes()


JPEGS = [jpeg(number) for number in range(len(SIZES))]
PATHS = [f"train/{number}.jpg" for number in range(len(SIZES))]


def block(jpegs: list[bytes | None] = JPEGS) -> pa.Table:
    return pa.table({"bytes": jpegs, "path": PATHS, "label": range(len(jpegs))})


def mapped(body: Any, table: pa.Table, **options: Any) -> pa.Table:
    return pa.concat_tables(BatchMapper(body, batch_size=4, **options)(table))


def decoded(rows: dict[str, Any]) -> dict[str, Any]:
    images = ndd.resize(ndd.decoders.image(rows["bytes"]), size=[8, 8])
    return {"image": images, "path": rows["path"], "label": rows["label"] * 10}


def images_of(table: pa.Table, name: str = "image") -> list[Any]:
    return [image for chunk in table.column(name).chunks for image in chunk.to_numpy()]


def test_a_body_gets_batches_and_makes_columns() -> None:
    made = mapped(decoded, block())
    assert made.column("label").to_pylist() == [10 * k for k in range(11)]
    assert made.column("path").to_pylist() == PATHS
    expected = [ndd.resize(ndd.decoders.image(ndd.tensor(np.frombuffer(j, np.uint8))), size=[8, 8]) for j in JPEGS]
    np.testing.assert_array_equal(images_of(made), [np.asarray(image) for image in expected])


def test_the_trace_stays_from_block_to_block() -> None:
    mapper = BatchMapper(decoded, batch_size=4)
    for _ in range(3):
        assert sum(table.num_rows for table in mapper(block())) == 11
    report = str(ndd.capture.report())
    assert "resize" in report.partition("not captured")[0]
    assert report.rstrip().endswith("nothing")


def test_images_of_many_sizes_go_out_and_come_back() -> None:
    made = mapped(lambda rows: {"image": ndd.decoders.image(rows["bytes"])}, block())
    assert [image.shape for image in images_of(made)] == SIZES
    turned = mapped(lambda rows: {"image": ndd.flip(rows["image"])}, made, layouts={"image": "HWC"})
    for before, after in zip(images_of(made), images_of(turned), strict=True):
        np.testing.assert_array_equal(before[:, ::-1], after)


def test_columns_share_memory_with_the_block() -> None:
    table = pa.table({"bytes": JPEGS, "box": pa.array(np.arange(44.0)).cast(pa.float32())[:11]})
    assert samples_of(table.column("bytes")).sample(0).ctypes.data == table["bytes"].chunk(0).buffers()[2].address
    assert samples_of(table.column("box")).array().ctypes.data == table["box"].chunk(0).buffers()[1].address


def test_results_share_memory_with_the_batch() -> None:
    kept: list[ndd.Batch] = []

    def body(rows: dict[str, Any]) -> dict[str, Any]:
        kept.append(ndd.resize(ndd.decoders.image(rows["bytes"]), size=[8, 8]))
        return {"image": kept[-1]}

    made = next(BatchMapper(body, batch_size=4)(block()))
    assert made.column("image").chunk(0).to_numpy().ctypes.data == kept[0].numpy().ctypes.data


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([[1, 2], [3], []]), [[1, 2], [3], []]),
        (pa.array([[1.0, 2.0], [3.0, 4.0]], pa.list_(pa.float32(), 2)), [[1.0, 2.0], [3.0, 4.0]]),
        (pa.array([True, False]), [True, False]),
        (pa.FixedShapeTensorArray.from_numpy_ndarray(np.ones((2, 2, 3), np.int16)), np.ones((2, 2, 3)).tolist()),
    ],
    ids=["lists", "fixed lists", "booleans", "Arrow's tensors"],
)
def test_columns_of_all_kinds_become_batches(column: pa.Array, expected: list[Any]) -> None:
    seen = []

    def body(rows: dict[str, Any]) -> dict[str, Any]:
        seen.extend(np.asarray(value).tolist() for value in rows["x"])
        return {"x": rows["x"]}

    made = mapped(body, pa.table({"x": column}))
    assert seen == expected
    assert made.column("x").to_pylist() == column.to_pylist()


def test_chunks_of_a_block_are_one() -> None:
    table = pa.concat_tables([block().slice(0, 2), block().slice(2)])
    assert mapped(decoded, table).column("label").to_pylist() == [10 * k for k in range(11)]


def test_an_empty_block_makes_nothing() -> None:
    assert [*BatchMapper(decoded)(block().slice(0, 0))] == []


def text_of(failed: pytest.ExceptionInfo[Any]) -> str:
    return "".join(traceback.format_exception_only(failed.type, failed.value))


def test_an_error_names_the_row_and_the_line() -> None:
    with pytest.raises(RuntimeError, match="not an image format") as failed:
        mapped(decoded, block([*JPEGS[:6], b"nothing", *JPEGS[7:]]))
    assert "train/6.jpg" in text_of(failed)
    assert "in decoded" in text_of(failed)
    with pytest.raises(RuntimeError, match=r"column 'bytes' is null in row train/9\.jpg"):
        mapped(decoded, block([*JPEGS[:9], None, JPEGS[10]]))


def test_rows_are_named_by_a_column_or_by_their_places() -> None:
    table = block([*JPEGS[:6], b"nothing", *JPEGS[7:]])
    with pytest.raises(RuntimeError) as failed:
        mapped(lambda rows: {"i": ndd.decoders.image(rows["bytes"])}, table.drop("path"))
    assert "6 of a block of 11 rows" in text_of(failed)
    with pytest.raises(RuntimeError) as failed:
        mapped(decoded, table.append_column("id", pa.array([f"#{k}" for k in range(11)])), row_name="id")
    assert "#6" in text_of(failed)
    with pytest.raises(ValueError, match="row_name='nr' is no column; there are bytes, path, label"):
        mapped(decoded, table, row_name="nr")


BAD = [*JPEGS[:2], None, *JPEGS[3:6], b"nothing", *JPEGS[7:10], b"\xff\xd8\xff"]


def test_bad_rows_are_skipped() -> None:
    made = mapped(decoded, block(BAD), on_error="skip")
    assert made.column("label").to_pylist() == [10 * k for k in range(11) if k not in (2, 6, 10)]
    assert len(images_of(made)) == 8


def test_bad_rows_are_replaced_by_the_next_of_their_batch() -> None:
    made = mapped(decoded, block(BAD), on_error="replace")
    assert [label // 10 for label in made.column("label").to_pylist()] == [0, 1, 3, 3, 4, 5, 7, 7, 8, 9, 8]
    assert made.column("path").to_pylist()[6] == PATHS[7]


def test_a_function_is_told_of_bad_rows() -> None:
    told = []

    def instead(bad: ndd.readers.BadSample) -> int | None:
        told.append((bad.index, bad.source))
        return {6: 4}.get(bad.index)

    made = mapped(decoded, block(BAD), on_error=instead)
    assert told == [(2, PATHS[2]), (6, PATHS[6]), (10, PATHS[10])]
    assert [label // 10 for label in made.column("label").to_pylist()] == [0, 1, 3, 4, 5, 4, 7, 8, 9]
    with pytest.raises(IndexError, match="row 0, which is not in the batch of row 6"):
        mapped(decoded, block(BAD), on_error=lambda bad: 0 if bad.index == 6 else None)


def test_a_body_that_never_works_is_not_the_fault_of_rows() -> None:
    with pytest.raises(KeyError, match="image"):
        mapped(lambda rows: {"image": rows["image"]}, block(), on_error="skip")


def test_an_actor_goes_on_after_an_error() -> None:
    mapper = BatchMapper(decoded, batch_size=4)
    with pytest.raises(RuntimeError, match="not an image"):
        [*mapper(block([b"nothing", *JPEGS[1:]]))]
    assert [label for table in mapper(block()) for label in table["label"].to_pylist()] == [10 * k for k in range(11)]


def drawn(rows: dict[str, Any]) -> dict[str, Any]:
    return {"x": ndd.random.uniform(range=(0, 1), batch_size=len(rows["label"]))}


def test_a_seed_gives_every_block_draws_of_its_own() -> None:
    first, second = block().slice(0, 8), block().slice(3)
    mapper = BatchMapper(drawn, batch_size=4, seed=7)
    one, two = ([value for table in mapper(given) for value in table["x"].to_pylist()] for given in (first, second))
    assert one != two
    assert mapped(drawn, second, seed=7)["x"].to_pylist() == two
    assert mapped(drawn, second, seed=8)["x"].to_pylist() != two
    assert len(set(one)) == 8


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ([1], "returns a dict of columns"),
        ({"x": ndd.tensor([1, 2])}, "column 'x' is a Tensor; a column needs a Batch"),
        ({"x": np.zeros(3)}, "column 'x' has 3 rows, the batch has 4"),
        ({"x": 1}, "column 'x' is a int; return Batches"),
    ],
)
def test_results_that_are_no_columns_are_refused(returned: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        mapped(lambda rows: returned, block())


def test_wrong_options_are_refused() -> None:
    with pytest.raises(ValueError, match="on_error is 'raise', 'skip'"):
        BatchMapper(decoded, on_error="ignore")
    with pytest.raises(ValueError, match="batch_size must be positive, got 0"):
        BatchMapper(decoded, batch_size=0)


def test_without_ray_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray.data", None)
    monkeypatch.delitem(sys.modules, "penstock.ray")
    with pytest.raises(ImportError, match=r"penstock.ray needs ray.data, .*; pip install penstock\[ray\]"):
        importlib.import_module("penstock.ray")
