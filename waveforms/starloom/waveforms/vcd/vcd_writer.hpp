// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Value change dumps (IEEE 1364, section 18) as a format: scopes, variables, times, values.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <starloom/support/text_writer.hpp>

namespace starloom {

/// Writes a VCD file from front to back: scopes and variables, then times, each with its changes. It writes all
/// values that it receives; the caller determines which have changed. The date is constant, so that equal runs give
/// equal files.
class VcdWriter {
 public:
  using Variable = std::uint32_t;  ///< numbered from 0 in the order of declaration

  /// \param time_unit the unit of all times, in the syntax of the format: "1 ps".
  /// \throws OutputError; so do all others.
  VcdWriter(const std::filesystem::path& file, const std::string& time_unit);

  // Declarations, before the first time.
  void open_scope(std::string_view name);
  void close_scope();
  /// A variable in the open scope, 1 to 64 bits wide.
  Variable add(std::string_view name, int width);
  /// The same, a real number.
  Variable add_real(std::string_view name);
  void end_declarations();

  // Values. Times ascend.
  void time(std::uint64_t time);
  void begin_dump() { out_ << "$dumpvars\n"; }
  void end_dump() { out_ << "$end\n"; }
  void number(Variable variable, std::uint64_t value);
  /// Every digit of the value of a real variable.
  void real(Variable variable, double value);
  /// All bits 'z' (no driver) or 'x' (unknown).
  void letter(Variable variable, char letter);

  /// Rewrites the file with its times in another unit, `converted` each, and continues in that unit.
  void change_unit(const std::string& time_unit, const std::function<std::uint64_t(std::uint64_t)>& converted);
  /// Completes the file.
  void close() { out_.close(); }
  /// Removes the file. It must not be written afterwards.
  void discard() { out_.discard(); }

 private:
  struct Code {
    char text[7] = {};  ///< printable characters, the least significant first, and the end of the line
    std::uint8_t size = 0;
    bool single_bit = false;
  };

  Variable declare(std::string_view type, std::string_view name, int width);

  std::filesystem::path file_;
  TextWriter out_;
  std::vector<Code> codes_;  ///< [variable]
};

}  // namespace starloom
