// SPDX-License-Identifier: Apache-2.0
// Pictures: well-formed, the same bytes for the same values, and the values in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include <starloom/layout/links/grid_layout.hpp>
#include <starloom/layout/links/placed_layout.hpp>
#include <starloom/pictures/latency_picture.hpp>
#include <starloom/pictures/links/collectives_picture.hpp>
#include <starloom/pictures/links/link_pen.hpp>
#include <starloom/pictures/links/links_picture.hpp>
#include <starloom/pictures/links/power_picture.hpp>
#include <starloom/pictures/svg.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/topology/butterfly.hpp>
#include <starloom/topology/concentrated_mesh.hpp>
#include <starloom/topology/dragonfly.hpp>
#include <starloom/topology/express_mesh.hpp>
#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/flattened_butterfly.hpp>
#include <starloom/topology/folded_clos.hpp>
#include <starloom/topology/hypercube.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/topology/ring.hpp>
#include "support/networks.hpp"
#include "support/xml.hpp"

namespace starloom::links {
namespace {

/// The texts shown when the mouse is over parts, without the picture's own title.
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

/// The colours of a style sheet, `.h1{color:#9ad941}`, of light paper or of dark.
std::vector<std::array<double, 3>> heat_colours(const std::string& svg, bool dark) {
  std::vector<std::array<double, 3>> colours;
  std::size_t from = dark ? svg.find("prefers-color-scheme:dark") : 0;
  for (int level = 1; level <= heat_levels; ++level) {
    const std::string name = ".h" + std::to_string(level) + "{color:#";
    from = svg.find(name, from) + name.size();
    std::array<double, 3> rgb{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double c = std::stoi(svg.substr(from + 2 * i, 2), nullptr, 16) / 255.0;
      rgb[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    colours.push_back(rgb);
  }
  return colours;
}

/// L* of CIE 1976.
double lightness(const std::array<double, 3>& rgb) {
  return 116 * std::cbrt(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]) - 16;
}

// Perceptually uniform: as many steps of lightness from level to level; whoever sees no colours sees the scale. More is
// farther from the paper.
TEST(Svg, HeatIsUniformWithoutColours) {
  const std::string svg = Svg("t").str(1, 1);
  for (const bool dark : {false, true}) {
    const auto colours = heat_colours(svg, dark);
    const double whole = lightness(colours.back()) - lightness(colours.front());
    EXPECT_GT(dark ? whole : -whole, 50);
    for (std::size_t i = 1; i < colours.size(); ++i)
      EXPECT_NEAR(lightness(colours[i]) - lightness(colours[i - 1]), whole / (heat_levels - 1), 1) << i;
  }
}

TEST(Svg, SharesHaveTheSameLevelsEverywhere) {
  EXPECT_EQ(share_level(0), 0);
  EXPECT_EQ(share_level(0.001), 1);
  EXPECT_EQ(share_level(0.02), 1);
  EXPECT_EQ(share_level(0.021), 2);
  EXPECT_EQ(share_level(0.25), 4);
  EXPECT_EQ(share_level(0.76), heat_levels);
  EXPECT_EQ(share_level(1), heat_levels);
  EXPECT_EQ(share_level(3), heat_levels);
  EXPECT_THAT(share_ranges(),
              testing::ElementsAre("0", "to 2 %", "to 5 %", "to 10 %", "to 25 %", "to 50 %", "to 75 %", "to 100 %"));
}

// Harpoons and tiles of grids and of other networks: every link of a cycle is marked, and the legend explains it.
TEST(LinksPicture, LinksOfACircleAreMarked) {
  std::vector<LinkNetwork> networks = {network_of(Grid::torus({4})), network_of(Grid::mesh({3, 3})),
                                       network_of(Grid::torus({3, 3, 3})), network_of(Grid::mesh({200, 200}))};
  for (const std::int32_t nodes : {5, 2500}) networks.push_back({"a ring", make_ring(Ring(nodes)), {}});
  for (const LinkNetwork& network : networks) {
    const NetworkGraph& graph = network.graph;
    const std::vector<std::int64_t> load(graph.link_slots(), 1);
    EXPECT_THAT(links_picture(network, {9, load}, "t"), testing::Not(testing::HasSubstr("deadlock")));
    Captions captions;
    std::vector<std::string> expected;
    for (const NodeId node : {0, 1}) {
      const Port port = graph.out_ports(node).lowest();
      captions.cycle[graph.index(node, port)] = node == 0 ? std::vector<PacketId>{7} : std::vector<PacketId>{8, 5};
      expected.push_back((node == 0 ? "packet 7 waits for " : "packets 8, 5 wait for ") + graph.link_name(node, port));
    }
    const std::string svg = links_picture(network, {9, load}, "t", captions);
    EXPECT_THAT(svg, testing::HasSubstr("waited for in the deadlock cycle"));
    std::vector<std::string> marked = labels(svg, "use");
    marked.erase(std::remove_if(marked.begin(), marked.end(),
                                [](const std::string& label) { return label.rfind("packet", 0) != 0; }),
                 marked.end());
    // A tile for a block of nodes shows one of them.
    if (network.title == "mesh 200 x 200") expected.resize(1);
    EXPECT_THAT(marked, testing::ElementsAreArray(expected)) << network.title;
  }
}

// A link that takes a flit every second step is full with half as many.
TEST(LinksPicture, ColoursAreSharesOfWhatALinkCarries) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b"}) builder.add_node(NodeRole::processor, name);
  builder.add_link(0, 1, {1, 1});
  builder.add_link(1, 0, {1, 2});
  const LinkNetwork network{"two", builder.build(), {}, "graph"};
  const std::string svg = links_picture(network, {80, {30, 30}}, "t");
  std::map<std::string, std::string> group_of;
  const XmlElement root = parse_xml(svg);
  for (const XmlElement* group : root.all("g"))
    for (const XmlElement* title : group->all("title")) group_of[title->text] = group->attributes.at("class");
  EXPECT_EQ(group_of.at(network.graph.link_name(0, 0) + " 30 flits, 37.5 %"), "link h5");
  EXPECT_EQ(group_of.at(network.graph.link_name(1, 0) + " 30 flits, 75 %"), "link h6");
  EXPECT_THAT(links_picture(network, {0, {1, 0}}, "t"), testing::HasSubstr(" 1 flit, 0 %"));
}

// Words in nodes, one below the other, and what crosses a link.
TEST(LinksPicture, ShowsCaptions) {
  const LinkNetwork& mesh = network_of(Grid::mesh({2, 2}));
  Captions captions;
  captions.node = {"vop_memory", "", "a_very-long name_of_a_task", "b"};
  captions.link.resize(mesh.graph.link_slots());
  captions.link[mesh.graph.index(0, 1)] = "a -> b, 31 flits, 3 %";
  for (const LinkNetwork& network : {mesh, LinkNetwork{"graph", mesh.graph, {}, "graph"}}) {
    const XmlElement root = parse_xml(links_picture(network, {100, some_loads(Grid::mesh({2, 2}))}, "t", captions));
    std::vector<std::string> words;
    for (const XmlElement* text : root.all("text"))
      if (text->attributes.at("class") == "text mid small") words.push_back(text->text);
    EXPECT_THAT(words, testing::ElementsAre("vop", "memory", "a", "very", "long", "b"));
    std::vector<std::string> titles;
    for (const XmlElement* title : root.all("title")) titles.push_back(title->text);
    EXPECT_THAT(titles, testing::Contains("node_r00_c00, vop_memory"));
    EXPECT_THAT(titles, testing::Contains("node_r00_c01"));
    EXPECT_THAT(titles, testing::Contains(testing::EndsWith(" %: a -> b, 31 flits, 3 %")));
  }
}

TEST(GridLayout, SaysWhichNumberIsRows) {
  EXPECT_EQ(rows_text(Grid::mesh({4, 8})), "4 rows, 8 columns");
  EXPECT_EQ(rows_text(Grid::torus({4, 8})), "4 columns, 8 rows (a torus is [x, y], a mesh [rows, columns])");
  EXPECT_EQ(rows_text(Grid::mesh({4})), "");
  EXPECT_EQ(rows_text(Grid::torus({4, 2, 3})), "");
}

// A small mesh fills its picture, except for the margins.
TEST(LinksPicture, SmallNetworksFillTheCanvas) {
  for (const auto& [rows, columns] : {std::pair{2, 2}, {4, 4}, {3, 5}, {8, 8}, {16, 16}}) {
    const Grid grid = Grid::mesh({rows, columns});
    const XmlElement root = parse_xml(links_picture(network_of(grid), {100, some_loads(grid)}, "t"));
    int last = 0, first = 1 << 20;
    for (const XmlElement* use : root.all("use")) {
      last = std::max(last, std::stoi(use->attributes.at("x")));
      first = std::min(first, std::stoi(use->attributes.at("x")));
    }
    const int width = std::stoi(root.attributes.at("width"));
    EXPECT_GT((last - first) * columns, (width - 100) * (columns - 1) * 8 / 10) << rows << " x " << columns;
  }
}

TEST(LinksPicture, EveryLinkOfAPlaneWithItsLoad) {
  for (const Grid& grid : {Grid::mesh({5, 7}), Grid::torus({4, 3}), Grid::torus({2, 2}), Grid::mesh({9}),
                           Grid::torus({6}), Grid::torus({1, 4})}) {
    const auto load = some_loads(grid);
    EXPECT_EQ(link_labels(links_picture(network_of(grid), {100, load}, "t")), named(grid, load))
        << grid.kind_name() << grid.nodes();
    EXPECT_EQ(links_picture(network_of(grid), {100, load}, "t"), links_picture(network_of(grid), {100, load}, "t"));
  }
}

TEST(LinksPicture, EveryLinkOfMoreDimensionsWithItsLoad) {
  for (const Grid& grid : {Grid::torus({4, 3, 5}), Grid::mesh({3, 2, 2, 3})}) {
    const auto load = some_loads(grid);
    EXPECT_EQ(link_labels(links_picture(network_of(grid), {100, load}, "t")), named(grid, load));
  }
}

TEST(LinksPicture, EveryLinkOfOtherShapesWithItsLoad) {
  const ExpressMesh express(4, 7, 3);
  const FatTree tree(3, 3), large(4, 5);
  for (const LinkNetwork& network : {LinkNetwork{"express mesh", make_express_mesh(express), express, "express-mesh"},
                                     LinkNetwork{"fat tree", make_fat_tree(tree), tree, "fat-tree"}}) {
    const NetworkGraph& graph = network.graph;
    std::vector<std::int64_t> load(graph.link_slots(), 0);
    std::map<std::string, std::int64_t> named;
    for (NodeId node = 0; node < graph.nodes(); ++node)
      for (const Port port : graph.out_ports(node)) {
        load[graph.index(node, port)] = (node * 7 + port * 3) % 50;
        named[graph.link_name(node, port)] = load[graph.index(node, port)];
      }
    EXPECT_EQ(link_labels(links_picture(network, {100, load}, "t")), named) << network.title;
  }
  // A tile for each node, with the busiest link that leaves it.
  const LinkNetwork tiles{"fat tree", make_fat_tree(large), large, "fat-tree"};
  std::vector<std::int64_t> load(tiles.graph.link_slots(), 1);
  load[tiles.graph.index(1024, 3)] = 9;
  const auto shown = link_labels(links_picture(tiles, {100, load}, "t"));
  EXPECT_EQ(shown.size(), static_cast<std::size_t>(tiles.graph.nodes()));
  EXPECT_EQ(shown.at(tiles.graph.link_name(1024, 3)), 9);
}

TEST(LinksPicture, EveryLinkOfEveryFamilyWithItsLoad) {
  for (const NetworkGraph& graph :
       {make_ring(Ring(9)), make_hypercube(Hypercube(5)), make_butterfly(Butterfly(3, 2)),
        make_concentrated_mesh(ConcentratedMesh({3, 3}, 3)), make_flattened_butterfly(FlattenedButterfly({3, 4}, 2)),
        make_dragonfly(Dragonfly(5, 2, 2))}) {
    std::vector<std::int64_t> load(graph.link_slots());
    for (std::size_t link = 0; link < load.size(); ++link) load[link] = static_cast<std::int64_t>(link % 11);
    const auto drawn = link_labels(links_picture({"a network", graph, {}}, {100, load}, "loads"));
    EXPECT_EQ(static_cast<std::int64_t>(drawn.size()), graph.links());
    for (NodeId node = 0; node < graph.nodes(); ++node)
      for (const Port port : graph.out_ports(node)) {
        EXPECT_EQ(drawn.at(graph.link_name(node, port)), load[graph.index(node, port)]);
      }
  }
}

// A link leaves its node towards the neighbour, so the middle of its shape is between the two.
TEST(LinksPicture, LaidOutLikeTheNetwork) {
  const Grid grid = Grid::mesh({2, 3});
  const XmlElement root = parse_xml(links_picture(network_of(grid), {100, some_loads(grid)}, "t"));
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
  const std::string quiet = links_picture(network_of(grid), {100, std::vector<std::int64_t>(16, 0)}, "t");
  EXPECT_THAT(quiet, testing::HasSubstr("no flit crossed a link"));
  EXPECT_EQ(link_labels(quiet).size(), 8u);
  EXPECT_EQ(link_labels(links_picture(network_of(single), {100, std::vector<std::int64_t>(4, 0)}, "t")).size(), 0u);
}

// A tile of a large network names the busiest of its links; the file stays small.
TEST(LinksPicture, TilesOfLargeNetworks) {
  const Grid mesh = Grid::mesh({180, 180});
  auto load = some_loads(mesh);
  load[static_cast<std::size_t>(mesh.node_at({77, 123}) * 4 + 2)] = 999;
  const std::string svg = links_picture(network_of(mesh), {100, load}, "t");
  EXPECT_LT(svg.size(), 1'000'000u);
  const auto all = named(mesh, load);
  const auto shown = link_labels(svg);
  EXPECT_GT(shown.size(), 4000u);
  for (const auto& [name, value] : shown) EXPECT_EQ(value, all.at(name)) << name;
  EXPECT_EQ(shown.at("link_r077_c123_south"), 999);
  for (const Grid& grid :
       {Grid::mesh({1, 5000}), Grid::torus({8, 8, 8, 8}), Grid::torus(std::vector<std::int64_t>(13, 2))})
    EXPECT_LT(links_picture(network_of(grid), {100, some_loads(grid)}, "t").size(), 1'500'000u);
}

/// Routers of 2, 2.5, 3 .. mW, and links of 0.01, 0.02 .. mW. \param terminals have no router
PowerUse some_powers(const NetworkGraph& graph, bool terminals = false) {
  PowerUse power{500, {}, std::vector<double>(graph.link_slots(), 0)};
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    power.routers.push_back(terminals && graph.is_terminal(node) ? std::nullopt : std::optional(2 + node / 2.0));
    for (const Port port : graph.out_ports(node))
      power.links[graph.index(node, port)] = static_cast<double>(graph.index(node, port) + 1) / 100;
  }
  return power;
}

/// Labels of parts that have a power.
std::vector<std::string> with_power(const std::string& svg) {
  std::vector<std::string> texts;
  for (const std::string& text : labels(svg, "use"))
    if (text.find(" mW") != std::string::npos) texts.push_back(text);
  return texts;
}

TEST(PowerPicture, HasEveryRouterAndLink) {
  const auto expect = [](const LinkNetwork& network, bool terminals) {
    const NetworkGraph& graph = network.graph;
    const PowerUse power = some_powers(graph, terminals);
    std::vector<std::string> expected;
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      if (const auto& router = power.routers[static_cast<std::size_t>(node)])
        expected.push_back(graph.node_name(node) + ' ' + decimal(*router) + " mW");
      for (const Port port : graph.out_ports(node))
        expected.push_back(graph.link_name(node, port) + ' ' + decimal(power.links[graph.index(node, port)]) + " mW");
    }
    EXPECT_THAT(with_power(power_picture(network, power, "t")), testing::UnorderedElementsAreArray(expected))
        << network.title;
  };
  expect(network_of(Grid::mesh({3, 4})), false);
  expect(network_of(Grid::torus({3, 2, 4})), false);
  const FatTree tree(3, 2);
  expect({"fat tree", make_fat_tree(tree), tree, "fat-tree"}, false);
  expect({"fat tree without routers at its leaves", make_fat_tree(tree), tree, "fat-tree"}, true);
}

