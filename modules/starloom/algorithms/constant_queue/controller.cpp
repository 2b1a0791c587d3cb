// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/constant_queue/controller.hpp>

#include <algorithm>
#include <cstdlib>

#include <starloom/algorithms/constant_queue/route.hpp>

namespace starloom::links {
namespace {

/// The order on a link, after packets that are never queued: greater remaining distances first within a rank, then
/// lower numbers. Released special packets need no rank: no other packets in their columns go as far as they do, into
/// the first or last block row.
enum class Rank : std::int64_t { near_row, far_row, special, column, resting };

std::int64_t rank_of(Rank rank, std::int32_t left = 0) {
  return (static_cast<std::int64_t>(rank) << 32) - std::abs(left);
}

/// The position of a node within its region of a level: regions are aligned to their side.
Local local(const FlitView& view, NodeId node, const Level& level) {
  return {view.grid().coordinate(node, 0) % level.side, view.grid().coordinate(node, 1) % level.side};
}

/// The distance from the destination of a special packet up to its temporary row (negative: down).
std::int32_t detour(const FlitView& view, const Flit& flit, const Level& level) {
  return local(view, flit.destination, level).row < level.m ? -level.m : level.m;
}

}  // namespace

// ---- Common knowledge of all nodes

bool ConstantQueueProgram::changes_in(Step step) const {
  return std::binary_search(changes.begin(), changes.end(), step);
}

Step ConstantQueueProgram::next_change(Step step) const {
  const auto next = std::upper_bound(changes.begin(), changes.end(), step);
  return next == changes.end() ? no_step : *next;
}

const Level* ConstantQueueProgram::sorting(Step step) const {
  for (const Level& level : levels)
    if (step >= level.start && step <= level.start + level.sort.steps() && level.sort.steps() > 0) return &level;
  return nullptr;
}

ConstantQueueProgram constant_queue_program(std::vector<Level> levels, bool frozen) {
  ConstantQueueProgram program;
  program.frozen = frozen;
  for (const Level& level : levels)
    if (!level.is_base())
      for (const Step change : {level.rows(), level.columns(), level.ascent(), level.release()})
        program.changes.push_back(level.start + change);
  std::sort(program.changes.begin(), program.changes.end());
  if (const Level& level = levels.front(); !level.is_base())
    program.phases = {
        0, level.rows(), level.settled(), level.columns(), level.descent(), level.ascent(), level.release()};
  program.levels = std::move(levels);
  return program;
}

// ---- A step

void ConstantQueueController::step(FlitView& view) {
  used_ = 0;
  wake_ = no_step;
  if (view.arrived() != 0 || view.waiting() > 0) has_seen_ = true;
  if (program_->changes_in(view.step())) change(view);
  SortStation::Key other = SortStation::none;
  for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
    Flit& flit = view.arrival(lowest_port(left));
    if (flit.kind == FlitKind::key) other = flit.header[0];
    else take_in(view, flit);
  }
  while (view.waiting() > 0) {
    Flit flit = view.accept();
    enter(view, flit, 0);
  }
  if (const Level* level = program_->sorting(view.step())) sort(view, *level, other);
  serve(view);
  if (has_seen_) keep_time(view);
  if (wake_ != no_step) view.wake_at(wake_);
}

/// Publishes the phase of the outermost level. One wake-up is enough for the next phase, if no earlier one is
/// requested.
void ConstantQueueController::keep_time(const FlitView& view) {
  const auto next = std::upper_bound(program_->phases.begin(), program_->phases.end(), view.step());
  const auto phase = static_cast<std::uint8_t>(next - program_->phases.begin());
  if (phase != phase_) awaits_next_ = false;
  phase_ = phase;
  if (awaits_next_ || next == program_->phases.end() || (wake_ != no_step && wake_ < *next)) return;
  wake_ = *next;
  awaits_next_ = true;
}

/// Stored packets compute their route again.
void ConstantQueueController::change(FlitView& view) {
  std::vector<Flit> stored;
  for (std::int32_t buffer = 0; buffer < view.buffers(); ++buffer)
    while (!view.empty(buffer)) stored.push_back(view.pop(buffer));
  for (Flit& flit : stored) take_in(view, flit);
  sort_ = SortState::none;
}

