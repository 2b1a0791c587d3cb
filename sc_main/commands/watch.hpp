#pragma once
/// \file `--watch packet=N`: tells on stderr what happens to one packet, as it happens.
#include <string>
#include <vector>

#include "core/star_trace.hpp"
#include "core/trace.hpp"
#include "topology/pops.hpp"
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

/// The same on a POPS network.
std::string describe(const StarRow& row, const Pops& pops);

class StarPacketWatch final : public StarTraceSink {
 public:
  StarPacketWatch(const Pops& pops, std::vector<PacketId> packets) : pops_(pops), packets_(std::move(packets)) {}
  void rows(const std::vector<StarRow>& of_one_slot) override;

 private:
  const Pops pops_;
  std::vector<PacketId> packets_;
};

/// N of `packet=N`. \throws InputError for other texts.
PacketId parse_watch(const std::string& text);

}  // namespace starloom
