// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/transaction_packets.hpp>

namespace starloom {

TransactionFault fault_of(const AskedTransaction& asked) {
  if (!asked.command) return TransactionFault::command;
  if (*asked.command == TransactionCommand::ignore) return TransactionFault::none;
  if (!asked.has_data) return TransactionFault::generic;
  if (asked.length == 0 || asked.streaming_width == 0) return TransactionFault::burst;
  if (asked.has_byte_enables && (asked.byte_enable_length == 0 || asked.byte_enable_length > asked.length))
    return TransactionFault::byte_enable;
  return TransactionFault::none;
}

}  // namespace starloom
