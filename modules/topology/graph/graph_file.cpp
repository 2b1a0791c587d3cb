#include <starloom/topology/graph/graph_file.hpp>

#include <starloom/core/data_file.hpp>
#include <starloom/topology/graph/graph_draft.hpp>
#include <starloom/topology/graph/graph_yaml.hpp>
#include <starloom/topology/graph/router_list.hpp>

namespace starloom {

NetworkGraph read_graph(DataFile& file) {
  constexpr const char* byte_order_mark = "\xef\xbb\xbf";  // some editors begin a text with it
  GraphDraft draft(file);
  const std::string& text = file.text();
  const std::string plain = text.compare(0, 3, byte_order_mark) == 0 ? text.substr(3) : text;
  if (is_router_list(plain)) read_router_list(plain, draft);
  else read_graph_yaml(plain, draft);
  return draft.build();
}

}  // namespace starloom
