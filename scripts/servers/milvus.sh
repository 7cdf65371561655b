#!/bin/sh
# Brings the Milvus servers that tests run on, each into a virtual environment of its own below .cache/servers: Milvus Lite, and the
# last release of the real server that comes as a program (2.3). Does nothing where they are there already.
set -eu
cd "$(dirname "$0")/../.."

bring() {
  target=.cache/servers/$1
  program=$2
  shift 2
  if [ -x "$target/bin/$program" ] && [ -e "$target/complete" ]; then return; fi
  rm -rf "$target"
  mkdir -p .cache/servers
  python3 -m venv "$target"
  "$target/bin/pip" install --quiet --disable-pip-version-check "$@"
  touch "$target/complete"
}

bring milvus-lite milvus-lite "milvus-lite==3.2.2" pymilvus jieba setuptools
bring milvus-2.3 milvus-server --no-deps "milvus==2.3.5"
echo "Milvus Lite is in .cache/servers/milvus-lite, Milvus 2.3 in .cache/servers/milvus-2.3"
