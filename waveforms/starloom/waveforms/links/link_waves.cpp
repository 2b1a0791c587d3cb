// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/links/link_waves.hpp>

#include <utility>

#include <starloom/engines/engine.hpp>

namespace starloom::links {

LinkWaves::LinkWaves(const std::filesystem::path& vcd, const NetworkGraph& graph, const Declaration& declaration,
                     const std::vector<ShownNode>& shown, WaveWindow window, double period_ns,
                     const OptionalVariables& optional)
    : file_(vcd, window, period_ns),
      optional_(optional),
      index_(static_cast<std::size_t>(graph.nodes()), -1),
      watched_((index_.size() + 63) / 64, 0),
      fields_(declaration.state.size(), 0) {
  for (const ShownNode& what : shown) {
    index_[static_cast<std::size_t>(what.node)] = static_cast<std::int32_t>(nodes_.size());
    watched_[static_cast<std::size_t>(what.node) >> 6] |= std::uint64_t{1} << (what.node & 63);
    nodes_.push_back({what});
  }
  file_.declare([&](StepWaves& waves) { declare(graph, declaration, waves); });
}

void LinkWaves::declare(const NetworkGraph& graph, const Declaration& declaration, StepWaves& waves) {
  for (const NetworkClock& clock : graph.clocks()) waves.add_clock(clock_wave(clock), clock.period);
  if (optional_.power) power_ = waves.add_real(power_name);
  for (Watched& node : nodes_) {
    node.has_power = optional_.power && node.what.state;
    if (node.what.state || !node.what.buffers.empty()) {
      waves.open_scope(graph.node_name(node.what.node));
      if (node.has_power) node.power = waves.add_real(power_name);
      if (optional_.faults != nullptr && node.what.state) node.alive = waves.add(alive_name, alive_width);
      for (const std::size_t number : node.what.fields) {
        const StateField& field = declaration.state[number];
        const Variable variable = waves.add(field.name, state_width(field));
        if (number == node.what.fields.front()) node.state = variable;
      }
      for (std::size_t b = 0; b < node.what.buffers.size(); ++b) {
        waves.open_scope(buffer_name(graph, declaration, node.what.node, node.what.buffers[b]));
        const Variable occupancy = waves.add("occupancy", occupancy_width);
        if (b == 0) node.buffers = occupancy;
        waves.add("packet", front_width);
        waves.close_scope();
      }
      waves.close_scope();
    }
    for (const Port port : node.what.links) {
      waves.open_scope(graph.link_name(node.what.node, port));
      for (const LinkVariable& variable : link_variables) {
        const Variable id = waves.add(variable.name, variable.width);
        if (port == node.what.links.front() && &variable == std::begin(link_variables)) node.links = id;
      }
      if (optional_.faults != nullptr) waves.add(alive_name, alive_width);
      for (const LinkVariable& variable : replay_variables)
        if (optional_.repeats) waves.add(variable.name, variable.width);
      waves.close_scope();
    }
  }
}

void LinkWaves::show(Step from, Step to, const WakeCalendar::Bitmap& touched, const Engine& engine) {
  const auto all = [&] {
    for (const Watched& node : nodes_) show_node(node, engine);
  };
  const auto changed = [&] {
    for (std::size_t w = 0; w < watched_.size(); ++w)
      for (std::uint64_t left = watched_[w] & touched[w]; left != 0; left &= left - 1)
        show_node(nodes_[static_cast<std::size_t>(index_[64 * w + static_cast<std::size_t>(__builtin_ctzll(left))])],
                  engine);
  };
  write_powers(file_.first_step_of(from));
  file_.show(from, to, all, changed);
}

// Idle steps are shown late, when their windows are over.
void LinkWaves::show_power(Step to, double network_mw, const std::function<double(NodeId)>& router) {
  Power power{to, {network_mw}};
  for (const Watched& node : nodes_)
    if (node.has_power) power.mw.push_back(router(node.what.node));
  if (powers_.empty() || power.mw != powers_.back().mw) powers_.push_back(std::move(power));
}

void LinkWaves::finish_power(Step steps) {
  write_powers(steps - 1);
  for (const Power& power : powers_) file_.change_at_end(steps, [&] { set_power(power); });
}

void LinkWaves::write_powers(Step last) {
  auto power = powers_.begin();
  for (; power != powers_.end() && power->from <= last; ++power) file_.change(power->from, [&] { set_power(*power); });
  powers_.erase(powers_.begin(), power);
}

void LinkWaves::set_power(const Power& power) {
  auto mw = power.mw.begin();
  file_.writer().set_real(power_, *mw++);
  for (const Watched& node : nodes_)
    if (node.has_power) file_.writer().set_real(node.power, *mw++);
}

void LinkWaves::show_node(const Watched& node, const Engine& engine) {
  StepWaves& waves = file_.writer();
  const NodeId id = node.what.node;
  if (optional_.faults != nullptr && node.what.state) waves.set(node.alive, is_dead(engine, id, no_port) ? 0 : 1);
  if (!node.what.fields.empty()) {
    engine.publish(id, fields_.data());
    Variable variable = node.state;
    for (const std::size_t field : node.what.fields) waves.set(variable++, fields_[field]);
  }
  const auto set_id = [&waves](Variable v, std::int32_t value) {
    if (value < 0) waves.set_unknown(v);
    else waves.set(v, static_cast<std::uint64_t>(value));
  };
  Variable variable = node.buffers;
  for (const std::int32_t buffer : node.what.buffers) {
    const std::int32_t held = engine.occupancy(id, buffer);
    waves.set(variable, static_cast<std::uint64_t>(held));
    if (held > 0) set_id(variable + 1, engine.stored(id, buffer, 0).packet);
    else waves.set_empty(variable + 1);
    variable += 2;
  }
  variable = node.links;
  for (const Port port : node.what.links) {
    if (const auto flit = engine.on_link(id, port)) {
      set_id(variable, flit->packet);
      waves.set(variable + 1, static_cast<std::uint64_t>(flit->index));
      waves.set(variable + 2, static_cast<std::uint64_t>(flit->kind));
      set_id(variable + 3, flit->destination);
      waves.set(variable + 4, flit->channel);
      waves.set(variable + 5, flit->tag);
    } else {
      waves.set_empty(variable);
    }
    variable += static_cast<Variable>(std::size(link_variables));
    if (optional_.faults != nullptr) waves.set(variable++, is_dead(engine, id, port) ? 0 : 1);
    if (!optional_.repeats) continue;
    const Engine::LinkReplay replay = engine.replay_of(id, port);
    waves.set(variable++, replay.repeated ? 1 : 0);
    waves.set(variable++, static_cast<std::uint64_t>(replay.places));
  }
}

bool LinkWaves::is_dead(const Engine& engine, NodeId node, Port port) const {
  if (const LivingHardware* const now = engine.hardware(); now != nullptr)
    return port == no_port ? now->router_is_dead(node) : now->link_is_dead(node, port);
  return port == no_port ? optional_.faults->router_is_dead(node) : optional_.faults->link_is_dead(node, port);
}

}  // namespace starloom::links
