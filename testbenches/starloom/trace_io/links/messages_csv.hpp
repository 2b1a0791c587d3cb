// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `messages.csv`: the messages of a workload (docs/output.md).
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/trace_io/csv_reader.hpp>
#include <starloom/trace_io/destinations.hpp>

namespace starloom::links {

/// A message; its number is its position in the list.
struct MessageRow {
  std::int64_t id = -1;  ///< in the input; -1: none
  std::string flow;
  std::string traffic_class;  ///< the name of its class; empty without classes
  NodeId source = no_node;
  NodeId destination = no_node;
  std::int64_t flits = 0;
  Step created = no_step;
  Step delivered = no_step;       ///< no_step: it never was
  std::int64_t released_by = -1;  ///< the message that was delivered last of those for which it waited; -1: none

  /// False for a number that no message of the run has.
  bool exists() const { return flits > 0; }
};

/// \param row of a message, by its number, from 0 to `count` - 1; one that does not exist is left out.
/// \throws OutputError
/// \param groups of messages to several destinations.
void write_messages(const std::filesystem::path& file, std::size_t count,
                    const std::function<MessageRow(std::size_t)>& row, const std::vector<MulticastGroup>& groups = {});

/// Strict: every line is complete, and messages are numbered as `numbering` says.
/// \throws InputError `file:line:column: text`
/// \param destinations the groups of messages to several, to which new ones are added.
std::vector<MessageRow> read_messages(const std::filesystem::path& file, Numbering numbering,
                                      DestinationCells& destinations);
inline std::vector<MessageRow> read_messages(const std::filesystem::path& file, Numbering numbering = Numbering()) {
  DestinationCells destinations;
  return read_messages(file, numbering, destinations);
}

}  // namespace starloom::links
