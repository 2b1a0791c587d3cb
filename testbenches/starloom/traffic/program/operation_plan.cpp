// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/program/operation_plan.hpp>

#include <algorithm>
#include <map>

#include <starloom/support/numbers.hpp>

namespace starloom {
std::int32_t OperationPlan::number_of(Chunk chunk) {
  if (chunk.block == no_block) return -1;
  const auto b = static_cast<std::size_t>(chunk.block), p = static_cast<std::size_t>(chunk.piece);
  if (b >= chunk_of_.size()) chunk_of_.resize(b + 1);
  if (p >= chunk_of_[b].size()) chunk_of_[b].resize(p + 1, -1);
  std::int32_t& number = chunk_of_[b][p];
  if (number < 0) {
    number = static_cast<std::int32_t>(chunks_.size());
    chunks_.push_back(chunk);
  }
  return number;
}

PlanItem OperationPlan::add(const Item& item, const std::vector<PlanItem>& after) {
  const auto number = static_cast<PlanItem>(items_.size());
  items_.push_back(item);
  // Place 0 is that of the entry.
  std::uint32_t place = 0;
  for (const PlanItem awaited : after) edges_.push_back({awaited, {number, ++place}});
  items_.back().waits_for = static_cast<std::uint32_t>(after.size());
  OfRank& sender = items_of_[static_cast<std::size_t>(item.from)];
  if (item.after_entry) sender.after_entry.push_back(number);
  ++sender.count;
  each_receiver(item, [&](std::int32_t rank) {
    if (rank != item.from) ++items_of_[static_cast<std::size_t>(rank)].count;
  });
  return number;
}

PlanItem OperationPlan::event(std::int32_t rank, Step delay, const std::vector<PlanItem>& after, bool after_entry) {
  return add({rank, rank, 0, -1, delay, 0, after_entry}, after);
}

PlanItem OperationPlan::send_piece(std::int32_t from, std::int32_t to, Chunk chunk, std::int32_t flits, bool reduced,
                                   const std::vector<PlanItem>& after) {
  const std::int32_t carried = number_of(chunk);
  const PlanItem message = add({from, to, flits, carried, 0, 0, true}, after);
  const Step delay = reduced ? static_cast<Step>(rounded_up(flits * reduce_)) : 0;
  if (delay == 0) return message;
  const PlanItem reduction = event(to, delay, {message}, false);
  items_[reduction].chunk = carried;
  return reduction;
}

std::vector<PlanItem> OperationPlan::send(std::int32_t from, std::int32_t to, std::int32_t block, std::int64_t flits,
                                          bool reduced, const std::vector<PlanItem>& after) {
  return send_pieces(from, to, block, flits, reduced,
                     std::vector<std::vector<PlanItem>>(static_cast<std::size_t>(pieces_of(flits)), after));
}

std::vector<PlanItem> OperationPlan::send_pieces(std::int32_t from, std::int32_t to, std::int32_t block,
                                                 std::int64_t flits, bool reduced,
                                                 const std::vector<std::vector<PlanItem>>& after) {
  std::vector<PlanItem> there;
  for (std::size_t piece = 0; flits > 0; ++piece) {
    const auto size =
        static_cast<std::int32_t>(longest_piece_ == 0 ? flits : std::min<std::int64_t>(flits, longest_piece_));
    flits -= size;
    there.push_back(send_piece(from, to, {block, static_cast<std::int32_t>(piece)}, size, reduced, after[piece]));
  }
  return there;
}

void OperationPlan::close() {
  first_.assign(items_.size() + 1, 0);
  for (const Edge& edge : edges_) ++first_[edge.awaited + std::size_t{1}];
  for (std::size_t item = 0; item < items_.size(); ++item) first_[item + 1] += first_[item];
  dependants_.resize(edges_.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const Edge& edge : edges_) dependants_[next[edge.awaited]++] = edge.dependant;
  edges_ = {};
  chunk_of_ = {};
}

std::int64_t OperationPlan::busiest() const {
  std::vector<std::int64_t> sent(items_of_.size()), received(items_of_.size());
  for (const Item& item : items_) {
    sent[static_cast<std::size_t>(item.from)] += item.flits;
    each_receiver(item, [&](std::int32_t rank) { received[static_cast<std::size_t>(rank)] += item.flits; });
  }
  std::int64_t most = 0;
  for (const auto& flits : {sent, received}) most = std::max(most, *std::max_element(flits.begin(), flits.end()));
  return most;
}

std::vector<OperationPlan::Flow> OperationPlan::flows() const {
  std::vector<std::map<std::int32_t, std::int64_t>> sent(items_of_.size());
  for (const Item& item : items_)
    if (item.flits > 0) sent[static_cast<std::size_t>(item.from)][item.to] += item.flits;
  std::vector<Flow> flows;
  for (std::size_t from = 0; from < sent.size(); ++from)
    for (const auto& [to, flits] : sent[from]) flows.push_back({static_cast<std::int32_t>(from), to, flits});
  return flows;
}

}  // namespace starloom
