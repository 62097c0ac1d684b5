#!/bin/sh
# test_in_debian.sh SUITE PYTHON...: tries the wheels of dist/ with Pythons that only another Debian has, in a root of
# it that has nothing else: test_in_debian.sh sid 3.14 3.15. Wants to be root.
# test_in_debian.sh bullseye 3.14: with glibc 2.31. Python there is too old and is built of sources (debian_sources.py).
# MACHINE=aarch64 test_in_debian.sh trixie 3.13: the wheel of dist/cross, in a root whose programs run under QEMU.
set -e
[ "$(id -u)" = 0 ] || { echo "$0 makes a Debian root and enters it: run it as root" >&2; exit 1; }
suite=$1
shift
here=$(cd "$(dirname "$0")/.." && pwd)
case ${MACHINE:=x86_64} in
x86_64) wheels=$here/dist architecture=amd64 emulator= ;;
aarch64) wheels=$here/dist/cross architecture=arm64 emulator="qemu-user-static arch-test" ;;
*) echo "MACHINE is x86_64 or aarch64" >&2; exit 1 ;;
esac
wheel=$(ls "$wheels"/penstock-*-abi3-manylinux*_"$MACHINE".whl) ||
  { echo "no wheel for Python 3.12 and later: make wheels, or make cross-wheels" >&2; exit 1; }
root=$here/build/debian-$suite-$architecture
home=home/tester  # in the root, where a user without rights may write

"$here/tools/apt_install.sh" mmdebstrap $emulator
[ -z "$emulator" ] || (cd "$here/packaging" && python3 -c 'import arm_emulator; arm_emulator.register()')
mkdir -p "$here/build"
packages=ca-certificates
case $suite in
bullseye) packages=$packages,gcc,libc6-dev,make,zlib1g-dev,libffi-dev ;;
*) for version in "$@"; do packages=$packages,python$version-venv; done ;;
esac
# A mirror's copy of the suite may be older than Debian wants; it is signed all the same.
[ -d "$root/usr/bin" ] || mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' \
  --architectures="$architecture" --include="$packages" "$suite" "$root"
[ "$suite" != bullseye ] || [ -x "$root/usr/local/bin/python3" ] || {
  source=$(cd "$here/packaging" && python3 -c 'from debian_sources import python_source; print(python_source())')
  rm -rf "$root/usr/src/python"
  cp -r "$source" "$root/usr/src/python"
  chroot "$root" sh -ec 'cd /usr/src/python && ./configure --quiet --disable-test-modules && make -s -j2 && make -s install'
}

inside() {  # as a user without rights, in mounts that end with the command
  unshare --mount sh -ec 'mount -t proc none "$0/proc"; mount -t tmpfs none "$0/dev/shm"
    exec chroot --userspec=1000:1000 "$@"' "$root" "$root" env -i --chdir="/$home" HOME="/$home" PATH=/usr/local/bin:/usr/bin:/bin "$@"
}

for version in "$@"; do
  rm -rf "${root:?}/$home"
  mkdir -p "$root/$home"
  cp "$here/packaging/smoke.py" "$root/$home"
  # The root needs no network: pip outside of it fetches what pip inside would.
  python3 -m pip download --quiet --disable-pip-version-check --only-binary :all: --python-version "$version" \
    --platform "manylinux_2_28_$MACHINE" --platform "manylinux_2_27_$MACHINE" --platform "manylinux2014_$MACHINE" \
    --dest "$root/$home/wheels" "$wheel"
  chown -R 1000:1000 "$root/$home"
  inside "python$version" -m venv venv
  inside venv/bin/python -m pip install --quiet --disable-pip-version-check --no-index --find-links wheels penstock
  inside venv/bin/python -W error smoke.py
done
