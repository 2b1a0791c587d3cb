// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/network_json.hpp>

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include <starloom/json/json_text.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/network_graph_builder.hpp>

namespace starloom::links {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;
using PortNames = std::pair<Names, Names>;  ///< out, in

PortNames port_names(const NetworkGraph& graph, NodeId node) {
  PortNames names;
  for (Port port = 0; port < graph.ports(); ++port) {
    names.first.push_back(graph.out_port_name(node, port));
    names.second.push_back(graph.in_port_name(node, port));
  }
  return names;
}

/// A list with one element per line.
std::string lines(const std::vector<Json>& entries) {
  std::string text;
  for (const Json& entry : entries) text += (text.empty() ? "\n    " : ",\n    ") + entry.dump();
  return "[" + text + "\n  ]";
}

Json arrangement_json(const std::optional<Grid>& arrangement) {
  if (!arrangement) return nullptr;
  return {{"topology", arrangement->kind_name()}, {"shape", arrangement->shape()}};
}

/// Users' topologies may have slower links than files can give (docs/topologies.md), but readers have a slot for each
/// step of a link's latency.
constexpr std::int64_t most_link_steps = 65'536;

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  LinkNetwork read(std::istream& stream) {
    const Json root = parsed(stream);
    std::vector<PortNaming> ports;
    each(root, "ports", [&](const Json& entry) {
      ports.push_back(builder_.name_ports(entry.at("out").get<Names>(), entry.at("in").get<Names>()));
    });
    each(root, "nodes", [&](const Json& entry) {
      const auto position = entry.at("place").get<std::vector<double>>();
      builder_.add_node(role(entry.at("role").get<std::string>()), entry.at("name").get<std::string>(),
                        PaperPosition{position.at(0), position.at(1)}, ports.at(entry.at("ports").get<std::size_t>()));
    });
    each(root, "links", [&](const Json& entry) {
      builder_.add_link(end(entry.at("from")), end(entry.at("to")),
                        {number(entry, "latency", 1, most_link_steps), number(entry, "interval", 1, most_link_steps),
                         entry.contains("phits") ? number(entry, "phits", 1, most_link_steps) : 1});
    });
    return at("", [&] {
      if (const Json& grid = root.at("arrangement"); !grid.is_null()) builder_.set_arrangement(arrangement(grid));
      return LinkNetwork{
          root.at("title").get<std::string>(), builder_.build(), {}, root.at("topology").get<std::string>()};
    });
  }

 private:
  Json parsed(std::istream& stream) const {
    return parse_json_file({std::istreambuf_iterator<char>(stream), {}}, file_);
  }
  /// The result of `read`; its errors get file and location.
  template <class Read>
  auto at(const std::string& position, const Read& read) const -> decltype(read()) try {
    return read();
  } catch (const std::out_of_range&) {
    throw InputError(file_ + ": " + position + "a number in the file is too large");
  } catch (const std::exception& error) {  // of the JSON library, of the builder
    throw InputError(file_ + ": " + position + without_library(error.what()));
  }
  template <class Read>
  void each(const Json& root, const std::string& list, const Read& read) const {
    const Json entries = at(list + ": ", [&] { return root.at(list); });
    for (std::size_t i = 0; i < entries.size(); ++i)
      at(list + "[" + std::to_string(i) + "]: ", [&] { read(entries.at(i)); });
  }

  static NodeRole role(const std::string& word) {
    if (const auto known = node_role(word)) return *known;
    throw InputError("role is " + word + ", neither processor nor switch nor host");
  }
  /// The integer at a key or index; conversion to a narrower type must not change it.
  template <class PathStep>
  static std::int32_t number(const Json& parent, const PathStep& position, std::int64_t least, std::int64_t most) {
    const Json& value = parent.at(position);
    const auto found = value.is_number_integer() ? value.get<std::int64_t>() : -1;
    if (found < least || found > most)
      throw InputError(fmt::format("{} is not an integer from {} to {}", Json(position).dump(), least, most));
    return static_cast<std::int32_t>(found);
  }
  static LinkEnd end(const Json& pair) {
    return {number(pair, std::size_t{0}, 0, std::numeric_limits<NodeId>::max()),
            number(pair, std::size_t{1}, 0, max_ports - 1)};
  }
  static Grid arrangement(const Json& grid) {
    const auto shape = grid.at("shape").get<std::vector<std::int64_t>>();
    const auto kind = grid.at("topology").get<std::string>();
    if (kind != "mesh" && kind != "torus")
      throw InputError("arrangement.topology is " + kind + ", neither mesh nor torus");
    return kind == "mesh" ? Grid::mesh(shape) : Grid::torus(shape);
  }

  std::string file_;
  NetworkGraphBuilder builder_;
};

}  // namespace

std::string network_json(const LinkNetwork& network) {
  const NetworkGraph& graph = network.graph;
  std::map<PortNames, std::size_t> makes;  // each set of port names once
  std::vector<Json> ports, nodes, links;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const auto [make, fresh] = makes.emplace(port_names(graph, node), makes.size());
    if (fresh) ports.push_back({{"out", make->first.first}, {"in", make->first.second}});
    const PaperPosition position = graph.position(node);
    nodes.push_back({{"name", graph.node_name(node)},
                     {"role", node_role_names[static_cast<std::size_t>(graph.role(node))]},
                     {"ports", make->second},
                     {"place", {position.x, position.y}}});
    for (const Port port : graph.out_ports(node)) {
      const LinkEnd far = graph.far_end(node, port);
      links.push_back({{"from", {node, port}},
                       {"to", {far.node, far.port}},
                       {"latency", graph.latency(node, port) / graph.period(node)},
                       {"interval", graph.interval(node, port) / graph.period(node)}});
      if (graph.phits(node, port) > 1) links.back()["phits"] = graph.phits(node, port);
    }
  }
  return "{\n  \"schema\": 1,\n  \"title\": " + Json(network.title).dump() +
         ",\n  \"topology\": " + Json(network.topology).dump() +
         ",\n  \"arrangement\": " + arrangement_json(graph.arrangement()).dump() + ",\n  \"ports\": " + lines(ports) +
         ",\n  \"nodes\": " + lines(nodes) + ",\n  \"links\": " + lines(links) + "\n}\n";
}

LinkNetwork read_network_json(const std::filesystem::path& file) {
  if (const std::string why = why_unreadable(file); !why.empty())
    throw InputError(file.string() + ": cannot be read: " + why);
  std::ifstream stream(file);
  if (!stream) throw InputError(file.string() + ": cannot be read");
  return Reader(file.string()).read(stream);
}

}  // namespace starloom::links
