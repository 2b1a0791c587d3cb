// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/demo.hpp>

#include <fmt/format.h>

#include <starloom/commands/demo_files.hpp>
#include <starloom/commands/run.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/text_writer.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& file, const char* text, bool force) {
  if (!force && fs::exists(fs::symlink_status(file)))
    throw OutputError(fmt::format("{}: exists; --force replaces it", file.string()));
  write_text(file, text);
}

}  // namespace

Ending run_demo(const Catalogue& catalogue, const DemoOptions& options) {
  std::error_code why;
  fs::create_directories(options.out, why);
  if (why) throw OutputError(fmt::format("{}: cannot be created: {}", options.out.string(), why.message()));
  RunOptions run;
  run.experiment.file = options.out / "demo.yaml";
  run.out = options.out / "out";
  run.force = options.force;
  run.waves = true;
  run.trace = TraceWindow{};
  write_file(run.experiment.file, demo_experiment, options.force);
  write_file(options.out / "vopd.yaml", demo_graph, options.force);
  const Ending ending = run_experiment(catalogue, run);
  fmt::print(
      "\nA video decoder of 16 tasks on a 4 x 4 mesh of virtual-channel routers. Try next, in {}:\n"
      "  xdg-open out/links.svg                  link utilisation; out/latency.svg: latency histogram\n"
      "  starloom replay out                     a replay page for the browser, out/replay.html\n"
      "  starloom why out                        the slowest packets, and the causes of their waiting\n"
      "  starloom show out --step 1000           the network in one step\n"
      "  gtkwave out/waves.gtkw                  every link, buffer and router, step by step\n"
      "  starloom check demo.yaml                what is known before the run\n"
      "  starloom run demo.yaml --set traffic.scale=30\n"
      "                                          more than the network can carry\n",
      shown(options.out));
  return ending;
}

}  // namespace starloom
