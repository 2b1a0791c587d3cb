// SPDX-License-Identifier: Apache-2.0
#include <starloom/search/flow_bound.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>

namespace starloom::links {
namespace {

/// The packets for one destination. A flow does not distinguish them.
struct Commodity {
  NodeId destination;
  std::map<NodeId, std::int32_t> packets;  ///< by source: their number
};

std::vector<Commodity> commodities_of(const std::vector<Packet>& packets) {
  std::map<NodeId, Commodity> by_destination;
  for (const Packet& packet : packets) {
    if (packet.source == packet.destination) continue;
    Commodity& commodity = by_destination[packet.destination];
    commodity.destination = packet.destination;
    ++commodity.packets[packet.source];
  }
  std::vector<Commodity> commodities;
  for (auto& [node, commodity] : by_destination) commodities.push_back(std::move(commodity));
  return commodities;
}

/// The prices of a unit of flow for crossing a link in a stage, and for staying in a node.
class Prices {
 public:
  Prices(const Grid& grid, Step stages)
      : ports_(static_cast<std::size_t>(grid.ports()) + 1),
        nodes_(static_cast<std::size_t>(grid.nodes())),
        prices_(nodes_ * ports_ * static_cast<std::size_t>(stages)) {}

  /// Port `no_port`: the price of staying.
  std::int64_t& at(NodeId node, Port port, Step stage) { return prices_[index(node, port, stage)]; }
  std::int64_t at(NodeId node, Port port, Step stage) const { return prices_[index(node, port, stage)]; }

 private:
  std::size_t index(NodeId node, Port port, Step stage) const {
    const std::size_t choice = port == no_port ? ports_ - 1 : static_cast<std::size_t>(port);
    return (static_cast<std::size_t>(stage) * nodes_ + static_cast<std::size_t>(node)) * ports_ + choice;
  }
  std::size_t ports_;
  std::size_t nodes_;
  std::vector<std::int64_t> prices_;
};

/// The linear program for one length.
class FlowProgram {
 public:
  FlowProgram(const Grid& grid, const std::vector<Packet>& packets, const ScheduleSpace& space, Step length)
      : grid_(grid),
        space_(space),
        commodities_(commodities_of(packets)),
        stages_(length),
        head_stages_(length - space.flits + 1) {}

  Answer solve(const Deadline& deadline);

 private:
  /// A column of the matrix under construction.
  struct Entry {
    int row;
    double value;
  };

  /// The stage by which a head that begins the stage in the node can arrive; beyond the last one it is useless.
  bool in_time(const Commodity& commodity, NodeId node, Step stage) const {
    return stage + grid_.distance(node, commodity.destination) <= head_stages_;
  }
  std::int64_t variables() const;
  void add_columns(const Commodity& commodity);
  void add_column(double cost, const std::vector<Entry>& entries);
  int new_row(double least, double most) {
    row_least_.push_back(least);
    row_most_.push_back(most);
    return static_cast<int>(row_most_.size()) - 1;
  }
  /// The row of a capacity: of a link in a stage, or of the residents of a node (`no_port`).
  int capacity_row(NodeId node, Port port, Step stage);
  /// True if the prices prove that there is no flow: the cheapest paths of all packets cost more than all capacities
  /// are worth.
  bool proves(const Prices& prices) const;
  std::int64_t cost_of_all(const Prices& prices, const Commodity& commodity) const;

  const Grid& grid_;
  const ScheduleSpace& space_;
  std::vector<Commodity> commodities_;
  Step stages_;
  Step head_stages_;  ///< in which the first flits move
  std::int64_t packets_ = 0;

