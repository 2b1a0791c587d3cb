// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/run_network.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <starloom/schema/data_file.hpp>
#include <starloom/schema/key_check.hpp>
#include <starloom/topology/link_changes.hpp>
#include <starloom/trace_io/links/network_json.hpp>
#include <starloom/verify/links/run_regions.hpp>

namespace starloom::links {
namespace {

const std::string section = "experiment.network";

std::string path_of(const std::string& key) { return key.empty() ? section : section + "." + key; }

/// The location of a key's value. Routers with virtual channels may have the latency of links as their own key.
std::string place_of(const ResultDocument& result, const KeySpec& key) {
  const std::string in_router = "experiment.routing." + key.name;
  return key.name == "link_latency" && !result.given(path_of(key.name)) && result.given(in_router) ? in_router
                                                                                                   : path_of(key.name);
}

KeyValue value_at(const ResultDocument& result, const std::string& path, KeyType type) {
  switch (type) {
    case KeyType::integer_list: return result.integers(path);
    case KeyType::integer: return result.integer(path);
    case KeyType::number: return result.number(path);
    case KeyType::boolean: return result.boolean(path);
    case KeyType::share_list:
    case KeyType::text:
    case KeyType::text_or_list:  // no topology has lists of words
    case KeyType::choice:
    case KeyType::part:  // no topology has parts
    case KeyType::file:
    case KeyType::rank_files: break;
  }
  return result.text(path);
}

KeyValue read_value(const ResultDocument& result, const KeySpec& key) {
  const std::string path = place_of(result, key);
  if (!key.required && !result.given(path)) return key.default_value;
  KeyValue value = value_at(result, path, key.type);
  if (!value_error(key, value).empty()) result.fail(path, "is out of range");
  return value;
}

/// `experiment.network.links`
std::vector<LinkChange> read_link_changes(const ResultDocument& result) {
  const std::string list = path_of("links");
  std::vector<LinkChange> changes;
  if (!result.given(list)) return changes;
  if (!result.at(list).is_array()) result.fail(list, "is not a list");
  for (std::size_t i = 0; i < result.at(list).size(); ++i) {
    const std::string entry = list + "." + std::to_string(i);
    LinkChange& change = changes.emplace_back();
    change.links = result.text(entry + ".links");
    if (result.given(entry + ".latency")) change.latency = result.small(entry + ".latency", 1, most_link_latency);
    if (result.given(entry + ".interval")) change.interval = result.small(entry + ".interval", 1, most_link_interval);
    if (result.given(entry + ".synchroniser"))
      change.synchroniser = result.small(entry + ".synchroniser", 0, most_synchroniser_cycles);
    if (result.given(entry + ".fifo")) change.fifo = result.small(entry + ".fifo", 1, most_crossing_flits);
    if (!result.given(entry + ".width")) continue;
    change.phits = phits_of_width(result.text(entry + ".width"));
    if (!change.phits) result.fail(entry + ".width", "is not 1 or 1/2, 1/3 and so on");
  }
  return changes;
}

LinkNetwork read_topology(const std::filesystem::path& folder, const ResultDocument& result,
                          const std::vector<TopologyEntry>& topologies) {
  const std::string name = result.text(path_of("topology"));
  const auto entry =
      std::find_if(topologies.begin(), topologies.end(), [&](const TopologyEntry& e) { return e.name == name; });
  if (is_there(folder / "network.json")) {
    LinkNetwork network = read_network_json(folder / "network.json");
    if (entry != topologies.end()) network.offers = entry->offers;
    return network;
  }
  if (entry == topologies.end() || entry->has_couplers())
    result.fail(path_of("topology"), "is " + name + ", which is not a known topology of links");
  std::map<std::string, KeyValue> keys;
  for (const KeySpec& key : entry->keys) keys[key.name] = read_value(result, key);
  try {
    return make_link_network(*entry, KeyValues(std::move(keys)));
  } catch (const ConfigError& error) {
    result.fail(path_of(error.diagnostics().front().key), std::string("is wrong: ") + error.what());
  }
}

}  // namespace

LinkNetwork read_network(const std::filesystem::path& folder, const ResultDocument& result,
                         const std::vector<TopologyEntry>& topologies) {
  LinkNetwork network = read_topology(folder, result, topologies);
  try {
    // A file has the links as they were, without clocks; the same changes again leave them so.
    network = with_link_changes(std::move(network), read_link_changes(result));
    return router::with_clocks_of_regions(std::move(network), read_regions(result), read_clocks(result));
  } catch (const ConfigError& error) {
    result.fail(path_of(error.diagnostics().front().key), std::string("is wrong: ") + error.what());
  }
}

}  // namespace starloom::links
