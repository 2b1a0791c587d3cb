#include <starloom/controllers/links/vc_wormhole/vc_wormhole.hpp>

#include <starloom/controllers/links/vc_wormhole/vc_router.hpp>
#include <starloom/core/error.hpp>
#include <starloom/routing/dimension_order.hpp>

namespace starloom::links {
namespace {

/// Ports in the order in which the arbiters of a grid count them: dimension by dimension as dimension order serves them, towards
/// greater coordinates first.
std::vector<Port> arbiter_order(const Grid& grid) {
  std::vector<Port> order;
  for (const int axis : grid.route_axes())
    for (const int sign : {1, -1}) order.push_back(grid.port_along(axis, sign));
  return order;
}

/// The keys of a router, understood.
struct RouterKeys {
  int channels = 1;
  std::int32_t buffer = 8;
  router::Pipeline pipeline;
  std::int64_t credit_latency = 0;
  std::string function;

  int reply_channels = 0;

  /// \throws InputError
  RouterKeys(const KeyValues& keys, std::int32_t link_latency, std::int32_t for_replies)
      : channels(static_cast<int>(keys.integer("channels"))),
        buffer(static_cast<std::int32_t>(keys.integer("buffer"))),
        credit_latency(keys.has("credit_latency") ? keys.integer("credit_latency") : 1 + link_latency),
        function(keys.text("function")),
        reply_channels(for_replies) {
    const std::int64_t cycles = keys.integer("pipeline");
    const bool speculative = keys.has("speculative") ? keys.boolean("speculative") : cycles == 3;
    const auto known = router::Pipeline::of(cycles, speculative);
    if (!known)
      throw InputError("there is no pipeline of " + std::to_string(cycles) + " cycles " +
                       (speculative ? "with" : "without") +
                       " speculation; with speculative: true it has 3 or 4, with speculative: false 4 or 5");
    pipeline = *known;
    if (credit_latency < 1 + link_latency)
      throw InputError("a credit takes at least " + std::to_string(1 + link_latency) + " steps over links of latency " +
                       std::to_string(link_latency) + ", but credit_latency is " + std::to_string(credit_latency));
  }
};

void refuse_channels(const Grid& grid, const RouterKeys& keys) {
  const int ports = grid.ports() + 1;
  if (ports * keys.channels > router::most_channels)
    throw InputError("a router of " + std::to_string(ports) + " ports has at most " +
                     std::to_string(router::most_channels / ports) + " channels a port, but channels is " +
                     std::to_string(keys.channels));
  const int needed = grid.kind() == GridKind::torus && keys.function != "dimension-order-plain" ? 2 : 1;
  const auto refuse_class = [needed](int given, const std::string& whom) {
    if (given < needed)
      throw InputError("a torus needs 2 channels for datelines" + whom + ", has " + std::to_string(given) +
                       "; without datelines, dimension-order-plain can deadlock");
  };
  if (keys.reply_channels >= keys.channels)
    throw InputError("traffic.reply.channels sets " + std::to_string(keys.reply_channels) + " channels aside, of " +
                     std::to_string(keys.channels) + " in all");
  if (keys.reply_channels == 0) return refuse_class(keys.channels, "");
  refuse_class(keys.channels - keys.reply_channels, " of the packets that are no replies");
  refuse_class(keys.reply_channels, " of the replies");
}

class VcWormhole final : public Algorithm {
 public:
  VcWormhole(const Grid& grid, const RouterKeys& keys, std::int32_t link_latency)
      : Algorithm(declare(grid, keys, link_latency)),
        grid_(grid),
        shape_(declaration().port_order, keys.channels),
        reply_channels_(keys.reply_channels),
        function_(routing::dimension_order(grid, options(keys, 0, keys.channels - keys.reply_channels))) {
    if (reply_channels_ > 0)
      reply_function_ = routing::dimension_order(grid, options(keys, keys.channels - reply_channels_, reply_channels_));
  }

  std::unique_ptr<ControllerBank> make_controllers() const override {
    if (shape_.size() <= 8) return bank<8>();
    if (shape_.size() <= 64) return bank<64>();
    return bank<router::most_channels>();
  }
  const routing::RoutingFunction* routing_function(bool replies) const override {
    return replies && reply_function_ != nullptr ? reply_function_.get() : function_.get();
  }
  Step zero_load_latency(std::int32_t links, std::int32_t link_latency, std::int32_t flits) const override {
    return declaration().pipeline.zero_load(links, flits, link_latency);
  }
  Port next_port(NodeId at, const Flit& head) const override {
    routing::Choices choices;
    function_->route({at, shape_.local, 0, head.destination}, choices);
    const Port port = choices.begin()->port;
    return port == shape_.local ? no_port : port;
  }

