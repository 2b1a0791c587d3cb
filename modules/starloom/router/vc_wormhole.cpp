// SPDX-License-Identifier: Apache-2.0
#include <starloom/router/vc_wormhole.hpp>

#include <algorithm>
#include <optional>

#include <starloom/control/router_parts.hpp>
#include <starloom/router/general_router.hpp>
#include <starloom/router/router_declaration.hpp>
#include <starloom/router/vc_router.hpp>
#include <starloom/routing/function_table.hpp>
#include <starloom/routing/grid_function.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/schema/part_keys.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/names.hpp>

namespace starloom::links {
namespace {

/// Ports in the order of the arbiters. In a grid: dimension by dimension in dimension order, towards greater
/// coordinates first; else by their numbers.
std::vector<Port> arbiter_order(const LinkNetwork& network) {
  std::vector<Port> order;
  if (const Grid* grid = network.as<Grid>()) {
    for (const int axis : grid->route_axes())
      for (const int sign : {1, -1}) order.push_back(grid->port_along(axis, sign));
    return order;
  }
  for (Port port = 0; port < network.graph.ports(); ++port) order.push_back(port);
  return order;
}

/// In the order of PriorityRule.
const std::vector<std::string> priority_names = {"none",      "age",          "network-age", "local-age",
                                                 "hop-count", "queue-length", "sequence"};

/// The default of `allocator`.
PartValue standard_allocator(const RouterParts& parts) {
  return with_defaults(allocator_forms(parts, AllocatorUse::either), {parts.allocators.front().name, {}, {}});
}

/// The keys of a router.
struct RouterKeys {
  int channels = 1;
  std::int32_t buffer = 8;
  std::int64_t cycles = 3;
  bool speculative = true;
  std::int64_t credit_latency = 0;
  const routing::FunctionEntry* function = nullptr;
  const SelectionEntry* selection = nullptr;
  PartValue arbiter;
  PartValue channel_allocator, switch_allocator;
  std::optional<PartValue> speculation_allocator;  ///< none: `switch_allocator` grants speculative requests, too
  SpeculationMask speculation_mask = SpeculationMask::grants;
  bool speculation_checks_credits = true;
  PriorityKeys priorities;
  int reply_channels = 0;

  RouterKeys(const RouterParts& parts, const KeyValues& keys, std::int32_t link_latency, std::int32_t for_replies)
      : channels(static_cast<int>(keys.integer("channels"))),
        buffer(static_cast<std::int32_t>(keys.integer("buffer"))),
        cycles(keys.integer("pipeline")),
        speculative(keys.has("speculative") ? keys.boolean("speculative") : cycles == 3),
        credit_latency(keys.has("credit_latency") ? keys.integer("credit_latency")
                                                  : router::credit_delay(link_latency)),
        function(&part_named(parts.functions, keys.text("function"))),
        selection(&part_named(parts.selections, keys.text("selection"))),
        arbiter(keys.part("arbiter")),
        channel_allocator(allocator(parts, keys, "channel_allocator", &AllocatorEntry::channels)),
        switch_allocator(allocator(parts, keys, "switch_allocator", &AllocatorEntry::switches)),
        reply_channels(for_replies) {
    if (keys.has("speculation.allocator")) speculation_allocator = keys.part("speculation.allocator");
    if (keys.has("speculation.mask") && keys.text("speculation.mask") == "requests")
      speculation_mask = SpeculationMask::requests;
    const auto rule = std::find(priority_names.begin(), priority_names.end(), keys.text("priority"));
    priorities = {static_cast<PriorityRule>(rule - priority_names.begin()), keys.boolean("donate"),
                  keys.boolean("prefer_empty")};
    speculation_checks_credits = !keys.has("speculation.check") || keys.text("speculation.check") == "credit";
  }

