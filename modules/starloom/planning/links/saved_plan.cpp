// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/links/saved_plan.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include <starloom/json/json_text.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/nearest.hpp>

namespace starloom::links {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t greatest = std::numeric_limits<std::int32_t>::max();

/// All keys except the paths.
Json heading(const Grid& grid, const std::vector<Packet>& packets, std::int32_t flits, Step length) {
  Json json;
  json["schema"] = 1;
  json["network"] = {{"topology", grid.kind_name()}, {"shape", grid.shape()}};
  json["flits"] = flits;
  json["length"] = length;
  json["sources"] = Json::array();
  json["destinations"] = Json::array();
  for (const Packet& packet : packets) {
    json["sources"].push_back(packet.source);
    json["destinations"].push_back(packet.destination);
  }
  return json;
}

/// One line per key: short enough to read, and a changed packet is a changed line.
std::string text_of(const Json& json) {
  std::string text = "{";
  for (const auto& [key, value] : json.items())
    text += (text.size() == 1 ? "\n  " : ",\n  ") + Json(key).dump() + ": " + value.dump();
  return text + "\n}\n";
}

/// A document; its errors name the location, as in `plan.json: starts[3]: ...`.
class Reader {
 public:
  Reader(const std::string& text, const std::string& name)
      : name_(name), root_(parse_json_file(text, name, "; a plan is a JSON file that plan --save has written")) {
    if (!root_.is_object()) fail("the file", "is not a JSON object; write the plan again with plan --save");
  }

  [[noreturn]] void fail(const std::string& location, const std::string& text) const {
    throw InputError(name_ + ": " + location + ": " + text);
  }

  const Json& root() const { return root_; }

