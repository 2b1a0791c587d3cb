// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/program/program_file.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include <starloom/core/most_steps.hpp>
#include <starloom/schema/parse_number.hpp>
#include <starloom/support/names.hpp>
#include <starloom/traffic/class_traffic.hpp>
#include <starloom/traffic/mapping_rules.hpp>
#include <starloom/yaml/yaml_data.hpp>

namespace starloom {
namespace {

constexpr std::int64_t most_ranks = 65536;
constexpr std::int64_t most_parts = std::int64_t{1} << 26;
constexpr std::size_t most_levels = 64;

using Lists = std::vector<std::vector<std::int32_t>>;

class ProgramReader {
 public:
  ProgramReader(const TrafficContext& context, const std::string& name)
      : context_(context), file_(context.folder, name) {}

  ProgramFile read() {
    const YAML::Node root = file_.load();
    const std::string needs = "a program has the keys schema, ranks and program";
    if (!root.IsMap()) {
      file_.add_error(root, needs + ", not " + written(root));
      file_.stop_if_invalid();
    }
    const YamlMembers members = file_.members_of(root, {"schema", "ranks", "mapping", "reduce", "groups", "program"});
    for (const char* key : {"schema", "ranks", "program"})
      if (members.count(key) == 0) file_.add_error(root, std::string("the key ") + key + " is missing: " + needs);
    integer_in(members, "schema", 1, 1);
    program_.ranks = static_cast<std::int32_t>(integer_in(members, "ranks", 1, most_ranks).value_or(0));
    // Without a number of ranks none is wrong.
    file_.stop_if_invalid();
    if (program_.ranks > context_.processors.count)
      file_.add_error(members.at("ranks"), std::to_string(program_.ranks) + " ranks do not fit on " +
                                               std::to_string(context_.processors.count) +
                                               (context_.processors.count == 1 ? " processor" : " processors") +
                                               ": each rank has a processor of its own");
    if (members.count("mapping") != 0) read_mapping(members.at("mapping"));
    if (members.count("reduce") != 0) read_reduce(members.at("reduce"));
    std::vector<std::int32_t> all(static_cast<std::size_t>(program_.ranks));
    std::iota(all.begin(), all.end(), 0);
    all_ = std::make_shared<const RankGroup>(Lists{all});
    if (members.count("groups") != 0) read_groups(members.at("groups"));
    program_.statements = read_body(members.at("program"), "program", 1);
    if (!file_.has_errors() && parts_of(program_.statements) > most_parts)
      file_.add_error(members.at("program"),
                      "the program has more than " + std::to_string(most_parts) + " operations of ranks; repeat less");
    file_.stop_if_invalid();
    return std::move(program_);
  }

 private:
  std::optional<std::int64_t> integer_in(const YamlMembers& members, const std::string& key, std::int64_t least,
                                         std::int64_t most) {
    const auto member = members.find(key);
    if (member == members.end()) return std::nullopt;
    return integer_at(member->second, key, least, most);
  }
  std::optional<std::int64_t> integer_at(const YAML::Node& node, const std::string& what, std::int64_t least,
                                         std::int64_t most) {
    const std::optional<std::int64_t> value = integer_of(node);
    if (value && *value >= least && *value <= most) return value;
    file_.add_error(node,
                    what + " is " +
                        (least == most ? std::to_string(least)
                                       : "an integer from " + std::to_string(least) + " to " + std::to_string(most)) +
                        ", not " + written(node));
    return std::nullopt;
  }
  std::optional<std::int32_t> rank_at(const YAML::Node& node) {
    const std::optional<std::int64_t> rank = integer_of(node);
    if (rank && *rank >= 0 && *rank < program_.ranks) return static_cast<std::int32_t>(*rank);
    file_.add_error(node, written(node) + " is not a rank: ranks are 0 to " + std::to_string(program_.ranks - 1));
    return std::nullopt;
  }

