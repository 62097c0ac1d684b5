"""CPU time of decoding JPEGs, beside libjpeg-turbo called by hand from C, in one process and one after the other.

    python benchmarks/decode_by_hand.py IMAGES [--rounds 10] [--progressive]
    python benchmarks/decode_by_hand.py IMAGES --megapixels 12 48 [--threads 2]

Each round decodes all images with both, in one thread; the best round of each counts. The pixels are compared first.
--progressive stores the images as progressive JPEGs before, with the coefficients that they have (by Pillow).

--megapixels instead enlarges the first image to so many, with a restart marker before each row of MCUs, and decodes it
alone by one thread and by several, in turns: the best wall time of each.
"""

from __future__ import annotations

import argparse
import ctypes
import io
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import penstock.dynamic as ndd

SOURCE = Path(__file__).with_name("libjpeg_by_hand.c")


def compiled_decoder(folder: Path) -> Callable[[np.ndarray, np.ndarray], None]:
    """libjpeg's own way, built by the C compiler that there is."""
    library = folder / "libjpeg_by_hand.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", SOURCE, "-o", library, "-ljpeg"], check=True)
    decode = ctypes.CDLL(str(library)).decode
    decode.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    return lambda data, out: decode(data.ctypes.data, data.size, out.ctypes.data)


def as_progressive(data: np.ndarray) -> np.ndarray:
    from PIL import Image

    file = io.BytesIO()
    Image.open(io.BytesIO(data)).save(file, "JPEG", quality="keep", progressive=True)
    return np.frombuffer(file.getvalue(), np.uint8)


def cpu_seconds(run: Callable[[], None]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def enlarged(data: np.ndarray, pixels: float) -> np.ndarray:
    import cv2

    image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    scale = (pixels / (image.shape[0] * image.shape[1])) ** 0.5
    image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    mcus_across = (image.shape[1] + 15) // 16
    options = (cv2.IMWRITE_JPEG_RST_INTERVAL, mcus_across, cv2.IMWRITE_JPEG_QUALITY, 92)
    return cv2.imencode(".jpg", image, options)[1].ravel()


def compare_threads(data: np.ndarray, threads: int, rounds: int) -> dict[int, float]:
    """Seconds by the number of threads."""
    batch = ndd.batch([data])
    contexts = {count: ndd.EvalContext(num_threads=count) for count in (1, threads)}
    best = dict.fromkeys(contexts, np.inf)
    for _ in range(rounds):
        for count, context in contexts.items():
            with context, ndd.EvalMode.sync_cpu:
                start = time.perf_counter()
                ndd.decoders.image(batch).evaluate()
                best[count] = min(best[count], time.perf_counter() - start)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("images", type=Path)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--progressive", action="store_true")
    parser.add_argument("--megapixels", type=float, nargs="+", default=())
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    files = [np.fromfile(path, np.uint8) for path in sorted(arguments.images.rglob("*.[jJ][pP]*[gG]"))]
    for size in arguments.megapixels:
        alone, together = compare_threads(enlarged(files[0], size * 1e6), arguments.threads, arguments.rounds).values()
        print(f"{size:g} megapixels: one thread {1000 * alone:.1f} ms, ", end="")
        print(f"{arguments.threads} threads {1000 * together:.1f} ms, {alone / together:.2f} times as fast")
    if arguments.megapixels:
        return
    if arguments.progressive:
        files = [as_progressive(data) for data in files]
    ndd.set_num_threads(1)
    batch = ndd.batch(files)
    images = [np.asarray(image) for image in ndd.decoders.image(batch).tensors]
    targets = [np.zeros((image.shape[0] + 16, *image.shape[1:]), np.uint8) for image in images]

    with tempfile.TemporaryDirectory() as folder, ndd.EvalMode.sync_cpu:
        decode = compiled_decoder(Path(folder))

        def by_hand() -> None:
            for data, target in zip(files, targets, strict=True):
                decode(data, target)

        def by_penstock() -> None:
            ndd.decoders.image(batch).evaluate()

        by_hand()
        for image, target in zip(images, targets, strict=True):
            assert np.array_equal(image, target[: image.shape[0]])
        best = {by_hand: np.inf, by_penstock: np.inf}
        for _ in range(arguments.rounds):
            for run in best:
                best[run] = min(best[run], cpu_seconds(run))
    hand, ours = (1000 * seconds / len(files) for seconds in best.values())
    print(f"{len(files)} images, CPU per image:")
    print(f"libjpeg-turbo by hand {hand:.3f} ms, penstock {ours:.3f} ms, {hand / ours:.2f} times as fast")


if __name__ == "__main__":
    main()
