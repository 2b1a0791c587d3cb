// SPDX-License-Identifier: Apache-2.0
#include "fuzz/random_experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include <starloom/algorithms/table/algorithm_table.hpp>
#include <starloom/support/names.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {
namespace {

std::string data_file(const std::string& pattern) {
  return pattern == "file"      ? "permutation.txt"
         : pattern == "packets" ? "packets.csv"
         : pattern == "matrix"  ? "rates.csv"
         : pattern == "netrace" ? "t.tra.bz2"
         : pattern == "program" ? "program.yaml"
                                : "graph.yaml";
}

/// A part of the router, mostly one that can be made.
std::string part_for(const PartForms& forms, Dice& dice) {
  const PartForm& form = forms.outer[dice.below(forms.outer.size())];
  PartValue part{form.name};
  if (form.number && (!form.number->by_default || dice.one_in(2))) part.number = dice.between(form.number->least, 3);
  if (form.of.empty() || dice.one_in(3)) return part_text(part);
  const std::string of = part_for({forms.inner, forms.inner}, dice);
  if (!part.number) return fmt::format("{{{}: {}}}", part.name, of);
  return fmt::format("{{{}: {}, of: {}}}", part.name, *part.number, of);
}

/// A legal value, small so that runs are short; phases far apart are legal but of no interest here.
std::string value_for(const KeySpec& key, const std::string& owner, Dice& dice) {
  const std::int64_t low = key.min < -9 ? -9 : static_cast<std::int64_t>(key.min);
  const std::int64_t high = std::max(low, key.max > 9 ? 9 : static_cast<std::int64_t>(key.max));
  switch (key.type) {
    case KeyType::integer: return fmt::format("{}", dice.between(low, high));
    // A rate must not be above `flits`, which is at least 1.
    case KeyType::number: return fmt::format("{}.{}", std::max<std::int64_t>(low, 0), dice.between(1, 9));
    case KeyType::boolean: return dice.one_in(2) ? "true" : "false";
    case KeyType::choice: return dice.one_of(key.choices);
    case KeyType::part: return part_for(key.parts, dice);
    case KeyType::file: return key.name == "groups" ? "groups.json" : data_file(owner);
    case KeyType::rank_files: return "t";
    case KeyType::integer_list: return fmt::format("[{}, {}]", dice.between(low, 3), dice.between(low, 3));
    case KeyType::share_list:
      return fmt::format("[[{}, 0.25], [{}, 0.75]]", dice.between(low, 3), dice.between(low, 9));
    case KeyType::text_or_list: return dice.one_in(2) ? "word" : "[0, word]";
    case KeyType::text: break;
  }
  if (key.name == "classes" && owner == "packets") return "[{name: a}, {name: b, priority: 1, subnet: any}]";
  if (key.name == "classes")
    return "[{name: a, pattern: uniform, rate: 0.1}, {name: b, pattern: reversal, rate: 0.2, flits: 3, priority: 1, "
           "subnet: any}]";
  return "word";
}

/// A section inside: all that is required there, some of the rest, and at least one key.
std::string inside(const std::vector<KeySpec>& keys, const std::string& section, const std::string& owner, Dice& dice) {
  std::vector<std::string> parts, optional;
  std::string subsection;
  for (const KeySpec& key : keys) {
    if (!is_inside(key.name, section)) continue;
    const std::string around = inner_section(key.name);
    if (around != section) {
      if (around != subsection)
        parts.push_back(fmt::format("{}: {}", around.substr(section.size() + 1), inside(keys, around, owner, dice)));
      subsection = around;
      continue;
    }
    (key.required ? parts : optional)
        .push_back(fmt::format("{}: {}", key.name.substr(section.size() + 1), value_for(key, owner, dice)));
  }
  if (!optional.empty() && (parts.empty() || dice.one_in(3))) parts.push_back(dice.one_of(optional));
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

/// The list `network.links`. \param routers with crossings between clocks.
std::string link_list(Dice& dice, bool routers) {
  std::vector<std::string> list;
  do {
    std::vector<std::string> change = {fmt::format("width: 1/{}", dice.between(1, 6))};
    if (dice.one_in(2)) change.push_back(fmt::format("latency: {}", dice.between(1, 9)));
    if (dice.one_in(2)) change.push_back(fmt::format("interval: {}", dice.between(1, 4)));
    if (routers && dice.one_in(3)) change.push_back(fmt::format("synchroniser: {}", dice.between(0, 3)));
    if (routers && dice.one_in(3)) change.push_back(fmt::format("fifo: {}", dice.between(1, 5)));
    if (change.size() > 1 && dice.one_in(2)) change.erase(change.begin());
    change.push_back(fmt::format("links: \"{}\"", dice.one_of(std::vector<std::string>{"*", "link_*", "*00*"})));
    list.push_back(fmt::format("{{{}}}", fmt::join(change, ", ")));
  } while (dice.one_in(2));
  return fmt::format("[{}]", fmt::join(list, ", "));
}

/// The list `network.regions`. \param clocks fast and slow.
std::string region_list(Dice& dice, bool clocks) {
  std::vector<std::string> list;
  do {
    const std::string of = dice.one_of(std::vector<std::string>{"nodes: \"*\"", "nodes: \"*00*\"", "role: processor"});
    std::vector<std::string> change = {fmt::format("buffer: {}", dice.between(1, 9))};
    if (dice.one_in(2)) change.push_back(fmt::format("stages: {{crossbar: {}}}", dice.between(1, 4)));
    else if (dice.one_in(2)) change.push_back(fmt::format("stages: {{routing: {}, switch: 2}}", dice.between(0, 3)));
    if (dice.one_in(3)) change.push_back(fmt::format("channels: {}", dice.between(1, 5)));
    if (clocks && dice.one_in(3)) change.push_back("clock: " + dice.one_of(std::vector<std::string>{"fast", "slow"}));
    if (change.size() > 1 && dice.one_in(2)) change.erase(change.begin());
    list.push_back(fmt::format("{{{}, {}}}", of, fmt::join(change, ", ")));
  } while (dice.one_in(2));
  return fmt::format("[{}]", fmt::join(list, ", "));
}

/// `selector: name` and some of the keys of a table entry.
template <class Entry>
std::string section(const std::string& selector, const Entry& entry, Dice& dice) {
  std::vector<std::string> parts = {selector + ": " + entry.name};
  std::vector<std::string> given;
  for (const KeySpec& key : entry.keys) {
    const std::string name = key.name.substr(0, key.name.find('.'));
    if (std::count(given.begin(), given.end(), name) != 0) continue;
    const bool section_inside = name != key.name;
    // Mostly not what is refused without a rate, or with all routing functions but one.
    static const std::vector<std::string> open_loop = {"warmup", "measure", "drain", "injection", "reply"};
    static const std::vector<std::string> of_one_function = {"nearest-ancestor", "root", "table", "weight"};
    if (contains(of_one_function, name) && !dice.one_in(12)) continue;
    const bool phased = contains(open_loop, name) && !(entry.name == "closed-loop" && name == "reply");
    if (phased && std::count(given.begin(), given.end(), "rate") == 0 && !dice.one_in(12)) continue;
    // Without these it has no end.
    const bool needed = entry.name == "closed-loop" && (name == "requests" || name == "reply");
    if (!(key.required && !section_inside) && !needed && !dice.one_in(section_inside ? 15 : 3)) continue;
    given.push_back(name);
    parts.push_back(name + ": " +
                    (section_inside ? inside(entry.keys, name, entry.name, dice) : value_for(key, entry.name, dice)));
  }
  // The selector may be at any position.
  std::swap(parts.front(), parts[dice.below(parts.size())]);
  if (dice.one_in(2)) return fmt::format(" {{{}}}", fmt::join(parts, ", "));
  return fmt::format("\n  {}", fmt::join(parts, "\n  "));
}

}  // namespace

std::string random_experiment(Dice& dice) {
  const bool mesh = dice.one_in(2);
  std::vector<std::int64_t> shape;
  std::int64_t nodes = 1;
  do {
    shape.push_back(dice.between(1, 8));
    nodes *= shape.back();
  } while (nodes <= 8 && !dice.one_in(3));
  // The least mesh that has supersquares.
  if (mesh && dice.one_in(4)) shape = {8, 8};
  std::vector<AlgorithmEntry> algorithms;
  for (const AlgorithmEntry& entry : links::algorithm_table())
    if (entry.serves({mesh ? "mesh" : "torus", connected})) algorithms.push_back(entry);

  const AlgorithmEntry& algorithm = dice.one_of(algorithms);
  const bool clocks = algorithm.divides_channels && dice.one_in(3);
  std::vector<std::string> lines = {
      "schema: 1",
      fmt::format("network: {{topology: {}, shape: [{}]{}{}{}{}}}", mesh ? "mesh" : "torus", fmt::join(shape, ", "),
                  algorithm.divides_channels && dice.one_in(3) ? ", subnets: 3" : "",
                  algorithm.divides_channels && dice.one_in(4) ? ", regions: " + region_list(dice, clocks) : "",
                  clocks ? ", clocks: {fast: 2, slow: 3}" : "",
                  contains(algorithm.needs, connected) && nodes > 1 && dice.one_in(3)
                      ? ", links: " + link_list(dice, algorithm.divides_channels)
                      : ""),
      "routing:" + section("algorithm", algorithm, dice),
      "traffic:" + section("pattern", dice.one_of(pattern_table()), dice)};
  if (dice.one_in(2)) lines.push_back(fmt::format("seed: {}", dice.between(0, 1'000'000'000'000)));
  if (dice.one_in(3)) lines.push_back(fmt::format("limits: {{steps: {}}}", dice.between(1, 500)));
  if (dice.one_in(3)) lines.push_back("units: {clock_ns: 0.5, flit_bytes: 8}");
  if (dice.one_in(3)) lines.push_back("expect:\n  outcome: completed\n  latency.mean: {within: [0, 99.5]}");
  if (dice.one_in(6)) lines.push_back("waves: {scope: [\"node_*\"], from: 3, to: 9}");
  for (std::size_t i = lines.size() - 1; i > 0; --i) std::swap(lines[i], lines[dice.below(i + 1)]);
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::string random_energy_section(Dice& dice) {
  std::vector<std::string> parts = {"table: " +
                                    dice.one_of(std::vector<std::string>{"dsent-22", "dsent-11", "table.yaml"})};
  if (dice.one_in(3)) parts.push_back("link_mm: {\"*\": 2, default: 0.5}");
  else if (dice.one_in(2)) parts.push_back(fmt::format("link_mm: {}", dice.between(0, 9)));
  if (dice.one_in(2)) parts.push_back(fmt::format("width_bits: {}", dice.between(1, 300)));
  if (dice.one_in(3)) parts.push_back("activity: 0.25");
  if (dice.one_in(3)) parts.push_back(fmt::format("depth: {}", dice.between(1, 40)));
  if (dice.one_in(3)) parts.push_back("channel_allocator: false");
  if (dice.one_in(3)) parts.push_back("gating: idle");
  if (dice.one_in(3)) parts.push_back(fmt::format("window: {}", dice.between(1, 60)));
  return fmt::format("energy: {{{}}}\n", fmt::join(parts, ", "));
}

std::string random_optics_section(Dice& dice) {
  if (dice.one_in(3)) return fmt::format("optics: {{bit_rate_gbps: {}}}\n", dice.between(1, 40));
  std::vector<std::string> parts = {"transmitter: parts"};
  if (dice.one_in(2)) parts.push_back("launch_dbm: auto");
  if (dice.one_in(2)) parts.push_back("laser: always");
  if (dice.one_in(2)) parts.push_back("receivers: listening");
  if (dice.one_in(2)) parts.push_back(fmt::format("tuning_mw: 0.{}", dice.between(0, 9)));
  if (dice.one_in(2))
    parts.push_back(fmt::format("losses: [{{name: a, db: 0.{}}}, {{name: b, db: 1, count: {}}}]", dice.between(0, 9),
                                dice.between(0, 5)));
  return fmt::format("optics: {{{}}}\n", fmt::join(parts, ", "));
}

std::string random_energy_table(Dice& dice) {
  const auto formula = [&dice] {
    const auto term = [&dice] {
      static const std::vector<std::string> terms = {"1", "W", "W*N", "P^2*V", "lg(P)", "W*up(N)", "sqrt(W*P)", "L"};
      return fmt::format("{{{}: {}}}", dice.one_of(terms), dice.between(0, 99));
    };
    if (dice.one_in(3)) return std::to_string(dice.between(0, 999));
    return dice.one_in(4) ? fmt::format("{{max: [{}, {}], plus: {}}}", term(), term(), term()) : term();
  };
  std::string text =
      "schema: 1\nname: drawn\nsource: dice\nunits: {energy: fJ, power: uW, area: um2, length: mm}\n"
      "conditions: {vdd: 0.9}\nranges: {W: [1, 64]}\n";
  text += "energy:\n  arbiter: {points: {2: 1, 5: 9}}\n";
  for (const char* name : {"buffer_write", "buffer_read", "crossbar", "clock", "register", "link"})
    text += fmt::format("  {}: {}\n", name, formula());
  for (const char* section : {"leakage", "area"}) {
    text += fmt::format("{}:\n", section);
    for (const char* name :
         {"buffer", "crossbar", "switch_allocator", "channel_allocator", "clock", "register", "link"})
      text += fmt::format("  {}: {}\n", name, formula());
  }
  return text;
}

std::string random_permutation_file(Dice& dice, std::int64_t nodes) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(nodes));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[dice.below(i + 1)]);
  std::string text = "# a permutation\n";
  for (const std::int64_t node : order)
    text += (dice.one_in(5) ? "-" : std::to_string(node)) + (dice.one_in(8) ? "\n" : " ");
  return text;
}