  void read_mapping(const YAML::Node& mapping) {
    if (const auto rule = plain(mapping)) {
      if (contains(mapping_rules(), *rule)) program_.mapping_rule = *rule;
      else file_.add_error(mapping, unknown_name("mapping", *rule, mapping_rules()));
      return;
    }
    if (!mapping.IsSequence())
      return file_.add_error(mapping, "mapping is a rule or a list of one processor per rank, not " + written(mapping));
    program_.mapping_rule.clear();
    if (mapping.size() != static_cast<std::size_t>(program_.ranks))
      file_.add_error(mapping, "mapping has " + std::to_string(mapping.size()) + " processors for " +
                                   std::to_string(program_.ranks) + (program_.ranks == 1 ? " rank" : " ranks"));
    std::map<std::int64_t, std::size_t> rank_on;
    for (const YAML::Node& entry : mapping) {
      const std::size_t rank = program_.mapping.size();
      const std::optional<std::int64_t> processor = integer_of(entry);
      const std::string of_rank = "mapping of rank " + std::to_string(rank) + ": ";
      program_.mapping.push_back(processor.value_or(0));
      if (!processor || *processor < 0 || *processor >= context_.processors.count) {
        file_.add_error(entry, of_rank + written(entry) + " is not a processor: processors are 0 to " +
                                   std::to_string(context_.processors.count - 1));
        continue;
      }
      const auto [earlier, is_free] = rank_on.emplace(*processor, rank);
      if (!is_free)
        file_.add_error(entry, of_rank + "processor " + std::to_string(*processor) + " has rank " +
                                   std::to_string(earlier->second) + " already");
    }
  }

  void read_reduce(const YAML::Node& reduce) {
    const auto text = plain(reduce);
    const auto value = text ? parse_number(*text) : std::nullopt;
    if (value && *value >= 0 && *value <= 1e9) reduce_ = *value;
    else file_.add_error(reduce, "reduce is a number of steps per flit, from 0 to 1e9, not " + written(reduce));
  }

  // -- Groups --

  void read_groups(const YAML::Node& groups) {
    if (!groups.IsMap()) return file_.add_error(groups, "groups is a mapping of names, not " + written(groups));
    for (const auto& member : groups) {
      const std::string name = member.first.IsScalar() ? member.first.Scalar() : "";
      if (name.empty()) file_.add_error(member.first, "a group has a name, not " + written(member.first));
      else if (groups_.count(name) != 0) file_.add_error(member.first, "the group " + name + " is given twice");
      else groups_[name] = read_group(member.second);
    }
  }

  /// Null after an error.
  std::shared_ptr<const RankGroup> read_group(const YAML::Node& group) {
    std::optional<Lists> lists;
    if (group.IsSequence()) lists = read_lists(group);
    else if (group.IsMap() && group.size() == 1) lists = read_rule(group);
    else
      file_.add_error(group, "a group is {blocks: k}, {stride: k} or a list of lists of ranks, not " + written(group));
    return lists ? std::make_shared<const RankGroup>(std::move(*lists)) : nullptr;
  }

  std::optional<Lists> read_rule(const YAML::Node& group) {
    const YamlMembers members = file_.members_of(group, {"blocks", "stride"});
    if (members.empty()) return std::nullopt;
    const auto& [rule, node] = *members.begin();
    const auto k = integer_at(node, rule, 1, program_.ranks);
    if (!k) return std::nullopt;
    if (program_.ranks % *k != 0) {
      file_.add_error(
          node, rule + ": " + std::to_string(*k) + " does not divide " + std::to_string(program_.ranks) + " ranks");
      return std::nullopt;
    }
    Lists lists(static_cast<std::size_t>(rule == "blocks" ? program_.ranks / *k : *k));
    for (std::int32_t rank = 0; rank < program_.ranks; ++rank)
      lists[static_cast<std::size_t>(rule == "blocks" ? rank / *k : rank % *k)].push_back(rank);
    return lists;
  }

