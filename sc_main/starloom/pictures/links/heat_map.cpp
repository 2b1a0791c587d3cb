// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/links/heat_map.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <starloom/layout/links/grid_layout.hpp>
#include <starloom/layout/links/placed_layout.hpp>
#include <starloom/pictures/links/link_pen.hpp>
#include <starloom/pictures/svg.hpp>

namespace starloom::links {
namespace {

constexpr int margin = 20;
constexpr std::int64_t most_links_drawn = 4096;
constexpr std::int64_t most_harpoons_across = 64;
constexpr std::int64_t most_tiles = 8192;
constexpr int most_tiles_across = 128;
constexpr int least_pitch = 44, most_pitch = 280;  ///< pixels between nodes of a grid
constexpr int least_width = 420;                   ///< of the header
constexpr int header_line = 20;                    ///< of the header

constexpr const char* style =
    ".link{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}"
    ".link.h0{stroke-width:1}.link.h1,.link.h2{stroke-width:2}.link.h3,.link.h4{stroke-width:3}"
    ".link.h5,.link.h6{stroke-width:4}.link.h7{stroke-width:5}.node{fill:#8b939d}.tile use{fill:currentColor}"
    ".small{font-size:9px}"
    // Vermilion of Okabe and Ito's palette: not a colour of the scale, for colour-blind readers either.
    ".circle{fill:none;stroke:#d55e00;stroke-width:9;stroke-opacity:.6;stroke-linejoin:round}"
    ".tile .circle{stroke-width:2;stroke-opacity:1}";

/// Only with faults.
constexpr const char* dead_style =
    ".link.dead{stroke:#8b939d;stroke-width:1;stroke-dasharray:3 3}"
    ".tile .dead{fill:none;stroke:#8b939d;stroke-dasharray:2 2}"
    ".cross{fill:none;stroke:#d55e00;stroke-width:2}";
/// Only if links are dead for a time.
constexpr const char* part_style = ".link.part{stroke-dasharray:7 3}";

/// Only if routers have values. Words are on their colours.
constexpr const char* router_style =
    ".hot{fill:currentColor}.small{paint-order:stroke;stroke:#fff;stroke-width:2px}"
    "@media(prefers-color-scheme:dark){.small{stroke:#14181d}}";

/// Values with the words and marks of captions.
class Marked {
 public:
  Marked(const NetworkGraph& graph, const HeatValues& values, const Captions& captions)
      : graph_(graph), values_(values), captions_(captions) {}
  const HeatValues& values() const { return values_; }
  const Captions& captions() const { return captions_; }
  bool any_router() const {
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      if (values_.has_router(node)) return true;
    return false;
  }
  bool is_dead(NodeId node, Port port) const { return captions_.is_dead(graph_.index(node, port)); }
  bool is_dead_for_a_time(NodeId node, Port port) const {
    return captions_.is_dead_for_a_time(graph_.index(node, port));
  }
  std::string label(NodeId node, Port port) const {
    if (port == no_port) return node_label(node);
    const std::size_t link = graph_.index(node, port);
    if (is_dead(node, port)) return graph_.link_name(node, port) + captions_.death_of(link);
    return values_.text(node, port) + captions_.death_of(link) + captions_.behind_link(link);
  }
  std::string node_label(NodeId node) const {
    return values_.text(node, no_port) + captions_.death_of_router(node) + captions_.behind(node);
  }
  /// The class of a tile.
  std::string heat(NodeId node, Port port) const {
    return port != no_port && is_dead(node, port) ? "dead" : fmt::format("h{}", values_.level(node, port));
  }
  /// Draws the nodes by `draw(node, label, class)`.
  template <class Draw>
  void draw_nodes(Svg& svg, Draw&& draw) const {
    svg.add("<g class=\"node\">\n");
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      draw(node, node_label(node), values_.has_router(node) ? "hot " + heat(node, no_port) : "");
    svg.add("</g>\n");
  }
  bool has_cycle() const { return !captions_.cycle.empty(); }
  /// The packets of a cycle that wait for the link; empty: none.
  std::string waits_for(NodeId node, Port port) const {
    const auto waits = captions_.cycle.find(graph_.index(node, port));
    if (waits == captions_.cycle.end()) return "";
    const bool several = waits->second.size() > 1;
    return fmt::format("packet{} {} wait{} for {}", several ? "s" : "", fmt::join(waits->second, ", "),
                       several ? "" : "s", graph_.link_name(node, port));
  }
  /// Below the harpoons of its links, drawn by `draw(node, port, label)`.
  template <class Draw>
  void draw_cycle(Svg& svg, Draw&& draw) const {
    if (!has_cycle()) return;
    svg.add("<g class=\"circle\">\n");
    for (const auto& [link, packets] : captions_.cycle) {
      const auto node = static_cast<NodeId>(link / static_cast<std::size_t>(graph_.ports()));
      const auto port = static_cast<Port>(link % static_cast<std::size_t>(graph_.ports()));
      draw(node, port, waits_for(node, port));
    }
    svg.add("</g>\n");
  }

