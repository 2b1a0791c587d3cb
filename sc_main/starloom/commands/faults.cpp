// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/faults.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <starloom/campaign/sample.hpp>
#include <starloom/commands/interrupt.hpp>
#include <starloom/commands/progress.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/metric_writer.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/message.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/support/thread_pool.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using Kind = FaultSets::Kind;

/// The text names at most this number of sets, and of cables of a set.
constexpr std::size_t shown_sets = 10, shown_cables = 4;

/// An experiment that names no faults gets the section, so that everything that excludes faults is refused.
Experiment load_with_faults(const Catalogue& catalogue, const ExperimentOptions& options) {
  std::vector<Override> overrides = overrides_of(options);
  Experiment experiment = load_experiment(catalogue, options.file, overrides);
  if (experiment.topology->has_couplers())
    throw InputError(experiment.location("network.topology")
                         .before(fmt::format("starloom faults: {} has couplers instead of links; choose a network of "
                                             "links",
                                             experiment.topology->name)));
  if (experiment.link_faults) return experiment;
  overrides.push_back({"starloom faults", "faults.random.cables", "0"});
  return load_experiment(catalogue, options.file, overrides);
}

/// `link_r00_c00_east`; of more than four cables the first ones and the number of the others.
std::string names_text(const FaultSearch& search, std::int64_t set) {
  std::vector<std::string> names = search.dead(set);
  if (const std::size_t all = names.size(); all > shown_cables) {
    names.resize(shown_cables);
    names.push_back(fmt::format("{} more", all - shown_cables));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The verdicts of all sets, or, after an interrupt, of the first ones.
std::vector<FaultVerdict> judge(const FaultSearch& search, int threads) {
  using Clock = std::chrono::steady_clock;
  std::vector<FaultVerdict> verdicts(static_cast<std::size_t>(search.sets()));
  const StageLine line;
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr refused;
  std::int64_t first_refused = search.sets();
  ThreadPool pool(threads);
  pool.run([&](int thread) {
    auto shown_at = Clock::now();
    // Threads take the sets in order, so that those before `next` are all judged in the end.
    while (!interrupt_flag().requested()) {
      const std::int64_t set = next++;
      if (set >= search.sets()) return;
      try {
        verdicts[static_cast<std::size_t>(set)] = search.verdict(set);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (set < first_refused) {
          first_refused = set;
          refused = std::current_exception();
        }
        next = search.sets();
      }
      if (thread == 0 && Clock::now() - shown_at > std::chrono::milliseconds(200)) {
        shown_at = Clock::now();
        line.begin(fmt::format("set {} of {}", set + 1, search.sets()));
      }
    }
  });
  line.end();
  if (refused) {
    try {
      std::rethrow_exception(refused);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{} (with {} dead)", error.what(), names_text(search, first_refused)));
    }
  }
  verdicts.resize(static_cast<std::size_t>(std::min(next.load(), search.sets())));
  return verdicts;
}

/// Sets by unreachable pairs, then by load, the greatest first, then by number.
std::vector<std::size_t> ranking_of(const std::vector<FaultVerdict>& verdicts) {
  std::vector<std::size_t> ranking(verdicts.size());
  std::iota(ranking.begin(), ranking.end(), std::size_t{0});
  std::stable_sort(ranking.begin(), ranking.end(), [&](std::size_t a, std::size_t b) {
    const FaultVerdict &one = verdicts[a], &other = verdicts[b];
    return std::pair(one.unreachable, one.load) > std::pair(other.unreachable, other.load);
  });
  return ranking;
}

Json verdict_json(const std::optional<bool>& acyclic) {
  if (!acyclic) return nullptr;
  return *acyclic ? "acyclic" : "may-deadlock";
}

/// The sums over the judged sets.
struct Totals {
  explicit Totals(const std::vector<FaultVerdict>& verdicts) : sets(static_cast<std::int64_t>(verdicts.size())) {
    for (const FaultVerdict& verdict : verdicts) {
      connected += verdict.parts == 1 ? 1 : 0;
      acyclic += verdict.acyclic.value_or(false) ? 1 : 0;
      unknown += verdict.acyclic ? 0 : 1;
      unreachable += verdict.unreachable;
      if (!verdict.load) load.reset();
      if (load) *load += *verdict.load;
    }
  }
  std::int64_t sets, connected = 0, acyclic = 0, unknown = 0, unreachable = 0;
  std::optional<double> load = 0;  ///< empty: one of them is not known
};

/// A line for each set, because there may be many.
void print_json(const FaultSearch& search, const FaultSets& sets, const std::vector<FaultVerdict>& verdicts) {
  const Totals totals(verdicts);
  Json head;
  head["sets"] = totals.sets;
  head["connected"] = totals.connected;
  head["acyclic"] = totals.acyclic;
  if (sets.kind == Kind::random_cables && totals.sets > 0)
    for (const auto& [name, part] : {std::pair("connected", totals.connected), std::pair("acyclic", totals.acyclic)}) {
      const ConfidenceInterval interval = interval_of_proportion(part, totals.sets);
      head["proportions"][name] = {{"mean", static_cast<double>(part) / static_cast<double>(totals.sets)},
                                   {"ci_low", interval.low},
                                   {"ci_high", interval.high}};
    }
  head["load_sum"] = totals.load ? number_json(*totals.load) : nullptr;
  head["unreachable_sum"] = totals.unreachable;
  std::string text = head.dump(2);
  text.resize(text.size() - 2);  // the newline and the brace
  fmt::print("{},\n  \"ranking\": [", text);
  const char* separator = "\n";
  for (const std::size_t set : ranking_of(verdicts)) {
    const FaultVerdict& verdict = verdicts[set];
    const auto seed = search.seed(static_cast<std::int64_t>(set));
    Json row;
    row["dead"] = search.dead(static_cast<std::int64_t>(set));
    row["seed"] = seed ? Json(*seed) : Json();
    row["parts"] = verdict.parts;
    row["unreachable"] = verdict.unreachable;
    row["verdict"] = verdict_json(verdict.acyclic);
    row["load"] = verdict.load ? number_json(*verdict.load) : nullptr;
    fmt::print("{}    {}", std::exchange(separator, ",\n"), row.dump());
  }
  fmt::print("\n  ]\n}}\n");
}

std::string load_text(const std::optional<double>& load) { return load ? decimal(*load) : "unknown"; }

/// `112 of 112`; of random sets with the proportion of all sets that it estimates.
std::string share_text(std::int64_t part, const Totals& totals, bool random) {
  std::string text = fmt::format("{} of {}", part, totals.sets);
  if (!random || totals.sets == 0) return text;
  const ConfidenceInterval interval = interval_of_proportion(part, totals.sets);
  return text + fmt::format(": {:.4f}, 95 % interval {:.4f} to {:.4f}",
                            static_cast<double>(part) / static_cast<double>(totals.sets), interval.low, interval.high);
}

std::string sets_text(const FaultSets& sets, std::int64_t number) {
  switch (sets.kind) {
    case Kind::single_cables: return counted(number, "set") + " of one dead cable";
    case Kind::single_routers: return counted(number, "set") + " of one dead router";
    case Kind::pairs_of_cables: return counted(number, "set") + " of two dead cables";
    case Kind::random_cables: break;
  }
  return fmt::format("{} of {} at random", counted(number, "set"), counted(sets.cables, "dead cable"));
}

void print_text(const FaultSearch& search, const FaultSets& sets, const std::vector<FaultVerdict>& verdicts,
                const std::string& subject) {
  const Totals totals(verdicts);
  const FaultVerdict before = search.verdict_before();
  const bool random = sets.kind == Kind::random_cables;
  const std::vector<std::size_t> ranking = ranking_of(verdicts);
  std::optional<double> most;
  for (const FaultVerdict& verdict : verdicts) most = std::max(most, verdict.load);
  fmt::print("{}: {}\n", subject, sets_text(sets, totals.sets));
  const auto line = [](const std::string& name, const std::string& text) { fmt::print("{}\n", line_text(name, text)); };
  line("connected", share_text(totals.connected, totals, random));
  line("acyclic", share_text(totals.acyclic, totals, random) +
                      (totals.unknown == 0 ? "" : fmt::format("; {} not computed", totals.unknown)));
  line("unreachable", totals.unreachable == 0 ? "none"
                                              : fmt::format("{} of all sets, at most {} of a set, was {}",
                                                            counted(totals.unreachable, "pair"),
                                                            verdicts[ranking.front()].unreachable, before.unreachable));
  line("pair load", totals.load ? fmt::format("max {}, mean {}, was {}: flits over the busiest link if each pair sends "
                                              "one",
                                              load_text(most), decimal(*totals.load / static_cast<double>(totals.sets)),
                                              load_text(before.load))
                                : "not computed for all sets");
  fmt::print("\n  {:>4}  {:>11}  {:>8}  {:>5}  {:<12}  {}{}\n", "rank", "unreachable", "load", "parts", "verdict",
             random ? fmt::format("{:>8}  ", "seed") : "", "dead");
  for (std::size_t rank = 0; rank < std::min(shown_sets, ranking.size()); ++rank) {
    const FaultVerdict& verdict = verdicts[ranking[rank]];
    const auto set = static_cast<std::int64_t>(ranking[rank]);
    const auto seed = search.seed(set);
    const Json word = verdict_json(verdict.acyclic);
    fmt::print("  {:>4}  {:>11}  {:>8}  {:>5}  {:<12}  {}{}\n", rank + 1, verdict.unreachable, load_text(verdict.load),
               verdict.parts, word.is_null() ? "unknown" : word.get<std::string>(),
               seed ? fmt::format("{:>8}  ", *seed) : "", names_text(search, set));
  }
  if (ranking.size() > shown_sets) fmt::print("  and {} more; --json lists all\n", ranking.size() - shown_sets);
}

}  // namespace

Ending search_faults(const Catalogue& catalogue, const FaultsOptions& options) {
  const Experiment experiment = load_with_faults(catalogue, options.experiment);
  const auto run = prepare(experiment);
  const RunFacts facts = run->facts();
  const std::unique_ptr<FaultSearch> search = facts.search_faults(options.sets);
  catch_interrupts();
  const std::vector<FaultVerdict> verdicts = judge(*search, options.threads);
  let_finish();
  const auto judged = static_cast<std::int64_t>(verdicts.size());
  if (judged == 0) print_message("starloom: interrupted before a set was judged");
  else if (options.json) print_json(*search, options.sets, verdicts);
  else print_text(*search, options.sets, verdicts, fmt::format("{} on {}", experiment.algorithm->name, facts.network));
  if (judged == search->sets()) return {};
  if (judged > 0)
    print_message(fmt::format("starloom: interrupted after {} of {}; the result is that of the first ones", judged,
                              counted(search->sets(), "set")));
  return {ExitStatus::undelivered, false};
}

}  // namespace starloom
