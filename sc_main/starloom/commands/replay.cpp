// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/replay.hpp>

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <string_view>

#include <starloom/support/error.hpp>
#include <starloom/trace_io/text_writer.hpp>

namespace starloom {
namespace {

/// An earlier page may be made again; what else is there is not ours.
void refuse_other_files(const std::filesystem::path& file) {
  constexpr std::string_view mark = "content=\"starloom replay\"";
  constexpr std::size_t head = 200;  // bytes in which a page has it
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return;
  std::ifstream in(file, std::ios::binary);
  std::string begin(head, ' ');
  in.read(begin.data(), static_cast<std::streamsize>(head));
  if (begin.find(mark) == std::string::npos)
    throw OutputError(
        fmt::format("{}: exists and is not a replay page, so it is not replaced; choose another --out", file.string()));
}

}  // namespace

Ending write_replay(const RunFolder& run, const ReplayOptions& options) {
  const std::filesystem::path file = options.out.value_or(options.folder / "replay.html");
  refuse_other_files(file);
  const std::string page = run.replay(options.window);
  write_text(file, page);
  fmt::print("{}: {} kB; open it in a browser\n", file.string(), (page.size() + 999) / 1000);
  return {};
}

}  // namespace starloom
