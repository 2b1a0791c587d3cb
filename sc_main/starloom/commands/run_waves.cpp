// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/run_waves.hpp>

#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>

#include <starloom/support/text_writer.hpp>
#include <starloom/waveforms/gtkwave/fst.hpp>

namespace starloom {
namespace {

WavesConfig config_of(const Experiment& experiment) {
  if (experiment.waves) return *experiment.waves;
  WavesConfig everything;
  everything.scope = {"*"};
  everything.format = "vcd";
  return everything;
}

}  // namespace

void choose_waves(const Experiment& experiment, PreparedRun& run) {
  try {
    run.choose_waves(config_of(experiment).scope);
  } catch (const InputError& error) {
    const std::string location = experiment.location("waves.scope").before("waves.scope: ");
    throw InputError(location + boost::replace_all_copy(std::string(error.what()), "\n", '\n' + location));
  }
}

namespace {

WaveFile& opened(const Experiment& experiment, PreparedRun& run, const std::filesystem::path& vcd) {
  choose_waves(experiment, run);
  const WavesConfig config = config_of(experiment);
  return run.open_waves(vcd, {config.from, config.to.value_or(no_step)});
}

}  // namespace

RunWaves::RunWaves(const Experiment& experiment, PreparedRun& run, const std::filesystem::path& folder)
    : experiment_(experiment),
      folder_(folder),
      config_(config_of(experiment)),
      waves_(opened(experiment, run, folder / "waves.vcd")) {}

std::optional<WavesError> RunWaves::finish(Step steps, bool interrupted) {
  try {
    waves_.file().close(steps);
    if (!waves_.file().begun())
      return remove({ExitStatus::usage, experiment_.location("waves.from")
                                            .before(fmt::format("waves.from: the run has {} steps, so there is none to "
                                                                "show from step {}; the result is kept, without waves",
                                                                steps, config_.from))});
    write_view("waves.vcd");
  } catch (const OutputError& error) {
    return give_up(error);
  }
  if (config_.format != "fst") return std::nullopt;
  if (interrupted)
    return WavesError{ExitStatus::output, "waves.fst is not written for an interrupted run; waves.vcd is kept"};
  try {
    convert_to_fst(folder_ / "waves.vcd", folder_ / "waves.fst");
    write_view("waves.fst");
    std::filesystem::remove(folder_ / "waves.vcd");
  } catch (const OutputError& error) {
    std::error_code ignored;
    std::filesystem::remove(folder_ / "waves.fst", ignored);
    return WavesError{ExitStatus::output, text_of(error) + "; waves.vcd is kept"};
  }
  return std::nullopt;
}

WavesError RunWaves::give_up(const OutputError& error) const {
  return remove({ExitStatus::output, text_of(error) + "; the result is kept, without waves"});
}

// The temporary folder is renamed before a user can open the file.
std::string RunWaves::text_of(const OutputError& error) const {
  std::string text = error.what();
  const std::string temporary = folder_.string() + '/';
  if (text.compare(0, temporary.size(), temporary) == 0) text.erase(0, temporary.size());
  return text;
}

WavesError RunWaves::remove(WavesError error) const {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored))
    if (entry.path().filename().string().compare(0, 6, "waves.") == 0) std::filesystem::remove(entry.path(), ignored);
  return error;
}

void RunWaves::write_view(const std::string& dump) {
  const WindowedWaves& file = waves_.file();
  const WaveView view = waves_.view(dump, file.times().begin(file.first_sight()));
  for (const EnumFilter& filter : view.filters) write_part(folder_ / filter.file, filter.text());
  write_part(folder_ / "waves.gtkw", view.save_file);
}

}  // namespace starloom
