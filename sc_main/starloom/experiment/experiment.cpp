// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/experiment.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <starloom/config/key_reader.hpp>
#include <starloom/experiment/memory_estimate.hpp>
#include <starloom/experiment/metric_table.hpp>
#include <starloom/experiment/sections.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/sockets/transaction_view.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

void note_locations(const DocumentValue& section, const std::string& path,
                    std::map<std::string, SourceLocation>& locations) {
  for (const DocumentEntry& entry : section.entries) {
    const std::string name = key_path(path, entry.key);
    locations.emplace(name, entry.value.kind == DocumentValue::Kind::scalar ? entry.value.location : entry.location);
    note_locations(entry.value, name, locations);
  }
  // Sections in lists go by their names, or else by their numbers.
  for (std::size_t i = 0; i < section.items.size(); ++i) {
    const DocumentValue& item = section.items[i];
    const DocumentValue* const name = item.find("name");
    const std::string of_item = key_path(path, name != nullptr ? name->scalar : std::to_string(i));
    locations.emplace(of_item, item.location);
    note_locations(item, of_item, locations);
  }
}

/// Reads the sections of one document, one method each.
class ExperimentReader {
 public:
  ExperimentReader(const Catalogue& catalogue, const DocumentValue& document, const std::filesystem::path& file)
      : catalogue_(catalogue), document_(document) {
    experiment_.file = file;
    note_locations(document, "", experiment_.locations);
  }

  Experiment read() {
    check_key_names(document_, top_level_names(), "", diagnostics_);
    const KeyValues plain = read_keys(document_, plain_keys(), "", diagnostics_);
    experiment_.model = plain.text("model");
    experiment_.seed = static_cast<std::uint64_t>(plain.integer("seed"));
    read_network();
    read_routing();
    read_traffic();
    read_limits();
    read_waves();
    read_units();
    read_optics();
    read_energy();
    read_faults();
    if (const auto* expect = section("expect"))
      experiment_.expect = read_expectations(*expect, known_results(), diagnostics_);
    read_stalls();
    read_transactions();
    check_model();
    diagnostics_.raise();
    return std::move(experiment_);
  }

 private:
  /// The section if it is given and is a section; adds an error if it is missing or something else.
  const DocumentValue* section(const std::string& name) {
    const SectionSpec& spec = section_spec(name);
    const DocumentValue* value = document_.find(name);
    if (value == nullptr) {
      if (spec.required) diagnostics_.add(document_.location, fmt::format("{} is missing ({})", name, spec.meaning));
      return nullptr;
    }
    if (value->kind == DocumentValue::Kind::map || value->kind == DocumentValue::Kind::null) return value;
    diagnostics_.add(value->location,
                     fmt::format("{}: a section with keys is expected, not {}", name, value->described()));
    return nullptr;
  }
  KeyValues read_section(const DocumentValue& value, const std::string& name) {
    const auto& keys = section_spec(name).keys;
    check_key_names(value, names_of(keys), name, diagnostics_);
    return read_keys(value, keys, name, diagnostics_);
  }
  /// An optional section: its defaults if it is not given.
  KeyValues read_section(const std::string& name) {
    const DocumentValue* value = section(name);
    return read_section(value != nullptr ? *value : DocumentValue{}, name);
  }

  void read_network() {
    const DocumentValue* const value = section("network");
    DocumentValue without_list = value == nullptr ? DocumentValue{} : *value;
    // A table of keys cannot describe a list of sections.
    if (const DocumentValue* const clocks = without_list.find("clocks"))
      experiment_.clocks = read_clocks(*clocks, diagnostics_);
    for (DocumentEntry& entry : without_list.entries) {
      if (entry.key == "links") experiment_.link_changes = read_links(entry.value, diagnostics_);
      else if (entry.key == "regions")
        experiment_.regions = read_regions(entry.value, experiment_.clocks, diagnostics_);
      else if (entry.key != "clocks") continue;
      entry.value = word_value("*");
    }
    std::tie(experiment_.topology, experiment_.network) =
        read_selected(value == nullptr ? nullptr : &without_list, "network", "topology", catalogue_.topologies);
    if (experiment_.topology == nullptr) return;
    const TopologyEntry& entry = *experiment_.topology;
    if (entry.has_couplers()) experiment_.coupler_faults.emplace();
    if (entry.has_couplers() && experiment_.subnets() > 1)
      refuse_network("subnets", "only networks of links can have subnets, and pops networks have couplers");
    if (entry.has_couplers() && !experiment_.link_changes.empty())
      refuse_network("links", "pops networks have couplers instead of links; leave this key out");
    if (entry.has_couplers() && !experiment_.regions.empty())
      refuse_network("regions", "pops networks have no routers; leave this key out");
    if (entry.has_couplers() && !experiment_.clocks.empty())
      refuse_network("clocks", "pops networks have one clock; leave this key out");
    for (const KeySpec& key : entry.keys)
      if (key.required && !experiment_.network.has(key.name)) return;
    try {
      if (const auto error = network_error(entry, experiment_.network, available_bytes))
        for (const auto& [key, text] : error->diagnostics()) refuse_network(key, text);
    } catch (const DataFileError& error) {
      diagnostics_.add_placed(error.what());
    }
  }

