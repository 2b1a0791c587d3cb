// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/worm_checker.hpp>

#include <algorithm>
#include <string>

namespace starloom::links {

WormChecker::WormChecker(CheckContext& context)
    : StorageChecker(context),
      may_wait_(context.rules().storage == RefereeRules::Storage::links_only),
      register_(context.link_slots(), no_packet) {}

std::int32_t WormChecker::take_slot() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::int32_t>(worms_.size()));
    worms_.emplace_back();
  }
  const std::int32_t slot = free_.back();
  free_.pop_back();
  return slot;
}

NodeId WormChecker::location_in_network(PacketId /*packet*/, const State& state) const {
  return worms_[static_cast<std::size_t>(state.slot)].head;
}

NodeId WormChecker::node_before(const Worm& worm, std::int32_t flit, Move move) const {
  return flit >= move ? worm.source : context_.far_end(worm.link(move - 1 - flit));
}

void WormChecker::begin_step(Step step) {
  if (!may_wait_ && in_flight_ > 0 && step != last_step_ + 1) check_all_move(last_step_ + 1);
  last_step_ = step;
}

WormChecker::Worm& WormChecker::moving(const TraceRow& row, std::int32_t slot) {
  Worm& worm = worms_[static_cast<std::size_t>(slot)];
  if (worm.moved_in == row.step) return worm;
  worm.moved_in = row.step;
  ++worm.moves;
  worm.rows = 0;
  worm.injects = false;
  moving_.push_back(slot);
  return worm;
}

void WormChecker::note(const TraceRow& row, Worm& worm) {
  Move& last = worm.moved[static_cast<std::size_t>(row.flit)];
  if (last == worm.moves) context_.reject(row, "moves twice in one step");
  last = worm.moves;
  ++worm.rows;
}

void WormChecker::inject(const TraceRow& row) {
  State& s = state(row);
  if (s.slot == consumed) context_.reject(row, "is injected a second time");
  if (s.slot == dropped) context_.reject(row, "is injected, but its packet has vanished");
  check_departure(row, s);
  if (s.slot == in_memory) {
    if (row.flit != 0) context_.reject(row, "is injected before the head of its packet");
    s.slot = take_slot();
    ++in_flight_;
    Worm& fresh = worms_[static_cast<std::size_t>(s.slot)];
    fresh.packet = row.packet;
    fresh.flits = context_.packet(row.packet).flits;
    fresh.source = fresh.head = row.node;
    fresh.moves = 0;
    fresh.consumed_in = never;
    fresh.moved_in = no_step;
    fresh.path.assign(static_cast<std::size_t>(fresh.flits) + 1, -1);
    fresh.moved.assign(static_cast<std::size_t>(fresh.flits), 0);
  }
  Worm& worm = moving(row, s.slot);
  if (row.flit != worm.current())
    context_.reject(row, "is injected out of turn: its worm is at move " + std::to_string(worm.current()));
  worm.injects = true;
}

void WormChecker::hop(const TraceRow& row, LinkId link) {
  Worm& worm = moving(row, in_network(row).slot);
  const Move on_path = worm.current() - row.flit;  // the index of the link on the head's path
  if (on_path < 0) context_.reject(row, "moves, but it was not injected");
  if (row.flit == 0) {
    if (worm.consumed_in != never) context_.reject(row, "moves, but it was consumed before");
    if (row.node != worm.head) context_.reject(row, "moves, but it is in " + context_.node_name(worm.head));
    note(row, worm);
    worm.link(on_path) = link;
    worm.head = row.to;
    return;
  }
  if (worm.consumed_in != never && on_path >= worm.consumed_in)
    context_.reject(row, "moves, but it was consumed before, or must be consumed now");
  const NodeId here = node_before(worm, row.flit, worm.current());
  if (row.node != here) context_.reject(row, "moves, but it is in " + context_.node_name(here));
  if (worm.link(on_path) != link)
    context_.reject(row, "leaves the path of its head, which took " + context_.link_name(worm.link(on_path)));
  note(row, worm);
}

void WormChecker::consume(const TraceRow& row) {
  Worm& worm = moving(row, in_network(row).slot);
  if (row.node != worm.head)
    context_.reject(row, "is consumed, but its head is in, or was consumed in, " + context_.node_name(worm.head));
  if (row.flit == 0) {
    if (worm.consumed_in != never) context_.reject(row, "is consumed a second time");
    if (worm.current() == 0) context_.reject(row, "is consumed, but it has not crossed a link");
    note(row, worm);
    worm.consumed_in = worm.current();
    return;
  }
  if (worm.consumed_in == never || worm.current() - row.flit != worm.consumed_in)
    context_.reject(row, "is consumed out of turn");
  note(row, worm);
}

void WormChecker::remove(Worm& worm, std::int32_t slot) {
  worm.packet = no_packet;
  free_.push_back(slot);
  --in_flight_;
}

