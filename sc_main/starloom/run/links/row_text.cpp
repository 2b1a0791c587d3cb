// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/row_text.hpp>

#include <fmt/format.h>

namespace starloom::links {

std::string describe(const TraceRow& row, const NetworkGraph& graph) {
  const std::string node = graph.node_name(row.node);
  const std::string flit = fmt::format("packet {} flit {}", row.packet, row.flit);
  switch (row.event) {
    case TraceEvent::inject: return fmt::format("step {}: {} leaves the memory of {}", row.step, flit, node);
    case TraceEvent::hop:
      return fmt::format("step {}: {} enters {} towards {}", row.step, flit, graph.link_name(row.node, row.port),
                         graph.node_name(row.to));
    case TraceEvent::eject: return fmt::format("step {}: {} is delivered at {}", row.step, flit, node);
    case TraceEvent::store: return fmt::format("step {}: {} is stored in the memory of {}", row.step, flit, node);
    case TraceEvent::drop: return fmt::format("step {}: {} vanishes at {}", row.step, flit, node);
    case TraceEvent::resend:
      return fmt::format("step {}: {} enters {} again", row.step, flit, graph.link_name(row.node, row.port));
    case TraceEvent::discard: {
      const LinkEnd from = graph.near_end(row.node, row.port);
      return fmt::format("step {}: {} is discarded at {}, behind {}", row.step, flit, node,
                         graph.link_name(from.node, from.port));
    }
    case TraceEvent::key:
    case TraceEvent::token: break;
  }
  return fmt::format("step {}: a {} enters {} towards {}", row.step,
                     trace_event_names[static_cast<std::size_t>(row.event)], graph.link_name(row.node, row.port),
                     graph.node_name(row.to));
}

}  // namespace starloom::links
