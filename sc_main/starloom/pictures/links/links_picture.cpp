// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/links/links_picture.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <starloom/layout/links/grid_layout.hpp>
#include <starloom/layout/links/placed_layout.hpp>
#include <starloom/pictures/links/link_pen.hpp>
#include <starloom/pictures/svg.hpp>
#include <starloom/results/links/link_use.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {
namespace {

constexpr int margin = 20;
constexpr std::int64_t most_links_drawn = 4096;
constexpr std::int64_t most_harpoons_across = 64;
constexpr std::int64_t most_tiles = 8192;
constexpr int most_tiles_across = 128;
constexpr int least_pitch = 44, most_pitch = 280;  ///< pixels between nodes of a grid
constexpr int least_width = 420;                   ///< of the header
constexpr int header = 76;                         ///< height of the three lines above the map

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

/// Loads with the names of their links.
class Loads {
 public:
  Loads(const NetworkGraph& graph, const LinkUse& use, const Captions& captions)
      : graph_(graph), use_(use), captions_(captions) {}
  std::int64_t flits(NodeId node, Port port) const { return use_.flits[graph_.index(node, port)]; }
  double share(NodeId node, Port port) const {
    return utilisation(flits(node, port), graph_.interval(node, port), use_.steps);
  }
  int level(NodeId node, Port port) const { return share_level(share(node, port)); }
  bool is_dead(NodeId node, Port port) const { return captions_.is_dead(graph_.index(node, port)); }
  bool is_dead_for_a_time(NodeId node, Port port) const {
    return captions_.is_dead_for_a_time(graph_.index(node, port));
  }
  std::string label(NodeId node, Port port) const {
    const std::size_t link = graph_.index(node, port);
    if (is_dead(node, port)) return graph_.link_name(node, port) + captions_.death_of(link);
    return name(node, port) + captions_.death_of(link) + captions_.behind_link(link);
  }
  std::string node_label(NodeId node) const {
    return graph_.node_name(node) + captions_.death_of_router(node) + captions_.behind(node);
  }
  const Captions& captions() const { return captions_; }
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
  std::string name(NodeId node, Port port) const {
    return fmt::format("{} {}, {} %", graph_.link_name(node, port), counted(flits(node, port), "flit"),
                       decimal(100 * share(node, port), 3));
  }
  std::string busiest() const {
    const auto link = busiest_link(graph_, use_);
    return link ? "busiest: " + name(link->node, link->port) : "no flit crossed a link";
  }

