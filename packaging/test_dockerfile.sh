#!/bin/sh
# test_dockerfile.sh [OPTION...]: builds docker/Dockerfile by buildah, with no Docker engine and not its base image,
# and tries the image as the user it names. Wants a Python 3.12, and to be root. OPTIONs are
# buildah's: --volume /etc/pip.conf:/etc/pip.conf:ro where pip is to ask an index of your own.
#
# What stands in for the base image is made as that is: Debian 12's smallest root without documentation, the libraries
# that Python needs, and Python itself under /usr/local, stripped, without its tests and its compiled modules.
set -e
[ "$(id -u)" = 0 ] || { echo "$0 makes a Debian root and enters it: run it as root" >&2; exit 1; }
here=$(cd "$(dirname "$0")/.." && pwd)
work=$here/build/docker
base=$work/base
image=docker.io/library/$(sed -n 's/^FROM \([^ ]*\)$/\1/p' "$here/packaging/docker/Dockerfile")
export BUILDAH_ISOLATION=chroot
buildah() { command buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }

"$here/tools/apt_install.sh" buildah mmdebstrap binutils
mkdir -p "$work"
packages=usr-is-merged,ca-certificates,netbase,tzdata  # the first keeps perl away
libraries=libbz2-1.0,libffi8,liblzma5,libncursesw6,libreadline8,libsqlite3-0,libssl3,libuuid1,zlib1g
if [ ! -e "$base/usr/local/bin/python" ]; then
  rm -rf "$base"
  mmdebstrap --quiet --variant=minbase --include="$packages,$libraries" \
    --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' bookworm "$base"
  python=$(PYTHONPATH=$here/packaging python3 -c 'import interpreters; print(interpreters.interpreters()[12])')
  python=$("$python" -c 'import sys; print(sys.base_prefix)')
  tar --create --directory "$python" --exclude=__pycache__ --exclude=test --exclude=tests --exclude='*.a' \
    --exclude=site-packages bin/python3.12 include lib | tar --extract --directory "$base/usr/local" --no-same-owner
  find "$base/usr/local" \( -name '*.so*' -o -name python3.12 \) -type f -exec strip --strip-unneeded {} +
  chroot "$base" ldconfig
  chroot "$base" python3.12 -m ensurepip
  ln -s python3.12 "$base/usr/local/bin/python"
fi

container=$(buildah from scratch)
buildah add --quiet "$container" "$base" / >/dev/null
buildah config --env PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin --env LANG=C.UTF-8 "$container"
buildah commit --quiet --rm "$container" "$image" >/dev/null
# Where CMake looks for it before it downloads one: not every machine reaches GitHub.
archive=$(cd "$here/packaging" && python3 -c 'from debian_sources import *; print(fetched(JPEG_TURBO[-1]))')
mkdir -p "$here/build/downloads"
cp "$archive" "$here/build/downloads/$(basename "$archive" .orig.tar.gz | tr _ -).tar.gz"
buildah bud --pull-never --file "$here/packaging/docker/Dockerfile" --tag penstock "$@" "$here"

container=$(buildah from --pull-never penstock)
buildah run "$container" -- id
buildah run "$container" -- penstock doctor
buildah run --volume "$here/packaging/smoke.py:/smoke.py:ro" "$container" -- python -W error /smoke.py
buildah images
buildah rm "$container" >/dev/null
