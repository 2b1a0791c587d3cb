// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/program/program_traffic.hpp>

#include <limits>
#include <map>
#include <utility>

#include <starloom/schema/config_error.hpp>
#include <starloom/traffic/mapping_rules.hpp>
#include <starloom/traffic/program/program_file.hpp>
#include <starloom/traffic/program/program_workload.hpp>

namespace starloom {
namespace {

class ProgramTraffic final : public Traffic {
 public:
  explicit ProgramTraffic(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  void generate(Step /*from*/, Step /*to*/, std::vector<Packet>& /*out*/) override {}
  Step next_creation(Step /*from*/) const override { return no_step; }
  std::optional<Step> end() const override { return std::nullopt; }
  bool open_loop() const override { return true; }
  std::optional<std::int64_t> packet_count() const override { return program_->totals().packets; }
  std::unique_ptr<Workload> workload() const override { return std::make_unique<ProgramWorkload>(program_); }
  std::unique_ptr<Workload> ideal_workload() const override {
    return std::make_unique<ProgramWorkload>(program_, false);
  }
  const Program* program() const override { return program_.get(); }
  std::vector<MulticastGroup> groups() const override { return program_->groups(); }

 private:
  std::shared_ptr<const Program> program_;
};

std::vector<NodeId> listed(const std::vector<std::int64_t>& list, std::int32_t ranks, NodeId processors) {
  if (list.size() != static_cast<std::size_t>(ranks))
    throw ConfigError("mapping", "it has " + std::to_string(list.size()) + " processors, but the program has " +
                                     std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks"));
  std::vector<ConfigError::Diagnostic> diagnostics;
  std::map<std::int64_t, std::size_t> rank_on;
  for (std::size_t rank = 0; rank < list.size(); ++rank) {
    const std::string text = "rank " + std::to_string(rank) + ": ";
    const auto [earlier, is_free] = rank_on.emplace(list[rank], rank);
    if (list[rank] >= processors)
      diagnostics.push_back({"mapping", text + std::to_string(list[rank]) +
                                            " is not a processor: processors are 0 to " +
                                            std::to_string(processors - 1)});
    else if (!is_free)
      diagnostics.push_back({"mapping", text + "processor " + std::to_string(list[rank]) + " has rank " +
                                            std::to_string(earlier->second) + " already"});
  }
  if (!diagnostics.empty()) throw ConfigError(std::move(diagnostics));
  return {list.begin(), list.end()};
}

}  // namespace

std::vector<KeySpec> rank_keys(const std::string& default_mapping) {
  KeySpec mapping = integer_list_key("mapping", "processor of each rank, or a rule (docs/collectives.md); default: " +
                                                    default_mapping)
                        .at_least(0);
  mapping.choices = mapping_rules();
  return {mapping,
          integer_key("packet",
                      "messages are cut into packets of at most this length; default: a message is a packet, or 1 if "
                      "the algorithm needs packets of one length")
              .within(1, static_cast<double>(std::numeric_limits<std::int32_t>::max()))
              .measured_in("flits")};
}

std::vector<KeySpec> program_keys() {
  std::vector<KeySpec> keys = {file_key("file", "program of collectives, YAML").is_required()};
  for (KeySpec& key : rank_keys("that of the file, or else row-major")) keys.push_back(std::move(key));
  keys.push_back(text_key("classes",
                          "classes of traffic, named by the key class of operations: a list of {name, channels: "
                          "[first, last], priority, subnet, reply} (docs/traffic-classes.md)")
                     .omitted_at_default());
  return keys;
}

std::vector<NodeId> mapped_by_key(const TrafficContext& context, const KeyValues& keys, std::int32_t ranks) {
  if (keys.is_word("mapping")) return mapped_by_rule(keys.text("mapping"), static_cast<std::size_t>(ranks), context);
  return listed(keys.list("mapping"), ranks, context.processors.count);
}

std::unique_ptr<Traffic> traffic_of(ProgramParts parts, std::vector<NodeId> processor, const TrafficContext& context,
                                    const KeyValues& keys) {
  std::vector<NodeId> node = std::move(processor);
  if (!context.processors.node.empty())
    for (NodeId& of_rank : node) of_rank = context.processors.node[static_cast<std::size_t>(of_rank)];
  const std::int32_t longest = keys.has("packet")      ? static_cast<std::int32_t>(keys.integer("packet"))
                               : context.mixed_lengths ? 0
                                                       : 1;
  return std::make_unique<ProgramTraffic>(std::make_shared<const Program>(std::move(parts), std::move(node), longest));
}

std::unique_ptr<Traffic> make_program(const TrafficContext& context, const KeyValues& keys) {
  ProgramFile file = read_program(context, keys.text("file"));
  const auto ranks = static_cast<std::size_t>(file.ranks);
  std::vector<NodeId> processor = keys.has("mapping") ? mapped_by_key(context, keys, file.ranks)
                                  : file.mapping_rule.empty()
                                      ? std::vector<NodeId>(file.mapping.begin(), file.mapping.end())
                                      : mapped_by_rule(file.mapping_rule, ranks, context);
  return traffic_of(parts_of(std::move(file.operations), file.statements, file.ranks), std::move(processor), context,
                    keys);
}

}  // namespace starloom
