"""Lists the operators by how an accelerator runs them: by their torch function, with the CPU's help, or not yet.

python tools/gpu_kernels.py
"""

from __future__ import annotations

from collections import defaultdict

from penstock.engine.backends.gpu import has_kernel
from penstock.ops.declaration import OPERATORS, declaration


def by_file() -> dict[str, list[str]]:
    """The operators without a kernel, but for those that only a CPU runs, by the file they are declared in."""
    missing: dict[str, list[str]] = defaultdict(list)
    for path, place in OPERATORS.items():
        op = declaration(path)
        if op.path == path and op.runs_on != "cpu" and not has_kernel(op):
            missing[place.partition(":")[0].removeprefix("penstock.")].append(path)
    return dict(sorted(missing.items()))


if __name__ == "__main__":
    missing = by_file()
    print(f"{sum(map(len, missing.values()))} operators have no GPU kernel yet:")
    for file, paths in missing.items():
        print(f"  {file.replace('.', '/')}.py: {', '.join(paths)}")
