"""Has the kernel hand programs for 64-bit ARM to QEMU, which Debian's qemu-user-static has: `register()`, as root."""

from __future__ import annotations

import subprocess
from pathlib import Path

# How the kernel knows a program for arm64. F: QEMU is opened now, so that it is found within the root as well.
BINFMT = Path("/proc/sys/fs/binfmt_misc")
MAGIC = (
    rb":qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    rb":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:F"
)


def register() -> None:
    if not (BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", str(BINFMT)], check=True)
    if not (BINFMT / "qemu-aarch64").exists():
        (BINFMT / "register").write_bytes(MAGIC)