  const Json& at(const Json& object, const std::string& key) const {
    const auto found = object.find(key);
    if (found == object.end()) fail(key, "is missing; write the plan again with plan --save");
    return *found;
  }
  void only(const Json& object, const std::vector<std::string>& keys) const {
    for (const auto& [key, value] : object.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        fail(escape(key), "is not a key of a plan" + did_you_mean(key, keys));
  }

  std::int64_t integer(const Json& value, const std::string& location, std::int64_t least, std::int64_t most) const {
    const std::string range = "between " + std::to_string(least) + " and " + std::to_string(most);
    if (!value.is_number_integer()) fail(location, shown(value) + " is not an integer " + range);
    const bool above = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
    if (above || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most)
      fail(location, shown(value) + " is not " + range);
    return value.get<std::int64_t>();
  }

  const Json& list(const Json& object, const std::string& key) const {
    const Json& value = at(object, key);
    if (!value.is_array()) fail(key, shown(value) + " is not a list");
    return value;
  }

  static std::string shown(const Json& value) {
    std::string text = escape(value.dump(-1, ' ', false, Json::error_handler_t::replace));
    return text.size() <= 40 ? text : text.substr(0, 37) + "...";
  }

 private:
  std::string name_;
  Json root_;
};

Grid read_grid(const Reader& file) {
  const Json& network = file.at(file.root(), "network");
  if (!network.is_object()) file.fail("network", Reader::shown(network) + " is not an object");
  file.only(network, {"topology", "shape"});
  const Json& kind = file.at(network, "topology");
  if (kind != "mesh" && kind != "torus")
    file.fail("network.topology", Reader::shown(kind) + R"( is neither "mesh" nor "torus")");
  std::vector<std::int64_t> shape;
  for (const Json& side : file.list(network, "shape"))
    shape.push_back(file.integer(side, "network.shape[" + std::to_string(shape.size()) + "]", 1, greatest));
  try {
    return kind == "mesh" ? Grid::mesh(shape) : Grid::torus(shape);
  } catch (const std::invalid_argument& error) {
    file.fail("network.shape", error.what());
  }
}

std::vector<std::int64_t> read_numbers(const Reader& file, const std::string& key, std::int64_t most) {
  std::vector<std::int64_t> numbers;
  for (const Json& value : file.list(file.root(), key))
    numbers.push_back(file.integer(value, key + "[" + std::to_string(numbers.size()) + "]", 0, most));
  return numbers;
}

std::vector<Port> read_moves(const Reader& file, const Grid& grid, const Packet& packet, const Json& list,
                             const std::string& location) {
  if (!list.is_array()) file.fail(location, Reader::shown(list) + " is not a list of ports");
  std::vector<Port> moves;
  NodeId node = packet.source;
  for (const Json& value : list) {
    const std::string here = location + "[" + std::to_string(moves.size()) + "]";
    if (value.is_null()) {
      moves.push_back(no_port);
      continue;
    }
    const auto port = static_cast<Port>(file.integer(value, here, 0, grid.ports() - 1));
    const NodeId next = grid.neighbour(node, port);
    if (next == no_node) file.fail(here, "node " + std::to_string(node) + " has no link " + grid.port_name(port));
    moves.push_back(port);
    node = next;
  }
  if (node != packet.destination)
    file.fail(location, "the packet ends in node " + std::to_string(node) + ", not in its destination " +
                            std::to_string(packet.destination));
  if (!moves.empty() && (moves.front() == no_port || moves.back() == no_port))
    file.fail(location, "a path begins and ends with a link; to stay at the source is a later start");
  return moves;
}

FirstSegment read_first(const Reader& file, const Grid& grid, const Packet& packet, const Json& value,
                        const std::string& location) {
  if (value != "H" && value != "V") file.fail(location, Reader::shown(value) + R"( is neither "H" nor "V")");
  const bool bends =
      grid.offset(packet.source, packet.destination, 0) != 0 && grid.offset(packet.source, packet.destination, 1) != 0;
  if (value == "V" && !bends) file.fail(location, "the path has no bend; such a packet has \"H\"");
  return value == "H" ? FirstSegment::horizontal : FirstSegment::vertical;
}

}  // namespace

std::string saved_plan_text(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan) {
  Json json = heading(grid, packets, plan.flits, plan.length());
  json["starts"] = Json::array();
  for (std::size_t p = 0; p < packets.size(); ++p) {
    if (!plan.journeys[p].planned())
      throw InputError("packet " + std::to_string(p) +
                       " found no path below the stage limit; plan without stage_limit or in another order");
    json["starts"].push_back(plan.journeys[p].start);
  }
  if (const auto segments = first_segments(grid, packets, plan)) {
    json["first"] = Json::array();
    for (const FirstSegment first : *segments) json["first"].push_back(first == FirstSegment::horizontal ? "H" : "V");
    return text_of(json);
  }
  json["moves"] = Json::array();
  for (const Journey& journey : plan.journeys) {
    Json moves = Json::array();
    for (const Port port : journey.moves) moves.push_back(port == no_port ? Json() : Json(port));
    json["moves"].push_back(moves);
  }
  return text_of(json);
}

SavedPlan read_saved_plan(const std::string& text, const std::string& name) {
  const Reader file(text, name);
  const bool one_bend = file.root().contains("first");
  file.only(file.root(),
            {"schema", "network", "flits", "length", "sources", "destinations", "starts", "first", "moves"});
  if (one_bend && file.root().contains("moves")) file.fail("moves", "a plan has either first or moves");
  file.integer(file.at(file.root(), "schema"), "schema", 1, 1);

  SavedPlan saved{read_grid(file), {}, {}};
  if (one_bend && !saved.grid.has_rows_and_columns())
    file.fail("first", "paths with one bend need a two-dimensional mesh; other plans have moves");
  const auto flits = static_cast<std::int32_t>(file.integer(file.at(file.root(), "flits"), "flits", 1, greatest));
  saved.plan.flits = flits;
  const std::vector<std::int64_t> sources = read_numbers(file, "sources", saved.grid.nodes() - 1);
  const std::vector<std::int64_t> destinations = read_numbers(file, "destinations", saved.grid.nodes() - 1);
  const std::vector<std::int64_t> starts = read_numbers(file, "starts", greatest);
  const std::string paths_key = one_bend ? "first" : "moves";
  const Json& paths = file.list(file.root(), paths_key);
  const auto same_length = [&](const std::string& key, std::size_t size) {
    if (size != sources.size())
      file.fail(key, std::to_string(size) + " entries for " + std::to_string(sources.size()) + " sources");
  };
  same_length("destinations", destinations.size());
  same_length("starts", starts.size());
  same_length(paths_key, paths.size());

  for (std::size_t p = 0; p < sources.size(); ++p) {
    const Packet packet{static_cast<NodeId>(sources[p]), static_cast<NodeId>(destinations[p]), flits, 0};
    const std::string location = paths_key + "[" + std::to_string(p) + "]";
    Journey journey;
    journey.start = starts[p];
    if (one_bend)
      journey.moves = one_bend_moves(saved.grid, packet.source, packet.destination,
                                     read_first(file, saved.grid, packet, paths[p], location));
    else journey.moves = read_moves(file, saved.grid, packet, paths[p], location);
    if (journey.moves.empty() && journey.start != 0)
      file.fail("starts[" + std::to_string(p) + "]", "a packet for its own node has start 0");
    saved.packets.push_back(packet);
    saved.plan.journeys.push_back(journey);
  }
  const Step length = saved.plan.length();
  if (file.integer(file.at(file.root(), "length"), "length", 0, std::numeric_limits<std::int64_t>::max()) != length)
    file.fail("length",
              Reader::shown(file.root()["length"]) + " is not the last arrival, which is " + std::to_string(length));
  return saved;
}

}  // namespace starloom::links
