// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/work.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/config/document.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

constexpr std::int64_t most_shards = 1'000'000;
constexpr std::int64_t most_runs_in_batch = 10'000;
/// Long compared with the transfer of a batch, short compared with a user's patience.
constexpr double batch_seconds = 0.1;

}  // namespace

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto index = parse_integer(text.substr(0, slash));
    const auto count = parse_integer(text.substr(slash + 1));
    if (index && count && *index >= 0 && *index < *count && *count <= most_shards) return {*index, *count};
  }
  throw InputError(fmt::format("--shard {}: the form is --shard i/n with 0 <= i < n, e.g. --shard 0/4", text));
}

Intervals shard_runs(const Shard& shard, std::int64_t point, std::int64_t runs) {
  const std::int64_t part = (shard.index + shard.count - point % shard.count) % shard.count;
  const Interval mine{part * runs / shard.count, (part + 1) * runs / shard.count};
  return mine.size() > 0 ? Intervals{mine} : Intervals{};
}

void WorkList::add(std::int32_t point, const Interval& runs) {
  pieces_.push_back({point, runs});
  sorted_ = false;
  left_ += runs.size();
  if (seconds_.size() <= static_cast<std::size_t>(point)) seconds_.resize(static_cast<std::size_t>(point) + 1);
}

void WorkList::give_back(std::int32_t point, const Interval& runs) { add(point, runs); }

std::optional<Batch> WorkList::take() {
  if (pieces_.empty()) return std::nullopt;
  if (!sorted_)
    std::stable_sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
      return a.point != b.point ? a.point > b.point : a.runs.first > b.runs.first;
    });
  sorted_ = true;
  Piece& next = pieces_.back();
  const Batch batch{next.point, next.runs.first, std::min(next.runs.size(), batch_size(next.point))};
  next.runs.first += batch.count;
  if (next.runs.size() == 0) pieces_.pop_back();
  left_ -= batch.count;
  return batch;
}

void WorkList::learn(std::int32_t point, std::int64_t runs, double seconds) {
  if (runs > 0) seconds_[static_cast<std::size_t>(point)] = std::max(1e-9, seconds / static_cast<double>(runs));
}

std::int64_t WorkList::batch_size(std::int32_t point) const {
  const double one = seconds_[static_cast<std::size_t>(point)];
  if (one == 0) return 1;
  const auto wanted = static_cast<std::int64_t>(std::min(1e6, batch_seconds / one));
  // Towards the end, batches shrink so that all workers end together.
  const std::int64_t parts = std::int64_t{2} * jobs_;
  const std::int64_t share = (left_ + parts - 1) / parts;
  return std::clamp(std::min(wanted, share), std::int64_t{1}, most_runs_in_batch);
}

}  // namespace starloom