  void refuse_network(const std::string& key, const std::string& text) {
    const DocumentValue* value = key.empty() ? nullptr : section("network")->find(key);
    diagnostics_.add(value != nullptr ? value->location : experiment_.location("network"),
                     fmt::format("{}: {}", key_path("network", key), text));
  }

  /// A section with keys in addition to those of the table entry that `selector` names.
  template <class Entry>
  std::pair<const Entry*, KeyValues> read_selected(const DocumentValue* value, const std::string& name,
                                                   const std::string& selector, const std::vector<Entry>& table) {
    if (value == nullptr) return {};
    std::vector<KeySpec> keys = section_spec(name).keys;
    const auto spec = std::find_if(keys.begin(), keys.end(), [&](const KeySpec& key) { return key.name == selector; });
    const KeyValues selected = read_keys(*value, {*spec}, name, diagnostics_);
    if (!selected.has(selector)) {
      check_duplicates(*value, name, diagnostics_);
      return {};
    }
    const std::string& wanted = selected.text(selector);
    const Entry* const entry = find_entry(table, wanted);
    if (entry == nullptr) {
      check_duplicates(*value, name, diagnostics_);
      diagnostics_.add(value->find(selector)->location,
                       fmt::format("{}.{}: {}", name, selector, unknown_name(selector, wanted, names_of(table))));
      return {};
    }
    keys.insert(keys.end(), entry->keys.begin(), entry->keys.end());
    check_key_names(*value, names_of(keys), name, diagnostics_, [&](const std::string& key) {
      const auto has_key = [&key](const Entry& e) {
        return std::any_of(e.keys.begin(), e.keys.end(),
                           [&key](const KeySpec& spec) { return spec.name == key || is_inside(spec.name, key); });
      };
      if (std::none_of(table.begin(), table.end(), has_key)) return std::string();
      return fmt::format("the {} {} does not have this key, but others do; its keys: {}", selector, wanted,
                         entry->keys.empty() ? "none" : joined(names_of(entry->keys)));
    });
    KeyValues values = read_keys(*value, keys, name, diagnostics_);
    values.set_folder(experiment_.file.parent_path());
    return {entry, std::move(values)};
  }

  void read_routing() {
    std::tie(experiment_.algorithm, experiment_.routing) =
        read_selected(section("routing"), "routing", "algorithm", catalogue_.algorithms);
    if (experiment_.algorithm == nullptr || experiment_.topology == nullptr) return;
    if (const auto refusal = topology_refusal(*experiment_.algorithm, *experiment_.topology, catalogue_)) {
      diagnostics_.add(experiment_.location("routing.algorithm"), "routing.algorithm: " + *refusal);
      experiment_.algorithm = nullptr;  // further errors of the algorithm are not needed
    }
    check_links();
    check_regions();
    check_clocks();
    if (diagnostics_.any() || !experiment_.algorithm->refuse) return;
    try {
      experiment_.algorithm->refuse({experiment_.topology, experiment_.network}, experiment_.routing);
    } catch (const InputError& error) {
      experiment_.entry_error("routing", "algorithm", error, diagnostics_);
    }
  }

  /// Algorithms of one family of networks rely on links that are alike.
  void check_links() {
    const AlgorithmEntry* const algorithm = experiment_.algorithm;
    if (experiment_.link_changes.empty() || algorithm == nullptr || contains(algorithm->needs, connected)) return;
    std::vector<std::string> others;
    for (const AlgorithmEntry& entry : catalogue_.algorithms)
      if (contains(entry.needs, connected)) others.push_back(entry.name);
    refuse_network("links", fmt::format("{} needs links that are alike; use {}, or leave this key out", algorithm->name,
                                        fmt::join(others, " or ")));
  }

