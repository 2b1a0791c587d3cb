// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The one door to both kinds of network: a network and an experiment become a prepared run.
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <starloom/experiment/experiment.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/run/wave_file.hpp>
#include <starloom/support/stop_flag.hpp>
#include <starloom/trace_io/trace_window.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace starloom {

/// What is asked of a plan besides itself.
struct PlanRequest {
  bool bounds = false;                   ///< lower bounds for all plans, by counting and by flows
  bool optimal = false;                  ///< a plan of the least length, in place of the planner's
  std::optional<std::int64_t> length{};  ///< search for a plan of this length; if there is one, it takes the place
  std::optional<std::filesystem::path> proof{};  ///< write a DRAT proof there that no plan is shorter, or as short
  std::optional<std::int64_t> residents{};       ///< for packets that stay in a node, in place of the experiment's
  std::optional<double> seconds{};               ///< time for bounds and searches; nothing: no limit
};

/// What an offline planner made.
struct PlannedRun {
  nlohmann::ordered_json metrics;      ///< as `starloom plan` prints them
  std::function<std::string()> saved;  ///< the text of a file for `routing.plan`
};

/// Result of a search for plans that are too long.
struct FalsifiedPlan {
  static constexpr std::string_view mark = "# Found by starloom plan --falsify";  ///< what each scenario begins with
  nlohmann::ordered_json metrics;  ///< as `starloom plan --falsify` prints them
  std::string permutation;         ///< the text of a permutation file
  /// The text of a scenario that expects that plan, given the name of the permutation file; null if there is none.
  std::function<std::string(const std::string& permutation_file)> scenario{};
};

/// What is known of a run before it runs.
struct RunFacts {
  std::string network;             ///< `mesh 4 x 4`
  std::string title;               ///< algorithm, network, pattern, seed
  std::string clock;               ///< what the run counts: `step` or `slot`
  double clock_ns = 1;             ///< its length; 0 where they differ in length
  NodeId nodes = 0;                ///< places where packets are, to say how much one does
  NodeId processors = 0;           ///< those of them where packets are created and arrive
  int most_threads = 1;            ///< that can share a step
  std::optional<Phases> phases{};  ///< of open loop
  std::string remark;              ///< how this network is served, if not as the algorithm's name promises
  /// Of offline algorithms that print one, while the prepared run lives. \throws InputError: it cannot be answered.
  std::function<PlannedRun(const PlanRequest&)> plan{};
  /// Of the same. Nothing: no limit of time. \throws InputError: for this planner has no falsifier.
  std::function<FalsifiedPlan(std::optional<double> seconds)> falsify{};
};

/// The facts that `check` finds without a run.
struct PreflightReport {
  std::vector<std::string> lines;  ///< size, bounds, loads, deadlock, memory, time
  /// Problems that the first line names, in a few words each: `can deadlock`. The lines say more.
  std::vector<std::string> concerns{};
};

/// What the call asks of a run. Nothing of it changes the result.
struct RunRequest {
  bool referee = true;
  bool packets = true;  ///< list them in the report; else an open-loop run keeps none that has arrived
  bool pictures = false;
  bool netlist = false;                ///< `netlist.json` is among the files of the report
  std::filesystem::path folder{};      ///< where the trace is written while the run goes on
  std::optional<TraceWindow> trace{};  ///< nothing: no trace
  std::vector<PacketId> watch{};       ///< packets whose rows are told on stderr
  ProgressObserver* progress = nullptr;
  const StopFlag* interrupt = nullptr;  ///< once it is set, the run ends as `interrupted`
  std::function<void()> stop{};         ///< sets it, where the trace cannot be written any more
  std::uint64_t shuffle = 0;
  bool wake_all = false;
  int threads = 1;  ///< at most `RunFacts::most_threads`
};

/// The modules of a network in words.
enum class NetworkText { picture, netlist };

struct Elaboration {
  std::string text;
  bool leave_by_exit = false;  ///< the net is too large to destroy: end the process by std::_Exit
};

/// A run that can begin: its network, packets and algorithm are made. It refers to its experiment, and runs once.
class PreparedRun {
 public:
  virtual ~PreparedRun() = default;
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  virtual RunFacts facts() const = 0;
  /// The facts that need no run. Work that may take long on a large network is announced to `begins` first.
  virtual PreflightReport preflight(const std::function<void(const char* what)>& begins) = 0;
  /// The `traffic.rate` at which a link is full, as `check` says; nullopt: not known, or no such key.
  virtual std::optional<double> full_rate() const { return std::nullopt; }
  /// Problems that are known before the run, as sentences; the last sentence says what to do. Empty if there are none.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// The instances that waves will show. \throws InputError (no place in the text): a scope matches nothing.
  virtual void choose_waves(const std::vector<std::string>& scope) = 0;
  /// Creates the dump of what was chosen; the run writes it. \throws OutputError
  virtual WaveFile& open_waves(const std::filesystem::path& vcd, WaveWindow window) = 0;
  /// \throws OutputError: the trace cannot be written.
  virtual RunReport run(const RunRequest& request) = 0;
  /// Builds the netlist; nothing runs.
  virtual Elaboration elaborate(NetworkText text) = 0;

 protected:
  PreparedRun() = default;
};

/// \throws InputError: parameters that the algorithm or the pattern cannot serve, faults in data files.
std::unique_ptr<PreparedRun> prepare(const Experiment& experiment);

}  // namespace starloom