 private:
  template <int capacity>
  std::unique_ptr<ControllerBank> bank() const {
    const RoutedClasses classes{function_.get(), reply_function_.get(), reply_channels_};
    return controllers_like(VcRouter<capacity>(shape_, declaration().pipeline, classes), grid_.nodes());
  }

  static routing::DimensionOrderOptions options(const RouterKeys& keys, int first, int channels) {
    routing::DimensionOrderOptions options;
    options.last_first = keys.function == "yx";
    options.datelines =
        keys.function == "dimension-order-plain" ? routing::Datelines::none : routing::Datelines::classes;
    options.first_channel = first;
    options.channels = channels;
    return options;
  }

  static Declaration declare(const Grid& grid, const RouterKeys& keys, std::int32_t link_latency) {
    Declaration d;
    d.storage = StorageModel::virtual_channels;
    d.buffers = BufferSide::in_ports;
    d.channels = keys.channels;
    d.capacity = keys.buffer;
    d.credit_extra = static_cast<std::int32_t>(keys.credit_latency) - 1 - link_latency;
    d.pipeline = keys.pipeline;
    d.port_order = arbiter_order(grid);
    d.most_flits = 0;
    d.routes_own = true;
    d.state = state_fields(grid, router::RouterShape(d.port_order, keys.channels));
    return d;
  }

  static std::vector<StateField> state_fields(const Grid& grid, const router::RouterShape& shape) {
    std::vector<std::string> ports, channels;
    for (const Port port : shape.ports) ports.push_back(port == shape.local ? local_port_name : grid.port_name(port));
    for (int channel = 0; channel < shape.size(); ++channel)
      channels.push_back(ports[static_cast<std::size_t>(shape.place(channel))] + "_v" +
                         std::to_string(shape.number(channel)));
    std::vector<std::string> of_a_channel = channels;
    of_a_channel.insert(of_a_channel.begin(), "none");
    // Beyond that, numbers say as much: index of the channel + 1.
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

  const Grid& grid_;
  const router::RouterShape shape_;
  const int reply_channels_;  ///< the last ones; 0: replies go where all others do
  std::unique_ptr<routing::RoutingFunction> function_, reply_function_;
};

}  // namespace

AlgorithmEntry vc_wormhole_entry() {
  AlgorithmEntry entry;
  entry.name = "vc-wormhole";
  entry.meaning = "wormhole over virtual channels: an input-buffered router with credits and separable allocators";
  entry.topologies = {"mesh", "torus"};
  entry.storage = StorageModel::virtual_channels;
  entry.mixed_lengths = true;
  entry.divides_channels = true;
  entry.keys = {
      integer_key("channels", "virtual channels of a port; a torus with datelines needs 2")
          .by_default(1)
          .within(1, 256),
      integer_key("buffer", "places of the buffer of a channel").by_default(8).within(1, 255).measured_in("flits"),
      integer_key("pipeline", "cycles of a hop, a link of latency 1 included: 3 or 4 if speculative, else 4 or 5")
          .by_default(3)
          .within(3, 5)
          .measured_in("steps"),
      boolean_key("speculative",
                  "a head asks for an output channel and for the switch in one step; true for 3 cycles, else false"),
      integer_key(
          "credit_latency",
          "from a flit's leaving its buffer to the use of its credit at the near end of the link that it came over; "
          "not given, the least: 1 + latency of a link")
          .at_least(2)
          .at_most(1024)
          .measured_in("steps"),
      choice_key("function", {"dimension-order", "dimension-order-plain", "yx"},
                 "routing function; on a torus, dimension-order and yx use two classes of channels, datelines; "
                 "dimension-order-plain does not")
          .by_default(std::string("dimension-order"))};
  entry.refuse = [](const NetworkKeys& network, const KeyValues& keys) {
    const auto latency = static_cast<std::int32_t>(network.keys.integer("link_latency"));
    refuse_channels(grid_of(network), RouterKeys(keys, latency, 0));
  };
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    const std::int32_t latency = context.graph().greatest_latency();
    const RouterKeys router_keys(keys, latency, context.reply_channels);
    refuse_channels(context.grid(), router_keys);
    return std::make_unique<VcWormhole>(context.grid(), router_keys, latency);
  };
  return entry;
}

}  // namespace starloom::links
