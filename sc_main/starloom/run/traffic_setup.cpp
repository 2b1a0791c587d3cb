// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/traffic_setup.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <starloom/schema/config_error.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/traffic/closed_loop/closed_loop.hpp>
#include <starloom/traffic/packet_lengths.hpp>
#include <utility>

namespace starloom {
namespace {

/// All packets that a pattern will create; null if its sources never end.
std::optional<std::vector<Packet>> packets_if_all(const Experiment& experiment, const TrafficContext& context) {
  const auto traffic = make_traffic(*experiment.pattern, context, experiment.traffic);
  if (!traffic->end()) return std::nullopt;
  std::vector<Packet> packets;
  traffic->generate(0, *traffic->end(), packets);
  return packets;
}

void traffic_error(const Experiment& experiment, const std::string& key, const std::string& text,
                   Diagnostics& diagnostics) {
  diagnostics.add(experiment.location("traffic." + key), fmt::format("traffic.{}: {}", key, text));
}

/// Only virtual channels hold flits before a processor, and divide channels.
void refuse_closed_loop(const Experiment& experiment, const ClosedLoop& loop, Diagnostics& diagnostics) {
  const AlgorithmEntry& algorithm = *experiment.algorithm;
  if (algorithm.divides_channels) return;
  const auto refuse = [&](const char* key, std::int64_t value, const char* instead) {
    if (value == 0) return;
    traffic_error(experiment, key,
                  fmt::format("{} has no virtual channels, which this key needs; {}", algorithm.name, instead),
                  diagnostics);
  };
  refuse("server.queue", loop.reply.queue, "leave it out, and servers accept any number of requests");
  refuse("server.replies", loop.reply.unsent, "leave it out, and servers keep any number of replies");
  refuse("reply.channels", loop.reply.channels, "leave it out, and requests and replies share the network");
}

/// Keys that this algorithm's packets cannot have.
void refuse_keys(const Experiment& experiment, const Traffic& traffic, Diagnostics& diagnostics) {
  const AlgorithmEntry& algorithm = *experiment.algorithm;
  const auto replies = traffic.replies();
  if (!traffic.phases() && experiment.limits.latency && experiment.locations.count("limits.latency") != 0)
    diagnostics.add(experiment.location("limits.latency"),
                    fmt::format("limits.latency: only open-loop traffic has this key; {} needs traffic.rate for that",
                                experiment.pattern->name));
  if (experiment.traffic.has_section("flits") && !algorithm.mixed_lengths)
    traffic_error(experiment, "flits",
                  fmt::format("{} needs packets of one length; set traffic.flits to a number", algorithm.name),
                  diagnostics);
  for (const PacketStream& stream : traffic.streams())
    if (!experiment.traffic.has_section("flits") && !stream.lengths.fixed() && !algorithm.mixed_lengths)
      traffic_error(experiment, "file",
                    fmt::format("{} needs packets of one length; give all rows the same flits", algorithm.name),
                    diagnostics);
  if (const ClosedLoop* const loop = traffic.closed_loop()) refuse_closed_loop(experiment, *loop, diagnostics);
  if (!replies) return;
  if (!algorithm.mixed_lengths && !experiment.traffic.has_section("flits") &&
      replies->flits != traffic.streams().front().lengths.longest())
    traffic_error(experiment, "reply.flits",
                  fmt::format("{} needs packets of one length, so replies must have that length too: {}",
                              algorithm.name, traffic.streams().front().lengths.longest()),
                  diagnostics);
  if (!algorithm.divides_channels && replies->channels != 0)
    traffic_error(
        experiment, "reply.channels",
        fmt::format("{} cannot reserve virtual channels for replies; leave out this key, and replies share the network",
                    algorithm.name),
        diagnostics);
}

}  // namespace

std::optional<std::int64_t> longest_packet(const Experiment& experiment, const TrafficContext& context,
                                           const Traffic& traffic) {
  std::optional<std::int64_t> longest;
  const auto consider = [&longest](std::int64_t flits) { longest = std::max(longest.value_or(0), flits); };
  const auto consider_keys = [&consider](const KeyValues& keys) {
    if (keys.all().count("flits") != 0 && !keys.is_word("flits")) consider(packet_lengths(keys).longest());
  };
  const std::vector<PacketStream> streams = traffic.streams();
  for (const PacketStream& stream : streams) consider(stream.lengths.longest());
  if (streams.empty()) consider_keys(experiment.traffic);
  for (const ClassConfig& config : experiment.classes)
    if (config.pattern != nullptr && streams.empty()) consider_keys(config.keys);
  // The keys are sufficient for most patterns; a packet file has to be read.
  if (const auto workload =
          longest ? nullptr : make_traffic(*experiment.pattern, context, experiment.traffic)->workload())
    consider(workload->longest_packet() > 0 ? std::min(workload->longest_packet(), workload->longest_message())
                                            : workload->longest_message());
  if (!longest)
    for (const Packet& packet : packets_if_all(experiment, context).value_or(std::vector<Packet>()))
      consider(packet.flits);
  if (const auto replies = reply_rules(experiment.traffic); replies && longest) consider(replies->flits);
  for (const ClassConfig& config : experiment.classes)
    if (config.facts.reply && longest) consider(config.facts.reply->flits);
  return longest;
}

std::optional<std::string> flits_error(const Experiment& experiment, const TrafficContext& context,
                                       const Traffic& traffic, std::int64_t most) {
  if (experiment.traffic.has_section("flits") && !experiment.algorithm->mixed_lengths)
    return std::nullopt;  // already reported
  const std::optional<std::int64_t> longest = longest_packet(experiment, context, traffic);
  if (!longest || *longest <= most) return std::nullopt;
  return fmt::format("packets of {} flits, but {} moves only packets of {}", *longest, experiment.algorithm->name,
                     most == 1 ? "one flit" : fmt::format("at most {} flits", most));
}

TrafficContext traffic_context(const Experiment& experiment, Processors processors, bool to_all) {
  const std::size_t initiators = experiment.tlm ? experiment.tlm->initiators.size() : 0;
  TrafficContext context{std::move(processors),         experiment.seed, experiment.units,
                         experiment.file.parent_path(), to_all,          static_cast<std::int64_t>(initiators)};
  for (const ClassConfig& config : experiment.classes)
    context.classes.push_back(
        {config.facts.name, config.pattern, config.keys, config.facts.reply, config.facts.subnet});
  context.subnets = experiment.subnets();
  context.mixed_lengths = experiment.algorithm->mixed_lengths;
  return context;
}

TrafficSetup set_up_traffic(const Experiment& experiment, const TrafficContext& context, Diagnostics& diagnostics) {
  TrafficSetup setup;
  const AlgorithmEntry& algorithm = *experiment.algorithm;
  const bool of_file = experiment.traffic.has("file");
  try {
    setup.traffic = make_traffic(*experiment.pattern, context, experiment.traffic);
    if (setup.traffic->ranks() && !(algorithm.off_line && experiment.model == "message"))
      diagnostics.add(experiment.location("traffic.pattern"),
                      "traffic.pattern: ranks needs routing.algorithm: multistage and model: message");
    else if (setup.traffic->workload() != nullptr && (all_at_once(algorithm) || experiment.model == "message"))
      traffic_error(experiment, of_file ? "file" : "pattern",
                    fmt::format("packets wait for others, which needs a network that runs step by step, but {}{}",
                                all_at_once(algorithm) ? algorithm.name + " needs all packets in step 0"
                                                       : "model: message only computes a plan",
                                of_file ? "; leave out the columns id, after, delay, flow and deadline" : ""),
                    diagnostics);
    else if (all_at_once(algorithm) && !setup.traffic->ranks()) setup.known = packets_if_all(experiment, context);
  } catch (const DataFileError& error) {
    diagnostics.add_placed(error.what());
  } catch (const ConfigError& error) {
    for (const auto& [key, text] : error.diagnostics()) traffic_error(experiment, key, text, diagnostics);
  } catch (const InputError& error) {
    diagnostics.add(experiment.location("traffic.pattern"), fmt::format("traffic: {}", error.what()));
  }
  if (setup.traffic != nullptr) refuse_keys(experiment, *setup.traffic, diagnostics);
  if (all_at_once(algorithm)) diagnostics.raise();
  return setup;
}

}  // namespace starloom
