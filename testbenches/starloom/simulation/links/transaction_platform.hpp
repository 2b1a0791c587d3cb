// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Initiators, memories and a network that carries transactions between them, as SystemC modules.
#include <functional>
#include <memory>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/fabric/links/network.hpp>
#include <starloom/simulation/links/transaction_plan.hpp>

namespace starloom::links {

class FlitContents;

class TransactionPlatform {
 public:
  struct Parts {
    const LinkNetwork* network = nullptr;
    const Algorithm* algorithm = nullptr;
    Network* hardware = nullptr;  ///< in the cycle-accurate view
    sc_core::sc_time period;
    FlitContents* contents = nullptr;  ///< gets the bytes of all packets, with hardware; null: none are kept
    Step until = no_step;              ///< no packet is created in or after this step
    /// in the other views: a packet and the step of its delivery
    std::function<void(const Packet&, Step)> on_packet{};
    std::function<void()> on_end{};  ///< called when the last transaction has its response
  };
  TransactionPlatform(const TransactionPlan& plan, const Parts& parts);
  ~TransactionPlatform();

  /// True if a transaction has no response yet.
  bool pending() const;
  const std::vector<PlayedTransaction>& played() const;

 private:
  struct Modules;
  std::unique_ptr<Modules> modules_;
};

/// Lines for users about transactions without a response, at most `most`.
std::vector<std::string> unanswered(const TransactionPlan& plan, const std::vector<PlayedTransaction>& played,
                                    std::size_t most = 20);

}  // namespace starloom::links
