// SPDX-License-Identifier: Apache-2.0
#include <starloom/analysis/links/port_capacity.hpp>

#include <algorithm>
#include <cmath>

#include <starloom/control/links/pipeline.hpp>

namespace starloom::links {
namespace {

/// \param node that contains the buffers. \param router that reads them; none: flits leave them on arrival.
PortCapacity with_buffers(const Declaration& declared, NodeId node, const router::Pipeline* router,
                          std::int32_t channels, std::int32_t loop, std::int32_t spacing) {
  const std::int32_t flit_steps = router == nullptr ? 1 : router->flit_steps();
  // With several rounds in a step, the additional rounds of a head may cost no step.
  const bool rounds = declared.pipelines.common.speedup.internal > 1;
  return {1,
          channels,
          declared.capacity_at(node),
          loop,
          router == nullptr || rounds ? flit_steps : router->head_steps(),
          flit_steps,
          spacing,
          declared.shared.places};
}

/// Steps from the request for the switch, which uses a credit, to the last one of its allocation, in which a flit
/// leaves. A shared place need not be free before that one, because another channel may have taken the one that was
/// free at the request.
std::int32_t from_credit_to_leaving(const Declaration& declared, const router::Pipeline& router) {
  return declared.shared.is_shared() ? 0 : router.flit_steps() - 1;
}

}  // namespace

double PortCapacity::least_steps(double flits) const {
  if (flits <= 0) return 0;
  const double by_width = (flits - 1) * interval;
  if (channels == 0) return by_width;
  // In any `loop` steps at most as many flits pass as there are slots.
  return std::max(by_width, std::floor((flits - 1) / static_cast<double>(slots())) * loop);
}

PortRate greatest_rate(const PortCapacity& port, double flits_per_packet) {
  PortRate least{PortLimit::width, 1, static_cast<double>(port.interval)};
  if (port.channels == 0) return least;
  const double stay = port.head_steps - port.flit_steps;  // additional steps of a head
  for (const PortRate& rate :
       {PortRate{PortLimit::slots, static_cast<double>(port.slots()), port.loop + stay / flits_per_packet},
        PortRate{PortLimit::heads, port.channels * flits_per_packet,
                 std::max(flits_per_packet * port.flit_steps + stay, flits_per_packet * port.spacing)}})
    if (rate.flits_per_step() < least.flits_per_step() * (1 - 1e-9)) least = rate;
  return least;
}

PortCapacity capacity_of_link(const NetworkGraph& graph, const Declaration& declared, NodeId node, Port port,
                              std::int32_t channels) {
  PortCapacity capacity;
  if (declared.storage == StorageModel::virtual_channels) {
    const NodeId there = graph.far_end(node, port).node;
    const std::int32_t latency = graph.latency(node, port);
    const std::int32_t credit_delay = router::credit_delay(graph.wire_latency(node, port));
    const router::Pipeline &sender = declared.pipelines.at(node), &receiver = declared.pipelines.at(there);
    const std::int32_t more = receiver.flit_steps() - 1;
    const std::int32_t sent =
        from_credit_to_leaving(declared, sender) + sender.flit_delay(latency) + declared.credit_extra;
    if (graph.is_terminal(node))
      capacity =
          with_buffers(declared, there, &receiver, channels, router::terminal_entry + latency + more + credit_delay, 1);
    else if (graph.is_terminal(there))
      capacity = with_buffers(declared, there, nullptr, channels, sent + router::terminal_credit, sender.flit_steps());
    else capacity = with_buffers(declared, there, &receiver, channels, sent + more + credit_delay, sender.flit_steps());
  }
  capacity.interval = graph.interval(node, port);
  return capacity;
}

PortCapacity capacity_from_processor(const Declaration& declared, NodeId node) {
  const router::Pipeline& pipeline = declared.pipelines.at(node);
  return with_buffers(declared, node, &pipeline, declared.channels_at(node),
                      router::injection + pipeline.flit_steps() - 1 + router::source_credit, 1);
}

PortCapacity capacity_to_processor(const Declaration& declared, NodeId node) {
  const router::Pipeline& pipeline = declared.pipelines.at(node);
  return with_buffers(declared, node, nullptr, declared.channels_at(node),
                      from_credit_to_leaving(declared, pipeline) + pipeline.exit_credit() + declared.credit_extra,
                      pipeline.flit_steps());
}

}  // namespace starloom::links
