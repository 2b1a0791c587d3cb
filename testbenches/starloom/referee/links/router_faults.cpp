// SPDX-License-Identifier: Apache-2.0
/// \file Rules of routers whose hardware dies and is repaired during the run.
#include <algorithm>

#include <starloom/referee/links/router_audit.hpp>

namespace starloom::links {

void RouterAudit::change(const FaultEvent& event) {
  if (purges_) purges_->change(event);
  if (retry_purges_) retry_purges_->change(event);
  if (event.dies || event.port == context_.graph().ports()) return;
  const std::size_t location =
      event.port == no_port ? local(event.node) : behind(context_.link(event.node, event.port));
  const auto channels = static_cast<std::size_t>(context_.rules().channels);
  for (std::size_t buffer = location * channels; buffer < (location + 1) * channels; ++buffer) {
    buffers_[buffer].returning.clear();
    buffers_[buffer].spent = static_cast<std::int64_t>(buffers_[buffer].flits.size());
    if (retry_purges_) retry_purges_->repair(buffer, buffers_[buffer].spent);
  }
}

/// The out-port of a flit is known if the head of its packet has entered the link there.
bool RouterAudit::uses(const TraceRow& row, const std::vector<FaultEvent>& deaths) const {
  const auto found = worms_.find(row.packet);
  if (found == worms_.end()) return false;
  const Worm& worm = found->second;
  const auto channels = static_cast<std::size_t>(context_.rules().channels);
  const std::size_t at = worm.at[static_cast<std::size_t>(row.flit)];
  const bool on_link = node_of(worm.path[at]) != row.node;
  const Packet& facts = context_.packet(row.packet);
  return std::any_of(deaths.begin(), deaths.end(), [&](const FaultEvent& death) {
    if (death.port == no_port) return row.node == death.node;
    if (death.port == context_.graph().ports()) return facts.source == death.node || facts.destination == death.node;
    const std::size_t link = behind(context_.link(death.node, death.port));
    if (row.node == death.node && row.port == death.port) return true;
    for (std::size_t i = 1; i < worm.path.size(); ++i)
      if (worm.path[i] / channels == link && (worm.at.back() < i || (at == i && on_link))) return true;
    return row.node == death.node && !on_link && at + 1 == worm.path.size();
  });
}

/// Its head has crossed all links of its path, and it owns their channels.
bool RouterAudit::uses(PacketId packet, const std::vector<FaultEvent>& deaths) const {
  const Packet& facts = context_.packet(packet);
  const std::vector<std::size_t>& path = worms_.at(packet).path;
  const auto channels = static_cast<std::size_t>(context_.rules().channels);
  return std::any_of(deaths.begin(), deaths.end(), [&](const FaultEvent& death) {
    if (death.port == context_.graph().ports()) return facts.source == death.node || facts.destination == death.node;
    return death.port != no_port && std::any_of(path.begin() + 1, path.end(), [&](std::size_t buffer) {
             return buffer / channels == behind(context_.link(death.node, death.port));
           });
  });
}

void RouterAudit::drop(const TraceRow& row) {
  const auto found = worms_.find(row.packet);
  if (found == worms_.end()) context_.reject(row, "vanishes, but is not in the network");
  const Worm& worm = found->second;
  vanished_.push_back(row.packet);
  const std::size_t buffer = worm.path[worm.at[static_cast<std::size_t>(row.flit)]];
  for (const std::size_t on_path : worm.path)
    if (buffers_[on_path].open == row.packet) buffers_[on_path].open = no_packet;
  Buffer& b = buffers_[buffer];
  const auto entry = std::find_if(b.flits.begin(), b.flits.end(),
                                  [&](const Entry& e) { return e.packet == row.packet && e.flit == row.flit; });
  if (retries_) return vanish(row, worm, entry);
  if (entry == b.flits.end()) context_.reject(row, "vanishes, but is in no buffer");
  const bool may_have_left = !rules_.credits || purges_->may_have_left(buffer, row.step);
  const Step free_from = may_have_left ? row.step - to_processor(row.node) + 1 : row.step;
  for (auto next = entry + 1; next != b.flits.end(); ++next)
    next->behind_vanished = std::max(next->behind_vanished, free_from);
  b.flits.erase(entry);
  if (rules_.credits && purges_->vanish(row, buffer)) --b.spent;
}

/// A flit vanishes behind which others wait. \param free_from the first step in which these can be at the front
void RouterAudit::remove(std::size_t buffer, Queue<Entry>::iterator entry, Step free_from) {
  Buffer& b = buffers_[buffer];
  for (auto next = entry + 1; next != b.flits.end(); ++next) {
    next->behind_vanished = std::max(next->behind_vanished, free_from);
    next->at_front = std::min(next->at_front, std::max(next->readable, free_from));
  }
  b.flits.erase(entry);
  const Step may_leave = b.flits.empty() ? free_from : b.flits.back().at_front + stay(buffer, b.flits.back().flit);
  b.may_leave = std::min(b.may_leave, may_leave - 1);
}

/// Links repeat flits, and the row names the one that the flit was on the way to, if any.
/// \param entry of the flit in a buffer, or its end: the flit has entered a link, and is not accepted.
void RouterAudit::vanish(const TraceRow& row, const Worm& worm, Queue<Entry>::iterator entry) {
  const std::size_t at = worm.at[static_cast<std::size_t>(row.flit)], buffer = worm.path[at];
  using Word = RetryPurgeAudit::Word;
  const bool accepted = entry != buffers_[buffer].flits.end(), has_entered_link = node_of(buffer) != row.node;
  const bool is_at_end = row.node == context_.packet(row.packet).destination;
  const LinkId link = row.port == no_port ? -1 : context_.link(row.node, row.port);
  if (!accepted && !has_entered_link) context_.reject(row, "vanishes, but is in no buffer");
  const Step credited = accepted ? entry->credited : no_step;
  const bool in_doubt = is_in_doubt(buffer), has_left = credited != no_step;
  if (has_left) buffers_[buffer].flits.erase(entry);
  else if (accepted) remove(buffer, entry, row.step);
  if (has_entered_link) {
    if (link < 0 || buffer_of(row, behind(link)) != buffer)
      context_.reject(row, "vanishes on the way to " + name(buffer) + ", but its row does not name this");
    retries_->vanish(row, link, accepted);
    if (retry_purges_) retry_purges_->vanish(row.step, buffer, Word::of_vanished);
    return;
  }
  if (link >= 0) {
    const std::size_t beyond = buffer_of(row, behind(link));
    if (at + 1 < worm.path.size()) check_way_of_head(row, worm.path[at + 1], beyond);
    if (retry_purges_ && !has_left && !in_doubt)
      context_.reject(row, "vanishes behind the switch, but no credit is returned for leaving " + name(buffer));
    retries_->vanish_in_front(row, link, has_left ? credited - SideWires::credit_word : no_step, to_link(row.node));
    if (retry_purges_) retry_purges_->vanish(row.step, beyond, Word::of_reserved);
  } else if (has_left && !is_at_end) {
    context_.reject(row, "vanishes behind the switch, but its row does not name the link in front of it");
  } else if (!has_left && retry_purges_) {
    return retry_purges_->vanish(row.step, buffer, Word::of_vanished, in_doubt && is_at_end);
  }
  if (in_doubt) retry_purges_->leave(buffer);
}

bool RouterAudit::discard(const TraceRow& row) {
  if (!retries_->discard(row)) return false;
  refute(row);
  return true;
}

bool RouterAudit::refutes(const TraceRow& row) {
  if (!retries_ || row.port == no_port || worms_.count(row.packet) == 0) return false;
  if (!retries_->refutes(row, context_.link(row.node, row.port))) return false;
  refute(row);
  return true;
}

/// A flit has not been accepted by the last link that it has entered.
void RouterAudit::refute(const TraceRow& row) {
  const Worm& worm = worms_.at(row.packet);
  const std::size_t buffer = worm.path[worm.at[static_cast<std::size_t>(row.flit)]];
  Queue<Entry>& flits = buffers_[buffer].flits;
  const auto entry = std::find_if(flits.begin(), flits.end(),
                                  [&](const Entry& e) { return e.packet == row.packet && e.flit == row.flit; });
  if (entry != flits.end()) remove(buffer, entry, row.step);
}

void RouterAudit::check_death(const FaultEvent& death) {
  const auto channels = static_cast<std::size_t>(context_.rules().channels);
  const auto check = [&](std::size_t location, Step readable_from) {
    for (std::size_t buffer = location * channels; buffer < (location + 1) * channels; ++buffer)
      for (const Entry& entry : buffers_[buffer].flits)
        if (entry.readable >= readable_from)
          context_.reject(death.step, node_of(buffer), entry.packet, entry.flit,
                          "is on the way to " + name(buffer) + ", or there, when this dies, but does not vanish");
  };
  if (death.port == context_.graph().ports()) return;
  if (death.port != no_port) {
    const LinkId link = context_.link(death.node, death.port);
    if (retries_) retries_->kill(link, death.step);
    return check(behind(link), death.step + 1);
  }
  check(local(death.node), -most_steps);
  for (const Port port : context_.graph().in_ports(death.node)) {
    const LinkEnd from = context_.graph().near_end(death.node, port);
    check(behind(context_.link(from.node, from.port)), -most_steps);
  }
}

}  // namespace starloom::links
