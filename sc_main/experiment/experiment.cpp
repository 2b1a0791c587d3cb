#include <starloom/experiment/experiment.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <starloom/config/key_reader.hpp>
#include <starloom/config/names.hpp>
#include <starloom/core/error.hpp>
#include <starloom/experiment/memory_estimate.hpp>
#include <starloom/experiment/result_keys.hpp>
#include <starloom/experiment/sections.hpp>
#include <starloom/traffic/packet_list.hpp>

namespace starloom {
namespace {

void note_places(const DocumentValue& section, const std::string& path, std::map<std::string, Place>& places) {
  for (const DocumentEntry& entry : section.entries) {
    const std::string name = key_path(path, entry.key);
    places.emplace(name, entry.value.kind == DocumentValue::Kind::scalar ? entry.value.place : entry.place);
    note_places(entry.value, name, places);
  }
}

/// Reads the sections of one document, one method each.
class ExperimentReader {
 public:
  ExperimentReader(const DocumentValue& document, const std::filesystem::path& file) : document_(document) {
    experiment_.file = file;
    note_places(document, "", experiment_.places);
  }

  Experiment read() {
    check_key_names(document_, top_level_names(), "", faults_);
    const KeyValues plain = read_keys(document_, plain_keys(), "", faults_);
    experiment_.model = plain.text("model");
    experiment_.seed = static_cast<std::uint64_t>(plain.integer("seed"));
    read_network();
    read_routing();
    read_traffic();
    read_limits();
    read_waves();
    read_units();
    read_optics();
    if (const auto* expect = section("expect"))
      experiment_.expect = read_expectations(*expect, known_results(), faults_);
    read_faults();
    check_model();
    faults_.raise();
    return std::move(experiment_);
  }

 private:
  /// The section if it is given and is one; a fault is noted if it is missing or something else.
  const DocumentValue* section(const std::string& name) {
    const SectionSpec& spec = section_spec(name);
    const DocumentValue* value = document_.find(name);
    if (value == nullptr) {
      if (spec.required) faults_.add(document_.place, fmt::format("{} is missing ({})", name, spec.meaning));
      return nullptr;
    }
    if (value->kind == DocumentValue::Kind::map || value->kind == DocumentValue::Kind::null) return value;
    faults_.add(value->place, fmt::format("{}: a section with keys is expected, not {}", name, value->described()));
    return nullptr;
  }
  KeyValues read_section(const DocumentValue& value, const std::string& name) {
    const auto& keys = section_spec(name).keys;
    check_key_names(value, names_of(keys), name, faults_);
    return read_keys(value, keys, name, faults_);
  }
  /// An optional section: its defaults if it is not given.
  KeyValues read_section(const std::string& name) {
    const DocumentValue* value = section(name);
    return read_section(value != nullptr ? *value : DocumentValue{}, name);
  }

  void read_network() {
    NetworkConfig& network = experiment_.network;
    std::tie(network.topology, network.keys) = read_selected("network", "topology", all_topologies());
    if (network.topology == nullptr) return;
    const auto& keys = network.topology->keys;
    if (!std::all_of(keys.begin(), keys.end(),
                     [&](const KeySpec& key) { return !key.required || network.keys.has(key.name); }))
      return;
    if (const auto fault = network_fault(*network.topology, network.keys, available_bytes())) {
      // Of a list, the place is that of the list.
      const DocumentValue* value = fault->key().empty() ? nullptr : section("network")->find(fault->key());
      faults_.add(value != nullptr ? value->place : experiment_.place("network"),
                  fmt::format("{}: {}", fault->key().empty() ? "network" : "network." + fault->key(), fault->what()));
    }
  }

  /// A section whose further keys are those of the table entry that `selector` names.
  template <class Entry>
  std::pair<const Entry*, KeyValues> read_selected(const std::string& name, const std::string& selector,
                                                   const std::vector<Entry>& table) {
    const DocumentValue* value = section(name);
    if (value == nullptr) return {};
    std::vector<KeySpec> keys = section_spec(name).keys;
    const KeyValues selected = read_keys(*value, keys, name, faults_);
    if (!selected.has(selector)) {
      check_duplicates(*value, name, faults_);
      return {};
    }
    const std::string& wanted = selected.text(selector);
    const auto entry = std::find_if(table.begin(), table.end(), [&](const Entry& e) { return e.name == wanted; });
    if (entry == table.end()) {
      check_duplicates(*value, name, faults_);
      faults_.add(value->find(selector)->place,
                  fmt::format("{}.{}: {}", name, selector, unknown_name(selector, wanted, names_of(table))));
      return {};
    }
    keys.insert(keys.end(), entry->keys.begin(), entry->keys.end());
    check_key_names(*value, names_of(keys), name, faults_);
    return {&*entry, read_keys(*value, keys, name, faults_)};
  }