  std::optional<Lists> read_lists(const YAML::Node& group) {
    Lists lists;
    bool good = group.size() > 0;
    if (!good) file_.add_error(group, "a group has at least one list of ranks");
    for (const YAML::Node& list : group) {
      if (!list.IsSequence() || list.size() == 0) {
        file_.add_error(list, "a group has lists of ranks, such as [[0, 1], [2, 3]], not " +
                                  (list.IsSequence() ? "an empty list" : written(list)));
        good = false;
        continue;
      }
      lists.emplace_back();
      std::set<std::int32_t> seen;
      for (const YAML::Node& entry : list) {
        const auto rank = rank_at(entry);
        good = good && rank;
        if (!rank) continue;
        if (!seen.insert(*rank).second) {
          file_.add_error(entry, "rank " + std::to_string(*rank) + " is twice in a list");
          good = false;
        }
        lists.back().push_back(*rank);
      }
    }
    return good ? std::optional(std::move(lists)) : std::nullopt;
  }

  // -- Operations --

  std::vector<ProgramStatement> read_body(const YAML::Node& body, const std::string& key, std::size_t level) {
    std::vector<ProgramStatement> statements;
    if (!body.IsSequence()) {
      file_.add_error(body, key + " is a list of operations, not " + written(body));
      return statements;
    }
    if (level > most_levels) {
      file_.add_error(body, "repetitions are nested more than " + std::to_string(most_levels) + " times");
      return statements;
    }
    for (const YAML::Node& node : body) {
      if (!node.IsMap()) {
        file_.add_error(
            node, "an operation is {op: ...}, {compute: ...} or {repeat: ..., body: [...]}, not " + written(node));
      } else if (node["repeat"]) {
        const YamlMembers members = file_.members_of(node, {"repeat", "body"});
        ProgramStatement repetition;
        repetition.repeat = integer_in(members, "repeat", 1, most_parts).value_or(1);
        if (members.count("body") == 0) file_.add_error(node, "the repetition lacks the key body");
        else repetition.body = read_body(members.at("body"), "body", level + 1);
        statements.push_back(std::move(repetition));
      } else if (auto operation = read_operation(node)) {
        statements.emplace_back();
        statements.back().operation = static_cast<std::uint32_t>(program_.operations.size());
        program_.operations.push_back(std::move(*operation));
      }
    }
    return statements;
  }

  std::optional<Operation> read_operation(const YAML::Node& node) {
    if (node["compute"]) return read_compute(node);
    if (!node["op"]) {
      file_.add_error(node, "an operation has the key op, compute or repeat");
      return std::nullopt;
    }
    const YAML::Node op = node["op"];
    std::vector<std::string> ops = collective_ops();
    ops.emplace_back("send");
    const std::string name = op.IsScalar() ? op.Scalar() : "";
    if (name == "send") return read_send(node);
    if (contains(ops, name)) return read_collective(node, name);
    file_.add_error(op, op.IsScalar() ? "unknown operation " + name + did_you_mean(name, ops)
                                      : "op is the name of an operation, not " + written(op));
    return std::nullopt;
  }

  std::optional<Operation> read_compute(const YAML::Node& node) {
    const YamlMembers members = file_.members_of(node, {"compute", "name", "group", "after"});
    Operation operation;
    operation.collective.op = "compute";
    operation.delay = integer_in(members, "compute", 0, most_steps).value_or(0);
    const bool good = read_group_of(members, operation);
    return read_order(members, operation) && good ? std::optional(operation) : std::nullopt;
  }

  std::optional<Operation> read_send(const YAML::Node& node) {
    const YamlMembers members =
        file_.members_of(node, {"op", "from", "to", "flits", "bytes", "name", "after", "deadline", "class"});
    Operation operation;
    operation.collective.op = "send";
    std::vector<std::int32_t> ends;
    for (const char* key : {"from", "to"}) {
      if (members.count(key) == 0) file_.add_error(node, std::string("send lacks the key ") + key);
      else if (const auto rank = rank_at(members.at(key))) ends.push_back(*rank);
    }
    bool good = read_flits(node, members, operation) && ends.size() == 2;
    if (ends.size() == 2 && ends[0] == ends[1]) {
      file_.add_error(members.at("to"), "rank " + std::to_string(ends[0]) + " does not send to itself");
      good = false;
    }
    if (good) operation.group = std::make_shared<const RankGroup>(Lists{ends});
    good = read_message_keys(members, operation) && good;
    return read_order(members, operation) && good ? std::optional(operation) : std::nullopt;
  }

