#!/bin/sh
# make_venv.sh PYTHON DIR: a virtual environment with a current pip, also where Debian's python3-venv is missing.
set -e
if "$1" -c 'import ensurepip' 2>/dev/null; then
  "$1" -m venv "$2"
else
  "$1" -m venv --without-pip "$2"
  "$1" -m pip --python "$2/bin/python" install --quiet --disable-pip-version-check pip
fi
# --group came with pip 25.1.
"$2/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
