#!/bin/sh
# apt_install.sh PACKAGE...: installs those of Debian's packages that are missing, or says which they are when it may not.
# Without apt it names them and succeeds: another system may have the same under other names.
set -e
missing=""
for package in "$@"; do
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
    missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "needed is what Debian calls:$missing" >&2
  exit 0
elif [ "$(id -u)" = 0 ]; then
  as_root=""
elif sudo -n true 2>/dev/null; then
  as_root="sudo"
else
  echo "penstock needs: apt-get install$missing" >&2
  exit 1
fi
echo "apt-get install$missing"
# It fails for a single source that cannot be reached, or while another program updates: what is known may be enough.
$as_root apt-get update -qq || echo "going on with the lists of packages that are here" >&2
$as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends $missing >/dev/null
