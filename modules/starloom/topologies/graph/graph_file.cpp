// SPDX-License-Identifier: Apache-2.0
#include <starloom/topologies/graph/graph_file.hpp>

#include <starloom/schema/data_file.hpp>
#include <starloom/topologies/graph/graph_draft.hpp>
#include <starloom/topologies/graph/graph_yaml.hpp>
#include <starloom/topologies/graph/router_list.hpp>

namespace starloom {

NetworkGraph read_graph(DataFile& file) {
  GraphDraft draft(file);
  if (is_router_list(file.text())) read_router_list(file.text(), draft);
  else read_graph_yaml(file.text(), draft);
  return draft.build();
}

}  // namespace starloom
