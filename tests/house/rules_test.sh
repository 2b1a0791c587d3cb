#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The rules themselves: each accepts a clean tree and finds one planted fault.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

clean_tree() {
  rm -rf "$work/tree"
  mkdir -p "$work"/tree/{modules/starloom/{core,topology,algorithms/greedy,fabric},testbenches/starloom/referee,cmake,.ci}
  cd "$work/tree"
  cp "$here/../../.clang-format" .
  printf '#pragma once\n#include <starloom/core/b.hpp>\n#include <vector>\n// no SystemC: <systemc>, using namespace std;\n' \
    >modules/starloom/core/a.hpp
  printf '#include <starloom/algorithms/b.hpp>\n#include <starloom/topology/b.hpp>\n' >modules/starloom/algorithms/greedy/a.cpp
  printf '#pragma once\n#include <systemc>\n' >modules/starloom/fabric/a.hpp
  printf '#include <starloom/core/a.hpp>\n' >testbenches/starloom/referee/a.cpp
  printf '#pragma once\n' | tee modules/starloom/{core,topology,algorithms}/b.hpp >/dev/null
  find . -name '*.[ch]pp' -exec sed -i '1i // SPDX-License-Identifier: Apache-2.0' {} +
  printf -- '-std=c++17\n-Imodules\n-Itestbenches\n' >compile_flags.txt
  printf '# comment\ng++  compiler\n' >cmake/packages.txt
  printf '1. `modules/starloom/algorithms/NAME/a.cpp`\n' >CONTRIBUTING.md
  printf '# SPDX-License-Identifier: Apache-2.0\ntrue\n' | tee run.sh test.sh .ci/run >cmake/setup.sh
  chmod +x run.sh test.sh .ci/run
}
accepts() {
  bash "$here/rules.sh" "$@" || { echo "rejected although legal: $*"; failures=1; }
}
rejects() {  # TEXT RULE...: the report contains TEXT
  local text=$1 report
  shift
  if report=$(bash "$here/rules.sh" "$@") || [[ $report != *"$text"* ]]; then
    echo "not found: $* ($text): $report"
    failures=1
  fi
}
plant() {  # RULE FILE LINE: the line breaks the rule
  clean_tree
  accepts "$1" "$work/tree"
  mkdir -p "$(dirname "$2")"
  printf '%s\n' "$3" >>"$2"
  rejects "$2" "$1" "$work/tree"
}

for header in '<systemc>' '<systemc.h>' '"systemc"' '<tlm>' '<tlm.h>' '<tlm_utils/simple_initiator_socket.h>' \
  '<sysc/kernel/sc_event.h>'; do
  plant no_systemc_in_plain_rooms modules/starloom/core/a.hpp "#include $header"
