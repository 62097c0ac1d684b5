#!/bin/sh
# make_venv.sh PYTHON DIR: a virtual environment with a current pip, also where Debian's python3-venv is missing.
# --group came with pip 25.1. A pip that is there installs it at once; the one that ensurepip brings is replaced.
set -e
if "$1" -m pip --python "$1" --version >/dev/null 2>&1; then  # an option of pip 22.3
  "$1" -m venv --without-pip "$2"
  "$1" -m pip --python "$2/bin/python" install --quiet --disable-pip-version-check --no-compile 'pip>=25.1'
else
  "$1" -m venv "$2"
  "$2/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --upgrade 'pip>=25.1'
fi
