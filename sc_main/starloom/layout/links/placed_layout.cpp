// SPDX-License-Identifier: Apache-2.0
#include <starloom/layout/links/placed_layout.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace starloom::links {
namespace {

constexpr double barb_length = 5;  ///< pixels
constexpr double around = 0.7;     ///< cells from the outermost nodes to the edge: room for bows
constexpr double apart = 0.4;      ///< from the lowest to the highest of parallel bows, as a share of the lowest
constexpr double bow = 0.5;  ///< the control point of a bow, in cells aside; the curve stays below three quarters of it

int pixels(double length) { return static_cast<int>(std::lround(length)); }

}  // namespace

PlacedLayout::PlacedLayout(const NetworkGraph& graph, int pitch, int border, int beside)
    : graph_(graph), pitch_(pitch), border_(border), beside_(beside) {
  PaperPosition least = graph.position(0), most = least;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const PaperPosition position = graph.position(node);
    least = {std::min(least.x, position.x), std::min(least.y, position.y)};
    most = {std::max(most.x, position.x), std::max(most.y, position.y)};
  }
  centres_.reserve(static_cast<std::size_t>(graph.nodes()));
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const PaperPosition position = graph.position(node);
    centres_.push_back(
        {pixels((position.x - least.x + around) * pitch), pixels((position.y - least.y + around) * pitch)});
  }
  size_ = {pixels((most.x - least.x + 2 * around) * pitch), pixels((most.y - least.y + 2 * around) * pitch)};
}

std::string PlacedLayout::outline(NodeId node, int radius) const {
  if (graph_.role(node) != NodeRole::switch_node) return fmt::format("M-{0} -{0}h{1}v{1}h-{1}z", radius, 2 * radius);
  return fmt::format("M-{0} 0a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0 -{1} 0z", radius, 2 * radius);
}

PlacedLayout::Vector PlacedLayout::direction(NodeId from, NodeId to) const {
  const PaperPoint a = centre(from), b = centre(to);
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  if (length == 0) return {1, 0};
  return {(b.x - a.x) / length, (b.y - a.y) / length};
}

bool PlacedLayout::is_blocked(NodeId from, NodeId to) const {
  const PaperPoint a = centre(from), b = centre(to);
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const Vector u = direction(from, to);
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    const PaperPoint c = centre(node);
    const double along = (c.x - a.x) * u.x + (c.y - a.y) * u.y, across = (c.y - a.y) * u.x - (c.x - a.x) * u.y;
    if (node != from && node != to && along > 0 && along < length && std::abs(across) <= border_) return true;
  }
  return false;
}

PlacedLayout::Parallel PlacedLayout::parallel(NodeId node, Port out_port) const {
  const NodeId to = graph_.far_end(node, out_port).node;
  Parallel link{0, 0};
  for (const Port port : graph_.out_ports(node)) {
    if (graph_.far_end(node, port).node != to) continue;
    ++link.count;
    if (port < out_port) ++link.number;
  }
  return link;
}

std::string PlacedLayout::path(NodeId node, Port out_port) const {
  const NodeId to = graph_.far_end(node, out_port).node;
  const Parallel link = parallel(node, out_port);
  const double dx = centre(to).x - centre(node).x, dy = centre(to).y - centre(node).y;
  const Vector u = direction(node, to), right{-u.y, u.x};
  const auto with_barb = [](const std::string& outline, Vector t) {
    return outline + fmt::format("l{} {}", pixels(barb_length * (-t.y - t.x)), pixels(barb_length * (t.x - t.y)));
  };
  if (!is_blocked(node, to)) {
    const double aside = shift(link);
    const Vector begin{u.x * border_ + right.x * aside, u.y * border_ + right.y * aside};
    const Vector end{dx - u.x * border_ + right.x * aside, dy - u.y * border_ + right.y * aside};
    return with_barb(fmt::format("M{} {}L{} {}", pixels(begin.x), pixels(begin.y), pixels(end.x), pixels(end.y)), u);
  }
  // From edge to edge of the right-hand sides, with a flat top.
  const double out = bow * pitch_ * (1 + apart * link.number / link.count), forth = std::hypot(dx, dy) / 5;
  const Vector begin{right.x * border_ + u.x * beside_ / 2, right.y * border_ + u.y * beside_ / 2};
  const Vector end{dx + right.x * border_ - u.x * beside_ / 2, dy + right.y * border_ - u.y * beside_ / 2};
  const Vector first{begin.x + right.x * out + u.x * forth, begin.y + right.y * out + u.y * forth};
  const Vector last{end.x + right.x * out - u.x * forth, end.y + right.y * out - u.y * forth};
  const double length = std::hypot(end.x - last.x, end.y - last.y);
  return with_barb(fmt::format("M{} {}C{} {} {} {} {} {}", pixels(begin.x), pixels(begin.y), pixels(first.x),
                               pixels(first.y), pixels(last.x), pixels(last.y), pixels(end.x), pixels(end.y)),
                   {(end.x - last.x) / length, (end.y - last.y) / length});
}

PaperPoint PlacedLayout::beside_link(NodeId node, Port port, bool leaves, int deep) const {
  const LinkEnd other_end = leaves ? graph_.far_end(node, port) : graph_.near_end(node, port);
  const NodeId other = other_end.node;
  const double aside = shift(leaves ? parallel(node, port) : parallel(other, other_end.port));
  const Vector u = direction(node, other);
  const double hand = leaves ? 1 : -1, ahead = border_ - deep;
  if (is_blocked(node, other))
    return {pixels(u.x * beside_ / 2 - u.y * hand * ahead), pixels(u.y * beside_ / 2 + u.x * hand * ahead)};
  return {pixels(u.x * ahead - u.y * hand * aside), pixels(u.y * ahead + u.x * hand * aside)};
}

}  // namespace starloom::links
