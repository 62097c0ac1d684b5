#!/bin/sh
# nasm.sh: installs through apt the assembler for libjpeg-turbo's vector code on x86, when it is missing and we may.
set -e
case $(uname -m) in x86_64 | amd64) ;; *) exit 0 ;; esac
command -v nasm >/dev/null || command -v yasm >/dev/null || exec "$(dirname "$0")/apt_install.sh" nasm
