// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/west_first.hpp>

#include <starloom/routing/turn_model.hpp>

namespace starloom::routing {
namespace {

class WestFirst final : public TurnModel {
 public:
  using TurnModel::TurnModel;
  void offer(const Offset& to, const Head& /*head*/, Offers& offers) const override {
    if (to.east < 0) return offers.add(west);
    if (to.east > 0) offers.add(east);
    if (to.south < 0) offers.add(north);
    if (to.south > 0) offers.add(south);
  }
};

}  // namespace

FunctionEntry west_first_entry() {
  return turn_model_entry<WestFirst>("west-first",
                                     "west before any other direction, then adaptive (Glass and Ni 1992)");
}

}  // namespace starloom::routing