  std::optional<Operation> read_collective(const YAML::Node& node, const std::string& op) {
    std::vector<std::string> keys = {"op", "algorithm", "name", "group", "after", "deadline", "class"};
    const bool has_data = op != "barrier";
    if (has_data) keys.insert(keys.end(), {"flits", "bytes", "chunk"});
    if (contains(algorithms_of(op), "tree")) keys.emplace_back("root");
    if (contains(algorithms_of(op), "hierarchical")) keys.emplace_back("grid");
    const YamlMembers members = file_.members_of(node, keys);
    Operation operation;
    Collective& collective = operation.collective;
    collective.op = op;
    collective.reduce = reduce_;
    bool good = read_group_of(members, operation);
    good = (!has_data || read_flits(node, members, operation)) && good;
    collective.algorithm = algorithms_of(op).front();
    if (const auto algorithm = members.find("algorithm"); algorithm != members.end()) {
      const std::vector<std::string> known = algorithms_of(op);
      collective.algorithm = algorithm->second.IsScalar() ? algorithm->second.Scalar() : written(algorithm->second);
      if (!contains(known, collective.algorithm)) {
        file_.add_error(algorithm->second, unknown_name("algorithm of " + op, collective.algorithm, known));
        good = false;
      }
    }
    if (members.count("chunk") != 0) {
      const auto chunk = integer_in(members, "chunk", 1, most_message_flits);
      collective.chunk = static_cast<std::int32_t>(chunk.value_or(0));
      good = good && chunk;
    }
    if (members.count("grid") != 0) good = read_grid(members.at("grid"), collective) && good;
    if (members.count("root") != 0) {
      const auto root = integer_in(members, "root", 0, program_.ranks - 1);
      collective.root = static_cast<std::int32_t>(root.value_or(0));
      good = good && root;
    }
    good = read_message_keys(members, operation) && good;
    good = read_order(members, operation) && good;
    if (!good) return std::nullopt;
    return fits(node, operation) ? std::optional(operation) : std::nullopt;
  }

  bool fits(const YAML::Node& node, const Operation& operation) {
    std::set<std::size_t> lengths;
    for (const auto& list : operation.group->lists) lengths.insert(list.size());
    for (const std::size_t length : lengths) {
      const std::string error = refusal_of(operation.collective, static_cast<std::int32_t>(length));
      if (error.empty()) continue;
      file_.add_error(node, error);
      return false;
    }
    return true;
  }

  bool read_grid(const YAML::Node& grid, Collective& collective) {
    std::vector<std::int64_t> sides;
    if (grid.IsSequence())
      for (const YAML::Node& side : grid)
        if (const auto value = integer_of(side); value && *value >= 1 && *value <= most_ranks) sides.push_back(*value);
    if (collective.algorithm != "hierarchical") {
      file_.add_error(grid, "only hierarchical has the key grid, not " + collective.algorithm);
      return false;
    }
    if (sides.size() != 2 || grid.size() != 2) {
      file_.add_error(grid, "grid is [rows, columns] of ranks, each at least 1");
      return false;
    }
    collective.rows = sides[0];
    collective.columns = sides[1];
    return true;
  }

  /// Bytes are rounded up to flits.
  bool read_flits(const YAML::Node& node, const YamlMembers& members, Operation& operation) {
    const bool has_flits = members.count("flits") != 0, has_bytes = members.count("bytes") != 0;
    if (has_flits == has_bytes) {
      file_.add_error(node,
                      operation.collective.op + " needs the key flits or bytes" + (has_flits ? ", not both" : ""));
      return false;
    }
    const std::int64_t unit = has_flits ? 1 : context_.units.flit_bytes;
    const std::int64_t most = most_message_flits > std::numeric_limits<std::int64_t>::max() / unit
                                  ? std::numeric_limits<std::int64_t>::max()
                                  : most_message_flits * unit;
    const auto value = integer_in(members, has_flits ? "flits" : "bytes", 1, most);
    if (value) operation.collective.flits = *value / unit + (*value % unit != 0 ? 1 : 0);
    return value.has_value();
  }

