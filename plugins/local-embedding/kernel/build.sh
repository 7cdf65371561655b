#!/bin/sh
# Builds the kernel: build.sh [OUTPUT], by default the committed ../model/kernel.wasm.
# Needs clang with the wasm32 target and lld (Debian 12: apt-get install clang lld). Clang 14 gives the committed bytes;
# where it has another name, set CLANG=clang-14.
#
# Loop strength reduction and unrolling are off: with them clang computes every address apart and keeps more values
# than there are registers, and the inner loop takes half as long again.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
output=${1:-"$here/../model/kernel.wasm"}

"${CLANG:-clang}" --target=wasm32 -std=c11 -O3 -msimd128 -ffp-contract=off \
  -mllvm -disable-lsr -fno-unroll-loops \
  -ffreestanding -fno-builtin -nostdlib -Wall -Wextra -Werror \
  -Wl,--no-entry -Wl,--stack-first -Wl,--export=__heap_base -Wl,--strip-all \
  -o "$output" "$here/kernel.c"
chmod 644 "$output"   # the linker marks what it writes as a program
