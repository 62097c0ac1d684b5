"""Runs the same calls here and on another processor, and lists results that differ by a bit.

python tests/parity/architectures.py ROOT -- COMMAND...

COMMAND starts Python in ROOT with the checkout as its folder. `make test-arm` and `make test-older-cpus` do this.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from parity.all_cases import WRITTEN  # noqa: E402
from parity.cases import Case  # noqa: E402
from parity.compare import Outcome, read_outcomes, said, write_calls  # noqa: E402
from parity.compare import difference as relative  # noqa: E402
from parity.encode import encode  # noqa: E402

# Those that compute. The rest moves data, or needs packages that the root is without.
FAMILIES = (
    "audio_features", "auto_aug", "color", "decode", "detection", "filter", "image", "noise", "numbers", "paste",
    "random", "reductions", "shapes", "sound", "tensor", "transforms", "values", "warp",
)  # fmt: skip

# What others compute for an operator. It differs in the last place. NumPy has other vector code where there is AVX-512,
# and so differs between x86 processors as well.
OTHERS = {
    "math": "NumPy's functions",
    "arithmetic (pow)": "NumPy's functions",
    "decoders.audio (Vorbis, Opus)": "libsndfile's decoders of lossy formats",
    "decoders.audio (floats as integers, cut off, MP3)": "libsndfile's decoders of lossy formats",
}
LAST_PLACE = 2.5e-7


def same_bits(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """NaNs are equal: their sign, which means nothing, is set by x86 and not by ARM."""
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if ours.dtype.kind != "f":
        return ours.tobytes() == theirs.tobytes()
    both = np.isnan(ours) & np.isnan(theirs)
    return bool(np.all(both | ((ours == theirs) & (np.signbit(ours) == np.signbit(theirs)))))


def difference(ours: Outcome, theirs: Outcome, allowed: float) -> str:
    if ours.error != theirs.error:
        return f"{said(ours)} here, {said(theirs)} there"
    if ours.outputs != theirs.outputs:
        return f"{ours.outputs} here, {theirs.outputs} there"
    for a, b in zip(ours.arrays, theirs.arrays, strict=True):
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"{a.dtype}{list(a.shape)} here, {b.dtype}{list(b.shape)} there"
        if not same_bits(a, b):
            apart = relative(a, b)
            if not 0 < apart.max() <= allowed:
                return f"{np.count_nonzero(apart)} of {a.size} elements by up to {apart.max():.2g}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    cases = [case for case in WRITTEN if case["family"] in FAMILIES and not case["operator"].startswith("readers.")]
    calls = [(case, call) for case in cases for call in case["calls"]]
    ours, theirs = run_in_both(calls, given.root, given.command)
    count = 0
    for (case, call), *both in zip(calls, ours, theirs, strict=True):
        allowed = LAST_PLACE if case["operator"] in OTHERS else 0
        if what := difference(*both, allowed):
            count += 1
            print(f"{case['operator']}: {call}: {what}")
    print(f"{len(calls) - count} of {len(calls)} calls give the same bits, or nearly so where others compute")
    return bool(count)


def run_in_both(calls: list[tuple[Case, str]], root: Path, command: list[str]) -> tuple[list[Outcome], list[Outcome]]:
    """Both read the same files, written here into a folder of the root."""
    with tempfile.TemporaryDirectory(dir=root / "tmp") as name:
        folder = Path(name)
        encode(folder)
        write_calls([call for _, call in calls], [case.get("inputs", case["family"]) for case, _ in calls], folder)
        made = []
        for python, place in (([sys.executable], name), (command, f"/{folder.resolve().relative_to(root.resolve())}")):
            if subprocess.run([*python, "tests/parity/worker.py", "penstock", place]).returncode:
                sys.exit(f"{python} ended in {calls[int((folder / 'at_penstock').read_text())][1]}")
            made.append(read_outcomes(folder / "penstock.npz"))
    return made[0], made[1]


if __name__ == "__main__":
    sys.exit(main())
