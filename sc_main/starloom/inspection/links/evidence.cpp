// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/evidence.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>

#include <starloom/schema/data_file.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/links/credits_csv.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>

namespace starloom::links {
namespace {

bool earlier(const Departure& departure, Step step) { return departure.granted < step; }

}  // namespace

Evidence::Evidence(const RunFiles& run, const std::vector<HeadTrack>& tracks)
    : run_(run), graph_(run.network.graph), log_at_(static_cast<std::size_t>(graph_.nodes()), -1), requests_(run) {
  for (const HeadTrack& track : tracks) {
    Step from = 0;
    const Step delay = run.timeline ? run.timeline->longest_delay() : 0;
    for (std::size_t i = 0; i < track.stays.size(); ++i) {
      const Stay& stay = track.stays[i];
      // A packet that is in the register of the previous link has been there since the head was one node back.
      extend(stay.node, i == 0 ? stay.from : from, stay.to + delay);
      from = stay.from;
    }
    // Flits behind the head cross the same links, until the last has arrived.
    const Step delivered = run.packets.delivered[static_cast<std::size_t>(track.packet)];
    const bool long_packet = run.packets.packets[static_cast<std::size_t>(track.packet)].flits > 1;
    if (long_packet && delivered != no_step)
      for (const Stay& stay : track.stays) extend(stay.node, stay.from, delivered);
  }
  if (run.timeline) {
    waits_behind_switch_ = run.rules.waits_behind_switch();
    if (run.priorities.rule != PriorityRule::none) priorities_.emplace(run.priorities, graph_, run.packets.packets);
    follows_buffers_ = waits_behind_switch_ || run.holds_switch || priorities_;
    const std::size_t channels = channel_at(graph_.ports(), 0);
    for (Log& log : logs_) {
      log.credits.assign(channels, router::CreditHistory(log.from));
      if (follows_buffers_) log.buffers.resize(channel_at(graph_.ports() + 1, 0));
    }
  }
  // A flit may wait behind the switch until long after the last step that counts.
  if (waits_behind_switch_) last_ = std::numeric_limits<Step>::max();
  read();
  if (waits_behind_switch_) keep_behind_switch();
  if (priorities_) priorities_->number_packets();
}

void Evidence::extend(NodeId node, Step from, Step to) {
  std::int32_t& at = log_at_[static_cast<std::size_t>(node)];
  if (at < 0) {
    at = static_cast<std::int32_t>(logs_.size());
    Log& log = logs_.emplace_back();
    log.from = from;
    log.out.resize(static_cast<std::size_t>(graph_.ports()) + 2);
  }
  Log& log = logs_[static_cast<std::size_t>(at)];
  log.from = std::min(log.from, from);
  log.to = std::max(log.to, to);
  last_ = std::max(last_, to);
}

void Evidence::leave(Log& log, const TraceRow& row, Port port) {
  Departure departure{row.step, row.step, row.step, row.packet, row.flit, static_cast<std::int16_t>(row.channel)};
  auto& list = log.out[static_cast<std::size_t>(port)];
  std::optional<router::Grant> won;
  if (run_.timeline) won = run_.timeline->grant(row);
  if (won) departure.granted = won->step;
  if (row.packet != no_packet && run_.tree_of(row.packet) != nullptr) {
    leave_as_copy(log, row, port, departure);
  } else if (row.packet != no_packet) {
    const auto present = log.present.find(row.packet);
    Visit* visit = present == log.present.end() ? nullptr : &present->second;
    while (visit != nullptr && visit->next != row.flit) visit = visit->later.get();
    if (visit != nullptr) {
      const router::BufferEntry& entry = visit->entry;
      departure.readable = entry.step;
      departure.in = static_cast<std::int16_t>(entry.in);
      departure.in_channel = static_cast<std::int16_t>(entry.channel);
      if (BufferLog* const buffer = buffer_at(log, entry.in, entry.channel); won && buffer != nullptr) {
        const BufferedFlit gone = buffer->go(row.packet, row.flit, won->step, log.from);
        // Credits may be later than the flits that they are for, but flits keep their order.
        departure.granted = list.empty() ? gone.left : std::max(gone.left, list.back().granted);
        departure.readable = gone.readable;
        departure.next_is_there = gone.next_is_there;
      }
      const bool last = ++visit->next == run_.packets.packets[static_cast<std::size_t>(row.packet)].flits;
      if (last && visit->later) *visit = Visit(std::move(*visit->later));
      else if (last) log.present.erase(present);
      if (port == graph_.ports()) log.open = static_cast<std::int16_t>(log.open + (row.flit == 0) - last);
    }
  }
  departure.open = log.open;
  if (won && has_channel(won->out, won->channel))
    log.credits[channel_at(won->out, won->channel)].spend(departure.granted);
  if (departure.granted > log.to) return;
  // The last row before the window shows which flit is on the link, or behind its channel, when it begins.
  if (row.step < log.from)
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const Departure& before) { return before.channel == departure.channel; }),
               list.end());
  list.push_back(departure);
}

