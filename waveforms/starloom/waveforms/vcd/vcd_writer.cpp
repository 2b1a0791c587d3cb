// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/vcd/vcd_writer.hpp>

#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <system_error>

#include <starloom/support/error.hpp>

namespace starloom {
namespace {

constexpr char first_letter = '!';
constexpr std::uint32_t letters = 94;  ///< '!' to '~'

/// The text before the unit.
constexpr std::string_view header =
    "$date\n  Thu Jan  1 00:00:00 1970\n$end\n$version\n  Starloom\n$end\n$timescale\n  ";

/// The eight binary digits of every byte.
using Digits = std::array<char, 8>;
constexpr std::array<Digits, 256> binary_digits() {
  std::array<Digits, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte)
    for (std::size_t bit = 0; bit < 8; ++bit) table[byte][7 - bit] = (byte >> bit & 1) != 0 ? '1' : '0';
  return table;
}
constexpr std::array<Digits, 256> digits_of = binary_digits();

/// Writes `value` in binary without leading zeros; returns the end.
char* write_binary(char* to, std::uint64_t value) {
  const int bits = value == 0 ? 1 : 64 - __builtin_clzll(value);
  const int bytes = (bits + 7) / 8;
  const int first = bits - 8 * (bytes - 1);  // digits of the leading byte
  const Digits& leading = digits_of[value >> (8 * (bytes - 1)) & 0xFF];
  std::memcpy(to, leading.data() + 8 - first, static_cast<std::size_t>(first));
  to += first;
  for (int byte = bytes - 2; byte >= 0; --byte, to += 8)
    std::memcpy(to, digits_of[value >> (8 * byte) & 0xFF].data(), 8);
  return to;
}

}  // namespace

VcdWriter::VcdWriter(const std::filesystem::path& file, const std::string& time_unit) : file_(file), out_(file) {
  out_ << header << time_unit << "\n$end\n";
}

void VcdWriter::open_scope(std::string_view name) { out_ << "$scope module " << name << " $end\n"; }

void VcdWriter::close_scope() { out_ << "$upscope $end\n"; }

VcdWriter::Variable VcdWriter::add(std::string_view name, int width) {
  const Variable variable = declare("wire", name, width);
  if (width > 1) out_ << " [" << width - 1 << ":0]";
  out_ << " $end\n";
  return variable;
}

VcdWriter::Variable VcdWriter::add_real(std::string_view name) {
  const Variable variable = declare("real", name, 64);
  out_ << " $end\n";
  return variable;
}

/// All of a declaration but its end.
VcdWriter::Variable VcdWriter::declare(std::string_view type, std::string_view name, int width) {
  const auto variable = static_cast<Variable>(codes_.size());
  Code code;
  code.single_bit = width == 1;
  std::uint32_t left = variable;
  do {
    code.text[code.size++] = static_cast<char>(first_letter + left % letters);
    left /= letters;
  } while (left-- > 0);
  out_ << "$var " << type << ' ' << width << ' ' << std::string_view(code.text, code.size) << ' ' << name;
  code.text[code.size++] = '\n';
  codes_.push_back(code);
  return variable;
}

void VcdWriter::end_declarations() { out_ << "$enddefinitions $end\n"; }

void VcdWriter::time(std::uint64_t time) { out_ << '#' << static_cast<long long>(time) << '\n'; }

void VcdWriter::number(Variable variable, std::uint64_t value) {
  const Code& code = codes_[variable];
  char line[1 + 64 + 1 + sizeof code.text];
  char* end = line;
  if (code.single_bit) {
    *end++ = value != 0 ? '1' : '0';
  } else {
    *end++ = 'b';
    end = write_binary(end, value);
    *end++ = ' ';
  }
  std::memcpy(end, code.text, sizeof code.text);
  out_ << std::string_view(line, static_cast<std::size_t>(end - line) + code.size);
}

void VcdWriter::real(Variable variable, double value) {
  const Code& code = codes_[variable];
  std::array<char, 32> digits;
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out_ << 'r' << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())) << ' '
       << std::string_view(code.text, code.size);
}

void VcdWriter::letter(Variable variable, char letter) {
  const Code& code = codes_[variable];
  if (code.single_bit) out_ << letter;
  else out_ << 'b' << letter << ' ';
  out_ << std::string_view(code.text, code.size);
}

void VcdWriter::change_unit(const std::string& time_unit,
                            const std::function<std::uint64_t(std::uint64_t)>& converted) {
  out_.close();
  const std::filesystem::path before = file_.string() + ".finer";
  const auto fail = [this](const char* what) { throw OutputError(file_.string() + ": " + what); };
  std::error_code error;
  std::filesystem::rename(file_, before, error);
  if (error) fail("cannot be renamed for a coarser unit of time");
  out_ = TextWriter(file_);
  out_ << header << time_unit << '\n';
  std::ifstream in(before, std::ios::binary);
  in.seekg(header.size());
  std::string line;
  std::getline(in, line);  // the previous unit
  while (std::getline(in, line)) {
    if (line[0] == '#') time(converted(std::stoull(line.substr(1))));
    else out_ << line << '\n';
  }
  if (!in.eof()) fail("cannot be read again for a coarser unit of time");
  in.close();
  std::filesystem::remove(before, error);
}

}  // namespace starloom
