// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/netrace/netrace_traffic.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include <starloom/core/most_steps.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/traffic/mapping_rules.hpp>
#include <starloom/traffic/netrace/netrace_workload.hpp>

namespace starloom {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t default_window = std::int64_t{1} << 22;

class NetraceTraffic final : public Traffic {
 public:
  explicit NetraceTraffic(NetraceInput input) : input_(std::make_shared<const NetraceInput>(std::move(input))) {}

  void generate(Step /*from*/, Step /*to*/, std::vector<Packet>& /*out*/) override {}
  Step next_creation(Step /*from*/) const override { return no_step; }
  std::optional<Step> end() const override { return std::nullopt; }
  bool open_loop() const override { return true; }
  std::optional<std::int64_t> packet_count() const override { return input_->extent.count; }
  std::unique_ptr<Workload> workload() const override { return std::make_unique<NetraceWorkload>(input_); }
  std::optional<NetraceFacts> netrace() const override {
    return NetraceFacts{input_->extent.header.name, input_->extent.header.notes, input_->extent.header.nodes,
                        input_->extent.count, input_->extent.cycles};
  }

 private:
  std::shared_ptr<const NetraceInput> input_;
};

/// [node of the trace] its processor.
std::vector<NodeId> processors_of(int nodes, const TrafficContext& context, const KeyValues& keys) {
  const NodeId processors = context.processors.count;
  if (keys.is_word("mapping")) {
    if (nodes > processors)
      throw ConfigError("mapping", "the trace has " + std::to_string(nodes) + " nodes, but the network has " +
                                       std::to_string(processors) + (processors == 1 ? " processor" : " processors") +
                                       "; give a list, in which several nodes may share a processor");
    return mapped_by_rule(keys.text("mapping"), nodes, context);
  }
  const std::vector<std::int64_t>& list = keys.list("mapping");
  if (list.size() != static_cast<std::size_t>(nodes))
    throw ConfigError("mapping", "it has " + std::to_string(list.size()) + " processors, but the trace has " +
                                     std::to_string(nodes) + " nodes");
  std::vector<ConfigError::Diagnostic> diagnostics;
  for (int node = 0; node < nodes; ++node)
    if (const std::int64_t processor = list[static_cast<std::size_t>(node)]; processor >= processors)
      diagnostics.push_back({"mapping", "node " + std::to_string(node) + " of the trace: " + std::to_string(processor) +
                                            " is not a processor: processors are 0 to " +
                                            std::to_string(processors - 1)});
  if (!diagnostics.empty()) throw ConfigError(std::move(diagnostics));
  return {list.begin(), list.end()};
}

NetracePace pace_of(const std::string& name) {
  return name == "timestamps"  ? NetracePace::timestamps
         : name == "throttled" ? NetracePace::throttled
                               : NetracePace::dependencies;
}

}  // namespace

std::vector<KeySpec> netrace_keys() {
  KeySpec mapping = integer_list_key("mapping",
                                     "processor of each node of the trace, several of which may share one, or a rule "
                                     "(docs/workloads.md)")
                        .by_default("row-major")
                        .at_least(0);
  mapping.choices = mapping_rules();
  return {
      file_key("file", "netrace file, compressed by bzip2").is_required(),
      integer_key("region", "number of the region of the file that is run")
          .by_default("all")
          .at_least(0)
          .or_word("all"),
      mapping,
      choice_key("pace", {"dependencies", "timestamps", "throttled"},
                 "packets are created by their cycles and the deliveries for which they wait, by their cycles only, "
                 "or by these deliveries only")
          .by_default("dependencies"),
      integer_key("delay", "time from the last delivery for which a packet waits to its creation")
          .by_default(0)
          .within(0, static_cast<double>(most_steps))
          .measured_in("steps"),
      integer_key("flits", "length of every packet; `bytes`: as its bytes need, with units.flit_bytes")
          .by_default("bytes")
          .within(1, static_cast<double>(most))
          .measured_in("flits")
          .or_word("bytes"),
      integer_key("window", "most packets that are read and not delivered")
          .by_default(default_window)
          .within(1, static_cast<double>(most))
          .measured_in("packets")};
}

std::unique_ptr<Traffic> make_netrace(const TrafficContext& context, const KeyValues& keys) {
  NetraceInput input;
  input.name = keys.text("file");
  input.path = context.folder / input.name;
  input.extent = check_netrace(input.path, input.name,
                               keys.is_word("region") ? std::nullopt : std::optional(keys.integer("region")));
  input.node = processors_of(input.extent.header.nodes, context, keys);
  if (!context.processors.node.empty())
    for (NodeId& node : input.node) node = context.processors.node[static_cast<std::size_t>(node)];
  input.pace = pace_of(keys.text("pace"));
  input.delay = keys.integer("delay");
  input.flits = keys.is_word("flits") ? 0 : static_cast<std::int32_t>(keys.integer("flits"));
  input.flit_bytes = context.units.flit_bytes;
  input.window = keys.integer("window");
  return std::make_unique<NetraceTraffic>(std::move(input));
}

}  // namespace starloom