/// A packet to several destinations is in a node once, and leaves it through several ports.
void Evidence::leave_as_copy(Log& log, const TraceRow& row, Port port, Departure& departure) const {
  const std::int32_t flits = run_.packets.packets[static_cast<std::size_t>(row.packet)].flits;
  if (port == graph_.ports())
    log.open = static_cast<std::int16_t>(log.open + (row.flit == 0) - (row.flit + 1 == flits));
  const auto present = log.present.find(row.packet);
  if (present == log.present.end()) return;
  Visit& visit = present->second;
  departure.readable = visit.entry.step;
  departure.in = static_cast<std::int16_t>(visit.entry.in);
  departure.in_channel = static_cast<std::int16_t>(visit.entry.channel);
  const int copies = __builtin_popcountll(run_.tree_of(row.packet)->at(row.node));
  if (++visit.next == flits * copies) log.present.erase(present);
}

/// A flit vanishes from all nodes. A packet of which a flit, but not the tail, has been consumed gives up its exit.
void Evidence::drop(const TraceRow& row) {
  for (Log& log : logs_) {
    const auto present = log.present.find(row.packet);
    if (present == log.present.end()) continue;
    const bool at_home =
        run_.packets.packets[static_cast<std::size_t>(row.packet)].destination == present->second.entry.node;
    if (at_home && present->second.next > 0) --log.open;
    log.present.erase(present);
    for (BufferLog& buffer : log.buffers) buffer.drop(row.packet);
  }
}

/// A repaired link begins with all credits, except those of flits that are still in the buffer behind it: the time
/// since its death is taken to be enough for these to leave.
void Evidence::repair(const FaultEvent& event) {
  Log* const log = event.dies || event.port == no_port || event.port >= graph_.ports() ? nullptr : log_of(event.node);
  for (std::int32_t channel = 0; log != nullptr && run_.timeline && channel < run_.rules.channels; ++channel) {
    router::CreditHistory& credits = log->credits[channel_at(event.port, channel)];
    for (std::int64_t taken = credits.taken(event.step); taken > 0; --taken) credits.give_back(event.step);
  }
}

void Evidence::row(const TraceRow& row) {
  if (row.event == TraceEvent::drop) return drop(row);
  if (is_repetition(row.event)) return;
  requests_.row(row);
  const bool arrives = row.flit == 0 && (row.event == TraceEvent::inject || row.event == TraceEvent::hop);
  if (Log* const log = log_of(row.node); log != nullptr) {
    if (row.event == TraceEvent::inject) {
      if (arrives) arrive(*log, row);
      if (row.step >= log->from && row.step <= log->to)
        log->injected.push_back(
            {row.step, row.step, row.step, row.packet, row.flit, static_cast<std::int16_t>(row.channel)});
    } else {
      leave(*log, row, row.port != no_port ? row.port : graph_.ports());
    }
  }
  if (run_.timeline) {
    if (const auto credit = run_.timeline->credit(row)) give_back(*credit);
    if (priorities_) priorities_->row(row);
    if (follows_buffers_) enter(row);
  }
  if (!arrives || row.event == TraceEvent::inject) return;
  if (Log* const log = log_of(row.to); log != nullptr) arrive(*log, row);
}

