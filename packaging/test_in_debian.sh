#!/bin/sh
# test_in_debian.sh SUITE PYTHON...: tries the wheels of dist/ with Pythons that only another Debian has, in a root of
# it that has nothing else: test_in_debian.sh sid 3.14 3.15. Wants mmdebstrap, and to be root.
set -e
suite=$1
shift
here=$(cd "$(dirname "$0")/.." && pwd)
root=$here/build/debian-$suite
mirror=${MIRROR:-http://deb.debian.org/debian}

packages=ca-certificates
for version in "$@"; do packages=$packages,python$version-venv; done
# A mirror's copy of the suite may be older than Debian wants; it is signed all the same.
[ -d "$root/usr/bin" ] || mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' \
  --include="$packages" "$suite" "$root" "$mirror"

inside() {  # as a user without rights, in mounts that end with the command
  unshare --mount sh -ec 'mount -t proc none "$0/proc"; mount -t tmpfs none "$0/dev/shm"
    exec chroot --userspec=1000:1000 "$0" env -i HOME=/tmp PATH=/usr/bin:/bin "$@"' "$root" "$@"
}

cp "$here/packaging/smoke.py" "$root/srv/smoke.py"
for version in "$@"; do
  # The root needs no network: pip outside of it fetches what pip inside would.
  rm -rf "$root/srv/wheels" "$root/tmp/venv"
  python3 -m pip download --quiet --disable-pip-version-check --only-binary :all: --python-version "$version" \
    --dest "$root/srv/wheels" "$here"/dist/penstock-*-abi3-*.whl
  inside "python$version" -m venv /tmp/venv
  inside /tmp/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-index --find-links /srv/wheels penstock
  inside /tmp/venv/bin/python -W error /srv/smoke.py
done
