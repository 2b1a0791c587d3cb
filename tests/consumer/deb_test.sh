#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the Debian package, unpacks it, and uses its content like a user who installed it:
#   deb_test.sh CPACK BUILD SCRATCH
set -euo pipefail
cpack=$1 build=$2 scratch=$3
fail() { echo "deb: $*"; exit 1; }

rm -rf "$scratch"
mkdir -p "$scratch/made" "$scratch/root" "$scratch/home"
"$cpack" --config "$build/CPackConfig.cmake" -B "$scratch/made" >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
package=$(echo "$scratch"/made/starloom_*_*.deb)
[[ -f $package ]] || fail "no package was made: $(cat "$scratch/log")"
depends=$(dpkg-deb --field "$package" Depends)
for library in libc6 libsystemc libsqlite3-0 libyaml-cpp libfmt; do
  [[ $depends == *$library* ]] || fail "it does not depend on $library: $depends"
done
[[ $(dpkg-deb --field "$package" Recommends) == *gnuplot* ]] || fail 'it recommends no gnuplot'

dpkg-deb --extract "$package" "$scratch/root"
usr=$scratch/root/usr
for file in bin/starloom lib/libstarloom_fabric.a include/starloom/fabric/links/network.hpp \
  lib/cmake/starloom/starloomConfig.cmake share/starloom/scenarios/demo.yaml share/starloom/campaigns/latency-throughput.yaml \
  share/doc/starloom/README.md share/doc/starloom/docs/tutorial.md share/doc/starloom/copyright \
  share/doc/starloom/changelog.gz; do
  [[ -s $usr/$file ]] || fail "it has no $file"
done
if grep -rlIF "$build/" "$scratch/root"; then fail 'it names places of its build'; fi

cd "$scratch/home"
"$usr/bin/starloom" demo >demo.txt 2>&1 || fail "$(cat demo.txt)"
[[ -s starloom-demo/out/links.svg && -s starloom-demo/out/waves.gtkw ]] || fail 'the demo left no pictures'
"$usr/bin/starloom" check "$usr/share/starloom/scenarios/demo.yaml" >/dev/null || fail 'scenarios do not find their data'

# The manual: what man has to say of it, and that it is whole.
for section in 1 5; do
  gunzip -c "$usr/share/man/man$section/starloom.$section.gz" >"starloom.$section"
  LC_ALL=C.UTF-8 MANWIDTH=100 MAN_KEEP_FORMATTING= man --warnings=w -l "starloom.$section" >"page.$section" 2>said ||
    fail "man: $(cat said)"
  [[ ! -s said ]] || fail "starloom.$section: $(cat said)"
done
for option in $("$usr/bin/starloom" run --help | grep -oE '^  --[a-z-]+'); do
  grep -q -- "^ *$option" page.1 || fail "starloom(1) has no $option"
done
for key in network.topology routing.discipline traffic.rate reference.tolerance; do
  grep -q "^ *$key$" page.5 || fail "starloom(5) has no $key"
done

# Completion: what bash is offered behind LINE, each word on a line.
source "$usr/share/bash-completion/completions/starloom"
offered() {
  COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
  _starloom
  printf '%s\n' "${COMPREPLY[@]}"
}
offers() {  # LINE WORD...: all that is offered
  [[ $(offered "$1" | sort) == "$(printf '%s\n' "${@:2}" | sort)" ]] ||
    fail "behind '$1' bash is offered: $(offered "$1" | head -20)"
}
offers 'starloom re' regress replay report
offers 'starloom run --s' --seed --set --shuffle
offers 'starloom run e.yaml --wake ' all
offers 'starloom run e.yaml ' ''  # files, by bash itself
offers 'starloom check --set routing.alg' routing.algorithm=
offers 'starloom check --set routing.algorithm=gr' greedy
offers 'starloom check --set network.topology=mes' mesh
offers 'starloom explain routing.disc' routing.discipline
offers 'starloom help sat' saturate
offers 'starloom help --completion ' bash zsh
offers 'starloom campaign merge --in' --into
grep -q '^#compdef starloom$' "$usr/share/zsh/vendor-completions/_starloom" || fail 'zsh finds no completion'
if command -v zsh >/dev/null; then zsh -n "$usr/share/zsh/vendor-completions/_starloom" || fail 'zsh cannot read it'; fi
