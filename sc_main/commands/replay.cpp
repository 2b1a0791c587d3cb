#include <starloom/commands/replay.hpp>

#include <fmt/format.h>

#include <starloom/records/text_writer.hpp>

namespace starloom {

Ending write_replay(const RunFolder& run, const ReplayOptions& options) {
  const std::filesystem::path file = options.out.value_or(options.folder / "replay.html");
  const std::string page = run.replay(options.window);
  write_text(file, page);
  fmt::print("{}: {} kB; open it in a browser\n", file.string(), (page.size() + 999) / 1000);
  return {};
}

}  // namespace starloom
