#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the picture of docs/replay.md: a packet of the demo in headless Chromium.
#   docs/replay_screenshot.sh [PICTURE [PROGRAM]]
# Needs the package chromium.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
picture=$(realpath -m "${1:-$root/docs/replay.png}")
program=${2:-$root/build/release/sc_main/starloom}

command -v chromium >/dev/null || { echo "chromium is missing; install the package chromium" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" demo --out "$work/demo" >/dev/null
"$program" replay "$work/demo/out" --out "$work/demo.html"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,720 --virtual-time-budget=5000 \
  --screenshot="$picture" "file://$work/demo.html#step=1330&packet=1519" 2>/dev/null
