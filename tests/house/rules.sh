#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One rule of the house:  rules.sh RULE ROOT  |  rules.sh links ROOM TARGET...  (ROOT: the tree; of
# precompiled_headers_have_one_level the build folder)
# Silent with status 0 if it is kept; else the places that break it, one a line, and status 1.
set -euo pipefail

# The table of rooms and arrows (arrows.txt): the folder of each, the rooms that it sees, and whether it may see SystemC.
declare -A folder=() sees=()
rooms=()
while read -r room place others; do
  [[ -z $room || $room == '#'* ]] && continue
  rooms+=("$room")
  folder[$room]=$place
  sees[$room]=" $others "
done <"$(dirname "${BASH_SOURCE[0]}")/arrows.txt"
has_systemc() { [[ ${sees[$1]} == *' systemc '* ]]; }

# Lines of C++ files in the given folders (those that exist) that match a pattern.
lines() {
  local pattern=$1 files=$2 place places=()
  shift 2
  for place in "$@"; do if [[ -d $place ]]; then places+=("$place"); fi; done
  ((${#places[@]})) || return 0
  grep -rnE --include="$files" -e "$pattern" -- "${places[@]}" || true
}
plain_folders() { for room in "${rooms[@]}"; do has_systemc "$room" || echo "$root/${folder[$room]}"; done; }
everywhere() { printf '%s\n' "$root"/{modules,tlm,testbenches,waveforms,sc_main,tests}; }

no_systemc_in_plain_rooms() {
  # shellcheck disable=SC2046
  lines '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"](systemc|tlm|sysc)([._/][^>"]*)?[>"]' '*.[ch]pp' $(plain_folders)
}
arrows_point_one_way() {
  local room other allowed above=' systemc '
  for room in "${rooms[@]}"; do
    allowed=$room
    for other in ${sees[$room]}; do
      allowed+="|$other"
      [[ $above == *" $other "* ]] || echo "arrows.txt: $room -> $other does not point to a room above it"
    done
    above+="$room "
    lines '^[[:space:]]*#[[:space:]]*include[[:space:]]*<starloom/' '*.[ch]pp' "$root/${folder[$room]}" |
      grep -vE "include[[:space:]]*<starloom/($allowed)/" || true
    # With one syntax only: files of this project are never quoted.
    lines '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' '*.[ch]pp' "$root/${folder[$room]}"
  done
}
# The table has no arrow that no include line needs.
arrows_are_needed() {
  local room other
  for room in "${rooms[@]}"; do
    [[ -d $root/${folder[$room]} ]] || continue
    for other in ${sees[$room]/ systemc / }; do
      [[ -n $(lines "^#include <starloom/$other/" '*.[ch]pp' "$root/${folder[$room]}") ]] ||
        echo "arrows.txt: $room -> $other, but no file of $room includes a header of $other"
    done
  done
}
# The folders of algorithms have an order: none includes another that includes it, directly or through others.
algorithms_have_an_order() {
  { lines '^#include <starloom/algorithms/' '*.[ch]pp' "$root/${folder[algorithms]}" |
    sed -E 's#^.*/algorithms/([a-z_]+)/[^:]*:.*<starloom/algorithms/([a-z_]+)/.*$#\1 \2#' |
    awk '$1 != $2' | sort -u | tsort >/dev/null || true; } 2>&1 |
    sed -n 's#^tsort: \([a-z_]*\)$#algorithms/\1 is part of a circle of includes#p'
}
# An audit sees what a trace and a result say, and no code of the controllers that it audits.
audits_share_no_code() {
  lines '^#include <starloom/' '*audit.[ch]pp' "$root/${folder[algorithms]}" |
    grep -vE '<starloom/(core|support|schema|topology|control)/|audit[.]hpp>$' || true
}
# Every source is in a room of the table.
rooms_are_complete() {
  local file room place
  { find "$root"/{modules,tlm,testbenches,waveforms,sc_main} -name '*.[ch]pp' 2>/dev/null || true; } | while read -r file; do
    place=
    for room in "${rooms[@]}"; do if [[ $file == "$root/${folder[$room]}/"* ]]; then place=$room; fi; done
    [[ -n $place || $file == "$root/sc_main/main.cpp" ]] || echo "$file stands in no room of arrows.txt"
  done
}
# Code that runs follows .clang-format; other versions of the tool see things differently.
files_are_formatted() {
  local tool
  tool=$(command -v clang-format-14 || command -v clang-format) || { echo 'clang-format is missing'; return; }
  everywhere | while read -r place; do
    if [[ -d $place ]]; then find "$place" -name '*.[ch]pp'; fi
  done | xargs -r "$tool" --dry-run 2>&1 | grep -oE '^[^ ]+: warning' | sort -u || true
}
# Comments, too, which the formatter leaves alone.
lines_keep_to_120_columns() {
  # shellcheck disable=SC2046
  lines '^.{121}' '*.[ch]pp' $(everywhere) | cut -c 1-160
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
# So that a header that lacks an include is found where its own source is compiled.
sources_include_their_header_first() {
  local room source header first
  for room in "${rooms[@]}"; do
    if [[ ! -d $root/${folder[$room]} ]]; then continue; fi
    find "$root/${folder[$room]}" -name '*.cpp' | while read -r source; do
      if [[ ! -f ${source%.cpp}.hpp ]]; then continue; fi
      header="<starloom/$room/${source#"$root/${folder[$room]}/"}"
      first=$(grep -m1 -E '^[[:space:]]*#[[:space:]]*include' "$source" || true)
      [[ $first == "#include ${header%.cpp}.hpp>" ]] || echo "$source does not include ${header%.cpp}.hpp> first"
    done
  done
}
# Editors find every header of the house in the bare tree, by compile_flags.txt alone.
headers_resolve() {
  local folder folders=() file header found
  while read -r folder; do folders+=("$root/$folder"); done < <(sed -n 's/^-I//p' "$root/compile_flags.txt")
  # shellcheck disable=SC2046
  lines '^[[:space:]]*#[[:space:]]*include[[:space:]]*(<starloom/[^>]+>|"[^"]+[.]hpp")' '*.[ch]pp' $(everywhere) |
    sed -E 's/^([^:]+):[0-9]+:[^<"]*[<"]([^>"]+)[>"].*/\1 \2/' | while read -r file header; do
      found=
      for folder in "${file%/*}" "${folders[@]}"; do if [[ -f $folder/$header ]]; then found=1; fi; done
      [[ -n $found ]] || echo "$file: $header stands in no folder of compile_flags.txt"
    done
}
# In the first line, or below the one that names the program of a script.
sources_name_their_licence() {
  local sources='.*(\.([ch]pp|h|in|m?js|css|html|py|sh|slurm|cmake)|/CMakeLists\.txt|/\.ci/run)'
  { find "$root"/{CMakeLists.txt,run.sh,test.sh,.ci,cmake,docs,modules,sc_main,testbenches,tests,tlm,waveforms} \
    -regextype posix-extended -type f -regex "$sources" -print0 2>/dev/null || true; } | xargs -0 -r awk '
      FNR == 1 { without[FILENAME] }
      /SPDX-License-Identifier: Apache-2[.]0/ { delete without[FILENAME] }
      FNR == 2 { nextfile }
      END { for (file in without) print file " does not name its licence" }' | sort
}
# support/message survives a stderr without a reader; support/atomic_file and support/text_writer keep earlier files.
messages_and_files_go_one_way() {
  lines 'print\(stderr|std::cerr' '*.[ch]pp' "$root"/{modules,tlm,testbenches,waveforms,sc_main}
  lines 'ofstream|fopen\(' '*.[ch]pp' "$root"/{modules,tlm,testbenches,waveforms,sc_main} |
    grep -vE '^[^:]*/(support/text_writer|search/solver)\.cpp:' || true
}
# The phrases, and the pages that are done, are in plain_words.txt.
plain_words() { /usr/bin/python3 -B "$(dirname "${BASH_SOURCE[0]}")/plain_words.py" "$root" || true; }
# Paths from a top folder, in backquotes. NAME is any name.
contributing_names_files() {
  local path
  { grep -oE '`(modules|sc_main|testbenches|tests|tlm|waveforms|docs|cmake)/[^` ]*`' "$root/CONTRIBUTING.md" || true; } |
    tr -d '`' | while read -r path; do
    compgen -G "$root/${path//NAME/*}" >/dev/null || echo "CONTRIBUTING.md: there is no $path"
  done
}
packages_have_reasons() {
  # A name, two blanks or more, a reason; names only once in both lists.
  grep -nvE '^#|^[a-z0-9][a-z0-9.+-]+  +[^ ].*[^ ]$' "$root"/cmake/packages*.txt || true
  grep -hv '^#' "$root"/cmake/packages*.txt | cut -d' ' -f1 | sort | uniq -d
}
scripts_parse() {
  local script
  for script in run.sh test.sh .ci/run cmake/setup.sh; do
    bash -n "$root/$script" 2>&1 || true
    if [[ $script != cmake/* && ! -x $root/$script ]]; then echo "$root/$script is not executable"; fi
  done
}
links() {
  local room=$1 other further target allowed=' starloom_flags ' reached=" ${sees[$1]} "
  shift
  # A room also sees the rooms that these see.
  local before=
  while [[ $reached != "$before" ]]; do
    before=$reached
    for other in $before; do
      for further in ${sees[$other]-}; do [[ $reached == *" $further "* ]] || reached+=" $further "; done
    done
  done
  for other in $reached; do allowed+="starloom_$other "; done
  for target in "$@"; do
    case $target in
      *SYSTEMC* | *systemc*) [[ $reached == *' systemc '* ]] || echo "starloom_$room links SystemC" ;;
      starloom_*) [[ $allowed == *" $target "* ]] || echo "starloom_$room links $target" ;;
      no_such_target) echo "there is no target starloom_$room" ;;
      starloom::*) echo "starloom_$room links $target, which is no target" ;;
    esac
  done
}
# GCC 12 accepts precompiled headers of another level without a warning and generates other code. The last -O counts.
precompiled_headers_have_one_level() {
  awk '/"command": .*-include [^ ]*cmake_pch/ {
    level = "-O0"
    for (i = 1; i < NF; ++i) {
      if ($i ~ /^-O/) level = $i
      if ($i == "-include") headers = $(i + 1)
      if ($i == "-c") source = $(i + 1)
    }
    sub(/",?$/, "", source)
    if (source ~ /cmake_pch/) own[headers] = level
    else { used[source " " headers] = level; of[source " " headers] = headers }
  }
  END {
    for (use in used)
      if (used[use] != own[of[use]]) print use ": compiled at " used[use] ", its precompiled headers at " own[of[use]]
  }' "$root/compile_commands.json"
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