  std::optional<router::Pipeline> pipeline() const { return router::Pipeline::of(cycles, speculative); }
  int other_channels() const { return channels - reply_channels; }
  bool piggyback(const RouterParts& parts) const {
    return part_named(parts.allocators, channel_allocator.name).piggyback;
  }
  /// True if VcRouter has all these rules.
  bool built_in(const RouterParts& parts) const {
    const auto is_built_in = [&](const PartValue& allocator) {
      return part_named(parts.allocators, allocator.name).built_in && allocator.number == 1;
    };
    return part_named(parts.arbiters, arbiter.name).built_in && is_built_in(channel_allocator) &&
           is_built_in(switch_allocator) && !speculation_allocator && speculation_checks_credits &&
           priorities.rule == PriorityRule::none && !priorities.prefer_empty;
  }
  /// A warning if allocators ignore the priorities of the router; else empty.
  std::string remark(const RouterParts& parts) const {
    if (priorities.rule == PriorityRule::none && !priorities.prefer_empty) return "";
    std::vector<std::string> ignoring;
    const auto add = [&](const char* key, const PartValue& allocator) {
      if (part_named(parts.allocators, allocator.name).ignores_priorities)
        ignoring.push_back(std::string(key) + " " + allocator.name);
    };
    add("channel_allocator", channel_allocator);
    const bool at_switch = priorities.rule != PriorityRule::none;
    if (at_switch) add("switch_allocator", switch_allocator);
    if (at_switch && speculation_allocator) add("speculation.allocator", *speculation_allocator);
    if (ignoring.empty()) return "";
    const std::string what = "warning: " + joined_with_and(ignoring) + (ignoring.size() == 1 ? " ignores" : " ignore");
    if (!at_switch) return what + " prefer_empty";
    return what + " priorities, which then decide only the channel that requests the switch for its in-port";
  }
  /// The names of all arbiters, and of all allocators.
  std::vector<std::string> arbiters() const {
    std::vector<std::string> names = names_in(arbiter);
    for (const PartValue& allocator : allocators()) {
      const std::vector<std::string> all = names_in(allocator);
      names.insert(names.end(), all.begin() + 1, all.end());
    }
    return names;
  }
  std::vector<PartValue> allocators() const {
    std::vector<PartValue> all = {channel_allocator, switch_allocator};
    if (speculation_allocator) all.push_back(*speculation_allocator);
    return all;
  }

