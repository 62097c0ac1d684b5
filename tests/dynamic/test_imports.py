"""What `import penstock.dynamic` loads, and readers that come when they are asked for."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

import penstock.dynamic as ndd
from penstock import readers

LEFT_OUT = ["cv2", "torch", "fsspec", "concurrent.futures", "logging", "secrets", "tempfile", "penstock.storage.remote"]


def loaded(script: str) -> set[str]:
    script = f"import sys; {script}; print(*sys.modules)"
    return set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )


def test_readers_and_heavy_modules_are_imported_on_first_use():
    files = {f"penstock.readers.{file}" for file in readers.READERS.values()}
    plain = loaded("import penstock.dynamic as ndd")
    assert not plain & {*files, *LEFT_OUT}
    assert loaded("import penstock.dynamic as ndd; ndd.readers.File") & files == {"penstock.readers.files.file"}


@pytest.mark.parametrize("module", [readers, ndd.readers, ndd.experimental.readers])
def test_every_name_is_found_listed_and_pickled(module):
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        found = getattr(module, name)
        assert getattr(module, name) is found
        assert pickle.loads(pickle.dumps(found)) is found
        assert found.__name__ == name


def test_readers_of_ndd_are_those_of_penstock():
    for name in readers.READERS:
        module = ndd.experimental.readers if name == "Fits" else ndd.readers
        found = getattr(module, name)
        assert issubclass(found, getattr(readers, name))
        assert issubclass(found, ndd.readers.Reader)


@pytest.mark.parametrize(
    ("module", "name", "why"),
    [
        (ndd.readers, "file", r"ndd\.readers' has no attribute 'file'; did you mean ndd\.readers\.File\(\.\.\.\)\?"),
        (ndd.readers, "WebData", r"did you mean ndd\.readers\.Webdataset"),
        (ndd.readers, "q", r"no attribute 'q'$"),
        (ndd.experimental.readers, "File", "it has Fits and Video"),
        (readers, "Photo", r"'penstock\.readers' has no attribute 'Photo'"),
    ],
)
def test_names_that_do_not_exist(module, name, why):
    with pytest.raises(AttributeError, match=why):
        getattr(module, name)
