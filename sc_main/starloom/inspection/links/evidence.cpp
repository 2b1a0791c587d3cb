// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/evidence.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>

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
    const std::size_t channels = channel_at(graph_.ports(), 0);
    for (Log& log : logs_) log.credits.assign(channels, router::CreditHistory(log.from));
  }
  read_trace();
  if (run.timeline && is_there(run.folder / "credits.csv")) read_credits();
}

void Evidence::extend(NodeId node, Step from, Step to) {
  std::int32_t& at = log_at_[static_cast<std::size_t>(node)];
  if (at < 0) {
    at = static_cast<std::int32_t>(logs_.size());
    Log& log = logs_.emplace_back();
    log.from = from;
    log.out.resize(static_cast<std::size_t>(graph_.ports()) + 1);
  }
  Log& log = logs_[static_cast<std::size_t>(at)];
  log.from = std::min(log.from, from);
  log.to = std::max(log.to, to);
  last_ = std::max(last_, to);
}

void Evidence::leave(Log& log, const TraceRow& row, Port port, Step granted) {
  Departure departure{row.step, granted, row.step, row.packet, row.flit, static_cast<std::int16_t>(row.channel)};
  if (row.packet != no_packet) {
    const auto present = log.present.find(row.packet);
    if (present != log.present.end()) {
      departure.readable = present->second.step;
      departure.in = static_cast<std::int16_t>(present->second.in);
      departure.in_channel = static_cast<std::int16_t>(present->second.channel);
      const bool last = row.flit + 1 == run_.packets.packets[static_cast<std::size_t>(row.packet)].flits;
      if (last) log.present.erase(present);
      if (port == graph_.ports()) log.open = static_cast<std::int16_t>(log.open + (row.flit == 0) - last);
    }
  }
  departure.open = log.open;
  if (row.step > log.to) return;
  auto& list = log.out[static_cast<std::size_t>(port)];
  // The last row before the window shows which flit is on the link, or behind its channel, when it begins.
  if (row.step < log.from)
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const Departure& before) { return before.channel == departure.channel; }),
               list.end());
  list.push_back(departure);
}

void Evidence::row(const TraceRow& row) {
  requests_.row(row);
  const bool arrives = row.flit == 0 && (row.event == TraceEvent::inject || row.event == TraceEvent::hop);
  if (Log* const log = log_of(row.node); log != nullptr) {
    if (row.event == TraceEvent::inject) {
      if (arrives) log->present[row.packet] = arrival(run_, row);
      if (row.step >= log->from && row.step <= log->to)
        log->injected.push_back(
            {row.step, row.step, row.step, row.packet, row.flit, static_cast<std::int16_t>(row.channel)});
    } else {
      const bool to_link = row.port != no_port;
      Step granted = row.step;
      if (run_.timeline)
        if (const auto won = run_.timeline->grant(row)) {
          granted = won->step;
          if (has_channel(won->out, won->channel)) log->credits[channel_at(won->out, won->channel)].spend(granted);
        }
      leave(*log, row, to_link ? row.port : graph_.ports(), granted);
    }
  }
  if (run_.timeline)
    if (const auto credit = run_.timeline->credit(row)) give_back(*credit);
  if (!arrives || row.event == TraceEvent::inject) return;
  if (Log* const log = log_of(row.to); log != nullptr) log->present[row.packet] = arrival(run_, row);
}

void Evidence::give_back(const router::CreditReturn& credit) {
  if (!has_channel(credit.out, credit.channel)) return;
  if (Log* const log = log_of(credit.node); log != nullptr)
    log->credits[channel_at(credit.out, credit.channel)].give_back(credit.step);
}

void Evidence::read_trace() {
  TraceReader trace(find_trace(run_.folder), SubnetRows(graph_), &run_.packets.packets);
  for (std::vector<TraceRow> rows; trace.next(rows) && rows.front().step <= last_;)
    for (const TraceRow& row : rows) this->row(row);
}

void Evidence::read_credits() {
  has_credits_ = true;
  CreditsReader credits(run_.folder / "credits.csv", SubnetRows(graph_));
  for (std::vector<CreditRow> rows; credits.next(rows) && rows.front().step <= last_;)
    for (const CreditRow& row : rows)
      if (row.node < graph_.nodes())
        if (const auto credit = run_.timeline->credit(row)) give_back(*credit);
}

const std::vector<Departure>& Evidence::departures(NodeId node, Port port) const {
  return log(node).out[static_cast<std::size_t>(port)];
}

const std::vector<Departure>& Evidence::injections(NodeId node) const { return log(node).injected; }

const Departure* Evidence::last_before(NodeId node, Port port, std::int32_t channel, Step step,
                                       PacketId other_than) const {
  const auto& list = departures(node, port);
  for (auto at = std::lower_bound(list.begin(), list.end(), step, earlier); at != list.begin();)
    if ((--at)->packet != other_than && (channel < 0 || at->channel == channel)) return &*at;
  return nullptr;
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
