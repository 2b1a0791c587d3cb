// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/list.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include <starloom/experiment/explained.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// The name of a storage model; null for processors of POPS networks, which have fixed buffers.
Json storage_json(const AlgorithmEntry& entry) {
  if (!entry.storage) return nullptr;
  return storage_model_names[static_cast<std::size_t>(*entry.storage)];
}

/// One line of a block: the name, its meaning, and its networks.
struct Row {
  std::string name;
  std::string where;  ///< empty: the block has no such column
  std::string meaning;
};

/// Lines below a heading, `where` in a column; empty if there are none.
std::string block(const std::string& heading, const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.where.size());
  std::string text = heading + "\n";
  for (const Row& row : rows)
    text += fmt::format("  {:<21}  {:<{}}{}{}\n", row.name, row.where, width, width > 0 ? "  " : "", row.meaning);
  return text + "\n";
}

/// Short enough for a column.
std::string where_text(const Catalogue& catalogue, const AlgorithmEntry& entry) {
  if (contains(entry.needs, connected)) return "any but pops";
  const std::vector<std::string> names = catalogue.served_by(entry);
  return names.size() <= 2 ? fmt::format("{}", fmt::join(names, ", ")) : fmt::format("{} topologies", names.size());
}

/// The heading of an algorithm in the section of theory.
std::string kind_of(const AlgorithmEntry& entry) {
  if (!entry.storage) return "Routing on POPS networks";
  if (entry.off_line) return "Planners, which compute a schedule before the run";
  if (*entry.storage == StorageModel::store_and_forward) return "Store-and-forward routing";
  return "Bufferless routing";
}

std::vector<Row> algorithms_for(const Catalogue& catalogue, Audience audience, const std::string& kind = "") {
  std::vector<Row> rows;
  for (const AlgorithmEntry& entry : catalogue.algorithms)
    if (entry.audience == audience && (kind.empty() || kind_of(entry) == kind))
      rows.push_back({entry.name, where_text(catalogue, entry), entry.meaning});
  return rows;
}

std::vector<Row> patterns_for(const Catalogue& catalogue, Audience audience) {
  std::vector<Row> rows;
  for (const PatternEntry& entry : catalogue.patterns)
    if (entry.audience == audience) rows.push_back({entry.name, "", entry.meaning});
  return rows;
}

std::vector<Row> topologies_of(const Catalogue& catalogue, bool couplers) {
  std::vector<Row> rows;
  for (const TopologyEntry& entry : catalogue.topologies)
    if (entry.has_couplers() == couplers) rows.push_back({entry.name, "", entry.meaning});
  return rows;
}

/// Parts of routers, by the key that selects them.
std::vector<Row> parts_for(const Catalogue& catalogue, const std::string& selector) {
  std::vector<Row> rows;
  for (const ExplainedName& name : explained_names(catalogue))
    if (name.selector == selector) rows.push_back({name.name, "", name.meaning});
  return rows;
}

/// Blocks in the order of the table, one for each kind.
std::string algorithms_of_theory(const Catalogue& catalogue) {
  std::string text;
  std::set<std::string> written;
  for (const AlgorithmEntry& entry : catalogue.algorithms)
    if (entry.audience == Audience::theory && written.insert(kind_of(entry)).second)
      text +=
          block(kind_of(entry) + " (routing.algorithm)", algorithms_for(catalogue, Audience::theory, kind_of(entry)));
  return text;
}

}  // namespace

nlohmann::ordered_json list_json(const Catalogue& catalogue) {
  Json list = {{"algorithms", Json::array()}, {"patterns", Json::array()},   {"topologies", Json::array()},
               {"functions", Json::array()},  {"selections", Json::array()}, {"arbiters", Json::array()},
               {"allocators", Json::array()}};
  for (const AlgorithmEntry& entry : catalogue.algorithms) {
    Json& one = list["algorithms"].emplace_back(Json{{"name", entry.name},
                                                     {"needs", entry.needs},
                                                     {"topologies", catalogue.served_by(entry)},
                                                     {"storage", storage_json(entry)}});
    for (const auto& [key, storage] : entry.storage_by_key)
      one["storage_by_key"][key] = storage_model_names[static_cast<std::size_t>(storage)];
    one["keys"] = names_of(entry.keys);
  }
  for (const PatternEntry& entry : catalogue.patterns)
    list["patterns"].push_back({{"name", entry.name}, {"keys", names_of(entry.keys)}});
  for (const TopologyEntry& entry : catalogue.topologies)
    list["topologies"].push_back(
        {{"name", entry.name}, {"offers", entry.capabilities()}, {"keys", names_of(entry.keys)}});
  for (const routing::FunctionEntry& entry : catalogue.parts.functions) {
    Json needs = Json::array();
    for (const routing::Service& service : entry.serves) needs.push_back(service.capability);
    list["functions"].push_back({{"name", entry.name}, {"needs", needs}, {"keys", names_of(entry.keys)}});
  }
  const auto add_parts = [&list](const char* table, const auto& parts) {
    for (const auto& entry : parts) list[table].push_back({{"name", entry.name}, {"keys", names_of(entry.keys)}});
  };
  add_parts("selections", catalogue.parts.selections);
  add_parts("arbiters", catalogue.parts.arbiters);
  add_parts("allocators", catalogue.parts.allocators);
  return list;
}

std::string list_text(const Catalogue& catalogue) {
  std::string text = "STUDY A NETWORK\n\n";
  text += block("Routers and routing algorithms (routing.algorithm)", algorithms_for(catalogue, Audience::networks));
  text += block("Routing functions (routing.function)", parts_for(catalogue, "routing.function"));
  text +=
      block("Selections, where functions are adaptive (routing.selection)", parts_for(catalogue, "routing.selection"));
  text += block("Allocators of routers (routing.allocator)", parts_for(catalogue, "routing.allocator"));
  text += block("Arbiters of allocators (routing.arbiter)", parts_for(catalogue, "routing.arbiter"));
  text += block("Topologies (network.topology)", topologies_of(catalogue, false));
  text += block("Traffic (traffic.pattern)", patterns_for(catalogue, Audience::networks));
  text += "Most patterns also take packet lengths, and a rate that makes them open loop: starloom explain traffic\n\n";
  text += "ROUTING THEORY AND OPTICS\n\n";
  text += algorithms_of_theory(catalogue);
  text += block("Optical networks (network.topology)", topologies_of(catalogue, true));
  text += block("Traffic of the papers (traffic.pattern)", patterns_for(catalogue, Audience::theory));
  return text + "The keys of an entry: starloom explain NAME\n";
}

}  // namespace starloom
