#!/bin/sh
# system_packages.sh PYTHON: installs through apt what pip cannot bring, when it is missing and we may.
# Without apt nothing is done: CMake names the package for the other package managers.
set -e
python=$1
command -v apt-get >/dev/null || exit 0

missing=""
command -v c++ >/dev/null || missing="$missing g++"
printf '#include <cstdio>\n#include <jpeglib.h>\n' | c++ -E -x c++ - >/dev/null 2>&1 || missing="$missing libjpeg-dev"
"$python" -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null ||
  missing="$missing python3-dev"
"$python" -c 'import ensurepip' 2>/dev/null || "$python" -m pip --version >/dev/null 2>&1 ||
  missing="$missing python3-venv"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=""
elif sudo -n true 2>/dev/null; then
  as_root="sudo"
else
  echo "penstock needs: apt-get install$missing" >&2
  exit 1
fi
echo "apt-get install$missing"
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends $missing >/dev/null
