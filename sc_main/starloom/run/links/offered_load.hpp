// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The load of an experiment's traffic on links and local ports, and the port that limits it.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/analysis/links/channel_dependencies.hpp>
#include <starloom/analysis/links/link_demand.hpp>
#include <starloom/analysis/links/port_capacity.hpp>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/experiment/experiment.hpp>
#include <starloom/topology/network.hpp>
#include <starloom/traffic/packet_lengths.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom::links {

/// A stream of packets, or that of the replies to one.
struct OfferedStream : PacketStream {
  bool replies = false;
};
/// Those of an open loop, each with that of its replies behind it.
std::vector<OfferedStream> offered_streams(const Experiment& experiment, const Traffic& traffic);
/// The same in packets per step: as if each packet had one flit.
std::vector<OfferedStream> in_packets(std::vector<OfferedStream> streams);
/// [node] the flits per step that it sends.
std::vector<double> rates_of_sources(const NetworkGraph& graph, const PacketStream& stream);

/// Flows are followed over at most this total number of links, which takes some seconds.
inline constexpr std::int64_t most_crossings = 50'000'000;
/// Loads and dependencies over all pairs of nodes are computed up to this size, which takes about a second.
inline constexpr NodeId most_nodes_for_pairs = 10'000;

class OfferedLoad {
 public:
  /// \param packets all of the run; null: sources never end, and loads are flits per step. All outlive it.
  /// \param subnet the one whose load it is; none: all packets are in one network.
  OfferedLoad(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
              const Traffic& traffic, const std::vector<Packet>* packets, std::optional<int> subnet = std::nullopt);
  /// That of some streams in place of those of the experiment. All outlive it.
  OfferedLoad(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
              const Traffic& traffic, std::vector<OfferedStream> streams, std::optional<int> subnet = std::nullopt);

  /// The loads of the links; nullopt if paths are not known before the run, or too many.
  const std::optional<LinkDemand>& links() const { return links_; }
  /// [node] What its processor sends over the network, and receives from it, in the unit of the loads of the links.
  const std::vector<double>& sent() const { return sent_; }
  const std::vector<double>& received() const { return received_; }
  /// Those of an open loop.
  const std::vector<OfferedStream>& streams() const { return streams_; }
  /// The share of the flits of an open loop that go to uniform processors, without replies.
  double uniform_share() const;
  /// The rate of the sources, without replies, in all subnets.
  double rate() const { return rate_; }
  /// The share of their flits that are in the subnet, with replies.
  double share() const { return share_; }
  /// The flits and packets per processor and step, including replies.
  double flit_rate() const;
  double packet_rate() const;

  /// The load, as `load_name`, at which a link or a local port is full, for any choices of heads; nullopt: not known,
  /// or no flit moves.
  std::optional<double> full_load() const;
  /// The line `link load`. \param endless packets may return to a node without limit.
  std::string text(bool endless) const;
  /// The reason why the loads of the links are not known.
  std::string unknown(bool endless) const;

  /// The link or local port that takes most steps in every run of the packets.
  struct SlowestPort {
    double steps = 0;
    std::string name;  ///< `the busiest link`, `the local port of node_r00_c00`; empty: not known to be slower
  };
  /// \param path steps that the longest path takes. If the load of the links is not known, a local port counts only
  /// if it takes more steps than that.
  SlowestPort slowest_port(double path) const;

  /// The share of the flits of an open loop that links or local ports cannot carry.
  double left_over() const;
  /// Calls `visit(node, port, load)` for all links. The loads of links are known.
  template <class Visit>
  void each_link(const Visit& visit) const {
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      for (const Port port : graph_.out_ports(node)) visit(node, port, links_->load[graph_.index(node, port)]);
  }
  PortRate rate_of_link(NodeId node, Port port) const;

 private:
  /// A link, or the local port of a node, and the share of the steps that it needs at the rate of the experiment.
  struct Limit {
    double needs = 0;
    NodeId node = no_node;
    Port port = no_port;  ///< `no_port`: the local port
    PortRate most{};
  };

  OfferedLoad(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
              const Traffic& traffic, const std::vector<Packet>* packets, std::vector<OfferedStream> streams,
              std::optional<int> subnet);
  /// The key of the load, and its value; classes of traffic have their total rate.
  std::string load_name() const;
  double load() const;
  void leave_out_lost_pairs(const routing::PairsWithoutPath& lost);
  double share_in(std::optional<int> subnet, const Packet& packet) const;
  std::optional<LinkDemand> demand_of_rates();
  std::optional<LinkDemand> demand_of_uniform();
  /// That of the uniform packets of some streams.
  std::optional<LinkDemand> demand_of_uniform(bool to_itself);
  std::optional<LinkDemand> demand_of_pairs();
  std::optional<LinkDemand> demand_of_flows(const std::vector<Flow>& flows);
  void add_flow(std::vector<Flow>& flows, const Flow& flow);
  void find_channels(const std::vector<Flow>& requests, const std::vector<Flow>& replies);
  bool any_uniform() const;
  int source_streams() const;
  bool channels_matter() const;
  bool routers() const { return algorithm_.declaration().storage == StorageModel::virtual_channels; }
  bool local_port(NodeId node) const {
    return routers() && graph_.processor_of(node) >= 0 && !graph_.is_terminal(node);
  }
  PortCapacity capacity(NodeId node, Port port) const;
  Limit fullest_link() const;
  Limit fullest_local_port() const;
  Limit limit() const;
  std::string full_text() const;
  std::string reason(const PortRate& most, const char* it, const char* its) const;
  std::string busiest_text(NodeId most) const;

  const Experiment& experiment_;
  const NetworkGraph graph_;
  const Algorithm& algorithm_;
  const Traffic& traffic_;
  const std::vector<Packet>* packets_;
  std::vector<OfferedStream> streams_;  ///< if packets are not known
  double rate_ = 0;                     ///< of the sources
  double share_ = 1;
  double longest_mean_ = 1;  ///< flits of a packet, or of a reply if these are longer
  std::optional<LinkDemand> links_;
  std::vector<std::int32_t> channels_;  ///< [as `LinkDemand::load`] that packets may take; empty: all
  std::vector<double> sent_, received_;
  bool too_many_crossings_ = false;
};

}  // namespace starloom::links
