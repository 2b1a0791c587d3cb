// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/multistage/rank_sweep.hpp>

#include <stdexcept>

#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

Declaration declare() {
  Declaration d;
  d.storage = StorageModel::never_standing;
  return d;
}

}  // namespace

RankSweep::RankSweep(const Grid& mesh, const OneBendOptions& options, RankRange range)
    : Algorithm(declare()), mesh_(mesh), options_(options), range_(range) {
  const std::uint64_t all = permutations_of(mesh.nodes());
  if (range.from > all || range.count > all - range.from)
    throw InputError("ranks from " + std::to_string(range.from) + ", " + std::to_string(range.count) +
                     " of them, but there are " + std::to_string(all) + " permutations");
}

std::unique_ptr<ControllerArray> RankSweep::make_controllers() const {
  throw std::logic_error("a range of ranks is planned without hardware; set model: message");
}

std::map<std::string, double> RankSweep::metrics() const {
  const RankCounts counts = count_ranks(mesh_, options_, range_.from, range_.count);
  return {{"above_distance", static_cast<double>(counts.above_distance)},
          {"planned", static_cast<double>(counts.planned)},
          {"worst_gap", static_cast<double>(counts.worst_gap)}};
}

}  // namespace starloom::links
