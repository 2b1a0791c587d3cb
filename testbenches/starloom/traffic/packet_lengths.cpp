// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/packet_lengths.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <starloom/schema/config_error.hpp>
#include <starloom/schema/key_text.hpp>

namespace starloom {
namespace {

constexpr double most_flits = std::numeric_limits<std::int32_t>::max();

}  // namespace

PacketLengths PacketLengths::uniform(std::int32_t shortest, std::int32_t longest) {
  PacketLengths lengths;
  lengths.shortest_ = shortest;
  lengths.longest_ = longest;
  lengths.mean_ = (static_cast<double>(shortest) + longest) / 2;
  const double count = static_cast<double>(longest) - shortest + 1;
  lengths.mean_square_ = lengths.mean_ * lengths.mean_ + (count * count - 1) / 12;
  return lengths;
}

PacketLengths PacketLengths::mix(const ShareList& shares) {
  PacketLengths lengths(static_cast<std::int32_t>(shares.front().first));
  lengths.mean_ = lengths.mean_square_ = 0;
  double sum = 0;
  for (const auto& [number, share] : shares) {
    const auto flits = static_cast<std::int32_t>(number);
    lengths.shortest_ = std::min(lengths.shortest_, flits);
    lengths.longest_ = std::max(lengths.longest_, flits);
    lengths.mean_ += share * flits;
    lengths.mean_square_ += share * flits * flits;
    lengths.parts_.push_back({flits, bernoulli_threshold(sum += share)});
  }
  lengths.parts_.back().below = std::uint64_t{1} << 32;
  return lengths;
}

std::int32_t PacketLengths::draw(RandomStream& words) const {
  if (fixed()) return shortest_;
  if (parts_.empty())
    return shortest_ + static_cast<std::int32_t>(words.bounded(static_cast<std::uint32_t>(longest_ - shortest_) + 1));
  const std::uint32_t word = words.word();
  return std::find_if(parts_.begin(), parts_.end(), [word](const Part& part) { return word < part.below; })->flits;
}

std::vector<KeySpec> length_keys() {
  return {integer_key("flits", "length of every packet").by_default(1).within(1, most_flits).measured_in("flits"),
          integer_list_key("flits.uniform",
                           "[shortest, longest]: the length of each packet is uniformly distributed between them")
              .within(1, most_flits)
              .measured_in("flits"),
          share_list_key("flits.mix",
                         "lengths and their shares, which add up to 1; each packet has one of these lengths at random")
              .within(1, most_flits)
              .measured_in("flits")};
}

PacketLengths packet_lengths(const KeyValues& keys) {
  const bool range = keys.has("flits.uniform"), mix = keys.has("flits.mix");
  if (range && mix) throw ConfigError("flits", "uniform and mix exclude each other; keep one of them");
  if (range) {
    const auto& bounds = keys.list("flits.uniform");
    if (bounds.size() != 2 || bounds[0] > bounds[1])
      throw ConfigError("flits.uniform", value_text(bounds) + " is not a range [shortest, longest]");
    return PacketLengths::uniform(static_cast<std::int32_t>(bounds[0]), static_cast<std::int32_t>(bounds[1]));
  }
  if (mix) {
    const ShareList& shares = keys.shares("flits.mix");
    double sum = 0;
    for (const auto& [flits, share] : shares) sum += share;
    // Decimal fractions are inexact in binary.
    if (std::abs(sum - 1) > 1e-9)
      throw ConfigError("flits.mix", "the shares add up to " + value_text(sum) + ", not to 1");
    return PacketLengths::mix(shares);
  }
  return PacketLengths(keys.has("flits") ? static_cast<std::int32_t>(keys.integer("flits")) : 1);
}

}  // namespace starloom
