// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/experiment_runner.hpp>

#include <starloom/results/result.hpp>
#include <starloom/run/prepared_run.hpp>

namespace starloom {
namespace {

class ExperimentRunner final : public Runner {
 public:
  ExperimentRunner(const Point& point, const Metrics& metrics)
      : metrics_(metrics), experiment_(point.experiment), facts_(point.facts), seed_(point.experiment.seed) {}

  void run(std::int64_t index, RunRow& row) override {
    experiment_.seed = seed_ + static_cast<std::uint64_t>(index);
    facts_["seed"] = experiment_.seed;
    const auto prepared = prepare(experiment_);
    RunRequest request;
    request.packets = false;
    const RunReport run = prepared->run(request);
    const auto result = result_json(*experiment_.algorithm, facts_, prepared->facts().phases, run);
    row.outcome = run.outcome;
    row.metrics = metrics_.pick(result);
    if (metrics_.all) row.result = result.dump();
    spent_ = spent_ || run.leave_by_exit;
  }
  bool spent() const override { return spent_; }

 private:
  const Metrics& metrics_;
  Experiment experiment_;
  nlohmann::ordered_json facts_;
  std::uint64_t seed_;
  bool spent_ = false;
};

}  // namespace

std::unique_ptr<Runner> make_runner(const Point& point, const Metrics& metrics) {
  return std::make_unique<ExperimentRunner>(point, metrics);
}

}  // namespace starloom
