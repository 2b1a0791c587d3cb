// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The interface to both kinds of network: prepares a run from a network and an experiment.
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <starloom/experiment/experiment.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/run/fault_search.hpp>
#include <starloom/run/wave_file.hpp>
#include <starloom/support/stop_flag.hpp>
#include <starloom/trace_io/trace_window.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace starloom {

/// The request for a plan, besides the plan itself.
struct PlanRequest {
  bool bounds = false;   ///< lower bounds for all plans, by counting and by flows
  bool optimal = false;  ///< a plan of the least length, instead of the planner's
  /// search for a plan of this length; if there is one, it replaces the planner's
  std::optional<std::int64_t> length{};
  /// write a DRAT proof to this file that no plan is shorter, or of this length
  std::optional<std::filesystem::path> proof{};
  std::optional<std::int64_t> residents{};  ///< for packets that stay in a node, instead of the experiment's
  std::optional<double> seconds{};          ///< time for bounds and searches; empty: no limit
};

/// The result of an offline planner.
struct PlannedRun {
  nlohmann::ordered_json metrics;      ///< as `starloom plan` prints them
  std::function<std::string()> saved;  ///< the text of a file for `routing.plan`
};

/// Result of a search for plans that are too long.
struct FalsifiedPlan {
  static constexpr std::string_view mark = "# Found by starloom plan --falsify";  ///< the beginning of each scenario
  nlohmann::ordered_json metrics;  ///< as `starloom plan --falsify` prints them
  std::string permutation;         ///< the text of a permutation file
  /// The text of a scenario that expects that plan, given the name of the permutation file; null if there is none.
  std::function<std::string(const std::string& permutation_file)> scenario{};
};

/// Facts about a run that are known before it begins.
struct RunFacts {
  std::string network;                   ///< `mesh 4 x 4`
  std::string title;                     ///< algorithm, network, pattern, seed
  std::string clock;                     ///< the unit of the run: `step` or `slot`
  double clock_ns = 1;                   ///< its length; 0 if lengths differ
  NodeId nodes = 0;                      ///< number of nodes, for numbers per node
  NodeId processors = 0;                 ///< number of nodes where packets are created and arrive
  std::size_t classes = 0;               ///< number of classes of traffic
  std::vector<MulticastGroup> groups{};  ///< of packets to several destinations
  int subnets = 1;
  int most_threads = 1;            ///< that can share a step
  std::optional<Phases> phases{};  ///< for open loop
  std::string remark;  ///< a note on this network, if the algorithm runs on it in another way than its name promises
  /// For offline algorithms that print a plan, during the life of the prepared run. \throws InputError: impossible
  /// request.
  std::function<PlannedRun(const PlanRequest&)> plan{};
  /// The same. Empty: no time limit. \throws InputError if this planner has no falsifier.
  std::function<FalsifiedPlan(std::optional<double> seconds)> falsify{};
  /// For experiments with faults of links, during the life of the prepared run. \throws InputError: no sets, or too
  /// many.
  std::function<std::unique_ptr<FaultSearch>(const FaultSets& sets)> search_faults{};
};

/// The facts that `check` finds without a run.
struct PreflightReport {
  std::vector<std::string> lines;  ///< size, bounds, loads, deadlock, memory, time
  /// Problems for the first line, in a few words each: `can deadlock`. The lines give details.
  std::vector<std::string> concerns{};
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();  ///< as `check --json` prints them
};

/// The request of the call to a run. It does not change the result.
struct RunRequest {
  bool referee = true;
  bool packets = true;  ///< list them in the report; else an open-loop run keeps none that has arrived
  bool pictures = false;
  bool netlist = false;                ///< `netlist.json` is among the files of the report
  std::filesystem::path folder{};      ///< the folder of the trace during the run
  std::optional<TraceWindow> trace{};  ///< empty: no trace
  std::vector<PacketId> watch{};       ///< packets whose rows are printed on stderr
  ProgressObserver* progress = nullptr;
  const StopFlag* interrupt = nullptr;  ///< once it is set, the run ends as `interrupted`
  std::function<void()> stop{};         ///< sets it when the trace can no longer be written
  std::uint64_t shuffle = 0;
  bool wake_all = false;
  int threads = 1;  ///< at most `RunFacts::most_threads`
};

/// The modules of a network in words.
enum class NetworkText { picture, netlist };

struct Elaboration {
  std::string text;
  bool leave_by_exit = false;  ///< the netlist is too large to destroy: end the process by std::_Exit
};

/// A run that can begin: its network, packets and algorithm are made. It refers to its experiment, and runs once.
class PreparedRun {
 public:
  virtual ~PreparedRun() = default;
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  virtual RunFacts facts() const = 0;
  /// The facts that need no run. Work that may take long on a large network is announced with `begins` first.
  virtual PreflightReport preflight(const std::function<void(const char* what)>& begins) = 0;
  /// The load of an open loop at which a link is full, as `check` computes it; nullopt: not known, or no open loop.
  /// It is the value of the key `load_key` of the pattern; for classes of traffic, their total rate.
  virtual std::optional<double> full_load() const { return std::nullopt; }
  /// The load at which some processor sends a flit in each step; nullopt: no processor sends flits at a rate.
  virtual std::optional<double> greatest_load() const { return std::nullopt; }
  /// Problems that are known before the run, as sentences; the last sentence gives advice. Empty if there are none.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// Selects the instances of the waves. \throws InputError (the text has no location): a scope matches no instance.
  virtual void choose_waves(const std::vector<std::string>& scope) = 0;
  /// Creates the dump of the selected instances; the run writes it. \throws OutputError
  virtual WaveFile& open_waves(const std::filesystem::path& vcd, WaveWindow window) = 0;
  /// \throws OutputError: the trace cannot be written.
  virtual RunReport run(const RunRequest& request) = 0;
  /// Builds the netlist; no step runs.
  virtual Elaboration elaborate(NetworkText text) = 0;

 protected:
  PreparedRun() = default;
};

/// \throws InputError: parameters that the algorithm or the pattern does not support, errors in data files.
std::unique_ptr<PreparedRun> prepare(const Experiment& experiment);

}  // namespace starloom
