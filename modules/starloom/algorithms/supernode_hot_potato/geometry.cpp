// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/supernode_hot_potato/geometry.hpp>

#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

using namespace compass;

[[noreturn]] void contradiction(const std::string& what) { throw std::logic_error("geometry of a supernode: " + what); }

}  // namespace

SupernodeGeometry::SupernodeGeometry(const SupernodeSize& size, std::int32_t delay)
    : size_(size),
      buffer_of_(static_cast<std::size_t>(size.cells()), no_port),
      role_(buffer_of_.size(), SupernodeRole::storage),
      next_(4 * buffer_of_.size(), no_port),
      ring_position_(next_.size()),
      starting_slot_(buffer_of_.size(), -1),
      access_(buffer_of_.size()) {
  place_buffers();
  find_roles();
  const std::vector<Cell> base = left_base_cycle();
  base_cycle_ = static_cast<std::int32_t>(base.size());
  rings_[left_ring] = folded(base, delay);
  for (const Cell cell : rings_[left_ring]) rings_[right_ring].push_back(turned(cell));
  fill_tables();
  find_accesses();
  find_starts();
  check();
}

Cell SupernodeGeometry::neighbour(Cell cell, Port port) const {
  const std::int32_t r = row(cell), c = column(cell), last = size_.last();
  switch (port) {
    case north: return r > 0 ? cell - size_.side() : -1;
    case south: return r < last ? cell + size_.side() : -1;
    case east: return c < last ? cell + 1 : -1;
    case west: return c > 0 ? cell - 1 : -1;
    default: return -1;
  }
}

Port SupernodeGeometry::port_between(Cell from, Cell to) const {
  for (Port port = 0; port < 4; ++port)
    if (neighbour(from, port) == to) return port;
  contradiction("cells " + std::to_string(from) + " and " + std::to_string(to) + " are not neighbours");
}

Port SupernodeGeometry::ring_out(Ring ring, std::int32_t position) const {
  const auto& cells = rings_[ring];
  const auto p = static_cast<std::size_t>(position);
  return port_between(cells[p], cells[(p + 1) % cells.size()]);
}

Port SupernodeGeometry::ring_in(Ring ring, std::int32_t position) const {
  const auto& cells = rings_[ring];
  const auto p = static_cast<std::size_t>(position);
  return port_between(cells[p], cells[(p + cells.size() - 1) % cells.size()]);
}

/// A buffer begins beside a command processor, leads away from it along its first row, back and forth through the
/// other rows except their first cells, and back along those.
void SupernodeGeometry::place_buffers() {
  struct Plan {
    Port sends;
    int down, right;  ///< from the centre to the corner
    Port to_command, to_beside, to_neighbour;
  };
  constexpr Plan plans[] = {{north, -1, 1, west, south, west},
                            {east, 1, 1, west, north, north},
                            {south, 1, -1, east, north, east},
                            {west, -1, -1, east, south, south}};
  const std::int32_t h = size_.h(), s = size_.s;
  for (const Plan& plan : plans) {
    SupernodeBuffer& buffer = buffers_[static_cast<std::size_t>(plan.sends)];
    buffer.to_command = plan.to_command;
    buffer.to_beside = plan.to_beside;
    buffer.to_neighbour = plan.to_neighbour;
    const auto add = [&](std::int32_t i, std::int32_t j) {
      buffer.cells.push_back(cell(h + plan.down * (1 + i), h + plan.right * (1 + j)));
    };
    for (std::int32_t j = 0; j < s; ++j) add(0, j);
    for (std::int32_t i = 1; i < s; ++i)
      for (std::int32_t j = 1; j < s; ++j) add(i, i % 2 == 1 ? s - j : j);
    for (std::int32_t i = s - 1; i > 0; --i) add(i, 0);
    for (const Cell cell : buffer.cells) buffer_of_[static_cast<std::size_t>(cell)] = plan.sends;
  }
}

