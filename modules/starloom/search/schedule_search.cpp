// SPDX-License-Identifier: Apache-2.0
#include <starloom/search/schedule_search.hpp>

#include <algorithm>
#include <map>
#include <tuple>

#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/search/formula.hpp>

namespace starloom::links {
namespace {

/// The question, and the conversion of a solution.
class ScheduleFormula {
 public:
  ScheduleFormula(const Grid& grid, const std::vector<Packet>& packets, const ScheduleSpace& space, Step length)
      : grid_(grid), packets_(packets), space_(space), head_stages_(length - space.flits + 1) {}

  /// A lower bound on the size of the formula: packets on links.
  std::int64_t size() const;
  /// Builds the formula.
  void build();
  const Formula& formula() const { return formula_; }
  /// \param is_true  of a variable, in a solution
  template <class IsTrue>
  Plan plan(const IsTrue& is_true) const;

 private:
  /// The stage and the node of a packet at the beginning of the stage.
  using Place = std::pair<Step, NodeId>;
  /// A move of a packet: an out-port, or staying.
  struct Choice {
    Port port;
    Literal literal;
  };
  struct Start {
    Step stage;
    FirstSegment first;
    Literal literal;
  };
  /// A packet that never waits takes a path with one bend as a whole: one variable for each path and start.
  bool whole_paths() const { return space_.scheme && !space_.has_residents(); }
  std::vector<FirstSegment> segments_of(const Packet& packet) const;
  void choose_start(std::size_t packet);
  /// Move by move, in any allowed direction.
  void choose_moves(std::size_t packet);
  /// The out-ports that paths of the scheme take in each node; all, if any path may be taken.
  std::map<NodeId, PortMask> ports_towards(const Packet& packet) const;
  void cross(NodeId node, Port port, Step stage, Literal literal);
  /// A packet leaves its source. If that has one packet, there is no conflict.
  void leave(NodeId source, Step stage, Literal literal);

