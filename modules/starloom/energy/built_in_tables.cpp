// SPDX-License-Identifier: Apache-2.0
/// Fitted to DSENT 0.91 (C. Sun et al., "DSENT - A Tool Connecting Emerging Photonics with Electronics for
/// Opto-Electronic Networks-on-Chip Modeling", NOCS 2012; MIT licence): bulk LVT at 45, 32 and 22 nm, tri-gate LVT at
/// 11 nm. Errors of the fit, and where the areas and the channel allocator come from: docs/energy.md.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <starloom/energy/table.hpp>

namespace starloom::energy {
namespace {

constexpr std::size_t node_count = 4;
constexpr std::array<int, node_count> nodes_nm = {45, 32, 22, 11};
constexpr std::array<double, node_count> volts = {1.0, 0.9, 0.8, 0.6};
constexpr double kelvin = 340;
/// By which areas of 45 nm are multiplied, where they are given for that node alone.
constexpr std::array<double, node_count> shrinking = {1, 0.55, 0.24, 0.1};

/// A product, and its coefficients in the four nodes.
struct Row {
  const char* product;
  std::array<double, node_count> coefficients;
};
using Rows = std::vector<Row>;
/// The same for 45 nm alone.
using AreaRows = std::vector<std::pair<const char*, double>>;

const std::vector<std::pair<const char*, Rows>> energies = {
    {"buffer_write",
     {{"W", {13.12, 7.208, 3.528, 1.07}},
      {"W*N", {1.733, .9156, .438, .136}},
      {"W*up(N)", {-.2419, -.08926, -.05022, -.01242}},
      {"N", {2.75, 1.195, .7306, .125}},
      {"1", {.4181, 2.652, -.4298, .701}}}},
    {"buffer_read",
     {{"W", {4.924, 2.772, 1.361, .4266}},
      {"W*N", {1.427, .7822, .3471, .1037}},
      {"W*lg(N)", {.7985, .423, .203, .05974}},
      {"W*P", {.1539, .08113, .03575, .008955}},
      {"N", {1.949, .9227, .7502, .2113}},
      {"lg(N)", {25.02, 15.43, 6.019, 1.872}},
      {"1", {-29.74, -19.02, -7.376, -2.151}}}},
    {"crossbar",
     {{"W", {2.613, 1.474, .8149, .2674}},
      {"W*P", {2.574, 1.418, .6254, .1874}},
      {"W*up(P)", {.132, .06564, .0305, .009189}},
      {"1", {16.69, 10.01, 4.827, 1.399}}}},
    {"clock",
     {{"1", {115.5, 65.62, 29.19, 7.772}},
      {"W*P", {1.152, .6468, .3821, .121}},
      {"W*N*P", {.0008793, .0003429, .0001194, 5.828e-07}},
      {"sqrt(W*N*P)", {.599, .371, .2, .07846}}}},
    {"register", {{"W", {5.994, 3.318, 1.627, .5076}}}},
    {"link", {{"W", {1.137, .62, .27, .0733}}, {"W*L", {39.22, 31.78, 23.31, 13.12}}}}};

const std::vector<std::pair<const char*, Rows>> leakages = {
    {"buffer",
     {{"W", {2.411, 2.148, 1.834, .5549}},
      {"W*N", {2.258, 1.933, 1.673, .4962}},
      {"N", {2.59, 2.244, 1.908, .5613}},
      {"W*lg(N)", {.566, .4413, .3242, .109}},
      {"1", {2.823, .6455, .3881, .2399}}}},
    {"crossbar",
     {{"W*P", {.9799, .8623, .7233, .2238}},
      {"W*P^2", {.6495, .5437, .4823, .1381}},
      {"P", {1.709, 1.331, .9857, .3364}},
      {"1", {-2.814, -1.989, -1.501, -.5511}}}},
    {"clock", {{"1", {11.42, 9.097, 6.595, 2.171}}, {"W*P", {.0163, .01026, .00705, .003692}}}},
    {"switch_allocator",
     {{"P*V", {-2.188, -1.853, -1.375, -.4818}},
      {"P*V^2", {2.462, 2.075, 1.571, .5362}},
      {"P^2", {-2.274, -1.933, -1.496, -.4996}},
      {"P^3", {2.466, 2.08, 1.583, .5374}},
      {"V", {-.00852, .001798, .02027, .005043}},
      {"1", {-.9494, -.7166, -.3574, -.1791}}}},
    {"channel_allocator", {{"P^2*V^2", {10.11, 8.519, 6.452, 2.202}}}},
    {"register", {{"W", {1.628, 1.406, 1.206, .3618}}}},
    {"link", {{"W*L", {.433, .341, .241, .0851}}}}};

const std::vector<std::pair<const char*, AreaRows>> areas = {
    {"buffer", {{"W", 7.454}, {"W*N", 7.677}, {"N", 9.32}, {"W*lg(N)", 1.847}, {"1", 8.167}}},
    {"clock", {{"1", 41.01}, {"W*P", .02646}}},
    {"switch_allocator",
     {{"P*V", -6.258}, {"P*V^2", 7.501}, {"P^2", -6.065}, {"P^3", 7.521}, {"V", 5.396}, {"1", 6.282}}},
    {"channel_allocator", {{"P^2*V^2", 30.8}}},
    {"register", {{"W", 5.28}}}};
// The area of a crossbar is the greater one of its cells and its wires, and more cells.
const AreaRows crossbar_cells = {{"W*P", -2.374}, {"W*P^2", 2.454}, {"P", 6.272}, {"1", -16.28}};
const Rows crossbar_wires = {{"W^2*P^2", {.0484, .0484, .0121, .0064}}};
const AreaRows more_crossbar_cells = {{"W*P", 5.28}};
const Rows link_area = {{"W*L", {1.41, .775, .338, .141}}};

/// Energies in fJ by the number of requesters.
const std::vector<std::pair<int, std::array<double, node_count>>> arbiters = {{1, {0, 0, 0, 0}},
                                                                              {2, {13.84, 7.615, 3.497, 1.056}},
                                                                              {3, {41.27, 22.71, 10.43, 3.146}},
                                                                              {4, {81.5, 44.85, 20.62, 6.221}},
                                                                              {5, {133.3, 73.38, 33.78, 10.2}},
                                                                              {6, {195.9, 107.8, 49.68, 15.01}},
                                                                              {7, {266.8, 146.9, 67.76, 20.49}},
                                                                              {8, {341.1, 187.8, 86.82, 26.27}},
                                                                              {9, {415.1, 228.6, 105.9, 32.06}},
                                                                              {10, {484.8, 267, 124, 37.56}},
                                                                              {12, {608.3, 335.2, 156.8, 47.51}},
                                                                              {16, {835, 460.5, 218.6, 66.33}},
                                                                              {20, {1138, 627.8, 300.8, 91.36}},
                                                                              {24, {1561, 861.5, 414.4, 125.9}},
                                                                              {32, {2726, 1505, 725.4, 220.4}},
                                                                              {40, {4277, 2361, 1138, 345.9}},
                                                                              {64, {11040, 6097, 2940, 893.2}}};

Sum sum_of(const Rows& rows, std::size_t node) {
  Sum sum;
  for (const Row& row : rows) sum.emplace_back(Product(row.product), row.coefficients[node]);
  return sum;
}

/// Rounded to four significant digits.
double to_four_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3e", value);
  return std::strtod(text, nullptr);
}

Sum shrunk(const AreaRows& rows, std::size_t node) {
  Sum sum;
  for (const auto& [product, coefficient] : rows)
    sum.emplace_back(Product(product), node == 0 ? coefficient : to_four_digits(coefficient * shrinking[node]));
  return sum;
}

}  // namespace