TEST(PowerPicture, RoutersAndLinksHaveAScaleEach) {
  const LinkNetwork network = network_of(Grid::mesh({1, 3}));
  PowerUse power = some_powers(network.graph);
  power.routers = {7.0, 1.01, 0.0};
  power.links[network.graph.index(0, 1)] = 0.7;
  power.links[network.graph.index(1, 1)] = 0.35;
  std::map<std::string, std::string> level;
  const XmlElement root = parse_xml(power_picture(network, power, "t"));
  for (const XmlElement* group : root.all("g"))
    for (const XmlElement* use : group->all("use")) {
      const std::string name = use->all("title")[0]->text;
      level[name.substr(0, name.find(' '))] =
          (use->attributes.count("class") > 0 ? use : group)->attributes.at("class");
    }
  EXPECT_EQ(level.at("node_r00_c00"), "hot h7");
  EXPECT_EQ(level.at("node_r00_c01"), "hot h2");
  EXPECT_EQ(level.at("node_r00_c02"), "hot h0");
  EXPECT_EQ(level.at("link_r00_c00_east"), "link h7");
  EXPECT_EQ(level.at("link_r00_c01_east"), "link h4");
  std::vector<std::string> texts;
  for (const XmlElement* text : root.all("text")) texts.push_back(text->text);
  EXPECT_THAT(texts,
              testing::ElementsAre("t", "mean power 500 mW; hottest: node_r00_c00 7 mW, link_r00_c00_east 0.7 mW",
                                   "routers", "0", "to 1", "to 2", "to 3", "to 4", "to 5", "to 6", "to 7 mW", "links",
                                   "0", "to 0.1", "to 0.2", "to 0.3", "to 0.4", "to 0.5", "to 0.6", "to 0.7 mW"));
}