 private:
  /// The value of one of the two keys, or that of `allocator`, if this has such a rule.
  static PartValue allocator(const RouterParts& parts, const KeyValues& keys, const std::string& key,
                             bool AllocatorEntry::*serves) {
    if (keys.has(key)) return keys.part(key);
    const PartValue& both = keys.part("allocator");
    return part_named(parts.allocators, both.name).*serves ? both : standard_allocator(parts);
  }
};

/// The names, each once, in their order.
std::vector<std::string> different(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const std::string& name : names)
    if (!contains(once, name)) once.push_back(name);
  return once;
}

/// Calls `add(key, error)` for allocators that have no effect, or cannot work.
template <class Add>
void refuse_allocators(const RouterParts& parts, const RouterKeys& keys, const KeyValues& given, const Add& add) {
  const bool channels = given.has("channel_allocator"), switches = given.has("switch_allocator");
  if (channels && switches && given.part("allocator") != standard_allocator(parts))
    add("allocator", "allocator has no effect, because channel_allocator and switch_allocator are given; remove it");
  if (keys.piggyback(parts) && !keys.speculative)
    add(channels ? "channel_allocator" : "allocator",
        keys.channel_allocator.name +
            " needs a router with speculative: true, because heads get their channel with "
            "the switch");
  if (given.has_section("speculation") && !keys.speculative)
    add("speculation", "speculation needs a router with speculative: true");
  if (keys.priorities.donate && keys.priorities.rule == PriorityRule::none)
    add("donate", "flits have no priorities to donate; set priority");
  if (given.has("speculation.mask") && given.text("speculation.mask") != "grants" && !keys.speculation_allocator)
    add("speculation.mask", "a mask needs speculation.allocator, which grants speculative requests apart");
}

/// Refuses keys that no network of this kind supports, with all errors. \throws ConfigError
///
/// \param given the values of all keys.
/// \param offers of the network.
/// \param grid of the network; null: it has none.
void refuse_router(const RouterParts& parts, const RouterKeys& keys, const KeyValues& given, const Capabilities& offers,
                   const Grid* grid, std::int32_t link_latency) {
  std::vector<std::int64_t> sides;
  if (grid != nullptr) sides.assign(grid->shape().begin(), grid->shape().end());
  std::vector<ConfigError::Diagnostic> diagnostics;
  const auto add = [&diagnostics](const char* key, const std::string& text) { diagnostics.push_back({key, text}); };
  const auto attempt = [&diagnostics](const auto& refuse) {
    try {
      refuse();
      return true;
    } catch (const ConfigError& found) {
      diagnostics.insert(diagnostics.end(), found.diagnostics().begin(), found.diagnostics().end());
      return false;
    }
  };
  if (!keys.pipeline())
    add("pipeline", "there is no pipeline of " + std::to_string(keys.cycles) + " cycles " +
                        (keys.speculative ? "with" : "without") +
                        " speculation; with speculative: true it has 3 or 4 cycles, with speculative: false 4 or 5");
  if (const int least = router::credit_delay(link_latency); keys.credit_latency < least)
    add("credit_latency", "a credit needs at least " + std::to_string(least) + " steps over links of latency " +
                              std::to_string(link_latency) + ", but credit_latency is " +
                              std::to_string(keys.credit_latency));
  attempt([&] { refuse_part_keys("function", parts.functions, *keys.function, given); });
  attempt([&] { refuse_part_keys("selection", parts.selections, *keys.selection, given); });
  attempt([&] { refuse_part_keys("arbiter", parts.arbiters, different(keys.arbiters()), given); });
  attempt([&] { refuse_part_keys("allocator", parts.allocators, different(names_of(keys.allocators())), given); });
  refuse_allocators(parts, keys, given, add);
  if (keys.other_channels() < 1)
    add("channels", "traffic.reply.channels reserves " + std::to_string(keys.reply_channels) +
                        " channels for replies, of " + std::to_string(keys.channels) + " in total");
  const bool serves = attempt([&] { refuse_network(parts.functions, *keys.function, offers, sides.size()); });
  if (serves && keys.other_channels() >= 1) {
    const auto enough = [&](int channels, const char* whose) {
      attempt([&] { refuse_channels(*keys.function, offers, sides, channels, whose); });
    };
    enough(keys.other_channels(), keys.reply_channels > 0 ? " for packets that are not replies" : "");
    if (keys.reply_channels > 0) enough(keys.reply_channels, " for the replies");
  }
  if (!diagnostics.empty()) throw ConfigError(std::move(diagnostics));
}

/// \throws InputError
void refuse_ports(int ports, int channels) {
  if (ports * channels > most_channels)
    throw ConfigError("channels", "a router of " + std::to_string(ports) + " ports has at most " +
                                      std::to_string(most_channels / ports) + " channels per port, but channels is " +
                                      std::to_string(channels));
}

/// The latency of all links, if a key of the network gives it; else the least possible one. A user's topologies may
/// have a key of that name and another type.
std::int32_t least_link_latency(const NetworkKeys& network) {
  const auto key = network.keys.all().find("link_latency");
  if (key == network.keys.all().end()) return 1;
  const auto* given = std::get_if<std::int64_t>(&key->second);
  return given == nullptr ? 1 : static_cast<std::int32_t>(*given);
}

/// Makes the allocators of a router whose rules are not built in.
class GeneralRules {
  /// \throws ConfigError with the key instead of an InputError.
  template <class Make>
  static auto made(const char* key, const Make& make) {
    try {
      return make();
    } catch (const InputError& error) {
      throw ConfigError(key, error.what());
    }
  }

