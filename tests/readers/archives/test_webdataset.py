"""`readers.Webdataset`: samples, extensions, element types, indexes, URLs, saved state."""

from __future__ import annotations

import tarfile
from pathlib import Path

import fsspec
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import penstock.dynamic as ndd
from penstock.readers import Webdataset
from penstock.readers.archives.webdataset import write_tar_index
from readers.promises import check_resume, epochs, numbers
from readers.servers import FolderServer
from readers.tars import write_numbered, write_tar

MEMBERS = [
    ("d/a.jpg", b"aj"), ("d/a.cls", b"ac00"),
    ("d/b.jpg", b"bj"), ("d/b.seg.png", b"bsp"), ("d/b.cls", b"bc000000"),
    ("d/c.png", b"cp"), ("d/c.cls", b""),
    ("e.JPG", b"ej"), ("e.cls", b"ec00"),
]  # fmt: skip


@pytest.fixture
def archive(tmp_path):
    return write_tar(tmp_path / "basic.tar", MEMBERS)


@pytest.fixture(params=["headers", "index"])
def index(request, archive, tmp_path):
    """What to give as index_paths: nothing, or an index."""
    if request.param == "headers":
        return None
    write_tar_index(archive, tmp_path / "basic.idx")
    return str(tmp_path / "basic.idx")


def rows(reader: Webdataset) -> list[tuple[bytes, ...]]:
    """The samples of an epoch."""
    return [tuple(output.sample(0).tobytes() for output in outputs) for outputs in reader.next_epoch()]


def test_an_output_for_each_extension(archive, index):
    reader = Webdataset(paths=archive, ext=["jpg", "cls"], index_paths=index)
    assert rows(reader) == [(b"aj", b"ac00"), (b"bj", b"bc000000"), (b"", b""), (b"", b"ec00")]


@pytest.mark.parametrize(
    ("ext", "expected"),
    [
        ("jpg;png", [b"aj", b"bj", b"cp", b""]),
        ("png;jpg;", [b"aj", b"bj", b"cp", b""]),
        ("seg.png", [b"", b"bsp", b"", b""]),
        ("seg.png;jpg", [b"aj", b"bj", b"", b""]),
        ("png;seg.png", [b"", b"bsp", b"cp", b""]),
    ],
)
@pytest.mark.filterwarnings("ignore:.*components are passed over")
def test_alternatives(archive, index, ext, expected):
    assert [row[0] for row in rows(Webdataset(paths=archive, ext=ext, index_paths=index))] == expected


def test_extensions_in_any_case(archive, index):
    for ext in ("jpg", "JPG"):
        reader = Webdataset(paths=archive, ext=[ext], index_paths=index, case_sensitive_extensions=False)
        assert [row[0] for row in rows(reader)] == [b"aj", b"bj", b"", b"ej"]


def test_samples_that_lack_a_component(archive, index):
    options = {"paths": archive, "ext": ["jpg", "cls"], "index_paths": index}
    assert len(rows(Webdataset(missing_component_behavior="empty", **options))) == 4
    assert rows(Webdataset(missing_component_behavior="Skip", **options)) == [(b"aj", b"ac00"), (b"bj", b"bc000000")]
    with pytest.raises(RuntimeError, match=r"output 0 has no component in the sample that begins with .*d/c\.png at"):
        rows(Webdataset(missing_component_behavior="error", **options))


@pytest.mark.parametrize("dtype", [ndd.int32, ndd.float32, ndd.uint16, ndd.float16, ndd.int8])
def test_element_types(archive, index, dtype):
    reader = Webdataset(paths=archive, ext="cls", index_paths=index, dtypes=dtype)
    ((output,),) = reader.next_epoch(batch_size=4)
    expected = [np.frombuffer(data, dtype.storage) for data in (b"ac00", b"bc000000", b"", b"ec00")]
    for i, array in enumerate(expected):
        assert output.sample(i).dtype == array.dtype
        np.testing.assert_array_equal(output.sample(i), array)


