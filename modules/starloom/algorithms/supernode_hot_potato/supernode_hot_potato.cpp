// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/supernode_hot_potato/supernode_hot_potato.hpp>
#include <starloom/schema/config_error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <starloom/algorithms/links/one_packet_each.hpp>
#include <starloom/algorithms/supernode_hot_potato/ring_stress.hpp>
#include <starloom/algorithms/supernode_hot_potato/supernode_traffic.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

const std::vector<std::string> supernode_router_names = {"row-first", "sorted"};
const std::vector<std::string> consumption_names = {"round", "superstep"};

/// Slots that each superstep needs free: for the arriving worms, one from each side.
constexpr std::int32_t residents_for_arrivals = 4;

std::shared_ptr<const SupernodeRouter> make_router(const std::string& name, const SupernodeTraffic& traffic) {
  return name == "sorted" ? sorted_router(traffic) : row_first_router(traffic);
}

/// \throws InputError if a supernode has fewer slots than the router may need
void check_room(const SupernodeSize& size, const SupernodeTraffic& traffic, const KeyValues& keys) {
  const std::string& router = keys.text("router");
  const auto needs = [](const std::string& name, const SupernodeTraffic& of) {
    return make_router(name, of)->kept() + residents_for_arrivals;
  };
  const std::int32_t residents = needs(router, traffic);
  if (residents <= size.f) return;
  std::string advice = "choose f = " + std::to_string(SupernodeSize::least_f(residents));
  SupernodeTraffic consumed = traffic;
  consumed.consumed_at_once = true;
  if (router != "sorted" && needs("sorted", traffic) <= size.f) advice += " or router: sorted";
  if (!traffic.consumed_at_once && needs(router, consumed) <= size.f) advice += " or consumption: superstep";
  throw ConfigError("f", std::to_string(size.f) + " is too small: of " + std::to_string(traffic.side) + " x " +
                             std::to_string(traffic.side) + " supernodes, one may have to store " +
                             std::to_string(residents - residents_for_arrivals) + " worms and receive " +
                             std::to_string(residents_for_arrivals) + "; " + advice);
}

SupernodeTraffic permutation_traffic(const Grid& mesh, const SupernodeSize& size, const KeyValues& keys) {
  return {supernodes_of_side(mesh, size), 1, keys.text("consumption") == "superstep"};
}

/// Checks that need no packets.
void refuse_supernode_hot_potato(const Grid& mesh, const KeyValues& keys) {
  const SupernodeSize size = SupernodeSize::of(keys.integer("f"), keys.integer("k"));
  check_room(size, permutation_traffic(mesh, size, keys), keys);
}

class SupernodeHotPotato final : public Algorithm {
 public:
  SupernodeHotPotato(const Grid& mesh, SupernodeDesign design, const std::vector<Packet>& packets)
      : Algorithm(declare(design)), mesh_(mesh), design_(std::move(design)) {
    for (const Packet& packet : packets)
      if (packet.source != packet.destination)
        one_at_a_time_ += mesh.distance(packet.source, packet.destination) + packet.flits - 1;
  }

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return std::make_unique<SupernodeControllers>(design_);
  }
  std::map<std::string, double> bounds(const std::vector<Packet>& /*packets*/) const override {
    return {{"steps", static_cast<double>(design_.timetable.steps())}};
  }
  std::optional<Schedule> schedule() const override {
    const RoundTimetable& t = design_.timetable;
    return Schedule{t.steps(), "round", t.rounds(), t.round_steps()};
  }
  std::map<std::string, double> metrics() const override {
    const SupernodeSize& size = design_.geometry.size();
    const double n = mesh_.side(0), growth = std::pow(static_cast<double>(size.f) * size.k, 2.5) * n;
    return {{"supernodes", design_.side},
            {"side", size.side()},
            {"rotation", design_.timetable.rotation()},
            {"supersteps", design_.timetable.supersteps()},
            {"steps_by_theory", static_cast<double>(design_.timetable.steps()) / growth},
            {"baselines.slots", n * n * (2 * n + size.k - 3)},
            {"baselines.one_at_a_time", static_cast<double>(one_at_a_time_)}};
  }

 private:
  static Declaration declare(const SupernodeDesign& design) {
    Declaration d;
    d.storage = StorageModel::never_standing;
    d.most_flits = design.geometry.size().k;
    d.payload = true;
    d.program_end = design.timetable.steps() + 1;  // the clocks of odd supernodes are one step behind
    d.state = SupernodeController::state_fields();
    return d;
  }

  const Grid& mesh_;
  SupernodeDesign design_;
  std::int64_t one_at_a_time_ = 0;
};

