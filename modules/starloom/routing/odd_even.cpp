// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/odd_even.hpp>

#include <starloom/routing/turn_model.hpp>

namespace starloom::routing {
namespace {

class OddEven final : public TurnModel {
 public:
  using TurnModel::TurnModel;
  void offer(const Offset& to, const Head& head, Offers& offers) const override {
    const bool odd_column = mesh().coordinate(head.node, 1) % 2 != 0;
    const auto offer_vertical = [&] {
      if (to.south != 0) offers.add(to.south < 0 ? north : south);
    };
    if (to.east == 0) return offer_vertical();
    if (to.east < 0) {
      offers.add(west);
      if (!odd_column) offer_vertical();  // here it may turn west later
      return;
    }
    const bool goes_east = head.in_port == west;
    const bool odd_destination = mesh().coordinate(head.destination, 1) % 2 != 0;
    // The packet must be able to turn in the column of its destination, or have turned before.
    if (to.south == 0 || odd_destination || to.east != 1) offers.add(east);
    if (odd_column || !goes_east) offer_vertical();
  }
};

}  // namespace

FunctionEntry odd_even_entry() {
  return turn_model_entry<OddEven>("odd-even", "adaptive; the parity of the column restricts turns (Chiu 2000)");
}

}  // namespace starloom::routing