 private:
  const NetworkGraph& graph_;
  const LinkUse& use_;
  const Captions& captions_;
};

std::string style_of(const Loads& loads) {
  const Captions& captions = loads.captions();
  return std::string(style) + (captions.dead_links.empty() ? "" : dead_style) +
         (captions.any_dead_for_a_time() ? part_style : "");
}

int add_header(Svg& svg, const std::string& title, const Loads& loads, const std::string& remark = "") {
  svg.text(margin, 24, title, "text big");
  svg.text(margin, 44, "link utilisation; " + loads.busiest() + remark, "dim");
  int legend = svg.legend(margin, 64, share_ranges());
  if (loads.has_cycle()) {
    const std::string meaning = "waited for in the deadlock cycle";
    const int x = margin + legend;
    svg.add(fmt::format("<path class=\"circle\" d=\"M{} 60h14\"/>\n", x));
    svg.text(x + 18, 64, meaning);
    legend += 18 + 7 * static_cast<int>(meaning.size());
  }
  const auto add_dead = [&](const char* kind, const std::string& meaning) {
    const int x = margin + legend;
    svg.add(fmt::format("<path class=\"link {}\" d=\"M{} 60h14\"/>\n", kind, x));
    svg.text(x + 18, 64, meaning);
    legend += 18 + 7 * static_cast<int>(meaning.size() + 1);
  };
  if (loads.captions().any_dead()) add_dead("dead", "dead");
  if (loads.captions().any_dead_for_a_time()) add_dead("h3 part", "dead for a time");
  return std::max({legend, 8 * static_cast<int>(title.size()), least_width}) + 2 * margin;
}

/// Draws links by `draw(node, port, label)`: those of a level in a group, the hottest on top, with another group for
/// those that are dead for a time; the dead ones are below them.
template <class Draw>
void draw_links(Svg& svg, const NetworkGraph& graph, const Loads& loads, Draw&& draw) {
  const auto draw_group = [&](const std::string& kind, const auto& is_in_it) {
    svg.add("<g class=\"link " + kind + "\">\n");
    for (NodeId node = 0; node < graph.nodes(); ++node)
      for (const Port port : graph.out_ports(node))
        if (is_in_it(node, port)) draw(node, port, loads.label(node, port));
    svg.add("</g>\n");
  };
  if (loads.captions().any_dead())
    draw_group("dead", [&](NodeId node, Port port) { return loads.is_dead(node, port); });
  for (int level = 0; level <= heat_levels; ++level)
    for (const bool part : {false, true})
      if (!part || loads.captions().any_dead_for_a_time())
        draw_group(fmt::format("h{}{}", level, part ? " part" : ""), [&](NodeId node, Port port) {
          return !loads.is_dead(node, port) && loads.level(node, port) == level &&
                 loads.is_dead_for_a_time(node, port) == part;
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
std::string harpoons(const NetworkGraph& graph, const Grid& topology, const Loads& loads, const std::string& title) {
  const GridLayout layout(topology, 0);
  Svg svg(title, style_of(loads));
  const int header_width = add_header(svg, title, loads);
  // Small networks fill the width of the header. Links around a torus need half a pitch outside it.
  const bool around = topology.kind() == GridKind::torus;
  const int quarters = 4 * std::max(layout.size().x, layout.size().y) - (around ? 0 : 2);
  const int room = loads.captions().room();
  const int pitch = std::clamp(4 * (header_width - 2 * margin) / quarters, least_pitch + 2 * room, most_pitch);
  const int border = std::max(pitch * 7 / least_pitch, room);
  const int beside = around ? pitch / 2 : std::max(pitch / 4, border);
  const LinkPen pen(pitch, border, pitch * 4 / least_pitch);
  const auto pixels = [&](int cells) { return (cells - 1) * pitch + 2 * beside; };
  const int width = std::max(header_width, pixels(layout.size().x) + 2 * margin);
  const auto centre = [&](NodeId node) {
    const PaperPoint cell = *layout.cell(node);
    return PaperPoint{margin + beside + cell.x * pitch, header + beside + cell.y * pitch};
  };

  svg.add("<g class=\"node\">\n");
  const std::string box = svg.shape(fmt::format("M-{0} -{0}h{1}v{1}h-{1}z", border - 1, 2 * border - 2));
  for (NodeId node = 0; node < topology.nodes(); ++node)
    svg.use(box, centre(node).x, centre(node).y, loads.node_label(node));
  svg.add("</g>\n");
  for (NodeId node = 0; node < topology.nodes(); ++node) loads.captions().write(svg, node, centre(node));
  const auto draw = [&](NodeId node, Port port, const std::string& label) {
    const PaperPoint at = centre(node), to = centre(topology.neighbour(node, port));
    svg.use(svg.shape(pen.path(layout.direction(port), {to.x - at.x, to.y - at.y}, true)), at.x, at.y, label);
  };
  loads.draw_cycle(svg, draw);
  draw_links(svg, graph, loads, draw);
  cross_out(svg, loads.captions(), border, centre);
  return svg.str(width, header + pixels(layout.size().y) + margin);
}

/// The busiest link of the nodes below a tile.
struct Tile {
  NodeId node = no_node;
  double share = -1;
  std::string waits;  ///< packets of a cycle that wait for one of the links
};

/// A map for each port.
std::string tiles(const Grid& topology, const Loads& loads, const std::string& title) {
  const auto blocks = [](int cells, int block) { return (cells + block - 1) / block; };
  const auto count = [&](PaperPoint size, int block) {
    return std::int64_t{topology.ports()} * blocks(size.x, block) * blocks(size.y, block);
  };
  int block = 1;
  const PaperPoint cells = GridLayout(topology, 0).size();
  while (count(cells, block) > most_tiles || blocks(std::max(cells.x, cells.y), block) > most_tiles_across) ++block;
  const GridLayout layout(topology, block == 1 ? 1 : 0);
  const PaperPoint size{blocks(layout.size().x, block), blocks(layout.size().y, block)};
  const int side = std::clamp(440 / std::max(size.x, size.y), 4, 24);  // pixels
  const int across = size.x * side > 900 ? 1 : 2;

  Svg svg(title, style_of(loads));
  const std::string remark = block == 1 ? "" : fmt::format("; each tile: the busiest of {} x {} nodes", block, block);
  const int width = std::max(add_header(svg, title, loads, remark), across * (size.x * side + margin) + margin);
  const int panel_height = size.y * side + 24;
  for (Port port = 0; port < topology.ports(); ++port) {
    std::vector<Tile> map(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
    for (NodeId node = 0; node < topology.nodes(); ++node) {
      if (topology.neighbour(node, port) == no_node) continue;
      const PaperPoint cell = *layout.cell(node);
      Tile& tile = map[static_cast<std::size_t>(cell.y / block) * static_cast<std::size_t>(size.x) +
                       static_cast<std::size_t>(cell.x / block)];
      if (loads.share(node, port) > tile.share) tile = {node, loads.share(node, port), tile.waits};
      if (tile.waits.empty()) tile.waits = loads.waits_for(node, port);
    }
    const int left = margin + port % across * (size.x * side + margin);
    const int top = header + 16 + port / across * panel_height;
    svg.text(left, top - 4, topology.port_name(port));
    svg.add("<g class=\"tile\">\n");
    const std::string box = svg.shape(fmt::format("M0 0h{0}v{0}h-{0}z", side - 1));
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (map[i].node == no_node) continue;
      const int x = left + static_cast<int>(i) % size.x * side, y = top + static_cast<int>(i) / size.x * side;
      svg.use(box, x, y, loads.label(map[i].node, port),
              loads.is_dead(map[i].node, port) ? "dead" : fmt::format("h{}", loads.level(map[i].node, port)));
      if (!map[i].waits.empty()) svg.use(box, x, y, map[i].waits, "circle");
    }
    svg.add("</g>\n");
  }
  return svg.str(width, header + (topology.ports() + across - 1) / across * panel_height + margin);
}

/// A harpoon for each link between nodes at their positions.
std::string placed_harpoons(const NetworkGraph& graph, const Loads& loads, const std::string& title) {
  Svg svg(title, style_of(loads));
  const int header_width = std::max(add_header(svg, title, loads), 9 * static_cast<int>(title.size()) + 2 * margin);
  // Wide networks have a smaller pitch, small ones the width of the header, with room for bows.
  const int cells = PlacedLayout(graph, 1, 0, 0).size().x;
  const int room = loads.captions().room();
  const int pitch = std::clamp(1400 / cells, 26, std::clamp((header_width - 2 * margin) / cells, 60, 120)) + 2 * room;
  const int border = std::max({std::min(7, pitch / 5), pitch / 8, room});
  const PlacedLayout layout(graph, pitch, border, std::min(border / 2, 15) + 1);
  const int width = std::max(header_width, layout.size().x + 2 * margin);
  const auto use = [&](const std::string& path, NodeId node, const std::string& label) {
    svg.use(svg.shape(path), margin + layout.centre(node).x, header + layout.centre(node).y, label);
  };
  loads.draw_cycle(
      svg, [&](NodeId node, Port port, const std::string& label) { use(layout.path(node, port), node, label); });
  draw_links(svg, graph, loads,
             [&](NodeId node, Port port, const std::string& label) { use(layout.path(node, port), node, label); });
  svg.add("<g class=\"node\">\n");
  for (NodeId node = 0; node < graph.nodes(); ++node)
    use(layout.outline(node, border - 1), node, loads.node_label(node));
  svg.add("</g>\n");
  for (NodeId node = 0; node < graph.nodes(); ++node)
    loads.captions().write(svg, node, {margin + layout.centre(node).x, header + layout.centre(node).y});
  cross_out(svg, loads.captions(), border, [&](NodeId node) {
    return PaperPoint{margin + layout.centre(node).x, header + layout.centre(node).y};
  });
  return svg.str(width, header + layout.size().y + margin);
}

/// A box for each node, as hot as the busiest link that leaves it.
std::string placed_tiles(const NetworkGraph& graph, const Loads& loads, const std::string& title) {
  constexpr int most_pixels = 1600;
  int side = 12;
  while (side > 2 && PlacedLayout(graph, side, 0, 0).size().x > most_pixels) --side;
  const PlacedLayout layout(graph, side, 0, 0);
  Svg svg(title, style_of(loads));
  const int width = std::max(add_header(svg, title, loads, "; each tile: the busiest link that leaves a node"),
                             layout.size().x + 2 * margin);
  svg.add("<g class=\"tile\">\n");
  const std::string box = svg.shape(fmt::format("M0 0h{0}v{0}h-{0}z", side - 1));
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    Port busiest = no_port;
    for (const Port port : graph.out_ports(node))
      if (busiest == no_port || loads.share(node, port) > loads.share(node, busiest)) busiest = port;
    if (busiest == no_port) continue;
    svg.use(box, margin + layout.centre(node).x - side / 2, header + layout.centre(node).y - side / 2,
            loads.label(node, busiest), fmt::format("h{}", loads.level(node, busiest)));
  }
  loads.draw_cycle(svg, [&](NodeId node, Port, const std::string& label) {
    svg.use(box, margin + layout.centre(node).x - side / 2, header + layout.centre(node).y - side / 2, label);
  });
  svg.add("</g>\n");
  return svg.str(width, header + layout.size().y + margin);
}

std::string grid_picture(const NetworkGraph& graph, const Grid& grid, const Loads& loads, const std::string& title) {
  const auto longest = *std::max_element(grid.shape().begin(), grid.shape().end());
  if (grid.dimensions() <= 2 && grid.links() <= most_links_drawn && longest <= most_harpoons_across)
    return harpoons(graph, grid, loads, title);
  return tiles(grid, loads, title);
}

}  // namespace

std::string links_picture(const LinkNetwork& network, const LinkUse& use, const std::string& title,
                          const Captions& captions) {
  const Loads loads(network.graph, use, captions);
  if (const Grid* grid = network.as<Grid>()) return grid_picture(network.graph, *grid, loads, title);
  return network.graph.links() <= most_links_drawn ? placed_harpoons(network.graph, loads, title)
                                                   : placed_tiles(network.graph, loads, title);
}

}  // namespace starloom::links
