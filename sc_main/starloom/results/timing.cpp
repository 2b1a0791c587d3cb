// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/timing.hpp>

#include <sys/resource.h>

#include <algorithm>

namespace starloom {
namespace {

double process_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::int64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace

Stopwatch::Stopwatch() : started_(std::chrono::steady_clock::now()), cpu_started_(process_seconds()) {}

double Stopwatch::wall_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

double Stopwatch::cpu_seconds() const { return process_seconds() - cpu_started_; }

nlohmann::ordered_json timing_json(const Stopwatch& watch, const RunReport& run, std::int64_t nodes) {
  const double wall = watch.wall_seconds();
  const double divisor = std::max(wall, 1e-9);
  return {{"wall_seconds", wall},
          {"cpu_seconds", watch.cpu_seconds()},
          {"node_steps_per_second", static_cast<double>(nodes) * static_cast<double>(run.steps_run) / divisor},
          {"flit_hops_per_second", static_cast<double>(run.flit_hops) / divisor},
          {"memory_bytes", peak_bytes()},
          {"activations", run.activations}};
}

}  // namespace starloom
