// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/transaction_packets.hpp>

namespace starloom {

LooseAttribute loose_attribute_of(const TransactionRequest& request) {
  if (request.command == TransactionCommand::ignore) return LooseAttribute::none;
  if (request.length == 0) return LooseAttribute::no_data;
  if (request.streaming_width == 0) return LooseAttribute::no_streaming_width;
  if (request.has_byte_enables && request.byte_enable_length > request.length) return LooseAttribute::long_byte_enables;
  return LooseAttribute::none;
}

TransactionError error_of(const TransactionRequest& request, bool strict) {
  if (!request.command) return TransactionError::command;
  if (*request.command == TransactionCommand::ignore) return TransactionError::none;
  if (!request.has_data && (strict || request.length > 0)) return TransactionError::generic;
  const LooseAttribute loose = strict ? loose_attribute_of(request) : LooseAttribute::none;
  if (loose == LooseAttribute::no_data || loose == LooseAttribute::no_streaming_width) return TransactionError::burst;
  if (request.has_byte_enables && (request.byte_enable_length == 0 || loose == LooseAttribute::long_byte_enables))
    return TransactionError::byte_enable;
  return TransactionError::none;
}

}  // namespace starloom
