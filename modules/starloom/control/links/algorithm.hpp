// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A routing algorithm as a value: what it requires of the hardware, and one controller per node.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/control/algorithm_entry.hpp>
#include <starloom/control/links/controller.hpp>
#include <starloom/control/links/flow_control.hpp>
#include <starloom/control/links/pipeline.hpp>
#include <starloom/control/links/plan.hpp>
#include <starloom/control/links/regions.hpp>
#include <starloom/control/links/shared_buffer.hpp>
#include <starloom/control/links/traffic_class.hpp>
#include <starloom/core/multicast.hpp>
#include <starloom/core/rank_range.hpp>
#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/routing_function.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/topology/faults.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::links {

/// True if whole worms move as units and WormController is the base class.
inline constexpr bool moves_worms(StorageModel model) { return model >= StorageModel::links_only; }

/// The side of a node with the flit buffers: out-ports or in-ports. Buffer number = port * channels + channel.
enum class BufferSide { none, out_ports, in_ports };
/// With virtual channels, a port numbered after those of links leads to and from the processor.
inline constexpr const char* local_port_name = "local";
/// The instance name of a flit buffer within its node: `buffer_east_v0`.
inline std::string buffer_name(const std::string& port_name, std::int32_t channel) {
  return "buffer_" + port_name + "_v" + std::to_string(channel);
}

class Engine;
struct EngineSetup;

/// The hardware that an algorithm requires. The fabric builds and enforces it, the referee checks it.
struct Declaration {
  StorageModel storage = StorageModel::store_and_forward;
  /// Makes the engine that steps the network; null: that of the storage model (store-and-forward, worms). With
  /// virtual channels, `router_declaration` sets it.
  std::unique_ptr<Engine> (*make_engine)(EngineSetup& setup) = nullptr;
  std::int32_t bound = 0;  ///< store-and-forward: greatest number of packets that stay in a node, 0 = no bound
  std::vector<std::int32_t>
      /// store-and-forward: this bound for each node, where 0 means that none stays; empty: `bound` for all
      residents{};
  BufferSide buffers = BufferSide::none;
  std::int32_t channels = 1;  ///< virtual channels of a link, at most (virtual-channels)
  /// [node of one subnet] those of its in-ports, if nodes differ (virtual-channels)
  std::vector<std::int32_t> channels_of_nodes{};
  std::int32_t capacity = 0;  ///< flits per buffer, at most (virtual-channels), at least 1
  /// [node of one subnet] the flits of a buffer behind its in-ports, if nodes differ (virtual-channels)
  std::vector<std::int32_t> capacities{};
  /// Dead places of buffers, and no dead link: functions do not offer these (virtual-channels). Null: none.
  const Faults* faults = nullptr;
  router::SharedBuffer shared{};       ///< places of an in-port that its channels share (virtual-channels)
  router::FlowControl flow{};          ///< of packets (virtual-channels)
  router::Pipelines pipelines{};       ///< of the routers (virtual-channels)
  std::int32_t credit_extra = 0;       ///< additional steps of a credit beyond side wire and link (virtual-channels)
  std::vector<Port> port_order{};      ///< all ports in the order of `RouterShape` (virtual-channels)
  bool waits_for_tail_credit = false;  ///< a channel is free again only with all its credits (virtual-channels)
  bool requests_all_choices = false;   ///< of the routing function, of any priority (virtual-channels)
  bool flit_records = false;           ///< controllers see `router::FlitRecord` (virtual-channels)
  /// [group] the paths of packets to several destinations (virtual-channels); null: there are none
  std::shared_ptr<const std::vector<MulticastTree>> multicast{};
  bool multicast_whole = true;          ///< a copy enters a buffer only if that has room for the whole packet
  std::vector<TrafficClass> classes{};  ///< of traffic; empty: packets are not divided (virtual-channels)
  /// without classes: to each packet that is not a reply, if processors limit these (virtual-channels)
  std::optional<ReplyRules> replies{};
  bool reverse_wire = false;
  bool forward_wire = false;
  std::int32_t most_flits = 1;  ///< longer packets are refused; 0 = of any length
  bool routes_own = false;      ///< true if packets for their own node go through the controller
  /// a run is completed even if packets are undelivered when the algorithm's program ends
  bool may_leave_packets = false;
  bool payload = false;        ///< worms: every flit carries a word of its source, which its destination checks
  Step program_end = no_step;  ///< the algorithm's program is over before this step; no_step: it has no end
  std::vector<StateField> state;

