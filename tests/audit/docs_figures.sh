#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds docs/papers to what it says: every command and test that a row names exists, every figure that it names repeats.
#   tests/audit/docs_figures.sh [--named|--quick] [PROGRAM [PAGE...]]
# --named: nothing is run; commands are checked, tests are sought, algorithm pages must link back to their papers.
# --quick: that, and all runs but those that a page says take longer, like `(60 s)` behind the command, and campaigns.
# Without either, everything: hours, and campaigns are held to their references.
# A figure of a row, `name` VALUE in its column "measured", is expected of its one run.
# Status 1 if anything is wrong. docs/papers/README.md says how rows are written.
set -u -f
mode=all
case ${1-} in
  --named | --quick) mode=${1#--} && shift ;;
  -*) echo "docs_figures.sh: $1 is no option: --named and --quick are" >&2 && exit 2 ;;
esac
project=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "${1:-$project/build/release/sc_main/starloom}") && shift
set +f
pages=("$@")
[ ${#pages[@]} -gt 0 ] || pages=("$project"/docs/papers/*.md)
set -f
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$project" || exit 1
wrong=0 rows=0 runs=0 figures=0

complain() {
  echo "$place: $*" >&2
  wrong=$((wrong + 1))
}

# The texts in backticks in a cell, one per line.
quoted() { grep -o '`[^`]*`' <<<"$1" | tr -d '`'; }

# True if the page says that the command takes longer.
is_long() { [[ $shows =~ "\`$1\` ("[0-9]+" "(s|min)")" ]]; }

# A command, its words in the array `words`, does what it is said to do: exists, or ends well, with these figures.
try() {
  if [ "$mode" = named ]; then
    case ${words[1]} in
      run | draw) "$program" check "${words[@]:2}" ;;
      campaign) "$program" campaign "${words[@]:2}" --dry-run --store "$work/dry.sqlite" ;;
      *) false ;;
    esac >"$work/said" 2>&1 || complain "${words[*]}: $(tail -n 1 "$work/said")"
    return
  fi
  if [ "$mode" = quick ] && { [ "${words[1]}" = campaign ] || is_long "$1"; }; then return; fi
  local more=()
  case ${words[1]} in
    run) more=(--set "expect={$2}" --quiet --no-packets --force --out "$work/out") ;;
    campaign) more=(--store "$work/$runs.sqlite") ;;
  esac
  runs=$((runs + 1))
  "$program" "${words[@]:1}" "${more[@]}" >"$work/said" 2>&1 ||
    { grep -q 'expectation missed' "$work/said" && complain "$(grep 'expectation missed' "$work/said")"; } ||
    [[ $2 == *outcome:\ [!c]* ]] || complain "${words[*]}: $(head -n 1 "$work/said")"
  [ "${words[1]}" != campaign ] || "$program" report "${words[@]:2}" "${more[@]}" --out "$work/report" >"$work/said" 2>&1 ||
    complain "$(grep 'reference missed' "$work/said" || tail -n 1 "$work/said")"
}

for page in "${pages[@]}"; do
  while IFS="|" read -r number _ claim where shows printed measured _; do
    place="${page#"$project"/}:$number"
    [ "$claim" != " claim " ] && [[ $claim != " ---"* ]] || continue
    rows=$((rows + 1))
    for link in $(grep -o '](\.\./[^)#]*' <<<"$where"); do
      target=docs/${link#"](../"}
      if [ ! -f "$target" ]; then complain "there is no $target"
      elif [[ $target == docs/algorithms/* ]] && ! grep -q "papers/$(basename "$page")" "$target"; then
        complain "$target does not link to this page"
      fi
    done
    expected="outcome: completed" own=0
    while read -r figure; do
      [ -n "$figure" ] || continue
      [[ $figure != outcome:* ]] || expected=
      expected+=${expected:+, }$figure own=$((own + 1))
    done < <(grep -oE '`([a-z_.]+` [0-9]+([.][0-9]+)?|outcome` [a-z-]+)' <<<"$measured" | sed 's/`//; s/` /: /')
    figures=$((figures + own))
    of_runs=0
    while read -r name; do
      case $name in
        "") ;;
        "starloom "*)
          eval "words=($name)"
          [ "${words[1]}" != run ] || of_runs=$((of_runs + 1))
          try "$name" "$expected" ;;
        *)
          suite=${name%%.*}
          grep -rqE "^TEST(_F|_P)?\\($suite, *$([[ $name == *.* ]] && echo "${name#*.}[,)]")" tests --include='*.cpp' ||
            complain "there is no test $name" ;;
      esac
    done < <(quoted "$shows")
    [ "$own" = 0 ] || [ "$of_runs" = 1 ] || complain "figures of $of_runs runs: a row with figures has one"
  done < <(awk -F'|' 'NF == 8 {print FNR "|" $0}' "$page")
done
[ "$rows" -gt 0 ] || { echo "no rows in ${pages[*]}" >&2 && exit 1; }
echo "$rows rows, $figures figures, $runs commands run, $wrong wrong"
[ "$wrong" = 0 ]