  void check_regions() {
    const AlgorithmEntry* const algorithm = experiment_.algorithm;
    if (experiment_.regions.empty() || algorithm == nullptr || algorithm->divides_channels) return;
    refuse_network("regions",
                   fmt::format("regions are about routers with virtual channels, which {} does not have; use "
                               "vc-wormhole, or leave this key out",
                               algorithm->name));
  }

  void check_clocks() {
    const AlgorithmEntry* const algorithm = experiment_.algorithm;
    if (algorithm == nullptr || algorithm->divides_channels) return;
    constexpr const char* advice =
        "{} about routers with virtual channels, which {} does not have; use vc-wormhole, or "
        "leave {} out";
    if (!experiment_.clocks.empty())
      refuse_network("clocks", fmt::format(fmt::runtime(advice), "clocks are", algorithm->name, "this key"));
    for (const LinkChange& change : experiment_.link_changes)
      if (change.synchroniser || change.fifo)
        return refuse_network(
            "links", fmt::format(fmt::runtime(advice), "synchroniser and fifo are", algorithm->name, "these two"));
  }

  void read_traffic() {
    const DocumentValue* const value = section("traffic");
    DocumentValue without_list = value == nullptr ? DocumentValue{} : *value;
    // A table of keys cannot describe a list of sections.
    const DocumentValue word = word_value("*");
    bool has_list = false;
    for (DocumentEntry& entry : without_list.entries) {
      if (entry.key != "classes") continue;
      const DocumentValue* const pattern = without_list.find("pattern");
      const bool own_patterns = pattern == nullptr || pattern->scalar == pattern_of_classes;
      experiment_.classes = read_classes(entry.value, own_patterns ? &catalogue_.patterns : nullptr, diagnostics_);
      entry.value = word;
      has_list = true;
    }
    // Each class has a pattern of its own.
    if (has_list && without_list.find("pattern") == nullptr)
      without_list.entries.push_back({"pattern", without_list.location, word_value(pattern_of_classes)});
    std::tie(experiment_.pattern, experiment_.traffic) =
        read_selected(value == nullptr ? nullptr : &without_list, "traffic", "pattern", catalogue_.patterns);
    if (experiment_.algorithm != nullptr) check_classes(*experiment_.algorithm);
    check_subnets();
  }

  void check_classes(const AlgorithmEntry& algorithm) {
    if (!experiment_.classes.empty() && !algorithm.divides_channels)
      diagnostics_.add(
          experiment_.location("routing.algorithm"),
          fmt::format("routing.algorithm: classes of traffic need virtual channels, which {} does not have; "
                      "use vc-wormhole",
                      algorithm.name));
    const KeyValues& routing = experiment_.routing;
    const auto priority = routing.all().find("priority");
    const bool given = experiment_.locations.count("traffic.classes") != 0;
    if (algorithm.divides_channels && !given && priority != routing.all().end() &&
        priority->second == KeyValue(std::string("class")))
      diagnostics_.add(experiment_.location("routing.priority"),
                       "routing.priority: class needs classes of traffic; give them with traffic.classes, such as "
                       "[{name: bulk}, {name: urgent, priority: 1}]");
  }

  void check_subnets() {
    if (experiment_.topology == nullptr || experiment_.topology->has_couplers()) return;
    const int subnets = experiment_.subnets();
    if (subnets > 1 && experiment_.algorithm != nullptr && !experiment_.algorithm->divides_channels)
      refuse_network("subnets", fmt::format("subnets need virtual channels, which {} does not have; use vc-wormhole",
                                            experiment_.algorithm->name));
    for (const ClassConfig& config : experiment_.classes) {
      const std::string path = key_path(class_path(config.facts.name), "subnet");
      if (config.facts.subnet.value_or(0) >= subnets)
        diagnostics_.add(experiment_.location(path),
                         fmt::format("{}: {} is more than {}, the number of the last subnet; raise network.subnets",
                                     path, *config.facts.subnet, subnets - 1));
      if (!config.facts.subnet && config.facts.reply && config.facts.reply->places > 0)
        diagnostics_.add(experiment_.location(path),
                         fmt::format("{}: a class with reply.places is in one subnet, so any is not a value here; give "
                                     "its number",
                                     path));
    }
  }

  void check_model() {
    if (experiment_.algorithm == nullptr || experiment_.model != "message") return;
    if (!experiment_.algorithm->message_model)
      diagnostics_.add(
          experiment_.location("model"),
          fmt::format("model: {} has no transaction-level model; use netlist", experiment_.algorithm->name));
  }