 public:
  /// \throws ConfigError
  GeneralRules(const RouterParts& parts, const RouterKeys& keys, const KeyValues& given,
               const router::RouterShape& shape)
      : mask_(keys.speculation_mask), check_credits_(keys.speculation_checks_credits), priorities_(keys.priorities) {
    make_arbiter_ = arbiter_maker(parts, keys.arbiter, given);
    const auto make = [&](const char* key, const PartValue& allocator, int lines) {
      return made(given.has(key) ? key : "allocator", [&] {
        return make_allocator(parts, allocator, {lines, lines, shape.channels, 0}, make_arbiter_, given);
      });
    };
    made("arbiter", [&] { return make_arbiter_(shape.channels); });
    if (!keys.piggyback(parts)) channels_ = make("channel_allocator", keys.channel_allocator, shape.size());
    switches_ = make("switch_allocator", keys.switch_allocator, shape.port_count());
    if (keys.speculation_allocator)
      speculative_ = make("speculation.allocator", *keys.speculation_allocator, shape.port_count());
  }

  template <int words>
  GeneralParts<words> parts(const router::RouterShape& shape) const {
    GeneralParts<words> parts{
        std::nullopt,
        {shape, switches_->clone(), speculative_ != nullptr ? speculative_->clone() : nullptr, mask_, make_arbiter_},
        check_credits_,
        priorities_};
    if (channels_ != nullptr) parts.channels.emplace(channels_->clone());
    return parts;
  }

 private:
  MakeArbiter make_arbiter_{};
  std::unique_ptr<Allocator> channels_{};  ///< null: piggyback
  std::unique_ptr<Allocator> switches_{};
  std::unique_ptr<Allocator> speculative_{};  ///< null: `switches_` grants speculative requests, too
  SpeculationMask mask_;
  bool check_credits_;
  PriorityKeys priorities_;
};

class VcWormhole final : public Algorithm {
 public:
  /// \param given the values of all keys.
  VcWormhole(const AlgorithmContext& context, const RouterParts& parts, const RouterKeys& keys, const KeyValues& given)
      : Algorithm(declare(*context.network, keys)),
        nodes_(context.graph().nodes()),
        shape_(declaration().port_order, keys.channels),
        reply_channels_(keys.reply_channels),
        built_in_selection_(keys.selection->built_in.value_or(BuiltInSelection::first)),
        selection_(keys.selection->built_in ? nullptr : keys.selection->make(given)),
        remark_(keys.remark(parts)),
        memoryless_(keys.function->fixed && !keys.function->by_in_port) {
    if (!keys.built_in(parts)) general_rules_.emplace(parts, keys, given, shape_);
    routing::FunctionContext part{context.network, 0, keys.other_channels(), context.folder};
    function_ = keys.function->make(part, given);
    if (reply_channels_ == 0) return;
    part.first_channel = keys.other_channels();
    part.channels = reply_channels_;
    reply_function_ = keys.function->make(part, given);
  }

  std::unique_ptr<ControllerArray> make_controllers() const override {
    if (general_rules_)
      return shape_.size() <= 64 ? general_controllers<1>() : general_controllers<channel_words(most_channels)>();
    if (shape_.size() <= 8) return controllers<8>();
    if (shape_.size() <= 64) return controllers<64>();
    return controllers<most_channels>();
  }
  const routing::RoutingFunction* routing_function(bool replies) const override {
    return replies && reply_function_ != nullptr ? reply_function_.get() : function_.get();
  }
  std::string remark() const override { return remark_; }
  Port next_port(NodeId at, const Flit& head) const override {
    if (!memoryless_ || function_->adaptive() || function_->random_choices() > 1) return no_port;
    routing::Choices choices;
    function_->route({at, shape_.local, 0, head.destination}, choices);
    const Port port = choices.begin()->port;
    return port == shape_.local ? no_port : port;
  }

 private:
  template <int capacity>
  std::unique_ptr<ControllerArray> controllers() const {
    return controllers_like(VcRouter<capacity>(shape_, declaration().pipeline, classes()), nodes_);
  }
  template <int words>
  std::unique_ptr<ControllerArray> general_controllers() const {
    return controllers_like(
        GeneralRouter<words>(shape_, declaration().pipeline, classes(), general_rules_->parts<words>(shape_)), nodes_);
  }
  RoutedClasses classes() const {
    return {function_.get(), reply_function_.get(), reply_channels_, built_in_selection_, selection_.get()};
  }

