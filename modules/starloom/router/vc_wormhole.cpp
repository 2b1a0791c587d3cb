// SPDX-License-Identifier: Apache-2.0
#include <starloom/router/vc_wormhole.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <starloom/control/router_parts.hpp>
#include <starloom/router/general_router.hpp>
#include <starloom/router/router_declaration.hpp>
#include <starloom/router/router_keys.hpp>
#include <starloom/router/vc_router.hpp>
#include <starloom/routing/channels_of_links.hpp>
#include <starloom/routing/function_table.hpp>
#include <starloom/routing/grid_function.hpp>
#include <starloom/routing/multicast_tree.hpp>
#include <starloom/routing/next_hop_channels.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/schema/part_keys.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

/// False if all processors are terminals.
bool any_processor_has_a_router(const NetworkGraph& graph) {
  for (NodeId number = 0; number < graph.processors(); ++number)
    if (!graph.is_terminal(graph.processor(number))) return true;
  return false;
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
      : mask_(keys.speculation_mask),
        check_credits_(keys.speculation_checks_credits),
        priorities_(keys.priorities),
        rules_(keys.rules),
        speedup_(keys.speedup) {
    if (part_named(parts.arbiters, keys.arbiter.name).built_in) speaker_step_ = speedup_.input;
    make_arbiter_ = arbiter_maker(parts, keys.arbiter, given);
    const auto make = [&](const char* key, const PartValue& allocator, int ins, int outs) {
      return made(given.has(key) ? key : "allocator", [&] {
        return make_allocator(parts, allocator, {ins, outs, shape.channels, 0}, make_arbiter_, given);
      });
    };
    made("arbiter", [&] { return make_arbiter_(shape.channels); });
    const int ports = shape.matched_ports();
    if (!keys.piggyback(parts))
      channels_ = make("channel_allocator", keys.channel_allocator, ports * shape.channels, ports * shape.channels);
    const int ins = ports * speedup_.input, outs = ports * speedup_.output;
    switches_ = make("switch_allocator", keys.switch_allocator, ins, outs);
    if (keys.speculation_allocator)
      speculative_ = make("speculation.allocator", *keys.speculation_allocator, ins, outs);
  }

  template <int words>
  GeneralParts<words> parts(const router::RouterShape& shape, const router::FlowControl& flow) const {
    GeneralParts<words> parts{
        std::nullopt,
        {shape, router::SwitchLines<words>(shape, speedup_), switches_->clone(),
         speculative_ != nullptr ? speculative_->clone() : nullptr, mask_, make_arbiter_, speaker_step_},
        check_credits_,
        priorities_,
        rules_,
        flow.rule == router::FlowRule::wormhole ? nullptr : &flow};
    if (channels_ != nullptr) parts.channels.emplace(shape, channels_->clone(), rules_.shuffle_requests);
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
  ChannelRules rules_;
  router::Speedup speedup_;
  int speaker_step_ = 1;
};

class VcWormhole final : public Algorithm {
 public:
  /// \param given the values of all keys.
  VcWormhole(const AlgorithmContext& context, const RouterParts& parts, const RouterKeys& keys, const KeyValues& given)
      : Algorithm(declare(context, keys, given)),
        routers_(context.graph().nodes() * context.subnets),
        shape_(declaration().port_order, declaration().channels, any_processor_has_a_router(context.graph())),
        built_in_selection_(keys.selection->built_in.value_or(BuiltInSelection::first)),
        selection_(keys.selection->built_in ? nullptr : keys.selection->make(given)),
        remark_(keys.remark(parts)),
        queued_apart_(!keys.classes.empty()),
        memoryless_(keys.function->fixed && !keys.function->by_in_port) {
    if (!context.groups.empty() || !keys.built_in(parts) || !declaration().pipelines.allocate_in_a_step())
      general_rules_.emplace(parts, keys, given, shape_);
    if (!keys.classes.empty()) class_number_ = [](const Packet& packet) -> int { return packet.traffic_class; };
    const std::size_t classes = keys.class_channels(keys.channels).size();
    for (std::size_t number = 0; number < classes; ++number) {
      functions_.push_back(function_of_class(context, keys, given, number));
      const std::int64_t priority = keys.classes.empty() ? 0 : keys.classes[number].priority;
      const auto add = [&](int channels) {
        classes_[channels].push_back({keys.class_channels(channels)[number], functions_.back().get(), priority});
      };
      if (declaration().channels_of_nodes.empty()) add(keys.channels);
      const std::vector<std::int32_t>& of_nodes = declaration().channels_of_nodes;
      for (const std::int32_t channels : std::set<std::int32_t>(of_nodes.begin(), of_nodes.end())) add(channels);
    }
    for (NodeId node = 0; node < context.graph().nodes() && classes_.size() > 1; ++node) {
      const bool terminal = context.graph().is_terminal(node);
      const Port out = terminal ? context.graph().out_ports(node).lowest() : no_port;
      source_channels_.push_back(declaration().channels_at(terminal ? context.graph().far_end(node, out).node : node));
    }
  }

  std::unique_ptr<ControllerArray> make_controllers() const override {
    const bool small = router::words_for(shape_) == 1;
    if (general_rules_) return small ? general_controllers<1>() : general_controllers<router::any_words>();
    if (!small) return controllers<0>();
    return shape_.size() <= 8 ? controllers<8>() : controllers<64>();
  }
  int class_count() const override { return static_cast<int>(functions_.size()); }
  int class_of(const Packet& packet) const override { return class_count() > 1 ? class_number_(packet) : 0; }
  const routing::RoutingFunction* routing_function(int packet_class) const override {
    return functions_[static_cast<std::size_t>(packet_class)].get();
  }
  std::string remark() const override { return remark_; }
  Port next_port(NodeId at, const Flit& head) const override {
    const routing::RoutingFunction& function = *functions_.front();
    if (!memoryless_ || function.adaptive() || function.random_choices() > 1) return no_port;
    if (is_group(head.destination)) return no_port;
    routing::Choices choices;
    function.route({at, shape_.local, 0, head.destination}, choices);
    const Port port = choices.size() == 0 ? no_port : choices.begin()->port;
    return port == shape_.local ? no_port : port;
  }

 private:
  /// [port] its index.
  static std::vector<int> port_numbers(const router::RouterShape& shape) {
    std::vector<int> numbers(static_cast<std::size_t>(shape.port_count()));
    for (int index = 0; index < shape.port_count(); ++index)
      numbers[static_cast<std::size_t>(shape.ports[static_cast<std::size_t>(index)])] = index;
    return numbers;
  }
  /// \param number of the class.
  std::unique_ptr<routing::RoutingFunction> function_of_class(const AlgorithmContext& context, const RouterKeys& keys,
                                                              const KeyValues& given, std::size_t number) const {
    const auto make = [&](int of_port) {
      const routing::ChannelRange channels = keys.class_channels(of_port)[number];
      return keys.function->made(
          {context.network, channels.first, channels.count, context.folder, false, context.seed, context.faults},
          given);
    };
    const Declaration& d = declaration();
    if (!d.channels_of_nodes.empty())
      return std::make_unique<routing::ChannelsOfLinks>(make, context.graph(), d.channels_of_nodes);
    std::unique_ptr<routing::RoutingFunction> function = make(d.channels);
    if (keys.rules.next_hop_channels && (function->adaptive() || function->draws()))
      throw ConfigError("next_hop_channels", "next_hop_channels needs one port for each node and destination, but " +
                                                 keys.function->name + ", with its keys, has several");
    if (keys.rules.next_hop_channels)
      function = std::make_unique<routing::NextHopChannels>(std::move(function), context.graph(), port_numbers(shape_));
    return function;
  }
  /// One controller for each router. \param make returns that of a pipeline and the classes of the processor.
  template <class Make>
  std::unique_ptr<ControllerArray> of_routers(const Make& make) const {
    const router::Pipelines& pipelines = declaration().pipelines;
    const auto& any = classes_.begin()->second;
    if (pipelines.alike() && source_channels_.empty())
      return controllers_like(make(pipelines.common, classes(any)), routers_);
    std::vector<decltype(make(pipelines.common, classes(any)))> controllers;
    controllers.reserve(static_cast<std::size_t>(routers_));
    for (NodeId node = 0; node < routers_; ++node)
      controllers.push_back(
          make(pipelines.at(node),
               classes(source_channels_.empty()
                           ? any
                           : classes_.at(source_channels_[static_cast<std::size_t>(node) % source_channels_.size()]))));
    return controllers_of(std::move(controllers));
  }
  template <int capacity>
  std::unique_ptr<ControllerArray> controllers() const {
    return of_routers([&](const router::Pipeline& pipeline, const RoutedClasses& classes) {
      return VcRouter<capacity>(shape_, pipeline, classes);
    });
  }
  template <int words>
  std::unique_ptr<ControllerArray> general_controllers() const {
    return of_routers([&](const router::Pipeline& pipeline, const RoutedClasses& classes) {
      return GeneralRouter<words>(shape_, pipeline, classes, general_rules_->parts<words>(shape_, declaration().flow));
    });
  }
  RoutedClasses classes(const std::vector<RoutedClass>& list) const {
    return {list.data(),
            class_count(),
            class_number_,
            queued_apart_,
            built_in_selection_,
            selection_.get(),
            functions_.front()->random_choices() > 1,
            declaration().multicast != nullptr,
            declaration().multicast_whole};
  }

  static Declaration declare(const AlgorithmContext& context, const RouterKeys& keys, const KeyValues& given) {
    const LinkNetwork& network = *context.network;
    Declaration d = router_declaration(router::arbiter_order(network), keys.channels, keys.buffer, *keys.pipeline);
    d.channels_of_nodes =
        router::values_of_nodes(network.graph, context.regions, &router::Region::channels, keys.channels);
    if (!d.channels_of_nodes.empty())
      d.channels = *std::max_element(d.channels_of_nodes.begin(), d.channels_of_nodes.end());
    if (context.faults != nullptr && !context.faults->dead_places().empty()) d.faults = context.faults;
    d.shared = keys.shared;
    const bool of_regions = std::any_of(context.regions.begin(), context.regions.end(),
                                        [](const router::Region& region) { return region.buffer.has_value(); });
    if (of_regions && keys.shared.is_shared())
      throw ConfigError("buffers",
                        "the routers of network.regions have buffers of another size for each channel, which does not "
                        "work with channels that share places; give all routers routing.buffer, or leave out buffer of "
                        "the regions");
    d.capacities = router::values_of_nodes(network.graph, context.regions, &router::Region::buffer, keys.buffer);
    if (!d.capacities.empty()) d.capacity = *std::max_element(d.capacities.begin(), d.capacities.end());
    d.pipelines = router::pipelines_of_nodes(network.graph, context.regions, *keys.pipeline);
    refuse_pipelines(network.graph, keys, d.pipelines.of_nodes);
    d.flow.rule = keys.flow;
    if (keys.flow == router::FlowRule::cut_through) d.most_flits = d.least_capacity();
    if (keys.flow == router::FlowRule::bubble) {
      d.most_flits = d.least_capacity() / 2;
      const std::int32_t longest = context.longest_packet ? context.longest_packet() : 0;
      d.flow.longest = longest > 0 ? longest : d.most_flits;
      const Grid& grid = *routing::grid_in(network);
      for (Port port = 0; port < network.graph.ports(); ++port) d.flow.rings.push_back(grid.axis_of(port));
    }
    d.credit_extra =
        static_cast<std::int32_t>(keys.credit_latency) - router::credit_delay(network.graph.greatest_wire_cycles());
    d.waits_for_tail_credit = keys.rules.wait_for_tail_credit;
    d.requests_all_choices = keys.selection->built_in == BuiltInSelection::all;
    d.flit_records = keys.priorities.needs_records();
    d.classes = keys.classes;
    d.replies = context.replies;
    d.multicast = trees(context, keys, given);
    d.multicast_whole = keys.multicast_whole;
    d.state = state_fields(network, router::RouterShape(d.port_order, d.channels), keys, d.capacity);
    return d;
  }

  /// The paths of packets to several destinations; null: there are none.
  static std::shared_ptr<const std::vector<MulticastTree>> trees(const AlgorithmContext& context,
                                                                 const RouterKeys& keys, const KeyValues& given) {
    if (context.groups.empty()) return nullptr;
    const auto function = keys.function->make({context.network, 0, keys.channels, context.folder}, given);
    std::vector<MulticastTree> trees;
    for (const MulticastGroup& group : context.groups)
      trees.push_back(routing::multicast_tree(context.graph(), *function, group));
    return std::make_shared<const std::vector<MulticastTree>>(std::move(trees));
  }

  static std::vector<StateField> state_fields(const LinkNetwork& network, const router::RouterShape& shape,
                                              const RouterKeys& keys, std::int32_t capacity) {
    const Grid* grid = network.as<Grid>();
    std::vector<std::string> ports, channels, of_a_channel = {"none"};
    for (const Port port : shape.ports)
      ports.push_back(port == shape.local ? local_port_name
                      : grid != nullptr   ? grid->port_name(port)
                                          : "port" + std::to_string(port));
    for (int channel = 0; channel < shape.size(); ++channel)
      channels.push_back(ports[static_cast<std::size_t>(shape.port_index(channel))] + "_v" +
                         std::to_string(shape.number(channel)));
    of_a_channel.insert(of_a_channel.end(), channels.begin(), channels.end());
    std::vector<StateField> fields;
    const auto add_for_channels = [&](const std::string& kind, int bits, const std::vector<std::string>& values) {
      const auto names = values.empty() ? nullptr : std::make_shared<const ValueNames>(ValueNames{kind, values});
      for (int channel = 0; channel < shape.size(); ++channel)
        fields.emplace_back(kind + '_' + channels[static_cast<std::size_t>(channel)], bits, names, shape.port(channel));
    };
    const auto add_for_ports = [&](const std::string& kind, int bits) {
      for (std::size_t index = 0; index < ports.size(); ++index)
        fields.emplace_back(kind + '_' + ports[index], bits, nullptr, shape.ports[index]);
    };
    const int number_bits = shape.size() < 1 << 11 ? 11 : 16;
    add_for_channels("state", 2, {std::begin(channel_state_names), std::end(channel_state_names)});
    add_for_channels("output", number_bits, of_a_channel);
    add_for_channels("credits", capacity > 255 ? 16 : 8, {});
    add_for_channels("owner", number_bits, of_a_channel);
    add_for_ports("crossbar", 32);
    if (keys.speedup.has_fifo()) add_for_ports("fifo", 16);
    if (keys.shared.is_shared()) add_for_ports("places", 16);
    if (keys.rules.hold_switch) add_for_ports("held", 1);
    if (keys.priorities.rule != PriorityRule::none) add_for_channels("priority", 32, {});
    return fields;
  }

  const NodeId routers_;  ///< of all subnets
  const router::RouterShape shape_;
  const BuiltInSelection built_in_selection_;
  const std::unique_ptr<const Selection> selection_;  ///< instead of it, or null
  std::optional<GeneralRules> general_rules_;         ///< none: VcRouter has the rules
  const std::string remark_;
  const bool queued_apart_;  ///< processors have a queue for each class
  /// The class of a packet: that of its traffic, or 1 for replies and 0 for others.
  int (*class_number_)(const Packet& packet) = [](const Packet& packet) { return packet.reply ? 1 : 0; };
  const bool memoryless_;  ///< the path of a packet depends only on node and destination
  std::vector<std::unique_ptr<const routing::RoutingFunction>> functions_;  ///< [class]
  /// [class] with these functions, by the number of channels that a processor sends into
  std::map<int, std::vector<RoutedClass>> classes_;
  std::vector<int> source_channels_;  ///< [node] this number; empty if there is only one
};

}  // namespace

