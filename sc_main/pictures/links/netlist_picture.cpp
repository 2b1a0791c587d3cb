#include <starloom/pictures/links/netlist_picture.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/pictures/links/grid_layout.hpp>
#include <starloom/pictures/links/link_pen.hpp>
#include <starloom/pictures/svg.hpp>
#include <starloom/results/netlist_writer.hpp>

namespace starloom::links {
namespace {

class NetlistDrawing {
 public:
  NetlistDrawing(Network& network, const Grid& topology, const Declaration& declaration, const std::string& title)
      : network_(network),
        topology_(topology),
        declaration_(declaration),
        layout_(topology, 1, most_nodes_drawn),
        svg_(title, style) {
    svg_.text(margin, 24, title, "text big");
  }

  std::string draw() {
    for (NodeId id = 0; id < topology_.nodes(); ++id) {
      Node& node = network_.node(id);
      buffers_ +=
          std::count_if(node.buffers().begin(), node.buffers().end(), [](const auto& b) { return b != nullptr; });
      if (layout_.cell(id)) nodes_.push_back(id);
    }
    svg_.text(margin, 44, legend(), "dim");
    group("wire", &NetlistDrawing::draw_links);
    group("box", &NetlistDrawing::draw_box);
    group("buffer", &NetlistDrawing::draw_buffers);
    const auto words = static_cast<int>(std::max(legend().size() * 6, std::size_t{300}));
    return svg_.str(std::max(layout_.size().x * pitch, words) + 2 * margin, header + layout_.size().y * pitch + margin);
  }

 private:
  static constexpr std::int64_t most_nodes_drawn = 256;
  static constexpr int pitch = 104, border = 28, beside = 9;
  static constexpr int margin = 20, header = 60;
  static constexpr int buffer_side = 6;
  static constexpr int most_buffers_drawn = 2;  ///< of a port, for there is no more room

  static constexpr const char* style =
      ".box{fill:none;stroke:#5b8bc9;stroke-width:2}.wire{fill:none;stroke:#8b939d;stroke-width:2}"
      ".buffer{fill:#e8762c}";

  void group(const char* style_class, void (NetlistDrawing::*draw_node)(Node&)) {
    svg_.add(fmt::format("<g class=\"{}\">\n", style_class));
    for (const NodeId id : nodes_) (this->*draw_node)(network_.node(id));
    svg_.add("</g>\n");
  }
  std::string legend() const {
    const std::string_view storage = storage_model_names[static_cast<std::size_t>(declaration_.storage)];
    const std::string size = declaration_.capacity > 0 ? fmt::format(" of {} flits", declaration_.capacity) : "";
    return fmt::format("{}: {} nodes, {} links, {} flit buffers{}{}", storage, topology_.nodes(), topology_.links(),
                       buffers_, size, layout_.shortened() ? fmt::format("; {} nodes are drawn", nodes_.size()) : "");
  }
  static PaperPoint centre(PaperPoint cell) {
    return {margin + pitch / 2 + cell.x * pitch, header + pitch / 2 + cell.y * pitch};
  }
  PaperPoint centre(const Node& node) const { return centre(*layout_.cell(node.id())); }

  void draw_box(Node& node) {
    const PaperPoint at = centre(node);
    const std::string box = svg_.shape(fmt::format("M-{0} -{0}h{1}v{1}h-{1}z", border - 2, 2 * border - 4));
    svg_.use(box, at.x, at.y, name_below(network_, node));
    svg_.text(at.x, at.y + 4, std::to_string(node.id()), "text mid");
  }

  void draw_links(Node& node) {
    const Wiring& wiring = network_.fabric.engine().wiring();
    const PaperPoint at = centre(node);
    for (int k = 0; k < node.out.size(); ++k) {
      const Port port = node.port_numbers()[static_cast<std::size_t>(k)];
      const Wiring::End end = wiring.out[wiring.index(node.id(), port)];
      const auto cell = layout_.cell(end.node);
      std::string path = pen_.loose_end(layout_.way(port));
      if (cell)
        path = pen_.path(layout_.way(port), {centre(*cell).x - at.x, centre(*cell).y - at.y}, layout_.in_plane(port));
      svg_.use(svg_.shape(path), at.x, at.y,
               fmt::format("{} from {} to {}", name_below(network_, node.out[k]->link_written()),
                           name_below(network_, node), name_below(network_, network_.node(end.node))));
    }
  }

  /// Beside the end of the link that leaves, or arrives, through the port; the channels one behind the other.
  void draw_buffers(Node& node) {
    const PaperPoint at = centre(node);
    const int hand = declaration_.buffers == BufferSide::in_ports ? -1 : 1;
    const std::string square = svg_.shape(fmt::format("M-{0} -{0}h{1}v{1}h-{1}z", buffer_side / 2, buffer_side));
    for (std::size_t b = 0; b < node.buffers().size(); ++b) {
      const auto channel = static_cast<int>(b) % declaration_.channels;
      if (node.buffers()[b] == nullptr || channel >= most_buffers_drawn) continue;
      const PaperPoint way = layout_.way(static_cast<Port>(b) / declaration_.channels);
      const PaperPoint right{-way.y * hand, way.x * hand};
      const int deep = border - 2 - buffer_side / 2 - 2 - channel * (buffer_side + 1);
      svg_.use(square, at.x + way.x * deep + right.x * beside, at.y + way.y * deep + right.y * beside,
               name_below(network_, *node.buffers()[b]));
    }
  }

  Network& network_;
  const Grid& topology_;
  const Declaration& declaration_;
  GridLayout layout_;
  LinkPen pen_{pitch, border, beside};
  Svg svg_;
  std::vector<NodeId> nodes_;  ///< those that are drawn
  std::int64_t buffers_ = 0;
};

}  // namespace

std::string netlist_picture(Network& network, const Grid& topology, const Declaration& declaration,
                            const std::string& title) {
  return NetlistDrawing(network, topology, declaration, title).draw();
}

}  // namespace starloom::links