  std::map<std::tuple<Step, NodeId, Port>, int> capacity_rows_;
  std::vector<double> row_least_, row_most_, costs_;
  std::vector<CoinBigIndex> begins_{0};
  std::vector<int> rows_;
  std::vector<double> values_;
};

int FlowProgram::capacity_row(NodeId node, Port port, Step stage) {
  const auto [found, added] = capacity_rows_.try_emplace({stage, node, port}, 0);
  if (added)
    found->second = new_row(-COIN_DBL_MAX, port == no_port ? static_cast<double>(space_.residents_of(node)) : 1.0);
  return found->second;
}

void FlowProgram::add_column(double cost, const std::vector<Entry>& entries) {
  costs_.push_back(cost);
  for (const Entry& entry : entries) {
    rows_.push_back(entry.row);
    values_.push_back(entry.value);
  }
  begins_.push_back(static_cast<CoinBigIndex>(rows_.size()));
}

std::int64_t FlowProgram::variables() const {
  std::int64_t count = 0;
  for (const Commodity& commodity : commodities_)
    for (NodeId node = 0; node < grid_.nodes(); ++node) {
      std::int32_t nearest = std::numeric_limits<std::int32_t>::max();
      for (const auto& [source, packets] : commodity.packets) nearest = std::min(nearest, grid_.distance(source, node));
      const Step stages = head_stages_ - grid_.distance(node, commodity.destination) - nearest + 1;
      if (stages > 0) count += stages * (grid_.ports() + (space_.has_residents() ? 1 : 0));
    }
  return count;
}

void FlowProgram::add_columns(const Commodity& commodity) {
  const auto nodes = static_cast<std::size_t>(grid_.nodes());
  std::vector<Step> earliest(nodes, std::numeric_limits<Step>::max());
  for (const auto& [source, packets] : commodity.packets)
    for (NodeId node = 0; node < grid_.nodes(); ++node) {
      Step& stage = earliest[static_cast<std::size_t>(node)];
      stage = std::min<Step>(stage, grid_.distance(source, node));
    }
  const auto exists = [&](NodeId node, Step stage) {
    return stage >= earliest[static_cast<std::size_t>(node)] && in_time(commodity, node, stage);
  };
  // Conservation: the flow that is in a node at the beginning of a stage leaves it or stays.
  std::map<std::pair<Step, NodeId>, int> rows;
  const auto row = [&](NodeId node, Step stage) {
    const auto [found, added] = rows.try_emplace({stage, node}, 0);
    if (added) found->second = new_row(0, 0);
    return found->second;
  };
  for (Step stage = 0; stage < head_stages_; ++stage)
    for (NodeId node = 0; node < grid_.nodes(); ++node) {
      if (node == commodity.destination || !exists(node, stage)) continue;
      for (Port port = 0; port < grid_.ports(); ++port) {
        const NodeId next = grid_.neighbour(node, port);
        if (next == no_node || !in_time(commodity, next, stage + 1)) continue;
        std::vector<Entry> entries = {{row(node, stage), -1}};
        if (next != commodity.destination) entries.push_back({row(next, stage + 1), 1});
        for (std::int32_t flit = 0; flit < space_.flits; ++flit)
          entries.push_back({capacity_row(node, port, stage + flit), 1});
        add_column(0, entries);
      }
      if (space_.residents_of(node) > 0 && in_time(commodity, node, stage + 1))
        add_column(0, {{row(node, stage), -1}, {row(node, stage + 1), 1}, {capacity_row(node, no_port, stage), 1}});
    }
  for (const auto& [source, packets] : commodity.packets) {
    const int supply = new_row(-COIN_DBL_MAX, packets);
    packets_ += packets;
    for (Step stage = 0; in_time(commodity, source, stage); ++stage)
      add_column(-1, {{row(source, stage), 1}, {supply, 1}});
  }
}

std::int64_t FlowProgram::cost_of_all(const Prices& prices, const Commodity& commodity) const {
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 4;
  const auto nodes = static_cast<std::size_t>(grid_.nodes());
  // Backwards from the last stage: the cost of arriving in time from a node at the beginning of a stage.
  std::vector<std::int64_t> later(nodes, never), now(nodes), cheapest(nodes, never);
  later[static_cast<std::size_t>(commodity.destination)] = 0;
  for (Step stage = head_stages_ - 1; stage >= 0; --stage) {
    for (NodeId node = 0; node < grid_.nodes(); ++node) {
      std::int64_t& cost = now[static_cast<std::size_t>(node)];
      cost = never;
      for (Port port = 0; port < grid_.ports(); ++port) {
        const NodeId next = grid_.neighbour(node, port);
        if (next == no_node || later[static_cast<std::size_t>(next)] == never) continue;
        std::int64_t price = 0;
        for (std::int32_t flit = 0; flit < space_.flits; ++flit) price += prices.at(node, port, stage + flit);
        cost = std::min(cost, later[static_cast<std::size_t>(next)] + price);
      }
      if (space_.residents_of(node) > 0 && later[static_cast<std::size_t>(node)] != never)
        cost = std::min(cost, later[static_cast<std::size_t>(node)] + prices.at(node, no_port, stage));
    }
    now[static_cast<std::size_t>(commodity.destination)] = 0;
    for (std::size_t node = 0; node < nodes; ++node) cheapest[node] = std::min(cheapest[node], now[node]);
    later.swap(now);
  }
  std::int64_t sum = 0;
  for (const auto& [source, packets] : commodity.packets) sum += packets * cheapest[static_cast<std::size_t>(source)];
  return sum;
}

bool FlowProgram::proves(const Prices& prices) const {
  std::int64_t worth = 0, cost = 0;
  for (const auto& [place, row] : capacity_rows_) {
    const auto& [stage, node, port] = place;
    worth += prices.at(node, port, stage) * (port == no_port ? space_.residents_of(node) : 1);
  }
  for (const Commodity& commodity : commodities_) cost += cost_of_all(prices, commodity);
  return cost > worth;
}

Answer FlowProgram::solve(const Deadline& deadline) {
  for (const Commodity& commodity : commodities_)
    for (const auto& [source, packets] : commodity.packets)
      if (!in_time(commodity, source, 0)) return Answer::no;
  if (commodities_.empty()) return Answer::yes;
  if (variables() > most_flow_variables || deadline.passed()) return Answer::unknown;
  for (const Commodity& commodity : commodities_) add_columns(commodity);

  const int columns = static_cast<int>(costs_.size());
  const int rows = static_cast<int>(row_most_.size());
  std::vector<int> lengths;
  for (int column = 0; column < columns; ++column)
    lengths.push_back(
        static_cast<int>(begins_[static_cast<std::size_t>(column) + 1] - begins_[static_cast<std::size_t>(column)]));
  const CoinPackedMatrix matrix(true, rows, columns, static_cast<CoinBigIndex>(rows_.size()), values_.data(),
                                rows_.data(), begins_.data(), lengths.data());
  const std::vector<double> least(static_cast<std::size_t>(columns), 0);
  const std::vector<double> most(static_cast<std::size_t>(columns), COIN_DBL_MAX);
  ClpSimplex program;
  program.setLogLevel(0);
  program.loadProblem(matrix, least.data(), most.data(), costs_.data(), row_least_.data(), row_most_.data());
  if (std::isfinite(deadline.seconds_left())) program.setMaximumWallSeconds(std::max(deadline.seconds_left(), 0.001));
  ClpSolve how;
  how.setSolveType(ClpSolve::useDual);
  program.initialSolve(how);
  if (program.status() != 0) return Answer::unknown;

  // A shortfall of the flow is certain only when the prices, as integers, prove it.
  constexpr double tolerance = 1e-6;
  if (program.objectiveValue() <= -static_cast<double>(packets_) + tolerance) return Answer::yes;
  constexpr double unit = 1 << 24;
  Prices prices(grid_, stages_);
  for (const auto& [place, row] : capacity_rows_) {
    const auto& [stage, node, port] = place;
    prices.at(node, port, stage) = std::llround(std::max(0.0, -program.getRowPrice()[row]) * unit);
  }
  return proves(prices) ? Answer::no : Answer::unknown;
}

}  // namespace

Answer flow_exists(const Grid& grid, const std::vector<Packet>& packets, const ScheduleSpace& space, Step length,
                   const Deadline& deadline) {
  check_packets(grid, packets);
  check_space(grid, {std::nullopt, space.residents, space.flits});
  return FlowProgram(grid, packets, space, length).solve(deadline);
}

std::optional<Step> flow_bound(const Grid& grid, const std::vector<Packet>& packets, const ScheduleSpace& space,
                               Step least, std::optional<Step> known, const Deadline& deadline) {
  // No flow is shorter than `low`; there is one of length `high`, if that is set.
  Step low = least;
  std::optional<Step> high = known;
  for (Step step = 1; !high || low < *high; step *= 2) {
    const Step length = high ? (step == 1 ? low : low + (*high - low) / 2) : low + step - 1;
    switch (flow_exists(grid, packets, space, length, deadline)) {
      case Answer::yes: high = length; break;
      case Answer::no: low = length + 1; break;
      case Answer::unknown: return std::nullopt;
    }
  }
  return high;
}

}  // namespace starloom::links
