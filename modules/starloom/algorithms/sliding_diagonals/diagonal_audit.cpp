// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/sliding_diagonals/diagonal_audit.hpp>

#include <algorithm>

#include <starloom/core/random.hpp>

namespace starloom::links {
namespace {

constexpr std::size_t most_errors = 20;

std::int64_t divided_up(std::int64_t dividend, std::int64_t divisor) { return (dividend + divisor - 1) / divisor; }

}  // namespace

DiagonalAudit::DiagonalAudit(const Grid& torus, const DiagonalAuditRules& rules)
    : torus_(torus), rules_(rules), n_(torus.side(0)), d_(torus.dimensions()) {
  const std::int32_t flits = rules.flits;
  diagonals_ = n_ / (rules.b * flits);
  positions_ = diagonals_ / rules.a;
  column_blocks_ = n_ / rules.width;
  row_blocks_ = n_ / (flits * rules.width);
  for (std::int32_t k = 0; k < column_blocks_; ++k)
    widest_ = std::max(widest_, base(k + 1, column_blocks_) - base(k, column_blocks_));
  for (std::int32_t k = 0; k < row_blocks_; ++k)
    highest_ = std::max(highest_, base(k + 1, row_blocks_) - base(k, row_blocks_));
  prelude_ = rules.registers_only && d_ > 2 ? n_ + flits : 0;
  const std::int32_t round = 2 * rules.forward + 2 * flits;
  stage_ = prelude_ + 3 * (n_ + flits) + (flits + widest_) + flits + rules.rounds * round +
           std::max(0, rules.forward + 2 * highest_ + flits - round);
}

std::int32_t DiagonalAudit::block(std::int32_t x, std::int32_t blocks) const {
  std::int32_t k = 0;
  while (base(k + 1, blocks) <= x) ++k;
  return k;
}

void DiagonalAudit::rows(const std::vector<TraceRow>& of_one_step) {
  for (const TraceRow& row : of_one_step) {
    if (row.flit != 0 || row.packet == no_packet) continue;
    if (row.event == TraceEvent::inject) {
      in_flight_[row.packet] = segments_.size();
      Segment segment;
      segment.packet = row.packet;
      segment.begins = row.step;
      segment.from = row.node;
      segments_.push_back(segment);
      continue;
    }
    const auto found = in_flight_.find(row.packet);
    if (found == in_flight_.end()) continue;  // for the referee
    Segment& segment = segments_[found->second];
    if (row.event == TraceEvent::hop) {
      segment.moves.emplace_back(row.step, row.port);
    } else {
      segment.ends = row.step;
      segment.to = row.node;
      in_flight_.erase(found);
    }
  }
}

std::int64_t DiagonalAudit::slot_start(std::int64_t slot) const {
  if (d_ > 2) return slot * stage_;
  return slot / 2 * (stage_ + n_ + rules_.flits) + slot % 2 * stage_;
}

DiagonalAudit::Pass DiagonalAudit::pass_of(Step begins, std::int64_t fullest, bool first, bool second_run) const {
  Pass pass;
  pass.begins = begins;
  pass.batches = divided_up(first && d_ > 2 ? rules_.thinning * fullest : fullest, positions_);
  pass.ends = begins + slot_start(2 * (pass.batches - 1) + d_ - 1) + n_ + rules_.flits;
  pass.second_run = second_run;
  return pass;
}

void DiagonalAudit::add_error(const Segment& segment, Step step, const std::string& text) {
  if (report_.diagnostics.size() < most_errors)
    report_.diagnostics.push_back("step " + std::to_string(step) + ": packet " + std::to_string(segment.packet) + " " +
                                  text);
}

/// Follows the worm from step to step and checks its position and its actions.
void DiagonalAudit::audit_segment(const Segment& segment, const Pass& pass, NodeId target) {
  const std::int32_t flits = rules_.flits, spacing = rules_.b * flits;
  const std::int32_t first = n_ + flits, second = 2 * first, back = 3 * first, forth = back + flits + widest_;
  const std::int32_t rounds = forth + flits, round = 2 * rules_.forward + 2 * flits;
  NodeId node = segment.from;
  std::size_t next = 0;
  const auto moves_to = [&](Step step, Port port) {
    const bool does =
        next < segment.moves.size() && segment.moves[next].step() == step && segment.moves[next].port() == port;
    if (!does) {
      add_error(segment, step, "does not cross " + torus_.link_name(node, port));
      return false;
    }
    ++next;
    node = torus_.neighbour(node, port);
    return true;
  };
  const auto ends_at = [&](Step step) { return next == segment.moves.size() && segment.ends == step; };

  // Its start determines the batch.
  std::int64_t slot = 0;
  while (pass.begins + slot_start(slot + 1) <= segment.begins) ++slot;
  if (slot % 2 != 0 || slot / 2 >= pass.batches) return add_error(segment, segment.begins, "starts in no batch");
  if (pass.begins == 0 && slot / 2 != at(node, 0) % pass.batches)
    return add_error(segment, segment.begins, "starts in a batch that is not that of its number");

  for (int stage = 0; stage + 1 < d_; ++stage, ++slot) {
    const int X = stage, Y = stage + 1;
    const Port right = 2 * X, left = 2 * X + 1, up = 2 * Y, down = 2 * Y + 1;
    const Step begins = pass.begins + slot_start(slot), entry = begins + prelude_;
    const Step ends = begins + stage_;

    // Entry.
    Step step = stage == 0 ? segment.begins : next < segment.moves.size() ? segment.moves[next].step() : segment.ends;
    if (stage > 0 && ends_at(entry + n_)) {
      ++report_.no_position;
      return;
    }
    const std::int64_t tau = step - entry;
    if (tau < 0 || tau >= n_) return add_error(segment, step, "starts outside the steps of the entry");
    const std::int32_t x = at(node, X), y = at(node, Y);
    const auto position = static_cast<std::int32_t>(((x + y - tau) % n_ + n_) % n_);
    if (position % spacing != 0 || position / spacing >= diagonals_ || (position / spacing + y) % rules_.a != 0)
      return add_error(
          segment, step,
          "starts at position " + std::to_string(position) + ", which is not an entry position of its row");

    // In the rows and columns until the end of the stage.
    enum { row, column, reservoir } where = row;
    Step parks = 0;
    for (; step < ends; ++step) {
      const std::int64_t t = step - entry;
      if (where == reservoir) {
        if (step < parks && !moves_to(step, down)) return;
        continue;
      }
      if (where == column) {
        if (t == back) {
          where = row;
          if (!moves_to(step, left)) return;
          continue;
        }
        const std::int32_t height = at(node, Y), of = block(height, row_blocks_);
        if (t >= rounds && height == base(of, row_blocks_)) {
          const Reservoir below{begins, Y, node};
          if (ends_at(step)) {
            ++report_.overflow;
            refused_[below].push_back(step);
            return;
          }
          where = reservoir;
          if (!moves_to(step, down)) return;
          // It sinks as long as it moves; the required depth is known when all worms of the reservoir are known.
          std::size_t last = next;
          while (last < segment.moves.size() && segment.moves[last].step() == segment.moves[last - 1].step() + 1 &&
                 segment.moves[last].step() < ends && segment.moves[last].port() == down)
            ++last;
          parks = segment.moves[last - 1].step() + 1;
          const auto sunk = static_cast<std::int32_t>(parks - step);
          admitted_[below][step] = ((height - sunk) % n_ + n_) % n_;
          continue;
        }
        climbing_.push_back(crossing(step, node, up));
        if (!moves_to(step, up)) return;
        continue;
      }
      // In a row.
      const std::int32_t here = at(node, X), wanted = at(target, X);
      bool may_turn = false, backwards = t >= back && t < forth;
      if (t >= first && t < first + n_) may_turn = block(here, column_blocks_) == block(wanted, column_blocks_);
      if (t >= second && t < second + n_) may_turn = true;
      if (t >= rounds && t < rounds + rules_.rounds * round) {
        const std::int64_t q = (t - rounds) % round;
        may_turn = q < rules_.forward && here == wanted;
        backwards = q >= rules_.forward && q < 2 * rules_.forward + flits;
      }
      if (may_turn && next < segment.moves.size() && segment.moves[next].step() == step &&
          segment.moves[next].port() == up) {
        report_.pass_1 += t >= second && t < back ? 1 : 0;
        where = column;
        if (!moves_to(step, up)) return;
        continue;
      }
      if (may_turn) lost_.emplace_back(crossing(step, node, up), segment.packet);
      if (!moves_to(step, backwards ? left : right)) return;
    }
    if (where == row) {
      if (!ends_at(ends)) add_error(segment, ends, "is still in a row at the end of a stage, and was not stored");
      ++report_.phase_2;
      return;
    }
    if (where == column) return add_error(segment, ends, "is still in a column at the end of a stage");
    if (at(node, X) != at(target, X)) return add_error(segment, ends, "waits in a column that is not its own");
  }

  Step step = pass.begins + slot_start(slot);
  for (; at(node, d_ - 1) != at(target, d_ - 1); ++step)
    if (!moves_to(step, 2 * d_ - 1)) return;
  if (!ends_at(step)) add_error(segment, step, "does not end at " + torus_.node_name(node));
}

void DiagonalAudit::audit_reservoirs() {
  for (const auto& [where, worms] : admitted_) {
    const auto& [begins, axis, top] = where;
    const std::int32_t last = (at(top, axis) + n_ - 1) % n_, of = block(last, row_blocks_);
    const std::int32_t bottom = base(of, row_blocks_), room = (base(of + 1, row_blocks_) - bottom) / rules_.flits;
    std::int32_t order = 0;
    for (const auto& [step, row] : worms)
      if (row != bottom + rules_.flits * order++)
        report_.diagnostics.push_back("step " + std::to_string(step) + ": a worm that turns at " +
                                      torus_.node_name(top) + " does not wait where it must");
    if (order > room) report_.diagnostics.push_back("too many worms wait below " + torus_.node_name(top));
  }
  for (const auto& [where, steps] : refused_)
    for (const Step step : steps) {
      const auto& [begins, axis, top] = where;
      const std::int32_t of = block((at(top, axis) + n_ - 1) % n_, row_blocks_);
      const std::int32_t room = (base(of + 1, row_blocks_) - base(of, row_blocks_)) / rules_.flits;
      const auto& worms = admitted_[where];
      if (std::distance(worms.begin(), worms.lower_bound(step)) != room)
        report_.diagnostics.push_back("step " + std::to_string(step) + ": a worm is stored at " +
                                      torus_.node_name(top) + ", whose reservoir is not full");
    }
}

/// A worm that may turn and does not is blocked by the head of a worm that goes straight on in the column.
void DiagonalAudit::audit_refusals() {
  std::sort(climbing_.begin(), climbing_.end());
  for (const auto& [crossing, packet] : lost_) {
    if (std::binary_search(climbing_.begin(), climbing_.end(), crossing) || report_.diagnostics.size() >= most_errors)
      continue;
    const std::uint64_t position = crossing >> 5, nodes = static_cast<std::uint64_t>(torus_.nodes());
    report_.diagnostics.push_back("step " + std::to_string(position / nodes) + ": packet " + std::to_string(packet) +
                                  " does not turn at " + torus_.node_name(static_cast<NodeId>(position % nodes)) +
                                  ", where no worm goes straight on");
  }
}

/// The worms of a ring are numbered by position, and each belongs to the batch that is its number modulo the batches.
void DiagonalAudit::expect_numbers(const Pass& pass, const std::map<NodeId, std::int32_t>& due) {
  std::map<NodeId, std::vector<std::int64_t>> starts;
  for (const Segment& segment : segments_) {
    if (segment.begins < pass.begins || segment.begins >= pass.ends) continue;
    std::int64_t slot = 0;
    while (pass.begins + slot_start(slot + 1) <= segment.begins) ++slot;
    starts[segment.from].push_back(slot / 2);
  }
  std::map<NodeId, std::int32_t> numbered;  // of a ring, by its first node
  for (const auto& [node, count] : due) {
    std::int32_t& number = numbered[node - at(node, 0)];
    std::vector<std::int64_t> batches;
    for (std::int32_t i = 0; i < count; ++i) batches.push_back(number++ % pass.batches);
    std::sort(batches.begin(), batches.end());
    if (batches != starts[node])
      report_.diagnostics.push_back("step " + std::to_string(pass.begins) + ": worms of " + torus_.node_name(node) +
                                    " do not start in the batches of their numbers");
  }
}

/// The first random number of its source in step 0.
NodeId DiagonalAudit::random_node(const Packet& packet) const {
  RandomStream random(rules_.seed, Purpose::algorithm, packet.source, 0);
  return static_cast<NodeId>(random.bounded(static_cast<std::uint32_t>(torus_.nodes())));
}

void DiagonalAudit::audit_pass(const Pass& pass, const std::vector<Packet>& packets) {
  report_.batches += pass.batches;
  report_.steps = pass.ends;
  for (const Segment& segment : segments_) {
    if (segment.begins < pass.begins || segment.begins >= pass.ends) continue;
    const Packet& packet = packets[static_cast<std::size_t>(segment.packet)];
    audit_segment(segment, pass, pass.second_run ? packet.destination : random_node(packet));
  }
}

DiagonalAuditReport DiagonalAudit::report(const std::vector<Packet>& packets) {
  const Step census = std::int64_t{d_} * (n_ / 2);
  // Only in a final routing does a worm end on its way down the last dimension.
  for (Segment& segment : segments_)
    segment.arrives = segment.ends != no_step && segment.moves.back().port() == 2 * d_ - 1;
  Pass pass = pass_of(0, n_, true, !rules_.intermediate);
  std::vector<NodeId> stored_at;  // [packet]
  for (const Packet& packet : packets) stored_at.push_back(packet.source);
  for (bool more = true; more;) {
    audit_pass(pass, packets);
    std::map<NodeId, std::int32_t> failed;
    for (const Segment& segment : segments_) {
      if (segment.begins < pass.begins || segment.begins >= pass.ends) continue;
      stored_at[static_cast<std::size_t>(segment.packet)] = segment.to;
      const Packet& packet = packets[static_cast<std::size_t>(segment.packet)];
      // A worm that is stored at its target has arrived.
      const bool there = segment.to == packet.destination || (!pass.second_run && segment.to == random_node(packet));
      if (!segment.arrives && !there) ++failed[segment.to];
    }
    std::map<NodeId, std::int32_t> due = failed;
    const bool first = failed.empty() && !pass.second_run;
    if (first)
      for (std::size_t p = 0; p < packets.size(); ++p)
        if (packets[p].source != packets[p].destination && stored_at[p] != packets[p].destination) ++due[stored_at[p]];
    more = !due.empty();
    if (!more) break;
    std::map<NodeId, std::int64_t> rings;
    std::int64_t fullest = 0;
    for (const auto& [node, count] : due) fullest = std::max(fullest, rings[node - at(node, 0)] += count);
    const Step known = std::max(pass.ends, pass.ends - n_ - rules_.flits + census);
    pass = pass_of(first ? known + census : known, fullest, first, pass.second_run || first);
    expect_numbers(pass, due);
    if (!first) report_.clean_up_batches += pass.batches;
  }
  for (const Segment& segment : segments_)
    if (segment.begins >= pass.ends) add_error(segment, segment.begins, "starts after the end");
  audit_reservoirs();
  audit_refusals();
  return report_;
}

}  // namespace starloom::links
