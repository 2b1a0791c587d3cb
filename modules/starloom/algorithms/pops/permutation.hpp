// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Algorithms of POPS networks that route a permutation, or a part of one.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <starloom/control/pops/algorithm.hpp>

namespace starloom::pops {

/// \throws InputError unless `destination` has an entry for each node: another node, each at most once, or `no_node`.
void require_permutation(const Pops& pops, const std::vector<NodeId>& destination);

class PermutationAlgorithm : public Algorithm {
 public:
  /// [node] the destination of its packet, `no_node` if it has none. Packets are numbered in the order of their
  /// sources.
  const std::vector<NodeId>& destination() const { return *destination_; }
  /// With the published cost formula of the older deterministic algorithm, for comparison.
  std::map<std::string, double> metrics(const RunRecord& run) const override;
  static std::vector<MetricSpec> declared_metrics();

 protected:
  /// \throws UnservedPackets if the packets are not part of a permutation, or not all created in slot 0.
  explicit PermutationAlgorithm(const AlgorithmContext& context);
  /// A controller for each processor: make(node, its packet, the packet's destination); `no_packet` to `no_node` if
  /// it has none.
  template <class Make>
  std::unique_ptr<ControllerArray> for_each_packet(Make make) const {
    PacketId next = 0;
    return controllers_for(pops(), [&](NodeId node) {
      const NodeId to = destination()[static_cast<std::size_t>(node)];
      return make(node, to == no_node ? no_packet : next++, to);
    });
  }

 private:
  std::shared_ptr<const std::vector<NodeId>> destination_;  ///< the list of the packets, if they have one
};

}  // namespace starloom::pops
