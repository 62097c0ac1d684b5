"""penstock pack DIR OUT: writes the images of a folder, made smaller and encoded anew, into shards."""

from __future__ import annotations

import argparse
import errno
import json
import sys
import time
from pathlib import Path
from typing import Any

from penstock.cli.options import add_threads, byte_count, positive
from penstock.cli.packing.image_packer import ImagePacker
from penstock.cli.packing.packing_run import PackingRun, ShardExtent
from penstock.cli.packing.parquet_writer import ParquetWriter
from penstock.cli.packing.shard_log import CHECKSUMS, SUMMARY, Shard, ShardLog, remove_packed
from penstock.cli.packing.shard_writer import WriterClass
from penstock.cli.packing.source_files import SourceFiles, source_files
from penstock.cli.packing.tfrecord_writer import TfrecordWriter
from penstock.cli.packing.webdataset_writer import WebdatasetWriter
from penstock.engine import threads
from penstock.values.partial_file import remove_leftovers, write_whole
from penstock.viz.progress import duration

HELP = "write the images of a folder, made smaller, into shards that are quick to read"

_WRITERS: dict[str, WriterClass] = {
    "webdataset": WebdatasetWriter,
    "tfrecord": TfrecordWriter,
    "parquet": ParquetWriter,
}
_SAID = 10  # skipped files on the terminal


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder of images; its sub-folders are classes")
    parser.add_argument("out", type=Path, metavar="OUT", help="a new folder for the shards")
    parser.add_argument("--format", choices=[*_WRITERS], default="webdataset", help="default: webdataset")
    parser.add_argument(
        "--max-size", type=positive, metavar="PIXELS", help="make the longer side at most this long (default: as it is)"
    )
    parser.add_argument("--quality", type=_quality, default=90, metavar="1-100", help="of the JPEGs (default: 90)")
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument(
        "--shard-size", type=byte_count, default=256 << 20, metavar="BYTES", help="such as 64M (default: 256M)"
    )
    extent.add_argument("--shards", type=positive, metavar="N", help="write so many shards of as many files each")
    parser.add_argument(
        "--on-error", choices=["raise", "skip"], default="raise", help="stop at bad files (default), or leave them out"
    )
    parser.add_argument("--afresh", action="store_true", help="remove the shards of an earlier run and begin again")
    add_threads(parser)


def run(given: argparse.Namespace) -> int:
    """Writes shards, dataset.json and SHA256SUMS into OUT; the same command goes on with a run that was stopped."""
    try:
        sources = source_files(given.folder)
        if given.shards and given.shards > len(sources.names):
            raise RuntimeError(f"{len(sources.names)} images do not fill {given.shards} shards")
        if given.folder.resolve() in given.out.resolve().parents:
            raise RuntimeError(f"{given.out} is inside of {given.folder}, where it would be a class; choose another")
        given.out.mkdir(parents=True, exist_ok=True)
        if given.afresh:
            remove_packed(given.out)
        _pack(given, sources)
    except RuntimeError as error:
        print(f"penstock pack: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        told = f"{given.out}: {error.strerror}; with more room the same command goes on from here"
        print(f"penstock pack: {told}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\npenstock pack: stopped; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


def _quality(text: str) -> int:
    number = positive(text)
    if number > 100:
        raise argparse.ArgumentTypeError(f"must be at most 100, got {number}")
    return number


def _pack(given: argparse.Namespace, sources: SourceFiles) -> None:
    started = time.perf_counter()
    settings = {
        "penstock pack": 1,
        "format": given.format,
        "max_size": given.max_size,
        "quality": given.quality,
        "shard_size": None if given.shards else given.shard_size,
        "shards": given.shards,
        "listing": sources.digest(),
    }
    run = PackingRun(
        sources,
        given.out,
        ImagePacker(given.max_size, given.quality),
        _WRITERS[given.format],
        ShardExtent(given.shard_size, given.shards),
        given.on_error == "skip",
    )
    with ShardLog(given.out, settings) as log:
        log.require_unchanged(sources)
        if log.shards:
            print(f"{log.stop:,} of {len(sources.names):,} files are packed already", file=sys.stderr)
        remove_leftovers(str(given.out), ".*")
        run.write_shards(log, given.threads or threads.get_num_threads())
        if not any(shard.files for shard in log.shards):
            raise RuntimeError(f"no image of {given.folder} can be decoded")
        _write_summary(given.out, settings, sources, log.shards)
    _tell(given, sources, log.shards, time.perf_counter() - started)


def _write_summary(out: Path, settings: dict[str, Any], sources: SourceFiles, shards: list[Shard]) -> None:
    """dataset.json, for people and programs, and checksums as `sha256sum --check` reads them."""
    written = [shard for shard in shards if shard.files]
    told = {
        "format": settings["format"],
        "max_size": settings["max_size"],
        "quality": settings["quality"],
        "samples": sum(shard.samples for shard in shards),
        "classes": sources.classes,
        "shards": [{"name": shard.files[0].name, "samples": shard.samples} for shard in written],
        "skipped": {name: why for shard in shards for name, why in shard.skipped},
    }
    write_whole(str(out / SUMMARY), (json.dumps(told, indent=2) + "\n").encode())
    sums = "".join(f"{file.sha256}  {file.name}\n" for shard in written for file in shard.files)
    write_whole(str(out / CHECKSUMS), sums.encode())


def _tell(given: argparse.Namespace, sources: SourceFiles, shards: list[Shard], seconds: float) -> None:
    written = [shard for shard in shards if shard.files]
    skipped = [bad for shard in shards for bad in shard.skipped]
    size = sum(shard.files[0].size for shard in written)
    count = sum(shard.samples for shard in shards)
    print(f"{count:,} images in {len(written):,} shards, {size / 1e6:,.1f} MB, in {duration(seconds)}")
    if skipped:
        print(f"{len(skipped):,} bad files left out:")
    for name, why in skipped[:_SAID]:
        print(f"  {name}: {why}")
    if len(skipped) > _SAID:
        print(f"  ... and {len(skipped) - _SAID:,} more, in {given.out / SUMMARY}")
    print(_how_to_read(given.format, given.out, sources.labels is not None))


def _how_to_read(form: str, out: Path, labelled: bool) -> str:
    if form == "parquet":
        return f"reader = ndd.readers.Parquet(path={str(out)!r})"
    index = _sorted_files(out, ".idx")
    if form == "webdataset":
        parts = 'ext=["jpg", "label"], dtypes=[ndd.uint8, ndd.int32]' if labelled else 'ext="jpg"'
        return f"reader = ndd.readers.Webdataset(paths={_sorted_files(out, '.tar')}, index_paths={index}, {parts})"
    features = '"image/encoded": tfrec.FixedLenFeature([], tfrec.string, "")'
    if labelled:
        features += ', "image/class/label": tfrec.FixedLenFeature([1], tfrec.int64, -1)'
    paths = f"path={_sorted_files(out, '.tfrecord')}, index_path={index}"
    return f"reader = ndd.readers.TFRecord({paths}, features={{{features}}})"


def _sorted_files(out: Path, suffix: str) -> str:
    return f"sorted(glob.glob({str(out / f'*{suffix}')!r}))"
