// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/transactions.hpp>

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
    file_.each_line([this](std::size_t number, std::string_view line) {
      line_ = number;
      if (number == 1 && line != header) {
        file_.add_error(1, 1, "the header is " + std::string(header) + ", not '" + std::string(line) + "'");
        file_.stop_if_invalid();
      }
      if (number > 1 && !line.empty()) read_row(line);
    });
    file_.stop_if_invalid();
    return std::move(transactions_);
  }

 private:
  static constexpr std::string_view header = "time,initiator,command,address,length,data,byte_enable";
  enum Column : std::size_t { time, initiator, command, address, length, data, byte_enable, columns };

  void read_row(std::string_view line) {
    cells_ = csv_cells(line);
    if (cells_.size() != columns)
      return file_.add_error(line_, 1,
                             "a row has 7 cells (" + std::string(header) + "), not " + std::to_string(cells_.size()));
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

  void add_error(Column column, const std::string& text) { file_.add_error(line_, cells_[column].column, text); }

  std::int64_t number(Column column, const std::string& what, std::int64_t least, std::int64_t most) {
    const std::string_view text = cells_[column].text;
    const auto error = integer_error(text, least, most);
    if (error) add_error(column, what + ": " + *error);
    return error ? least : *parse_integer(text);
  }

  void read_command(Transaction& row) {
    static const std::vector<std::string> names = {"read", "write", "ignore"};
    const std::string text(cells_[command].text);
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) add_error(command, unknown_name("command", text, names));
    else row.command = static_cast<Transaction::Command>(found - names.begin());
  }

  void read_address(Transaction& row) {
    std::string_view digits = cells_[address].text;
    const bool hexadecimal = digits.substr(0, 2) == "0x";
    if (hexadecimal) digits.remove_prefix(2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), row.address, hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != digits.data() + digits.size())
      add_error(address, "address: '" + std::string(cells_[address].text) +
                             "' is not an address; write for example 4096 or 0x1000, at most 64 bits");
  }

  std::vector<std::uint8_t> bytes(Column column, const std::string& what) {
    const std::string_view text = cells_[column].text;
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
  std::vector<CsvCell> cells_;
};

}  // namespace

std::vector<Transaction> read_transaction_file(const TrafficContext& context, const std::string& name) {
  return TransactionReader(context, name).read();
}

}  // namespace starloom
