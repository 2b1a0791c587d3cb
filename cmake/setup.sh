# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by run.sh, test.sh and tests/cluster/run.sh: installs what is missing, configures and builds into build/release.
# Says what it does on stderr; silent when nothing is to be done.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release

# The prefix of a command that needs root.
as_root() { if (($(id -u) != 0)); then echo sudo -n; fi; }

# apt-get with the given words. Waits for another package manager, ten minutes at most: a machine in the cloud updates itself
# when it is new. If that or anything else fails, `apt_error` says why, and the status is that of apt-get.
apt_get() {
  local errors status attempt sudo
  read -ra sudo <<<"$(as_root)"
  errors=$(mktemp)
  for ((attempt = 0; ; ++attempt)); do
    status=0
    # In runlevel 1 a package starts no daemon.
    "${sudo[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -qq "$@" >&2 2>"$errors" || status=$?
    apt_error=$(grep -m 1 '^E: ' "$errors" | cut -c4-) || true
    [[ $status != 0 && $apt_error == 'Could not get lock '* ]] && ((attempt < 120)) || break
    if ((attempt == 0)); then
      echo "starloom: another package manager runs, ${apt_error#*held by }; waiting for it, ten minutes at most" >&2
    fi
    sleep 5
  done
  cat "$errors" >&2
  rm -f "$errors"
  : "${apt_error:="apt-get ended with status $status"}"
  return "$status"
}

# Installs the packages of the given lists that are missing, or says how to and exits with 2.
install_packages() {
  # On other systems than Debian, CMake names the libraries that it does not find.
  command -v dpkg-query >/dev/null || return 0

  local name reason present missing=() reasons=() cause
  present=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' 2>/dev/null || true)
  while read -r name reason; do
    [[ -z $name || $name == '#'* ]] && continue
    grep -qxF "$name installed" <<<"$present" && continue
    missing+=("$name")
    reasons+=("$(printf '  %-22s  %s' "$name" "$reason")")
  done < <(cd "$root/cmake" && cat "$@")
  ((${#missing[@]})) || return 0

  echo "starloom: these Debian packages are missing:" >&2
  printf '%s\n' "${reasons[@]}" >&2
  if ! $(as_root) true 2>/dev/null; then
    cause="that takes root, or sudo without a password"
  elif apt_get update && apt_get install --yes --no-install-recommends "${missing[@]}"; then
    return 0
  else
    cause=$apt_error
  fi
  echo "starloom: the packages were not installed: $cause. By hand:" >&2
  echo "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 2
}

# Builds one target, with the tests configured (ON) or as they are (nothing given; on the first call, not). CMake runs only if
# it never did, the presets have changed, or tests are to be added. Ninja sees to all other files.
build_target() {
  local target=$1 tests=${2-} configured=OFF
  if [[ -f $build/CMakeCache.txt ]]; then
    configured=$(sed -n 's/^STARLOOM_TESTS:BOOL=//p' "$build/CMakeCache.txt")
  fi
  : "${tests:=$configured}"
  if [[ $tests != "$configured" || ! $build/build.ninja -nt $root/CMakePresets.json ]]; then
    (cd "$root" && cmake --preset release -DSTARLOOM_TESTS="$tests") >&2
    touch "$build/build.ninja"  # CMake leaves it alone if its content would be the same
  fi
  ninja -C "$build" "$target" |
    sed -u -e '/^ninja: Entering/d' -e '/^ninja: no work/d' -e '/Re-checking globbed/d' >&2
}
