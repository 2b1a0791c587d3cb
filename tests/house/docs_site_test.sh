#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The site of the documentation: all links of the real one lead somewhere, and each planted fault is found. Arguments: the
# source tree.
set -euo pipefail
tree=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
site() { /usr/bin/python3 -B "$tree/cmake/docs_site.py" "$1" "$work/site"; }

site "$tree" || { echo "the site of $tree has faults"; failures=1; }
for file in index.html CHANGELOG.html docs/index.html docs/algorithms/index.html search/search_index.json; do
  [[ -s $work/site/$file ]] || { echo "$file is missing"; failures=1; }
done
for page in "$tree"/docs/*.md; do
  grep -qF "\"$(sed -n '1s/^# *//p' "$page" | tr -d '`')\"" "$work/site/search/search_index.json" ||
    { echo "the search does not find $page"; failures=1; }
done

small_tree() {
  rm -rf "$work/tree"
  mkdir -p "$work/tree/docs/sorts"
  cd "$work/tree"
  printf '# Home\n\n[Docs](docs/README.md), [a file](run.sh), [elsewhere](https://example.org/)\n' >README.md
  printf '# Page\n' | tee CONTRIBUTING.md SECURITY.md CHANGELOG.md >run.sh
  printf '# Docs\n\n[a](a.md)\n\n## Theory\n\n[sorts](sorts/README.md)\n\n## Change\n\n[how](../CONTRIBUTING.md) [safe](../SECURITY.md) [new](../CHANGELOG.md)\n' \
    >docs/README.md
  printf '# A, b / c\n\n[up](#a-b--c), [down](sorts/one.md#one)\n\n    [in code](missing.md)\n' >docs/a.md
  printf '# Sorts\n\n[one](one.md)\n' >docs/sorts/README.md
  printf '# One\n' >docs/sorts/one.md
}
finds() {  # TEXT FILE LINE: the fault that the line makes is reported with the text
  small_tree
  printf '\n%s\n' "$3" >>"$2"
  local report
  if report=$(site . 2>&1) || [[ $report != *"$1"* ]]; then
    echo "not found: $3 in $2 ($1): $report"
    failures=1
  fi
}
small_tree
site . || { echo "the small site is without faults"; failures=1; }
grep -q 'href="../run.sh"\|href="run.sh"' "$work/site/index.html" && [[ -f $work/site/run.sh ]] ||
  { echo "a linked file is not part of the site"; failures=1; }
finds 'docs/missing.md, which is not a file' docs/a.md '[x](missing.md)'
finds 'docs/sorts, which is not a file' docs/a.md '[a folder](sorts/)'
finds '../outside.md, which is not a file' docs/a.md '[x](../../outside.md)'
finds 'leads to no heading' docs/a.md '[x](sorts/one.md#two)'
finds 'leads to no heading' docs/a.md '[x](#nowhere)'
finds 'leads to no file' docs/a.md '<img src="missing.png" alt="a picture">'
finds 'is not a web address' docs/a.md '[x](file:///etc/passwd)'
finds 'docs/sorts/two.md: no index links to this page' docs/sorts/two.md '# Two'
exit "$failures"
