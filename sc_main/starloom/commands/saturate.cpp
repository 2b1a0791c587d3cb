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
#include <starloom/json/json_text.hpp>
#include <starloom/results/result.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/simulation/links/saturation.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/message.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Runs at each load, with consecutive seeds: as few as are sufficient for a mean of a noisy metric.
constexpr std::int64_t runs_of_a_load = 4;

/// The greatest undetected overload that is not mentioned, and the greatest for which a result is printed.
constexpr double most_unseen = 0.05, most_for_an_answer = 0.5;

/// An experiment with a variable load.
class LoadedExperiment {
 public:
  LoadedExperiment(const Catalogue& catalogue, const SaturateOptions& options)
      : catalogue_(catalogue), options_(options), metric_(options.metric) {
    const auto overrides = overrides_of(options.experiment);
    const Experiment given = load_experiment(catalogue, options.experiment.file, overrides);
    const auto phases = prepare(given)->facts().phases;
    if (!phases)
      throw InputError(fmt::format("{}: saturate needs open-loop traffic: set traffic.rate, warmup, measure and drain",
                                   given.location("traffic.pattern").text()));
    phases_ = *phases;
    own_metric_ = "traffic." + given.pattern->load_key;
    if (metric_.empty()) metric_ = own_metric_;
    location_.source = "--figure " + metric_;
    document_ = load_document(options.experiment.file);
    for (const Override& one : overrides) apply_override(document_, one);
  }

  const Phases& phases() const { return phases_; }
  const std::string& metric() const { return metric_; }
  /// The loads to search between.
  LoadRange range() const {
    constexpr double any = 0.01;
    const Experiment experiment = at(any);  // its errors are those of the file
    const auto run = prepare(experiment);
    if (metric_ != own_metric_) return {1, 1};
    // 0.5, if sums of shares give 0.4999999999999998.
    const auto rounded = [](double load) { return std::stod(fmt::format("{:.12g}", load)); };
    const double most = rounded(run->greatest_load().value_or(1));
    return {std::min(most, rounded(run->full_load().value_or(most))), most};
  }

  Experiment at(double load) const {
    DocumentValue document = document_;
    put_value(document, metric_, location_, parse_option_value(fmt::format("{}", load), location_.source));
    Experiment experiment = read_experiment(catalogue_, document, options_.experiment.file);
    prepare(experiment);
    return experiment;
  }

 private:
  const Catalogue& catalogue_;
  const SaturateOptions& options_;
  std::string metric_, own_metric_;  ///< the key that is the load, and that of the pattern
  Phases phases_;
  DocumentValue document_;
  SourceLocation location_;
};

