// Pictures: well-formed, the same bytes for the same values, and the values in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <starloom/pictures/latency_picture.hpp>
#include <starloom/pictures/links/grid_layout.hpp>
#include <starloom/pictures/links/link_pen.hpp>
#include <starloom/pictures/links/links_picture.hpp>
#include <starloom/pictures/svg.hpp>
#include <starloom/topology/express_mesh.hpp>
#include <starloom/topology/fat_tree.hpp>
#include "support/networks.hpp"
#include "support/xml.hpp"

namespace starloom::links {
namespace {

/// What pointing at things shows, apart from the picture's own title.
std::vector<std::string> labels(const std::string& svg, const std::string& thing) {
  std::vector<std::string> texts;
  const XmlElement root = parse_xml(svg);
  for (const XmlElement* element : root.all(thing))
    for (const XmlElement* title : element->all("title")) texts.push_back(title->text);
  return texts;
}

/// `link_r00_c00_east 12`, of links alone.
std::map<std::string, std::int64_t> link_labels(const std::string& svg) {
  std::map<std::string, std::int64_t> loads;
  for (const std::string& label : labels(svg, "use")) {
    if (label.rfind("link_", 0) != 0) continue;
    const std::size_t blank = label.find(' ');
    EXPECT_TRUE(loads.emplace(label.substr(0, blank), std::stoll(label.substr(blank + 1))).second) << label;
  }
  return loads;
}

/// A load for every link, and none where there is no link.
std::vector<std::int64_t> some_loads(const Grid& grid) {
  std::vector<std::int64_t> load(static_cast<std::size_t>(grid.nodes() * grid.ports()), 0);
  for (NodeId node = 0; node < grid.nodes(); ++node)
    for (Port port = 0; port < grid.ports(); ++port)
      if (grid.neighbour(node, port) != no_node)
        load[static_cast<std::size_t>(node * grid.ports() + port)] = (node * 7 + port * 3) % 50;
  return load;
}

std::map<std::string, std::int64_t> named(const Grid& grid, const std::vector<std::int64_t>& load) {
  std::map<std::string, std::int64_t> loads;
  for (NodeId node = 0; node < grid.nodes(); ++node)
    for (Port port = 0; port < grid.ports(); ++port)
      if (grid.neighbour(node, port) != no_node)
        loads[grid.link_name(node, port)] = load[static_cast<std::size_t>(node * grid.ports() + port)];
  return loads;
}

TEST(Xml, FaultsAreFound) {
  EXPECT_EQ(parse_xml("<a x=\"1\"><b>t</b></a>").children[0].text, "t");
  for (const char* text : {"<a><b></a></b>", "<a>", "<a x=1/>", "<a>&</a>", "<a x=\"1\" x=\"2\"/>", "", "<a/><b/>"})
    EXPECT_ANY_THROW(parse_xml(text)) << text;
}

TEST(Svg, TextIsEscaped) {
  Svg svg("a < b & \"c\"");
  svg.text(1, 2, "x > y");
  EXPECT_EQ(parse_xml(svg.str(10, 10)).all("title")[0]->text, "a < b & \"c\"");
  EXPECT_EQ(parse_xml(svg.str(10, 10)).all("text")[0]->text, "x > y");
}

// The legend says exactly what the colours mean.
TEST(Svg, LevelsAndRangesAgree) {
  for (const std::int64_t most : {1, 2, 6, 7, 8, 61, 1000}) {
    std::map<int, std::set<std::int64_t>> values;
    for (std::int64_t value = 0; value <= most; ++value) values[heat_level(value, most)].insert(value);
    EXPECT_EQ(heat_level(most, most), heat_levels);
    for (int level = 0; level <= heat_levels; ++level) {
      const auto& held = values[level];
      const std::string range = held.empty() ? ""
                                : held.size() == 1
                                    ? std::to_string(*held.begin())
                                    : std::to_string(*held.begin()) + " to " + std::to_string(*held.rbegin());
      EXPECT_EQ(heat_range(level, most), range) << level << " of " << most;
    }
  }
}

TEST(LinksPicture, EveryLinkOfAPlaneWithItsLoad) {
  for (const Grid& grid : {Grid::mesh({5, 7}), Grid::torus({4, 3}), Grid::torus({2, 2}), Grid::mesh({9}),
                           Grid::torus({6}), Grid::torus({1, 4})}) {
    const auto load = some_loads(grid);
    EXPECT_EQ(link_labels(links_picture(network_of(grid), load, "t")), named(grid, load))
        << grid.kind_name() << grid.nodes();
    EXPECT_EQ(links_picture(network_of(grid), load, "t"), links_picture(network_of(grid), load, "t"));
  }
}

TEST(LinksPicture, EveryLinkOfMoreDimensionsWithItsLoad) {
  for (const Grid& grid : {Grid::torus({4, 3, 5}), Grid::mesh({3, 2, 2, 3})}) {
    const auto load = some_loads(grid);
    EXPECT_EQ(link_labels(links_picture(network_of(grid), load, "t")), named(grid, load));
  }
}

TEST(LinksPicture, EveryLinkOfOtherShapesWithItsLoad) {
  const ExpressMesh express(4, 7, 3);
  const FatTree tree(3, 3), large(4, 5);
  for (const LinkNetwork& network : {LinkNetwork{"express mesh", make_express_mesh(express), express, "express-mesh"},
                                     LinkNetwork{"fat tree", make_fat_tree(tree), tree, "fat-tree"}}) {
    const NetworkGraph& graph = network.graph;
    std::vector<std::int64_t> load(graph.link_places(), 0);
    std::map<std::string, std::int64_t> named;
    for (NodeId node = 0; node < graph.nodes(); ++node)
      for (PortMask left = graph.out_mask(node); left != 0; left &= left - 1) {
        const Port port = lowest_port(left);
        load[graph.index(node, port)] = (node * 7 + port * 3) % 50;
        named[graph.link_name(node, port)] = load[graph.index(node, port)];
      }
    EXPECT_EQ(link_labels(links_picture(network, load, "t")), named) << network.title;
  }
  // A tile for each node, with the busiest link that leaves it.
  const LinkNetwork tiles{"fat tree", make_fat_tree(large), large, "fat-tree"};
  std::vector<std::int64_t> load(tiles.graph.link_places(), 1);
  load[tiles.graph.index(1024, 3)] = 9;
  const auto shown = link_labels(links_picture(tiles, load, "t"));
  EXPECT_EQ(shown.size(), static_cast<std::size_t>(tiles.graph.nodes()));
  EXPECT_EQ(shown.at(tiles.graph.link_name(1024, 3)), 9);
}

// A link leaves its node towards the neighbour, so the middle of its shape lies between the two.
TEST(LinksPicture, LaidOutLikeTheNetwork) {
  const Grid grid = Grid::mesh({2, 3});
  const XmlElement root = parse_xml(links_picture(network_of(grid), some_loads(grid), "t"));
  std::map<std::string, std::pair<int, int>> at;
  for (const XmlElement* use : root.all("use"))
    at[use->all("title")[0]->text] = {std::stoi(use->attributes.at("x")), std::stoi(use->attributes.at("y"))};
  const auto [x0, y0] = at.at("node_r00_c00");
  const auto [x1, y1] = at.at("node_r00_c01");
  const auto [x2, y2] = at.at("node_r01_c00");
  EXPECT_EQ(y0, y1);
  EXPECT_EQ(x0, x2);
  EXPECT_EQ(x1 - x0, y2 - y0);
  EXPECT_GT(x1, x0);
}

TEST(LinksPicture, NothingMovedAndNoLinks) {
  const Grid grid = Grid::mesh({2, 2}), single = Grid::mesh({1, 1});
  const std::string quiet = links_picture(network_of(grid), std::vector<std::int64_t>(16, 0), "t");
  EXPECT_THAT(quiet, testing::HasSubstr("no flit crossed a link"));
  EXPECT_EQ(link_labels(quiet).size(), 8u);
  EXPECT_EQ(link_labels(links_picture(network_of(single), std::vector<std::int64_t>(4, 0), "t")).size(), 0u);
}

// A tile of a large network names the busiest of its links; the file stays small.
TEST(LinksPicture, TilesOfLargeNetworks) {
  const Grid mesh = Grid::mesh({180, 180});
  auto load = some_loads(mesh);
  load[static_cast<std::size_t>(mesh.node_at({77, 123}) * 4 + 2)] = 999;
  const std::string svg = links_picture(network_of(mesh), load, "t");
  EXPECT_LT(svg.size(), 1'000'000u);
  const auto all = named(mesh, load);
  const auto shown = link_labels(svg);
  EXPECT_GT(shown.size(), 4000u);
  for (const auto& [name, value] : shown) EXPECT_EQ(value, all.at(name)) << name;
  EXPECT_EQ(shown.at("link_r077_c123_south"), 999);
  for (const Grid& grid :
       {Grid::mesh({1, 5000}), Grid::torus({8, 8, 8, 8}), Grid::torus(std::vector<std::int64_t>(13, 2))})
    EXPECT_LT(links_picture(network_of(grid), some_loads(grid), "t").size(), 1'500'000u);
}

// The bars hold every packet once, in the bar of its latency.
TEST(LatencyPicture, BarsCountPackets) {
  for (const std::int64_t spread : {1, 7, 48, 49, 1000, 123'456}) {
    std::vector<std::int64_t> latencies;
    for (std::int64_t i = 0; i < 500; ++i) latencies.push_back(17 + i * i % spread);
    std::int64_t counted = 0;
    Histogram histogram;
    for (const std::int64_t latency : latencies) histogram.add(latency);
    const auto bars = labels(latency_picture(histogram, "t"), "rect");
    EXPECT_LE(bars.size(), 49u);
    for (const std::string& bar : bars) {
      const std::int64_t from = std::stoll(bar);
      const std::size_t to_at = bar.find(" to ");
      const std::int64_t to = to_at == std::string::npos ? from : std::stoll(bar.substr(to_at + 4));
      const std::int64_t held = std::count_if(latencies.begin(), latencies.end(),
                                              [&](std::int64_t latency) { return latency >= from && latency <= to; });
      EXPECT_EQ(std::stoll(bar.substr(bar.find(": ") + 2)), held) << bar;
      counted += held;
    }
    EXPECT_EQ(counted, 500) << spread;
  }
}

TEST(LatencyPicture, NothingDelivered) {
  EXPECT_EQ(parse_xml(latency_picture({}, "t")).all("text").back()->text, "no packet was delivered");
}

TEST(GridLayout, PlanesSideBySide) {
  const Grid torus = Grid::torus({4, 3, 2, 2});
  const GridLayout layout(torus, 1);
  EXPECT_EQ(layout.size().x, 9);
  EXPECT_EQ(layout.size().y, 7);
  std::set<std::pair<int, int>> cells;
  for (NodeId node = 0; node < torus.nodes(); ++node) {
    const auto cell = layout.cell(node);
    ASSERT_TRUE(cell);
    EXPECT_LT(cell->x, 9);
    EXPECT_LT(cell->y, 7);
    cells.emplace(cell->x, cell->y);
  }
  EXPECT_EQ(cells.size(), 48u);
  EXPECT_EQ(layout.cell(torus.node_at({1, 2, 1, 1}))->x, 6);
  EXPECT_EQ(layout.cell(torus.node_at({1, 2, 1, 1}))->y, 6);
  EXPECT_TRUE(layout.in_plane(0));
  EXPECT_FALSE(layout.in_plane(4));
}

TEST(GridLayout, LongSidesAreShortened) {
  for (const Grid& grid : {Grid::mesh({180, 180}), Grid::mesh({3, 1000}), Grid::torus({20, 20, 20}),
                           Grid::torus(std::vector<std::int64_t>(12, 2))}) {
    const GridLayout layout(grid, 1, 256);
    EXPECT_TRUE(layout.shortened());
    std::set<std::pair<int, int>> cells;
    std::int64_t drawn = 0;
    for (NodeId node = 0; node < grid.nodes(); ++node)
      if (const auto cell = layout.cell(node)) {
        ++drawn;
        cells.emplace(cell->x, cell->y);
        EXPECT_LT(cell->x, layout.size().x);
        EXPECT_LT(cell->y, layout.size().y);
      }
    EXPECT_EQ(cells.size(), static_cast<std::size_t>(drawn));
    EXPECT_LE(drawn, 256);
    EXPECT_GE(drawn, 64);
  }
  EXPECT_FALSE(GridLayout(Grid::mesh({16, 16}), 1, 256).shortened());
}

TEST(LinkPen, RightHandSideOfTheWay) {
  const LinkPen pen(40, 6, 4);
  EXPECT_EQ(pen.path({1, 0}, {40, 0}, true), "M6 4l28 0l-4 4");
  EXPECT_EQ(pen.path({0, -1}, {0, -40}, true), "M4 -6l0 -28l4 4");
  // Around a torus: out at one side, in at the other.
  EXPECT_EQ(pen.path({1, 0}, {-120, 0}, true), "M6 4l14 0M-140 4l14 0l-4 4");
  EXPECT_EQ(pen.loose_end({-1, 0}), "M-6 -4l-14 0");
}

}  // namespace
}  // namespace starloom::links
