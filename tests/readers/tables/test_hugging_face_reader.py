"""`readers.HuggingFace`: data sets of the `datasets` package, in memory and on disk."""

from __future__ import annotations

import io
import pickle

import cv2
import datasets
import numpy as np
import pytest
import soundfile
from datasets import Array2D, Audio, ClassLabel, Dataset, Features, Image, List, Value

import penstock.dynamic as ndd
from readers.promises import check_resume, values

datasets.disable_progress_bars()


def picture(number: int) -> np.ndarray:
    return np.random.default_rng(number).integers(0, 255, (6 + number, 8, 3)).astype(np.uint8)


def png(number: int) -> bytes:
    return cv2.imencode(".png", picture(number)[:, :, ::-1])[1].tobytes()


def wav(number: int) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, np.full(100 + number, number / 10, np.float32), 16000, format="WAV", subtype="FLOAT")
    return file.getvalue()


FEATURES = Features({
    "image": Image(), "sound": Audio(), "label": ClassLabel(names=["cat", "dog"]), "score": Value("float32"),
    "caption": Value("string"), "ids": List(Value("int32")), "box": List(Value("float32"), length=4),
    "boxes": List(List(Value("float32"), length=4)), "matrix": Array2D((2, 3), "float32"),
    "points": Array2D((None, 2), "int64"), "objects": {"area": List(Value("float64"))},
})  # fmt: skip


@pytest.fixture(scope="module")
def rows() -> Dataset:
    """To be cast keeps `datasets` from encoding sound, for which it wants a package of its own."""
    return Dataset.from_dict(
        {
            "image": [{"bytes": png(n), "path": None} for n in range(7)],
            "sound": [{"bytes": wav(n), "path": f"{n}.wav"} for n in range(7)],
            "label": [n % 2 for n in range(7)], "score": [n / 4 for n in range(7)],
            "caption": [f"nº {n}" for n in range(7)], "ids": [[*range(n)] for n in range(7)],
            "box": [[n, 0, 1, 2] for n in range(7)], "boxes": [[[k] * 4 for k in range(n)] for n in range(7)],
            "matrix": [[[n] * 3] * 2 for n in range(7)], "points": [[[n] * 2] * n for n in range(1, 8)],
            "objects": [{"area": [n] * n} for n in range(7)],
        }
    ).cast(FEATURES)  # fmt: skip


def read(dataset, columns, batch_size=None):
    reader = ndd.readers.HuggingFace(dataset=dataset, columns=columns)
    return next(reader.next_epoch(batch_size=batch_size or len(dataset)))


def test_images_and_sound_are_those_that_the_data_set_decodes(rows):
    batch = read(rows, ["image", "sound"])
    for number, image in enumerate(ndd.decoders.image(batch["image"])):
        np.testing.assert_array_equal(np.asarray(image), np.asarray(rows.select_columns("image")[number]["image"]))
    sound, rate = ndd.decoders.audio(batch["sound"])
    assert values(rate) == [16000] * 7
    assert [np.asarray(each).ravel().tolist() for each in sound] == [[np.float32(n / 10)] * (100 + n) for n in range(7)]


@pytest.mark.parametrize("column", ["label", "score", "ids", "box", "boxes", "matrix", "points", "objects.area"])
def test_numbers_are_those_that_numpy_gets(rows, column):
    field, _, inner = column.partition(".")
    expected = [each[inner] if inner else each for each in rows.with_format("numpy")[field]]
    batch = read(rows, column)[column]
    for number, sample in enumerate(batch):
        np.testing.assert_array_equal(np.asarray(sample), np.reshape(expected[number], sample.shape))
    stored = FEATURES[field][inner] if inner else FEATURES[field]
    while isinstance(stored, List):
        stored = stored.feature
    assert np.asarray(batch.tensors[6]).dtype == np.dtype("int64" if column == "label" else stored.dtype)
    shapes = {"boxes": (6, 4), "matrix": (2, 3), "points": (7, 2), "box": (4,), "label": (), "ids": (6,)}
    assert batch.shape[6] == shapes.get(column, batch.shape[6])


def test_text_is_bytes(rows):
    assert [bytes(np.asarray(text)).decode() for text in read(rows, "caption")["caption"]] == rows["caption"][:]


ORDERS = {
    "as it is": lambda rows: rows,
    "shuffled": lambda rows: rows.shuffle(seed=3),
    "selected": lambda rows: rows.select([5, 5, 0]),
    "filtered": lambda rows: rows.filter(lambda label: label == 1, input_columns="label"),
    "sorted": lambda rows: rows.sort("score", reverse=True),
    "a shard": lambda rows: rows.shard(3, 1),
    "twice": lambda rows: datasets.concatenate_datasets([rows, rows.shuffle(seed=1)]),
    "split": lambda rows: rows.train_test_split(0.5, seed=1)["test"],
}


