#pragma once
/// \file `--watch packet=N`: tells on stderr what happens to one packet, as it happens.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/core/pops/trace.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom {

/// One row of a trace as a sentence with instance names.
std::string describe(const links::TraceRow& row, const NetworkGraph& graph);
std::string describe(const pops::TraceRow& row, const Pops& pops);

/// Tells the rows of some packets, in the words of `describe`. `Sink` takes rows of type `Row`.
template <class Sink, class Row>
class PacketWatch final : public Sink {
 public:
  PacketWatch(std::vector<PacketId> packets, std::function<std::string(const Row&)> describe)
      : packets_(std::move(packets)), describe_(std::move(describe)) {}
  void rows(const std::vector<Row>& together) override {
    for (const Row& row : together)
      if (std::find(packets_.begin(), packets_.end(), row.packet) != packets_.end())
        fmt::print(stderr, "{}\n", describe_(row));
  }

 private:
  std::vector<PacketId> packets_;
  std::function<std::string(const Row&)> describe_;
};

/// N of `packet=N`. \throws InputError for other texts.
PacketId parse_watch(const std::string& text);

}  // namespace starloom
