#!/bin/sh
# Builds the kernel into ../kernel-code.ts, which is committed: text, so that bundlers carry it along.
# Needs clang with the wasm32 target and lld (Debian: apt-get install clang lld).
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
binary=$(mktemp)
trap 'rm -f "$binary"' EXIT

clang --target=wasm32 -std=c11 -O3 -msimd128 -ffp-contract=off -ffreestanding -fno-builtin-memset -nostdlib \
  -Wall -Wextra -Werror -Wl,--no-entry -Wl,--stack-first -Wl,-z,stack-size=4096 -Wl,--export=__heap_base -Wl,--strip-all \
  -o "$binary" "$here/kernel.c"

{
  echo '/** The compiled kernel/kernel.c, in base64. Made by kernel/build.sh. */'
  echo 'export const kernelCode: string ='
  printf '  "%s";\n' "$(base64 -w0 "$binary")"
} > "$here/../kernel-code.ts"
