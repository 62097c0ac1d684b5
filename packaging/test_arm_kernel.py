"""Starts a Linux for ARM with pages of 16 KB under QEMU, and tests memory and files there: `make test-arm-kernel`.

Raspberry Pi 5 and Linux on Macs have such kernels. QEMU as test_arm.py runs it has the kernel of this machine; here it
is a whole machine. Its files are those of the root of test_arm.py, in memory, and a disk for what tests drop from the
page cache. As root on Debian 12.
"""

from __future__ import annotations

import json
import lzma
import shutil
import subprocess
import sys
from pathlib import Path

import test_arm
from test_arm import CHECKOUT, ROOT, WORK, run

DEBIAN = ["qemu-system-arm", "cpio", "e2fsprogs"]  # packages of this machine
KERNEL = WORK / "kernel"
PACKAGE, SUITE = "linux-image-arm64-16k", "trixie"
MODULES = ["virtio_blk", "crc16", "crc32c_generic", "libcrc32c", "mbcache", "jbd2", "ext4"]  # each after what it needs
MACHINE = ["-M", "virt", "-cpu", "max", "-smp", "2", "-m", "6G", "-nic", "none", "-nographic", "-no-reboot"]
PASSED = "all has passed"

TESTS = [
    "tests/test_arena.py",
    "tests/storage",
    "tests/readers/test_cold_files.py",
    "tests/readers/test_mapped_files.py",
]
LEFT_OUT = ["tests/storage/test_s3.py"]  # its server is a package that is not there


def main() -> None:
    test_arm.prepare()
    run([str(CHECKOUT / "tools/apt_install.sh"), *DEBIAN])
    if not (KERNEL / "boot").exists():
        shutil.rmtree(KERNEL, ignore_errors=True)
        run(["mmdebstrap", "--variant=extract", "--architectures=arm64", f"--include={PACKAGE}", SUITE, str(KERNEL)])
    (kernel,) = KERNEL.glob("boot/vmlinuz-*")
    tests = sys.argv[1:] or [*TESTS, *(f"--ignore={path}" for path in LEFT_OUT)]
    files = ["-kernel", kernel, "-initrd", first_files(tests), "-drive", f"file={disk()},if=virtio,format=raw"]
    command = ["qemu-system-aarch64", *MACHINE, *files, "-append", "console=ttyAMA0 quiet"]
    passed = False
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace"
    ) as qemu:
        assert qemu.stdout is not None
        for line in qemu.stdout:
            print(line, end="", flush=True)
            passed |= line.strip() == PASSED
    if not passed:
        sys.exit("not all has passed")


def disk() -> Path:
    """An empty file system."""
    image = WORK / "disk.img"
    image.unlink(missing_ok=True)
    run(["mke2fs", "-q", "-t", "ext4", str(image), "4G"])
    return image


def first_files(tests: list[str]) -> Path:
    """The archive that the kernel unpacks into memory: the root, and what it has for this run."""
    added = WORK / "added"
    shutil.rmtree(added, ignore_errors=True)
    (added / "modules").mkdir(parents=True)
    for name in MODULES:
        (module,) = KERNEL.glob(f"usr/lib/modules/*/kernel/**/{name}.ko.xz")
        (added / f"modules/{name}.ko").write_bytes(lzma.decompress(module.read_bytes()))
    listed = ["git", "ls-files", "tests", "packaging", "pyproject.toml"]
    for name in subprocess.check_output(listed, cwd=CHECKOUT, text=True).splitlines():
        (added / "checkout" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / name, added / "checkout" / name)
    pytest = ["-m", "pytest", "-p", "no:cacheprovider", "-p", "skip_missing_packages", "-m", "not memory", "--color=no"]
    commands = [["-W", "error", "packaging/smoke.py"], [*pytest, *tests]]
    (added / "given.json").write_text(json.dumps({"modules": MODULES, "commands": commands, "passed": PASSED}))
    shutil.copy(CHECKOUT / "packaging/arm_kernel_init.py", added / "init")
    (added / "init").chmod(0o755)
    archive = WORK / "first_files.cpio"
    with open(archive, "wb") as file:  # one archive after another are one for the kernel
        for folder in (ROOT, added):
            names = subprocess.check_output(["find", ".", "-xdev"], cwd=folder)
            cpio = ["cpio", "--quiet", "--create", "--format=newc"]
            subprocess.run(cpio, input=names, stdout=file, cwd=folder, check=True)
    return archive


if __name__ == "__main__":
    main()