void ConstantQueueController::sort(FlitView& view, const Level& level, SortStation::Key other) {
  const Step tau = view.step() - level.start;
  const auto has_packet = [&view] { return !view.empty(0) && Route::stage_of(view.front(0)) == Stage::sort; };
  if (tau == level.sort.steps()) {
    station_ = SortStation(1);
    sort_ = has_packet() ? SortState::waiting : SortState::none;
    return;
  }
  if (station_.key() == SortStation::none) {
    if (other == SortStation::none && !has_packet()) return;
    station_ = SortStation(level.s);
  }
  station_.step(view, level.sort, tau, other, [this, &view, &level](const Flit& flit) {
    return static_cast<SortStation::Key>(local(view, flit.destination, level).column);
  });
  const bool takes_part = station_.key() != SortStation::none || has_packet();
  sort_ = !takes_part ? SortState::none : level.sort.phase(tau).axis == 0 ? SortState::columns : SortState::rows;
  if (takes_part) wake_ = view.step() + 1;
}

/// Free links carry the front of their queue.
void ConstantQueueController::serve(FlitView& view) {
  bool more = false, rest = false;
  for (Port port = 0; port < view.buffers(); ++port) {
    if (view.empty(port)) continue;
    if (!is_open(view, view.front(port))) {
      rest = true;
      continue;
    }
    if ((used_ >> port & 1) == 0) {
      Flit flit = view.pop(port);
      Route(flit).cross(view.grid().axis_of(port) == 0);
      view.send(port, flit);
      if (view.empty(port)) continue;
    }
    more = true;
  }
  if (more) wake_ = view.step() + 1;
  else if (rest && wake_ == no_step) wake_ = program_->next_change(view.step());
}

/// True if the front of a queue may leave. Resting packets are behind all others.
bool ConstantQueueController::is_open(const FlitView& view, const Flit& front) const {
  const Level& level = program_->levels[Route::level_of(front)];
  switch (Route::stage_of(front)) {
    case Stage::sort:
    case Stage::home: return false;
    case Stage::column:
      if (program_->frozen && !level.is_base() && view.step() - level.start < level.columns()) return false;
      return front.header[1] != 0;
    default: return true;
  }
}

// ---- Packets

void ConstantQueueController::take_in(FlitView& view, Flit& flit) {
  const Route route(flit);
  const Level& level = program_->levels[route.level()];
  if (route.stage() == Stage::home) arrive(view, flit);
  else if (level.is_base()) greedy(view, flit);
  else if (route.packet_class() == PacketClass::critical) critical(view, flit, level);
  else ordinary(view, flit, level);
}

/// Called when a level begins: the packet gets its class, and its first route.
void ConstantQueueController::enter(FlitView& view, Flit& flit, std::size_t number) {
  const Level& level = program_->levels[number];
  const Local from = local(view, view.node(), level), to = local(view, flit.destination, level);
  Route route(flit);
  if (level.is_base()) {
    route.begin(number, PacketClass::greedy, false);
    route.set_stage(Stage::row);
    route.set(to.column - from.column, to.row - from.row);
    return greedy(view, flit);
  }
  const PacketClass packet_class = classify(level, from, to);
  if (packet_class == PacketClass::critical) {
    route.begin(number, packet_class, false);
    route.set_stage(Stage::block);
    // Through the row block of the destination to the region of the next level, next to the middle.
    route.set((from.column < level.m ? 4 : -4) * level.m, (from.row < level.m ? 7 : -7) * level.m);
    return critical(view, flit, level);
  }
  const bool special = packet_class != PacketClass::type_two && (to.row < level.m || to.row >= 7 * level.m);
  route.begin(number, packet_class, special);
  route.set_stage(Stage::sort);
  if (level.sort.steps() > 0) {  // else the station would not be empty before the next level sorts
    station_ = SortStation(level.s);
    station_.enter(static_cast<SortStation::Key>(to.column));
  }
  sort_ = SortState::waiting;
  ordinary(view, flit, level);
}

