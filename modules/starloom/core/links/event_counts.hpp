// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The events of a run in its nodes and links, from which its energy follows (docs/energy.md).
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Requests of input channels to the allocators of their routers, each in the step in which it is made.
struct RequestCounts {
  std::int64_t channels = 0;  ///< for an output channel that is free, one whatever the number of those that would do
  std::int64_t switches = 0;  ///< for the switch, those of speculative heads included
};

/// Each event counts in the step of its trace row.
struct EventCounts {
  EventCounts() = default;
  EventCounts(std::size_t links, std::size_t nodes)
      : flits(links, 0), others(links, 0), injected(nodes, 0), ejected(nodes, 0), stored(nodes, 0), heads(nodes, 0) {}

  std::vector<std::int64_t> flits;     ///< [node * ports + out-port] that entered the link for the first time
  std::vector<std::int64_t> others;    ///< the same: control objects that entered it, and flits that it repeated
  std::vector<std::int64_t> injected;  ///< [node] flits that left the memory of its processor
  std::vector<std::int64_t> ejected;   ///< [node] flits that its processor consumed
  std::vector<std::int64_t> stored;    ///< [node] flits of foreign packets that entered the memory of its processor
  /// [node] first flits of packets that passed its switch: that left it over a link, were consumed or stored. Worms
  /// are consumed and stored without a switch.
  std::vector<std::int64_t> heads;
  RequestCounts requests;
  /// [node] steps in which it had a flit; empty: unknown
  std::vector<std::int64_t> busy;

  EventCounts& operator+=(const EventCounts& more) { return add<1>(more); }
  EventCounts& operator-=(const EventCounts& less) { return add<-1>(less); }

 private:
  template <int sign>
  EventCounts& add(const EventCounts& other) {
    requests.channels += sign * other.requests.channels;
    requests.switches += sign * other.requests.switches;
    for (auto list : {&EventCounts::flits, &EventCounts::others, &EventCounts::injected, &EventCounts::ejected,
                      &EventCounts::stored, &EventCounts::heads, &EventCounts::busy})
      for (std::size_t i = 0; i < (this->*list).size(); ++i) (this->*list)[i] += sign * (other.*list)[i];
    return *this;
  }
};

/// Reads the events of a run between two steps.
class EventReader {
 public:
  virtual ~EventReader() = default;
  /// The step before which it reads them next; no_step: none.
  virtual Step due() const = 0;
  /// \param events of the steps before `due()`
  virtual void read(EventCounts events) = 0;
  /// Called at the end of the run. \param steps of the run \param events of all of them
  virtual void finish(Step steps, EventCounts events) = 0;
};

}  // namespace starloom::links