  /// Queues in the memory of a processor: one for each class.
  int source_queues() const { return classes.empty() ? 1 : static_cast<int>(classes.size()); }
  /// [class of traffic] the replies to its packets; one entry without classes.
  std::vector<std::optional<ReplyRules>> replies_by_class() const {
    if (classes.empty()) return {replies};
    std::vector<std::optional<ReplyRules>> all;
    for (const TrafficClass& of_traffic : classes) all.push_back(of_traffic.reply);
    return all;
  }
  /// The paths of a group (`is_group`).
  const MulticastTree& tree_of(NodeId destination) const { return (*multicast)[group_index(destination)]; }
  bool limits_staying() const { return bound > 0 || !residents.empty(); }
  /// The flits of a buffer behind an in-port of a node, also of one in another subnet, and of a terminal.
  std::int32_t capacity_at(NodeId node) const {
    return capacities.empty() ? capacity : capacities[static_cast<std::size_t>(node) % capacities.size()];
  }
  /// The channels of an in-port of a node, also of one in another subnet, and of a terminal.
  std::int32_t channels_at(NodeId node) const {
    return channels_of_nodes.empty() ? channels
                                     : channels_of_nodes[static_cast<std::size_t>(node) % channels_of_nodes.size()];
  }
  std::int32_t least_capacity() const {
    std::int32_t least = capacities.empty() ? capacity : *std::min_element(capacities.begin(), capacities.end());
    if (faults == nullptr) return least;
    for (const auto& [place, dead] : faults->dead_places()) {
      const auto [node, port, channel] = place;
      least = std::min(least, capacity_at(faults->graph().far_end(node, port).node) - dead);
    }
    return least;
  }
  std::int32_t most_staying(NodeId node) const {
    return residents.empty() ? bound : residents[static_cast<std::size_t>(node)];
  }
};

/// False for a terminal of a network with virtual channels: a processor whose links are ports of routers.
inline bool has_router(const NetworkGraph& graph, const Declaration& declaration, NodeId node) {
  return declaration.storage != StorageModel::virtual_channels || !graph.is_terminal(node);
}

/// One controller per node, in contiguous storage.
class ControllerArray {
 public:
  virtual ~ControllerArray() = default;
  virtual Controller& at(NodeId node) = 0;
  /// Counts of the controllers in a run: name and value. Shown with `Algorithm::metrics`.
  virtual std::map<std::string, double> metrics() const { return {}; }
  /// The schedule of a run, if it depends on the run; else empty: then `Algorithm::schedule` returns it.
  virtual std::optional<Schedule> schedule() const { return std::nullopt; }
};