  /// The keys that describe each message of an operation.
  bool read_message_keys(const YamlMembers& members, Operation& operation) {
    bool good = true;
    if (members.count("deadline") != 0) {
      const auto deadline = integer_in(members, "deadline", 1, most_steps);
      operation.deadline = deadline.value_or(no_step);
      good = deadline.has_value();
    }
    const auto member = members.find("class");
    if (member == members.end()) return good;
    const std::string text = member->second.IsScalar() ? member->second.Scalar() : written(member->second);
    if (const auto error = class_error(text, context_.classes)) {
      file_.add_error(member->second, "class: " + *error);
      return false;
    }
    operation.traffic_class = static_cast<std::uint8_t>(*class_number(text, context_.classes));
    return good;
  }

  bool read_group_of(const YamlMembers& members, Operation& operation) {
    operation.group = all_;
    const auto group = members.find("group");
    if (group == members.end()) return true;
    const std::string name = group->second.IsScalar() ? group->second.Scalar() : "";
    const auto known = groups_.find(name);
    if (known == groups_.end()) {
      std::vector<std::string> names;
      for (const auto& [one, lists] : groups_) names.push_back(one);
      file_.add_error(group->second, "unknown group " + written(group->second) + did_you_mean(name, names));
      return false;
    }
    operation.group = known->second;
    return operation.group != nullptr;
  }

  /// Its name, and the operations for which it waits.
  bool read_order(const YamlMembers& members, Operation& operation) {
    bool good = true;
    operation.name = operation.collective.op;
    if (const auto name = members.find("name"); name != members.end()) {
      const std::string text = name->second.IsScalar() ? name->second.Scalar() : "";
      good = !text.empty() && text.find_first_of(",\"\n\r") == std::string::npos;
      if (!good)
        file_.add_error(name->second, "a name is a text without commas and quotes, not " + written(name->second));
      operation.name = text;
    }
    if (const auto after = members.find("after"); after != members.end()) {
      operation.after_previous = false;
      if (!after->second.IsSequence())
        file_.add_error(after->second, "after is a list of names of operations, not " + written(after->second));
      good = good && after->second.IsSequence();
      for (const YAML::Node& entry : after->second.IsSequence() ? after->second : YAML::Node()) {
        const std::string text = entry.IsScalar() ? entry.Scalar() : "";
        if (names_.count(text) == 0) {
          file_.add_error(entry, "after: " + written(entry) + " is not the name of an operation before it" +
                                     did_you_mean(text, {names_.begin(), names_.end()}));
          good = false;
        }
        operation.after.push_back(text);
      }
    }
    names_.insert(operation.name);
    return good;
  }

  std::int64_t parts_of(const std::vector<ProgramStatement>& statements) const {
    std::int64_t parts = 0;
    for (const ProgramStatement& statement : statements) {
      std::int64_t one = 0;
      if (statement.repeat > 0) one = parts_of(statement.body);
      else
        for (const auto& list : program_.operations[statement.operation].group->lists)
          one += static_cast<std::int64_t>(list.size());
      const std::int64_t times = std::max<std::int64_t>(statement.repeat, 1);
      parts += one > most_parts / times ? most_parts + 1 : one * times;
      if (parts > most_parts) return most_parts + 1;
    }
    return parts;
  }

  const TrafficContext& context_;
  YamlData file_;
  ProgramFile program_;
  double reduce_ = 0;
  std::shared_ptr<const RankGroup> all_;
  std::map<std::string, std::shared_ptr<const RankGroup>> groups_;  ///< null: with an error
  std::set<std::string> names_;                                     ///< of the operations before
};

}  // namespace

ProgramFile read_program(const TrafficContext& context, const std::string& name) {
  return ProgramReader(context, name).read();
}

}  // namespace starloom