  void read_routing() {
    std::tie(experiment_.algorithm, experiment_.routing) = read_selected("routing", "algorithm", all_algorithms());
    if (experiment_.algorithm == nullptr || experiment_.network.topology == nullptr) return;
    if (const auto refusal =
            topology_refusal(*experiment_.algorithm, experiment_.network.topology->name, all_algorithms())) {
      faults_.add(experiment_.place("routing.algorithm"), "routing.algorithm: " + *refusal);
      experiment_.algorithm = nullptr;  // what else it would not do need not be said
    }
  }

  void read_traffic() {
    std::tie(experiment_.pattern, experiment_.traffic) = read_selected("traffic", "pattern", pattern_table());
  }

  void check_model() {
    if (experiment_.algorithm == nullptr || experiment_.model != "message") return;
    if (std::holds_alternative<links::MakeAlgorithm>(experiment_.algorithm->make) && !experiment_.algorithm->off_line)
      faults_.add(
          experiment_.place("model"),
          fmt::format("model: there is no transaction-level model of {}; use netlist", experiment_.algorithm->name));
  }

  /// The top-level keys that the result of this experiment will have.
  std::vector<std::string> known_results() const {
    std::vector<std::string> keys = result_keys();
    if (!experiment_.optics) keys.erase(std::find(keys.begin(), keys.end(), "optics"));
    return keys;
  }

  void read_faults() {
    const DocumentValue* value = section("faults");
    if (value == nullptr) return;
    check_key_names(*value, names_of(section_spec("faults").keys), "faults", faults_);
    const DocumentValue* dead = value->find("dead_couplers");
    if (dead == nullptr) return;
    experiment_.coupler_faults = read_coupler_faults(*dead, faults_);
    if (experiment_.algorithm != nullptr && experiment_.algorithm->name != "randomized")
      faults_.add(experiment_.place("faults.dead_couplers"),
                  fmt::format("faults.dead_couplers: {} does not know of dead couplers; randomized on pops does",
                              experiment_.algorithm->name));
  }

  void read_limits() {
    const KeyValues keys = read_section("limits");
    if (keys.has("steps")) experiment_.limits.steps = keys.integer("steps");
    experiment_.limits.quiet = keys.integer("quiet");
  }

  void read_units() {
    const KeyValues keys = read_section("units");
    experiment_.units.clock_ns = keys.number("clock_ns");
    experiment_.units.flit_bytes = keys.integer("flit_bytes");
  }

  void read_optics() {
    const DocumentValue* value = section("optics");
    if (value == nullptr) return;
    experiment_.optics = read_section(*value, "optics");
    if (experiment_.network.topology != nullptr && !experiment_.network.topology->has_couplers())
      faults_.add(experiment_.place("optics"), "optics: only pops networks have couplers");
  }

