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
exec "$(dirname "$0")/apt_install.sh" $missing
