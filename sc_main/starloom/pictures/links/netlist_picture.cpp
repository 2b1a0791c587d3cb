// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/links/netlist_picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include <starloom/layout/links/grid_layout.hpp>
#include <starloom/layout/links/placed_layout.hpp>
#include <starloom/pictures/links/link_pen.hpp>
#include <starloom/pictures/svg.hpp>
#include <starloom/results/netlist_writer.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {
namespace {

constexpr std::int64_t most_nodes_drawn = 256;
constexpr int direction = 48, least_border = 28, beside = 9;  ///< between two nodes; to the edge of one
constexpr int buffer_side = 6;
constexpr int most_buffers_drawn = 2;  ///< of a port, because of limited room

/// The positions of all parts, in pixels from the left and the top of the drawing; paths from the centre of a node.
class Sheet {
 public:
  virtual ~Sheet() = default;
  virtual PaperPoint size() const = 0;
  virtual bool has(NodeId node) const = 0;
  /// True if there is room for numbers and buffers.
  virtual bool detailed() const = 0;
  virtual PaperPoint centre(NodeId node) const = 0;
  virtual std::string outline(NodeId node) const = 0;
  virtual std::string link(NodeId node, Port port, NodeId to) const = 0;
  /// `deep` pixels inside the node's edge, beside the link that leaves through the port or (`in`) arrives there.
  virtual PaperPoint buffer(NodeId node, Port port, bool in, int deep) const = 0;
};

/// The position of buffers of the local port, which has no link.
PaperPoint corner(int border, int deep) { return {border - deep, border - deep}; }

class GridSheet final : public Sheet {
 public:
  GridSheet(const Grid& grid, int border) : layout_(grid, 1, most_nodes_drawn), ports_(grid.ports()), border_(border) {}

  PaperPoint size() const override { return {layout_.size().x * pitch_, layout_.size().y * pitch_}; }
  bool has(NodeId node) const override { return layout_.cell(node).has_value(); }
  bool detailed() const override { return true; }
  PaperPoint centre(NodeId node) const override {
    const PaperPoint cell = *layout_.cell(node);
    return {pitch_ / 2 + cell.x * pitch_, pitch_ / 2 + cell.y * pitch_};
  }
  std::string outline(NodeId /*node*/) const override {
    return fmt::format("M-{0} -{0}h{1}v{1}h-{1}z", border_ - 2, 2 * border_ - 4);
  }
  std::string link(NodeId node, Port port, NodeId to) const override {
    if (!has(to)) return pen_.loose_end(layout_.direction(port));
    const PaperPoint here = centre(node), there = centre(to);
    return pen_.path(layout_.direction(port), {there.x - here.x, there.y - here.y}, layout_.in_plane(port));
  }
  PaperPoint buffer(NodeId /*node*/, Port port, bool in, int deep) const override {
    if (port == ports_) return corner(border_, deep);
    const int hand = in ? -1 : 1, ahead = border_ - deep;
    const PaperPoint out = layout_.direction(port);
    return {out.x * ahead - out.y * hand * beside, out.y * ahead + out.x * hand * beside};
  }

 private:
  GridLayout layout_;
  int ports_;
  int border_;
  int pitch_ = direction + 2 * border_;
  LinkPen pen_{pitch_, border_, beside};
};

class PlacedSheet final : public Sheet {
 public:
  PlacedSheet(const NetworkGraph& graph, int border)
      : graph_(graph),
        detailed_(graph.nodes() <= most_nodes_drawn),
        radius_(detailed_ ? border : 6),
        layout_(graph, detailed_ ? direction + 2 * border : 32, radius_, detailed_ ? beside : 3) {}

  PaperPoint size() const override { return layout_.size(); }
  bool has(NodeId /*node*/) const override { return true; }
  bool detailed() const override { return detailed_; }
  PaperPoint centre(NodeId node) const override { return layout_.centre(node); }
  std::string outline(NodeId node) const override { return layout_.outline(node, radius_ - 2); }
  std::string link(NodeId node, Port port, NodeId /*to*/) const override { return layout_.path(node, port); }
  PaperPoint buffer(NodeId node, Port port, bool in, int deep) const override {
    if (port == graph_.ports()) return corner(radius_, deep);
    return layout_.beside_link(node, port, !in, deep);
  }

 private:
  const NetworkGraph graph_;
  bool detailed_;
  int radius_;
  PlacedLayout layout_;
};

std::unique_ptr<Sheet> sheet_for(const LinkNetwork& value, const Captions& captions) {
  constexpr int depth_of_buffers = 2 * (buffer_side + 2);
  const int room = captions.room();
  const int border = std::max(least_border, room == 0 ? 0 : room + depth_of_buffers);
  if (const Grid* grid = value.as<Grid>()) return std::make_unique<GridSheet>(*grid, border);
  return std::make_unique<PlacedSheet>(value.graph, border);
}

class NetlistDrawing {
 public:
  NetlistDrawing(Network& network, const LinkNetwork& value, const Declaration& declaration, const std::string& title,
                 const Captions& captions)
      : network_(network),
        graph_(value.graph),
        rows_(value.as<Grid>() == nullptr ? "" : rows_text(*value.as<Grid>())),
        declaration_(declaration),
        captions_(captions),
        sheet_(sheet_for(value, captions)),
        svg_(title, style) {
    svg_.text(margin, 24, title, "text big");
  }