AlgorithmEntry vc_wormhole_entry(std::shared_ptr<const RouterParts> parts) {
  if (parts == nullptr) parts = std::make_shared<const RouterParts>(standard_parts());
  AlgorithmEntry entry;
  entry.name = "vc-wormhole";
  entry.meaning = "wormhole router: virtual channels, credits, separable allocators";
  entry.needs = {connected};
  entry.storage = StorageModel::virtual_channels;
  entry.many_ports = true;
  entry.mixed_lengths = true;
  entry.divides_channels = true;
  entry.takes_dead_links = true;
  entry.keys = router_key_table(*parts);
  entry.refuse = [parts](const NetworkKeys& network, const KeyValues& keys) {
    const std::int32_t latency = least_link_latency(network);
    const RouterKeys router_keys(*parts, keys, latency);
    const std::optional<Grid> grid = network.grid();
    refuse_router(*parts, router_keys, keys, network.capabilities(), grid ? &*grid : nullptr, latency);
    if (router_keys.function->refuse) router_keys.function->refuse(network, keys);
    if (grid && (network.offers("mesh") || network.offers("torus")))
      refuse_ports(grid->ports() + 1, router_keys.channels, router_keys, network.capabilities(), &*grid);
  };
  entry.make = [parts](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    const std::int32_t latency = context.graph().greatest_wire_cycles();
    const RouterKeys router_keys(*parts, keys, latency, context.reply_channels, context.classes);
    const Grid* grid = routing::grid_in(*context.network);
    refuse_router(*parts, router_keys, keys, context.network->capabilities(), grid, latency);
    const std::vector<std::int32_t> channels =
        router::values_of_nodes(context.graph(), context.regions, &router::Region::channels, router_keys.channels);
    const Capabilities& offers = context.network->capabilities();
    refuse_channels_of_nodes(context.graph(), channels, router_keys, keys, offers, grid);
    const int most = channels.empty() ? router_keys.channels : *std::max_element(channels.begin(), channels.end());
    refuse_ports(context.graph().ports() + 1, most, router_keys, offers, grid);
    refuse_terminals(context.graph(), router_keys);
    refuse_groups(context, router_keys, keys);
    return std::make_unique<VcWormhole>(context, *parts, router_keys, keys);
  };
  entry.of_parts = vc_wormhole_entry;
  return entry;
}

}  // namespace starloom::links