template <class T>
class ControllerArrayOf final : public ControllerArray {
 public:
  explicit ControllerArrayOf(std::vector<T> controllers) : controllers_(std::move(controllers)) {}
  T& at(NodeId node) override { return controllers_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<T> controllers_;
};

/// \param controllers [node]
template <class T>
std::unique_ptr<ControllerArray> controllers_of(std::vector<T> controllers) {
  return std::make_unique<ControllerArrayOf<T>>(std::move(controllers));
}

/// A copy of one controller for each node.
template <class T>
std::unique_ptr<ControllerArray> controllers_like(const T& controller, NodeId nodes) {
  return controllers_of(std::vector<T>(static_cast<std::size_t>(nodes), controller));
}

/// A routing algorithm with its parameters, for one topology. Immutable; makes any number of controllers.
class Algorithm {
 public:
  virtual ~Algorithm() = default;
  const Declaration& declaration() const { return declaration_; }
  virtual std::unique_ptr<ControllerArray> make_controllers() const = 0;
  /// Classes of packets with channels of their own; at least 1.
  virtual int class_count() const { return 1; }
  virtual int class_of(const Packet& /*packet*/) const { return 0; }
  /// The routing function of a class, with virtual channels; else null. For diagnoses.
  virtual const routing::RoutingFunction* routing_function(int /*packet_class*/) const { return nullptr; }
  const routing::RoutingFunction* function_of(const Packet& packet) const { return routing_function(class_of(packet)); }
  /// The pairs between which its routing function has no path; null: all pairs have one.
  virtual const routing::PairsWithoutPath* without_path() const {
    const routing::RoutingFunction* function = routing_function(0);
    return function == nullptr ? nullptr : function->without_path();
  }
  /// The out-port that a head flit at a node requests, if that is a fixed function; else `no_port`. For diagnoses.
  virtual Port next_port(NodeId /*at*/, const Flit& /*head*/) const { return no_port; }
  /// The same for a head flit that came in through `in_port` (`no_port` in its source), for functions that depend on
  /// the in-port.
  virtual Port next_port_from(NodeId at, Port /*in_port*/, const Flit& head) const { return next_port(at, head); }
  /// Theoretical bounds for a run of exactly these packets: name and value.
  virtual std::map<std::string, double> bounds(const std::vector<Packet>& /*packets*/) const { return {}; }
  virtual std::optional<Schedule> schedule() const { return std::nullopt; }
  /// The algorithm's own metrics: name and value.
  virtual std::map<std::string, double> metrics() const { return {}; }
  /// A sentence about this network if the algorithm runs on it in another way than its name promises; else empty.
  virtual std::string remark() const { return ""; }
  /// The plan that the controllers follow, of offline algorithms; else null.
  virtual const Plan* plan() const { return nullptr; }
  /// The set of schedules in which that plan is compared, for offline algorithms; else empty.
  virtual std::optional<ScheduleSpace> schedules() const { return std::nullopt; }

 protected:
  explicit Algorithm(Declaration declaration) : declaration_(std::move(declaration)) {}

 private:
  Declaration declaration_;
};

/// The network, packets and files for which an algorithm is made.
struct AlgorithmContext {
  const LinkNetwork* network = nullptr;  ///< outlives the algorithm
  std::uint64_t seed = 1;
  /// All packets of the run, in the order of their numbers, for offline algorithms; else null.
  const std::vector<Packet>* packets = nullptr;
  /// Instead of packets, all permutations of these ranks, each planned and counted; `packets` is null then.
  std::optional<RankRange> ranks{};
  std::filesystem::path folder{};  ///< paths in keys are relative to it
  /// Virtual channels, the last ones of each port, that carry only replies (`Packet::reply`); 0: replies share the
  /// channels of other packets. Above 0 only where the entry `divides_channels`. \throws InputError if that leaves none
  /// for the other packets.
  std::int32_t reply_channels = 0;
  /// The flits of the longest packet of the run, or 0 if that is not known before. It may read a file. Null: not known.
  std::function<std::int32_t()> longest_packet{};
  bool preloaded = false;  ///< packets start in the nodes, not in the memories of their processors
  /// The classes of traffic, by `Packet::traffic_class`; empty: there are none. Only where the entry
  /// `divides_channels`, and without reply channels.
  std::vector<TrafficClass> classes{};
  /// As Declaration::replies.
  std::optional<ReplyRules> replies{};
  /// The groups of packets to several destinations. Only where the entry `divides_channels`.
  std::vector<MulticastGroup> groups{};
  int subnets = 1;  ///< copies of the network, each with controllers of its own
  /// Routers that differ from node to node. Only where the entry `divides_channels`.
  std::vector<router::Region> regions{};
  /// Dead hardware of the network; it outlives the algorithm. Null: all of it is alive. Only where the entry
  /// `takes_dead_links`.
  const Faults* faults = nullptr;
  bool hardware_changes = false;  ///< some dies or is repaired during the run

  const NetworkGraph& graph() const { return network->graph; }
  /// For algorithms that need a mesh or torus.
  const Grid& grid() const { return *network->as<Grid>(); }
};

/// The `refuse` of an entry that needs a mesh or torus. \param check throws if the algorithm does not support the
/// grid with these keys.
inline auto refuse_grids(void (*check)(const Grid& grid, const KeyValues& keys)) {
  return [check](const NetworkKeys& network, const KeyValues& keys) {
    if (const std::optional<Grid> grid = network.grid()) check(*grid, keys);
  };
}

}  // namespace starloom::links
