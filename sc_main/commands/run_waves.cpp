#include "commands/run_waves.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>

#include "gtkwave/fst.hpp"
#include "gtkwave/grid_save_file.hpp"
#include "records/text_writer.hpp"

namespace starloom {
namespace {

WavesConfig config_of(const Experiment& experiment) {
  if (experiment.waves) return *experiment.waves;
  WavesConfig everything;
  everything.scope = {"*"};
  everything.format = "vcd";
  return everything;
}

void write_file(const std::filesystem::path& file, const std::string& text) {
  TextWriter out(file);
  out << text;
  out.close();
}

}  // namespace

std::vector<ShownNode> shown_in_waves(const Experiment& experiment, const Setup& setup) {
  if (setup.star != nullptr)
    throw InputError(fmt::format("{}: waves of a pops network are not available yet; leave out --waves and waves:",
                                 experiment.place("network.topology").text()));
  try {
    return choose_instances(setup.topology, setup.algorithm->declaration(), config_of(experiment).scope);
  } catch (const InputError& fault) {
    const std::string place = experiment.place("waves.scope").text() + ": waves.scope: ";
    throw InputError(place + boost::replace_all_copy(std::string(fault.what()), "\n", '\n' + place));
  }
}

RunWaves::RunWaves(const Experiment& experiment, const Setup& setup, const std::filesystem::path& folder)
    : experiment_(experiment),
      setup_(setup),
      folder_(folder),
      config_(config_of(experiment)),
      shown_(shown_in_waves(experiment, setup)),
      waves_(folder / "waves.vcd", setup.topology, setup.algorithm->declaration(), shown_,
             {config_.from, config_.to.value_or(no_step)}, experiment.units.clock_ns) {}

std::optional<WavesFault> RunWaves::finish(Step steps) {
  try {
    waves_.close(steps);
    if (!waves_.begun())
      return remove(
          {ExitStatus::usage,
           fmt::format("{}: waves.from: the run has {} steps, so none is shown from step {} on; the result is "
                       "kept, without waves",
                       experiment_.place("waves.from").text(), steps, config_.from)});
    write_view("waves.vcd");
  } catch (const OutputError& fault) {
    // Where the disk is full, the result needs the room.
    std::string text = fault.what();
    const std::string aside = folder_.string() + '/';
    if (text.compare(0, aside.size(), aside) == 0) text.erase(0, aside.size());
    return remove({ExitStatus::output, text + "; the result is kept, without waves"});
  }
  if (config_.format != "fst") return std::nullopt;
  try {
    convert_to_fst(folder_ / "waves.vcd", folder_ / "waves.fst");
    write_view("waves.fst");
    std::filesystem::remove(folder_ / "waves.vcd");
  } catch (const OutputError& fault) {
    return WavesFault{ExitStatus::output, fmt::format("{}; waves.vcd is kept", fault.what())};
  }
  return std::nullopt;
}

std::optional<WavesFault> RunWaves::remove(WavesFault fault) const {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored))
    if (entry.path().filename().string().compare(0, 6, "waves.") == 0) std::filesystem::remove(entry.path(), ignored);
  return fault;
}

void RunWaves::write_view(const std::string& dump) const {
  const std::uint64_t period = waves_.waves().period();
  const GridView view = grid_view(setup_.topology, setup_.algorithm->declaration(), shown_, dump,
                                  static_cast<std::uint64_t>(config_.from) * period, period);
  for (const EnumFilter& filter : view.filters) write_file(folder_ / filter.file, filter.text());
  write_file(folder_ / "waves.gtkw", view.save_file);
}

}  // namespace starloom
