// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/saturate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <starloom/campaign/missing_runs.hpp>
#include <starloom/campaign/report.hpp>
#include <starloom/campaign/store_lock.hpp>
#include <starloom/commands/interrupt.hpp>
#include <starloom/results/result.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/support/tell.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

/// Runs at each load, with seeds one after the other: as few as still make a mean of a noisy figure.
constexpr std::int64_t runs_of_a_load = 4;

/// An experiment whose load can be set.
class LoadedExperiment {
 public:
  LoadedExperiment(const Catalogue& catalogue, const SaturateOptions& options)
      : catalogue_(catalogue), options_(options), place_{"--figure " + options.figure} {
    const auto overrides = overrides_of(options.experiment);
    const Experiment given = load_experiment(catalogue, options.experiment.file, overrides);
    if (!prepare(given)->facts().phases)
      throw InputError(
          fmt::format("{}: only open loop saturates: give the traffic a rate, with warmup, measure and drain",
                      given.place("traffic.pattern").text()));
    document_ = load_document(options.experiment.file);
    for (const Override& one : overrides) apply_override(document_, one);
  }

  Experiment at(double load) const {
    DocumentValue document = document_;
    put_value(document, options_.figure, place_, parse_option_value(fmt::format("{}", load), place_.source));
    Experiment experiment = read_experiment(catalogue_, document, options_.experiment.file);
    prepare(experiment);
    return experiment;
  }

 private:
  const Catalogue& catalogue_;
  const SaturateOptions& options_;
  DocumentValue document_;
  Place place_;
};

/// The search with its runs and their store.
class Saturation {
 public:
  Saturation(const Catalogue& catalogue, const SaturateOptions& options)
      : options_(options), experiment_(catalogue, options), search_(options.definition, options.within) {
    campaign_.file = options.experiment.file;
    campaign_.name = options.experiment.file.stem().string();
    campaign_.axes = {options.figure};
    campaign_.keep.paths = {"latency.mean", "throughput.offered", "throughput.accepted"};
    experiment_.at(SaturationSearch::lightest_load);  // its faults are those of the file
  }

  Ending run() {
    const fs::path file =
        options_.store.value_or(fs::path("out") / (options_.experiment.file.stem().string() + ".saturate.sqlite"));
    Store store(file, Database::Mode::create);
    const StoreLock lock(file);
    store.check();
    catch_interrupts();
    const auto at_once = static_cast<std::size_t>(std::max<std::int64_t>(1, options_.jobs / runs_of_a_load));
    while (!search_.is_over()) {
      const ExitStatus status = measure(search_.wanted(at_once), store);
      if (status != ExitStatus::done) return {status, false};
    }
    tell(sentence());
    fmt::print("{}", json_text(json()));
    return {};
  }

 private:
  ExitStatus measure(const std::vector<double>& loads, Store& store) {
    campaign_.points.clear();
    for (const double load : loads) {
      try {
        campaign_.points.push_back(make_point(experiment_.at(load), runs_of_a_load, campaign_.keep));
        campaign_.points.back().at = {load};
      } catch (const InputError& refusal) {
        if (load == SaturationSearch::lightest_load) throw;
        refusal_ = refusal.what();
        search_.refuse(load);
      }
    }
    const MissingRuns runs = run_missing(campaign_, store, {options_.jobs, {}, title(loads), &interrupt_flag()});
    for (const std::string& fault : runs.faults) tell(fault);
    if (interrupt_flag().asked()) tell("starloom: interrupted; the same command goes on from here");
    if (runs.status != ExitStatus::done || interrupt_flag().asked())
      return runs.status == ExitStatus::done ? ExitStatus::undelivered : runs.status;
    const Report report = make_report(campaign_, &store);
    for (const Point& point : campaign_.points) learn(report, point);
    return ExitStatus::done;
  }

  std::string title(const std::vector<double>& loads) const {
    return fmt::format("{}: {} {} (between {} and {})", campaign_.name, options_.figure, loads.front(), search_.low(),
                       search_.high());
  }

  void learn(const Report& report, const Point& point) {
    LoadFigures figures;
    figures.load = point.at[0].get<double>();
    figures.runs = point.runs;
    for (const ReportRow& row : report.rows) {
      if (row.point != &point) continue;
      figures.lost = row.lost;
      if (row.figure == "latency.mean") figures.latency = row.sample.mean;
      if (row.figure == "throughput.offered") figures.offered = row.sample.mean.value_or(0);
      if (row.figure == "throughput.accepted") figures.accepted = row.sample.mean.value_or(0);
    }
    if (figures.load == SaturationSearch::lightest_load) require_lightest(figures, point.experiment);
    search_.learn(figures);
  }

  void require_lightest(const LoadFigures& figures, const Experiment& experiment) {
    const std::string at = fmt::format("{} {}", options_.figure, figures.load);
    if (!figures.latency)
      throw InputError(fmt::format("{}: at {} no packet is measured and delivered; lengthen traffic.measure",
                                   experiment.place("traffic.measure").text(), at));
    if (figures.lost > 0)
      throw InputError(
          fmt::format("{}: at {} already, {} of {} runs saturate; lengthen traffic.drain, if packets only need longer",
                      experiment.place("traffic.drain").text(), at, figures.lost, figures.runs));
    lightest_ = *figures.latency;
  }

  nlohmann::ordered_json json() const {
    nlohmann::ordered_json json;
    json["load"] = search_.is_unsaturated() ? nlohmann::ordered_json() : nlohmann::ordered_json(search_.load());
    json["within"] = search_.within();
    json["runs"] = search_.runs();
    json["figure"] = options_.figure;
    json["definition"] = saturation_definition_names[static_cast<std::size_t>(options_.definition)];
    json["loads"] = nlohmann::ordered_json::array();
    for (const LoadFigures& one : search_.loads())
      json["loads"].push_back({{"load", one.load},
                               {"latency", one.latency ? nlohmann::ordered_json(*one.latency) : nullptr},
                               {"offered", one.offered},
                               {"accepted", one.accepted},
                               {"lost", one.lost}});
    return json;
  }

  std::string sentence() const {
    if (search_.is_unsaturated())
      return fmt::format("{}: {} does not saturate up to {}{}", campaign_.name, options_.figure, search_.low(),
                         refusal_.empty() ? "" : "; above it: " + refusal_);
    // As many digits as the answer is good for.
    const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(search_.within()) - 1e-9)));
    const std::string why = options_.definition == SaturationDefinition::three_times_lightest
                                ? fmt::format("there latency is three times the lightest, {:.1f} steps at {}",
                                              lightest_, SaturationSearch::lightest_load)
                                : "there 5 % of what is offered is not accepted";
    return fmt::format("{}: {} saturates at {:.{}f} +- {:.{}f}; {} ({} runs)", campaign_.name, options_.figure,
                       search_.load(), digits, search_.within(), digits, why, search_.runs());
  }

  const SaturateOptions& options_;
  LoadedExperiment experiment_;
  SaturationSearch search_;
  Campaign campaign_;    ///< its points: the loads that are measured now
  std::string refusal_;  ///< why the greatest loads cannot be offered
  double lightest_ = 0;  ///< steps
};

}  // namespace

Ending saturate_experiment(const Catalogue& catalogue, const SaturateOptions& options) {
  return Saturation(catalogue, options).run();
}

}  // namespace starloom