std::string random_packet_file(Dice& dice, std::int64_t nodes) {
  std::string text = "cycle,source,destination,flits\n";
  for (std::int64_t left = dice.between(0, 12); left > 0; --left)
    text += fmt::format("{},{},{},{}\n", dice.between(0, 40), dice.between(0, nodes - 1), dice.between(0, nodes - 1),
                        dice.one_in(3) ? dice.between(1, 4) : 1);
  return text;
}

std::string random_rates_file(Dice& dice, std::int64_t nodes) {
  std::string text = "source,destination,rate,flits,from,to\n";
  for (std::int64_t left = dice.between(0, 12); left > 0; --left)
    text += fmt::format("{},{},0.0{},{},{},{}\n", dice.between(0, nodes - 1), dice.between(0, nodes - 1),
                        dice.between(0, 9), dice.one_in(3) ? "2" : "", dice.one_in(2) ? "3" : "",
                        dice.one_in(4) ? "40" : "");
  return text;
}

std::string random_graph_file(Dice& dice, std::int64_t nodes) {
  const std::int64_t tasks = std::min<std::int64_t>(nodes, dice.between(1, 6));
  std::string text = fmt::format("tasks: {}\nedges:\n", tasks);
  for (std::int64_t from = 0; from < tasks; ++from)
    text += fmt::format("  - {{from: {}, to: {}, bandwidth: {}.5}}\n", from,
                        (from + 1) % std::max<std::int64_t>(tasks, 2), dice.between(0, 4000));
  return text;
}