  /// The top-level keys of the result of this experiment.
  std::vector<std::string> known_results() const {
    std::vector<std::string> keys = top_level_metrics(common_metrics());
    if (!experiment_.optics) keys.erase(std::find(keys.begin(), keys.end(), "optics"));
    if (!experiment_.energy) keys.erase(std::find(keys.begin(), keys.end(), "energy"));
    if (!experiment_.link_faults) keys.erase(std::find(keys.begin(), keys.end(), "faults"));
    return keys;
  }

  void read_faults() {
    const DocumentValue* value = section("faults");
    if (value == nullptr) return;
    check_key_names(*value, names_of(section_spec("faults").keys), "faults", diagnostics_);
    const bool couplers = experiment_.topology != nullptr && experiment_.topology->has_couplers();
    const DocumentValue* const dead = value->find("dead_couplers");
    if (dead != nullptr) read_dead_couplers(*dead);
    else if (!couplers) read_link_faults(*value);
    if (!couplers) return;
    const std::vector<std::string> known = names_of(link_fault_keys());
    for (const DocumentEntry& entry : value->entries)
      if (std::any_of(known.begin(), known.end(),
                      [&](const std::string& key) { return key == entry.key || is_inside(key, entry.key); }))
        diagnostics_.add(entry.location, fmt::format("faults.{}: {} has couplers instead of links; use "
                                                     "faults.dead_couplers",
                                                     entry.key, experiment_.topology->name));
  }

  void read_link_faults(const DocumentValue& value) {
    experiment_.link_faults = starloom::read_link_faults(value, diagnostics_);
    if (experiment_.algorithm == nullptr) return;
    const auto refuse = [&](const std::string& text) { diagnostics_.add(experiment_.location("faults"), text); };
    if (!experiment_.algorithm->takes_dead_links) {
      std::vector<std::string> others;
      for (const AlgorithmEntry& entry : catalogue_.algorithms) {
        if (!entry.takes_dead_links) continue;
        const std::vector<std::string> served = catalogue_.served_by(entry);
        if (experiment_.topology == nullptr ||
            std::find(served.begin(), served.end(), experiment_.topology->name) != served.end())
          others.push_back(entry.name);
      }
      refuse(fmt::format("faults: {} needs every link of the {}{}", experiment_.algorithm->name,
                         experiment_.topology == nullptr ? "network" : experiment_.topology->name,
                         others.empty() ? ""
                                        : fmt::format("; {} {} networks with dead links", joined_with_and(others),
                                                      others.size() == 1 ? "serves" : "serve")));
    }
    std::optional<RerouteRules>& reroute = experiment_.link_faults->reroute;
    if (!experiment_.algorithm->divides_channels && reroute && reroute->transition == Transition::drain) {
      const auto given = experiment_.locations.find("faults.reroute.transition");
      if (given != experiment_.locations.end())
        diagnostics_.add(given->second,
                         fmt::format("faults.reroute.transition: with drain, packets of {} would wait forever for dead "
                                     "links, because the network has to be empty before routing functions change; use "
                                     "keep or flush",
                                     experiment_.algorithm->name));
      reroute->transition = Transition::keep;
    }
    if (experiment_.link_faults->keys.errors && !experiment_.algorithm->divides_channels)
      diagnostics_.add(experiment_.location("faults.errors"),
                       fmt::format("faults.errors: links of {} have no errors; use vc-wormhole, or leave errors out",
                                   experiment_.algorithm->name));
    if (experiment_.network.has("subnets") && experiment_.subnets() > 1)
      refuse("faults: networks with network.subnets have no faults; leave one of the two out");
  }

  void read_dead_couplers(const DocumentValue& dead) {
    experiment_.coupler_faults = read_coupler_faults(dead, diagnostics_);
    if (experiment_.algorithm == nullptr || experiment_.algorithm->takes_dead_couplers) return;
    std::vector<std::string> others;
    for (const AlgorithmEntry& entry : catalogue_.algorithms)
      if (entry.takes_dead_couplers)
        others.push_back(fmt::format("{} on {}", entry.name, fmt::join(catalogue_.served_by(entry), ", ")));
    diagnostics_.add(experiment_.location("faults.dead_couplers"),
                     fmt::format("faults.dead_couplers: {} cannot handle dead couplers; use {}",
                                 experiment_.algorithm->name, fmt::join(others, ", ")));
  }