done
plant no_systemc_in_plain_rooms modules/starloom/algorithms/greedy/a.cpp ' # include <systemc>'
plant no_systemc_in_plain_rooms tlm/starloom/message/a.cpp '#include <tlm>'
plant no_systemc_in_plain_rooms testbenches/starloom/traffic/a.cpp '#include <systemc>'
plant contributing_names_files CONTRIBUTING.md '2. `modules/starloom/core/c.hpp`: not there'
plant arrows_point_one_way modules/starloom/core/a.hpp '#include <starloom/topology/grid/grid.hpp>'
plant arrows_point_one_way modules/starloom/algorithms/greedy/a.cpp '#include <starloom/fabric/links/fabric.hpp>'
plant arrows_point_one_way testbenches/starloom/referee/a.cpp '#include <starloom/control/links/algorithm.hpp>'
plant arrows_point_one_way testbenches/starloom/referee/a.cpp '#include <starloom/fabric/links/fabric.hpp>'
plant arrows_point_one_way modules/starloom/core/a.hpp '#include "ids.hpp"'
plant arrows_point_one_way sc_main/starloom/campaign/a.cpp '#include <starloom/commands/list.hpp>'
plant audits_share_no_code modules/starloom/algorithms/greedy/greedy_audit.cpp '#include <starloom/algorithms/greedy/way.hpp>'
plant rooms_are_complete modules/starloom/elsewhere/a.cpp 'int a;'
plant files_are_formatted modules/starloom/fabric/a.hpp 'int  f( );  // spaced'
plant systemc_without_h_or_macros modules/starloom/fabric/a.hpp '#include <systemc.h>'
plant systemc_without_h_or_macros modules/starloom/fabric/a.hpp 'SC_MODULE(Node) {};'
plant lines_keep_to_120_columns modules/starloom/core/a.hpp "// $(printf '%.0sx' {1..118})"
plant no_using_namespace_in_headers modules/starloom/fabric/a.hpp '  using namespace sc_core;'
plant headers_have_pragma_once modules/starloom/fabric/b.hpp 'int f();'
plant messages_and_files_go_one_way sc_main/starloom/campaign/a.cpp 'void f() { fmt::print(stderr, "x"); }'
plant messages_and_files_go_one_way sc_main/starloom/campaign/a.cpp 'std::ofstream out;'
# Literals that are joined, raw ones, templates; comments of sources and scripts; pages by paragraph and cell. Code and other
# pages are free.
plant plain_words sc_main/starloom/commands/a.cpp 'const char* text = "the byte is no number";'
plant plain_words sc_main/starloom/commands/a.cpp $'const char* text = "it stands "  // which\n    "in the file";'
plant plain_words modules/starloom/core/a.hpp 'const char* text = R"(a "raw" text that tells it)";'
plant plain_words waveforms/replay/a.js 'const text = `${count} flits are left over`;'
plant plain_words modules/starloom/core/a.hpp $'/// What a packet\n/// has.'
plant plain_words modules/starloom/core/a.hpp 'int a = 0;  ///< the packet that stands there'
plant plain_words waveforms/replay/a.js 'const a = 1; // nobody'
plant plain_words tests/unit/a_test.cpp '// A packet that is no flit.'
plant plain_words cmake/setup.sh $'# A packet has so\n# many flits.'
plant plain_words tests/CMakeLists.txt $'set(a b)  \x23 what stands there'
plant plain_words testbenches/scenarios/a.yaml '# A packet that is no flit.'
plant plain_words README.md $'A packet has so\nmany flits.'
plant plain_words README.md '| a cell | Who sends it is wrong. |'
plant plain_words docs/check.md 'Of the packets three are late.'
clean_tree
mkdir modules/starloom/algorithms/{kunde,links}
printf '#include <starloom/algorithms/links/a.hpp>\n' | tee modules/starloom/algorithms/{kunde,links}/b.cpp >/dev/null
accepts algorithms_have_an_order "$work/tree"
printf '#include <starloom/algorithms/kunde/a.hpp>\n' >modules/starloom/algorithms/greedy/c.cpp
printf '#include <starloom/algorithms/greedy/a.hpp>\n' >modules/starloom/algorithms/links/c.cpp
rejects 'algorithms/kunde is part of a circle' algorithms_have_an_order "$work/tree"
clean_tree
mkdir -p waveforms/replay
printf '// It reports.\nconst char* text = "there is no file, so it\\n" + tells + "has no link";\n' >waveforms/replay/c.js
printf '    $ a command that tells\n\nWho am I? See `tells`.\n' >README.md
printf 'A page that tells.\n' >OTHER.md
accepts plain_words "$work/tree"
plant scripts_parse run.sh 'if'
plant headers_resolve modules/starloom/core/a.hpp '#include <starloom/core/elsewhere.hpp>'
plant headers_resolve modules/starloom/core/a.hpp '#include "elsewhere.hpp"'
plant sources_name_their_licence modules/starloom/core/c.cpp 'int a;'
plant sources_name_their_licence tests/CMakeLists.txt 'add_subdirectory(unit)'
# The table itself: an arrow that points up, and one that no include line needs.
cd "$work"
rm -rf tree house
mkdir -p "$work"/tree/modules/starloom/schema "$work/house"
cp "$here"/{rules.sh,arrows.txt} "$work/house"
sed -i 's#^core  .*#& topology#' "$work/house/arrows.txt"
if bash "$work/house/rules.sh" arrows_point_one_way "$work/tree" >"$work/said" || ! grep -q 'core -> topology' "$work/said"; then
  echo "not found: an arrow that points up: $(cat "$work/said")"
  failures=1
fi
printf '#include <starloom/core/a.hpp>\n#include <starloom/support/a.hpp>\n' >"$work/tree/modules/starloom/schema/a.hpp"
accepts arrows_are_needed "$work/tree"
sed -i 2d "$work/tree/modules/starloom/schema/a.hpp"
rejects 'schema -> support' arrows_are_needed "$work/tree"
clean_tree
printf '// first\n#include <starloom/core/a.hpp>\n#include <vector>\n' >modules/starloom/core/a.cpp
accepts sources_include_their_header_first "$work/tree"
sed -i '2d' modules/starloom/core/a.cpp
rejects modules/starloom/core/a.cpp sources_include_their_header_first "$work/tree"
clean_tree
chmod -x test.sh
rejects 'test.sh is not executable' scripts_parse "$work/tree"
for line in 'cmake' 'cmake  ' 'cmake no-gap'; do
  clean_tree
  accepts packages_have_reasons "$work/tree"
  echo "$line" >>cmake/packages.txt
  rejects "$line" packages_have_reasons "$work/tree"
done
for list in packages.txt packages-tests.txt; do
  clean_tree
  echo 'g++  again' >>"cmake/$list"
  rejects 'g++' packages_have_reasons "$work/tree"
done

compiled_at() {  # LEVEL LEVEL: of precompiled headers, of a source
  printf '[{"command": "c++ -O3 %s -include /b/cmake_pch.hxx -c /b/cmake_pch.hxx.cxx",\n},{\n' "$1"
  printf '"command": "c++ -DA=\\"b\\" -O3 %s -include /b/cmake_pch.hxx -o x.o -c /x.cpp",\n}]\n' "$2"
}
compiled_at -Og -Og >"$work/compile_commands.json"
accepts precompiled_headers_have_one_level "$work"
compiled_at -O1 '' >"$work/compile_commands.json"
rejects '/x.cpp /b/cmake_pch.hxx: compiled at -O3, its precompiled headers at -O1' precompiled_headers_have_one_level "$work"

accepts links referee starloom_core starloom_topology starloom_flags fmt::fmt
rejects starloom_algorithms links referee starloom_core starloom_algorithms
rejects starloom_fabric links referee starloom_core starloom_fabric
rejects 'no target' links referee no_such_target
accepts links simulation starloom_fabric PkgConfig::SYSTEMC
accepts links verify starloom_core starloom_topology starloom_referee starloom_trace_io
rejects starloom_fabric links verify starloom_trace_io starloom_fabric
rejects SystemC links core PkgConfig::SYSTEMC
rejects starloom_topology links core starloom_topology
exit "$failures"