  static Declaration declare(const LinkNetwork& network, const RouterKeys& keys) {
    Declaration d = router_declaration(arbiter_order(network), keys.channels, keys.buffer, *keys.pipeline());
    d.credit_extra =
        static_cast<std::int32_t>(keys.credit_latency) - router::credit_delay(network.graph.greatest_latency());
    d.flit_records = keys.priorities.needs_records();
    d.state = state_fields(network, router::RouterShape(d.port_order, keys.channels));
    return d;
  }

  static std::vector<StateField> state_fields(const LinkNetwork& network, const router::RouterShape& shape) {
    const Grid* grid = network.as<Grid>();
    std::vector<std::string> ports, channels;
    for (const Port port : shape.ports)
      ports.push_back(port == shape.local ? local_port_name
                      : grid != nullptr   ? grid->port_name(port)
                                          : "port" + std::to_string(port));
    for (int channel = 0; channel < shape.size(); ++channel)
      channels.push_back(ports[static_cast<std::size_t>(shape.port_index(channel))] + "_v" +
                         std::to_string(shape.number(channel)));
    std::vector<std::string> of_a_channel = channels;
    of_a_channel.insert(of_a_channel.begin(), "none");
    // For larger routers, waves show numbers: index of the channel + 1.
    if (shape.size() > 64) of_a_channel.clear();
    const std::vector<std::string> states(std::begin(channel_state_names), std::end(channel_state_names));
    std::vector<StateField> fields;
    for (const std::string& channel : channels) fields.push_back({"state_" + channel, 2, states});
    for (const std::string& channel : channels) fields.push_back({"output_" + channel, 11, of_a_channel});
    for (const std::string& channel : channels) fields.push_back({"credits_" + channel, 8, {}});
    for (const std::string& channel : channels) fields.push_back({"owner_" + channel, 11, of_a_channel});
    for (const std::string& port : ports) fields.push_back({"crossbar_" + port, 32, {}});
    return fields;
  }

  const NodeId nodes_;
  const router::RouterShape shape_;
  const int reply_channels_;  ///< the last ones; 0: replies use the same channels as other packets
  const BuiltInSelection built_in_selection_;
  const std::unique_ptr<const Selection> selection_;  ///< instead of it, or null
  std::optional<GeneralRules> general_rules_;         ///< none: VcRouter has the rules
  const std::string remark_;
  const bool memoryless_;  ///< the path of a packet depends only on node and destination
  std::unique_ptr<routing::RoutingFunction> function_, reply_function_;
};

}  // namespace