TEST(PowerPicture, ANodeAloneHasNoScaleOfLinks) {
  const LinkNetwork network = network_of(Grid::mesh({1, 1}));
  EXPECT_THAT(labels(power_picture(network, some_powers(network.graph), "t"), "use"),
              testing::ElementsAre("node_r00_c00 2 mW"));
}

TEST(PowerPicture, TilesOfLargeNetworksShowTheHottest) {
  const LinkNetwork mesh = network_of(Grid::mesh({180, 180}));
  PowerUse power = some_powers(mesh.graph);
  power.routers[180 * 77 + 123] = 1e6;
  const std::string svg = power_picture(mesh, power, "t");
  EXPECT_LT(svg.size(), 1'000'000u);
  EXPECT_THAT(svg, testing::HasSubstr("each tile: the hottest of "));
  EXPECT_THAT(with_power(svg), testing::Contains("node_r077_c123 1000000 mW"));

  const FatTree tree(4, 5);
  const LinkNetwork tiles{"fat tree", make_fat_tree(tree), tree, "fat-tree"};
  const std::vector<std::string> shown = with_power(power_picture(tiles, some_powers(tiles.graph, true), "t"));
  EXPECT_EQ(shown.size(), static_cast<std::size_t>(tiles.graph.nodes()));
  std::ptrdiff_t links = 0;
  for (NodeId node = 0; node < tiles.graph.nodes(); ++node) links += tiles.graph.is_terminal(node) ? 1 : 0;
  EXPECT_EQ(std::count_if(shown.begin(), shown.end(), [](const auto& text) { return text.rfind("link_", 0) == 0; }),
            links);
}

