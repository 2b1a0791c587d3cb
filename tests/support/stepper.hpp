// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The reference simulator: runs controllers without SystemC on the most obvious data structures. It is the
/// oracle that the clocked fabric is compared with, row by row; it values plainness over speed everywhere.
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/reroutes.hpp>
#include <starloom/control/links/unreachable.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/core/packet_source.hpp>
#include <starloom/core/violation.hpp>
#include <starloom/topology/link_errors.hpp>

#include "support/networks.hpp"
#include "support/plain_allocators.hpp"

namespace starloom::links {

struct StepperOptions {
  std::uint64_t seed = 1;
  Step max_steps = 100'000;  ///< at most steps 0 .. max_steps-1
  bool wake_all = false;     ///< run every node in every step instead of those that have something to do
  bool count_memory = true;  ///< packets in the processors' memories count in `queue` (closed loop)
  std::string selection = "least-occupied";  ///< virtual channels: which of its choices a head asks for
  PlainRules rules{};                        ///< virtual channels: allocators of routers
  double stall_rate = 0;         ///< virtual channels: share of steps in which a link accepts no flit from its switch
  bool keep_turns = false;       ///< virtual channels: fill `turns` of the result
  std::uint32_t first_word = 0;  ///< virtual channels: is added to the index of random words
  const LinkErrors* errors = nullptr;        ///< virtual channels: of links
  const Unreachable* unreachable = nullptr;  ///< packets that faults lose, and hardware that dies and is repaired
};

/// How the run ended: before the first step for which one of these holds, in this order of precedence.
enum class StepperEnd {
  violation,        ///< a rule of the contract was broken
  all_delivered,    ///< the source is exhausted and all its packets are delivered or lost
  program_end,      ///< the program of the algorithm is over
  nothing_pending,  ///< packets remain, but none moves and no node will wake
  step_limit,
};

/// A declared field of a node's controller got a new value in a step (or had it before step 0: step -1).
struct StateChange {
  Step step = 0;
  NodeId node = no_node;
  std::int32_t field = 0;
  std::uint32_t value = 0;
  friend bool operator==(const StateChange& a, const StateChange& b) {
    return a.step == b.step && a.node == b.node && a.field == b.field && a.value == b.value;
  }
};

/// Virtual channels: the state of a router when its allocators chose in a step, and the flits that then passed its
/// switch. Channel number: port * channels + number; the processor is the port after all others.
struct RouterTurn {
  struct Passing {
    Port in = no_port, out = no_port;
    std::int32_t in_channel = -1, out_channel = -1;
    PacketId packet = no_packet;
    std::int32_t flit = 0;
  };
  struct InFifo {
    PacketId packet = no_packet;
    std::int32_t flit = 0;
    Step from = 0;  ///< the first cycle in which it may leave
  };
  PacketId sending = no_packet;   ///< the packet whose flits leave the processor's memory next
  std::vector<PacketId> front;    ///< [in-channel] packet of the front flit; no_packet: empty
  std::vector<PacketId> carries;  ///< [out-channel] the packet whose head has passed the switch, until its tail has
  std::vector<int> credits;       ///< [out-channel]
  std::vector<std::int64_t> priorities;  ///< [in-channel] with a flit
  std::vector<Passing> passed;
  std::vector<Passing> held;                    ///< in-ports and out-ports that packets hold, with their next flits
  std::map<Port, std::vector<InFifo>> in_fifo;  ///< by out-port: flits between the switch and the link
  std::set<Port> full_replays;                  ///< out-ports whose replay buffer is full
  std::set<Port> full_links;                    ///< out-ports whose FIFO between two clocks is full
  std::map<Port, PacketId> busy_links;          ///< out-ports whose links take no flit, because of one of this packet
};

struct StepperResult {
  StepperEnd end = StepperEnd::step_limit;
  RunRecord record;                    ///< as the fabric keeps it, `activations` included
  std::vector<TraceRow> rows;          ///< sorted; those of the step of a violation are incomplete
  std::vector<CreditRow> credits;      ///< virtual channels: sorted
  std::vector<StateChange> state;      ///< by step, node, field
  std::vector<RouterTurn> turns;       ///< if asked for, of each step that was executed, of each node
  std::optional<Violation> violation;  ///< the first, if there is one
};

/// \throws std::invalid_argument if the algorithm cannot carry the packets (several flits) or the latency of links.
StepperResult run_stepper(const LinkNetwork& network, const Algorithm& algorithm, PacketSource& source,
                          const StepperOptions& options = {});
inline StepperResult run_stepper(const Grid& grid, const Algorithm& algorithm, PacketSource& source,
                                 const StepperOptions& options = {}) {
  return run_stepper(network_of(grid), algorithm, source, options);
}

}  // namespace starloom::links
