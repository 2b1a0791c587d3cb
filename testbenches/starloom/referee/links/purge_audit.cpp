// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/purge_audit.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace starloom::links {

PurgeAudit::PurgeAudit(const CheckContext& context) : context_(context), wires_(context) {
  const RouterRules& rules = *context.rules().router;
  longest_ = rules.stages.crossbar_steps;
  for (const RouterRules::Stages& stages : rules.stages_of_nodes)
    longest_ = std::max<Step>(longest_, stages.crossbar_steps);
  longest_ += 2;  // the registers in front of a link and of the processor
}

void PurgeAudit::word(Step step, std::size_t buffer) {
  wires_.check_word(step, buffer);
  words_[buffer].push_back(step);
}

bool PurgeAudit::take(std::size_t buffer, Step left) {
  return wires_.is_silent(location_of(buffer), left) ||
         take_words(buffer, left + credit_word, left + credit_word, 1) == 1;
}

/// \return their number.
std::int64_t PurgeAudit::take_words(std::size_t buffer, Step from, Step to, std::int64_t most) {
  const auto words = words_.find(buffer);
  std::int64_t taken = 0;
  if (words == words_.end()) return taken;
  std::vector<Step>& all = words->second;
  for (auto at = all.begin(); at != all.end() && taken < most;) {
    if (*at < from || *at > to) {
      ++at;
      continue;
    }
    at = all.erase(at);
    ++taken;
  }
  if (all.empty()) words_.erase(words);
  return taken;
}

bool PurgeAudit::vanish(const TraceRow& row, std::size_t buffer) {
  Vanished& vanished = purges_[row.step].buffers[buffer];
  ++vanished.flits;
  if (context_.packet(row.packet).destination == row.node) ++vanished.consumed_here;
  return may_be_of_before(buffer, row.step);
}

bool PurgeAudit::may_have_left(std::size_t buffer, Step step) const {
  return words_.count(buffer) != 0 || wires_.was_silent(location_of(buffer), step - longest_, step);
}

bool PurgeAudit::is_isolated(Step purged) const {
  const auto own = purges_.find(purged), next = std::next(own);
  return (own == purges_.begin() || std::prev(own)->first < purged - longest_) &&
         (next == purges_.end() || next->first > purged + longest_);
}

/// True if a word may be of a flit that vanished and has not been settled.
bool PurgeAudit::may_settle(Step word) const {
  const auto last = purges_.upper_bound(word + longest_);
  return std::any_of(purges_.lower_bound(word - credit_word), last,
                     [](const auto& purge) { return !purge.second.settled; });
}

std::vector<PurgeAudit::Places> PurgeAudit::settle(Step now) {
  std::vector<Places> places;
  for (auto& [step, purge] : purges_)
    if (!purge.settled && step + longest_ < now) {
      purge.settled = true;
      purge.is_isolated = is_isolated(step);
      if (purge.is_isolated) settle(step, purge, places);
    }
  // By now, a flit that moves on has taken its word.
  std::vector<std::pair<std::size_t, Step>> unexplained;
  for (const auto& [buffer, steps] : words_)
    for (const Step step : steps)
      if (step + longest_ <= now && !may_settle(step)) unexplained.emplace_back(buffer, step);
  for (const auto& [buffer, step] : unexplained) {
    take_words(buffer, step, step, 1);
    explain(step, buffer, places);
  }
  purges_.erase(purges_.begin(), purges_.lower_bound(now - 4 * longest_));
  // A repair counts places anew.
  places.erase(std::remove_if(places.begin(), places.end(),
                              [&](const Places& more) {
                                return was_repaired(location_of(more.buffer), more.returned - credit_word, now);
                              }),
               places.end());
  return places;
}

/// A word where several purges are close to one another. If it may be of several flits, fewer places count as taken
/// than may be.
void PurgeAudit::explain(Step step, std::size_t buffer, std::vector<Places>& places) const {
  bool of_buffer = false;
  const auto last = purges_.upper_bound(step + longest_);
  for (auto purge = purges_.lower_bound(step - credit_word); purge != last; ++purge)
    of_buffer = of_buffer || (!purge->second.is_isolated && purge->second.buffers.count(buffer) > 0);
  const auto purge = purges_.find(step - credit_word);
  const bool of_link = location_of(buffer) < context_.link_slots();
  const bool of_register =
      of_link && purge != purges_.end() && !purge->second.is_isolated &&
      std::any_of(purge->second.buffers.begin(), purge->second.buffers.end(), [&](const auto& vanished) {
        return node_of(vanished.first) == context_.near_end(static_cast<LinkId>(location_of(buffer)));
      });
  if (!of_buffer && !of_register) wires_.reject(step, buffer, "a credit is returned, but no flit has left");
  if (!of_buffer) places.push_back({buffer, 1, step});
}

/// With the words of a purge that no other one is close to.
void PurgeAudit::settle(Step purged, const Purge& purge, std::vector<Places>& places) {
  struct AtNode {
    std::int64_t left = 0;    ///< flits that may have vanished behind the switch
    std::int64_t unsure = 0;  ///< of them, those that need not return a place from behind a link
  };
  const Step returned = purged + credit_word;
  std::map<NodeId, AtNode> nodes;
  for (const auto& [buffer, flits] : purge.buffers) {
    // An in-port returns one of these words in a step; the first one is of a flit that was on its way to the processor.
    std::int64_t left = 0;
    for (Step step = returned - longest_ + (flits.consumed_here > 0 ? 0 : 1); step <= purged && left < flits.flits;
         ++step)
      left += take_words(buffer, step, step, 1);
    const std::int64_t back = take_words(buffer, returned, returned, flits.flits - left);
    const std::int64_t without = flits.flits - left - back;
    AtNode& node = nodes[node_of(buffer)];
    node.left += left + without;
    node.unsure += std::min(left, flits.consumed_here) + without;
    if (may_be_of_before(buffer, purged)) places.push_back({buffer, back, returned});
    if (without > 0 && !wires_.was_silent(location_of(buffer), purged - longest_, purged))
      wires_.reject(returned, buffer, "a flit has vanished, but no credit is returned for");
  }
  std::vector<std::size_t> others;
  for (const auto& [buffer, steps] : words_)
    if (std::count(steps.begin(), steps.end(), returned) > 0) others.push_back(buffer);
  for (const std::size_t buffer : others) {
    const std::int64_t words = take_words(buffer, returned, returned, most_steps);
    const bool of_link = location_of(buffer) < context_.link_slots();
    AtNode* const sender = of_link ? &nodes[context_.near_end(static_cast<LinkId>(location_of(buffer)))] : nullptr;
    if (sender == nullptr || sender->left < words)
      wires_.reject(returned, buffer, "a credit is returned, but no flit has left");
    sender->left -= words;
    places.push_back({buffer, words, returned});
  }
  for (const auto& [node, flits] : nodes) {
    if (flits.left <= flits.unsure) continue;
    bool all_alive = true;
    for (const Port port : context_.graph().out_ports(node))
      all_alive = all_alive && !wires_.is_silent(static_cast<std::size_t>(context_.link(node, port)), purged);
    if (all_alive)
      CheckContext::reject(returned, node, context_.node_name(node),
                           "a flit has vanished in front of a link, but no credit is returned from behind that");
  }
}

}  // namespace starloom::links
