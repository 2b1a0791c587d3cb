// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file How nodes count worms together: words on the side wires that go round rings.
#include <algorithm>
#include <cstdint>

#include <starloom/control/links/controller.hpp>

namespace starloom::links {

/// Words that go round a ring in both directions, one link per step, so that after half a ring every node has
/// received the words of all others. The side wire of the in-port that faces a neighbour leads to that neighbour.
class RingWords {
 public:
  RingWords(View& view, int axis)
      : view_(view),
        side_(view.grid().side(axis)),
        here_(view.grid().coordinate(view.node(), axis)),
        up_(view.grid().port_along(axis, 1)),
        down_(view.grid().port_along(axis, -1)) {}

  /// Steps until a word has reached its last node.
  static std::int32_t reach(std::int32_t side) { return side / 2; }

  void send(std::uint32_t word) {
    view_.write_reverse(up_, word);
    view_.write_reverse(down_, word);
  }
  /// Forwards the words that were sent `distance` steps ago; `hear(word, origin)`: the origin by its coordinate.
  template <class Hear>
  void pass_on(std::int32_t distance, Hear&& hear) {
    const std::int32_t upwards = reach(side_), downwards = side_ - 1 - upwards;
    if ((view_.reverse_words() >> down_ & 1) != 0)
      take(view_.reverse_word(down_), (here_ - distance + side_) % side_, up_, distance < upwards, hear);
    if ((view_.reverse_words() >> up_ & 1) != 0)
      take(view_.reverse_word(up_), (here_ + distance) % side_, down_, distance < downwards, hear);
  }
  std::int32_t here() const { return here_; }

 private:
  template <class Hear>
  void take(std::uint32_t word, std::int32_t origin, Port onwards, bool further, Hear&& hear) {
    hear(word, origin);
    if (further) view_.write_reverse(onwards, word);
  }

  View& view_;
  std::int32_t side_, here_;
  Port up_, down_;
};

/// Counts the worms of the rings of dimension 1, and finds the fullest of all rings: the counts of the nodes go round
/// their rings, then the maximum so far round the rings of dimension 2, 3, ... A node without worms sends no words,
/// and need not even be awake; a node that receives no words until the end knows that there are no worms.
class RingCensus {
 public:
  void open(Step begins, const Grid& grid) {
    begins_ = begins;
    half_ = RingWords::reach(grid.side(0));
    ends_ = begins + std::int64_t{half_} * grid.dimensions();
    before_ = fullest_ = 0;
  }
  void close() { begins_ = ends_ = no_step; }
  bool is_open() const { return begins_ != no_step; }
  Step begins() const { return begins_; }
  Step ends() const { return ends_; }

  /// Called in the first step: the number of worms of this node.
  void announce(View& view, std::int32_t own) {
    fullest_ = own;
    if (own > 0) RingWords(view, 0).send(static_cast<std::uint32_t>(own));
  }
  /// Called in each later step until the end: receives words, forwards them, and sends its result to the next
  /// dimension.
  void listen(View& view) {
    const auto since = static_cast<std::int32_t>(view.step() - begins_);
    const int axis = (since - 1) / half_;
    RingWords words(view, axis);
    words.pass_on(since - axis * half_, [&](std::uint32_t word, std::int32_t origin) {
      const auto worms = static_cast<std::int32_t>(word);
      fullest_ = axis == 0 ? fullest_ + worms : std::max(fullest_, worms);
      if (axis == 0 && origin < words.here()) before_ += worms;
    });
    if (since % half_ == 0 && view.step() < ends_ && fullest_ > 0)
      RingWords(view, axis + 1).send(static_cast<std::uint32_t>(fullest_));
  }
  /// The next step in which this node has to run with its current knowledge, if it runs in none before.
  Step next_step(Step now) const {
    if (now < begins_) return begins_;
    if (now >= ends_) return no_step;
    return fullest_ == 0 ? ends_ : begins_ + ((now - begins_) / half_ + 1) * half_;
  }

  /// Worms in the same ring at nodes of lower coordinates.
  std::int32_t before() const { return before_; }
  /// Worms of the fullest ring; 0 if there are none.
  std::int32_t fullest() const { return fullest_; }

 private:
  Step begins_ = no_step, ends_ = no_step;
  std::int32_t half_ = 1;
  std::int32_t before_ = 0, fullest_ = 0;
};

}  // namespace starloom::links