  void read_stalls() {
    const DocumentValue* value = section("stalls");
    if (value == nullptr) return;
    experiment_.stall_rate = read_section(*value, "stalls").number("rate");
    if (experiment_.algorithm == nullptr || experiment_.algorithm->storage == StorageModel::virtual_channels) return;
    diagnostics_.add(
        experiment_.location("stalls"),
        fmt::format("stalls: only virtual-channel routers can have stalled links; {} has none, use vc-wormhole",
                    experiment_.algorithm->name));
  }

  void read_transactions() {
    const DocumentValue* value = section("tlm");
    if (value != nullptr) experiment_.tlm = read_tlm(*value, diagnostics_);
    if (experiment_.pattern == nullptr) return;
    const bool wanted = experiment_.pattern->name == "transactions";
    if (!wanted && value != nullptr)
      diagnostics_.add(experiment_.location("tlm"),
                       fmt::format("tlm: pattern {} has no transactions; use pattern transactions, or leave out tlm",
                                   experiment_.pattern->name));
    if (wanted && value == nullptr)
      diagnostics_.add(
          experiment_.location("traffic.pattern"),
          "tlm is missing: transactions need initiators and targets, such as tlm: {initiators: [0], targets: "
          "[{node: 5, base: 0, size: 4096}]}");
    if (experiment_.energy && experiment_.tlm && experiment_.tlm->view != transaction_view_names[2])
      diagnostics_.add(experiment_.location("energy"),
                       fmt::format("energy: tlm.view: {} has no hardware whose events can be counted; use {}",
                                   experiment_.tlm->view, transaction_view_names[2]));
    if (!wanted || experiment_.algorithm == nullptr) return;
    if (!experiment_.algorithm->divides_channels)
      return diagnostics_.add(
          experiment_.location("routing.algorithm"),
          fmt::format("routing.algorithm: transactions need separate channels for responses, which {} "
                      "does not have; use vc-wormhole",
                      experiment_.algorithm->name));
    if (experiment_.routing.has("channels") && experiment_.routing.integer("channels") < 2)
      diagnostics_.add(experiment_.location("routing.channels"),
                       "routing.channels: transactions need at least 2, half of them for responses");
  }

  void read_limits() {
    const KeyValues keys = read_section("limits");
    if (keys.has("steps")) experiment_.limits.steps = keys.integer("steps");
    experiment_.limits.quiet = keys.integer("quiet");
    if (!keys.is_word("latency")) experiment_.limits.latency = keys.number("latency");
    const bool given = experiment_.locations.count("limits.quiet") != 0;
    if (!given && !diagnostics_.any() && experiment_.algorithm != nullptr && experiment_.algorithm->quiet)
      experiment_.limits.quiet = experiment_.algorithm->quiet({experiment_.topology, experiment_.network});
  }

  void read_units() {
    const KeyValues keys = read_section("units");
    experiment_.units.clock_ns = keys.number("clock_ns");
    experiment_.units.flit_bytes = keys.integer("flit_bytes");
  }

  void read_optics() {
    const DocumentValue* value = section("optics");
    if (value == nullptr) return;
    experiment_.optics = starloom::read_optics(*value, diagnostics_);
    experiment_.optics->data_bytes = static_cast<double>(experiment_.units.flit_bytes);
    if (experiment_.topology != nullptr && !experiment_.topology->has_couplers())
      diagnostics_.add(experiment_.location("optics"), "optics: only pops networks have couplers");
  }

  void read_energy() {
    const DocumentValue* value = section("energy");
    if (value == nullptr) return;
    experiment_.energy = starloom::read_energy(*value, experiment_.file.parent_path(), diagnostics_);
    if (!experiment_.energy->bits_are_given)
      experiment_.energy->sizes.bits = static_cast<int>(8 * experiment_.units.flit_bytes);
    const auto refuse = [&](const std::string& text) {
      diagnostics_.add(experiment_.location("energy"), "energy: " + text);
    };
    if (experiment_.topology != nullptr && experiment_.topology->has_couplers())
      refuse(fmt::format("{} has couplers, whose parts are those of optics; use optics", experiment_.topology->name));
    if (experiment_.model == "message")
      refuse("model: message has no hardware whose events can be counted; use model: netlist");
    if (!experiment_.clocks.empty())
      refuse("a network of several clocks has no energy; leave energy or network.clocks out");
  }