@pytest.mark.filterwarnings("ignore:Specifying null_placement")  # by `datasets`, to pyarrow
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("on_disk", [False, True])
def test_rows_come_as_the_data_set_has_them(rows, order, on_disk, tmp_path):
    ordered = ORDERS[order](rows)
    if on_disk:
        ordered.save_to_disk(tmp_path)
        ordered = datasets.load_from_disk(tmp_path)
    reader = ndd.readers.HuggingFace(dataset=ordered, columns=["score", "image"])
    assert len(reader) == len(ordered)
    batches = [*reader.next_epoch(batch_size=2, last_batch="partial")]
    assert [score for batch in batches for score in values(batch["score"])] == ordered["score"][:]
    first = ndd.decoders.image(batches[0]["image"]).tensors[0]
    np.testing.assert_array_equal(np.asarray(first), np.asarray(ordered.select_columns("image")[0]["image"]))


def test_files_that_are_only_named_are_read(tmp_path):
    for number in range(5):
        (tmp_path / f"{number}.png").write_bytes(png(number))
    images = [{"path": str(tmp_path / f"{n}.png"), "bytes": None} for n in range(5)]
    images[2] = {"path": "elsewhere.png", "bytes": png(7)}
    named = Dataset.from_dict({"image": images, "n": [*range(5)]}, features=Features(image=Image(), n=Value("int64")))
    decoded = ndd.decoders.image(read(named, "image")["image"])
    for number, image in zip([0, 1, 7, 3, 4], decoded, strict=True):
        np.testing.assert_array_equal(np.asarray(image), picture(number))
    (tmp_path / "1.png").unlink()
    with pytest.raises(RuntimeError, match=r"1\.png"):
        read(named, "image")
    reader = ndd.readers.HuggingFace(dataset=named, on_error="skip")
    [batch] = reader.next_epoch(batch_size=5, last_batch="partial")
    assert values(batch["n"]) == [0, 2, 3, 4]
    assert [(bad.index, bad.source) for bad in reader.errors] == [(1, str(tmp_path / "1.png"))]


def test_a_null_is_a_sample_that_cannot_be_read():
    with_nulls = Dataset.from_dict({"n": [1, None, 3]}, features=Features(n=Value("int64")))
    with pytest.raises(RuntimeError, match="the data set row 1: column 'n' is null"):
        read(with_nulls, "n")
    image = Dataset.from_dict({"image": [None]}, features=Features(image=Image()))
    with pytest.raises(RuntimeError, match="the data set row 0: column 'image' is null"):
        read(image, "image")


@pytest.mark.parametrize("order", [{}, {"shuffle_after_epoch": True}, {"random_shuffle": True, "initial_fill": 3}])
def test_resuming_is_exact_over_shards(rows, order):
    shuffled = rows.shuffle(seed=5).select_columns(["score", "caption"])
    arguments = {"num_shards": 2, "shard_id": 1, "enable_checkpointing": True, **order}
    check_resume(lambda: ndd.readers.HuggingFace(dataset=shuffled, **arguments), batch_size=2)


def test_a_reader_goes_to_another_process_with_its_data(rows):
    reader = pickle.loads(pickle.dumps(ndd.readers.HuggingFace(dataset=rows.select([4, 2]), columns="score")))
    assert values(next(reader.next_epoch(batch_size=2))["score"]) == [1.0, 0.5]


def test_a_compiled_loop_and_a_pipeline_read_it(rows):
    from penstock import fn, pipeline_def

    def sizes(batches):
        return [tuple(np.asarray(each).tolist()) for batch in batches for each in batch]

    reader = ndd.readers.HuggingFace(dataset=rows, columns="image")
    loop = reader.next_epoch(batch_size=3, last_batch="partial", compile=True)
    compiled = sizes(ndd.peek_image_shape(batch["image"]) for batch in loop)
    assert compiled == [(6 + n, 8, 3) for n in range(7)]

    @pipeline_def(batch_size=7, num_threads=1, device_id=None)
    def shapes():
        return fn.peek_image_shape(fn.readers.hugging_face(dataset=rows, columns="image")["image"])

    assert [tuple(shape) for shape in shapes().run()[0].as_array().tolist()] == compiled


def test_wrong_data_sets_and_columns_are_refused(rows):
    cases = [
        (rows.to_iterable_dataset(), "got IterableDataset; load it without streaming=True, or see the guide"),
        (datasets.DatasetDict({"train": rows}), r"got DatasetDict; choose a split, dataset\['train'\]"),
        ("food101", "dataset is a datasets.Dataset, got str"),
    ]
    for given, message in cases:
        with pytest.raises(TypeError, match=message):
            ndd.readers.HuggingFace(dataset=given)
    with pytest.raises(RuntimeError, match="the data set has no column 'img', but 'image'"):
        read(rows, "img")
    with pytest.raises(RuntimeError, match="column 'objects': it is a struct; name its fields: area"):
        read(rows, "objects")
