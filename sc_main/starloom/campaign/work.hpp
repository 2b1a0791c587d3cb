// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The runs to be done, their assignment to workers, and the sizes of batches.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/campaign/intervals.hpp>

namespace starloom {

/// One of several machines: number `index` of `count`.
struct Shard {
  std::int64_t index = 0;
  std::int64_t count = 1;
};

/// `i/n` of --shard. \throws InputError unless 0 <= i < n.
Shard parse_shard(const std::string& text);

/// The runs of a point that a shard does. Every point is divided into as many parts as there are shards, with sizes
/// that differ by at most one run; parts rotate from point to point. Depends only on the given numbers.
Intervals shard_runs(const Shard& shard, std::int64_t point, std::int64_t runs);

/// Runs of one point, one after the other.
struct Batch {
  std::int32_t point = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// The remaining runs, in order, divided into batches of about the requested duration.
class WorkList {
 public:
  /// `jobs`: workers that share the work.
  explicit WorkList(int jobs) : jobs_(jobs) {}

  void add(std::int32_t point, const Interval& runs);
  /// Returns runs that a worker did not do, in front of the others.
  void give_back(std::int32_t point, const Interval& runs);
  std::optional<Batch> take();
  /// Records the time of these runs of a point.
  void learn(std::int32_t point, std::int64_t runs, double seconds);
  std::int64_t left() const { return left_; }

 private:
  struct Piece {
    std::int32_t point;
    Interval runs;
  };
  std::int64_t batch_size(std::int32_t point) const;

  int jobs_;
  std::vector<Piece> pieces_;  ///< the next is at the back
  bool sorted_ = true;
  std::vector<double> seconds_;  ///< [point], of one run; 0: not known
  std::int64_t left_ = 0;
};

}  // namespace starloom
