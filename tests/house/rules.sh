#!/usr/bin/env bash
# One rule of the house:  rules.sh RULE ROOT  |  rules.sh links ROOM TARGET...
# Silent with status 0 if it is kept; else the places that break it, one a line, and status 1.
set -euo pipefail

# Rooms without SystemC: the include root of each, and whose headers it may include (its own are understood). Traffic
# sees controllers because adversaries are made against their timetables.
declare -A folder=([core]=modules [topology]=modules [controllers]=modules [planners]=modules [message]=tlm
  [traffic]=testbenches [referee]=testbenches [records]=testbenches)
declare -A sees=([core]='' [topology]='core' [controllers]='core topology planners' [planners]='core topology'
  [message]='core topology controllers planners' [traffic]='core topology planners controllers' [referee]='core topology'
  [records]='core topology referee')

# Lines of C++ files in the given folders (those that exist) that match a pattern.
lines() {
  local pattern=$1 files=$2 place places=()
  shift 2
  for place in "$@"; do if [[ -d $place ]]; then places+=("$place"); fi; done
  ((${#places[@]})) || return 0
  grep -rnE --include="$files" -e "$pattern" -- "${places[@]}" || true
}
rooms() { for room in "${!folder[@]}"; do echo "$root/${folder[$room]}/$room"; done; }
everywhere() { printf '%s\n' "$root"/{modules,tlm,testbenches,waveforms,sc_main,tests}; }

no_systemc_in_plain_rooms() {
  # shellcheck disable=SC2046
  lines '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"](systemc|tlm|sysc)([._/][^>"]*)?[>"]' '*.[ch]pp' $(rooms)
}
arrows_point_one_way() {
  local room other allowed
  for room in "${!folder[@]}"; do
    allowed=$room
    # `verify` is a library of its own in the room of records.
  if [[ $room == verify ]]; then sees[verify]="${sees[records]} records"; fi
  for other in ${sees[$room]}; do allowed+="|$other"; done
    lines '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"/]+/' '*.[ch]pp' "$root/${folder[$room]}/$room" |
      grep -vE "include[[:space:]]*\"($allowed)/" || true
  done
}
systemc_without_h_or_macros() {
  # shellcheck disable=SC2046
  lines '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]systemc\.h[>"]|^[[:space:]]*SC_(MODULE|CTOR)\(' '*.[ch]pp' \
    $(everywhere)
}
no_using_namespace_in_headers() {
  # shellcheck disable=SC2046
  lines '^[[:space:]]*using[[:space:]]+namespace' '*.hpp' $(everywhere)
}
headers_have_pragma_once() {
  everywhere | while read -r place; do
    if [[ -d $place ]]; then grep -rL --include='*.hpp' '^#pragma once$' "$place" || true; fi
  done
}
packages_have_reasons() {
  # A name, two blanks or more, a reason; names only once.
  grep -nvE '^#|^[a-z0-9][a-z0-9.+-]+  +[^ ].*[^ ]$' "$root/cmake/packages.txt" || true
  grep -v '^#' "$root/cmake/packages.txt" | cut -d' ' -f1 | sort | uniq -d
}
scripts_parse() {
  local script
  for script in run.sh test.sh .ci/run cmake/setup.sh; do
    bash -n "$root/$script" 2>&1 || true
    if [[ $script != cmake/* && ! -x $root/$script ]]; then echo "$root/$script is not executable"; fi
  done
}
links() {
  local room=$1 other target allowed=' starloom_flags '
  shift
  # `verify` is a library of its own in the room of records.
  if [[ $room == verify ]]; then sees[verify]="${sees[records]} records"; fi
  for other in ${sees[$room]}; do allowed+="starloom_$other "; done
  for target in "$@"; do
    case $target in
      *SYSTEMC* | *systemc*) echo "starloom_$room links SystemC" ;;
      starloom_*) [[ $allowed == *" $target "* ]] || echo "starloom_$room links $target" ;;
      no_such_target) echo "there is no target starloom_$room" ;;
      starloom::*) echo "starloom_$room links $target, which is no target" ;;
    esac
  done
}

rule=$1
if [[ $rule == links ]]; then
  shift
  broken=$(links "$@")
else
  root=$2
  broken=$("$rule")
fi
if [[ -n $broken ]]; then
  echo "$broken"
  exit 1
fi
