// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Text files written fast, with every write checked.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace starloom {

/// A buffered output file of text and integers.
class TextWriter {
 public:
  /// Creates or empties the file, which messages call by its final name. \throws OutputError
  explicit TextWriter(const std::filesystem::path& file) : TextWriter(file, file) {}
  TextWriter(const std::filesystem::path& file, std::filesystem::path final_name);

  /// Each \throws OutputError when the buffer is full and cannot be written.
  TextWriter& operator<<(std::string_view text) {
    if (text.size() > left()) flush_for(text.size());
    std::memcpy(buffer_.data() + used_, text.data(), text.size());
    used_ += text.size();
    return *this;
  }
  TextWriter& operator<<(char c) {
    if (left() == 0) flush_for(1);
    buffer_[used_++] = c;
    return *this;
  }
  TextWriter& operator<<(long long number) {
    constexpr std::size_t widest = 20;
    if (left() < widest) flush_for(widest);
    char* const begin = buffer_.data() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(begin, begin + widest, number).ptr - begin);
    return *this;
  }
  /// The shortest text that is read as the same number.
  TextWriter& operator<<(double number) {
    constexpr std::size_t widest = 32;
    if (left() < widest) flush_for(widest);
    char* const begin = buffer_.data() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(begin, begin + widest, number).ptr - begin);
    return *this;
  }
  TextWriter& operator<<(long number) { return *this << static_cast<long long>(number); }
  TextWriter& operator<<(int number) { return *this << static_cast<long long>(number); }

  /// Writes the rest and closes the file; without this call the content of the buffer may be lost. \throws
  /// OutputError
  void close();
  /// Closes and removes the file, so that its space on a full disk is free again. Must not be written afterwards.
  void discard();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::size_t left() const { return buffer_.size() - used_; }
  void flush_for(std::size_t size);
  void flush();
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_, name_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
};

/// Writes this text to a temporary file, and renames it. \throws OutputError
void write_text(const std::filesystem::path& file, std::string_view text);

/// The same for a file of a temporary folder, which is renamed or published later. \throws OutputError
void write_part(const std::filesystem::path& file, std::string_view text);

}  // namespace starloom
