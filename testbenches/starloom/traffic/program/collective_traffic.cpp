// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/program/collective_traffic.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <starloom/schema/config_error.hpp>
#include <starloom/support/names.hpp>
#include <starloom/traffic/mapping_rules.hpp>
#include <starloom/traffic/program/collective_table.hpp>
#include <starloom/traffic/program/program.hpp>
#include <starloom/traffic/program/program_traffic.hpp>

namespace starloom {
namespace {

/// The names of the algorithms of all collectives.
std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const CollectiveAlgorithm& algorithm : collective_table())
    if (!contains(names, algorithm.name)) names.push_back(algorithm.name);
  return names;
}

/// A key that belongs to some collectives or algorithms only.
void require_key(const KeyValues& keys, const std::string& key, bool belongs, const std::string& owner) {
  if (keys.has(key) && !belongs) throw ConfigError(key, owner + " does not have it; leave it out");
}

Collective collective_of(const KeyValues& keys) {
  Collective collective;
  collective.op = keys.text("op");
  const std::vector<std::string> known = algorithms_of(collective.op);
  collective.algorithm = keys.has("algorithm") ? keys.text("algorithm") : known.front();
  if (!contains(known, collective.algorithm))
    throw ConfigError("algorithm", unknown_name("algorithm of " + collective.op, collective.algorithm, known));
  const bool has_data = collective.op != "barrier";
  require_key(keys, "flits", has_data, collective.op);
  require_key(keys, "chunk", has_data, collective.op);
  require_key(keys, "root", contains(known, "tree"), collective.op);
  require_key(keys, "grid", collective.algorithm == "hierarchical", collective.algorithm);
  if (has_data && !keys.has("flits")) throw ConfigError("flits", "is missing: " + collective.op + " moves data");
  if (keys.has("flits")) collective.flits = keys.integer("flits");
  if (keys.has("chunk")) collective.chunk = static_cast<std::int32_t>(keys.integer("chunk"));
  if (keys.has("root")) collective.root = static_cast<std::int32_t>(keys.integer("root"));
  if (keys.has("grid")) {
    const std::vector<std::int64_t>& sides = keys.list("grid");
    if (sides.size() != 2) throw ConfigError("grid", "is [rows, columns] of ranks");
    collective.rows = sides[0];
    collective.columns = sides[1];
  }
  collective.reduce = keys.number("reduce");
  return collective;
}

}  // namespace

std::vector<KeySpec> collective_keys() {
  const auto flits = [](const char* name, const char* meaning) {
    return integer_key(name, meaning).within(1, static_cast<double>(most_message_flits)).measured_in("flits");
  };
  std::vector<KeySpec> keys = {
      choice_key("op", collective_ops(), "the collective (docs/collectives.md)").is_required(),
      choice_key("algorithm", algorithm_names(), "its algorithm; default: the first one of the collective"),
      flits("flits", "its data, of a rank; a barrier has none"),
      flits("chunk", "messages have at most this length; default: a block of data is a message"),
      integer_key("root", "the rank at the root; default: 0").within(0, 65535),
      integer_list_key("grid", "rows and columns of ranks, of hierarchical").within(1, 65536),
      number_key("reduce", "time to reduce a flit").by_default(0.0).within(0, 1e9).measured_in("steps"),
      integer_key("ranks", "number of ranks; default: all processors").within(1, 65536)};
  for (KeySpec& key : rank_keys("row-major")) keys.push_back(std::move(key));
  return keys;
}

std::unique_ptr<Traffic> make_collective(const TrafficContext& context, const KeyValues& keys) {
  const std::int64_t ranks = keys.has("ranks") ? keys.integer("ranks") : context.processors.count;
  if (ranks > context.processors.count)
    throw ConfigError("ranks", std::to_string(ranks) + " ranks do not fit on " +
                                   std::to_string(context.processors.count) +
                                   (context.processors.count == 1 ? " processor" : " processors") +
                                   ": each rank has a processor of its own");
  Operation operation;
  operation.collective = collective_of(keys);
  operation.name = operation.collective.op;
  if (const std::string error = refusal_of(operation.collective, static_cast<std::int32_t>(ranks)); !error.empty())
    throw ConfigError(keys.has("algorithm") ? "algorithm" : "op", error);
  std::vector<std::int32_t> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  operation.group = std::make_shared<const RankGroup>(std::vector<std::vector<std::int32_t>>{all});
  std::vector<NodeId> processor = keys.has("mapping")
                                      ? mapped_by_key(context, keys, static_cast<std::int32_t>(ranks))
                                      : mapped_by_rule("row-major", static_cast<std::size_t>(ranks), context);
  return traffic_of(parts_of({std::move(operation)}, {ProgramStatement()}, static_cast<std::int32_t>(ranks)),
                    std::move(processor), context, keys);
}

}  // namespace starloom
