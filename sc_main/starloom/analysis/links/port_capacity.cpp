// SPDX-License-Identifier: Apache-2.0
#include <starloom/analysis/links/port_capacity.hpp>

#include <algorithm>
#include <cmath>

#include <starloom/control/links/pipeline.hpp>

namespace starloom::links {
namespace {

/// \param node that contains the buffers. \param router that reads them; none: flits leave them on arrival.
/// \param period of its clock.
PortCapacity with_buffers(const Declaration& declared, NodeId node, const router::Pipeline* router, std::int32_t period,
                          std::int32_t channels, std::int32_t loop, std::int32_t spacing) {
  const std::int32_t flit_steps = period * (router == nullptr ? 1 : router->flit_steps());
  // With several rounds in a step, the additional rounds of a head may cost no step.
  const bool rounds = declared.pipelines.common.speedup.internal > 1;
  return {period,
          channels,
          declared.capacity_at(node),
          loop,
          router == nullptr || rounds ? flit_steps : period * router->head_steps(),
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
  if (port.read_flits > 0 && port.read_steps > port.interval * port.read_flits)
    least = {PortLimit::width, static_cast<double>(port.read_flits), static_cast<double>(port.read_steps)};
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
    const ClockCrossing clocks = graph.crossing(node, port);
    const std::int32_t of_sender = clocks.sender, of_receiver = clocks.receiver;
    const router::Pipeline &sender = declared.pipelines.at(node), &receiver = declared.pipelines.at(there);
    // Waits for edges may be absent.
    const std::int32_t to_reader = latency + clocks.synchroniser * of_receiver;
    const std::int32_t sent =
        of_sender * (from_credit_to_leaving(declared, sender) + sender.link_entry() + declared.credit_extra) +
        to_reader;
    const std::int32_t back =
        of_receiver * router::credit_word + graph.wire_latency(node, port) + clocks.synchroniser * of_sender;
    const std::int32_t read_and_back = of_receiver * (receiver.flit_steps() - 1) + back;
    const std::int32_t spacing = of_sender * sender.flit_steps();
    if (graph.is_terminal(node))
      capacity = with_buffers(declared, there, &receiver, of_receiver, channels,
                              of_sender * router::terminal_entry + to_reader + read_and_back, of_sender);
    else if (graph.is_terminal(there))
      capacity =
          with_buffers(declared, there, nullptr, of_receiver, channels,
                       sent + of_receiver + of_sender * (router::terminal_credit - 1 + clocks.synchroniser), spacing);
    else capacity = with_buffers(declared, there, &receiver, of_receiver, channels, sent + read_and_back, spacing);
    if (!clocks.is_direct()) {
      capacity.read_flits = 1;
      capacity.read_steps = of_receiver;
    }
    // A place of the FIFO between two clocks is taken again after this time.
    const bool sends_late = graph.is_terminal(node) || sender.speedup.has_fifo();
    const std::int32_t entry = sends_late ? 1 : sender.flit_steps() - 1 + sender.link_entry();
    const std::int32_t again = of_sender * (entry + clocks.synchroniser) + to_reader;
    if (clocks.fifo > 0 && again > clocks.fifo * of_receiver) {
      capacity.read_flits = clocks.fifo;
      capacity.read_steps = again;
    }
  }
  capacity.interval = graph.interval(node, port);
  return capacity;
}

PortCapacity capacity_from_processor(const NetworkGraph& graph, const Declaration& declared, NodeId node) {
  const router::Pipeline& pipeline = declared.pipelines.at(node);
  const std::int32_t period = graph.period(node);
  return with_buffers(declared, node, &pipeline, period, declared.channels_at(node),
                      period * (router::injection + pipeline.flit_steps() - 1 + router::source_credit), period);
}

PortCapacity capacity_to_processor(const NetworkGraph& graph, const Declaration& declared, NodeId node) {
  const router::Pipeline& pipeline = declared.pipelines.at(node);
  const std::int32_t period = graph.period(node);
  return with_buffers(
      declared, node, nullptr, period, declared.channels_at(node),
      period * (from_credit_to_leaving(declared, pipeline) + pipeline.exit_credit() + declared.credit_extra),
      period * pipeline.flit_steps());
}

}  // namespace starloom::links
