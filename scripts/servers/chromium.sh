#!/bin/sh
# Brings the browser that the tests of the inspector drive (Debian and Ubuntu). Safe to run again.
set -eu

if command -v chromium >/dev/null; then
  chromium --version
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo "Install Chromium, so that chromium is found in PATH." >&2
  exit 1
fi
root=""
if [ "$(id -u)" -ne 0 ]; then root="sudo"; fi
$root apt-get -o DPkg::Lock::Timeout=300 update -qq
$root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends chromium
chromium --version
