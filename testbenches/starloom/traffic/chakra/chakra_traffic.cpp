// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/chakra/chakra_traffic.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <starloom/schema/config_error.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/traffic/chakra/chakra_program.hpp>
#include <starloom/traffic/mapping_rules.hpp>
#include <starloom/traffic/program/program_traffic.hpp>
#include <starloom/yaml/yaml_data.hpp>

namespace starloom {
namespace {

/// The algorithms of a collective that need no further keys.
std::vector<std::string> plain_algorithms_of(const std::string& op) {
  std::vector<std::string> names = algorithms_of(op);
  names.erase(std::remove(names.begin(), names.end(), "hierarchical"), names.end());
  return names;
}

/// `ranks 0 to 2 and 4 to 7 are there`.
std::string text_of_ranks(const std::map<std::int32_t, std::filesystem::path>& files) {
  std::vector<std::string> ranges;
  for (auto at = files.begin(); at != files.end();) {
    const std::int32_t first = at->first;
    std::int32_t last = first;
    for (++at; at != files.end() && at->first == last + 1; ++at) ++last;
    ranges.push_back(std::to_string(first) + (last > first ? " to " + std::to_string(last) : ""));
  }
  std::string text = (files.size() == 1 ? "rank " : "ranks ") + ranges.front();
  for (std::size_t i = 1; i < ranges.size(); ++i) text += (i + 1 < ranges.size() ? ", " : " and ") + ranges[i];
  return text + (files.size() == 1 ? " is there" : " are there");
}

void read_ranks(const TrafficContext& context, const std::string& prefix, ChakraInput& input) {
  const auto files = rank_files_at(context.folder / prefix);
  if (files.empty()) throw ConfigError("file", prefix + ".0.et, the trace of rank 0, does not exist");
  if (files.rbegin()->first >= context.processors.count)
    throw ConfigError("file", prefix + ".N.et has " + std::to_string(files.rbegin()->first + std::int64_t{1}) +
                                  " ranks, but the network has " + std::to_string(context.processors.count) +
                                  (context.processors.count == 1 ? " processor" : " processors"));
  for (std::int32_t rank = 0; rank <= files.rbegin()->first; ++rank) {
    const std::string name = prefix + "." + std::to_string(rank) + ".et";
    const auto found = files.find(rank);
    if (found == files.end()) throw DataFileError(name + ": missing; " + text_of_ranks(files));
    if (const std::string why = why_unreadable(found->second); !why.empty())
      throw ConfigError("file", name + " cannot be read: " + why);
    input.names.push_back(name);
    input.nodes.push_back(read_chakra(found->second, name));
  }
}

std::map<std::string, std::vector<std::int32_t>> read_groups(const TrafficContext& context, const std::string& name,
                                                             std::int32_t ranks) {
  YamlData file(context.folder, name, "groups");
  const YAML::Node root = file.load();
  std::map<std::string, std::vector<std::int32_t>> groups;
  if (!root.IsMap()) file.add_error(root, "groups are a mapping of names to lists of ranks");
  else
    for (const auto& entry : root) {
      std::vector<std::int32_t>& group = groups[entry.first.IsScalar() ? entry.first.Scalar() : ""];
      if (!entry.first.IsScalar() || entry.first.Scalar().empty() || !group.empty())
        file.add_error(entry.first, "a group has a name of its own");
      if (!entry.second.IsSequence() || entry.second.size() == 0) {
        file.add_error(entry.second, "a group is a list of ranks, not " + written(entry.second));
        continue;
      }
      std::set<std::int64_t> seen;
      for (const YAML::Node& element : entry.second) {
        const auto rank = integer_of(element);
        if (!rank || *rank < 0 || *rank >= ranks)
          file.add_error(element, written(element) + " is not a rank: ranks are 0 to " + std::to_string(ranks - 1));
        else if (!seen.insert(*rank).second)
          file.add_error(element, "rank " + written(element) + " is in the list twice");
        else group.push_back(static_cast<std::int32_t>(*rank));
      }
    }
  file.stop_if_invalid();
  return groups;
}

}  // namespace

std::vector<KeySpec> chakra_keys() {
  const auto most = static_cast<double>(std::numeric_limits<std::int32_t>::max());
  std::vector<KeySpec> keys = {
      rank_files_key("file", "Chakra execution traces: FILE.0.et of rank 0, FILE.1.et of rank 1, ...").is_required(),
      file_key("groups", "ranks of each process group, JSON; default: collectives have all ranks"),
      integer_key("chunk", "longest message of a collective, into which blocks are cut; default: blocks are sent whole")
          .within(1, most)
          .measured_in("flits"),
      number_key("reduce", "time to reduce a flit").by_default(0).within(0, 1e9).measured_in("steps")};
  for (const std::string& op : collective_ops())
    if (const std::vector<std::string> names = plain_algorithms_of(op); names.size() > 1)
      keys.push_back(choice_key("algorithm." + op, names, "algorithm of each " + op + " (docs/collectives.md)")
                         .by_default(names.front()));
  for (KeySpec& key : rank_keys("row-major")) keys.push_back(std::move(key));
  return keys;
}

std::unique_ptr<Traffic> make_chakra(const TrafficContext& context, const KeyValues& keys) {
  ChakraInput input;
  read_ranks(context, keys.text("file"), input);
  const auto ranks = static_cast<std::int32_t>(input.nodes.size());
  if (keys.has("groups")) input.groups = read_groups(context, keys.text("groups"), ranks);
  for (const std::string& op : collective_ops())
    if (keys.has("algorithm." + op)) input.algorithms[op] = keys.text("algorithm." + op);
  input.chunk = keys.has("chunk") ? static_cast<std::int32_t>(keys.integer("chunk")) : 0;
  input.reduce = keys.number("reduce");
  input.units = context.units;
  std::vector<NodeId> processor = keys.has("mapping")
                                      ? mapped_by_key(context, keys, ranks)
                                      : mapped_by_rule("row-major", static_cast<std::size_t>(ranks), context);
  return traffic_of(parts_of(input), std::move(processor), context, keys);
}

}  // namespace starloom
