// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/sliding_diagonals/timetable.hpp>

#include <algorithm>
#include <string>

#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

[[noreturn]] void refuse_constants(const std::string& text) { throw InputError("sliding-diagonals: " + text); }

void require_constant(bool holds, const std::string& text) {
  if (!holds) refuse_constants(text);
}

/// The basic sizes; checked before any division by them.
DiagonalConstants checked(const DiagonalConstants& c) {
  const auto text = [](std::int64_t number) { return std::to_string(number); };
  require_constant(c.dimensions >= 2, "needs a torus of two or more dimensions");
  require_constant(c.side >= 4, "needs rings of at least 4 nodes, not " + text(c.side));
  require_constant(c.a >= 1 && c.b >= 1 && c.flits >= 1, "a, b and flits are at least 1");
  const std::int64_t apart = std::int64_t{c.a} * c.b * c.flits;
  require_constant(apart <= c.side, "a*b*flits is " + text(apart) + ", but a ring has " + text(c.side) +
                                        " nodes: there is no room for a worm");
  require_constant(c.width >= 2, "w0 is at least 2");
  require_constant(2 * std::int64_t{c.width} <= c.side,
                   "w0 is " + text(c.width) + ", but at least two blocks must fit into " + text(c.side) + " columns");
  require_constant(std::int64_t{c.flits} * c.width <= c.side, "flits*w0 is " + text(std::int64_t{c.flits} * c.width) +
                                                                  ", but there are " + text(c.side) + " rows");
  return c;
}

}  // namespace

Blocks::Blocks(std::int32_t side, std::int32_t count) {
  const auto cut = [side, count](std::int64_t k) { return static_cast<std::int32_t>(k * side / count); };
  for (std::int32_t k = 0; k < count; ++k)
    for (std::int32_t i = cut(k); i < cut(k + 1); ++i) {
      block_.push_back(k);
      base_.push_back(cut(k));
      size_.push_back(cut(k + 1) - cut(k));
      largest_ = std::max(largest_, size_.back());
    }
}

DiagonalTimetable::DiagonalTimetable(const DiagonalConstants& constants)
    : constants_(checked(constants)),
      spacing_(constants.b * constants.flits),
      diagonals_(constants.side / spacing_),
      ring_positions_(diagonals_ / constants.a),
      columns_(constants.side, constants.side / constants.width),
      rows_(constants.side, constants.side / (constants.flits * constants.width)) {
  const std::int32_t steps = n() + flits();  // every node has seen every position, and the bodies have followed
  if (constants_.forward == 0) constants_.forward = 2 * flits() * width();
  if (constants_.rounds == 0) constants_.rounds = width();
  check();
  const std::int32_t forward = constants_.forward;
  if (constants_.registers_only && dimensions() > 2) prelude_ = steps;
  first_pass_ = steps;
  second_pass_ = 2 * steps;
  back_ = 3 * steps;
  forth_ = back_ + flits() + width();
  rounds_ = forth_ + flits();
  round_steps_ = 2 * forward + 2 * flits();
  rounds_end_ = rounds_ + constants_.rounds * round_steps_;
  // The worm that turns last climbs and sinks a whole block.
  settled_ = rounds_end_ + std::max(0, forward + 2 * height() + flits() - round_steps_);
  by_unit_ = Reciprocal(static_cast<std::uint32_t>(stage_steps() + (dimensions() > 2 ? 0 : final_steps())));
  by_round_ = Reciprocal(static_cast<std::uint32_t>(round_steps_));
}

void DiagonalTimetable::check() const {
  const std::int32_t forward = constants_.forward;
  require_constant(constants_.rounds >= 1, "R is at least 1");
  require_constant(constants_.thinning >= 1, "g is at least 1");
  // A worm may be up to 2w - 1 columns before its own, and tries at the offsets 0 .. F-1.
  require_constant(forward >= 2 * width(), "F is " + std::to_string(forward) + ", but worms wait up to 2w - 1 = " +
                                               std::to_string(2 * width() - 1) + " columns before their own: F >= 2w");
  require_constant(2 * forward + 2 * flits() >= forward + height() + flits(),
                   "F is " + std::to_string(forward) + ", too little for a climb of " + std::to_string(height()) +
                       " rows to end within its round");
}

std::int64_t DiagonalTimetable::batches(std::int64_t fullest_ring, bool first) const {
  const std::int64_t worms = first && dimensions() > 2 ? constants_.thinning * fullest_ring : fullest_ring;
  return (worms + ring_positions_ - 1) / ring_positions_;
}

std::int64_t DiagonalTimetable::pass_steps(std::int64_t batches) const {
  return slot_start(2 * (batches - 1) + dimensions() - 1) + final_steps();
}

RowRule DiagonalTimetable::row_rule(std::int32_t tau) const {
  const std::int32_t t = tau - prelude_;
  if (t < first_pass_) return {};
  if (t < second_pass_) return {false, t < first_pass_ + n() ? Turn::own_block : Turn::none};
  if (t < back_) return {false, t < second_pass_ + n() ? Turn::any : Turn::none};
  if (t < forth_) return {true, Turn::none};
  if (t < rounds_ || t >= rounds_end_) return {};
  const auto q = static_cast<std::int32_t>(by_round_.remainder(static_cast<std::uint32_t>(t - rounds_)));
  if (q < constants_.forward) return {false, Turn::own_column};
  return {q < 2 * constants_.forward + flits(), Turn::none};
}

// Diagonal positions decrease by one per step. Among the diagonals k that a row may use, (k + y) mod a = 0, the next
// is the greatest one with a position kbL that is not above the position that passes now; after position 0 it is the
// greatest of all.
std::int32_t DiagonalTimetable::next_position(std::int32_t x, std::int32_t y, std::int32_t from) const {
  const std::int32_t p = position(x, y, from);
  const auto usable_down_from = [this, y](std::int32_t k) { return k - (k + y) % constants_.a; };
  std::int32_t wait = 0;
  if (const std::int32_t k = usable_down_from(std::min(p / spacing_, diagonals_ - 1)); k >= 0) wait = p - k * spacing_;
  else wait = p + n() - usable_down_from(diagonals_ - 1) * spacing_;
  return from + wait < entry_ends() ? from + wait : -1;
}

// Rows start counting their usable diagonals at different ones: if all rows started at the first, the first diagonals
// would be full and the last empty.
std::int32_t DiagonalTimetable::position_of_rank(std::int32_t x, std::int32_t y, std::int32_t rank) const {
  const std::int32_t first = (constants_.a - y % constants_.a) % constants_.a;
  const std::int32_t usable = (diagonals_ - first + constants_.a - 1) / constants_.a;
  if (rank >= usable) return -1;
  const std::int32_t k = first + (rank + y / constants_.a) % usable * constants_.a;
  return prelude_ + position(x, y, prelude_ + k * spacing_);
}

}  // namespace starloom::links