const std::vector<std::string>& built_in_tables() {
  static const std::vector<std::string> names = {"dsent-45", "dsent-32", "dsent-22", "dsent-11"};
  return names;
}

Table built_in_table(const std::string& name) {
  const auto& names = built_in_tables();
  const auto node = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  Table table{name, "fitted to DSENT 0.91"};
  table.node_nm = nodes_nm[node];
  table.vdd = volts[node];
  table.temperature_k = kelvin;
  table.ranges = {{'W', {16, 256}}, {'N', {2, 128}}, {'P', {3, 10}}, {'V', {1, 8}}};
  for (const auto& [component, rows] : energies)
    table.energy.components.emplace(component, Entry{Formula(sum_of(rows, node))});
  Points points;
  for (const auto& [requesters, values] : arbiters) points.emplace_back(requesters, values[node]);
  table.energy.components.emplace("arbiter", Entry{Formula(points)});
  for (const auto& [component, rows] : leakages)
    table.leakage.components.emplace(component, Entry{Formula(sum_of(rows, node))});
  for (const auto& [component, rows] : areas)
    table.area.components.emplace(component, Entry{Formula(shrunk(rows, node))});
  table.area.components.emplace("crossbar", Entry{Formula({shrunk(crossbar_cells, node), sum_of(crossbar_wires, node)},
                                                          shrunk(more_crossbar_cells, node))});
  table.area.components.emplace("link", Entry{Formula(sum_of(link_area, node))});
  return table;
}

}  // namespace starloom::energy
