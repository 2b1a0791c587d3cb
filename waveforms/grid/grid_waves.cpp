#include "grid/grid_waves.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "fabric/engine.hpp"

namespace starloom {

GridWaves::GridWaves(const std::filesystem::path& vcd, const Topology& topology, const Declaration& declaration,
                     const std::vector<ShownNode>& shown, WaveWindow window, double period_ns)
    : waves_(vcd, period_ns),
      window_(window),
      index_(static_cast<std::size_t>(topology.nodes()), -1),
      watched_((index_.size() + 63) / 64, 0),
      fields_(declaration.state.size(), 0) {
  for (const ShownNode& what : shown) {
    index_[static_cast<std::size_t>(what.node)] = static_cast<std::int32_t>(nodes_.size());
    watched_[static_cast<std::size_t>(what.node) >> 6] |= std::uint64_t{1} << (what.node & 63);
    nodes_.push_back({what});
  }
  try {
    declare(topology, declaration);
  } catch (const OutputError&) {
    give_up();
  }
}

void GridWaves::declare(const Topology& topology, const Declaration& declaration) {
  for (Watched& node : nodes_) {
    if (node.what.state || !node.what.buffers.empty()) {
      waves_.open_scope(topology.node_name(node.what.node));
      if (node.what.state)
        for (std::size_t f = 0; f < declaration.state.size(); ++f) {
          const Variable field = waves_.add(declaration.state[f].name, state_width(declaration.state[f]));
          if (f == 0) node.state = field;
        }
      for (std::size_t b = 0; b < node.what.buffers.size(); ++b) {
        waves_.open_scope(buffer_name(topology, declaration, node.what.buffers[b]));
        const Variable occupancy = waves_.add("occupancy", occupancy_width);
        if (b == 0) node.buffers = occupancy;
        waves_.close_scope();
      }
      waves_.close_scope();
    }
    for (const Port port : node.what.links) {
      waves_.open_scope(topology.link_name(node.what.node, port));
      for (const LinkVariable& variable : link_variables) {
        const Variable id = waves_.add(variable.name, variable.width);
        if (port == node.what.links.front() && &variable == std::begin(link_variables)) node.links = id;
      }
      waves_.close_scope();
    }
  }
}

void GridWaves::show(Step from, Step to, const WakeCalendar::Bitmap& touched, const Engine& engine) {
  if (fault_ != nullptr || to <= window_.from || (window_.to != no_step && from >= window_.to)) return;
  try {
    if (!begun()) {
      waves_.begin(std::max(from, window_.from));
      for (const Watched& node : nodes_) show_node(node, engine);
      waves_.end_first_step();
      return;
    }
    waves_.step(from);
    for (std::size_t w = 0; w < watched_.size(); ++w)
      for (std::uint64_t left = watched_[w] & touched[w]; left != 0; left &= left - 1)
        show_node(nodes_[static_cast<std::size_t>(index_[64 * w + static_cast<std::size_t>(__builtin_ctzll(left))])],
                  engine);
  } catch (const OutputError&) {
    give_up();
  }
}

void GridWaves::show_node(const Watched& node, const Engine& engine) {
  const NodeId id = node.what.node;
  if (node.what.state && !fields_.empty()) {
    engine.controller(id).publish(fields_.data());
    for (std::size_t f = 0; f < fields_.size(); ++f) waves_.set(node.state + static_cast<Variable>(f), fields_[f]);
  }
  Variable variable = node.buffers;
  for (const std::int32_t buffer : node.what.buffers)
    waves_.set(variable++, static_cast<std::uint64_t>(engine.occupancy(id, buffer)));

  const auto set_id = [this](Variable v, std::int32_t value) {
    if (value < 0) waves_.set_unknown(v);
    else waves_.set(v, static_cast<std::uint64_t>(value));
  };
  variable = node.links;
  for (const Port port : node.what.links) {
    if (const auto flit = engine.on_link(id, port)) {
      set_id(variable, flit->packet);
      waves_.set(variable + 1, static_cast<std::uint64_t>(flit->index));
      waves_.set(variable + 2, static_cast<std::uint64_t>(flit->kind));
      set_id(variable + 3, flit->destination);
      waves_.set(variable + 4, flit->channel);
      waves_.set(variable + 5, flit->tag);
    } else {
      waves_.set_empty(variable);
    }
    variable += static_cast<Variable>(std::size(link_variables));
  }
}

void GridWaves::close(Step steps) {
  if (fault_ != nullptr) std::rethrow_exception(fault_);
  if (!begun() && window_.from > 0) return;
  try {
    if (!begun()) {  // a run without steps has a first value all the same
      waves_.begin(window_.from);
      waves_.end_first_step();
    }
    waves_.close(window_.to == no_step ? steps : std::min(steps, window_.to));
  } catch (const OutputError&) {
    give_up();
    throw;
  }
}

/// The disk is full: the run goes on without waves, and at once with their room, for its trace and result need it.
void GridWaves::give_up() {
  fault_ = std::current_exception();
  waves_.discard();
}

}  // namespace starloom
