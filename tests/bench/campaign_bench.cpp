// SPDX-License-Identifier: Apache-2.0
/// \file The cost of a campaign besides its runs. Repeat, on an idle machine:
/// `build/release/tests/bench/campaign_bench`.
///
/// `overhead_us_per_run` is (wall time x jobs - CPU time inside build and run) / runs, store included; `parent_MB` and
/// `worker_MB` are the greatest resident sizes so far of this process and of any worker.
#include <benchmark/benchmark.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <ctime>

#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/experiment_runner.hpp>
#include <starloom/campaign/pool.hpp>
#include <starloom/campaign/store.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include "unit/scratch_folder.hpp"

namespace starloom {
namespace {

std::int64_t cpu_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// A counter that workers share with this process.
std::atomic<std::int64_t>& inside() {
  static auto* const memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  static auto* const counter = new (memory) std::atomic<std::int64_t>(0);
  return *counter;
}

/// Counts the CPU time inside another runner.
class Timed final : public Runner {
 public:
  explicit Timed(std::unique_ptr<Runner> runner) : runner_(std::move(runner)) {}
  void run(std::int64_t index, RunRow& row) override {
    const std::int64_t begun = cpu_nanoseconds();
    runner_->run(index, row);
    inside() += cpu_nanoseconds() - begun;
  }
  bool spent() const override { return runner_->spent(); }

 private:
  std::unique_ptr<Runner> runner_;
};

/// A runner without a simulation.
class Dummy final : public Runner {
 public:
  void run(std::int64_t index, RunRow& row) override { row.metrics = index % 2 == 0 ? "[14,5]" : "[13,4]"; }
};

class IntoStore final : public RowSink {
 public:
  IntoStore(Store& store, std::int64_t id) : writer_(store), id_(id) {}
  void row(std::int32_t, const RunRow& row) override { writer_.add(id_, row); }
  void failure(std::int32_t, std::int64_t, const std::string&) override { failed = true; }
  void pause() override { writer_.settle(); }
  void finish() { writer_.finish(); }
  bool failed = false;

 private:
  StoreWriter writer_;
  std::int64_t id_;
};

double peak_megabytes(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

enum class Kind { netlist, dummy };

/// Arguments: kind, runs, jobs.
void campaign(benchmark::State& state) {
  const ScratchFolder scratch;
  static const Catalogue catalogue = standard_catalogue();
  const Campaign campaign = load_campaign(
      catalogue, scratch.write("c.yaml",
                               "schema: 1\nbase:\n  schema: 1\n  network: {topology: mesh, shape: [4, 4]}\n"
                               "  routing: {algorithm: greedy}\n  traffic: {pattern: random-permutation}\n"
                               "runs: " +
                                   std::to_string(state.range(1)) + "\nkeep: [steps, queue.max]\n"));
  const RunnerFactory make = [&](std::int32_t) -> std::unique_ptr<Runner> {
    if (static_cast<Kind>(state.range(0)) == Kind::dummy) return std::make_unique<Timed>(std::make_unique<Dummy>());
    return std::make_unique<Timed>(make_runner(campaign.points.front(), campaign.keep));
  };
  for (auto _ : state) {
    Store store(scratch.file("s"), Database::Mode::create);
    inside() = 0;
    const auto begun = std::chrono::steady_clock::now();
    WorkList work(static_cast<int>(state.range(2)));
    work.add(0, {0, campaign.points.front().runs});
    PoolOptions options;
    options.jobs = static_cast<int>(state.range(2));
    IntoStore sink(store, store.add_points(campaign).front());
    const PoolReport report = run_pool(work, make, options, sink);
    sink.finish();
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    if (sink.failed || report.rows != campaign.points.front().runs) return state.SkipWithError("runs failed");
    const auto runs = static_cast<double>(campaign.points.front().runs);
    state.SetIterationTime(wall);
    state.counters["overhead_us_per_run"] =
        (wall * static_cast<double>(state.range(2)) - 1e-9 * static_cast<double>(inside())) / runs * 1e6;
    state.counters["runs/s"] = runs / wall;
    state.counters["parent_MB"] = peak_megabytes(RUSAGE_SELF);
    state.counters["worker_MB"] = peak_megabytes(RUSAGE_CHILDREN);
  }
}
BENCHMARK(campaign)
    ->ArgNames({"dummy", "runs", "jobs"})
    ->Args({0, 1000, 1})
    ->Args({0, 10000, 1})
    ->Args({0, 10000, 2})
    ->Args({1, 1000000, 1})
    ->Args({1, 1000000, 2})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starloom
