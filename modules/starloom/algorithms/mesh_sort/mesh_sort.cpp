// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/mesh_sort/mesh_sort.hpp>
#include <starloom/schema/config_error.hpp>

#include <numeric>

#include <starloom/algorithms/mesh_sort/sort_stage.hpp>
#include <starloom/algorithms/mesh_sort/subsquares.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

const std::vector<std::string> sort_names = {"fastest", "shearsort", "merge"};

/// The program of a sort by name. \throws InputError if it does not sort squares of this side
void check_sort(const std::string& sort, std::int32_t side) {
  if (sort == "merge" && !MeshSortProgram::can_merge(side))
    throw ConfigError("s", "merge sorts squares whose side is a power of two from 4 on, not " + std::to_string(side) +
                               "; choose such a side, or sort: shearsort");
}

MeshSortProgram program_of(const std::string& sort, std::int32_t side) {
  if (sort == "fastest") return MeshSortProgram::fastest(side);
  if (sort == "shearsort") return MeshSortProgram::shearsort(side);
  return MeshSortProgram::multiway_merge(side);
}

class MeshSortController final : public FlitController {
 public:
  MeshSortController(const MeshSortProgram& program, std::int32_t side) : program_(&program), stage_(side) {}

  void step(FlitView& view) override {
    stage_.step(view, *program_);
    const bool over = view.step() >= program_->steps();
    if (over && !view.empty(0) && view.front(0).destination == view.node()) view.eject(view.pop(0));
  }

  void publish(std::uint32_t* values) const override { values[0] = stage_.state(); }

 private:
  const MeshSortProgram* program_;
  SortStage stage_;
};

class MeshSort final : public Algorithm {
 public:
  MeshSort(const Grid& mesh, MeshSortProgram program, std::int32_t side)
      : Algorithm(declare(program)), nodes_(mesh.nodes()), program_(std::move(program)), side_(side) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(MeshSortController(program_, side_), nodes_);
  }
  std::map<std::string, double> bounds(const std::vector<Packet>& /*packets*/) const override {
    return {{"steps", static_cast<double>(program_.steps())}};
  }
  std::optional<Schedule> schedule() const override { return Schedule{program_.steps(), "round", program_.steps(), 1}; }
  std::map<std::string, double> metrics() const override { return {{"s", side_}}; }

 private:
  static Declaration declare(const MeshSortProgram& program) {
    Declaration d;
    d.storage = StorageModel::store_and_forward;
    d.buffers = BufferSide::out_ports;
    d.bound = 1;
    // Packets at their destination when the sort ends are consumed one step later.
    d.program_end = program.steps() + 1;
    d.may_leave_packets = true;
    d.state = {{"key", 32, {}}};
    return d;
  }

  NodeId nodes_;
  MeshSortProgram program_;
  std::int32_t side_;
};

std::int32_t mesh_sort_side(const Grid& mesh, const KeyValues& keys) {
  return keys.has("s") ? static_cast<std::int32_t>(keys.integer("s")) : std::gcd(mesh.side(0), mesh.side(1));
}

void refuse_mesh_sort(const Grid& mesh, const KeyValues& keys) {
  check_plane(mesh, "mesh-sort");
  check_subsquares(mesh, mesh_sort_side(mesh, keys));
  check_sort(keys.text("sort"), mesh_sort_side(mesh, keys));
}

}  // namespace

AlgorithmEntry mesh_sort_entry() {
  AlgorithmEntry entry;
  entry.name = "mesh-sort";
  entry.meaning = "sorts the packets of each s x s subsquare by destination";
  entry.audience = Audience::theory;
  entry.needs = {"mesh"};
  entry.bounds = {integer_metric("steps", "steps", "duration of the sort")};
  entry.metrics = {integer_metric("s", "nodes", "side of a sorted subsquare")};
  entry.storage = StorageModel::store_and_forward;
  entry.may_leave_packets = true;
  entry.in_lockstep = true;
  entry.keys = {
      choice_key("sort", sort_names,
                 "sorting algorithm: shearsort (columns in snake order and rows in turn); merge (multiway merge, for "
                 "powers of two); or fastest, the one of the two that needs fewer steps (Rajasekaran and Overholt "
                 "1990, section 3)")
          .by_default(sort_names.front()),
      subsquare_key("; default: the largest such side")};
  entry.refuse = refuse_grids(refuse_mesh_sort);
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    const Grid& mesh = context.grid();
    refuse_mesh_sort(mesh, keys);
    check_sortable(mesh, context.packets, "mesh-sort");
    const std::int32_t s = mesh_sort_side(mesh, keys);
    return std::make_unique<MeshSort>(mesh, program_of(keys.text("sort"), s), s);
  };
  return entry;
}

}  // namespace starloom::links
