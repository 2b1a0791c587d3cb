#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds everything and runs all tests; arguments go to ctest (for example -R house, -L quick). One test more than there are
# cores at a time, because some wait: for browsers, signals, and limits of time.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/cmake/setup.sh"

install_packages packages.txt packages-tests.txt
build_target all ON
exec ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$(($(nproc) + 1))" "$@"
