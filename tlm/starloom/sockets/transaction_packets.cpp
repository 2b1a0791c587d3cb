// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/transaction_packets.hpp>

namespace starloom {

LooseAttribute loose_attribute_of(const AskedTransaction& asked) {
  if (asked.command == TransactionCommand::ignore) return LooseAttribute::none;
  if (asked.length == 0) return LooseAttribute::no_data;
  if (asked.streaming_width == 0) return LooseAttribute::no_streaming_width;
  if (asked.has_byte_enables && asked.byte_enable_length > asked.length) return LooseAttribute::long_byte_enables;
  return LooseAttribute::none;
}

TransactionError error_of(const AskedTransaction& asked, bool strict) {
  if (!asked.command) return TransactionError::command;
  if (*asked.command == TransactionCommand::ignore) return TransactionError::none;
  if (!asked.has_data && (strict || asked.length > 0)) return TransactionError::generic;
  const LooseAttribute loose = strict ? loose_attribute_of(asked) : LooseAttribute::none;
  if (loose == LooseAttribute::no_data || loose == LooseAttribute::no_streaming_width) return TransactionError::burst;
  if (asked.has_byte_enables && (asked.byte_enable_length == 0 || loose == LooseAttribute::long_byte_enables))
    return TransactionError::byte_enable;
  return TransactionError::none;
}

}  // namespace starloom