  void read_waves() {
    const DocumentValue* value = section("waves");
    if (value == nullptr) return;
    WavesConfig waves;
    DocumentValue without_list = *value;
    // `scope` may be one name or a list of names; the table knows it as one.
    for (DocumentEntry& entry : without_list.entries) {
      if (entry.key != "scope" || entry.value.kind != DocumentValue::Kind::list) continue;
      for (const DocumentValue& item : entry.value.items) {
        if (item.kind == DocumentValue::Kind::scalar) waves.scope.push_back(item.scalar);
        else faults_.add(item.place, fmt::format("waves.scope: a word is expected, not {}", item.described()));
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
      faults_.add(experiment_.place("waves.to"),
                  fmt::format("waves.to: {} is not after waves.from, {}", *waves.to, waves.from));
    waves.format = keys.text("format");
    experiment_.waves = waves;
  }

  const DocumentValue& document_;
  Experiment experiment_;
  Faults faults_;
};

/// All packets that a pattern will create; null if its sources never end.
std::optional<std::vector<Packet>> all_packets(const Experiment& experiment, const TrafficContext& context) {
  const auto traffic = make_traffic(*experiment.pattern, context, experiment.traffic);
  if (!traffic->end()) return std::nullopt;
  std::vector<Packet> packets;
  traffic->generate(0, *traffic->end(), packets);
  return packets;
}

/// Packets longer than the algorithm carries. The key tells for most patterns; a packet file has to be read.
std::optional<std::string> flits_fault(const Experiment& experiment, const TrafficContext& context, std::int64_t most) {
  std::int64_t longest = 1;
  if (experiment.traffic.all().count("flits") != 0) {
    if (experiment.traffic.has("flits")) longest = experiment.traffic.integer("flits");
  } else {
    for (const Packet& packet : all_packets(experiment, context).value_or(std::vector<Packet>()))
      if (longest <= most) longest = packet.flits;
  }
  if (longest <= most) return std::nullopt;
  return fmt::format("{} flits a packet, but {} moves packets of {} only", longest, experiment.algorithm->name,
                     most == 1 ? "one flit" : fmt::format("at most {} flits", most));
}

}  // namespace

Place Experiment::place(const std::string& path) const {
  for (std::string at = path; !at.empty();) {
    const auto it = places.find(at);
    if (it != places.end()) return it->second;
    const std::size_t dot = at.rfind('.');
    at.erase(dot == std::string::npos ? 0 : dot);
  }
  return {file.string(), 1, 1};
}

Experiment load_experiment(const std::filesystem::path& file, const std::vector<Override>& overrides) {
  DocumentValue document = load_document(file);
  if (document.kind == DocumentValue::Kind::null) throw InputError(fmt::format("{}: the file is empty", file.string()));
  if (document.kind == DocumentValue::Kind::map)
    for (const Override& given : overrides) apply_override(document, given);
  return read_experiment(document, file);
}

Experiment read_experiment(const DocumentValue& document, const std::filesystem::path& file) {
  if (document.kind != DocumentValue::Kind::map)
    throw InputError(fmt::format("{}: an experiment is expected, a section with the keys {}, not {}",
                                 document.place.text(), fmt::join(top_level_names(), ", "), document.described()));
  return ExperimentReader(document, file).read();
}

std::optional<std::string> topology_refusal(const AlgorithmEntry& entry, const std::string& topology,
                                            const std::vector<AlgorithmEntry>& table) {
  const auto serves = [&](const AlgorithmEntry& one) {
    return std::find(one.topologies.begin(), one.topologies.end(), topology) != one.topologies.end();
  };
  if (serves(entry)) return std::nullopt;
  std::vector<std::string> others;
  std::string own;
  for (std::size_t i = 0; i < entry.topologies.size(); ++i)
    own += (i == 0 ? "" : i + 1 == entry.topologies.size() ? " and " : ", ") + entry.topologies[i];
  for (const AlgorithmEntry& other : table)
    if (serves(other)) others.push_back(other.name);
  return fmt::format("{} serves {}, not {}; for {} there are: {}", entry.name, own, topology, topology,
                     fmt::join(others, ", "));
}

namespace {

pops::OpticalParts optical_parts(const KeyValues& keys, const Units& units) {
  pops::OpticalParts parts;
  parts.launch_dbm = keys.number("launch_dbm");
  parts.sensitivity_dbm = keys.number("sensitivity_dbm");
  parts.margin_db = keys.number("margin_db");
  parts.excess_db = keys.number("excess_db");
  parts.connectors_db = keys.number("connectors_db");
  parts.bit_rate_gbps = keys.number("bit_rate_gbps");
  parts.data_bytes = static_cast<double>(units.flit_bytes);
  parts.ack_bytes = keys.number("ack_bytes");
  parts.guard_ns = keys.number("guard_ns");
  parts.transmitter_mw = keys.number("transmitter_mw");
  return parts;
}

/// The algorithm of a POPS network for the packets of this run; without traffic, which has faults then, only the faults
/// of the rest.
void set_up_star(const Experiment& experiment, const Pops& pops, const TrafficContext& context, Setup& setup,
                 Faults& faults) {
  const auto fault = [&](const std::string& key, const std::string& text) {
    faults.add(experiment.place(key), fmt::format("{}: {}", key.substr(0, key.find('.')), text));
  };
  if (experiment.optics) setup.optics = optical_parts(*experiment.optics, experiment.units);
  pops::AlgorithmContext star{pops, experiment.seed, {}, {}};
  const bool known = setup.traffic != nullptr && setup.traffic->end() && !setup.traffic->open_loop();
  if (known) {
    if (const auto longer = flits_fault(experiment, context, 1)) fault("traffic.flits", *longer);
    setup.traffic->generate(0, *setup.traffic->end(), star.packets);
    // The same packets for the run: drawing 2^24 of them again takes longer than routing them.
    setup.traffic = std::make_unique<PacketList>(star.packets);
  } else if (setup.traffic != nullptr) {
    fault("traffic.pattern", fmt::format("{} creates packets while the network runs, but programs of POPS networks "
                                         "serve what is there in slot 0; use a permutation without rate",
                                         experiment.pattern->name));
  }
  if (experiment.coupler_faults.any())
    star.dead = dead_couplers(experiment.coupler_faults, pops, experiment.seed,
                              experiment.place("faults.dead_couplers"), faults);
  try {
    setup.star = std::get<pops::MakeAlgorithm>(experiment.algorithm->make)(star, experiment.routing);
  } catch (const pops::UnservedPackets& found) {
    if (known) fault("traffic", found.what());
  } catch (const InputError& found) {
    fault("routing", found.what());
  }
  faults.raise();
  if (experiment.model == "message") return;
  if (const auto large = pops::netlist_fault(pops, setup.star->table_bytes(), available_bytes()))
    fault("network", *large);
  faults.raise();
}

}  // namespace

TrafficContext traffic_context(const Experiment& experiment, const Setup& setup) {
  return {setup.processors, experiment.seed, experiment.units, experiment.file.parent_path(), !setup.network};
}

std::unique_ptr<Setup> set_up(const Experiment& experiment) {
  const NetworkConfig& network = experiment.network;
  auto setup = std::make_unique<Setup>();
  Faults faults;
  std::optional<Pops> pops;
  try {
    if (const auto* make = std::get_if<MakePops>(&network.topology->make)) {
      pops = (*make)(network.keys);
      setup->processors = processors_of(*pops);
    } else {
      setup->network = std::get<MakeLinkNetwork>(network.topology->make)(network.keys);
      setup->processors = processors_of(*setup->network);
    }
  } catch (const NetworkFault& fault) {
    const std::string path = fault.key().empty() ? "network" : "network." + fault.key();
    faults.add(experiment.place(path), fmt::format("{}: {}", path, fault.what()));
    faults.raise();
  }
  const TrafficContext context = traffic_context(experiment, *setup);
  std::optional<std::vector<Packet>> known;  // where somebody asks for them
  const bool all_at_once = experiment.algorithm->off_line || experiment.algorithm->in_lockstep;
  try {
    setup->traffic = make_traffic(*experiment.pattern, context, experiment.traffic);
    if (setup->traffic->ranks() && !(experiment.algorithm->off_line && experiment.model == "message"))
      faults.add(experiment.place("traffic.pattern"),
                 "traffic.pattern: ranks are for planners: they take routing.algorithm: multistage and model: message");
    else if (all_at_once && !setup->traffic->ranks()) known = all_packets(experiment, context);
  } catch (const DataFileError& fault) {
    faults.add_placed(fault.what());
  } catch (const InputError& fault) {
    faults.add(experiment.place("traffic"), fmt::format("traffic: {}", fault.what()));
  }
  if (all_at_once) faults.raise();
  if (std::holds_alternative<pops::MakeAlgorithm>(experiment.algorithm->make)) {
    set_up_star(experiment, *pops, context, *setup, faults);
    return setup;
  }
  try {
    links::AlgorithmContext routed{&*setup->network, experiment.seed, known ? &*known : nullptr, {}, context.folder};
    if (setup->traffic != nullptr) routed.ranks = setup->traffic->ranks();
    setup->algorithm = std::get<links::MakeAlgorithm>(experiment.algorithm->make)(routed, experiment.routing);
    const std::int32_t link_latency = setup->network->graph.greatest_latency();
    if (link_latency != 1 && (all_at_once || links::moves_worms(setup->algorithm->declaration().storage)))
      faults.add(
          experiment.place("network.link_latency"),
          fmt::format("network.link_latency: {} {}, which takes links of latency 1, not {}", experiment.algorithm->name,
                      experiment.algorithm->off_line ? "replays a plan"
                      : all_at_once                  ? "counts steps"
                                                     : "moves whole worms",
                      link_latency));
    const std::int32_t most_flits = setup->algorithm->declaration().most_flits;
    if (setup->traffic != nullptr && most_flits != 0)
      if (const auto fault = flits_fault(experiment, context, most_flits))
        faults.add(experiment.place("traffic.flits"), "traffic: " + *fault);
  } catch (const InputError& fault) {
    faults.add(experiment.place("routing"), fmt::format("routing: {}", fault.what()));
  }
  faults.raise();
  return setup;
}

namespace {

pops::Rules star_rules_of(const Experiment& experiment, const Pops& pops) {
  const bool literal = experiment.routing.all().count("literal") != 0 && experiment.routing.boolean("literal");
  return pops::rules_of(experiment.algorithm->name, pops, literal);
}

}  // namespace

SimulationSetup simulation_of(const Experiment& experiment, const Setup& setup) {
  SimulationSetup simulation;
  simulation.network = setup.network ? &*setup.network : nullptr;
  simulation.algorithm = setup.algorithm.get();
  simulation.star = setup.star.get();
  if (setup.star != nullptr) simulation.rules = star_rules_of(experiment, setup.star->pops());
  simulation.traffic = setup.traffic.get();
  simulation.seed = experiment.seed;
  simulation.clock_ns = experiment.units.clock_ns;
  simulation.limits = experiment.limits;
  simulation.messages = experiment.model == "message";
  return simulation;
}

}  // namespace starloom