AlgorithmEntry vc_wormhole_entry(std::shared_ptr<const RouterParts> parts) {
  if (parts == nullptr) parts = std::make_shared<const RouterParts>(standard_parts());
  AlgorithmEntry entry;
  entry.name = "vc-wormhole";
  entry.meaning = "wormhole router: virtual channels, credits, separable allocators";
  entry.needs = {connected};
  entry.storage = StorageModel::virtual_channels;
  entry.mixed_lengths = true;
  entry.divides_channels = true;
  entry.keys = {
      integer_key(
          "channels",
          "number of virtual channels of a port; datelines on a torus need 2, except if all sides are at most 3")
          .by_default(1)
          .within(1, 256),
      integer_key("buffer", "capacity of the buffer of each virtual channel")
          .by_default(8)
          .within(1, 255)
          .measured_in("flits"),
      integer_key("pipeline", "cycles per hop, including a link of latency 1: 3 or 4 if speculative, otherwise 4 or 5")
          .by_default(3)
          .within(3, 5)
          .measured_in("steps"),
      boolean_key("speculative",
                  "true: a head requests an output channel and the switch in the same step; default: true for 3 "
                  "cycles, otherwise false"),
      integer_key("credit_latency",
                  "steps from the departure of a flit until the sender can use the freed buffer slot; default: the "
                  "minimum, 1 + link latency")
          .at_least(2)
          .at_most(1024)
          .measured_in("steps"),
      choice_key("function", names_of(parts->functions),
                 "routing function: the out-ports and channels that a packet may take (docs/routing-functions.md: "
                 "networks and channels of each)")
          .by_default(std::string("dimension-order")),
      choice_key("selection", names_of(parts->selections),
                 "adaptive functions: the port that a head requests in each step, the one with the most credits, the "
                 "first, or a random one")
          .by_default(parts->selections.front().name),
      part_key("allocator", allocator_forms(*parts, AllocatorUse::either),
               "the rule that gives free output channels and the switch to those that request them "
               "(docs/router-family.md)")
          .by_default(standard_allocator(*parts))
          .omitted_at_default(),
      part_key("channel_allocator", allocator_forms(*parts, AllocatorUse::channels),
               "the rule that gives output channels to heads; default: that of `allocator`")
          .omitted_at_default(),
      part_key("switch_allocator", allocator_forms(*parts, AllocatorUse::switches),
               "the rule that gives the switch to channels; default: that of `allocator`")
          .omitted_at_default(),
      part_key("arbiter", arbiter_forms(*parts),
               "the rule by which an allocator that does not name its arbiter picks one of several requesters")
          .by_default(PartValue{parts->arbiters.front().name, {}, {}})
          .omitted_at_default(),
      part_key(
          "speculation.allocator", allocator_forms(*parts, AllocatorUse::switches),
          "the rule that gives the switch to speculative requests; default: `switch_allocator` grants all requests")
          .omitted_at_default(),
      choice_key("speculation.mask", {"grants", "requests"},
                 "a speculative grant is void if a non-speculative grant takes its in-port or out-port, or, with "
                 "requests, if there is a non-speculative request for its out-port")
          .by_default(std::string("grants"))
          .omitted_at_default(),
      choice_key("speculation.check", {"credit", "channel"},
                 "a head requests the switch speculatively at ports with a free channel that has a credit, or, with "
                 "channel, with any free channel")
          .by_default(std::string("credit"))
          .omitted_at_default(),
      choice_key("priority", priority_names,
                 "the flits that come first: of packets created earlier, injected earlier, readable in the buffer for "
                 "longer, that have passed more routers, in fuller buffers, or of packets earlier in their source")
          .by_default(priority_names.front())
          .omitted_at_default(),
      boolean_key("donate", "the greatest priority of all flits in a channel counts, not that of its front")
          .by_default(false)
          .omitted_at_default(),
      boolean_key("prefer_empty", "heads prefer output channels whose downstream buffer is empty")
          .by_default(false)
          .omitted_at_default()};
  for (const std::vector<KeySpec>& keys : {part_keys(parts->functions), part_keys(parts->selections),
                                           part_keys(parts->arbiters), part_keys(parts->allocators)})
    entry.keys.insert(entry.keys.end(), keys.begin(), keys.end());
  entry.refuse = [parts](const NetworkKeys& network, const KeyValues& keys) {
    const std::int32_t latency = least_link_latency(network);
    const RouterKeys router_keys(*parts, keys, latency, 0);
    const std::optional<Grid> grid = network.grid();
    refuse_router(*parts, router_keys, keys, network.capabilities(), grid ? &*grid : nullptr, latency);
    if (router_keys.function->refuse) router_keys.function->refuse(network, keys);
    if (grid && (network.offers("mesh") || network.offers("torus")))
      refuse_ports(grid->ports() + 1, router_keys.channels);
  };
  entry.make = [parts](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    const std::int32_t latency = context.graph().greatest_latency();
    const RouterKeys router_keys(*parts, keys, latency, context.reply_channels);
    refuse_router(*parts, router_keys, keys, context.network->capabilities(), routing::grid_in(*context.network),
                  latency);
    refuse_ports(context.graph().ports() + 1, router_keys.channels);
    return std::make_unique<VcWormhole>(context, *parts, router_keys, keys);
  };
  entry.of_parts = vc_wormhole_entry;
  return entry;
}

}  // namespace starloom::links
