// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `--watch packet=N`: prints the events of one packet on stderr, as they happen.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <starloom/core/ids.hpp>
#include <starloom/support/message.hpp>
#include <string>
#include <utility>
#include <vector>

namespace starloom {

/// Prints the rows of some packets as `describe` words them. `Sink` takes rows of type `Row`.
template <class Sink, class Row>
class PacketWatchSink final : public Sink {
 public:
  PacketWatchSink(std::vector<PacketId> packets, std::function<std::string(const Row&)> describe)
      : packets_(std::move(packets)), describe_(std::move(describe)) {}
  void rows(const std::vector<Row>& together) override {
    for (const Row& row : together)
      if (std::find(packets_.begin(), packets_.end(), row.packet) != packets_.end()) print_message(describe_(row));
  }

 private:
  std::vector<PacketId> packets_;
  std::function<std::string(const Row&)> describe_;
};

}  // namespace starloom
