// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/pops/netlist_picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include <starloom/pictures/svg.hpp>
#include <starloom/results/netlist_writer.hpp>

namespace starloom::pops {
namespace {

/// The drawn ones of `count` parts, and their positions: in the order of their numbers, with a gap for the middle.
class Places {
 public:
  Places(std::int32_t count, std::int32_t most) {
    const std::int32_t side = count > most ? most / 2 : count;
    for (std::int32_t i = 0; i < count; ++i) {
      if (i < side || i >= count - side) at_[i] = next_++;
      else if (i == side) ++next_;
    }
  }
  const std::map<std::int32_t, int>& drawn() const { return at_; }
  int size() const { return next_; }

 private:
  std::map<std::int32_t, int> at_;
  int next_ = 0;
};

class NetlistDrawing {
 public:
  NetlistDrawing(Network& network, const Pops& pops, const Packets* packets, const std::string& title)
      : network_(network),
        pops_(pops),
        destination_(destinations(pops, packets)),
        groups_(pops.groups(), most_groups),
        processors_(pops.group_size(), most_processors),
        left_(margin + processors_.size() * box_side + gap),
        bottom_(header + groups_.size() * pitch + gap),
        svg_(title, style) {
    svg_.text(margin, 24, title, "text big");
    svg_.text(margin, 44, legend(), "dim");
  }

  std::string draw() {
    group("wire", [this](std::int32_t g, int at) {
      const TransmitRow& row = first(g).transmit->row();
      svg_.use(svg_.shape(fmt::format("M{} 0H{}", -gap, groups_.size() * pitch)), left_, row_y(at), name(row));
      const ReceiveColumn& column = first(g).receive->column();
      svg_.use(svg_.shape(fmt::format("M0 {}V{}", -groups_.size() * pitch - gap, 0)), column_x(at), bottom_,
               name(column));
    });
    group("star", [this](std::int32_t g, int at) { draw_couplers(first(g).transmit->row(), at); });
    group("box", [this](std::int32_t g, int at) {
      for (const auto& [index, place] : processors_.drawn()) {
        draw_processor(g, index, margin + place * box_side + box_side / 2, row_y(at), true);
        draw_processor(g, index, column_x(at), bottom_ + place * box_side + box_side / 2, false);
      }
    });
    const auto words = static_cast<int>(legend().size() * 6);
    return svg_.str(std::max(left_ + groups_.size() * pitch, words) + 2 * margin,
                    bottom_ + processors_.size() * box_side + margin);
  }

 private:
  static constexpr std::int32_t most_groups = 16, most_processors = 8;
  static constexpr int margin = 20, header = 68;
  static constexpr int box_side = 32;  ///< of a processor
  static constexpr int pitch = 40;     ///< from group to group
  static constexpr int gap = 16;       ///< between processors and couplers
  static constexpr int coupler_radius = 5;

  static constexpr const char* style =
      ".box{fill:none;stroke:#2f7fc1;stroke-width:2}.wire{fill:none;stroke:#8b939d;stroke-width:2}"
      ".star{fill:#d55e00;stroke:#d55e00;stroke-width:2}.star .dead{fill:none}.small{font-size:9px}";

  template <class DrawGroup>
  void group(const char* style_class, DrawGroup draw_group) {
    svg_.add(fmt::format("<g class=\"{}\">\n", style_class));
    for (const auto& [g, at] : groups_.drawn()) draw_group(g, at);
    svg_.add("</g>\n");
  }
  std::string legend() const {
    const bool whole = static_cast<std::size_t>(pops_.groups()) == groups_.drawn().size() &&
                       static_cast<std::size_t>(pops_.group_size()) == processors_.drawn().size();
    return fmt::format("{} processors (left: they drive{}, below: they sample), {} couplers{}", pops_.nodes(),
                       destination_.empty() ? "" : ", with the destinations of their packets", pops_.couplers(),
                       whole ? "" : "; the middle is omitted");
  }
  Processor& first(std::int32_t g) { return network_.processor(pops_.node_at(g, 0)); }
  std::string name(const sc_core::sc_object& object) const { return name_below(network_, object); }
  static int row_y(int at) { return header + at * pitch + pitch / 2; }
  int column_x(int at) const { return left_ + at * pitch + pitch / 2; }

  /// Each where its row crosses the column that is bound to it.
  void draw_couplers(TransmitRow& row, int at) {
    const std::string dot = svg_.shape(
        fmt::format("M-{0} 0a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0 -{1} 0z", coupler_radius, 2 * coupler_radius));
    for (int k = 0; k < row.couplers.size(); ++k) {
      const PassiveStar& coupler = row.couplers[k]->driven();
      for (const auto& [to, across] : groups_.drawn())
        if (samples(first(to).receive->column(), coupler))
          svg_.use(dot, column_x(across), row_y(at), name(coupler), coupler.carries(1) ? "" : "dead");
    }
  }
  static bool samples(ReceiveColumn& column, const PassiveStar& coupler) {
    for (int k = 0; k < column.couplers.size(); ++k)
      if (&column.couplers[k]->sampled() == &coupler) return true;
    return false;
  }
  void draw_processor(std::int32_t group, std::int32_t index, int x, int y, bool drives) {
    const Processor& processor = network_.processor(pops_.node_at(group, index));
    svg_.use(svg_.shape(fmt::format("M-{0} -{0}h{1}v{1}h-{1}z", box_side / 2 - 2, box_side - 4)), x, y,
             name(processor));
    const NodeId to =
        drives && !destination_.empty() ? destination_[static_cast<std::size_t>(processor.id())] : no_node;
    svg_.text(x, to == no_node ? y + 4 : y - 2, std::to_string(processor.id()), "text mid small");
    if (to != no_node) svg_.text(x, y + 9, fmt::format("\u2192{}", to), "dim mid small");
  }

  /// [node] of its first packet, or `no_node`; empty if there are no packets, or if they depend on the run.
  static std::vector<NodeId> destinations(const Pops& pops, const Packets* packets) {
    if (packets == nullptr || packets->empty()) return {};
    std::vector<NodeId> destinations(static_cast<std::size_t>(pops.nodes()), no_node);
    for (const Packet packet : *packets)
      if (NodeId& to = destinations[static_cast<std::size_t>(packet.source)]; to == no_node) to = packet.destination;
    return destinations;
  }

  Network& network_;
  const Pops& pops_;
  std::vector<NodeId> destination_;
  Places groups_;
  Places processors_;
  int left_;    ///< of the couplers
  int bottom_;  ///< of the columns, where the processors begin
  Svg svg_;
};

}  // namespace

std::string netlist_picture(Network& network, const Pops& pops, const Packets* packets, const std::string& title) {
  return NetlistDrawing(network, pops, packets, title).draw();
}

}  // namespace starloom::pops