/// The head of a packet comes to the node of a log.
void Evidence::arrive(Log& log, const TraceRow& row) {
  const auto [present, is_first] = log.present.try_emplace(row.packet, Visit{arrival(run_, row)});
  if (is_first) return;
  Visit* visit = &present->second;
  while (visit->later) visit = visit->later.get();
  visit->later = std::make_unique<Visit>(Visit{arrival(run_, row)});
}

/// A flit comes to a buffer.
void Evidence::enter(const TraceRow& row) {
  const auto entry = run_.timeline->entry(row);
  Log* const log = entry ? log_of(entry->node) : nullptr;
  if (log == nullptr) return;
  if (BufferLog* const buffer = buffer_at(*log, entry->in, entry->channel); buffer != nullptr)
    buffer->enter(
        {row.packet, row.flit, entry->step, priorities_ ? priorities_->of_flit(row.packet, row.flit, entry->step) : 0});
}

/// A credit: if flits may wait behind the switch, it shows when a flit left its buffer.
void Evidence::row(const CreditRow& row) {
  if (row.node < 0 || row.node >= graph_.nodes()) return;
  if (const auto credit = run_.timeline->credit(row)) give_back(*credit);
  Log* const log = waits_behind_switch_ ? log_of(row.node) : nullptr;
  if (log == nullptr) return;
  if (BufferLog* const buffer = buffer_at(*log, row.port, row.channel); buffer != nullptr)
    buffer->leave(row.step - Step{graph_.period(row.node)} * router::credit_word);
}

/// Flits that have left their buffers, but have no row.
void Evidence::keep_behind_switch() {
  for (Log& log : logs_) {
    std::vector<Departure>& list = log.out[static_cast<std::size_t>(behind_switches())];
    for (Port in = 0; in <= graph_.ports(); ++in)
      for (std::int32_t channel = 0; channel < run_.rules.channels; ++channel)
        for (const BufferedFlit& one : log.buffers[channel_at(in, channel)].flits())
          if (one.left != no_step && !one.gone)
            list.push_back({std::numeric_limits<Step>::max(), one.left, one.readable, one.packet, one.flit, -1,
                            static_cast<std::int16_t>(channel), 0, static_cast<std::int16_t>(in), one.next_is_there});
    std::sort(list.begin(), list.end(), [](const Departure& a, const Departure& b) { return a.granted < b.granted; });
  }
}

void Evidence::give_back(const router::CreditReturn& credit) {
  if (!has_channel(credit.out, credit.channel)) return;
  Log* const log = log_of(credit.node);
  if (log == nullptr) return;
  router::CreditHistory& credits = log->credits[channel_at(credit.out, credit.channel)];
  // Flits that vanish in the crossbar have spent a credit without a row.
  if (run_.rules.fault_events.empty() || credits.taken(credit.step) > 0) credits.give_back(credit.step);
}

void Evidence::read() {
  TraceReader trace(find_trace(run_.folder), SubnetRows(graph_), &run_.packets.packets);
  std::optional<CreditsReader> credits;
  has_credits_ = run_.timeline && is_there(run_.folder / "credits.csv");
  if (has_credits_) credits.emplace(run_.folder / "credits.csv", SubnetRows(graph_));
  const auto read_credits = [&](Step until) {
    for (std::vector<CreditRow> rows; credits && credits->next_step() != no_step && credits->next_step() <= until;) {
      credits->next(rows);
      for (const CreditRow& row : rows) this->row(row);
    }
  };
  auto event = run_.rules.fault_events.begin();
  for (std::vector<TraceRow> rows; trace.next(rows) && rows.front().step <= last_;) {
    read_credits(rows.front().step);
    for (; event != run_.rules.fault_events.end() && event->step <= rows.front().step; ++event) repair(*event);
    for (const TraceRow& row : rows) this->row(row);
  }
  read_credits(last_);
}