  void read_waves() {
    const DocumentValue* value = section("waves");
    if (value == nullptr) return;
    WavesConfig waves;
    DocumentValue without_list = *value;
    // `scope` may be one name or a list of names; the table has it as one.
    for (DocumentEntry& entry : without_list.entries) {
      if (entry.key != "scope" || entry.value.kind != DocumentValue::Kind::list) continue;
      for (const DocumentValue& item : entry.value.items) {
        if (item.kind == DocumentValue::Kind::scalar) waves.scope.push_back(item.scalar);
        else diagnostics_.add(item.location, fmt::format("waves.scope: a word is expected, not {}", item.described()));
      }
      entry.value = {};
      entry.value.kind = DocumentValue::Kind::scalar;
      entry.value.scalar = "*";
    }
    const KeyValues keys = read_section(without_list, "waves");
    if (waves.scope.empty()) waves.scope = {keys.text("scope")};
    waves.from = keys.integer("from");
    if (keys.has("to")) waves.to = keys.integer("to");
    if (waves.to && *waves.to <= waves.from)
      diagnostics_.add(experiment_.location("waves.to"),
                       fmt::format("waves.to: {} is not after waves.from, {}", *waves.to, waves.from));
    waves.format = keys.text("format");
    experiment_.waves = waves;
  }

  const Catalogue& catalogue_;
  const DocumentValue& document_;
  Experiment experiment_;
  Diagnostics diagnostics_;
};

}  // namespace

SourceLocation Experiment::location(const std::string& path) const {
  for (std::string at = path; !at.empty();) {
    const auto it = locations.find(at);
    if (it != locations.end()) return it->second;
    const std::size_t dot = at.rfind('.');
    at.erase(dot == std::string::npos ? 0 : dot);
  }
  return {file.string(), 1, 1};
}

void Experiment::entry_error(const std::string& section, const std::string& selector, const InputError& error,
                             Diagnostics& diagnostics) const {
  const auto add = [&](const std::string& key, const std::string& text) {
    const std::string path = key.empty() ? section : key_path(section, key);
    const bool given = !key.empty() && locations.count(path) != 0;
    diagnostics.add(location(given ? path : key_path(section, selector)), fmt::format("{}: {}", path, text));
  };
  if (const auto* of_keys = dynamic_cast<const ConfigError*>(&error))
    for (const auto& [key, text] : of_keys->diagnostics()) add(key, text);
  else add("", error.what());
}

Experiment load_experiment(const Catalogue& catalogue, const std::filesystem::path& file,
                           const std::vector<Override>& overrides) {
  DocumentValue document = load_document(file);
  if (document.kind == DocumentValue::Kind::null) throw InputError(fmt::format("{}: the file is empty", file.string()));
  const DocumentValue* base = document.find("base");
  const DocumentValue* of_campaign = base != nullptr ? base : document.find("axes");
  if (document.find("network") == nullptr && of_campaign != nullptr)
    throw InputError(
        fmt::format("{0}: this is a campaign, not an experiment; starloom campaign {1} runs it, and starloom "
                    "report {1} reports it",
                    of_campaign->location.text(), file.string()));
  if (document.kind == DocumentValue::Kind::map)
    for (const Override& given : overrides) apply_override(document, given);
  return read_experiment(catalogue, document, file);
}

Experiment read_experiment(const Catalogue& catalogue, const DocumentValue& document,
                           const std::filesystem::path& file) {
  if (document.kind != DocumentValue::Kind::map)
    throw InputError(fmt::format("{}: an experiment is expected, a section with the keys {}, not {}",
                                 document.location.text(), fmt::join(top_level_names(), ", "), document.described()));
  return ExperimentReader(catalogue, document, file).read();
}

std::optional<std::string> topology_refusal(const AlgorithmEntry& algorithm, const TopologyEntry& topology,
                                            const Catalogue& catalogue) {
  const Capabilities offers = topology.capabilities();
  if (algorithm.serves(offers)) return std::nullopt;
  std::vector<std::string> others;
  for (const AlgorithmEntry& other : catalogue.algorithms)
    if (other.serves(offers)) others.push_back(other.name);
  const std::string own =
      contains(algorithm.needs, connected) ? "networks of links" : joined_with_and(catalogue.served_by(algorithm));
  return fmt::format("{} works on {}, not on {}; {}", algorithm.name, own, topology.name,
                     others.empty() ? fmt::format("no algorithm works on {} yet", topology.name)
                                    : fmt::format("these work on {}: {}", topology.name, fmt::join(others, ", ")));
}

}  // namespace starloom
