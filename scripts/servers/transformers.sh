#!/bin/sh
# Brings @huggingface/transformers for the tests of transformers-embedding, into .cache/servers/transformers: half a gigabyte, which the
# package itself leaves to those who use it. Does nothing where it is there already. No install script is run: they download what is
# not needed here.
set -eu
cd "$(dirname "$0")/../.."

version=4.3.2
target=.cache/servers/transformers

if [ ! -d "$target/node_modules/@huggingface/transformers" ]; then
  mkdir -p "$target"
  echo '{ "private": true }' >"$target/package.json"
  npm install --prefix "$target" --ignore-scripts --no-audit --no-fund --silent "@huggingface/transformers@$version"
fi
echo "@huggingface/transformers is in $target"
