// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The loads of the tasks of an application on links, flow by flow.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <starloom/core/links/link_use.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/traffic/placed_tasks.hpp>

namespace starloom::links {

/// Flits over each link, by their source and destination nodes. They are counted over some steps, or are flits per
/// step. Shares are utilisations (core/links/link_use.hpp).
class TaskLoad {
 public:
  TaskLoad(const NetworkGraph& graph, const PlacedTasks& tasks);

  void add(NodeId node, Port port, NodeId source, NodeId destination, double flits);
  /// The flits were counted in this number of steps; without this call they are flits per step.
  void counted_in(Step steps) { steps_ = steps; }

  /// The flits of all flows over a link.
  double total(std::size_t link) const;
  /// The utilisation of a link: above 1 if flits per step exceed its capacity.
  double share(std::size_t link) const { return share_of(link, total(link)); }
  /// `31 flits, 3 %`; for flits per step only the share. For a link with a load.
  std::string amount(std::size_t link) const { return amount_text(link, total(link)); }
  /// The flows over a link, the greatest first: `vop_memory -> vop_reconstruction, 31 flits, 3 %`. \param most of
  /// them; the others are counted.
  std::vector<std::string> flows(std::size_t link, std::size_t most) const;
  /// Links with a load, the greatest share first (ties: lower number). \param most of them.
  std::vector<std::size_t> busiest(std::size_t most) const;
  /// A line for each of those: `link_r01_c02_east, 62 flits, 6 %: a -> b, 31 flits, 3 %; ..`.
  std::vector<std::string> busiest_lines(std::size_t most) const;

  std::string link_name(std::size_t link) const;
  /// `a -> b`
  std::string flow_name(NodeId source, NodeId destination) const;

 private:
  using Ends = std::pair<NodeId, NodeId>;

  double share_of(std::size_t link, double flits) const;
  std::string amount_text(std::size_t link, double flits) const;

  const NetworkGraph graph_;
  std::map<NodeId, std::string> task_at_;
  std::map<Ends, std::size_t> order_;                ///< of the edges between two nodes, in the file
  std::vector<std::map<std::size_t, double>> load_;  ///< [link] flits, by `order_`
  std::vector<Ends> ends_;                           ///< by `order_`
  Step steps_ = 0;
};

}  // namespace starloom::links
