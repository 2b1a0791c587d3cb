// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/output_words.hpp>

namespace starloom {

const std::vector<OutputWord>& output_words() {
  static const std::string outcome = "outcome of a run", cause = "cause of a wait, in starloom why",
                           storage = "storage model", verdict = "verdict of starloom check", term = "term";
  static const std::vector<OutputWord> words = {
      {"completed", "all packets were delivered; in open loop, those of the measurement phase", outcome},
      {"saturated", "open loop: the network cannot carry the offered load", outcome},
      {"incomplete", "the schedule of the algorithm ended with packets undelivered", outcome},
      {"deadlock", "packets wait for each other, and no flit can move again", outcome},
      {"livelock", "flits moved for limits.quiet steps, but none was delivered", outcome},
      {"step-limit", "limits.steps stopped the run", outcome},
      {"violation", "a rule of the hardware was broken", outcome},
      {"interrupted", "a signal stopped the run", outcome},
      {"acyclic", "no cycle of channel dependencies: the network cannot deadlock", verdict},
      {"may-deadlock", "a cycle of channel dependencies exists: packets can wait for each other", verdict},
      {"source", "its processor sends other packets first", cause},
      {"dead", "its link is dead, and routing functions learn of that later", cause},
      {"stopped", "its processor begins no packet until the network is empty and routing functions change", cause},
      {"stored", "the packet is in the memory of a processor on its path", cause},
      {"bound", "the next node is full, so the packet stays in the memory of its processor", cause},
      {"contention", "another flit uses the link, or wins the switch of the router, in this step", cause},
      {"priority", "another flit of greater priority wins the switch of the router (routing.priority)", cause},
      {"interval", "the link is still busy with an earlier flit, because it needs several steps per flit", cause},
      {"channel", "the output channel belongs to another packet", cause},
      {"credit", "the buffer at the end of the link is full", cause},
      {"cut-through", "the buffer at the end of the link has no room for the whole packet (routing.flow)", cause},
      {"places", "the processor has as many requests without a reply as it accepts (reply.places)", cause},
      {"worm", "another packet is ahead in the same buffer or link register", cause},
      {"fifo", "between the switch of the router and the link: other flits are ahead, or it is full", cause},
      {"hold", "another packet holds the in-port or out-port from flit to flit (routing.hold_switch)", cause},
      {"in_port", "another channel of the same in-port uses the switch", cause},
      {"allocation", "no other packet is in the way; the allocator did not match the request", cause},
      {"stall", "the link pauses at random (section stalls)", cause},
      {"timetable", "the algorithm delays the packet: a barrier, a slot of a schedule, a key or token", cause},
      {"pipeline", "the stages of the router", cause},
      {"link", "the latency of a link above 1", cause},
      {"crossing", "between two clocks: an edge of a clock, the synchroniser or the FIFO behind a link", cause},
      {"length", "the flits after the head arrive, one per step, or per cycle of the clock there", cause},
      {"stretched", "the flits after the head arrive later than one per step", cause},
      {"detour", "the packet crosses a link that does not bring it nearer", cause},
      {"deadlock", "the packet is in a cycle of waiting packets", cause},
      {"open", "the trace ends before the wait does", cause},
      {"collision", "POPS: another processor drives the same coupler in this slot", cause},
      {"not_heard", "POPS: the packet was sent, but no processor received it", cause},
      {"no_turn", "POPS: the source does not send the packet in this slot", cause},
      {"buffer", "POPS: the packet is in a processor on its path", cause},
      {"store-and-forward", "packets of one flit wait in the buffers of nodes", storage},
      {"virtual-channels", "routers with a buffer for each virtual channel, and credits", storage},
      {"links-only", "nodes have no buffers; a worm holds the registers of links and moves or stops as a whole",
       storage},
      {"never-standing", "bufferless: every flit in the network crosses a link in every step", storage},
      {"flit", "the unit that crosses a link in one step", term},
      {"worm", "a packet of several flits", term},
      {"slot", "the step of POPS networks", term},
      {"step", "a clock cycle, the unit of all times", term},
      {"referee", "the checker that replays the trace of a run against the rules of the hardware", term},
      {"open loop", "sources send at a rate, whatever the network accepts: traffic.rate", term},
      {"zero-load latency", "mean latency of packets that meet no other packet", term},
      {"makespan", "the step of the last delivery: the metric steps", term},
      {"escape class", "channels that form an acyclic subnetwork and are always permitted (Duato 1993)", term},
  };
  return words;
}

}  // namespace starloom
