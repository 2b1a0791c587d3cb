// SPDX-License-Identifier: Apache-2.0
#include <starloom/support/message.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

#include <starloom/support/escape.hpp>

namespace starloom {
namespace {

void write_to_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);  // there is no other channel to report a failure
  std::fflush(stderr);
}

}  // namespace

void print_message(std::string_view message) {
  std::string text;
  for (std::size_t begin = 0; begin <= message.size();) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    text += shortened(escape(message.substr(begin, end - begin))) + "\n";
    begin = end + 1;
  }
  write_to_stderr(text);
}

void print_progress(std::string_view line) { write_to_stderr("\r\033[K" + escape(line)); }

}  // namespace starloom