def test_sources(archive, index):
    ((images, classes),) = Webdataset(paths=archive, ext=["jpg", "cls"], index_paths=index).next_epoch(batch_size=4)
    assert images.sources == [f"{archive}:512:d/a.jpg", f"{archive}:2560:d/b.jpg", "", ""]
    assert classes.sources[3] == f"{archive}:8192:e.cls"
    assert classes.indices == [0, 1, 2, 3]


def test_the_older_index_without_names(archive, tmp_path):
    (tmp_path / "v11.idx").write_text("v1.1 2\njpg 512 2 cls 1536 4\njpg 2560 2 seg.png 3584 3 cls 4608 8 \n")
    reader = Webdataset(paths=archive, ext=["jpg", "cls"], index_paths=[tmp_path / "v11.idx"])
    assert rows(reader) == [(b"aj", b"ac00"), (b"bj", b"bc000000")]
    assert reader.read([1])[0].sources == [f"{archive}:2560:"]


def test_the_index_is_that_of_wds2idx(archive, tmp_path):
    write_tar_index(archive, tmp_path / "basic.idx")
    assert (tmp_path / "basic.idx").read_text() == (
        "v1.2 4\n"
        "jpg 512 2 d/a.jpg cls 1536 4 d/a.cls\n"
        "jpg 2560 2 d/b.jpg seg.png 3584 3 d/b.seg.png cls 4608 8 d/b.cls\n"
        "png 5632 2 d/c.png cls 6656 0 d/c.cls\n"
        "JPG 7168 2 e.JPG cls 8192 4 e.cls\n"
    )


def test_names_of_many_kinds(tmp_path):
    names = ["a.b/c.jpg", ".hidden.jpg", "x/.jpg", "plain", "sp ace.jpg", "dots..jpg", "./k.jpg"]
    archive = write_tar(tmp_path / "odd.tar", [(name, name.encode()) for name in names])
    write_tar_index(archive, tmp_path / "odd.idx")
    for index in (None, tmp_path / "odd.idx"):
        read = rows(Webdataset(paths=archive, ext=["jpg", "plain", ".jpg"], index_paths=index))
        assert [b"".join(row) for row in read] == [b"a.b/c.jpg", b"plain", b"sp ace.jpg", b"dots..jpg", b"./k.jpg"]


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_names(tmp_path, form):
    stem = "p" * 90 + "/" + "n" * (60 if form == tarfile.USTAR_FORMAT else 230)
    members = [(f"{stem}.jpg", b"1"), (f"{stem}.cls", b"2"), ("é.jpg", b"3"), ("é.cls", b"4")]
    archive = write_tar(tmp_path / "long.tar", members, form)
    write_tar_index(archive, tmp_path / "long.idx")
    for index in (None, tmp_path / "long.idx"):
        reader = Webdataset(paths=archive, ext=["jpg", "cls"], index_paths=index)
        assert rows(reader) == [(b"1", b"2"), (b"3", b"4")]
        assert reader.read([0])[0].sources[0].endswith(f":{stem}.jpg")


def test_links_and_folders_are_no_components(tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        for name, kind in (("d", tarfile.DIRTYPE), ("d/a.jpg", tarfile.SYMTYPE), ("d/a.cls", tarfile.REGTYPE)):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "elsewhere"
            archive.addfile(member)
    assert rows(Webdataset(paths=tmp_path / "a.tar", ext=["jpg", "cls"])) == [(b"", b"")]


def test_several_archives_are_one_data_set(tmp_path):
    paths = [write_numbered(tmp_path / f"{k}.tar", range(3 * k, 3 * k + 3)) for k in range(4)]
    reader = Webdataset(paths=paths, ext=["txt", "cls"])
    assert epochs(reader, 1, 5) == [[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 0, 1, 2]]]
    assert reader.read([7])[0].sources == [f"{paths[2]}:2560:0007.txt"]


@pytest.mark.parametrize("options", [{}, {"random_shuffle": True, "seed": 3}, {"num_shards": 2, "shard_id": 1}])
def test_resuming(tmp_path, options):
    paths = [write_numbered(tmp_path / f"{k}.tar", range(4 * k, 4 * k + 4)) for k in range(2)]
    check_resume(lambda: Webdataset(paths=paths, ext=["txt", "cls"], enable_checkpointing=True, **options))


