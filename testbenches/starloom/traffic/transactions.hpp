// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Transactions of memory-mapped initiators, as a file lists them.
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/traffic/traffic.hpp>

namespace starloom {

struct Transaction {
  enum class Command : std::uint8_t { read, write, ignore };
  Step time = 0;               ///< the step at whose beginning it is made
  std::int32_t initiator = 0;  ///< index in the list of initiators
  Command command = Command::read;
  std::uint64_t address = 0;
  std::uint32_t length = 0;                  ///< bytes, at least 1
  std::vector<std::uint8_t> data{};          ///< [byte] of a write
  std::vector<std::uint8_t> byte_enables{};  ///< 0x00 or 0xff, repeated up to the length; empty: all bytes
};

/// Creates no packets by itself: the component that carries the transactions out does.
class TransactionTraffic final : public Traffic {
 public:
  explicit TransactionTraffic(std::vector<Transaction> transactions) : transactions_(std::move(transactions)) {}
  void generate(Step /*from*/, Step /*to*/, std::vector<Packet>& /*out*/) override {}
  Step next_creation(Step /*from*/) const override { return no_step; }
  std::optional<Step> end() const override { return 0; }
  const std::vector<Transaction>* transactions() const override { return &transactions_; }

 private:
  const std::vector<Transaction> transactions_;
};

/// Reads a transaction file: CSV, header `time,initiator,command,address,length,data,byte_enable`. Times are steps;
/// commands are read, write and ignore; addresses are decimal, or hexadecimal after 0x; data and byte enables are two
/// hexadecimal digits per byte. Transactions are numbered from 0 in the order of the file.
/// \throws DataFileError with all errors of the file and their locations; ConfigError if it cannot be read.
std::vector<Transaction> read_transaction_file(const TrafficContext& context, const std::string& name);

}  // namespace starloom