const std::vector<Departure>& Evidence::departures(NodeId node, Port port) const {
  return log(node).out[static_cast<std::size_t>(port)];
}

const std::vector<Departure>& Evidence::injections(NodeId node) const { return log(node).injected; }

Step Evidence::granted(const Stay& stay, PacketId packet) const {
  const auto& list = departures(stay.node, stay.out);
  const auto own = std::find_if(list.rbegin(), list.rend(), [&](const Departure& departure) {
    return departure.packet == packet && departure.flit == 0 && departure.step == stay.to;
  });
  return own == list.rend() ? stay.granted : own->granted;
}

const Departure* Evidence::last_before(NodeId node, Port port, std::int32_t channel, Step step,
                                       PacketId other_than) const {
  const auto& list = departures(node, port);
  for (auto at = std::lower_bound(list.begin(), list.end(), step, earlier); at != list.begin();)
    if ((--at)->packet != other_than && (channel < 0 || at->channel == channel)) return &*at;
  return nullptr;
}

std::int64_t Evidence::priority(NodeId node, Port in, std::int32_t channel, Step front, Step step) const {
  const BufferLog* const buffer = buffer_at(log(node), in, channel);
  return buffer == nullptr ? 0 : priorities_->of_channel(*buffer, front, step);
}

std::int64_t Evidence::room(NodeId node, Port port, std::int32_t channel, Step step) const {
  if (!has_credits_ || !has_channel(port, channel)) return capacity_behind(node, port);
  return capacity_behind(node, port) - log(node).credits.at(channel_at(port, channel)).taken(step);
}

bool Evidence::has_credit(NodeId node, Port port, std::int32_t channel, Step step) const {
  if (!has_credits_ || !has_channel(port, channel)) return true;
  const auto taken = [&](std::int32_t of) { return log(node).credits.at(channel_at(port, of)).taken(step); };
  const std::int64_t own = taken(channel);
  if (own >= capacity_behind(node, port)) return false;
  if (!run_.rules.router || run_.rules.router->places == 0) return true;
  const RouterRules& router = *run_.rules.router;
  std::int64_t of_port = own, in_use = 0;
  for (std::int32_t other = 0; other < run_.rules.channels; ++other) {
    if (other != channel) of_port += std::max<std::int64_t>(taken(other), router.own_places);
    const Departure* const last = last_before(node, port, other, step, no_packet);
    if (last != nullptr && last->packet != no_packet)
      in_use += last->flit + 1 < run_.packets.packets[static_cast<std::size_t>(last->packet)].flits ? 1 : 0;
  }
  if (of_port >= router.places) return false;
  return !router.divides_places || own < router.places / std::max<std::int64_t>(in_use, 1);
}

Step Evidence::next_change(NodeId node, Port port, std::int32_t channel, Step step) const {
  Step next = std::numeric_limits<Step>::max();
  for (const std::vector<Departure>& out : log(node).out) {
    const auto at = std::lower_bound(out.begin(), out.end(), step, earlier);
    if (at != out.end()) next = std::min(next, std::max(at->granted, step + 1));
  }
  if (!has_credits_ || !has_channel(port, channel)) return next;
  const bool shared = run_.rules.router && run_.rules.router->places > 0;
  for (std::int32_t other = 0; other < run_.rules.channels; ++other)
    if (shared || other == channel)
      next = std::min(next, log(node).credits.at(channel_at(port, other)).next_change(step));
  return next;
}

}  // namespace starloom::links
