// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Finds a class of traffic that stays in the network while others move.
#include <optional>
#include <vector>

#include <starloom/core/links/run_record.hpp>

namespace starloom::links {

/// Priorities can keep a class from every link, while flits of others are delivered: no watchdog of the whole network
/// sees that.
class Starvation {
 public:
  /// \param quiet steps with flits of a class in the network, but none delivered, until it counts as starved.
  Starvation(std::size_t classes, Step quiet) : quiet_(quiet), classes_(classes) {}

  struct Found {
    std::size_t number = 0;  ///< of the class
    Step since = 0;          ///< no flit was delivered after this step
  };
  /// Called after step `done`.
  std::optional<Found> look(Step done, const RunRecord& record);

 private:
  struct OfClass {
    std::int64_t delivered = 0;  ///< flits
    Step since = 0;              ///< the last delivery, or if that is earlier, the injection of the oldest packet
  };
  static Step oldest_in_network(const RunRecord& record, std::size_t number);

  Step quiet_;
  std::vector<OfClass> classes_;
};

}  // namespace starloom::links