/// The search with its runs and their store.
class Saturation {
 public:
  Saturation(const Catalogue& catalogue, const SaturateOptions& options)
      : options_(options),
        experiment_(catalogue, options),
        search_(options.definition, experiment_.range(), options.within) {
    campaign_.file = options.experiment.file;
    campaign_.name = shown(options.experiment.file.stem());
    campaign_.axes = {experiment_.metric()};
    campaign_.keep.paths = {"latency.mean", "throughput.offered", "throughput.accepted", "saturation.reason"};
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
    print_message(sentence());
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
        if (load == search_.lightest()) throw;
        refusal_ = refusal.what();
        search_.refuse(load);
      }
    }
    const MissingRuns runs = run_missing(campaign_, store, {options_.jobs, {}, title(loads), &interrupt_flag()});
    for (const std::string& error : runs.diagnostics) print_message(error);
    if (interrupt_flag().requested()) print_message("starloom: interrupted; run the same command again to continue");
    if (runs.status != ExitStatus::done || interrupt_flag().requested())
      return runs.status == ExitStatus::done ? ExitStatus::undelivered : runs.status;
    const Report report = make_report(campaign_, &store);
    for (const Point& point : campaign_.points) learn(report, point, store);
    return ExitStatus::done;
  }

  std::string title(const std::vector<double>& loads) const {
    return fmt::format("{}: {} {} (between {} and {})", campaign_.name, experiment_.metric(), loads.front(),
                       search_.low(), search_.high());
  }

  void learn(const Report& report, const Point& point, Store& store) {
    LoadMetrics metrics;
    metrics.load = point.at[0].get<double>();
    metrics.runs = point.runs;
    for (const ReportRow& row : report.rows) {
      if (row.point != &point) continue;
      metrics.lost = row.lost;
      if (row.metric == "latency.mean") metrics.latency = row.sample.mean;
      if (row.metric == "throughput.offered") metrics.offered = row.sample.mean.value_or(0);
      if (row.metric == "throughput.accepted") metrics.accepted = row.sample.mean.value_or(0);
    }
    if (metrics.load == search_.lightest()) require_lightest(metrics, point, store);
    search_.learn(metrics);
  }

  void require_lightest(const LoadMetrics& metrics, const Point& point, Store& store) {
    const std::string at = fmt::format("{} {:.4g}", experiment_.metric(), metrics.load);
    const Experiment& experiment = point.experiment;
    if (!metrics.latency)
      throw InputError(fmt::format("{}: at load {} no measured packet is delivered; lengthen traffic.measure",
                                   experiment.location("traffic.measure").text(), at));
    if (const std::int64_t late = runs_with_a_short_drain(point, store); late > 0)
      throw InputError(
          fmt::format("{}: even at load {}, packets of {} of {} runs do not arrive in the drain phase, although the "
                      "network can carry them; lengthen traffic.drain",
                      experiment.location("traffic.drain").text(), at, late, metrics.runs));
    lightest_ = *metrics.latency;
  }

  std::int64_t runs_with_a_short_drain(const Point& point, Store& store) const {
    const std::string drain(saturation_reason_names[static_cast<std::size_t>(SaturationReason::drain)]);
    const auto order = campaign_.keep.canonical();
    const auto reason = std::find(order.begin(), order.end(), "saturation.reason") - order.begin();
    std::int64_t runs = 0;
    store.each_run(store.find_point(point.key).value(), point.runs, [&](const RunRow& row) {
      runs += parse_json(row.metrics).at(static_cast<std::size_t>(reason)) == drain ? 1 : 0;
    });
    return runs;
  }

  /// The overload that remains undetected, as a share of the capacity of the network. Packets that are created in
  /// step t of an overload by a share s wait s t, so the mean of the measurement phase exceeds three times the
  /// lightest latency L from s = 2 L / (warmup + measure / 2) on.
  double unseen_overload() const {
    const Phases& phases = experiment_.phases();
    return 2 * lightest_ / (static_cast<double>(phases.warmup) + static_cast<double>(phases.measure) / 2);
  }
  Json json() const {
    Json json;
    json["load"] = search_.is_unsaturated() ? Json() : Json(search_.load());
    json["lightest"] = search_.lightest();
    json["within"] = search_.within();
    json["unseen_overload"] = unseen_overload();
    json["runs"] = search_.runs();
    json["figure"] = experiment_.metric();
    json["definition"] = saturation_definition_names[static_cast<std::size_t>(options_.definition)];
    json["loads"] = Json::array();
    for (const LoadMetrics& one : search_.loads())
      json["loads"].push_back({{"load", one.load},
                               {"latency", one.latency && one.lost == 0 ? Json(*one.latency) : nullptr},
                               {"offered", one.offered},
                               {"accepted", one.accepted},
                               {"lost", one.lost}});
    return json;
  }

  std::string sentence() const {
    const std::string name = fmt::format("{}: {}", campaign_.name, experiment_.metric());
    const std::string unseen =
        unseen_overload() > most_unseen
            ? fmt::format("; overloads below {:.0f} % are not visible in phases this short: lengthen traffic.measure",
                          100 * unseen_overload())
            : "";
    if (search_.is_unsaturated() && unseen_overload() > most_for_an_answer)
      return fmt::format("{}: no run saturates up to {:.4g}, but the measurement phase is too short for an answer{}",
                         name, search_.low(), unseen);
    if (search_.is_unsaturated())
      return fmt::format("{} does not saturate up to {:.4g}{}{}", name, search_.low(),
                         refusal_.empty() ? "" : "; above it: " + refusal_, unseen);
    if (search_.is_at_bound())
      return fmt::format(
          "{} saturates at {:.4g}, the load at which a link is full by check; no run below it saturates ({} runs){}",
          name, search_.load(), search_.runs(), unseen);
    // As many digits as the accuracy of the result.
    const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(search_.within()) - 1e-9)));
    const std::string why =
        options_.definition == SaturationDefinition::three_times_lightest
            ? fmt::format("there latency is three times the zero-load latency, {:.1f} steps at {:.4g}", lightest_,
                          search_.lightest())
            : "there the accepted load is 5 % below the offered load";
    return fmt::format("{} saturates at {:.{}f} +- {:.{}f}; {} ({} runs){}", name, search_.load(), digits,
                       search_.within(), digits, why, search_.runs(), unseen);
  }

  const SaturateOptions& options_;
  LoadedExperiment experiment_;
  SaturationSearch search_;
  Campaign campaign_;    ///< its points: the loads that are being measured
  std::string refusal_;  ///< the reason why the greatest loads cannot be offered
  double lightest_ = 0;  ///< steps
};

}  // namespace

Ending saturate_experiment(const Catalogue& catalogue, const SaturateOptions& options) {
  return Saturation(catalogue, options).run();
}

}  // namespace starloom
