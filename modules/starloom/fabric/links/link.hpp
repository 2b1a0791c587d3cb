// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A directed link in the hierarchy of modules.
///
/// Facade: the behaviour is in the engine that steps the network (room `engines`; with virtual channels
/// `router/router_engine.hpp`), which keeps the registers. Latency and interval are set here.
#include <algorithm>
#include <cstdint>
#include <string>
#include <systemc>
#include <utility>

#include <starloom/core/ids.hpp>
#include <starloom/topology/network_tables.hpp>

namespace starloom::links {

class Link;

/// The interface of the writing end of a link, for the out-port bound to it.
class LinkInput : public virtual sc_core::sc_interface {
 public:
  virtual Link& link_written() = 0;
};

/// The interface of the reading end of a link, for the in-port bound to it.
class LinkOutput : public virtual sc_core::sc_interface {
 public:
  virtual Link& link_read() = 0;
};

/// A directed link. A flit that enters it in step t is readable at the far end in step t + latency; at most one flit
/// per `interval` steps, 1 by default. Side wires accompany it: one registered word per step against the direction of
/// the flits, and one along it, which take the latency of a flit without the steps of its phits behind the first.
///
/// Ports: none; it *is* the channel that one out-port of the writer and one in-port of the reader bind to. The engine
/// has its registers; the fabric reads the bindings at the start of simulation.
class Link final : public sc_core::sc_module, public LinkInput, public LinkOutput {
 public:
  Link(const sc_core::sc_module_name& name, const LinkTiming& timing) : sc_module(name), timing_(timing) {
    const auto refuse = [this](const std::string& text) {
      SC_REPORT_ERROR("/starloom/netlist", (std::string(this->name()) + " has " + text).c_str());
    };
    for (const auto& [steps, what] : {std::pair(timing.latency, "latency"), std::pair(timing.interval, "interval"),
                                      std::pair(timing.phits, "number of phits")})
      if (steps < 1) refuse(std::string("a ") + what + " below 1");
    if (timing.phits * timing.period > std::min(timing.latency, timing.interval))
      refuse("more phits of a flit than steps of its latency or interval");
  }
  /// \param latency, interval in steps, at least 1.
  Link(const sc_core::sc_module_name& name, std::int32_t latency, std::int32_t interval = 1)
      : Link(name, LinkTiming{latency, interval}) {}

  const LinkTiming& timing() const { return timing_; }
  std::int32_t latency() const { return timing_.latency; }
  std::int32_t interval() const { return timing_.interval; }
  Link& link_written() override { return *this; }
  Link& link_read() override { return *this; }

 private:
  LinkTiming timing_;
};

}  // namespace starloom::links
