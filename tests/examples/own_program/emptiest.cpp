// SPDX-License-Identifier: Apache-2.0
#include "emptiest.hpp"

namespace own {

using namespace starloom;

namespace {

class Emptiest final : public Selection {
 public:
  std::size_t select(const Candidate* candidates, std::size_t count, NodeId /*node*/,
                     const std::function<std::uint32_t()>& /*word*/) const override {
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i)
      if (candidates[i].open_channels > candidates[best].open_channels) best = i;
    return best;
  }
};

}  // namespace

SelectionEntry emptiest_entry() {
  SelectionEntry entry;
  entry.name = "emptiest";
  entry.meaning = "the port with the most channels to give";
  entry.make = [](const KeyValues&) { return std::make_unique<Emptiest>(); };
  return entry;
}

}  // namespace own
