// SPDX-License-Identifier: Apache-2.0
#include <starloom/router/router_keys.hpp>

#include <algorithm>
#include <limits>

#include <starloom/routing/spread.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/names.hpp>

namespace starloom::links {
namespace {

/// In the order of FlowRule.
const std::vector<std::string> flow_names = {"wormhole", "cut-through", "bubble"};

/// Of `multicast`.
const std::vector<std::string> copy_names = {"packet", "flits"};

/// In the order of PriorityRule.
const std::vector<std::string> priority_names(std::begin(priority_rule_names), std::end(priority_rule_names));

/// The default of `allocator`.
PartValue standard_allocator(const RouterParts& parts) {
  return with_defaults(allocator_forms(parts, AllocatorUse::either), {parts.allocators.front().name, {}, {}});
}

/// The value of one of the two keys, or that of `allocator`, if this has such a rule.
PartValue allocator_of(const RouterParts& parts, const KeyValues& keys, const std::string& key,
                       bool AllocatorEntry::*serves) {
  if (keys.has(key)) return keys.part(key);
  const PartValue& both = keys.part("allocator");
  return part_named(parts.allocators, both.name).*serves ? both : standard_allocator(parts);
}

router::Speedup speedup_of(const KeyValues& keys) {
  const auto number = [&keys](const char* key, int otherwise) {
    return keys.has(key) ? static_cast<int>(keys.integer(key)) : otherwise;
  };
  return {number("speedup.input", 1), number("speedup.output", 1), number("speedup.internal", 1),
          number("speedup.fifo", 0)};
}

std::optional<router::Pipeline> pipeline_of(const KeyValues& keys, bool speculative, const router::Speedup& speedup) {
  std::optional<router::Pipeline> pipeline;
  if (keys.has_section("stages")) {
    pipeline.emplace().speculative = speculative;
    for (const router::Stage& stage : router::pipeline_stages)
      *pipeline.*stage.steps = static_cast<int>(keys.integer(std::string("stages.") + stage.name));
  } else {
    pipeline = router::Pipeline::of(keys.integer("pipeline"), speculative);
  }
  if (pipeline) pipeline->speedup = speedup;
  return pipeline;
}

/// Without sharing, `places` is 0.
router::SharedBuffer shared_buffer_of(const KeyValues& keys) {
  router::SharedBuffer shared;
  if (!keys.has_section("buffers") || keys.text("buffers.policy") == "private") return shared;
  shared.places = static_cast<std::int32_t>(keys.integer("buffers.places"));
  if (keys.has("buffers.private")) shared.own = static_cast<std::int32_t>(keys.integer("buffers.private"));
  if (keys.has("buffers.limit")) shared.limit = static_cast<std::int32_t>(keys.integer("buffers.limit"));
  shared.divided = keys.text("buffers.policy") == "dynamic";
  return shared;
}

/// The most flits of a channel.
std::int32_t buffer_of(const KeyValues& keys, const router::SharedBuffer& shared, int channels) {
  if (shared.is_shared()) return shared.most_of_channel(channels);
  if (!keys.has_section("buffers")) return static_cast<std::int32_t>(keys.integer("buffer"));
  return static_cast<std::int32_t>(keys.integer("buffers.places")) / channels;
}

/// Calls `add(key, error)` for values of `buffers` that do not fit the number of channels, or each other.
template <class Add>
void refuse_buffers(const RouterKeys& keys, const KeyValues& given, const Add& add) {
  if (!given.has_section("buffers")) return;
  const std::string policy = given.text("buffers.policy");
  const std::int64_t places = given.integer("buffers.places"), channels = keys.channels;
  const std::string of_channels = std::to_string(channels) + (channels == 1 ? " channel" : " channels");
  if (policy == "private") {
    if (given.has("buffers.private"))
      add("buffers.private", "with policy private all places are private; remove buffers.private");
    if (places < channels || places % channels != 0)
      add("buffers.places", "with policy private, places is a multiple of the number of channels, but it is " +
                                std::to_string(places) + " for " + of_channels);
  } else {
    const std::int64_t own = keys.shared.own;
    if (places < channels * own)
      add("buffers.places", "an in-port with " + of_channels + " and " + std::to_string(own) +
                                (own == 1 ? " private place" : " private places") + " for each has at least " +
                                std::to_string(channels * own) + " places, but buffers.places is " +
                                std::to_string(places));
    if (keys.speedup.output > 1)
      add("speedup.output",
          "speedup.output: " + std::to_string(keys.speedup.output) +
              " needs private buffers, because the flits of one step would take the same shared place");
  }
  if (policy == "limited" && !given.has("buffers.limit"))
    add("buffers.policy", "policy limited needs buffers.limit, the most flits of a channel");
  if (policy != "limited" && given.has("buffers.limit"))
    add("buffers.limit", "buffers.limit needs policy limited, not " + policy);
}

std::vector<std::int64_t> sides_of(const Grid* grid) {
  std::vector<std::int64_t> sides;
  if (grid != nullptr) sides.assign(grid->shape().begin(), grid->shape().end());
  return sides;
}

/// Calls `add(key, error)` if classes of traffic, or replies, have too few channels of a port.
/// \param where the port has this number of channels, for the text; empty: everywhere.
template <class Add>
void refuse_few_channels(const RouterKeys& keys, int channels, const std::string& where, const Capabilities& offers,
                         const Grid* grid, bool serves, const Add& add) {
  const int others = channels - keys.reply_channels;
  if (others < 1)
    add("channels", "replies have " + std::to_string(keys.reply_channels) +
                        " channels (traffic.reply.channels; with tlm half of routing.channels), of " +
                        std::to_string(channels) + " in total" + where);
  if (serves && others >= 1) {
    const auto enough = [&](int of_packets, const std::string& whose) {
      try {
        refuse_channels(*keys.function, offers, sides_of(grid), of_packets, whose + where);
      } catch (const ConfigError& found) {
        for (const ConfigError::Diagnostic& diagnostic : found.diagnostics())
          add(diagnostic.key.c_str(), diagnostic.text);
      }
    };
    enough(others, keys.reply_channels > 0 ? " for packets that are not replies" : "");
    if (keys.reply_channels > 0) enough(keys.reply_channels, " for the replies");
    for (const TrafficClass& of_traffic : keys.classes)
      if (of_traffic.channels) enough(of_traffic.channels->count, " for the packets of class " + of_traffic.name);
  }
  for (const TrafficClass& of_traffic : keys.classes)
    if (of_traffic.channels && of_traffic.channels->first + of_traffic.channels->count > channels)
      add("channels", "a port has " + std::to_string(channels) + where + ", but those of class " + of_traffic.name +
                          " are " + std::to_string(of_traffic.channels->first) + " to " +
                          std::to_string(of_traffic.channels->first + of_traffic.channels->count - 1));
}

/// The names, each once, in their order.
std::vector<std::string> different(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const std::string& name : names)
    if (!contains(once, name)) once.push_back(name);
  return once;
}

/// Calls `add(key, error)` for rules that do not work with the stages of a router.
/// \param also the router, for the text, if only some have these stages; else empty.
template <class Add>
void refuse_stages(const RouterKeys& keys, const router::Pipeline& pipeline, const std::string& also, const Add& add) {
  if (keys.speculative && !pipeline.allocates_in_a_step())
    add("speculative", "speculative: true needs stages.channel: 1 and stages.switch: 1" + also +
                           ", because both allocations take place in one step");
  if (keys.speedup.internal > 1 &&
      std::max({pipeline.channel_steps, pipeline.switch_steps, pipeline.crossbar_steps}) > 1)
    add("speedup.internal", "speedup.internal: " + std::to_string(keys.speedup.internal) +
                                " needs stages.channel, stages.switch and stages.crossbar of 1 step" + also +
                                ", because a step then has several rounds of them");
  if (keys.rules.hold_switch && pipeline.switch_steps > 1)
    add("hold_switch",
        "hold_switch needs stages.switch: 1" + also + ", because a packet that holds its ports sends a flit per step");
  if (keys.rules.next_hop_channels && pipeline.routing_steps > 0)
    add("next_hop_channels", "next_hop_channels needs a router without a routing stage" + also +
                                 ", because a head knows its next port on arrival");
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

KeySpec flag_key(const char* name, const char* meaning) {
  return boolean_key(name, meaning).by_default(false).omitted_at_default();
}

KeySpec speedup_key(const std::string& name, const char* meaning, int most) {
  return integer_key("speedup." + name, meaning).by_default(1).within(1, most).omitted_at_default();
}

KeySpec stage_key(const router::Stage& stage, const char* meaning) {
  return integer_key(std::string("stages.") + stage.name, meaning)
      .by_default(std::int64_t{stage.least})
      .within(stage.least, router::most_stage_steps)
      .measured_in("steps")
      .omitted_at_default();
}

}  // namespace

std::vector<KeySpec> router_key_table(const RouterParts& parts) {
  std::vector<KeySpec> table = {
      integer_key(
          "channels",
          "number of virtual channels of a port; datelines on a torus need 2, except if all sides are at most 3")
          .by_default(1)
          .within(1, 256),
      integer_key("buffer", "capacity of the buffer of each virtual channel")
          .by_default(8)
          .within(1, router::most_buffer_flits)
          .measured_in("flits")
          .or_section("buffers"),
      choice_key("buffers.policy", {"shared", "limited", "dynamic", "private"},
                 "shared: the channels of an in-port share its places; limited: a channel takes at most `limit` of "
                 "them; dynamic: at most the places divided by the number of channels in use; private: each has its "
                 "part (docs/router-buffers.md)")
          .by_default(std::string("shared"))
          .omitted_at_default(),
      integer_key("buffers.places", "places for flits of an in-port, for all its channels")
          .within(1, router::most_places)
          .measured_in("flits")
          .is_required()
          .omitted_at_default(),
      integer_key("buffers.private", "places that only one channel may take; default: 1")
          .within(1, router::most_places)
          .measured_in("flits")
          .omitted_at_default(),
      integer_key("buffers.limit", "policy limited: the most flits of a channel")
          .within(1, router::most_places)
          .measured_in("flits")
          .omitted_at_default(),
      choice_key(
          "flow", flow_names,
          "room that a head needs in the buffer behind an output channel: wormhole: for a flit; cut-through: for "
          "its packet; bubble: in a ring for the longest packet, to enter a ring for two of them "
          "(docs/flow-control.md)")
          .by_default(flow_names.front())
          .omitted_at_default(),
      choice_key("multicast", copy_names,
                 "room that a copy of a packet to several destinations needs in the buffer behind an output channel: "
                 "packet: for all of it; flits: for a flit, which can deadlock (docs/multicast.md)")
          .by_default(copy_names.front())
          .omitted_at_default(),
      integer_key("pipeline",
                  "cycles per hop, including a link of latency 1: 3 or 4 if speculative, otherwise 4 or 5; or give "
                  "`stages` instead (docs/router-stages.md)")
          .by_default(3)
          .within(3, 5)
          .measured_in("steps")
          .or_section("stages"),
      stage_key(router::pipeline_stages[0], "steps of route computation; 0: a head is routed on arrival"),
      stage_key(router::pipeline_stages[1], "steps of channel allocation"),
      stage_key(router::pipeline_stages[2], "steps of switch allocation"),
      stage_key(router::pipeline_stages[3], "steps from the switch to the register in front of the link"),
      boolean_key("speculative",
                  "true: a head requests an output channel and the switch in the same step; default: true for 3 "
                  "cycles, otherwise false"),
      integer_key("credit_latency",
                  "steps from the departure of a flit until the sender can use the freed buffer slot; default: the "
                  "minimum, 1 + link latency")
          .at_least(2)
          .at_most(LinkTiming::most_latency + 1024)
          .measured_in("steps"),
      choice_key("function", names_of(parts.functions),
                 "routing function: the out-ports and channels that a packet may take (docs/routing-functions.md: "
                 "networks and channels of each)")
          .by_default(std::string("dimension-order")),
      choice_key("selection", names_of(parts.selections),
                 "adaptive functions: the port that a head requests in each step, the one with the most credits, the "
                 "first, a random one, or all of them")
          .by_default(parts.selections.front().name),
      part_key("allocator", allocator_forms(parts, AllocatorUse::either),
               "the rule that gives free output channels and the switch to those that request them "
               "(docs/router-family.md)")
          .by_default(standard_allocator(parts))
          .omitted_at_default(),
      part_key("channel_allocator", allocator_forms(parts, AllocatorUse::channels),
               "the rule that gives output channels to heads; default: that of `allocator`")
          .omitted_at_default(),
      part_key("switch_allocator", allocator_forms(parts, AllocatorUse::switches),
               "the rule that gives the switch to channels; default: that of `allocator`")
          .omitted_at_default(),
      part_key("arbiter", arbiter_forms(parts),
               "the rule by which an allocator that does not name its arbiter picks one of several requesters")
          .by_default(PartValue{parts.arbiters.front().name, {}, {}})
          .omitted_at_default(),
      part_key(
          "speculation.allocator", allocator_forms(parts, AllocatorUse::switches),
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
                 "the flits that come first: of a class of greater priority (`traffic.classes`), of packets created "
                 "earlier, injected earlier, readable in the buffer for longer, that have passed more routers, in "
                 "fuller buffers, or of packets earlier in their source")
          .by_default(priority_names.front())
          .omitted_at_default(),
      speedup_key("input",
                  "flits that may leave an in-port in one step: channels v, v + input, ... share a sub-port of it",
                  256),
      speedup_key("output", "flits that may pass the switch to an out-port in one step, from different in-ports",
                  router::most_router_ports),
      speedup_key("internal", "rounds of routing, allocation and traversal in one step", router::most_rounds),
      integer_key(
          "speedup.fifo",
          "flits in the FIFO of an out-port with which it takes no requests; default: no limit (credits limit it)")
          .within(1, router::most_fifo_flits)
          .measured_in("flits")
          .omitted_at_default(),
      flag_key("donate", "the greatest priority of all flits in a channel counts, not that of its front"),
      flag_key("prefer_empty", "heads prefer output channels whose downstream buffer is empty"),
      flag_key("hold_switch", "a packet keeps its in-port and out-port from flit to flit while it can send"),
      flag_key("wait_for_tail_credit",
               "an output channel is free again only when all credits of the last packet are back"),
      flag_key("busy_when_full", "heads request only output channels that have a credit"),
      flag_key("shuffle_requests", "channel allocation orders its inputs by channel, then by port"),
      flag_key("next_hop_channels", "a packet takes only the channels that belong to its out-port at the next router")};
  for (const std::vector<KeySpec>& keys : {part_keys(parts.functions), part_keys(parts.selections),
                                           part_keys(parts.arbiters), part_keys(parts.allocators)})
    table.insert(table.end(), keys.begin(), keys.end());
  return table;
}

RouterKeys::RouterKeys(const RouterParts& parts, const KeyValues& keys, std::int32_t link_latency,
                       std::int32_t for_replies, std::vector<TrafficClass> of_traffic)
    : channels(static_cast<int>(keys.integer("channels"))),
      shared(shared_buffer_of(keys)),
      buffer(buffer_of(keys, shared, channels)),
      speculative(keys.has("speculative") ? keys.boolean("speculative")
                                          : keys.has("pipeline") && keys.integer("pipeline") == 3),
      speedup(speedup_of(keys)),
      pipeline(pipeline_of(keys, speculative, speedup)),
      credit_latency(keys.has("credit_latency") ? keys.integer("credit_latency") : router::credit_delay(link_latency)),
      function(&part_named(parts.functions, keys.text("function"))),
      selection(&part_named(parts.selections, keys.text("selection"))),
      arbiter(keys.part("arbiter")),
      channel_allocator(allocator_of(parts, keys, "channel_allocator", &AllocatorEntry::channels)),
      switch_allocator(allocator_of(parts, keys, "switch_allocator", &AllocatorEntry::switches)),
      reply_channels(for_replies),
      classes(std::move(of_traffic)) {
  if (keys.has("speculation.allocator")) speculation_allocator = keys.part("speculation.allocator");
  if (keys.has("speculation.mask") && keys.text("speculation.mask") == "requests")
    speculation_mask = SpeculationMask::requests;
  const auto rule = std::find(priority_names.begin(), priority_names.end(), keys.text("priority"));
  priorities = {static_cast<PriorityRule>(rule - priority_names.begin()), keys.boolean("donate"),
                keys.boolean("prefer_empty")};
  rules = {keys.boolean("hold_switch"), keys.boolean("wait_for_tail_credit"), keys.boolean("busy_when_full"),
           keys.boolean("shuffle_requests"), keys.boolean("next_hop_channels")};
  const auto flow_name = std::find(flow_names.begin(), flow_names.end(), keys.text("flow"));
  flow = static_cast<router::FlowRule>(flow_name - flow_names.begin());
  rules.whole_packets = flow == router::FlowRule::cut_through;
  multicast_whole = keys.text("multicast") == copy_names.front();
  speculation_checks_credits = !keys.has("speculation.check") || keys.text("speculation.check") == "credit";
}

bool RouterKeys::built_in(const RouterParts& parts) const {
  const auto is_built_in = [&](const PartValue& allocator) {
    return part_named(parts.allocators, allocator.name).built_in && allocator.number == 1;
  };
  return part_named(parts.arbiters, arbiter.name).built_in && is_built_in(channel_allocator) &&
         is_built_in(switch_allocator) && !speculation_allocator && speculation_checks_credits &&
         priorities.rule == PriorityRule::none && !priorities.prefer_empty && pipeline->allocates_in_a_step() &&
         !rules.any() && !speedup.any() && classes.empty() && !shared.is_shared() && flow == router::FlowRule::wormhole;
}

std::string RouterKeys::remark(const RouterParts& parts) const {
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

std::vector<std::string> RouterKeys::arbiters() const {
  std::vector<std::string> names = names_in(arbiter);
  for (const PartValue& allocator : allocators()) {
    const std::vector<std::string> all = names_in(allocator);
    names.insert(names.end(), all.begin() + 1, all.end());
  }
  return names;
}

std::vector<PartValue> RouterKeys::allocators() const {
  std::vector<PartValue> all = {channel_allocator, switch_allocator};
  if (speculation_allocator) all.push_back(*speculation_allocator);
  return all;
}

void refuse_router(const RouterParts& parts, const RouterKeys& keys, const KeyValues& given, const Capabilities& offers,
                   const Grid* grid, std::int32_t link_latency) {
  const std::vector<std::int64_t> sides = sides_of(grid);
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
  if (!keys.pipeline)
    add("pipeline", "pipeline: " + std::to_string(given.integer("pipeline")) + " does not fit speculative: " +
                        (keys.speculative ? "true, which takes 3 or 4 cycles" : "false, which takes 4 or 5 cycles"));
  else refuse_stages(keys, *keys.pipeline, "", add);
  if (keys.speedup.input > keys.channels)
    add("speedup.input", "speedup.input: " + std::to_string(keys.speedup.input) +
                             " needs at least as many channels, one for each sub-port, but channels is " +
                             std::to_string(keys.channels));
  if (const int least = router::credit_delay(link_latency); keys.credit_latency < least)
    add("credit_latency", "a credit needs at least " + std::to_string(least) + " steps over links of latency " +
                              std::to_string(link_latency) + ", but credit_latency is " +
                              std::to_string(keys.credit_latency));
  if (keys.rules.next_hop_channels &&
      (!keys.function->fixed || keys.function->by_in_port || routing::spread_of(given) != routing::Spread::none))
    add("next_hop_channels",
        "next_hop_channels needs a function whose next port depends on node and destination only, such as "
        "dimension-order, not " +
            keys.function->name + (keys.function->fixed ? " with spread" : ""));
  if (keys.flow != router::FlowRule::wormhole && keys.shared.is_shared())
    add("flow", "flow: " + given.text("flow") +
                    " needs buffers of its own for each channel, because packets of other channels could take the room "
                    "of a packet; remove buffers, or set buffers.policy to private");
  if (keys.flow == router::FlowRule::bubble) {
    const bool has_rings = std::any_of(offers.begin(), offers.end(),
                                       [](const std::string& name) { return name == "torus" || name == "ring"; });
    if (!has_rings) add("flow", "flow: bubble needs a network of rings, such as a torus; others have no use for it");
    if (keys.rules.wait_for_tail_credit)
      add("wait_for_tail_credit",
          "wait_for_tail_credit: true does not work with flow: bubble, because a buffer then never "
          "takes a packet behind another; remove one of them");
    if (keys.function->name != "dimension-order-plain")
      add("flow", "flow: bubble needs function: dimension-order-plain, which is free of deadlock with it, not " +
                      keys.function->name);
  }
  attempt([&] { refuse_part_keys("function", parts.functions, *keys.function, given); });
  attempt([&] { refuse_part_keys("selection", parts.selections, *keys.selection, given); });
  attempt([&] { refuse_part_keys("arbiter", parts.arbiters, different(keys.arbiters()), given); });
  attempt([&] { refuse_part_keys("allocator", parts.allocators, different(names_of(keys.allocators())), given); });
  refuse_allocators(parts, keys, given, add);
  refuse_buffers(keys, given, add);
  const bool serves = attempt([&] { refuse_network(parts.functions, *keys.function, offers, sides.size()); });
  refuse_few_channels(keys, keys.channels, "", offers, grid, serves, add);
  if (!diagnostics.empty()) throw ConfigError(std::move(diagnostics));
}

void refuse_pipelines(const NetworkGraph& graph, const RouterKeys& keys,
                      const std::vector<router::Pipeline>& pipelines) {
  for (NodeId node = 0; node < static_cast<NodeId>(pipelines.size()); ++node)
    refuse_stages(keys, pipelines[static_cast<std::size_t>(node)],
                  ", also in " + graph.node_name(node) + " (network.regions)",
                  [](const char* key, const std::string& text) { throw ConfigError(key, text); });
}

void refuse_terminals(const NetworkGraph& graph, const RouterKeys& keys) {
  for (NodeId node = 0; keys.rules.next_hop_channels && node < graph.nodes(); ++node)
    if (graph.is_terminal(node))
      throw ConfigError("next_hop_channels", "next_hop_channels needs a router in every node, but " +
                                                 graph.node_name(node) + " is a terminal");
}

void refuse_groups(const AlgorithmContext& context, const RouterKeys& keys, const KeyValues& given) {
  if (context.groups.empty()) return;
  const std::string needs = "packets to several destinations need ";
  const Grid* const grid = context.network->as<Grid>();
  if (grid == nullptr || grid->kind() != GridKind::mesh)
    throw ConfigError("function", needs + "a mesh, on which the paths of dimension order are a tree");
  const std::vector<std::string> functions = {"dimension-order", "yx"};
  if (std::find(functions.begin(), functions.end(), keys.function->name) == functions.end())
    throw ConfigError("function", needs + "function dimension-order or yx, not " + keys.function->name);
  const std::string alone_text = "packets to several destinations do not work with ";
  const auto refuse_section = [&](bool given_too, const char* section) {
    if (given_too) throw ConfigError("multicast", alone_text + section + "; leave one of the two out");
  };
  refuse_section(context.subnets > 1, "network.subnets");
  refuse_section(!context.regions.empty(), "network.regions");
  refuse_section(context.graph().has_clocks(), "network.clocks");
  refuse_section(!keys.classes.empty() || keys.reply_channels > 0, "traffic.classes");
  const auto alone = [&](bool given_too, const char* key) {
    if (given_too) throw ConfigError(key, alone_text + key + "; leave one of the two out");
  };
  alone(keys.shared.is_shared(), "buffers");
  alone(keys.speedup.any(), "speedup");
  alone(keys.flow != router::FlowRule::wormhole, "flow");
  alone(keys.rules.hold_switch, "hold_switch");
  alone(keys.rules.wait_for_tail_credit, "wait_for_tail_credit");
  alone(keys.rules.next_hop_channels, "next_hop_channels");
  alone(keys.priorities.rule != PriorityRule::none, "priority");
  alone(!keys.pipeline->allocates_in_a_step(), given.has_section("stages") ? "stages" : "pipeline");
  std::int32_t longest = 0;
  for (const MulticastGroup& group : context.groups) {
    longest = std::max(longest, group.longest);
    const auto copies = static_cast<std::int64_t>(group.destinations.size());
    if (group.longest * copies > std::numeric_limits<std::int32_t>::max())
      throw ConfigError("multicast", "a packet of " + std::to_string(group.longest) + " flits to " +
                                         std::to_string(copies) +
                                         " destinations is consumed as more than 2^31 - 1 flits; cut the message into "
                                         "chunks");
  }
  if (keys.multicast_whole && longest > keys.buffer)
    throw ConfigError("buffer",
                      "multicast: packet needs room for a whole packet in each buffer, but one to several "
                      "destinations has " +
                          std::to_string(longest) + " flits, and buffer is " + std::to_string(keys.buffer) +
                          "; set buffer to at least " + std::to_string(longest) + ", or cut the message into chunks");
}

void refuse_channels_of_nodes(const NetworkGraph& graph, const std::vector<std::int32_t>& channels,
                              const RouterKeys& keys, const KeyValues& given, const Capabilities& offers,
                              const Grid* grid) {
  const auto refuse = [](const char* key, const std::string& text) { throw ConfigError(key, text); };
  if (channels.empty()) return;
  const char* regions = "the routers of network.regions have other numbers of channels, which does not work with ";
  if (given.has_section("buffers"))
    refuse("buffers", regions + std::string("places of an in-port; give routing.buffer instead of buffers"));
  if (keys.rules.next_hop_channels)
    refuse("next_hop_channels", regions + std::string("next_hop_channels; leave one of the two out"));
  for (NodeId node = 0; node < static_cast<NodeId>(channels.size()); ++node) {
    const LinkEnd from = graph.in_ports(node).empty() ? LinkEnd{} : graph.near_end(node, graph.in_ports(node).lowest());
    const std::string link = from.connected() ? "over " + graph.link_name(from.node, from.port) + " to " : "in ";
    refuse_few_channels(keys, channels[static_cast<std::size_t>(node)],
                        " " + link + graph.node_name(node) + " (network.regions)", offers, grid, true, refuse);
  }
}

void refuse_ports(int ports, int channels, const RouterKeys& keys, const Capabilities& offers, const Grid* grid) {
  int fewest = channels;
  for (const routing::ChannelRange& of_class : keys.class_channels(channels)) fewest = std::min(fewest, of_class.count);
  const routing::Service* service = keys.function->service(offers);
  // A function divides channels into its classes also where short rings need only one.
  const int classes = service == nullptr ? 1 : service->channels;
  if (keys.rules.next_hop_channels && fewest / classes < ports)
    throw ConfigError("next_hop_channels",
                      "next_hop_channels needs at least " + std::to_string(ports * classes) +
                          " channels, one for each of " + std::to_string(ports) + " ports" +
                          (classes > 1 ? " in each of " + std::to_string(classes) + " classes" : "") +
                          ", but there are " + std::to_string(fewest));
  if (keys.speedup.output > ports)
    throw ConfigError("speedup.output", "speedup.output: " + std::to_string(keys.speedup.output) +
                                            " has no effect beyond the number of ports of a router, which is " +
                                            std::to_string(ports) + " here");
  if (ports * channels > most_channels)
    throw ConfigError("channels", "a router of " + std::to_string(ports) + " ports has at most " +
                                      std::to_string(most_channels / ports) + " channels per port, but channels is " +
                                      std::to_string(channels));
}

}  // namespace starloom::links
