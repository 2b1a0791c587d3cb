// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/gtkwave/save_file.hpp>

#include <array>
#include <charconv>
#include <cmath>

namespace starloom {
namespace {

// Bits of GTKWave's trace flags (its header analyzer.h).
constexpr std::uint32_t decimal = 0x4;
constexpr std::uint32_t binary = 0x8;
constexpr std::uint32_t right_justified = 0x20;
constexpr std::uint32_t blank = 0x200;
constexpr std::uint32_t collapsed = 0x1000;
constexpr std::uint32_t file_translated = 0x2000;
constexpr std::uint32_t analog_step = 0x8000;
constexpr std::uint32_t analog_blank_stretch = 0x20000;
constexpr std::uint32_t closed = 0x400000;
constexpr std::uint32_t group_begin = 0x800000;
constexpr std::uint32_t group_end = 0x1000000;

/// Room for a packet number of six digits, and for most names of values.
constexpr double pixels_of_a_step = 52;

/// The same in every locale. \param format a base of an integer, or the format and the digits of a real number
template <class Number, class... Format>
std::string text_of(Number number, Format... format) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number, format...).ptr};
}

}  // namespace

std::string EnumFilter::text() const {
  std::string text;
  for (std::size_t value = 0; value < names.size(); ++value) text += std::to_string(value) + ' ' + names[value] + '\n';
  return text;
}

SaveFile::SaveFile(const std::string& dump, std::uint64_t from_time, std::uint64_t period) {
  // The zoom is minus the binary logarithm of the time between two of its grid lines, 200 pixels.
  const double zoom = -std::log2(static_cast<double>(period) * 200 / pixels_of_a_step);
  text_ = "[*] Written by Starloom: gtkwave FILE opens it with its dump.\n[dumpfile] \"" + dump +
          "\"\n[savefile] \"waves.gtkw\"\n[timestart] " + std::to_string(from_time) +
          "\n[size] 1400 900\n[pos] -1 -1\n*" + text_of(zoom, std::chars_format::fixed, 6) +
          " -1\n[treeopen] network.\n[sst_width] 220\n[signals_width] 200\n[sst_expanded] 1\n";
}

void SaveFile::flags(std::uint32_t flags) {
  if (flags == flags_) return;
  text_ += '@' + text_of(flags, 16) + '\n';
  flags_ = flags;
}

void SaveFile::open_group(const std::string& name, bool expanded) {
  flags(group_begin | blank | (expanded ? 0 : closed));
  text_ += '-' + name + '\n';
  groups_.push_back({name, expanded});
}

void SaveFile::close_group() {
  flags(group_end | blank | (groups_.back().expanded ? 0 : closed | collapsed));
  text_ += '-' + groups_.back().name + '\n';
  groups_.pop_back();
}

void SaveFile::add(const std::string& path, int width, const std::string& label, Format format,
                   const EnumFilter* filter) {
  const std::uint32_t radix = format == Format::binary ? binary : decimal;
  flags(right_justified | radix | (filter != nullptr ? file_translated : 0) |
        (format == Format::analog ? analog_step : 0));
  if (filter != nullptr) text_ += "^1 " + filter->file + '\n';
  text_ += "+{" + label + "} " + path;
  if (width > 1) text_ += '[' + std::to_string(width - 1) + ":0]";
  text_ += '\n';
  if (format != Format::analog) return;
  // The curve gets the height of this row, too.
  flags(analog_blank_stretch);
  text_ += "-\n";
}

}  // namespace starloom
