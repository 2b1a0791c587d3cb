// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/ranks.hpp>

#include <starloom/core/rank_range.hpp>

namespace starloom {
namespace {

class Ranks final : public Traffic {
 public:
  explicit Ranks(RankRange range) : range_(range) {}
  void generate(Step /*from*/, Step /*to*/, std::vector<Packet>& /*out*/) override {}
  Step next_creation(Step /*from*/) const override { return no_step; }
  std::optional<Step> end() const override { return 0; }
  std::optional<RankRange> ranks() const override { return range_; }

 private:
  RankRange range_;
};

}  // namespace

PatternEntry ranks_entry() {
  PatternEntry entry;
  entry.name = "ranks";
  entry.meaning = "for planners: all permutations of a range of lexicographic ranks";
  entry.audience = Audience::theory;
  entry.keys = {integer_key("from", "first rank; 0 is the identity").by_default(0).at_least(0),
                integer_key("count", "number of ranks").at_least(0).is_required()};
  entry.make = [](const TrafficContext& /*context*/, const KeyValues& keys) {
    return std::make_unique<Ranks>(
        RankRange{static_cast<std::uint64_t>(keys.integer("from")), static_cast<std::uint64_t>(keys.integer("count"))});
  };
  return entry;
}

}  // namespace starloom
