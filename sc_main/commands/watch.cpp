#include <starloom/commands/watch.hpp>

#include <fmt/format.h>

#include <limits>

#include <starloom/config/document.hpp>
#include <starloom/core/error.hpp>

namespace starloom {

std::string describe(const links::TraceRow& row, const NetworkGraph& graph) {
  const std::string node = graph.node_name(row.node);
  const std::string flit = fmt::format("packet {} flit {}", row.packet, row.flit);
  switch (row.event) {
    case links::TraceEvent::inject: return fmt::format("step {}: {} leaves the memory of {}", row.step, flit, node);
    case links::TraceEvent::hop:
      return fmt::format("step {}: {} enters {} towards {}", row.step, flit, graph.link_name(row.node, row.port),
                         graph.node_name(row.to));
    case links::TraceEvent::eject: return fmt::format("step {}: {} is delivered at {}", row.step, flit, node);
    case links::TraceEvent::store:
      return fmt::format("step {}: {} is stored in the memory of {}", row.step, flit, node);
    case links::TraceEvent::key:
    case links::TraceEvent::token: break;
  }
  return fmt::format("step {}: a {} enters {} towards {}", row.step,
                     links::trace_event_names[static_cast<std::size_t>(row.event)], graph.link_name(row.node, row.port),
                     graph.node_name(row.to));
}

std::string describe(const pops::TraceRow& row, const Pops& pops) {
  const std::string coupler = pops.coupler_name(row.destination_group, row.source_group);
  const std::string node = pops.node_name(row.processor);
  const std::string message =
      fmt::format("{}packet {}", row.kind == pops::MessageKind::ack ? "the acknowledgement of " : "", row.packet);
  if (row.event == pops::TraceEvent::drive)
    return fmt::format("slot {}: {} drives {} with {}", row.slot, node, coupler, message);
  return fmt::format("slot {}: {} hears {} from {}", row.slot, node, message, coupler);
}

PacketId parse_watch(const std::string& text) {
  const std::string form = "packet=";
  const auto number = text.rfind(form, 0) == 0 ? parse_integer(text.substr(form.size())) : std::nullopt;
  if (!number || *number < 0 || *number > std::numeric_limits<PacketId>::max())
    throw InputError(fmt::format("--watch {}: the form is --watch packet=N, N from 0 on", text));
  return static_cast<PacketId>(*number);
}

}  // namespace starloom