def test_archives_at_urls(tmp_path):
    archive = write_numbered(tmp_path / "a.tar", range(6))
    write_tar_index(archive, tmp_path / "a.idx")
    with FolderServer(tmp_path).running() as server:
        for index in (None, f"{server.url}/a.idx"):
            reader = Webdataset(paths=f"{server.url}/a.tar", ext=["txt", "cls"], index_paths=index)
            assert numbers(reader.read(range(6))) == [0, 1, 2, 3, 4, 5]
        server.requests.clear()
        reader.read([1, 4])
        assert server.requests == ["/a.tar"] * 2  # both components of a sample at once
        write_tar_index(f"{server.url}/a.tar", tmp_path / "again.idx")
    assert (tmp_path / "again.idx").read_bytes() == (tmp_path / "a.idx").read_bytes()


def test_components_far_apart_are_read_apart(tmp_path):
    archive = write_tar(tmp_path / "a.tar", [("0.txt", b"7"), ("0.bin", bytes(100_000)), ("0.cls", b"8")])
    with fsspec.open("memory://far.tar", "wb") as file:
        file.write((tmp_path / "a.tar").read_bytes())
    for path in (archive, "memory://far.tar"):
        assert rows(Webdataset(paths=path, ext=["cls", "txt"])) == [(b"8", b"7")]


def test_tensors_and_batches():
    with fsspec.open("memory://two.tar", "wb") as file, tarfile.open(fileobj=file, mode="w") as archive:
        for name in ("0.txt", "1.txt"):
            archive.addfile(tarfile.TarInfo(name))
    ((texts,),) = ndd.readers.Webdataset(paths=["memory://two.tar"], ext=["txt"]).next_epoch(batch_size=2)
    assert texts.shape == [(0,), (0,)]


names = st.text("ab./é", min_size=1, max_size=6).filter(lambda name: not name.endswith("/"))


def grouped(archive: str) -> list[list[tuple[str, tarfile.TarInfo]]]:
    """The samples as Python's tarfile sees them: extension and member of each component."""
    samples: list[tuple[str, list[tuple[str, tarfile.TarInfo]]]] = []
    with tarfile.open(archive) as opened:
        for member in opened:
            folder, slash, name = member.name.rpartition("/")
            stem, dot, extension = name.partition(".")
            if stem:
                stem = folder + slash + stem
                if not samples or samples[-1][0] != stem:
                    samples.append((stem, []))
                samples[-1][1].append((extension if dot else member.name, member))
    return [components for _, components in samples]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(names, st.binary(max_size=700)), min_size=1, max_size=8), st.sampled_from([0, 1, 2]))
@pytest.mark.filterwarnings("ignore:.*components are passed over")
def test_samples_are_those_tarfile_finds(tmp_path_factory, members, form):
    folder = tmp_path_factory.mktemp("tar")
    archive = write_tar(folder / "a.tar", members, form)
    samples = grouped(archive)
    if not samples:
        with pytest.raises(RuntimeError, match="there are no samples"):
            write_tar_index(archive, folder / "a.idx")
        return
    write_tar_index(archive, folder / "a.idx")
    lines = [" ".join(f"{ext} {m.offset_data} {m.size} {m.name}" for ext, m in sample) for sample in samples]
    assert (folder / "a.idx").read_text() == "\n".join([f"v1.2 {len(samples)}", *lines, ""])
    extensions = sorted({ext for sample in samples for ext, _ in sample} - {""} | {"none"})
    contents = Path(archive).read_bytes()
    expected = []
    for sample in samples:
        first = {ext: contents[m.offset_data :][: m.size] for ext, m in reversed(sample)}
        expected.append(tuple(first.get(ext, b"") for ext in extensions))
    for index in (None, folder / "a.idx"):
        assert rows(Webdataset(paths=archive, ext=extensions, index_paths=index)) == expected
