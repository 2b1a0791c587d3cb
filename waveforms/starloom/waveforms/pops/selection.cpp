// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/pops/selection.hpp>

#include <starloom/support/error.hpp>
#include <starloom/topology/instance_glob.hpp>

namespace starloom::pops {
namespace {

std::string refusal(const Pops& pops, const std::string& glob) {
  std::vector<std::string> processors, buffers, couplers, rows, columns;
  for (NodeId node = 0; node < pops.nodes(); ++node) {
    processors.push_back(pops.node_name(node));
    buffers.push_back(processors.back() + ".buffer");
  }
  for (std::int32_t from = 0; from < pops.groups(); ++from) {
    rows.push_back(pops.row_name(from));
    columns.push_back(pops.column_name(from));
    for (std::int32_t to = 0; to < pops.groups(); ++to) couplers.push_back(pops.coupler_name(to, from));
  }
  const std::string kinds = "the processors are " + processors.front() + " to " + processors.back() +
                            ", a coupler is " + couplers.front() + ", the couplers of a group are " + rows.front() +
                            " or " + columns.front() + ", a buffer is " + buffers.front();
  return no_match_text(glob, {processors, couplers, rows, columns, buffers}, kinds);
}

}  // namespace

ShownParts choose_instances(const Pops& pops, const std::vector<std::string>& globs) {
  GlobList list(globs);
  ShownParts shown;
  for (NodeId node = 0; node < pops.nodes(); ++node) {
    const std::string name = pops.node_name(node);
    const bool whole = list.matches(name), buffer = list.matches(name + ".buffer");
    if (whole || buffer) shown.processors.push_back({node, whole});
  }
  std::vector<bool> columns;  // [destination group]
  for (std::int32_t to = 0; to < pops.groups(); ++to) columns.push_back(list.matches(pops.column_name(to)));
  for (std::int32_t from = 0; from < pops.groups(); ++from) {
    const bool row = list.matches(pops.row_name(from));
    for (std::int32_t to = 0; to < pops.groups(); ++to) {
      const bool alone = list.matches(pops.coupler_name(to, from));
      if (alone || row || columns[static_cast<std::size_t>(to)]) shown.couplers.push_back({from, to});
    }
  }
  list.require_matches([&](const std::string& glob) { return refusal(pops, glob); });
  return shown;
}

}  // namespace starloom::pops
