#include <starloom/commands/run_waves.hpp>

#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>

#include <starloom/records/text_writer.hpp>
#include <starloom/waveforms/gtkwave/fst.hpp>
#include <starloom/waveforms/links/link_waves.hpp>
#include <starloom/waveforms/links/save_file.hpp>
#include <starloom/waveforms/pops/coupler_waves.hpp>
#include <starloom/waveforms/pops/save_file.hpp>

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

/// Chooses what `waves.scope` names. \throws InputError with its place.
template <typename Choose>
auto chosen(const Experiment& experiment, Choose choose) {
  try {
    return choose(config_of(experiment).scope);
  } catch (const InputError& fault) {
    const std::string place = experiment.place("waves.scope").text() + ": waves.scope: ";
    throw InputError(place + boost::replace_all_copy(std::string(fault.what()), "\n", '\n' + place));
  }
}

std::vector<links::ShownNode> shown_nodes(const Experiment& experiment, const Setup& setup) {
  return chosen(experiment, [&](const std::vector<std::string>& scope) {
    return links::choose_instances(setup.network->graph, setup.algorithm->declaration(), scope);
  });
}

pops::ShownParts shown_stars(const Experiment& experiment, const Setup& setup) {
  return chosen(experiment, [&](const std::vector<std::string>& scope) {
    return pops::choose_instances(setup.star->pops(), scope);
  });
}

}  // namespace

/// What a kind of network shows.
class RunWaves::Network {
 public:
  virtual ~Network() = default;
  virtual void watch(SimulationSetup& simulation) = 0;
  virtual WindowedWaves& file() = 0;
  virtual WaveView view(const std::string& dump, std::uint64_t from_time) = 0;
};

class RunWaves::LinkWavesOf final : public Network {
 public:
  LinkWavesOf(const Setup& setup, std::vector<links::ShownNode> shown, const std::filesystem::path& vcd,
              WaveWindow window, double clock_ns)
      : graph_(setup.network->graph),
        declaration_(setup.algorithm->declaration()),
        shown_(std::move(shown)),
        waves_(vcd, graph_, declaration_, shown_, window, clock_ns) {}
  void watch(SimulationSetup& simulation) override { simulation.probe = &waves_; }
  WindowedWaves& file() override { return waves_.file(); }
  WaveView view(const std::string& dump, std::uint64_t from_time) override {
    return links::wave_view(graph_, declaration_, shown_, dump, from_time, file().period());
  }

 private:
  const NetworkGraph graph_;
  const links::Declaration& declaration_;
  const std::vector<links::ShownNode> shown_;
  links::LinkWaves waves_;
};

class RunWaves::CouplerWavesOf final : public Network {
 public:
  CouplerWavesOf(const Setup& setup, pops::ShownParts shown, const std::filesystem::path& vcd, WaveWindow window,
                 double clock_ns)
      : pops_(setup.star->pops()), shown_(std::move(shown)), waves_(vcd, pops_, shown_, window, clock_ns) {}
  void watch(SimulationSetup& simulation) override { simulation.star_probe = &waves_; }
  WindowedWaves& file() override { return waves_.file(); }
  WaveView view(const std::string& dump, std::uint64_t from_time) override {
    return pops::wave_view(pops_, shown_, dump, from_time, file().period());
  }

 private:
  const Pops& pops_;
  const pops::ShownParts shown_;
  pops::CouplerWaves waves_;
};

std::unique_ptr<RunWaves::Network> RunWaves::network_of(const Experiment& experiment, const Setup& setup,
                                                        const WavesConfig& config,
                                                        const std::filesystem::path& folder) {
  const std::filesystem::path vcd = folder / "waves.vcd";
  const WaveWindow window{config.from, config.to.value_or(no_step)};
  const double clock_ns = experiment.units.clock_ns;
  if (setup.star != nullptr)
    return std::make_unique<CouplerWavesOf>(setup, shown_stars(experiment, setup), vcd, window, clock_ns);
  return std::make_unique<LinkWavesOf>(setup, shown_nodes(experiment, setup), vcd, window, clock_ns);
}

void require_waves(const Experiment& experiment, const Setup& setup) {
  if (setup.star != nullptr) shown_stars(experiment, setup);
  else shown_nodes(experiment, setup);
}

RunWaves::RunWaves(const Experiment& experiment, const Setup& setup, const std::filesystem::path& folder)
    : experiment_(experiment),
      folder_(folder),
      config_(config_of(experiment)),
      network_(network_of(experiment, setup, config_, folder)) {}

RunWaves::~RunWaves() = default;

void RunWaves::watch(SimulationSetup& simulation) const { network_->watch(simulation); }

std::optional<WavesFault> RunWaves::finish(Step steps) {
  try {
    network_->file().close(steps);
    if (!network_->file().begun())
      return remove(
          {ExitStatus::usage,
           fmt::format("{}: waves.from: the run has {} steps, so none is shown from step {} on; the result is "
                       "kept, without waves",
                       experiment_.place("waves.from").text(), steps, config_.from)});
    write_view("waves.vcd");
  } catch (const OutputError& fault) {
    return give_up(fault);
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

WavesFault RunWaves::give_up(const OutputError& fault) const {
  std::string text = fault.what();
  const std::string aside = folder_.string() + '/';
  if (text.compare(0, aside.size(), aside) == 0) text.erase(0, aside.size());
  return remove({ExitStatus::output, text + "; the result is kept, without waves"});
}

WavesFault RunWaves::remove(WavesFault fault) const {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored))
    if (entry.path().filename().string().compare(0, 6, "waves.") == 0) std::filesystem::remove(entry.path(), ignored);
  return fault;
}

void RunWaves::write_view(const std::string& dump) const {
  const WaveView view = network_->view(dump, static_cast<std::uint64_t>(config_.from) * network_->file().period());
  for (const EnumFilter& filter : view.filters) write_file(folder_ / filter.file, filter.text());
  write_file(folder_ / "waves.gtkw", view.save_file);
}

}  // namespace starloom
