// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Traffic of messages and events that are all known before the run.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <starloom/traffic/traffic.hpp>
#include <starloom/traffic/workloads/graph_workload.hpp>

namespace starloom {

class ItemTraffic final : public Traffic {
 public:
  /// \param graph without cycles. \param longest_packet into which messages are cut; 0: a message is a packet.
  ItemTraffic(std::shared_ptr<const ItemGraph> graph, std::int32_t longest_packet)
      : graph_(std::move(graph)), longest_packet_(longest_packet) {
    for (const Item& item : graph_->items()) packets_ += packets_of(item.flits, longest_packet_);
  }

  void generate(Step /*from*/, Step /*to*/, std::vector<Packet>& /*out*/) override {}
  Step next_creation(Step /*from*/) const override { return no_step; }
  std::optional<Step> end() const override { return std::nullopt; }
  std::optional<std::int64_t> packet_count() const override { return packets_; }
  std::unique_ptr<Workload> workload() const override {
    return std::make_unique<GraphWorkload>(graph_, longest_packet_);
  }

 private:
  std::shared_ptr<const ItemGraph> graph_;
  std::int32_t longest_packet_;
  std::int64_t packets_ = 0;
};

}  // namespace starloom
