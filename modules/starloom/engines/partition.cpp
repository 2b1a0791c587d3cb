// SPDX-License-Identifier: Apache-2.0
#include <starloom/engines/partition.hpp>

#include <algorithm>
#include <stdexcept>

#include <starloom/support/cache_line.hpp>

namespace starloom::links {
namespace {

/// Lanes between two parts, so that they share no cache line of a bitmap.
constexpr std::size_t gap = 8 * cache_line;

std::size_t up_to(std::size_t multiple, std::size_t number) { return (number + multiple - 1) / multiple * multiple; }

/// Share of the nodes in the time of a step near saturation with a referee, as measured.
constexpr double time_of_nodes = 0.7;

/// The first node of each part, then the number of nodes. Parts have equal shares of nodes and links; the share of the
/// last one is reduced by the time that the step sink takes.
std::vector<NodeId> cuts(const Wiring& wiring, int parts, bool with_step_sink) {
  const double share =
      with_step_sink ? std::min(1.0 / time_of_nodes / parts, 1.0 / std::max(1, parts - 1)) : 1.0 / parts;
  std::vector<std::int64_t> before{0};  // [node] work of the nodes below it
  for (NodeId node = 0; node < wiring.nodes; ++node) {
    std::int64_t work = 1;
    for (Port port = 0; port < wiring.ports; ++port) work += wiring.out[wiring.index(node, port)].connected() ? 1 : 0;
    before.push_back(before.back() + work);
  }
  std::vector<NodeId> cuts{0};
  for (int part = 1; part < parts; ++part) {
    const auto work = static_cast<std::int64_t>(static_cast<double>(before.back()) * share * part);
    const auto at = std::lower_bound(before.begin(), before.end(), work) - before.begin();
    // Each part has at least one node, even if one node has most of the links.
    cuts.push_back(std::clamp(static_cast<NodeId>(at), cuts.back() + 1, wiring.nodes - (parts - part)));
  }
  cuts.push_back(wiring.nodes);
  return cuts;
}

}  // namespace

Partition::Partition(const Wiring& wiring, int parts, bool with_step_sink) : parts_(static_cast<std::size_t>(parts)) {
  if (parts == 1) {
    parts_[0].last = wiring.nodes;
    parts_[0].mirrors.resize(1);
    parts_[0].mirrored.resize(1);
    lanes_ = up_to(64, static_cast<std::size_t>(wiring.nodes));
    return;
  }
  if (parts < 1 || parts > wiring.nodes) throw std::invalid_argument("a network has at most as many parts as nodes");
  const std::vector<NodeId> cut = cuts(wiring, parts, with_step_sink);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    part.first = cut[p];
    part.last = cut[p + 1];
    part.mirrors.resize(parts_.size());
    part.mirrored.resize(parts_.size());
  }
  for (Part& part : parts_) {
    for (NodeId node = part.first; node < part.last; ++node)
      for (Port port = 0; port < wiring.ports; ++port)
        for (const Wiring::End& end : {wiring.out[wiring.index(node, port)], wiring.in[wiring.index(node, port)]})
          if (end.connected() && !part.has(end.node)) part.mirrors[part_of(end.node)].nodes.push_back(end.node);
    part.shift = static_cast<NodeId>(lanes_) - part.first;
    lanes_ = up_to(64, lanes_ + static_cast<std::size_t>(part.last - part.first));
    for (Mirrors& mirrors : part.mirrors) {
      std::sort(mirrors.nodes.begin(), mirrors.nodes.end());
      mirrors.nodes.erase(std::unique(mirrors.nodes.begin(), mirrors.nodes.end()), mirrors.nodes.end());
      mirrors.first_word = lanes_ / 64;
      lanes_ += 64 * mirrors.words();
    }
    lanes_ = up_to(gap, lanes_) + gap;
  }
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for (std::size_t q = 0; q < parts_.size(); ++q) parts_[q].mirrored[p] = parts_[p].mirrors[q];
}

std::size_t Partition::part_of(NodeId node) const {
  const auto above = std::upper_bound(parts_.begin(), parts_.end(), node,
                                      [](NodeId wanted, const Part& part) { return wanted < part.last; });
  return static_cast<std::size_t>(above - parts_.begin());
}

NodeId Partition::lane(const Part& writer, NodeId node) const {
  if (writer.has(node)) return writer.lane(node);
  const Mirrors& mirrors = writer.mirrors[part_of(node)];
  const auto at = std::lower_bound(mirrors.nodes.begin(), mirrors.nodes.end(), node) - mirrors.nodes.begin();
  return static_cast<NodeId>(64 * mirrors.first_word + static_cast<std::size_t>(at));
}

}  // namespace starloom::links
