// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pipeline of the router behind its allocators, in steps. A flit that wins the switch in step t:

namespace starloom::router {

inline constexpr int link_entry = 2;     ///< enters its link in t + 2, from a register of the crossbar
inline constexpr int consumption = 3;    ///< at the local port, it is consumed in t + 3
inline constexpr int credit_word = 1;    ///< the credit of its place is on the side wire in t + 1
inline constexpr int exit_credit = 5;    ///< at the local port, a credit is there again in t + 5
inline constexpr int source_credit = 2;  ///< from the local in-port, the processor knows of the free place in t + 2
/// A flit that the processor sends in step s is readable in the local in-port in s + 2.
inline constexpr int injection = 2;
/// Of a terminal (NetworkGraph::is_terminal), it enters the link in s + 1; the credit of a channel towards one counts so many
/// steps after the flit has arrived there.
inline constexpr int terminal_entry = 1;
inline constexpr int terminal_credit = exit_credit - consumption;

/// Of a network: steps until a flit that wins the switch is readable behind its link, and until the credit of its place can be
/// used at the near end of the link that it came over.
inline constexpr int flit_delay(int link_latency) { return link_entry + link_latency; }
inline constexpr int credit_delay(int link_latency) { return credit_word + link_latency; }

}  // namespace starloom::router