/// A worm of one flit, which vanishes where its last move has led.
void WormChecker::drop(const TraceRow& row) {
  State& s = in_network(row);
  Worm& worm = worms_[static_cast<std::size_t>(s.slot)];
  if (worm.flits > 1) context_.reject(row, "vanishes, but no hardware dies under worms of several flits");
  if (row.node != worm.head) context_.reject(row, "vanishes, but it is in " + context_.node_name(worm.head));
  register_[static_cast<std::size_t>(worm.link(worm.current()))] = no_packet;
  remove(worm, s.slot);
  s = {row.step, row.node, dropped};
}

bool WormChecker::uses(const TraceRow& row, const std::vector<FaultEvent>& deaths) const {
  return std::any_of(deaths.begin(), deaths.end(),
                     [&](const FaultEvent& death) { return death.port == no_port && row.node == death.node; });
}

void WormChecker::check_death(const FaultEvent& death) const {
  if (death.port != no_port) return;
  for_each_in_network([&](PacketId packet, const State& s) {
    if (worms_[static_cast<std::size_t>(s.slot)].head == death.node)
      context_.reject(death.step, death.node, packet, 0, "is in a router that dies, but does not vanish");
  });
}

void WormChecker::control(const TraceRow& row, LinkId link) { controls_.emplace_back(row, link); }

void WormChecker::check_unit(const Worm& worm, Step step) const {
  const Move move = worm.current();
  const auto first = static_cast<std::int32_t>(worm.consumed_in == never ? 0 : move - worm.consumed_in);
  const auto last = static_cast<std::int32_t>(std::min<Move>(worm.flits - 1, move));
  const bool whole = worm.rows == last - first + 1;
  if (whole && worm.injects == (move < worm.flits)) return;
  for (std::int32_t flit = first; flit <= last; ++flit)
    if (worm.moved[static_cast<std::size_t>(flit)] != worm.moves)
      context_.reject(step, node_before(worm, flit, move), worm.packet, flit,
                      "does not move, but other flits of its worm do");
  context_.reject(step, worm.source, worm.packet, last, "enters the network without being injected");
}

// The last flit frees its register, unless it came out of the memory.
void WormChecker::leave_registers(const Worm& worm) {
  const Move left = worm.current() - worm.flits;
  if (left >= 0) register_[static_cast<std::size_t>(worm.link(left))] = no_packet;
}

// The head takes a register; every other flit takes the one that the flit before it leaves.
void WormChecker::enter_registers(const Worm& worm, Step step) {
  if (worm.consumed_in != never) return;
  const LinkId link = worm.link(worm.current());
  PacketId& holder = register_[static_cast<std::size_t>(link)];
  if (holder != no_packet)
    CheckContext::reject(step, context_.near_end(link), context_.link_name(link),
                         "packet " + std::to_string(worm.packet) + ", flit 0 enters a register that a flit of packet " +
                             std::to_string(holder) + " does not leave");
  holder = worm.packet;
}

void WormChecker::check_all_move(Step step) const {
  for (const Worm& worm : worms_)
    if (worm.packet != no_packet && worm.moved_in != step) {
      const Move done = worm.moves;
      const auto flit = static_cast<std::int32_t>(worm.consumed_in == never ? 0 : done - worm.consumed_in);
      context_.reject(step, node_before(worm, flit, done), worm.packet, flit, "stops in the network");
    }
}

void WormChecker::end_step(Step step) {
  for (const std::int32_t slot : moving_) check_unit(worms_[static_cast<std::size_t>(slot)], step);
  // Registers are left before any is entered, because all worms move simultaneously.
  for (const std::int32_t slot : moving_) leave_registers(worms_[static_cast<std::size_t>(slot)]);
  for (const std::int32_t slot : moving_) enter_registers(worms_[static_cast<std::size_t>(slot)], step);
  for (const auto& [row, link] : controls_)
    if (register_[static_cast<std::size_t>(link)] != no_packet)
      context_.reject(row, "enters a register that a flit of packet " +
                               std::to_string(register_[static_cast<std::size_t>(link)]) + " does not leave");
  controls_.clear();
  if (!may_wait_ && static_cast<std::int64_t>(moving_.size()) != in_flight_) check_all_move(step);

  for (const std::int32_t slot : moving_) {
    Worm& worm = worms_[static_cast<std::size_t>(slot)];
    if (worm.consumed_in == never || worm.current() - (worm.flits - 1) != worm.consumed_in) continue;
    TraceRow tail;
    tail.step = step;
    tail.packet = worm.packet;
    tail.node = worm.head;
    tail.event = context_.packet(worm.packet).destination == worm.head ? TraceEvent::eject : TraceEvent::store;
    end_of_packet(tail, state(tail));
    remove(worm, slot);
  }
  moving_.clear();
}

}  // namespace starloom::links
