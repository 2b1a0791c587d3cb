// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Folded Clos networks of two levels (leaf-spine) and of three (pods below cores).
#include <cstdint>
#include <vector>

#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// Hosts at leaves, leaves below spines, and in the form of pods spines below cores (Clos 1953, folded; Al-Fares,
/// Loukissas and Vahdat, SIGCOMM 2008, for pods below cores). Arithmetic, no tables.
///
/// Numbers. Hosts, leaves, spines, cores, in this order, each by pod, then by number in the pod; hosts by leaf. Host h
/// of leaf l of pod p is node (p*L + l)*H + h with L leaves of a pod and H hosts of a leaf.
///
/// Ports of a leaf: down 0..H-1 to its hosts, then `cables` up ports for each spine of its pod, in the order of the
/// spines. Ports of a spine: down, `cables` for each leaf of its pod, then an up port for each of its cores in
/// ascending order. Port p of a core leads down to pod p: core c is above spine c mod S of every pod, with S spines of
/// a pod.
/// In-port q faces the same neighbour as out-port q.
class FoldedClos {
 public:
  /// Number of parts; `cores` 0: spines are the top, and there is one pod.
  struct Shape {
    std::int64_t pods = 1;
    std::int64_t leaves = 1;  ///< of a pod
    std::int64_t spines = 1;  ///< of a pod
    std::int64_t cores = 0;   ///< a multiple of `spines`
    std::int64_t hosts = 1;   ///< of a leaf
    std::int64_t cables = 1;  ///< from a leaf to each spine of its pod
  };
  enum class Tier { host, leaf, spine, core };

  /// \throws InputError if a number other than `cores` is below 1, if `cores` is not a multiple of `spines` or is 0
  /// with several pods, or if a switch has too many ports or the network too many nodes.
  explicit FoldedClos(const Shape& shape);

  const Shape& shape() const { return shape_; }
  NodeId hosts() const { return first_leaf_; }
  NodeId nodes() const { return nodes_; }
  NetworkSize size() const;
  std::int32_t ports() const;
  /// The spines, or the cores if there are any.
  std::vector<NodeId> top() const;
  /// Hosts of a leaf per up link.
  double oversubscription() const;

  Tier tier(NodeId node) const;
  std::int32_t pod(NodeId node) const;  ///< 0 for a core
  /// In its pod; that of a core is the number of its spines; that of a host is that of its leaf.
  std::int32_t number(NodeId node) const;
  NodeId leaf_of(NodeId host) const { return first_leaf_ + host / static_cast<NodeId>(shape_.hosts); }

  /// Links of a shortest path between any two nodes.
  std::int32_t distance(NodeId from, NodeId to) const;
  /// Between hosts.
  std::int32_t diameter() const;

 private:
  Shape shape_;
  NodeId first_leaf_, first_spine_, first_core_, nodes_;
};

/// `FoldedClos(shape).size()` for any numbers, without the limits of the constructor.
NetworkSize folded_clos_size(const FoldedClos::Shape& shape);

/// Names without cores: `host_l00_h00`, `leaf_00`, `spine_00`; with cores: `host_p00_l00_h00`, `leaf_p00_l00`,
/// `spine_p00_s00`, `core_00`. Ports: `up` of a host; `down0`, ..., `up0`, ... Each tier is drawn above the one
/// below it.
/// \param link_latency of all links, in steps.
/// \throws InputError if the latency is below 1.
NetworkGraph make_folded_clos(const FoldedClos& clos, std::int32_t link_latency = 1);

}  // namespace starloom
