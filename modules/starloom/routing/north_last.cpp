// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/north_last.hpp>

#include <starloom/routing/turn_model.hpp>

namespace starloom::routing {
namespace {

class NorthLast final : public TurnModel {
 public:
  using TurnModel::TurnModel;
  void offer(const Offset& to, const Head& /*head*/, Offers& offers) const override {
    if (to.east > 0) offers.add(east);
    if (to.east < 0) offers.add(west);
    if (to.south > 0) offers.add(south);
    if (to.south < 0 && to.east == 0) offers.add(north);
  }
};

}  // namespace

FunctionEntry north_last_entry() {
  return turn_model_entry<NorthLast>("north-last",
                                     "adaptive, and north only as the last direction (Glass and Ni 1992)");
}

}  // namespace starloom::routing
