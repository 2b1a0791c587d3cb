// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/links/power_picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <starloom/pictures/links/heat_map.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {
namespace {

/// A scale of equal levels.
class Scale {
 public:
  void add(double value, NodeId node, Port port) {
    if (node_ != no_node && value <= most_) return;
    most_ = value;
    node_ = node;
    port_ = port;
  }
  int level(double value) const {
    return value <= 0 ? 0 : std::clamp(static_cast<int>(std::ceil(value / most_ * heat_levels)), 1, heat_levels);
  }
  std::vector<std::string> ranges() const {
    std::vector<std::string> ranges = {"0"};
    for (int level = 1; level <= heat_levels; ++level)
      ranges.push_back("to " + decimal(most_ * level / heat_levels, 3));
    ranges.back() += " mW";
    return ranges;
  }
  bool empty() const { return node_ == no_node; }
  // The place of the greatest value.
  NodeId node() const { return node_; }
  Port port() const { return port_; }

 private:
  double most_ = 0;
  NodeId node_ = no_node;
  Port port_ = no_port;
};

class Powers final : public HeatValues {
 public:
  Powers(const NetworkGraph& graph, const PowerUse& power) : graph_(graph), power_(power) {
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      if (has_router(node)) routers_.add(value(node, no_port), node, no_port);
      for (const Port port : graph.out_ports(node)) links_.add(value(node, port), node, port);
    }
  }

  std::string summary() const override {
    std::string line = fmt::format("mean power {} mW", decimal(power_.network));
    for (const Scale* scale : {&routers_, &links_})
      if (!scale->empty())
        line += fmt::format("{} {}", scale == &routers_ || routers_.empty() ? "; hottest:" : ",",
                            text(scale->node(), scale->port()));
    return line;
  }
  std::vector<Legend> legends() const override {
    std::vector<Legend> legends;
    if (!routers_.empty()) legends.push_back({"routers", routers_.ranges()});
    if (!links_.empty()) legends.push_back({"links", links_.ranges()});
    return legends;
  }
  const char* greatest() const override { return "hottest"; }
  bool has_router(NodeId node) const override { return power_.routers[static_cast<std::size_t>(node)].has_value(); }
  double value(NodeId node, Port port) const override {
    return port == no_port ? power_.routers[static_cast<std::size_t>(node)].value_or(0)
                           : power_.links[graph_.index(node, port)];
  }
  int level(NodeId node, Port port) const override {
    return (port == no_port ? routers_ : links_).level(value(node, port));
  }
  std::string text(NodeId node, Port port) const override {
    const std::string name = port == no_port ? graph_.node_name(node) : graph_.link_name(node, port);
    if (port == no_port && !has_router(node)) return name;
    return fmt::format("{} {} mW", name, decimal(value(node, port)));
  }

 private:
  const NetworkGraph& graph_;
  const PowerUse& power_;
  Scale routers_, links_;
};

}  // namespace

std::string power_picture(const LinkNetwork& network, const PowerUse& power, const std::string& title,
                          const Captions& captions) {
  return heat_map(network, Powers(network.graph, power), title, captions);
}

}  // namespace starloom::links
