// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Transactions as packets: the numbers of their flits, and errors in them. Without SystemC.
#include <cstdint>
#include <optional>

namespace starloom {

enum class TransactionCommand : std::uint8_t { read, write, ignore };

/// The attributes that determine the packets of a transaction.
struct TransactionForm {
  TransactionCommand command = TransactionCommand::read;
  std::uint64_t length = 0;  ///< bytes of data
  bool byte_enables = false;
};

/// Lengths of packets, in flits. A header has one flit: command, address, length, streaming width and response
/// status. Data and byte enables follow in flits of their own. Reads apply their byte enables when the data return.
class PacketSizes {
 public:
  /// `flit_bytes`: bytes in a flit, at least 1.
  explicit PacketSizes(std::uint64_t flit_bytes) : flit_bytes_(flit_bytes) {}

  /// 1, and for a write also its data and the same number of byte enables.
  std::int32_t request(const TransactionForm& form) const {
    if (form.command != TransactionCommand::write) return 1;
    return 1 + payload(form.length) * (form.byte_enables ? 2 : 1);
  }
  /// 1, and for a read also its data.
  std::int32_t response(const TransactionForm& form) const {
    return form.command == TransactionCommand::read ? 1 + payload(form.length) : 1;
  }

  std::uint64_t flit_bytes() const { return flit_bytes_; }

 private:
  std::int32_t payload(std::uint64_t bytes) const {
    return bytes == 0 ? 0 : static_cast<std::int32_t>((bytes - 1) / flit_bytes_ + 1);
  }

  std::uint64_t flit_bytes_;
};

/// Errors in a transaction itself, independent of its target: the responses of the standard.
enum class TransactionError : std::uint8_t { none, command, burst, byte_enable, generic };

/// A transaction as requested in the payload.
struct TransactionRequest {
  std::optional<TransactionCommand> command;  ///< empty: not a command of the base protocol
  bool has_data = false;                      ///< the data pointer is not null
  std::uint64_t length = 0;
  std::uint64_t streaming_width = 0;
  bool has_byte_enables = false;
  std::uint64_t byte_enable_length = 0;
};

/// An attribute that the standard does not allow, although models send it with a meaning.
enum class LooseAttribute : std::uint8_t { none, no_data, no_streaming_width, long_byte_enables };

/// True if there is neither a loose attribute nor an error, as in nearly all transactions.
inline bool is_plain(const TransactionRequest& request) {
  return request.command && request.has_data && request.length > 0 && request.streaming_width > 0 &&
         (!request.has_byte_enables ||
          (request.byte_enable_length > 0 && request.byte_enable_length <= request.length));
}

/// The first of them: a data length of 0, a streaming width of 0, byte enables longer than the data. A command to
/// ignore has none, because it moves no data.
LooseAttribute loose_attribute_of(const TransactionRequest& request);

/// The first error, in the order command, data pointer (generic), length and streaming width (burst), byte enables
/// (empty, or longer than the data). Loose attributes are errors if `strict`. A command to ignore moves no data, so
/// only its command can be wrong.
TransactionError error_of(const TransactionRequest& request, bool strict);

}  // namespace starloom
