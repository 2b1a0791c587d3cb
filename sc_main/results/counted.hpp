#pragma once
/// \file Which packets of a run its figures count.
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// The packets that `packets`, `distance` and `latency` count: all, or with phases those of the measurement phase.
class Counted {
 public:
  explicit Counted(const std::optional<Phases>& phases) : phases_(phases) {}
  bool operator()(const Packet& packet) const {
    return !phases_ || (packet.created >= phases_->warmup && packet.created < phases_->warmup + phases_->measure);
  }

 private:
  std::optional<Phases> phases_;
};

/// delivered - created, in steps, of the packets that count and were delivered, by packet.
inline std::vector<std::int64_t> latencies_of(const RunReport& run, const Counted& counted) {
  std::vector<std::int64_t> latencies;
  for (std::size_t p = 0; p < run.packets.size(); ++p)
    if (run.delivered[p] != no_step && counted(run.packets[p]))
      latencies.push_back(run.delivered[p] - run.packets[p].created);
  return latencies;
}
/// delivered - injected of the same packets; of runs that record when packets leave their processors.
inline std::vector<std::int64_t> network_latencies_of(const RunReport& run, const Counted& counted) {
  std::vector<std::int64_t> latencies;
  for (std::size_t p = 0; p < run.injected.size(); ++p)
    if (run.delivered[p] != no_step && counted(run.packets[p])) latencies.push_back(run.delivered[p] - run.injected[p]);
  return latencies;
}

}  // namespace starloom
