"""penstock doctor."""

from __future__ import annotations

import platform
import re
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

import penstock.dynamic as ndd
from penstock.cli import doctor, main
from penstock.values import accelerator


def test_doctor_names_threads_and_codecs(capsys):
    ndd.set_num_threads(3)
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "3 (set_num_threads)" in said
    assert "libjpeg-turbo" in said
    assert "PNG" in said
    assert "torch" in said


@pytest.mark.parametrize(
    ("bundled", "replaced", "expected"),
    [
        (True, True, "libjpeg-turbo 3.1.3 in the native core"),
        (False, False, "libjpeg-turbo 3.1.3 of the system; only its public interface is used, which is slower"),
    ],
)
def test_doctor_says_whose_libjpeg_it_is(capsys, monkeypatch, bundled, replaced, expected):
    facts = {"is_jpeg_bundled": bundled, "can_replace_entropy_coding": replaced, "jpeg_turbo_version": "3.1.3"}
    for name, fact in facts.items():
        monkeypatch.setattr(doctor._native, name, lambda fact=fact: fact)
    main(["doctor"])
    assert re.search(r"^  JPEG +(.*)$", capsys.readouterr().out, re.MULTILINE)[1] == expected


@pytest.mark.parametrize(("opencv", "listed"), [("4.11.0", False), ("4.12.0", True), ("5.0.0", True)])
def test_doctor_lists_jpeg_2000_where_it_is_decoded(capsys, monkeypatch, opencv, listed):
    monkeypatch.setattr("cv2.__version__", opencv)
    main(["doctor"])
    assert ("JPEG 2000" in capsys.readouterr().out) == listed


@pytest.mark.parametrize(("on", "expected"), [(True, ", with the GIL turned on, on "), (False, ", without a GIL, on ")])
def test_doctor_says_whether_a_python_without_a_gil_has_one(capsys, monkeypatch, on, expected):
    monkeypatch.setattr(doctor.sysconfig, "get_config_var", {"Py_GIL_DISABLED": 1}.get)
    monkeypatch.setattr(doctor.sys, "_is_gil_enabled", lambda: on, raising=False)
    main(["doctor"])
    assert expected in capsys.readouterr().out


def test_doctor_says_what_a_gpu_is(capsys, stand_in):
    main(["doctor"])
    assert "the CPU stands in for it (PENSTOCK_GPU=cpu:2)" in capsys.readouterr().out
    accelerator.use("")
    main(["doctor"])
    assert "PENSTOCK_GPU=cpu (or `penstock run --gpu cpu`" in capsys.readouterr().out


@pytest.mark.skipif(
    platform.machine() != "x86_64" or not Path("/proc/cpuinfo").exists(), reason="reads the flags of an x86 on Linux"
)
def test_doctor_names_the_instruction_sets_that_kernels_use(capsys):
    main(["doctor"])
    (said,) = (line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines() if "SIMD" in line)
    flags = set(re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1].split())
    widest = "AVX-512" if {"avx512f", "avx512bw"} <= flags else "AVX2" if {"avx2", "f16c"} <= flags else "SSE2"
    assert said.split(", ")[0] == widest
    has_vnni = {"avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512_vnni"} <= flags
    assert ("VNNI" in said) == has_vnni
    assert ("PCLMULQDQ" in said) == ({"sse4_1", "pclmulqdq"} <= flags)


@pytest.fixture
def extras():
    """The optional dependencies by extra; Python 3.10 has nothing to read them with."""
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    return project["optional-dependencies"]


def test_doctor_lists_what_every_extra_installs(capsys, extras):
    main(["doctor"])
    said = capsys.readouterr().out
    for extra, requirements in extras.items():
        for requirement in requirements:
            package = re.match(r"[\w-]+", requirement)[0]
            assert extra == "all" or re.search(rf"^  {package} +(\d|not installed)", said, re.MULTILINE), package
    assert re.search(r"^  ray ", said, re.MULTILINE)
    assert re.search(r"^  nvidia-nvimgcodec", said, re.MULTILINE)


def test_doctor_says_how_to_install_what_is_missing(capsys, monkeypatch):
    def missing(package):
        raise PackageNotFoundError(package)

    monkeypatch.setattr(doctor, "version", lambda package: "2" if package == "numpy" else missing(package))
    main(["doctor"])
    assert "not installed: pip install penstock[video]" in capsys.readouterr().out


def test_all_is_every_other_extra(extras):
    (everything,) = extras.pop("all")
    del extras["cuda"]  # which is large, and of no use without such a device
    assert re.fullmatch(r"penstock\[(.*)\]", everything)[1].split(",") == sorted(extras)
