// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `messages.csv`: the messages of a workload (docs/output.md).
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// A message; its number is its position in the list.
struct MessageRow {
  std::int64_t id = -1;  ///< in the input; -1: none
  std::string flow;
  std::string traffic_class;  ///< the name of its class; empty without classes
  NodeId source = no_node;
  NodeId destination = no_node;
  std::int64_t flits = 0;
  Step created = 0;
  Step delivered = no_step;       ///< no_step: it never was
  std::int64_t released_by = -1;  ///< the message that was delivered last of those for which it waited; -1: none
};

/// \param row of a message, by its number, from 0 to `count` - 1. \throws OutputError
void write_messages(const std::filesystem::path& file, std::size_t count,
                    const std::function<MessageRow(std::size_t)>& row);

/// Strict: every line is complete, messages are numbered 0, 1, 2, ... \throws InputError `file:line:column: text`
std::vector<MessageRow> read_messages(const std::filesystem::path& file);

}  // namespace starloom::links
