#!/bin/sh
# test_in_debian.sh SUITE PYTHON...: tries the wheels of dist/ with Pythons that only another Debian has, in a root of
# it that has nothing else: test_in_debian.sh sid 3.14 3.15. Wants to be root.
# test_in_debian.sh bullseye 3.14: with glibc 2.31. Python there is too old and is built of sources (debian_sources.py).
set -e
[ "$(id -u)" = 0 ] || { echo "$0 makes a Debian root and enters it: run it as root" >&2; exit 1; }
suite=$1
shift
here=$(cd "$(dirname "$0")/.." && pwd)
ls "$here"/dist/penstock-*-abi3-*.whl >/dev/null 2>&1 || { echo "dist has no wheel for Python 3.12 and later: make wheels" >&2; exit 1; }
root=$here/build/debian-$suite
home=home/tester  # in the root, where a user without rights may write

"$here/tools/apt_install.sh" mmdebstrap
mkdir -p "$here/build"
packages=ca-certificates
case $suite in
bullseye) packages=$packages,gcc,libc6-dev,make,zlib1g-dev,libffi-dev ;;
*) for version in "$@"; do packages=$packages,python$version-venv; done ;;
esac
# A mirror's copy of the suite may be older than Debian wants; it is signed all the same.
[ -d "$root/usr/bin" ] || mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' \
  --include="$packages" "$suite" "$root"
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
    --dest "$root/$home/wheels" "$here"/dist/penstock-*-abi3-*.whl
  chown -R 1000:1000 "$root/$home"
  inside "python$version" -m venv venv
  inside venv/bin/python -m pip install --quiet --disable-pip-version-check --no-index --find-links wheels penstock
  inside venv/bin/python -W error smoke.py
done
