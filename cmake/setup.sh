# shellcheck shell=bash
# Sourced by run.sh and test.sh: installs what is missing, configures and builds into build/release.
# Says what it does on stderr, and nothing at all when there is nothing to do.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release

# Installs the missing packages of packages.txt, or says how to and exits with 2.
install_packages() {
  # On other systems than Debian, CMake names the libraries that it does not find.
  command -v dpkg-query >/dev/null || return 0

  local name reason present missing=() reasons=() sudo=()
  present=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' 2>/dev/null || true)
  while read -r name reason; do
    [[ -z $name || $name == '#'* ]] && continue
    grep -qxF "$name installed" <<<"$present" && continue
    missing+=("$name")
    reasons+=("$(printf '  %-22s  %s' "$name" "$reason")")
  done <"$root/cmake/packages.txt"
  ((${#missing[@]})) || return 0

  echo "starloom: these Debian packages are missing:" >&2
  printf '%s\n' "${reasons[@]}" >&2
  if (($(id -u) != 0)); then sudo=(sudo -n); fi
  if "${sudo[@]}" apt-get -qq update >&2 &&
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get -qq install --yes --no-install-recommends "${missing[@]}" >&2; then
    return 0
  fi
  echo "starloom: could not install them (that takes root, or sudo without a password). By hand:" >&2
  echo "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 2
}

# Builds one target. CMake runs only if it never did or the presets have changed; Ninja sees to all other files.
build_target() {
  if [[ ! $build/build.ninja -nt $root/CMakePresets.json ]]; then
    (cd "$root" && cmake --preset release) >&2
    touch "$build/build.ninja"  # CMake leaves it alone if its content would be the same
  fi
  # Clones at different places share the compiler cache.
  CCACHE_BASEDIR=$root ninja -C "$build" "$1" |
    sed -u -e '/^ninja: Entering/d' -e '/^ninja: no work/d' -e '/Re-checking globbed/d' >&2
}
