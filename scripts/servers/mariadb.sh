#!/bin/sh
# Brings the MariaDB server that the tests start for themselves (Debian and Ubuntu). Safe to run again.
# No service is left running: the tests use their own data folder and a free port.
set -eu

if command -v mariadbd >/dev/null && command -v mariadb-install-db >/dev/null; then
  mariadbd --version
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo "Install MariaDB 10.11 or later, so that mariadbd and mariadb-install-db are found in PATH." >&2
  exit 1
fi
root=""
if [ "$(id -u)" -ne 0 ]; then root="sudo"; fi

# Debian's package starts its service when it is unpacked, unless this file says no.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' | $root tee "$policy" >/dev/null
  $root chmod +x "$policy"
  trap '$root rm -f "$policy"' EXIT
fi
$root apt-get -o DPkg::Lock::Timeout=300 update -qq
$root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends mariadb-server
if [ -d /run/systemd/system ]; then $root systemctl disable --now mariadb || true; fi
mariadbd --version
