#!/bin/sh
# without_compiler.sh COMMAND...: runs it where this machine has no compiler, no header files and no libjpeg.
# They are covered in a mount namespace of the command's own: the rest of the machine keeps them. Linux only.
set -e
if [ "$1" != --covered ]; then
  as_user=""
  [ "$(id -u)" = 0 ] || as_user=--map-root-user  # mounts need a root, if only that of a namespace
  exec unshare --mount $as_user "$0" --covered "$@"
fi
shift

# A compiler driver finds its own part in one of the first folders, and a wheel for this system its library in the last.
for folder in /usr/lib/gcc /usr/lib/gcc-cross /usr/libexec/gcc /usr/lib/llvm-* /usr/include /usr/local/include; do
  [ ! -d "$folder" ] || mount -t tmpfs none "$folder"
done
for library in $(find /lib/ /lib64/ /usr/lib/ /usr/local/lib/ -name 'libjpeg.*' -o -name 'libturbojpeg.*'); do
  [ -h "$library" ] || mount --bind /dev/null "$library"
done

# What is covered is tried with this machine's whole PATH, or the test would be of nothing.
for compiler in cc c++ gcc g++ clang clang++; do
  if printf 'int main() {}\n' | "$compiler" -x c++ -c -o /dev/null - 2>/dev/null; then
    echo "$compiler still compiles" >&2
    exit 1
  fi
done
exec "$@"