std::string random_program_file(Dice& dice, std::int64_t nodes) {
  const std::int64_t ranks = std::min<std::int64_t>(nodes, dice.between(1, 8));
  std::string text = fmt::format("schema: 1\nranks: {}\n", ranks);
  if (dice.one_in(3)) text += "reduce: 0.5\n";
  text += fmt::format("groups: {{halves: {{blocks: {}}}, pair: [[0, {}]]}}\nprogram:\n", ranks % 2 == 0 ? ranks / 2 : 1,
                      ranks > 1 ? ranks - 1 : 0);
  if (ranks == 1) text.replace(text.find("[0, 0]"), 6, "[0]");
  const char* operations[] = {"compute: 5",
                              "op: all-reduce, flits: 16",
                              "op: all-to-all, algorithm: direct, flits: 9, chunk: 2",
                              "op: barrier, group: pair",
                              "op: broadcast, algorithm: chain, flits: 4, group: halves",
                              "op: all-gather, flits: 8, after: []"};
  for (std::int64_t left = dice.between(1, 4); left > 0; --left) {
    const std::string operation = operations[dice.below(std::size(operations))];
    text += dice.one_in(4) ? fmt::format("  - {{repeat: 2, body: [{{{}}}]}}\n", operation)
                           : fmt::format("  - {{{}}}\n", operation);
  }
  return text;
}

}  // namespace starloom
