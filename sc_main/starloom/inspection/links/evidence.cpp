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

constexpr Step behind_switch = 3;  ///< a flit that wins the switch has its row at most so many steps later
constexpr Step exit_credit = 2;    ///< towards a terminal, a credit is there so many steps after the flit

bool earlier(const Departure& departure, Step step) { return departure.step < step; }

}  // namespace

Evidence::Evidence(const RunFiles& run, const std::vector<HeadTrack>& tracks)
    : run_(run),
      graph_(run.network.graph),
      times_(pipeline_times(run.rules)),
      log_at_(static_cast<std::size_t>(graph_.nodes()), -1) {
  for (const HeadTrack& track : tracks) {
    Step from = 0;
    for (std::size_t i = 0; i < track.stays.size(); ++i) {
      const Stay& stay = track.stays[i];
      // Who holds the register of the link before, held it while the head was one node further back.
      extend(stay.node, i == 0 ? stay.from : from, stay.to + behind_switch);
      from = stay.from;
    }
    // Flits behind the head cross what it crossed, until the last has arrived.
    const Step delivered = run.packets.delivered[static_cast<std::size_t>(track.packet)];
    const bool long_packet = run.packets.packets[static_cast<std::size_t>(track.packet)].flits > 1;
    if (long_packet && delivered != no_step)
      for (const Stay& stay : track.stays) extend(stay.node, stay.from, delivered);
  }
  read_trace();
  if (run.rules.router && is_there(run.folder / "credits.csv")) read_credits();
}

void Evidence::extend(NodeId node, Step from, Step to) {
  std::int32_t& at = log_at_[static_cast<std::size_t>(node)];
  if (at < 0) {
    at = static_cast<std::int32_t>(logs_.size());
    Log& log = logs_.emplace_back();
    log.from = from;
    log.out.resize(static_cast<std::size_t>(graph_.ports()) + 1);
    if (run_.rules.router)
      log.channels.resize(static_cast<std::size_t>(graph_.ports()) * static_cast<std::size_t>(run_.rules.channels));
  }
  Log& log = logs_[static_cast<std::size_t>(at)];
  log.from = std::min(log.from, from);
  log.to = std::max(log.to, to);
  last_ = std::max(last_, to);
}

Evidence::ChannelCount& Evidence::channel(Log& log, Port port, std::int32_t channel) const {
  return log.channels.at(static_cast<std::size_t>(port) * static_cast<std::size_t>(run_.rules.channels) +
                         static_cast<std::size_t>(channel));
}

void Evidence::leave(Log& log, const TraceRow& row, Port port) {
  Departure departure{row.step, row.step, row.packet, row.flit, static_cast<std::int16_t>(row.channel)};
  if (row.packet != no_packet) {
    const auto present = log.present.find(row.packet);
    if (present != log.present.end()) {
      departure.readable = present->second.readable;
      departure.in = present->second.in;
      departure.in_channel = present->second.in_channel;
      const bool last = row.flit + 1 == run_.packets.packets[static_cast<std::size_t>(row.packet)].flits;
      if (last) log.present.erase(present);
      if (port == graph_.ports()) log.open = static_cast<std::int16_t>(log.open + (row.flit == 0) - last);
    }
  }
  departure.open = log.open;
  if (row.step > log.to) return;
  auto& list = log.out[static_cast<std::size_t>(port)];
  // The last one before the time of interest says who stands on the link, or beyond its channel, when it begins.
  if (row.step < log.from)
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const Departure& before) { return before.channel == departure.channel; }),
               list.end());
  list.push_back(departure);
}