  const Grid& grid_;
  const std::vector<Packet>& packets_;
  const ScheduleSpace& space_;
  Step head_stages_;  ///< in which first flits move
  Formula formula_;
  std::map<std::tuple<Step, NodeId, Port>, std::vector<Literal>>
      users_;                                                        ///< of a link in a stage; `no_port`: of residents
  std::map<NodeId, int> packets_of_;                                 ///< [source] number of packets that move
  std::map<std::pair<NodeId, Step>, std::vector<Literal>> leaving_;  ///< [source, stage] if there are several
  std::vector<std::vector<Start>> starts_;                           ///< by packet
  std::vector<std::map<Place, std::vector<Choice>>> choices_;        ///< by packet
};

std::int64_t ScheduleFormula::size() const {
  std::int64_t size = 0;
  for (const Packet& packet : packets_) {
    const std::int64_t distance = grid_.distance(packet.source, packet.destination);
    const std::int64_t slack = head_stages_ - distance;
    if (distance == 0 || slack < 0) continue;
    const std::int64_t links = space_.scheme ? 2 * distance : std::int64_t{grid_.ports()} * grid_.nodes();
    size += links * (slack + 1) * space_.flits;
  }
  return size;
}

void ScheduleFormula::build() {
  starts_.resize(packets_.size());
  choices_.resize(packets_.size());
  for (const Packet& packet : packets_)
    if (packet.source != packet.destination) ++packets_of_[packet.source];
  for (std::size_t p = 0; p < packets_.size(); ++p) {
    if (packets_[p].source == packets_[p].destination) continue;
    if (whole_paths()) choose_start(p);
    else choose_moves(p);
  }
  for (const auto& [source, literals] : leaving_) formula_.at_most(1, literals);
  for (const auto& [place, literals] : users_) {
    const auto& [stage, node, port] = place;
    formula_.at_most(port == no_port ? static_cast<std::size_t>(space_.residents_of(node)) : 1, literals);
  }
}

void ScheduleFormula::cross(NodeId node, Port port, Step stage, Literal literal) {
  for (std::int32_t flit = 0; flit < space_.flits; ++flit) users_[{stage + flit, node, port}].push_back(literal);
}

void ScheduleFormula::leave(NodeId source, Step stage, Literal literal) {
  if (packets_of_[source] > 1) leaving_[{source, stage}].push_back(literal);
}

std::vector<FirstSegment> ScheduleFormula::segments_of(const Packet& packet) const {
  const bool straight = grid_.offset(packet.source, packet.destination, 0) == 0 ||
                        grid_.offset(packet.source, packet.destination, 1) == 0;
  std::vector<FirstSegment> segments;
  if (straight || *space_.scheme != PathScheme::vertical_first) segments.push_back(FirstSegment::horizontal);
  if (!straight && *space_.scheme != PathScheme::horizontal_first) segments.push_back(FirstSegment::vertical);
  return segments;
}

void ScheduleFormula::choose_start(std::size_t packet) {
  const NodeId source = packets_[packet].source, destination = packets_[packet].destination;
  const std::int32_t distance = grid_.distance(source, destination);
  std::vector<Literal> any;
  for (Step start = 0; start + distance <= head_stages_; ++start)
    for (const FirstSegment first : segments_of(packets_[packet])) {
      const Literal literal = formula_.new_variable();
      any.push_back(literal);
      starts_[packet].push_back({start, first, literal});
      leave(source, start, literal);
      NodeId node = source;
      Step stage = start;
      for (const Port port : one_bend_moves(grid_, source, destination, first)) {
        cross(node, port, stage++, literal);
        node = grid_.neighbour(node, port);
      }
    }
  formula_.add(any);
}

std::map<NodeId, PortMask> ScheduleFormula::ports_towards(const Packet& packet) const {
  std::map<NodeId, PortMask> paths;
  if (!space_.scheme) {
    for (NodeId node = 0; node < grid_.nodes(); ++node)
      for (Port port = 0; port < grid_.ports(); ++port)
        if (grid_.neighbour(node, port) != no_node) paths[node] |= PortMask{1} << port;
    return paths;
  }
  // The two paths of a packet have only their ends in common, so a packet that stays on their links takes one of
  // them.
  for (const FirstSegment first : segments_of(packet)) {
    NodeId node = packet.source;
    for (const Port port : one_bend_moves(grid_, packet.source, packet.destination, first)) {
      paths[node] |= PortMask{1} << port;
      node = grid_.neighbour(node, port);
    }
  }
  return paths;
}

void ScheduleFormula::choose_moves(std::size_t packet) {
  const NodeId source = packets_[packet].source;
  const NodeId destination = packets_[packet].destination;
  const std::map<NodeId, PortMask> paths = ports_towards(packets_[packet]);
  // The packet is in a node at the beginning of a stage: variables as they are needed. The formula allows it to be in
  // two nodes in the same stage; then it arrives from either. A packet that comes back to its source could have
  // waited there.
  std::map<Place, Literal> in;
  const auto there = [&](Step stage, NodeId node) {
    Literal& literal = in[{stage, node}];
    if (literal == 0) literal = formula_.new_variable();
    return literal;
  };
  if (grid_.distance(source, destination) > head_stages_) {
    formula_.add({});
    return;
  }
  formula_.add({there(0, source)});
  for (auto at = in.begin(); at != in.end(); ++at) {  // grows behind `at`: later stages follow
    const auto [place, here] = *at;
    const Step stage = place.first;
    const NodeId node = place.second;
    if (node == destination) continue;
    std::vector<Choice>& choices = choices_[packet][place];
    std::vector<Literal> clause = {-here};
    const auto may = [&](Port port, NodeId next) {
      if (stage + 1 + grid_.distance(next, destination) > head_stages_) return;
      const Literal literal = formula_.new_variable();
      choices.push_back({port, literal});
      clause.push_back(literal);
      formula_.add({-literal, there(stage + 1, next)});
      if (port != no_port && node == source) leave(source, stage, literal);
      if (port != no_port) cross(node, port, stage, literal);
      else if (node != source) users_[{stage, node, no_port}].push_back(literal);
    };
    for (Port port = 0; port < grid_.ports(); ++port)
      if (const auto path = paths.find(node); path != paths.end() && (path->second >> port & 1) != 0)
        if (const NodeId next = grid_.neighbour(node, port); next != source) may(port, next);
    if (node == source || space_.residents_of(node) > 0) may(no_port, node);
    formula_.add(clause);
  }
}

template <class IsTrue>
Plan ScheduleFormula::plan(const IsTrue& is_true) const {
  Plan plan;
  plan.flits = space_.flits;
  for (std::size_t p = 0; p < packets_.size(); ++p) {
    Journey& journey = plan.journeys.emplace_back();
    const NodeId destination = packets_[p].destination;
    if (packets_[p].source == destination) continue;
    if (whole_paths()) {
      const auto start = std::find_if(starts_[p].begin(), starts_[p].end(),
                                      [&](const Start& chosen) { return is_true(chosen.literal); });
      journey = {start->stage, one_bend_moves(grid_, packets_[p].source, destination, start->first)};
      continue;
    }
    Place place{0, packets_[p].source};
    while (place.second != destination) {
      const std::vector<Choice>& choices = choices_[p].at(place);
      const Port port = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
                          return is_true(choice.literal);
                        })->port;
      if (port == no_port && journey.moves.empty()) ++journey.start;
      else journey.moves.push_back(port);
      place = {place.first + 1, port == no_port ? place.second : grid_.neighbour(place.second, port)};
    }
  }
  return plan;
}

}  // namespace

SearchResult find_schedule(const Grid& grid, const std::vector<Packet>& packets, const ScheduleSpace& space,
                           Step length, const SearchLimits& limits) {
  check_packets(grid, packets);
  check_space(grid, space);
  ScheduleFormula question(grid, packets, space, length);
  if (question.size() > limits.formula || limits.deadline.passed()) return {};
  question.build();
  const Solution solution = solve(question.formula(), limits);
  if (solution.found != Answer::yes) return {solution.found, {}};
  return {Answer::yes, question.plan([&](Literal literal) { return solution.is_true(literal); })};
}

}  // namespace starloom::links