  std::string draw() {
    for (NodeId id = 0; id < graph_.nodes(); ++id) {
      Node& node = network_.node(id);
      buffers_ +=
          std::count_if(node.buffers().begin(), node.buffers().end(), [](const auto& b) { return b != nullptr; });
      if (sheet_->has(id)) nodes_.push_back(id);
    }
    svg_.text(margin, 44, legend(), "dim");
    group("wire", &NetlistDrawing::draw_links);
    group("box", &NetlistDrawing::draw_box);
    group("buffer", &NetlistDrawing::draw_buffers);
    const auto words = static_cast<int>(std::max(legend().size() * 6, std::size_t{300}));
    return svg_.str(std::max(sheet_->size().x, words) + 2 * margin, header + sheet_->size().y + margin);
  }

 private:
  static constexpr int margin = 20, header = 60;
  static constexpr const char* style =
      ".box{fill:none;stroke:#2f7fc1;stroke-width:2}.wire{fill:none;stroke:#8b939d;stroke-width:2}"
      ".buffer{fill:#d55e00}.small{font-size:9px}";

  void group(const char* style_class, void (NetlistDrawing::*draw_node)(Node&)) {
    svg_.add(fmt::format("<g class=\"{}\">\n", style_class));
    for (const NodeId id : nodes_) (this->*draw_node)(network_.node(id));
    svg_.add("</g>\n");
  }
  std::string legend() const {
    const std::string_view storage = storage_model_names[static_cast<std::size_t>(declaration_.storage)];
    std::string size = declaration_.capacity > 0 ? " of " + counted(declaration_.capacity, "flit") : "";
    if (const std::int32_t least = declaration_.least_capacity(); least < declaration_.capacity)
      size = fmt::format(" of {} to {}", least, counted(declaration_.capacity, "flit"));
    const bool shortened = nodes_.size() < static_cast<std::size_t>(graph_.nodes());
    return fmt::format("{}: {}, {}, {}{}{}{}", storage, counted(graph_.nodes(), "node"),
                       counted(graph_.links(), "link"), counted(buffers_, "flit buffer"), size,
                       shortened ? fmt::format("; {} nodes are shown", nodes_.size()) : "",
                       rows_.empty() ? "" : "; " + rows_);
  }
  PaperPoint centre(const Node& node) const {
    const PaperPoint at = sheet_->centre(node.id());
    return {margin + at.x, header + at.y};
  }

  void draw_box(Node& node) {
    const PaperPoint at = centre(node);
    svg_.use(svg_.shape(sheet_->outline(node.id())), at.x, at.y,
             name_below(network_, node) + captions_.behind(node.id()));
    if (!sheet_->detailed()) return;
    const bool alone = captions_.behind(node.id()).empty();
    svg_.text(at.x, at.y + (alone ? 4 : -8), std::to_string(node.id()), "text mid");
    if (!alone) captions_.write(svg_, node.id(), {at.x, at.y + 4});
  }

  void draw_links(Node& node) {
    const Wiring& wiring = network_.fabric.engine().wiring();
    const PaperPoint at = centre(node);
    for (int k = 0; k < node.out.size(); ++k) {
      const Port port = node.out_ports().numbers[static_cast<std::size_t>(k)];
      const Wiring::End end = wiring.out[wiring.index(node.id(), port)];
      svg_.use(svg_.shape(sheet_->link(node.id(), port, end.node)), at.x, at.y,
               fmt::format("{} from {} to {}", name_below(network_, node.out[k]->link_written()),
                           name_below(network_, node), name_below(network_, network_.node(end.node))));
    }
  }

  /// Beside the end of the link that leaves, or arrives, through the port; the channels one behind the other.
  void draw_buffers(Node& node) {
    if (!sheet_->detailed()) return;
    const PaperPoint at = centre(node);
    const bool in = declaration_.buffers == BufferSide::in_ports;
    const std::string square = svg_.shape(fmt::format("M-{0} -{0}h{1}v{1}h-{1}z", buffer_side / 2, buffer_side));
    for (std::size_t b = 0; b < node.buffers().size(); ++b) {
      const auto channel = static_cast<int>(b) % declaration_.channels;
      if (node.buffers()[b] == nullptr || channel >= most_buffers_drawn) continue;
      const int deep = 2 + buffer_side / 2 + 2 + channel * (buffer_side + 1);
      const PaperPoint from = sheet_->buffer(node.id(), static_cast<Port>(b) / declaration_.channels, in, deep);
      svg_.use(square, at.x + from.x, at.y + from.y, name_below(network_, *node.buffers()[b]));
    }
  }

  Network& network_;
  const NetworkGraph graph_;
  const std::string rows_;
  const Declaration& declaration_;
  const Captions& captions_;
  const std::unique_ptr<Sheet> sheet_;
  Svg svg_;
  std::vector<NodeId> nodes_;  ///< the drawn nodes
  std::int64_t buffers_ = 0;
};

}  // namespace

std::string netlist_picture(Network& network, const LinkNetwork& value, const Declaration& declaration,
                            const std::string& title, const Captions& captions) {
  return NetlistDrawing(network, value, declaration, title, captions).draw();
}

}  // namespace starloom::links
