// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/kunde/kunde.hpp>

#include <numeric>

#include <starloom/algorithms/links/out_queues.hpp>
#include <starloom/algorithms/mesh_sort/sort_stage.hpp>
#include <starloom/algorithms/mesh_sort/subsquares.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

/// Packets that wait in a node with the subsquares of the paper's first example (section 7), n/24 nodes wide.
constexpr std::int64_t usual_queue = 48;

/// Greatest number of packets that turn into a column in one node, if each node is the destination of one
/// (Rajasekaran and Overholt 1990, equation 1): of a packets of a subsquare for one column, at most 1 + a/s are in
/// each of its rows.
std::int64_t most_turning(const Grid& mesh, std::int64_t s) { return (mesh.side(0) + mesh.side(1)) / s; }

/// The narrowest subsquares with short queues; if there are none, the widest.
std::int64_t usual_side(const Grid& mesh) {
  const std::int64_t widest = std::gcd(mesh.side(0), mesh.side(1));
  for (std::int64_t s = 1; s < widest; ++s)
    if (widest % s == 0 && most_turning(mesh, s) <= usual_queue) return s;
  return widest;
}

class KundeController final : public FlitController {
 public:
  KundeController(const MeshSortProgram& program, std::int32_t side) : program_(&program), stage_(side) {}

  void step(FlitView& view) override {
    const Step start = program_->steps();
    if (view.step() <= start) stage_.step(view, *program_);
    if (view.step() < start) return;
    if (view.step() == start) {
      if (!view.empty(0)) take_in(view, view.pop(0));
    } else {
      for (PortMask left = view.arrived(); left != 0; left &= left - 1) take_in(view, view.arrival(lowest_port(left)));
    }
    if (send_fronts(view)) view.wake_at(view.step() + 1);
  }

  void publish(std::uint32_t* values) const override { values[0] = stage_.state(); }

 private:
  /// The tag of a flit; 0 while it is sorted.
  enum Phase : std::uint16_t { along_row = 1, along_column = 2 };

  /// Only columns queue: all packets start along their rows in the same step, one per node. The farthest destination
  /// comes first.
  static void take_in(FlitView& view, Flit flit) {
    if (flit.destination == view.node()) return view.eject(flit);
    const Grid& mesh = view.grid();
    const Port port = mesh.dimension_order_port(view.node(), flit.destination);
    flit.tag = mesh.axis_of(port) == 0 ? along_column : along_row;
    view.push(port, flit, -mesh.distance(view.node(), flit.destination));
  }

  const MeshSortProgram* program_;
  SortStage stage_;
};

class Kunde final : public Algorithm {
 public:
  Kunde(const Grid& mesh, std::int32_t side, bool is_permutation)
      : Algorithm(declare(mesh, side, is_permutation)),
        mesh_(mesh),
        program_(MeshSortProgram::fastest(side)),
        side_(side),
        is_permutation_(is_permutation) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(KundeController(program_, side_), mesh_.nodes());
  }
  Port next_port(NodeId at, const Flit& head) const override {
    return head.tag == 0 ? no_port : mesh_.dimension_order_port(at, head.destination);
  }
  /// Rows take at most columns - 1 steps, and columns rows - 1, even if they started only then.
  std::map<std::string, double> bounds(const std::vector<Packet>& /*packets*/) const override {
    if (!is_permutation_) return {};
    return {{"steps", static_cast<double>(mesh_.diameter() + program_.steps())},
            {"queue", static_cast<double>(most_turning(mesh_, side_))}};
  }
  std::map<std::string, double> metrics() const override {
    return {{"s", side_}, {"sort_steps", static_cast<double>(program_.steps())}};
  }

 private:
  static Declaration declare(const Grid& mesh, std::int32_t side, bool is_permutation) {
    Declaration d;
    d.storage = StorageModel::store_and_forward;
    d.buffers = BufferSide::out_ports;
    if (is_permutation) d.bound = static_cast<std::int32_t>(most_turning(mesh, side));
    d.state = {{"key", 32, {}}};
    return d;
  }

  const Grid& mesh_;
  MeshSortProgram program_;
  std::int32_t side_;
  bool is_permutation_;
};

void refuse_kunde(const Grid& mesh, const KeyValues& keys) {
  check_plane(mesh, "kunde");
  if (keys.has("s")) check_subsquares(mesh, keys.integer("s"));
}

}  // namespace

AlgorithmEntry kunde_entry() {
  AlgorithmEntry entry;
  entry.name = "kunde";
  entry.meaning = "sorts s x s subsquares, then routes along rows and along columns";
  entry.audience = Audience::theory;
  entry.needs = {"mesh"};
  const std::string permutation = "the packets are a permutation";
  entry.bounds = {
      integer_metric("queue", "packets", "(rows + columns)/s (Rajasekaran and Overholt 1990, equation 1)")
          .only(permutation),
      integer_metric("steps", "steps", "duration of the sort plus rows + columns - 2").only(permutation),
  };
  entry.metrics = {integer_metric("s", "nodes", "side of a sorted subsquare"),
                   integer_metric("sort_steps", "steps", "duration of the sort")};
  entry.storage = StorageModel::store_and_forward;
  entry.in_lockstep = true;
  entry.keys = {subsquare_key(
      "; (rows + columns)/s packets may wait in a node; default: the smallest s for which these are at most 48")};
  entry.refuse = refuse_grids(refuse_kunde);
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    const Grid& mesh = context.grid();
    refuse_kunde(mesh, keys);
    check_sortable(mesh, context.packets, "kunde");
    const std::int64_t s = keys.has("s") ? keys.integer("s") : usual_side(mesh);
    return std::make_unique<Kunde>(mesh, static_cast<std::int32_t>(s), is_permutation(mesh.nodes(), *context.packets));
  };
  return entry;
}

}  // namespace starloom::links
