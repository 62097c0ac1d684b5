"""The command line: penstock run, demo, bench, index, graph, gallery, doctor."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import penstock


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; what it needs is imported only then."""
    given, unknown = _parser().parse_known_args(arguments)
    if unknown:
        hint = "; the script's own options go behind --" if given.command == "graph" else ""
        given.refuse(f"unrecognized arguments: {' '.join(unknown)}{hint}")
    try:
        if given.command == "run":
            from penstock.cli import run

            run.run([given.program, *given.arguments], module=given.module, force=given.force)
        if given.command == "demo":
            from penstock.cli import demo

            return demo.run(given.out, images=given.images, threads=given.threads)
        if given.command == "bench":
            from penstock.cli import bench

            return bench.run(given.folder, batch_size=given.batch_size, epochs=given.epochs, threads=given.threads)
        if given.command == "index":
            from penstock.cli import index

            return index.run(given.files, out=given.out)
        if given.command == "graph":
            from penstock.cli import graph

            return graph.run(given.script, given.arguments, out=given.out)
        if given.command == "gallery":
            from penstock.cli import gallery

            return gallery.run(given.out)
        from penstock.cli import doctor

        return doctor.run()
    except BrokenPipeError:
        return 1
    except OSError as error:
        if given.command == "graph":  # it is the script's own
            raise
        print(f"penstock {given.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="penstock", description="Data loading and pre-processing for deep learning.")
    parser.add_argument("--version", action="version", version=f"penstock {penstock.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")

    run = commands.add_parser("run", help="run a program written for DALI as it is, on penstock")
    run.add_argument("-m", dest="module", action="store_true", help="the program is a module, not a file")
    run.add_argument("--force", action="store_true", help="also where DALI itself is installed")
    run.add_argument("program", metavar="PROGRAM", help="a Python file")
    rest = run.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARG", help="what the program is given")
    rest.required = False  # or it would be told as missing, too, where the program is

    demo = commands.add_parser("demo", help="load a small picture set, show the speed, write a contact sheet")
    demo.add_argument("--out", type=Path, default=Path("demo"), metavar="DIR", help="where to write (default: demo)")
    demo.add_argument("--images", type=_positive, default=960, metavar="N", help="how many images (default: 960)")

    bench = commands.add_parser("bench", help="time the validation and training loop on a folder of images")
    bench.add_argument("folder", type=Path, metavar="DIR", help="images in one sub-folder per class")
    bench.add_argument("--batch-size", type=_positive, default=64, metavar="N", help="(default: 64)")
    bench.add_argument("--epochs", type=_positive, default=3, metavar="N", help="the best one counts (default: 3)")

    index = commands.add_parser("index", help="write the index files of TFRecord and RecordIO files and tar archives")
    index.add_argument("files", nargs="+", metavar="FILE", help="paths or URLs; the format is seen from the contents")
    index.add_argument("--out", type=Path, metavar="DIR", help="where to write (default: beside each file)")

    graph = commands.add_parser("graph", help="run a script and draw its pipelines and compiled loops")
    graph.add_argument("script", type=Path, metavar="SCRIPT", help="a Python file")
    graph.add_argument(
        "arguments", nargs="*", default=[], metavar="ARG", help="the script's own; behind -- where they are options"
    )
    graph.add_argument("--out", type=Path, default=Path("graph.html"), metavar="FILE", help="graph.html or graph.svg")

    gallery = commands.add_parser("gallery", help="show what every image operator does to a picture")
    gallery.add_argument("--out", type=Path, default=Path("gallery"), metavar="DIR", help="(default: gallery)")

    for command in (demo, bench):
        command.add_argument("--threads", type=_positive, metavar="N", help="worker threads (default: as doctor says)")
    commands.add_parser("doctor", help="show versions, codecs, threads and accelerators")
    for command in commands.choices.values():
        command.set_defaults(refuse=command.error)  # shows the usage of that command, not of all
    return parser


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, got {text!r}") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {number}")
    return number