void SupernodeGeometry::find_roles() {
  const std::int32_t h = size_.h(), last = size_.last();
  for (Cell at = 0; at < size_.cells(); ++at) {
    SupernodeRole& role = role_[static_cast<std::size_t>(at)];
    if (buffer_of(at) != no_port) role = SupernodeRole::buffer;
    if (row(at) == h || column(at) == h) role = SupernodeRole::lane;
  }
  const auto set = [this](std::int32_t r, std::int32_t c, SupernodeRole role) {
    role_[static_cast<std::size_t>(cell(r, c))] = role;
  };
  set(1, h, SupernodeRole::gate);
  set(last - 1, h, SupernodeRole::gate);
  set(h - 1, h, SupernodeRole::command);
  set(h + 1, h, SupernodeRole::command);
  set(h, h, SupernodeRole::centre);
  set(h, h - 1, SupernodeRole::beside);
  set(h, h + 1, SupernodeRole::beside);
  for (const SupernodeBuffer& buffer : buffers_)
    role_[static_cast<std::size_t>(buffer.cells.front())] = SupernodeRole::head;
}

/// Up the vertical lane, back and forth through the upper left quadrant around its buffer, over the horizontal lane,
/// and through the lower left quadrant symmetrically.
std::vector<Cell> SupernodeGeometry::left_base_cycle() const {
  const std::int32_t h = size_.h(), last = size_.last();
  std::vector<Cell> cycle, quadrant;
  for (std::int32_t r = last - 1; r >= 1; --r) cycle.push_back(cell(r, h));
  for (std::int32_t c = h - 1; c >= 0; --c) {
    const std::int32_t first = (h - 1 - c) % 2 == 0 ? 1 : 0;
    quadrant.push_back(cell(first, c));
    quadrant.push_back(cell(1 - first, c));
  }
  for (std::int32_t r = 2; r < h; ++r) {
    const std::int32_t width = r < h - size_.s ? h : h - size_.s;
    for (std::int32_t c = 0; c < width; ++c) quadrant.push_back(cell(r, r % 2 == 0 ? c : width - 1 - c));
  }
  cycle.insert(cycle.end(), quadrant.begin(), quadrant.end());
  cycle.push_back(cell(h, 0));
  for (auto at = quadrant.rbegin(); at != quadrant.rend(); ++at) cycle.push_back(cell(last - row(*at), column(*at)));
  return cycle;
}

bool SupernodeGeometry::is_storage(Cell cell) const { return role(cell) == SupernodeRole::storage; }

/// A fold leads from a cell to one beside it and back: two steps more, over unused links.
std::vector<Cell> SupernodeGeometry::folded(const std::vector<Cell>& base, std::int32_t delay) const {
  const auto edge = [](Cell a, Cell b) { return std::pair<Cell, Cell>(std::minmax(a, b)); };
  std::set<std::pair<Cell, Cell>> taken;
  for (std::size_t i = 0; i < base.size(); ++i) taken.insert(edge(base[i], base[(i + 1) % base.size()]));
  const auto in_left_half = [this](Cell at) { return column(at) < size_.h(); };
  std::vector<Cell> ring;
  std::int32_t folds = delay / 2;
  for (const Cell at : base) {
    ring.push_back(at);
    if (folds == 0 || !is_storage(at)) continue;
    for (const Port port : {north, east, south, west}) {
      const Cell beside = neighbour(at, port);
      if (beside < 0 || !is_storage(beside) || !in_left_half(beside) || !taken.insert(edge(at, beside)).second)
        continue;
      ring.push_back(beside);
      ring.push_back(at);
      --folds;
      break;
    }
  }
  if (folds > 0)
    throw InputError("f = " + std::to_string(size_.f) + " and k = " + std::to_string(size_.k) +
                     ": a storage ring has " + std::to_string(folds) +
                     " slots too few for its folds; choose a greater f");
  return ring;
}

void SupernodeGeometry::pass_on(Cell cell, Port in, Port out) {
  Port& entry = next_[link(cell, in)];
  if (entry != no_port) contradiction("two paths lead into cell " + std::to_string(cell) + " over one link");
  entry = out;
}

