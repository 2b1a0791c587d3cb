#include "records/run_facts.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "core/error.hpp"

namespace starloom {
namespace {

using nlohmann::json;

constexpr std::int64_t max_int = std::numeric_limits<std::int32_t>::max();

/// Words for the storage models, in the order of RefereeRules::Storage.
constexpr std::string_view storage_names[] = {"store-and-forward", "virtual-channels", "links-only", "never-standing"};
/// Patterns that are open loop without a key `rate`, or whose packets come from outside the model.
constexpr std::string_view open_patterns[] = {"uniform", "application", "netrace", "transactions"};

class Document {
 public:
  explicit Document(const std::filesystem::path& file) : name_(file.string()) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    if (!in) throw InputError(name_ + ": cannot be opened (" + std::generic_category().message(errno) + ")");
    std::string text;
    try {
      text.assign(std::istreambuf_iterator<char>(in), {});
      root_ = json::parse(text);
    } catch (const json::parse_error& fault) {
      const std::size_t at = std::min(fault.byte > 0 ? fault.byte - 1 : 0, text.size());
      const auto begin = text.begin();
      const auto lines = std::count(begin, begin + static_cast<std::ptrdiff_t>(at), '\n');
      const std::size_t newline = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
      const std::size_t column = newline == std::string::npos ? at + 1 : at - newline;
      throw InputError(name_ + ":" + std::to_string(lines + 1) + ":" + std::to_string(column) + ": this is no JSON");
    } catch (const std::ios_base::failure&) {
      throw InputError(name_ + ": cannot be read");
    }
  }

  [[noreturn]] void fail(const std::string& path, const std::string& text) const {
    throw InputError(name_ + ": '" + path + "' " + text);
  }

  /// The value at `a.b.c`, or null if it is absent.
  const json* find(const std::string& path) const {
    const json* value = &root_;
    for (std::size_t begin = 0; begin <= path.size();) {
      const std::size_t end = std::min(path.find('.', begin), path.size());
      if (!value->is_object()) return nullptr;
      const auto it = value->find(path.substr(begin, end - begin));
      if (it == value->end()) return nullptr;
      value = &*it;
      begin = end + 1;
    }
    return value;
  }
  bool given(const std::string& path) const {
    const json* value = find(path);
    return value != nullptr && !value->is_null();
  }
  const json& at(const std::string& path) const {
    const json* value = find(path);
    if (value == nullptr) fail(path, "is missing");
    return *value;
  }

  std::int64_t integer(const std::string& path, std::int64_t min = 0,
                       std::int64_t max = std::numeric_limits<std::int64_t>::max()) const {
    const json& value = at(path);
    if (!value.is_number_integer()) fail(path, "is not an integer");
    const bool too_great = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(max);
    if (too_great || value.get<std::int64_t>() < min || value.get<std::int64_t>() > max) fail(path, "is out of range");
    return value.get<std::int64_t>();
  }
  std::int32_t small(const std::string& path, std::int64_t min) const {
    return static_cast<std::int32_t>(integer(path, min, max_int));
  }
  std::string text(const std::string& path) const {
    const json& value = at(path);
    if (!value.is_string()) fail(path, "is not a text");
    return value.get<std::string>();
  }
  bool boolean(const std::string& path) const {
    const json& value = at(path);
    if (!value.is_boolean()) fail(path, "is not true or false");
    return value.get<bool>();
  }
  std::vector<std::int64_t> integers(const std::string& path) const {
    const json& value = at(path);
    const bool sound = value.is_array() && std::all_of(value.begin(), value.end(),
                                                       [](const json& x) { return x.is_number_integer(); });
    if (!sound) fail(path, "is not a list of integers");
    return value.get<std::vector<std::int64_t>>();
  }

