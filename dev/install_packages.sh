#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the Debian packages that building and testing need, and only those that are missing.
# usage: dev/install_packages.sh [more packages]
set -eu

packages="gcc g++ libc6-dev make meson ninja-build pkg-config python3 libcmocka-dev scdoc
    zlib1g-dev libpng-dev libssl-dev $*"

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "dev/install_packages.sh: no apt on this machine; needed are, by their Debian names:" \
        $packages >&2
    exit 0
fi

missing=
for package in $packages; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "dev/install_packages.sh: missing packages, and neither root nor sudo:$missing" >&2
        exit 0 # the build says what it cannot do without
    fi
    as_root=sudo
fi

get()
{
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@"
}

echo "installing$missing"
# the lists of a fresh machine are empty or old: fetch them when the first try fails
if ! get install -y --no-install-recommends $missing >/dev/null 2>&1; then
    get update
    get install -y --no-install-recommends $missing >/dev/null
fi
