"""What a freshly installed wheel must do, with nothing else but what pip installed beside it: `make wheel-test`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import threading
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np

import penstock
import penstock.dynamic as ndd
from penstock import _native, fn, pipeline_def, types

PACKAGE = Path(penstock.__file__).parent
PHOTOS = PACKAGE / "cli/assets"
DIST = distribution("penstock")


def command(*arguments: str) -> str:
    """What a command of the package prints."""
    program = Path(sysconfig.get_path("scripts"), "penstock")
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def jpegs() -> list[np.ndarray]:
    return [np.fromfile(path, np.uint8) for path in sorted(PHOTOS.rglob("*.jpg"))]


def test_jpegs_decode_as_by_opencv() -> None:
    files = jpegs()
    assert files
    for data, image in zip(files, ndd.decoders.image(ndd.batch(files)).tensors, strict=True):
        expected = cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
        np.testing.assert_array_equal(np.asarray(image), expected)


def test_the_entropy_decoder_fits_libjpeg() -> None:
    assert _native.is_jpeg_bundled()
    assert _native.can_replace_entropy_coding()
    small = ndd.decoders.image(ndd.batch(jpegs()[:2]), min_size=(32, 32))
    assert all(min(image.shape[:2]) >= 32 for image in small.tensors)


def test_no_libjpeg_of_the_system_is_loaded() -> None:
    maps = Path("/proc/self/maps")
    if maps.exists():
        loaded = {line.split()[-1] for line in maps.read_text().splitlines() if "libjpeg" in line}
        assert all("site-packages" in path for path in loaded), loaded


def test_resize_and_arithmetic() -> None:
    image = ndd.tensor(np.full((40, 60, 3), 100, np.uint8), layout="HWC")
    np.testing.assert_array_equal(np.asarray(ndd.resize(image, size=[20, 30])), np.full((20, 30, 3), 100))
    np.testing.assert_array_equal(np.asarray(image * 0.5 + 1), np.full((40, 60, 3), 51, np.float32))


def test_ufuncs_run_in_the_core() -> None:
    """The core reads the layout of NumPy's ufunc objects: by header files of one version, at run time of another."""
    numbers = np.linspace(0.1, 2, 50, dtype=np.float32)
    for name in ("sin", "exp", "log", "sqrt", "tanh"):
        ours = getattr(ndd.math, name)(ndd.batch([numbers]))
        np.testing.assert_array_equal(np.asarray(ours.tensors[0]), getattr(np, name)(numbers))


def loop(compiled: bool) -> list[np.ndarray]:
    reader = ndd.readers.File(file_root=str(PHOTOS), random_shuffle=True, seed=3)
    ndd.random.set_seed(5)
    made = []
    for data, _ in reader.next_epoch(batch_size=4, compile=compiled):
        images = ndd.resize(ndd.decoders.image_random_crop(data), size=[64, 64])
        images = ndd.crop_mirror_normalize(images, mirror=ndd.random.coin_flip(batch_size=4), output_layout="CHW")
        made.append(np.asarray(ndd.as_tensor(images)).copy())
    return made


def test_a_compiled_loop_equals_a_plain_one() -> None:
    plain, compiled = loop(False), loop(True)
    assert len(plain) == 3
    np.testing.assert_array_equal(plain, compiled)


@pipeline_def(batch_size=4, num_threads=2, device_id=None, seed=7)
def training():
    data, labels = fn.readers.file(file_root=str(PHOTOS))
    images = fn.resize(fn.decoders.image(data), size=[32, 32])
    return fn.crop_mirror_normalize(images, dtype=types.FLOAT, output_layout="CHW"), labels


def test_a_pipeline_runs() -> None:
    images, labels = training().run()
    assert images.as_array().shape == (4, 3, 32, 32)
    assert labels.as_array().shape == (4, 1)


def test_without_torch_the_extra_is_named() -> None:
    assert find_spec("torch") is None
    said = ""
    try:
        ndd.tensor(np.zeros(3)).torch()
    except RuntimeError as error:
        said = str(error)
    assert "pip install penstock[torch]" in said


def test_a_python_without_a_gil_stays_without() -> None:
    """A module that does not say that it can do without has the interpreter turn the GIL on, with a warning."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        program = "import sys, penstock, penstock.dynamic, penstock.fn; assert not sys._is_gil_enabled()"
        usual = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
        subprocess.run([sys.executable, "-W", "error", "-c", program], env=usual, check=True)


def test_commands() -> None:
    assert "in the native core" in command("doctor")
    assert command("--version").split() == ["penstock", DIST.version]
    assert penstock.__version__ == DIST.version
    assert command("skill").startswith("---")
    with tempfile.TemporaryDirectory() as folder:
        command("demo", "--images", "48", "--out", folder)
        assert cv2.imread(str(Path(folder, "contact_sheet.png"))) is not None


def test_what_belongs_in_a_wheel_is_there() -> None:
    names = {str(file) for file in DIST.files or ()}
    wanted = {"penstock/py.typed", "penstock/_native.pyi", "penstock/types.pyi", "penstock/fn/__init__.pyi"}
    wanted |= {
        f"penstock/skill/{part}.md" for part in ("SKILL", "api", "conventions", "migration", "mistakes", "review")
    }
    assert wanted <= names, wanted - names
    assert any(name.startswith("nvidia-stubs/") for name in names)
    licenses = {name.split("/licenses/", 1)[1] for name in names if ".dist-info/licenses/" in name}
    texts = ("libjpeg-turbo.md", "libjpeg-turbo-ijg.txt", "nanobind.txt", "robin-map.txt")
    assert {"LICENSE", "NOTICE", *(f"licenses/{text}" for text in texts)} <= licenses, licenses
    (bill,) = (file for file in DIST.files or () if str(file).endswith("sboms/penstock.cdx.json"))
    bill_of_materials = json.loads(bill.read_text())
    assert bill_of_materials["metadata"]["component"]["version"] == DIST.version
    versions = {part["name"]: part.get("version") for part in bill_of_materials["components"]}
    assert versions["libjpeg-turbo"] == _native.jpeg_turbo_version()


def main() -> None:
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    failures: list[threading.ExceptHookArgs] = []
    threading.excepthook = failures.append
    for _, test in tests:
        test()
    assert not failures, failures
    print(f"{len(tests)} passed on Python {sys.version.split()[0]}, NumPy {np.__version__}, OpenCV {cv2.__version__}")


if __name__ == "__main__":
    main()