void Evidence::row(const TraceRow& row) {
  if (Log* const log = log_of(row.node); log != nullptr) {
    if (row.event == TraceEvent::inject) {
      if (row.flit == 0)
        log->present[row.packet] = {row.step + (graph_.is_terminal(row.node) ? 0 : times_.injection),
                                    static_cast<std::int16_t>(graph_.ports()), static_cast<std::int16_t>(row.channel)};
      if (row.step >= log->from && row.step <= log->to)
        log->injected.push_back({row.step, row.step, row.packet, row.flit, static_cast<std::int16_t>(row.channel)});
    } else {
      const bool to_link = row.port != no_port;
      if (to_link && row.channel >= 0 && row.channel < run_.rules.channels && !log->channels.empty()) {
        ChannelCount& count = channel(*log, row.port, row.channel);
        if (row.step < log->from) ++count.before;
        else count.taken.push_back(row.step - PipelineTimes::link_tail);
        if (graph_.is_terminal(row.to)) {
          const Step back =
              row.step + graph_.latency(row.node, row.port) + exit_credit + run_.rules.router->credit_extra;
          if (back < log->from) --count.before;
          else count.back.push_back(back);
        }
      }
      leave(*log, row, to_link ? row.port : graph_.ports());
    }
  }
  if (row.event != TraceEvent::hop || row.flit != 0) return;
  if (Log* const log = log_of(row.to); log != nullptr)
    log->present[row.packet] = {row.step + graph_.latency(row.node, row.port),
                                static_cast<std::int16_t>(graph_.far_end(row.node, row.port).port),
                                static_cast<std::int16_t>(row.channel)};
}

void Evidence::read_trace() {
  TraceReader trace(find_trace(run_.folder));
  for (std::vector<TraceRow> rows; trace.next(rows) && rows.front().step <= last_;)
    for (const TraceRow& row : rows) this->row(row);
}

void Evidence::read_credits() {
  has_credits_ = true;
  CreditsReader credits(run_.folder / "credits.csv");
  for (std::vector<CreditRow> rows; credits.next(rows) && rows.front().step <= last_;)
    for (const CreditRow& row : rows) {
      if (row.node >= graph_.nodes() || row.port >= graph_.ports() || row.channel >= run_.rules.channels) continue;
      const LinkEnd from = graph_.near_end(row.node, row.port);
      Log* const log = from.connected() ? log_of(from.node) : nullptr;
      if (log == nullptr || graph_.is_terminal(from.node)) continue;
      const Step back = row.step + graph_.latency(from.node, from.port) + run_.rules.router->credit_extra;
      ChannelCount& count = channel(*log, from.port, row.channel);
      if (back < log->from) --count.before;
      else count.back.push_back(back);
    }
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

bool Evidence::has_credit(NodeId node, Port port, std::int32_t channel, Step step) const {
  if (!has_credits_ || port >= graph_.ports() || channel < 0 || channel >= run_.rules.channels) return true;
  const Log& log = this->log(node);
  const ChannelCount& count =
      log.channels.at(static_cast<std::size_t>(port) * static_cast<std::size_t>(run_.rules.channels) +
                      static_cast<std::size_t>(channel));
  const auto taken = std::lower_bound(count.taken.begin(), count.taken.end(), step) - count.taken.begin();
  const auto back = std::upper_bound(count.back.begin(), count.back.end(), step) - count.back.begin();
  return count.before + taken - back < run_.rules.capacity;
}

Step Evidence::next_change(NodeId node, Port port, std::int32_t channel, Step step) const {
  const Log& log = this->log(node);
  Step next = std::numeric_limits<Step>::max();
  for (std::size_t out = 0; out < log.out.size(); ++out) {
    const bool home = static_cast<Port>(out) == graph_.ports();
    const Step tail = home ? PipelineTimes::processor_tail : PipelineTimes::link_tail;
    const auto at = std::lower_bound(log.out[out].begin(), log.out[out].end(), step + tail, earlier);
    if (at != log.out[out].end()) next = std::min(next, std::max(at->step - tail, step + 1));
  }
  if (!has_credits_ || port >= graph_.ports() || channel < 0 || channel >= run_.rules.channels) return next;
  const ChannelCount& count =
      log.channels.at(static_cast<std::size_t>(port) * static_cast<std::size_t>(run_.rules.channels) +
                      static_cast<std::size_t>(channel));
  if (const auto at = std::lower_bound(count.taken.begin(), count.taken.end(), step); at != count.taken.end())
    next = std::min(next, *at + 1);
  if (const auto at = std::upper_bound(count.back.begin(), count.back.end(), step); at != count.back.end())
    next = std::min(next, *at);
  return next;
}

}  // namespace starloom::links