 private:
  std::string name_;
  json root_;
};

Topology read_topology(const Document& result) {
  const std::string kind = result.text("experiment.network.topology");
  if (kind != "mesh" && kind != "torus")
    result.fail("experiment.network.topology", "is " + kind + ", but only traces of meshes and tori can be verified");
  try {
    auto shape = result.integers("experiment.network.shape");
    return kind == "mesh" ? Topology::mesh(std::move(shape)) : Topology::torus(std::move(shape));
  } catch (const std::invalid_argument& fault) {
    result.fail("experiment.network.shape", std::string("is wrong: ") + fault.what());
  }
}

std::vector<std::int32_t> read_places(const Document& result, NodeId nodes) {
  if (!result.given("storage.places")) return {};
  const std::vector<std::int64_t> numbers = result.integers("storage.places");
  const bool sound =
      std::all_of(numbers.begin(), numbers.end(), [](std::int64_t most) { return most >= 0 && most <= max_int; });
  if (!sound || numbers.size() != static_cast<std::size_t>(nodes))
    result.fail("storage.places", "is not one number from 0 for each of the " + std::to_string(nodes) + " nodes");
  return {numbers.begin(), numbers.end()};
}

RefereeRules read_rules(const Document& result, NodeId nodes) {
  RefereeRules rules;
  const std::string model = result.text("storage.model");
  const auto* const found = std::find(std::begin(storage_names), std::end(storage_names), model);
  if (found == std::end(storage_names)) result.fail("storage.model", "is " + model + ", which is no storage model");
  rules.storage = static_cast<RefereeRules::Storage>(found - std::begin(storage_names));
  rules.bound = result.small("storage.bound", 0);
  rules.places = read_places(result, nodes);
  rules.channels = result.small("storage.channels", 1);
  rules.capacity = result.small("storage.capacity", 0);
  rules.routes_own = result.boolean("storage.routes_own");
  // Of the network, or (routers with virtual channels) of the algorithm.
  for (const char* const path : {"experiment.network.link_latency", "experiment.routing.link_latency"})
    if (result.given(path)) {
      rules.link_latency = result.small(path, 1);
      break;
    }
  return rules;
}

std::optional<QueueMaximum> read_queue(const Document& result) {
  if (result.at("queue").is_null() || result.at("queue.max").is_null()) return std::nullopt;
  QueueMaximum queue;
  queue.max = result.integer("queue.max");
  if (!result.at("queue.node").is_null()) queue.node = result.small("queue.node", 0);
  if (!result.at("queue.step").is_null()) queue.step = result.integer("queue.step");
  return queue;
}

}  // namespace

RunFacts read_run_facts(const std::filesystem::path& file) {
  const Document result(file);
  const Topology topology = read_topology(result);
  RunFacts facts{topology, read_rules(result, topology.nodes())};
  facts.outcome = result.text("outcome");

  const std::string pattern = result.text("experiment.traffic.pattern");
  facts.open_loop = result.given("experiment.traffic.rate") ||
                    std::find(std::begin(open_patterns), std::end(open_patterns), pattern) != std::end(open_patterns);
  facts.phases = result.given("experiment.traffic.measure");
  if (facts.phases) {
    if (result.given("experiment.traffic.warmup")) facts.measured_from = result.integer("experiment.traffic.warmup");
    facts.measured_to = facts.measured_from + result.integer("experiment.traffic.measure", 0, std::int64_t{1} << 60);
  }
  // A sort is completed when it is over.
  facts.may_leave_packets = result.text("experiment.routing.algorithm") == "mesh-sort";

  facts.packets_total = result.integer("packets.total");
  facts.packets_delivered = result.integer("packets.delivered");
  facts.packets_undelivered = result.integer("packets.undelivered");
  facts.steps = result.integer("steps");
  facts.flit_hops = result.integer("links.flit_hops");
  facts.control_hops = result.integer("links.control_hops");
  facts.max_load = result.integer("links.max_load");
  if (!result.at("latency.max").is_null()) facts.latency_max = result.integer("latency.max");
  facts.queue = read_queue(result);
  return facts;
}

}  // namespace starloom
