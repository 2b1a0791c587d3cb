#!/usr/bin/env bash
# run.sh [NAME...]: makes each change of mutations.txt (or those whose names contain one of the words) in a copy of the tree,
# builds the least that notices, and says which test turned red. Status 1 if one survives or does not stand where the list says.
#   --check    only looks whether all of them can be made
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
copy=$root/build/mutation
check=
if [[ ${1:-} == --check ]]; then
  check=1
  shift
fi

# Replaces the one place in a file where a text stands. Status 1 if there is none, or several.
replace() {
  FROM=$2 TO=$3 perl -0777 -pi -e '
    BEGIN { $status = 1 }
    my $n = () = /\Q$ENV{FROM}\E/g;
    if ($n == 1) { s/\Q$ENV{FROM}\E/$ENV{TO}/; $status = 0 }
    END { $? = $status }' "$1"
}
# The tests that turn red: names, one a line.
red_tests() {
  local program=$1 filter=$2 binary
  if [[ $program == regress ]]; then
    (cd "$copy" && ninja -C build/release starloom >build.log 2>&1) || { echo "does not compile: $(grep -m1 error: "$copy/build.log")"; return; }
    "$copy/build/release/sc_main/starloom" regress "$copy/testbenches/scenarios" --filter "$filter" | awk '/ FAILED /{ print $1; exit }'
    return
  fi
  if [[ $program == ctest ]]; then
    (cd "$copy" && ninja -C build/release starloom >build.log 2>&1) || { echo "does not compile: $(grep -m1 error: "$copy/build.log")"; return; }
    ctest --test-dir "$copy/build/release" -R "^$filter\$" >/dev/null 2>&1 || echo "$filter"
    return
  fi
  (cd "$copy" && ninja -C build/release "$program" >build.log 2>&1) || { echo "does not compile: $(grep -m1 error: "$copy/build.log")"; return; }
  binary=$(find "$copy/build/release/tests" -name "$program" -type f)
  (cd "$copy" && "$binary" --gtest_list_tests --gtest_filter="$filter" | sed 's/ *#.*//' | awk '/^[^ ]/ { suite = $1 } /^ / { print suite $1 }') |
    while read -r test; do
      # A process for each, as in ctest; a change may make one run for ever.
      (cd "$copy" && timeout 60 "$binary" --gtest_filter="$test" >/dev/null 2>&1) || { echo "$test"; break; }
    done
}

if [[ -z $check ]]; then
  mkdir -p "$copy"
  # Only what differs, so that what is built is as old as it should be.
  (cd "$root" && git ls-files --cached --others --exclude-standard) | while IFS= read -r path; do
    [[ -f $root/$path ]] || continue
    cmp -s "$root/$path" "$copy/$path" || install -D "$root/$path" "$copy/$path"
  done
  (cd "$copy" && cmake --preset release >/dev/null)
  export CCACHE_BASEDIR=$copy
fi

killed=0 survived=0 stale=0
name='' file='' from='' to='' tests=()
finish() {
  [[ -n $name ]] || return 0
  local word wanted=$((${#words[@]} == 0)) found='' at="$copy/$file" test
  for word in ${words[@]+"${words[@]}"}; do [[ $name == *"$word"* ]] && wanted=1; done
  ((wanted)) || return 0
  if [[ -n $check ]]; then at=$(mktemp) && cp "$root/$file" "$at"; else cp "$root/$file" "$at"; fi
  if ! replace "$at" "$from" "$to"; then
    echo "STALE     $name: does not stand once in $file"
    stale=$((stale + 1))
  elif [[ -z $check ]]; then
    for test in "${tests[@]}"; do
      found=$(red_tests "${test%% *}" "${test#* }")
      [[ -n $found ]] && break
    done
    if [[ -n $found ]]; then
      echo "killed    $name: ${found//$'\n'/, }"
      killed=$((killed + 1))
    else
      echo "SURVIVED  $name"
      survived=$((survived + 1))
    fi
  fi
  if [[ -n $check ]]; then rm "$at"; else cp "$root/$file" "$at"; fi
}

words=("$@")
while IFS= read -r line || [[ -n $line ]]; do
  case $line in
    '= '*)
      finish
      name=${line#= } file='' from='' to='' tests=()
      ;;
    'file '*) file=${line#file } ;;
    'test '*) tests+=("${line#test }") ;;
    -*) from+=${from:+$'\n'}${line#-} ;;
    +*) to+=${to:+$'\n'}${line#+} ;;
  esac
done <"$here/mutations.txt"
finish
[[ -n $check ]] || echo "$killed killed, $survived survived, $stale stale"
((survived + stale == 0))