/// Critical packets move in every step except those of the next level, as blocks, and are never delayed.
void ConstantQueueController::critical(FlitView& view, Flit& flit, const Level& level) {
  const Route route(flit);
  const Step tau = view.step() - level.start;
  if (route.across() != 0 || route.down() != 0)
    straight(view, flit, tau < level.rows() ? level.vertical_first(tau) : route.down() != 0);
  else if (tau < level.ascent()) enter(view, flit, route.level() + 1);
  else arrive(view, flit);
}

void ConstantQueueController::ordinary(FlitView& view, Flit& flit, const Level& level) {
  Route route(flit);
  if (route.stage() == Stage::sort) {
    if (view.step() - level.start < level.rows()) return view.push(0, flit, rank_of(Rank::resting));
    route.set_stage(Stage::block);
    const Local move =
        route.packet_class() >= PacketClass::near_block ? block_move(level, local(view, view.node(), level)) : Local{};
    route.set(move.column, move.row);
  }
  if (route.stage() == Stage::block) {
    // Across first: the column links carry no other packets then, and critical packets are elsewhere.
    if (route.across() != 0 || route.down() != 0) return straight(view, flit, route.across() == 0);
    route.set_stage(Stage::row);
    const Local at = local(view, view.node(), level), to = local(view, flit.destination, level);
    route.set(to.column - at.column, to.row - at.row - (route.special() ? detour(view, flit, level) : 0));
  }
  if (route.stage() == Stage::row) {
    if (route.across() != 0) {
      if (route.packet_class() < PacketClass::near_block) return straight(view, flit, false);
      return queue(view, flit, false,
                   rank_of(route.packet_class() == PacketClass::near_block ? Rank::near_row : Rank::far_row));
    }
    if (route.level() == 0)
      (route.packet_class() == PacketClass::type_two ? latest_row_two_ : latest_row_one_) = view.step();
    route.set_stage(Stage::column);
  }
  along_column(view, flit, level);
}

void ConstantQueueController::along_column(FlitView& view, Flit& flit, const Level& level) {
  Route route(flit);
  if (route.special() && route.stage() == Stage::column) {
    if (view.step() - level.start < level.release()) {
      if (route.down() == 0)
        view.push(view.grid().port_along(0, detour(view, flit, level)), flit, rank_of(Rank::resting));
      else queue(view, flit, true, rank_of(Rank::special, route.down()));
      return;
    }
    route.set_stage(Stage::release);
    route.set(0, route.down() + detour(view, flit, level));
  }
  if (route.down() == 0) return arrive(view, flit);
  queue(view, flit, true, rank_of(Rank::column, route.down()));
}

/// The base level: along the row, without conflicts, then along the column.
void ConstantQueueController::greedy(FlitView& view, Flit& flit) {
  Route route(flit);
  if (route.across() != 0) return straight(view, flit, false);
  route.set_stage(Stage::column);
  if (route.down() == 0) arrive(view, flit);
  else queue(view, flit, true, rank_of(Rank::column, route.down()));
}

/// At the destination of the packet's level: it is consumed there, or waits until the level above resumes it.
void ConstantQueueController::arrive(FlitView& view, Flit& flit) {
  Route route(flit);
  if (route.level() == 0) return view.eject(flit);
  const Level& above = program_->levels[route.level() - 1];
  if (view.step() - above.start < above.ascent()) {
    route.set_stage(Stage::home);
    return view.push(0, flit, rank_of(Rank::resting));
  }
  route.begin(route.level() - 1, PacketClass::critical, false);
  route.set_stage(Stage::block);
  route.set((local(view, view.node(), above).column < 4 * above.m ? -3 : 3) * above.m, 0);
  critical(view, flit, above);
}

void ConstantQueueController::straight(FlitView& view, Flit& flit, bool vertical) {
  Route route(flit);
  const Port port = view.grid().port_along(vertical ? 0 : 1, vertical ? route.down() : route.across());
  route.cross(vertical);
  used_ |= PortMask{1} << port;
  view.send(port, flit);
}

void ConstantQueueController::queue(FlitView& view, Flit& flit, bool vertical, std::int64_t rank) {
  const Route route(flit);
  view.push(view.grid().port_along(vertical ? 0 : 1, vertical ? route.down() : route.across()), flit, rank);
}

}  // namespace starloom::links
