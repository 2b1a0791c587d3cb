// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/links/links_picture.hpp>

#include <fmt/format.h>

#include <starloom/pictures/links/heat_map.hpp>
#include <starloom/results/links/link_use.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {
namespace {

class Utilisations final : public HeatValues {
 public:
  Utilisations(const NetworkGraph& graph, const LinkUse& use) : graph_(graph), use_(use) {}

  std::string summary() const override {
    const auto link = busiest_link(graph_, use_);
    return "link utilisation; " + (link ? "busiest: " + text(link->node, link->port) : "no flit crossed a link");
  }
  std::vector<Legend> legends() const override { return {{"", share_ranges()}}; }
  const char* greatest() const override { return "busiest"; }
  bool has_router(NodeId /*node*/) const override { return false; }
  double value(NodeId node, Port port) const override {
    return utilisation(flits(node, port), graph_.interval(node, port), use_.steps);
  }
  int level(NodeId node, Port port) const override { return share_level(value(node, port)); }
  std::string text(NodeId node, Port port) const override {
    if (port == no_port) return graph_.node_name(node);
    return fmt::format("{} {}, {} %", graph_.link_name(node, port), counted(flits(node, port), "flit"),
                       decimal(100 * value(node, port), 3));
  }

 private:
  std::int64_t flits(NodeId node, Port port) const { return use_.flits[graph_.index(node, port)]; }

  const NetworkGraph& graph_;
  const LinkUse& use_;
};

}  // namespace

std::string links_picture(const LinkNetwork& network, const LinkUse& use, const std::string& title,
                          const Captions& captions) {
  return heat_map(network, Utilisations(network.graph, use), title, captions);
}

}  // namespace starloom::links