void SupernodeGeometry::fill_tables() {
  for (const Ring ring : {left_ring, right_ring})
    for (std::int32_t p = 0; p < rotation(); ++p) {
      const Cell at = rings_[ring][static_cast<std::size_t>(p)];
      const Port in = ring_in(ring, p);
      pass_on(at, in, ring_out(ring, p));
      ring_position_[link(at, in)] = {ring, p};
    }
  for (const SupernodeBuffer& buffer : buffers_)
    for (std::size_t i = 0; i < buffer.cells.size(); ++i) {
      const auto at = [&buffer](std::size_t j) { return buffer.cells[j % buffer.cells.size()]; };
      pass_on(at(i), port_between(at(i), at(i + buffer.cells.size() - 1)), port_between(at(i), at(i + 1)));
    }
  for (Cell at = 0; at < size_.cells(); ++at) {
    if (role(at) != SupernodeRole::lane) continue;
    const bool horizontal = row(at) == size_.h();
    for (const Port in : horizontal ? std::array<Port, 2>{east, west} : std::array<Port, 2>{north, south})
      if (next(at, in) == no_port) pass_on(at, in, opposite(in));
  }
}

bool SupernodeGeometry::slots_begin_apart() const {
  std::set<Cell> starts;
  for (std::int32_t place = 0; place < size_.f; ++place)
    if (!starts.insert(start_of_slot(place)).second) return false;
  return true;
}

void SupernodeGeometry::find_starts() {
  while (!slots_begin_apart())
    if (++head_start_ == rotation()) contradiction("two slots always begin in one cell");
  for (std::int32_t place = 0; place < size_.f; ++place)
    starting_slot_[static_cast<std::size_t>(start_of_slot(place))] = place;
}

/// A search from all cells of the rings over the others, nearest first.
void SupernodeGeometry::find_accesses() {
  std::vector<bool> reached(access_.size());
  for (const Ring ring : {left_ring, right_ring})
    for (std::int32_t p = 0; p < rotation(); ++p) {
      const auto at = static_cast<std::size_t>(rings_[ring][static_cast<std::size_t>(p)]);
      if (reached[at]) continue;
      reached[at] = true;
      access_[at] = {ring, p, 0, no_port};
    }
  std::deque<Cell> open;
  for (Cell at = 0; at < size_.cells(); ++at)
    if (reached[static_cast<std::size_t>(at)]) open.push_back(at);
  for (; !open.empty(); open.pop_front()) {
    const RingAccess& from = access(open.front());
    for (const Port port : {north, east, south, west}) {
      const Cell to = neighbour(open.front(), port);
      if (to < 0 || reached[static_cast<std::size_t>(to)]) continue;
      reached[static_cast<std::size_t>(to)] = true;
      access_[static_cast<std::size_t>(to)] = {from.ring, from.position, from.length + 1, opposite(port)};
      open.push_back(to);
    }
  }
  for (const RingAccess& access : access_) {
    lead_ = std::max(lead_, access.length - access.position);
    longest_access_ = std::max(longest_access_, access.length);
  }
}

void SupernodeGeometry::check() const {
  if (base_cycle_ != size_.stored() + size_.last())
    contradiction("a ring without folds has " + std::to_string(base_cycle_) + " cells");
  for (const SupernodeBuffer& buffer : buffers_)
    if (static_cast<std::int32_t>(buffer.cells.size()) != size_.k)
      contradiction("a buffer has not as many cells as flits");
  // The link by which a worm leaves a cell is the link by which it arrives: all tables agree, and no link is used
  // twice.
  std::set<std::pair<Cell, Cell>> used;
  const auto use = [&](Cell from, Cell to) {
    if (!used.emplace(from, to).second) contradiction("a link is used twice");
  };
  const auto walk = [&](const std::vector<Cell>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) use(cells[i], cells[(i + 1) % cells.size()]);
  };
  for (const auto& ring : rings_) walk(ring);
  for (const SupernodeBuffer& buffer : buffers_) walk(buffer.cells);
}

}  // namespace starloom::links
