#pragma once
/// \file `--watch packet=N`: tells on stderr what happens to one packet, as it happens.
#include <string>
#include <vector>

#include "core/trace.hpp"
#include "topology/topology.hpp"

namespace starloom {

/// One row of a trace as a sentence with instance names.
std::string describe(const TraceRow& row, const Topology& topology);

class PacketWatch final : public TraceSink {
 public:
  PacketWatch(const Topology& topology, std::vector<PacketId> packets)
      : topology_(topology), packets_(std::move(packets)) {}
  void rows(const std::vector<TraceRow>& of_one_step) override;

 private:
  const Topology& topology_;
  std::vector<PacketId> packets_;
};

/// N of `packet=N`. \throws InputError for other texts.
PacketId parse_watch(const std::string& text);

}  // namespace starloom