// The bars hold every packet once, in the bar of its latency.
TEST(LatencyPicture, BarsCountPackets) {
  for (const std::int64_t spread : {1, 7, 48, 49, 1000, 123'456}) {
    std::vector<std::int64_t> latencies;
    for (std::int64_t i = 0; i < 500; ++i) latencies.push_back(17 + i * i % spread);
    std::int64_t counted = 0;
    Histogram histogram;
    for (const std::int64_t latency : latencies) histogram.add(latency);
    const auto bars = labels(latency_picture(histogram, 0, "t"), "rect");
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

// The axis ends where the last bar does, and the bars fill it.
TEST(LatencyPicture, AxesEndWithTheirData) {
  for (const std::int64_t spread : {1, 3, 31, 48, 97}) {
    Histogram latencies;
    for (std::int64_t i = 0; i < 500; ++i) latencies.add(20 + i % spread);
    const XmlElement root = parse_xml(latency_picture(latencies, 0, "t"));
    int end = 0;
    for (const XmlElement* bar : root.all("rect"))
      if (bar->attributes.count("x") != 0)
        end = std::max(end, std::stoi(bar->attributes.at("x")) + std::stoi(bar->attributes.at("width")));
    bool found = false;
    for (const XmlElement* path : root.all("path")) {
      const std::string d = path->attributes.at("d");
      const std::size_t across = d.find('H');
      if (across == std::string::npos) continue;
      found = true;
      EXPECT_NEAR(std::stoi(d.substr(across + 1)), end, 1) << spread;
      EXPECT_TRUE(end == 689 || spread < 6) << spread;
    }
    EXPECT_TRUE(found);
  }
}

TEST(LatencyPicture, SaysWhatIsMissing) {
  Histogram latencies;
  for (const std::int64_t latency : {3, 4}) latencies.add(latency);
  EXPECT_THAT(latency_picture(latencies, 7, "t"),
              testing::HasSubstr("2 packets, latency mean 3.50, max 4 steps; 7 more not delivered<"));
  EXPECT_THAT(latency_picture(latencies, 0, "t"), testing::HasSubstr("max 4 steps<"));
}

TEST(LatencyPicture, NothingDelivered) {
  EXPECT_EQ(parse_xml(latency_picture({}, 3, "t")).all("text").back()->text, "no packet was delivered");
}

TEST(CollectivesPicture, HasABarForEachOperationOfARank) {
  const std::vector<OperationBar> bars = {{0, "wait", 0, true, 0, 100},           {0, "sum", 0, false, 100, 400},
                                          {0, "work", 1, true, 150, 250},         {1, "sum", 0, false, 100, no_step},
                                          {1, "sum", 1, false, no_step, no_step}, {1, "none", 0, true, 5, 5}};
  const XmlElement root = parse_xml(collectives_picture(bars, 2, 427, "t"));
  std::map<std::string, std::vector<int>> found;  // class, x, y
  for (const XmlElement* rect : root.all("rect"))
    for (const XmlElement* title : rect->all("title"))
      found[rect->attributes.at("class") + " " + title->text] = {std::stoi(rect->attributes.at("x")),
                                                                 std::stoi(rect->attributes.at("y"))};
  // 854 pixels are 427 steps; computations at the same time are below the collective.
  const std::map<std::string, std::vector<int>> expected = {
      {"c wait[0], rank 0: steps 0 to 100", {76, 94}},
      {"n0 sum[0], rank 0: steps 100 to 400", {276, 94}},
      {"c work[1], rank 0: steps 150 to 250", {376, 108}},
      {"n0 open sum[0], rank 1: from step 100 on, not finished", {276, 127}}};
  EXPECT_EQ(found, expected);
}

TEST(CollectivesPicture, IsSmallForLargePrograms) {
  std::vector<OperationBar> bars;
  for (std::int32_t rank = 0; rank < 1000; ++rank)
    for (std::int64_t instance = 0; instance < 200; ++instance)
      bars.push_back({rank, instance % 2 == 0 ? "work" : "sum", instance / 2, instance % 2 == 0, instance * 50,
                      instance * 50 + 40});
  const std::string picture = collectives_picture(bars, 1000, 10'000, "t");
  EXPECT_LT(picture.size(), 1'000'000U);
  EXPECT_THAT(picture, testing::HasSubstr("the operations of 1000 ranks, steps 0 to 10000; every 4th rank is shown"));
  // Rank 0: 854 pixels are 10,000 steps, each operation takes 40 of 50.
  std::vector<std::string> names;
  const XmlElement root = parse_xml(picture);
  for (const XmlElement* path : root.all("path")) {
    if (path->all("title").empty()) continue;
    names.push_back(path->all("title").front()->text);
    int pixels = 0;
    const std::string& d = path->attributes.at("d");
    for (std::size_t at = d.find(" 94h"); at != std::string::npos; at = d.find(" 94h", at + 1))
      pixels += std::stoi(d.substr(at + 4));
    EXPECT_NEAR(pixels, 854 * 0.4, 20);
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("work", "sum"));
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

// All links between two nodes are seen: side by side, on the right-hand side, with their buffers.
TEST(PlacedLayout, ParallelLinksAreSideBySide) {
  constexpr int border = 24, beside = 12;
  for (const std::int64_t cables : {1, 2, 3, 8}) {
    const NetworkGraph graph = make_folded_clos(FoldedClos({1, 2, 2, 0, 2, cables}));
    const PlacedLayout layout(graph, 100, border, beside);
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      std::set<std::string> paths;
      std::set<std::pair<int, int>> buffers;
      for (const Port port : graph.out_ports(node)) {
        const std::string path = layout.path(node, port);
        ASSERT_TRUE(paths.insert(path).second) << cables << " " << node << " " << port;
        const PaperPoint leaves = layout.beside_link(node, port, true, 4),
                         enters = layout.beside_link(node, port, false, 4);
        buffers.insert({leaves.x, leaves.y});
        buffers.insert({enters.x, enters.y});
        // The distance of its beginning from the line between the centres.
        const PaperPoint here = layout.centre(node), there = layout.centre(graph.far_end(node, port).node);
        const double dx = there.x - here.x, dy = there.y - here.y, length = std::hypot(dx, dy);
        double x = 0, y = 0;
        ASSERT_EQ(std::sscanf(path.c_str(), "M%lf %lfL", &x, &y), 2) << path;
        const double aside = (dx * y - dy * x) / length;
        EXPECT_GT(aside, 0) << path;
        EXPECT_LT(aside, border) << path;
        if (cables == 1) {
          EXPECT_NEAR(aside, beside, 1) << path;
        }
      }
      EXPECT_EQ(buffers.size(), 2 * paths.size()) << cables << " " << node;
    }
  }
}

}  // namespace
}  // namespace starloom::links
