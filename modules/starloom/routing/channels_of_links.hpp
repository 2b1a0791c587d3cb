// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A routing function on links with different numbers of channels (docs/regions.md).
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::routing {

/// The same routing function for every number of channels: a head takes the choices over a link from that of the link.
/// All in-ports of a node have the same number of channels. The function of another link sees a head as if it had come
/// over the channel there that has the same marks (RoutingFunction::mark_channel).
class ChannelsOfLinks final : public RoutingFunction {
 public:
  /// \param make the function for a number of channels.
  /// \param graph outlives the function. \param channels [node] of its in-ports, the local one included.
  /// \throws InputError if a channel has no counterpart with the same marks, and for the errors of `make`, both with a
  /// node that has this number of channels
  ChannelsOfLinks(const std::function<std::unique_ptr<RoutingFunction>(int channels)>& make, const NetworkGraph& graph,
                  std::vector<std::int32_t> channels);

  void route(const Head& head, Choices& choices) const override;
  std::uint32_t random_choices() const override { return any().random_choices(); }
  std::uint32_t random_choices_between(NodeId source, NodeId destination) const override {
    return any().random_choices_between(source, destination);
  }
  std::uint32_t random_choice_between(NodeId source, NodeId destination, std::uint32_t number) const override {
    return any().random_choice_between(source, destination, number);
  }
  bool draws() const override { return any().draws(); }
  const RoutingFunction* every_path() const override { return every_path_.get(); }
  bool chooses_in_nodes() const override { return any().chooses_in_nodes(); }
  bool decides() const override { return any().decides(); }
  std::uint32_t decision(const Head& head, const PortLoad& load) const override {
    return at(head).decision(head, load);
  }
  bool adaptive() const override;
  const PairsWithoutPath* without_path() const override { return any().without_path(); }
  double table_bytes() const override;
  bool in_phases() const override { return any().in_phases(); }
  bool on_first_phase(const Head& head) const override { return at(head).on_first_phase(head); }

 private:
  struct Kind {
    int channels;
    const RoutingFunction* function;
    std::vector<std::vector<int>> counterparts;  ///< [kind][channel there] with the same marks
  };
  ChannelsOfLinks(const NetworkGraph& graph, std::vector<Kind> kinds, std::vector<std::size_t> kind)
      : graph_(graph), kinds_(std::move(kinds)), kind_(std::move(kind)) {}
  const RoutingFunction& any() const { return *kinds_.front().function; }
  const RoutingFunction& at(const Head& head) const {
    return *kinds_[kind_[static_cast<std::size_t>(head.node)]].function;
  }

  const NetworkGraph& graph_;
  std::vector<std::unique_ptr<RoutingFunction>> functions_;  ///< of the kinds; empty if another function owns them
  std::vector<Kind> kinds_;                                  ///< by ascending number of channels
  std::vector<std::size_t> kind_;                            ///< [node]
  std::unique_ptr<ChannelsOfLinks> every_path_;              ///< of the kinds; null: they have none
};

}  // namespace starloom::routing
