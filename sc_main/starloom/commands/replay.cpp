// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/replay.hpp>

#include <fmt/format.h>

#include <string>

#include <starloom/support/atomic_file.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/text_writer.hpp>

namespace starloom {

Ending write_replay(const RunFolder& run, const ReplayOptions& options) {
  const std::filesystem::path file = options.out.value_or(options.folder / "replay.html");
  // An earlier page may be replaced.
  refuse_foreign_file(file, "content=\"starloom replay\"", "a replay page", "choose another --out");
  std::error_code ignored;  // a missing folder is the error, not the page in it
  if (options.out || std::filesystem::is_directory(options.folder, ignored)) require_writable(file);
  const std::string page = run.replay(options.window);
  write_text(file, page);
  fmt::print("{}: {} kB; open it in a browser\n", shown(file), (page.size() + 999) / 1000);
  return {};
}

}  // namespace starloom
