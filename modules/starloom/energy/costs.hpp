// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The costs of routers and links of given sizes, in whole numbers (docs/energy.md).
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <starloom/energy/table.hpp>

namespace starloom::energy {

/// A router by the sizes that decide what it costs.
struct RouterSize {
  int bits = 0;      ///< of a flit
  int channels = 1;  ///< of an in-port
  int places = 0;    ///< for flits, in all buffers of an in-port; 0: a register for each port in place of buffers
  int ports = 2;     ///< the local one included
  bool allocates_channels = false;

  friend bool operator<(const RouterSize& a, const RouterSize& b) { return a.tied() < b.tied(); }

 private:
  std::tuple<int, int, int, int, bool> tied() const { return {bits, channels, places, ports, allocates_channels}; }
};

/// A link.
struct LinkSize {
  int bits = 0;
  int credit_wires = 0;  ///< back to its sender
  double millimetres = 0;
  int registers = 0;  ///< of `bits` each, on the way

  friend bool operator<(const LinkSize& a, const LinkSize& b) { return a.tied() < b.tied(); }

 private:
  std::tuple<int, int, double, int> tied() const { return {bits, credit_wires, millimetres, registers}; }
};

/// The kinds of events that cost energy.
enum class Event { buffer_write, buffer_read, switch_grant, channel, crossbar, latch, link, credit, clock, route };
inline constexpr std::array<std::string_view, 10> event_names = {
    "buffer_write", "buffer_read", "switch", "channel", "crossbar", "register", "link", "credit", "clock", "route"};
inline constexpr std::size_t event_count = event_names.size();
/// True if events of this kind are those of links, not of routers.
constexpr bool is_of_link(Event event) { return event == Event::link || event == Event::credit; }

/// The parts that leak and take area.
enum class Silicon { buffers, crossbar, switch_allocator, channel_allocator, clock, links };
inline constexpr std::array<std::string_view, 6> silicon_names = {"buffers",           "crossbar", "switch_allocator",
                                                                  "channel_allocator", "clock",    "links"};
inline constexpr std::size_t silicon_count = silicon_names.size();

/// A number for each kind of event, or for each part of the silicon.
using ByEvent = std::array<std::int64_t, event_count>;
using BySilicon = std::array<std::int64_t, silicon_count>;

/// The costs of a router or a link.
struct Cost {
  ByEvent energy{};  ///< aJ for each event
  /// aJ of a crossing whose bits toggle as the table assumes, if the bits of each crossing are known; the event `link`
  /// is then that of the registers alone.
  std::int64_t wires = 0;
  BySilicon leakage{};  ///< nW
  BySilicon area{};     ///< 10^-3 um2
};

/// The conditions of a run.
struct Conditions {
  double activity = 0.5;                  ///< share of the bits that toggle from flit to flit
  bool counts_toggles = false;            ///< true: on links the bits that toggle are counted
  std::optional<double> vdd{};            ///< empty: that of the table
  std::optional<double> temperature_k{};  ///< the same
  bool channel_allocator = true;          ///< false: none is counted, as in DSENT
};

/// Evaluates a table. Each value is rounded to a whole number as soon as its formula is evaluated, so sums of costs
/// are exact.
class Costs {
 public:
  /// A formula whose value cannot be used.
  struct Failure {
    const Section* section;
    std::string component;
    std::string text;  ///< `buffer_read is negative, -3.2, for a router of 5 ports, ...`

    friend bool operator<(const Failure& a, const Failure& b) {
      return std::tie(a.section, a.component) < std::tie(b.section, b.component);
    }
  };

  /// The table outlives it, and knows voltage and temperature if the conditions have others.
  Costs(const Table& table, const Conditions& conditions);

  Cost router(const RouterSize& size);
  Cost link(const LinkSize& size);

  /// The toggles of a crossing that the table assumes, in 10^-6. \param bits of a flit
  std::int64_t assumed_toggles(int bits) const;

  /// Components that were negative, or too large, for a router or link so far: the first text for each. Their values
  /// count as 0.
  const std::set<Failure>& failures() const { return failures_; }

 private:
  std::int64_t rounded(const Section& section, std::string_view component, double value, const std::string& what);
  std::int64_t energy(std::string_view component, const Size& size, const std::string& what, double n = 0,
                      bool keeps_activity = false);
  std::int64_t arbiter(const Size& size, const std::string& what, double n);
  std::int64_t multiple(const Section& section, std::string_view component, std::int64_t value, int count,
                        const std::string& what);
  std::int64_t leakage(std::string_view component, const Size& size, const std::string& what, int count = 1);
  std::int64_t area(std::string_view component, const Size& size, const std::string& what, int count = 1);

  const Table& table_;
  const Conditions conditions_;
  double dynamic_factor_ = 1, leakage_factor_ = 1;
  std::set<Failure> failures_;
};

}  // namespace starloom::energy
