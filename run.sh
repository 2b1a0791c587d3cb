#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds Starloom if needed, then runs it with the given arguments; without any, runs the demo.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/cmake/setup.sh"

install_packages packages.txt
build_target starloom
if (($# == 0)); then
  set -- demo --force
fi
exec "$build/sc_main/starloom" "$@"
