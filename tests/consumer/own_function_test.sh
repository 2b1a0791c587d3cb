#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does what docs/library.md says in "A routing function of your own", against the package:
#   own_function_test.sh CMAKE SOURCE PREFIX SCRATCH [OPTION OF CMAKE...]
# An indented block of the section is a file, if its first line is `# NAME` or `// NAME`; or commands behind `$ `, each with
# lines that it prints (`...` matches others); or what replaces `entry.serves` and `entry.make`, with headers.
set -euo pipefail
cmake=$1 source=$2 prefix=$3 scratch=$4
shift 4
options=("$@")
export CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1
fail() { echo "own_function: $*"; exit 1; }
cmake() { if [[ $1 == -S ]]; then command "$cmake" "$@" "${options[@]}"; else command "$cmake" "$@"; fi; }

rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

commands=0 files=0 changes=0
run_commands() {
  local line output=
  while IFS= read -r line; do
    if [[ $line == '$ '* ]]; then
      line=${line#$ }
      output=$(eval "${line//\/opt\/starloom/$prefix}" 2>&1) || fail "$line: $output"
      commands=$((commands + 1))
    elif [[ $line != ... && -n $line ]]; then
      grep -qxF -- "$line" <<<"$output" || fail "expected '$line' in: $output"
    fi
  done
}
change_entry() {
  grep '^#include' <<<"$1" >changed.cpp
  awk -v entry="$(grep -v '^#include' <<<"$1" | sed 's/\\/\\\\/g')" '
    /entry\.serves/ { print entry; skip = 1 }
    !skip
    /^  };/ { skip = 0 }' main.cpp >>changed.cpp
  mv changed.cpp main.cpp
  changes=$((changes + 1))
}
take() {
  case ${1%%$'\n'*} in
    '# '* | '// '*)
      local name=${1%%$'\n'*}
      name=${name#* }
      printf '%s\n' "$1" >"$name"
      [[ $name != main.cpp || $(sed 's,//.*,,' main.cpp | grep -c '[^ ]') -le 30 ]] || fail 'more than 30 lines of code'
      files=$((files + 1))
      ;;
    '#include '*) change_entry "$1" ;;
    '$ '*) run_commands <<<"$1" ;;
  esac
}

block='' gap='' section=
while IFS= read -r line; do
  if [[ $line == '## '* ]]; then section=$line; fi
  [[ $section == '## A routing function of your own' ]] || continue
  if [[ $line == '    '* ]]; then
    block+=${block:+$'\n'}${gap}${line#    }
    gap=
  elif [[ -z $line ]]; then
    gap+=${block:+$'\n'}
  elif [[ -n $block ]]; then
    take "$block"
    block='' gap=
  fi
done <"$source/docs/library.md"

[[ $commands == 6 && $files == 4 && $changes == 1 ]] || fail "$commands commands, $files files, $changes changes"
[[ -f out/curve/latency_mean.svg ]] || fail 'the report made no picture'
