// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network with initiators and memories of the base protocol around it.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/algorithms/table/make_algorithm.hpp>
#include <starloom/sockets/protocol_checker.hpp>
#include <starloom/sockets/transaction_network.hpp>
#include "support/fresh_context.hpp"
#include "support/tlm_parts.hpp"

namespace starloom::tlm_parts {

inline constexpr TransactionView views[] = {TransactionView::loosely_timed, TransactionView::approximately_timed,
                                            TransactionView::cycle_accurate};
inline constexpr std::uint64_t region = 0x1000;  ///< bytes of a memory; target j begins at j * region

/// A network, initiators and memories.
class Platform {
 public:
  struct Shape {
    LinkNetwork network = link_network(Grid::mesh({4, 4}));
    std::map<std::string, KeyValue> keys{};
    std::vector<router::Region> regions{};
    std::vector<NodeId> initiators = {0, 15};
    std::vector<NodeId> targets = {5, 10};
    Style style = Style::blocking;
    unsigned seed = 0;
    std::int32_t flit_bytes = 16;
    Step patience = 1'000'000;
    bool checked = false;  ///< a checker between any two sockets
    bool strict = false;
    std::optional<bool> target_blocks{};
    bool explicit_initiators = false, explicit_targets = false;  ///< phases are made by calls
    bool foreign_initiators = false, foreign_targets = false;    ///< they are bound by the test
  };

  Platform(TransactionView view, Shape shape) : shape_(std::move(shape)) {
    fresh_context();
    std::map<std::string, KeyValue> keys = shape_.keys;
    keys.emplace("channels", std::int64_t{2});
    links::AlgorithmContext context;
    context.network = &shape_.network;
    context.regions = shape_.regions;
    context.reply_channels = static_cast<std::int32_t>(std::get<std::int64_t>(keys["channels"]) / 2);
    algorithm = links::make_algorithm("vc-wormhole", context, keys);
    TransactionNetworkOptions options;
    options.view = view;
    options.flit_bytes = shape_.flit_bytes;
    options.patience = shape_.patience;
    options.strict = shape_.strict;
    options.explicit_initiator_phases = shape_.explicit_initiators;
    options.explicit_target_phases = shape_.explicit_targets;
    options.initiators = shape_.initiators;
    for (std::size_t j = 0; j < shape_.targets.size(); ++j)
      options.targets.push_back({shape_.targets[j], {j * region, region}, shape_.target_blocks});
    network = std::make_unique<TransactionNetwork>("network", shape_.network, *algorithm, options);
    for (std::size_t i = 0; i < shape_.initiators.size() && !shape_.foreign_initiators; ++i) {
      const std::string name = "initiator_" + std::to_string(i);
      initiators.push_back(std::make_unique<Initiator>(
          name.c_str(), shape_.seed == 0 ? 0 : shape_.seed * 100 + static_cast<unsigned>(i)));
      bind(initiators.back()->socket, network->target_socket[i]);
    }
    for (std::size_t j = 0; j < shape_.targets.size() && !shape_.foreign_targets; ++j) {
      const std::string name = "memory_" + std::to_string(j);
      memories.push_back(
          std::make_unique<Memory>(name.c_str(), region, shape_.style,
                                   shape_.seed == 0 ? 0 : shape_.seed * 100 + 50 + static_cast<unsigned>(j)));
      bind(network->initiator_socket[j], memories.back()->socket);
    }
  }
  /// Runs until there are no more events; then all transactions are over.
  void run() {
    sc_core::sc_start();
    for (const auto& initiator : initiators) EXPECT_TRUE(initiator->done()) << initiator->name();
    EXPECT_EQ(network->outstanding(), 0u);
  }

 private:
  template <class From, class To>
  void bind(From& from, To& to) {
    if (!shape_.checked) return from.bind(to);
    const std::string name = "checker_" + std::to_string(checkers_.size());
    checkers_.push_back(std::make_unique<ProtocolChecker>(name.c_str()));
    from.bind(checkers_.back()->target_socket);
    checkers_.back()->initiator_socket.bind(to);
  }

  Shape shape_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;

 public:
  std::unique_ptr<links::Algorithm> algorithm;
  std::unique_ptr<TransactionNetwork> network;
  std::vector<std::unique_ptr<Initiator>> initiators;
  std::vector<std::unique_ptr<Memory>> memories;
};

inline Transaction read(std::uint64_t address, std::size_t bytes, double at_ns = 0) {
  Transaction transaction;
  transaction.address = address;
  transaction.data.assign(bytes, 0);
  transaction.at = sc_time(at_ns, sc_core::SC_NS);
  return transaction;
}
inline Transaction write(std::uint64_t address, std::vector<unsigned char> data, double at_ns = 0) {
  Transaction transaction = read(address, 0, at_ns);
  transaction.command = tlm::TLM_WRITE_COMMAND;
  transaction.data = std::move(data);
  return transaction;
}

}  // namespace starloom::tlm_parts
