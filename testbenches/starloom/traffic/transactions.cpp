// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/transactions.hpp>

#include <array>
#include <charconv>
#include <limits>
#include <string_view>

#include <starloom/core/most_steps.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/schema/parse_number.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

/// Reads the rows of one file.
class TransactionReader {
 public:
  TransactionReader(const TrafficContext& context, const std::string& name)
      : initiators_(context.initiators), file_(context.folder, name) {}

  std::vector<Transaction> read() {
    const std::string_view text = file_.text();
    for (std::size_t start = 0; start < text.size() || line_ == 0;) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      std::string_view line = text.substr(start, end - start);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      start = end + 1;
      ++line_;
      if (line_ == 1 && line != header) {
        file_.add_error(1, 1, "the header is " + std::string(header) + ", not '" + std::string(line) + "'");
        file_.stop_if_invalid();
      }
      if (line_ > 1 && !line.empty()) read_row(line);
    }
    file_.stop_if_invalid();
    return std::move(transactions_);
  }

 private:
  static constexpr std::string_view header = "time,initiator,command,address,length,data,byte_enable";
  enum Column : std::size_t { time, initiator, command, address, length, data, byte_enable, columns };

  void read_row(std::string_view line) {
    std::size_t count = 0;
    for (std::size_t start = 0; start <= line.size(); ++count) {
      const std::size_t comma = std::min(line.find(',', start), line.size());
      if (count < columns) {
        cells_[count] = line.substr(start, comma - start);
        locations_[count] = start + 1;
      }
      start = comma + 1;
    }
    if (count != columns)
      return file_.add_error(line_, 1, "a row has 7 cells (" + std::string(header) + "), not " + std::to_string(count));
    Transaction row;
    row.time = number(time, "time", 0, most_steps);
    row.initiator = static_cast<std::int32_t>(number(initiator, "initiator", 0, initiators_ - 1));
    read_command(row);
    read_address(row);
    row.length = static_cast<std::uint32_t>(number(length, "length", 1, longest));
    row.data = bytes(data, "data");
    row.byte_enables = bytes(byte_enable, "byte_enable");
    check(row);
    transactions_.push_back(std::move(row));
  }

  void add_error(Column column, const std::string& text) { file_.add_error(line_, locations_[column], text); }

  std::int64_t number(Column column, const std::string& what, std::int64_t least, std::int64_t most) {
    const std::string_view text = cells_[column];
    const auto value = parse_integer(text);
    if (!value) add_error(column, what + ": '" + std::string(text) + "' is not an integer");
    else if (*value < least)
      add_error(column, what + ": " + std::to_string(*value) + " is less than " + std::to_string(least));
    else if (*value > most)
      add_error(column, what + ": " + std::to_string(*value) + " is more than " + std::to_string(most));
    else return *value;
    return least;
  }

  void read_command(Transaction& row) {
    static const std::vector<std::string> names = {"read", "write", "ignore"};
    const std::string text(cells_[command]);
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) add_error(command, unknown_name("command", text, names));
    else row.command = static_cast<Transaction::Command>(found - names.begin());
  }

  void read_address(Transaction& row) {
    std::string_view digits = cells_[address];
    const bool hexadecimal = digits.substr(0, 2) == "0x";
    if (hexadecimal) digits.remove_prefix(2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), row.address, hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != digits.data() + digits.size())
      add_error(address, "address: '" + std::string(cells_[address]) +
                             "' is not an address; write for example 4096 or 0x1000, at most 64 bits");
  }

  std::vector<std::uint8_t> bytes(Column column, const std::string& what) {
    const std::string_view text = cells_[column];
    std::vector<std::uint8_t> bytes(text.size() / 2);
    bool good = text.size() % 2 == 0;
    for (std::size_t i = 0; good && i < bytes.size(); ++i) {
      const char* const first = text.data() + 2 * i;
      good = std::from_chars(first, first + 2, bytes[i], 16).ptr == first + 2;
    }
    if (!good) add_error(column, what + ": two hexadecimal digits per byte are expected");
    return bytes;
  }

  void check(const Transaction& row) {
    const bool writes = row.command == Transaction::Command::write;
    const auto count = [](std::size_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); };
    if (writes && row.data.size() != row.length)
      add_error(data, "data: " + count(row.data.size()) + " for a write of " + count(row.length));
    if (!writes && !row.data.empty()) add_error(data, "data: only a write has data");
    if (row.byte_enables.size() > row.length)
      add_error(byte_enable,
                "byte_enable: " + count(row.byte_enables.size()) + " for " + count(row.length) + " of data");
    for (const std::uint8_t enable : row.byte_enables)
      if (enable != 0 && enable != 0xff)
        return add_error(byte_enable, "byte_enable: each byte is ff (enabled) or 00 (disabled)");
  }

  static constexpr std::int64_t longest = 1 << 20;  ///< bytes
  const std::int64_t initiators_;
  DataFile file_;
  std::vector<Transaction> transactions_;
  std::size_t line_ = 0;
  std::array<std::string_view, columns> cells_{};
  std::array<std::size_t, columns> locations_{};  ///< columns of the line, from 1
};

}  // namespace

std::vector<Transaction> read_transaction_file(const TrafficContext& context, const std::string& name) {
  return TransactionReader(context, name).read();
}

}  // namespace starloom
