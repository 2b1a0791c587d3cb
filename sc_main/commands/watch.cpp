#include "commands/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "core/error.hpp"
#include "experiment/document.hpp"

namespace starloom {

std::string describe(const TraceRow& row, const Topology& topology) {
  const std::string node = topology.node_name(row.node);
  const std::string flit = fmt::format("packet {} flit {}", row.packet, row.flit);
  switch (row.event) {
    case TraceEvent::inject: return fmt::format("step {}: {} leaves the memory of {}", row.step, flit, node);
    case TraceEvent::hop:
      return fmt::format("step {}: {} enters {} towards {}", row.step, flit, topology.link_name(row.node, row.port),
                         topology.node_name(row.to));
    case TraceEvent::eject: return fmt::format("step {}: {} is delivered at {}", row.step, flit, node);
    case TraceEvent::store: return fmt::format("step {}: {} is stored in the memory of {}", row.step, flit, node);
    case TraceEvent::key:
    case TraceEvent::token: break;
  }
  return fmt::format("step {}: a {} enters {} towards {}", row.step,
                     trace_event_names[static_cast<std::size_t>(row.event)], topology.link_name(row.node, row.port),
                     topology.node_name(row.to));
}

void PacketWatch::rows(const std::vector<TraceRow>& of_one_step) {
  for (const TraceRow& row : of_one_step)
    if (row.packet != no_packet && std::find(packets_.begin(), packets_.end(), row.packet) != packets_.end())
      fmt::print(stderr, "{}\n", describe(row, topology_));
}

std::string describe(const StarRow& row, const Pops& pops) {
  const std::string coupler = pops.coupler_name(row.destination_group, row.source_group);
  const std::string node = pops.node_name(row.processor);
  const std::string message =
      fmt::format("{}packet {}", row.kind == StarKind::ack ? "the acknowledgement of " : "", row.packet);
  if (row.event == StarEvent::drive)
    return fmt::format("slot {}: {} drives {} with {}", row.slot, node, coupler, message);
  return fmt::format("slot {}: {} hears {} from {}", row.slot, node, message, coupler);
}

void StarPacketWatch::rows(const std::vector<StarRow>& of_one_slot) {
  for (const StarRow& row : of_one_slot)
    if (!row.silent() && std::find(packets_.begin(), packets_.end(), row.packet) != packets_.end())
      fmt::print(stderr, "{}\n", describe(row, pops_));
}

PacketId parse_watch(const std::string& text) {
  const std::string form = "packet=";
  const auto number = text.rfind(form, 0) == 0 ? parse_integer(text.substr(form.size())) : std::nullopt;
  if (!number || *number < 0 || *number > std::numeric_limits<PacketId>::max())
    throw InputError(fmt::format("--watch {}: the form is --watch packet=N, N from 0 on", text));
  return static_cast<PacketId>(*number);
}

}  // namespace starloom
