// SPDX-License-Identifier: Apache-2.0
#include <starloom/support/text_writer.hpp>

#include <cerrno>
#include <system_error>
#include <utility>

#include <starloom/support/atomic_file.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

constexpr std::size_t writer_buffer = std::size_t{1} << 20;

}  // namespace

TextWriter::TextWriter(const std::filesystem::path& file, std::filesystem::path final_name)
    : path_(file), name_(std::move(final_name)), buffer_(writer_buffer) {
  errno = 0;
  file_.reset(std::fopen(file.c_str(), "wb"));
  if (!file_) fail("cannot be created");
  // The only buffer is here; a second one would only copy.
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

void TextWriter::fail(const char* what) const {
  throw OutputError(name_.string() + ": " + what + " (" + std::generic_category().message(errno) + ")");
}

void TextWriter::flush() {
  errno = 0;
  if (used_ > 0 && std::fwrite(buffer_.data(), 1, used_, file_.get()) != used_) fail("cannot be written");
  used_ = 0;
}

void TextWriter::flush_for(std::size_t size) {
  flush();
  if (size > buffer_.size()) buffer_.resize(size);
}

void TextWriter::close() {
  if (!file_) return;
  flush();
  errno = 0;
  if (std::fclose(file_.release()) != 0) fail("cannot be closed");
}

void TextWriter::discard() {
  file_.reset();  // an open file occupies the disk even without a name
  std::error_code ignored;
  // A device has no space to free, and must not be removed.
  if (std::filesystem::is_regular_file(path_, ignored)) std::filesystem::remove(path_, ignored);
}

void write_text(const std::filesystem::path& file, std::string_view text) {
  AtomicFile whole(file);
  TextWriter out(whole.path(), file);
  out << text;
  out.close();
  whole.publish();
}

void write_part(const std::filesystem::path& file, std::string_view text) {
  TextWriter out(file);
  out << text;
  out.close();
}

}  // namespace starloom
