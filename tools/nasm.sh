#!/bin/sh
# nasm.sh: installs through apt the assembler for libjpeg-turbo's vector code on x86, when it is missing and we may.
set -e
case $(uname -m) in x86_64 | amd64) ;; *) exit 0 ;; esac
command -v nasm >/dev/null || command -v yasm >/dev/null || ! command -v apt-get >/dev/null || {
  as_root=""
  [ "$(id -u)" = 0 ] || as_root="sudo -n"
  $as_root apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends nasm >/dev/null
}
