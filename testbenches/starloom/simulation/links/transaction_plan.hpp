// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Transactions to be carried out on the sockets of a network, and their results.
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/sockets/placement.hpp>
#include <starloom/sockets/transaction_view.hpp>
#include <starloom/traffic/transactions.hpp>

namespace starloom::links {

/// Every initiator starts its transactions at their times, without waiting for responses; targets are memories that
/// begin with zeros and respond immediately.
struct TransactionPlan {
  TransactionView view = TransactionView::loosely_timed;
  std::vector<NodeId> initiators;
  std::vector<PlacedTarget> targets;
  std::int32_t flit_bytes = 16;
  const std::vector<Transaction>* transactions = nullptr;
};

struct PlayedTransaction {
  Step issued = no_step;
  Step completed = no_step;          ///< no_step: no response
  std::string status{};              ///< the standard's name of the response; empty: no response
  std::vector<std::uint8_t> data{};  ///< the data of a read
};

/// The packets that will be created if every transaction gets its response without delay in an empty network, request
/// and response of each. Transactions to addresses without a target have none.
std::vector<Packet> expected_packets(const TransactionPlan& plan);

/// The reason why a plan cannot be carried out, a sentence; empty if it can. `clock_ns`: the length of a step.
std::string plan_error(const TransactionPlan& plan, const NetworkGraph& graph, double clock_ns);

}  // namespace starloom::links
