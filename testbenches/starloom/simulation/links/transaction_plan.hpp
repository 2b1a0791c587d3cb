// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Transactions to be played on the sockets of a network, and what comes of them.
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/sockets/placement.hpp>
#include <starloom/sockets/transaction_view.hpp>
#include <starloom/traffic/transactions.hpp>

namespace starloom::links {

/// Every initiator makes its transactions without waiting for one another; targets are memories that begin with zeros
/// and answer at once.
struct TransactionPlan {
  TransactionView view = TransactionView::loosely_timed;
  std::vector<NodeId> initiators;
  std::vector<PlacedTarget> targets;
  std::int32_t flit_bytes = 16;
  const std::vector<Transaction>* transactions = nullptr;
};

struct PlayedTransaction {
  Step issued = no_step;
  Step completed = no_step;          ///< no_step: not answered
  std::string status{};              ///< the standard's name of the response; empty: not answered
  std::vector<std::uint8_t> data{};  ///< what a read brought
};

/// The packets that will be created if every transaction is answered at once in an empty network, request and
/// response of each. Of those that no target holds there are none.
std::vector<Packet> expected_packets(const TransactionPlan& plan);

/// What keeps a plan from being played, a sentence; empty: nothing. `clock_ns`: the length of a step.
std::string plan_error(const TransactionPlan& plan, const NetworkGraph& graph, double clock_ns);

}  // namespace starloom::links