void check_worms(const std::vector<Packet>& packets, std::int32_t k) {
  const std::string serves = "supernode-hot-potato moves";
  for (std::size_t p = 0; p < packets.size(); ++p) check_created_at_once(packets, p, serves);
  const std::int32_t flits = flits_of_each(packets, serves);
  if (!packets.empty() && flits != k)
    throw ConfigError("k", "supernodes are laid out for worms of " + std::to_string(k) + " flits, but packets have " +
                               std::to_string(flits) + "; set k and traffic.flits to the same value");
}

}  // namespace

std::unique_ptr<Algorithm> make_supernode_hot_potato(const AlgorithmContext& context, const KeyValues& keys,
                                                     const SupernodeDouble& changed) {
  const Grid& grid = context.grid();
  refuse_supernode_hot_potato(grid, keys);
  const SupernodeSize size = SupernodeSize::of(keys.integer("f"), keys.integer("k"));
  const std::vector<Packet>& packets = known_packets(context, "supernode-hot-potato");
  check_worms(packets, size.k);

  SupernodeGeometry geometry(size, changed.delay == 0 ? size.delay() : changed.delay);
  const SupernodeMesh mesh{grid, geometry};
  SupernodeTraffic traffic = permutation_traffic(grid, size, keys);
  if (!context.preloaded) traffic.most_to_one = most_to_one_supernode(mesh, packets);
  const auto router = changed.router ? changed.router : make_router(keys.text("router"), traffic);
  std::int32_t supersteps = router->supersteps(), kept = router->kept();
  if (context.preloaded) {
    if (keys.text("router") == "sorted")
      throw ConfigError("router",
                        "router: sorted sorts one worm per supernode, and the pattern has more; choose row-first");
    kept = size.f - residents_for_arrivals;
    supersteps = supersteps_of_preloaded(mesh, packets, *router, traffic.consumed_at_once, kept);
  } else {
    check_room(size, traffic, keys);
  }
  // Worms that are at their supernode from the start are consumed at the end of a superstep, too.
  if (traffic.consumed_at_once) supersteps = std::max(supersteps, 1);
  RoundTimetable timetable(geometry, supersteps,
                           traffic.consumed_at_once ? router->first_consuming() : RoundTimetable::no_superstep);
  return std::make_unique<SupernodeHotPotato>(
      grid,
      SupernodeDesign{std::move(geometry), timetable, router, traffic.side, kept, context.preloaded, changed.repairs},
      packets);
}

AlgorithmEntry supernode_hot_potato_entry() {
  AlgorithmEntry entry;
  entry.name = "supernode-hot-potato";
  entry.meaning = "worms circulate in squares of nodes, which route them as packets";
  entry.audience = Audience::theory;
  entry.needs = {"mesh"};
  entry.storage = StorageModel::never_standing;
  entry.in_lockstep = true;
  entry.keys = {
      integer_key("f", "number of worms that a supernode stores: 12, 32, 60, 96, ..., 4m^2 - 4")
          .by_default(12)
          .measured_in("worms"),
      integer_key("k", "length of a worm: 4, 16, 36, 64, ..., the same as traffic.flits")
          .by_default(4)
          .measured_in("flits"),
      choice_key("router", supernode_router_names,
                 "packet routing algorithm among supernodes: rows and then columns (row-first), or the same after a "
                 "sort that keeps queues short in large meshes (sorted)")
          .by_default(supernode_router_names.front()),
      choice_key(
          "consumption", consumption_names,
          "when worms that have reached their supernode are consumed: at the end of the round, or of each superstep")
          .by_default(consumption_names.front())};
  entry.bounds = {integer_metric("steps", "steps", "duration of all rounds of the schedule")};
  entry.metrics = {
      metric_section("baselines", "durations of two simple alternatives, by formula"),
      integer_metric("baselines.one_at_a_time", "steps",
                     "duration if each worm starts when the one before has arrived"),
      integer_metric("baselines.slots", "steps",
                     "duration if the nodes send one after the other, each in its own slot of 2n + k - 3 steps"),
      integer_metric("max_after_sending", "worms",
                     "greatest number of worms that a supernode kept after sending in a superstep"),
      integer_metric("rotation", "steps", "C: rotation time of a storage ring"),
      integer_metric("side", "nodes", "S: side of a supernode"),
      number_metric("steps_by_theory", "", "duration of the schedule divided by (fk)^2.5 n"),
      integer_metric("supernodes", "", "N: number of supernodes in a row of the mesh"),
      integer_metric("supersteps", "", "Z: number of supersteps of a round"),
      integer_metric("swaps", "", "number of exchanges of slots between rings, so that each had room for two worms"),
  };
  entry.refuse = refuse_grids(refuse_supernode_hot_potato);
  // Rounds may be long, and many of them pass without a worm.
  entry.quiet = [](const NetworkKeys&) -> std::int64_t { return std::numeric_limits<std::int32_t>::max(); };
  entry.patterns = {patterns::ring_stress_pattern()};
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) {
    return make_supernode_hot_potato(context, keys, {});
  };
  return entry;
}

}  // namespace starloom::links