 private:
  const NetworkGraph& graph_;
  const HeatValues& values_;
  const Captions& captions_;
};

std::string style_of(const Marked& marked) {
  const Captions& captions = marked.captions();
  return std::string(style) + (captions.dead_links.empty() ? "" : dead_style) +
         (captions.any_dead_for_a_time() ? part_style : "") + (marked.any_router() ? router_style : "");
}

/// The lines above a map.
struct Header {
  int width, height;
};

Header add_header(Svg& svg, const std::string& title, const Marked& marked, const std::string& remark = "") {
  svg.text(margin, 24, title, "text big");
  svg.text(margin, 44, marked.values().summary() + remark, "dim");
  int y = 44, right = 0, widest = 0;
  for (const HeatValues::Legend& legend : marked.values().legends()) {
    y += header_line;
    const int name = legend.name.empty() ? 0 : 8 * static_cast<int>(std::string("routers").size());
    if (name > 0) svg.text(margin, y, legend.name);
    right = name + svg.legend(margin + name, y, legend.ranges);
    widest = std::max(widest, right);
  }
  const auto add_line = [&](const std::string& kind, const std::string& meaning) {
    const int x = margin + right;
    svg.add(fmt::format("<path class=\"{}\" d=\"M{} {}h14\"/>\n", kind, x, y - 4));
    svg.text(x + 18, y, meaning);
    right += 18 + 7 * static_cast<int>(meaning.size());
  };
  if (marked.has_cycle()) add_line("circle", "waited for in the deadlock cycle");
  if (marked.captions().any_dead()) {
    add_line("link dead", "dead");
    right += 7;
  }
  if (marked.captions().any_dead_for_a_time()) {
    add_line("link h3 part", "dead for a time");
    right += 7;
  }
  return {std::max({widest, right, 8 * static_cast<int>(title.size()), least_width}) + 2 * margin, y + 12};
}

/// Draws links by `draw(node, port, label)`: those of a level in a group, the hottest on top, with another group for
/// those that are dead for a time; the dead ones are below them.
template <class Draw>
void draw_links(Svg& svg, const NetworkGraph& graph, const Marked& marked, Draw&& draw) {
  const auto draw_group = [&](const std::string& kind, const auto& is_in_it) {
    svg.add("<g class=\"link " + kind + "\">\n");
    for (NodeId node = 0; node < graph.nodes(); ++node)
      for (const Port port : graph.out_ports(node))
        if (is_in_it(node, port)) draw(node, port, marked.label(node, port));
    svg.add("</g>\n");
  };
  if (marked.captions().any_dead())
    draw_group("dead", [&](NodeId node, Port port) { return marked.is_dead(node, port); });
  for (int level = 0; level <= heat_levels; ++level)
    for (const bool part : {false, true})
      if (!part || marked.captions().any_dead_for_a_time())
        draw_group(fmt::format("h{}{}", level, part ? " part" : ""), [&](NodeId node, Port port) {
          return !marked.is_dead(node, port) && marked.values().level(node, port) == level &&
                 marked.is_dead_for_a_time(node, port) == part;
        });
}

/// Crosses out the routers that are dead, or dead for a time.
/// \param centre of a node. \param reach pixels from there to the ends of a cross.
template <class Centre>
void cross_out(Svg& svg, const Captions& captions, int reach, Centre&& centre) {
  for (const auto& [node, text] : captions.dead_routers)
    svg.add(fmt::format("<path class=\"cross\" d=\"M{0} {1}l{2} {2}m0 -{2}l-{2} {2}\"/>\n", centre(node).x - reach,
                        centre(node).y - reach, 2 * reach));
}

/// A harpoon for each link.
std::string harpoons(const NetworkGraph& graph, const Grid& topology, const Marked& marked, const std::string& title) {
  const GridLayout layout(topology, 0);
  Svg svg(title, style_of(marked));
  const Header header = add_header(svg, title, marked);
  // Small networks fill the width of the header. Links around a torus need half a pitch outside it.
  const bool around = topology.kind() == GridKind::torus;
  const int quarters = 4 * std::max(layout.size().x, layout.size().y) - (around ? 0 : 2);
  const int room = marked.captions().room();
  const int pitch = std::clamp(4 * (header.width - 2 * margin) / quarters, least_pitch + 2 * room, most_pitch);
  const int border = std::max(pitch * 7 / least_pitch, room);
  const int beside = around ? pitch / 2 : std::max(pitch / 4, border);
  const LinkPen pen(pitch, border, pitch * 4 / least_pitch);
  const auto pixels = [&](int cells) { return (cells - 1) * pitch + 2 * beside; };
  const int width = std::max(header.width, pixels(layout.size().x) + 2 * margin);
  const auto centre = [&](NodeId node) {
    const PaperPoint cell = *layout.cell(node);
    return PaperPoint{margin + beside + cell.x * pitch, header.height + beside + cell.y * pitch};
  };

  const std::string box = svg.shape(fmt::format("M-{0} -{0}h{1}v{1}h-{1}z", border - 1, 2 * border - 2));
  marked.draw_nodes(svg, [&](NodeId node, const std::string& label, const std::string& style_class) {
    svg.use(box, centre(node).x, centre(node).y, label, style_class);
  });
  for (NodeId node = 0; node < topology.nodes(); ++node) marked.captions().write(svg, node, centre(node));
  const auto draw = [&](NodeId node, Port port, const std::string& label) {
    const PaperPoint at = centre(node), to = centre(topology.neighbour(node, port));
    svg.use(svg.shape(pen.path(layout.direction(port), {to.x - at.x, to.y - at.y}, true)), at.x, at.y, label);
  };
  marked.draw_cycle(svg, draw);
  draw_links(svg, graph, marked, draw);
  cross_out(svg, marked.captions(), border, centre);
  return svg.str(width, header.height + pixels(layout.size().y) + margin);
}

/// The greatest value of the nodes below a tile.
struct Tile {
  NodeId node = no_node;
  double value = -1;
  std::string waits;  ///< packets of a cycle that wait for one of the links
};

/// A map for each port, and one for the routers.
std::string tiles(const Grid& topology, const Marked& marked, const std::string& title) {
  std::vector<Port> maps;
  if (marked.any_router()) maps.push_back(no_port);
  for (Port port = 0; port < topology.ports(); ++port) maps.push_back(port);
  const auto blocks = [](int cells, int block) { return (cells + block - 1) / block; };
  const auto count = [&](PaperPoint size, int block) {
    return static_cast<std::int64_t>(maps.size()) * blocks(size.x, block) * blocks(size.y, block);
  };
  int block = 1;
  const PaperPoint cells = GridLayout(topology, 0).size();
  while (count(cells, block) > most_tiles || blocks(std::max(cells.x, cells.y), block) > most_tiles_across) ++block;
  const GridLayout layout(topology, block == 1 ? 1 : 0);
  const PaperPoint size{blocks(layout.size().x, block), blocks(layout.size().y, block)};
  const int side = std::clamp(440 / std::max(size.x, size.y), 4, 24);  // pixels
  const int across = size.x * side > 900 ? 1 : 2;

  Svg svg(title, style_of(marked));
  const HeatValues& values = marked.values();
  const std::string remark =
      block == 1 ? "" : fmt::format("; each tile: the {} of {} x {} nodes", values.greatest(), block, block);
  const Header header = add_header(svg, title, marked, remark);
  const int width = std::max(header.width, across * (size.x * side + margin) + margin);
  const int panel_height = size.y * side + 24;
  for (int panel = 0; panel < static_cast<int>(maps.size()); ++panel) {
    const Port port = maps[static_cast<std::size_t>(panel)];
    std::vector<Tile> map(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
    for (NodeId node = 0; node < topology.nodes(); ++node) {
      if (port == no_port ? !values.has_router(node) : topology.neighbour(node, port) == no_node) continue;
      const PaperPoint cell = *layout.cell(node);
      Tile& tile = map[static_cast<std::size_t>(cell.y / block) * static_cast<std::size_t>(size.x) +
                       static_cast<std::size_t>(cell.x / block)];
      if (values.value(node, port) > tile.value) tile = {node, values.value(node, port), tile.waits};
      if (port != no_port && tile.waits.empty()) tile.waits = marked.waits_for(node, port);
    }
    const int left = margin + panel % across * (size.x * side + margin);
    const int top = header.height + 16 + panel / across * panel_height;
    svg.text(left, top - 4, port == no_port ? "routers" : topology.port_name(port));
    svg.add("<g class=\"tile\">\n");
    const std::string box = svg.shape(fmt::format("M0 0h{0}v{0}h-{0}z", side - 1));
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (map[i].node == no_node) continue;
      const int x = left + static_cast<int>(i) % size.x * side, y = top + static_cast<int>(i) / size.x * side;
      svg.use(box, x, y, marked.label(map[i].node, port), marked.heat(map[i].node, port));
      if (!map[i].waits.empty()) svg.use(box, x, y, map[i].waits, "circle");
    }
    svg.add("</g>\n");
  }
  const int rows = (static_cast<int>(maps.size()) + across - 1) / across;
  return svg.str(width, header.height + rows * panel_height + margin);
}

/// A harpoon for each link between nodes at their positions.
std::string placed_harpoons(const NetworkGraph& graph, const Marked& marked, const std::string& title) {
  Svg svg(title, style_of(marked));
  const Header header = add_header(svg, title, marked);
  const int header_width = std::max(header.width, 9 * static_cast<int>(title.size()) + 2 * margin);
  // Wide networks have a smaller pitch, small ones the width of the header, with room for bows.
  const int cells = PlacedLayout(graph, 1, 0, 0).size().x;
  const int room = marked.captions().room();
  const int pitch = std::clamp(1400 / cells, 26, std::clamp((header_width - 2 * margin) / cells, 60, 120)) + 2 * room;
  const int border = std::max({std::min(7, pitch / 5), pitch / 8, room});
  const PlacedLayout layout(graph, pitch, border, std::min(border / 2, 15) + 1);
  const int width = std::max(header_width, layout.size().x + 2 * margin);
  const auto centre = [&](NodeId node) {
    return PaperPoint{margin + layout.centre(node).x, header.height + layout.centre(node).y};
  };
  const auto draw = [&](NodeId node, Port port, const std::string& label) {
    svg.use(svg.shape(layout.path(node, port)), centre(node).x, centre(node).y, label);
  };
  marked.draw_cycle(svg, draw);
  draw_links(svg, graph, marked, draw);
  marked.draw_nodes(svg, [&](NodeId node, const std::string& label, const std::string& style_class) {
    svg.use(svg.shape(layout.outline(node, border - 1)), centre(node).x, centre(node).y, label, style_class);
  });
  for (NodeId node = 0; node < graph.nodes(); ++node) marked.captions().write(svg, node, centre(node));
  cross_out(svg, marked.captions(), border, centre);
  return svg.str(width, header.height + layout.size().y + margin);
}

/// A box for each node, as hot as its router, or as the link with the greatest value that leaves it.
std::string placed_tiles(const NetworkGraph& graph, const Marked& marked, const std::string& title) {
  constexpr int most_pixels = 1600;
  int side = 12;
  while (side > 2 && PlacedLayout(graph, side, 0, 0).size().x > most_pixels) --side;
  const PlacedLayout layout(graph, side, 0, 0);
  Svg svg(title, style_of(marked));
  const HeatValues& values = marked.values();
  const std::string remark =
      fmt::format(marked.any_router() ? "; each tile: a router, or the {} link that leaves a node"
                                      : "; each tile: the {} link that leaves a node",
                  values.greatest());
  const Header header = add_header(svg, title, marked, remark);
  const int width = std::max(header.width, layout.size().x + 2 * margin);
  const auto corner = [&](NodeId node) {
    return PaperPoint{margin + layout.centre(node).x - side / 2, header.height + layout.centre(node).y - side / 2};
  };
  svg.add("<g class=\"tile\">\n");
  const std::string box = svg.shape(fmt::format("M0 0h{0}v{0}h-{0}z", side - 1));
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    Port shown = no_port;
    for (const Port port : graph.out_ports(node))
      if (!values.has_router(node) && (shown == no_port || values.value(node, port) > values.value(node, shown)))
        shown = port;
    if (shown == no_port && !values.has_router(node)) continue;
    svg.use(box, corner(node).x, corner(node).y, marked.label(node, shown),
            fmt::format("h{}", values.level(node, shown)));
  }
  marked.draw_cycle(
      svg, [&](NodeId node, Port, const std::string& label) { svg.use(box, corner(node).x, corner(node).y, label); });
  svg.add("</g>\n");
  return svg.str(width, header.height + layout.size().y + margin);
}

std::string grid_picture(const NetworkGraph& graph, const Grid& grid, const Marked& marked, const std::string& title) {
  const auto longest = *std::max_element(grid.shape().begin(), grid.shape().end());
  if (grid.dimensions() <= 2 && grid.links() <= most_links_drawn && longest <= most_harpoons_across)
    return harpoons(graph, grid, marked, title);
  return tiles(grid, marked, title);
}

}  // namespace

std::string heat_map(const LinkNetwork& network, const HeatValues& values, const std::string& title,
                     const Captions& captions) {
  const Marked marked(network.graph, values, captions);
  if (const Grid* grid = network.as<Grid>()) return grid_picture(network.graph, *grid, marked, title);
  return network.graph.links() <= most_links_drawn ? placed_harpoons(network.graph, marked, title)
                                                   : placed_tiles(network.graph, marked, title);
}

}  // namespace starloom::links
