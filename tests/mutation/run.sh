#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [NAME...]: makes each change of mutations.txt (or those whose names contain one of the words) in a copy of the tree,
# and says which test turns red. First the changed file is compiled alone and linked in front of all else, which takes seconds;
# changes that do not turn red in this way are built in full. Status 1 if a change survives or its text is not found.
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
# The rest works in the folder of the copy's build.

# The object quick.o: a source of the copy, with the flags of its target. `$2`: what is compiled in its place. Headers in
# `shadow` come before all others.
compile_quick() {
  local unit flags
  unit=$(grep -lrF --include='unity_*.cxx' "$copy/$1\"" . | head -n 1)
  flags=$(ninja -t commands all | grep -F -m 1 -- "-c $PWD/${unit#./}" | sed 's# -MD .*##; s#/c++ #&-Ishadow #')
  eval "$flags -o quick.o -c '$2'"
}
# A program with that object in front: of what stands twice in it the first is taken. What others have inlined of the changed
# file stays as it was: what turns red is red, what does not may be so in full.
link_quick() {
  eval "$(ninja -t commands "$1" | tail -n 1 | sed -E 's# && cd .*##; s#^: && ##; s# -o [^ ]*# quick.o -Wl,-z,muldefs -o quick#')"
}
# The first test that turns red: `program of its line, filter, the program built`.
red_test() {
  local test names
  if [[ $1 == regress ]]; then
    "$3" regress "$copy/testbenches/scenarios" --filter "$2" | awk '/ FAILED /{ print $1; exit }'
    return 0
  fi
  if [[ $1 == ctest ]]; then
    ctest -R "^$2\$" >/dev/null 2>&1 || echo "$2"
    return 0
  fi
  names=$("$3" --gtest_list_tests --gtest_filter="$2" | sed 's/ *#.*//' |
    awk '/^[^ ]/ { suite = $1 } /^ / { print suite $1 }')
  [[ -n $names ]] || echo "no test of $1 matches $2" >>unmatched
  while read -r test; do
    # A process for each, as in ctest; a change may make one run for ever.
    timeout 60 "$3" --gtest_filter="$test" >/dev/null 2>&1 </dev/null && continue
    (($? == 124)) && test+=" (does not end)"
    echo "$test"
    break
  done <<<"$names"
  return 0
}
# The tests of the change in hand, one after the other, until one turns red: it is printed. Status 1 if it cannot be built.
try_quick() {
  local source test target
  rm -rf shadow
  for test in "${tests[@]}"; do
    target=${test%% *}
    # Tests that start the program need all of it.
    [[ $target =~ ^(ctest|test_(cli|system|faults))$ ]] && continue
    [[ $target == regress ]] && target=starloom
    ninja "$target" >&2 || return 1
  done
  if [[ $file == *.cpp ]]; then
    cp "$changed" quick.cpp
    compile_quick "$file" quick.cpp >&2 || return 1
  else
    install -D "$changed" "shadow/${file#*/}"
    compile_quick "$seen_in" "$copy/$seen_in" >&2 || return 1
  fi
  for test in "${tests[@]}"; do
    target=${test%% *}
    [[ $target =~ ^(ctest|test_(cli|system|faults))$ ]] && continue
    [[ $target == regress ]] && target=starloom
    link_quick "$target" >&2 || return 1
    found=$(red_test "${test%% *}" "${test#* }" ./quick)
    [[ -z $found ]] || { echo "$found"; return; }
  done
}
try_full() {
  local test target status=0
  cp "$changed" "$copy/$file"
  for test in "${tests[@]}"; do
    target=${test%% *}
    [[ $target =~ ^(regress|ctest)$ ]] && target=starloom
    ninja "$target" >&2 || { status=1; break; }
    found=$(red_test "${test%% *}" "${test#* }" "$(find . -name "$target" -type f -perm -u+x)")
    [[ -z $found ]] || { echo "$found"; break; }
  done
  cp "$root/$file" "$copy/$file"
  return "$status"
}

if [[ -z $check ]]; then
  mkdir -p "$copy"
  # Only what differs, so that what is built is as old as it should be; what the tree no longer has is removed.
  (cd "$root" && git ls-files --cached --others --exclude-standard) | while IFS= read -r path; do
    [[ -f $root/$path ]] || continue
    cmp -s "$root/$path" "$copy/$path" || install -D "$root/$path" "$copy/$path"
  done
  cd "$copy"
  find . -path ./build -prune -o -type f -print | while IFS= read -r path; do [[ -f $root/$path ]] || rm "$path"; done
  [[ -f build/release/build.ninja ]] || cmake --preset release >/dev/null
  cd build/release
fi

killed=0 survived=0 stale=0
name='' file='' seen_in='' from='' to='' tests=()
changed=$(mktemp)
trap 'rm "$changed"' EXIT
finish() {
  [[ -n $name ]] || return 0
  local word wanted=$((${#words[@]} == 0)) found=''
  for word in ${words[@]+"${words[@]}"}; do [[ $name == *"$word"* ]] && wanted=1; done
  ((wanted)) || return 0
  cp "$root/$file" "$changed"
  if ! replace "$changed" "$from" "$to"; then
    echo "STALE     $name: is not exactly once in $file"
    stale=$((stale + 1))
    return 0
  fi
  [[ -z $check ]] || return 0
  rm -f unmatched
  if { found=$(try_quick 2>build.log) && [[ -n $found ]]; } || found=$(try_full 2>>build.log); then
    if [[ -s unmatched ]]; then
      echo "STALE     $name: $(head -1 unmatched)"
      stale=$((stale + 1))
    elif [[ -n $found ]]; then
      echo "killed    $name: $found"
      killed=$((killed + 1))
    else
      echo "SURVIVED  $name"
      survived=$((survived + 1))
    fi
  else
    echo "STALE     $name: cannot be built: $(grep -m 1 error: build.log)"
    stale=$((stale + 1))
  fi
}

words=("$@")
while IFS= read -r line || [[ -n $line ]]; do
  case $line in
    '= '*)
      finish
      name=${line#= } file='' seen_in='' from='' to='' tests=()
      ;;
    'file '*) file=${line#file } ;;
    'in '*) seen_in=${line#in } ;;
    'test '*) tests+=("${line#test }") ;;
    -*) from+=${from:+$'\n'}${line#-} ;;
    +*) to+=${to:+$'\n'}${line#+} ;;
  esac
done <"$here/mutations.txt"
finish
[[ -n $check ]] || echo "$killed killed, $survived survived, $stale stale"
((survived + stale == 0))
