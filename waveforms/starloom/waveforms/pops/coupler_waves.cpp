// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/pops/coupler_waves.hpp>

#include <starloom/fabric/pops/engine.hpp>

namespace starloom::pops {

std::string slot_name(std::int32_t slot) { return "packet_" + std::to_string(slot); }

CouplerWaves::CouplerWaves(const std::filesystem::path& vcd, const Pops& pops, const ShownParts& shown,
                           WaveWindow window, StepTimes times)
    : file_(vcd, window, std::move(times)), shown_(shown) {
  file_.declare([&](StepWaves& waves) { declare(pops, waves); });
}

void CouplerWaves::declare(const Pops& pops, StepWaves& waves) {
  first_ = waves.add("slot_of_cycle", slot_of_cycle_width);
  for (const auto& [from, to] : shown_.couplers) {
    waves.open_scope(pops.coupler_name(to, from));
    waves.add("state", coupler_state_width);
    waves.add("packet", packet_width);
    waves.add("kind", kind_width);
    waves.close_scope();
  }
  for (const auto& [node, listens] : shown_.processors) {
    waves.open_scope(pops.node_name(node));
    if (listens) waves.add("listens", group_width);
    waves.open_scope("buffer");
    waves.add("occupancy", occupancy_width);
    for (std::int32_t slot = 0; slot < buffer_slots; ++slot) waves.add(slot_name(slot), packet_width);
    waves.close_scope();
    waves.close_scope();
  }
}

void CouplerWaves::show(Step slot, const Engine& engine) {
  if (engine.slot_of_cycle() == no_step && !draining_) {
    draining_ = true;
    file_.writer().times().end_cycles(slot);
  }
  const auto all = [&] { show_all(engine); };
  file_.show(slot, slot + 1, all, all);
}

void CouplerWaves::show_all(const Engine& engine) {
  StepWaves& waves = file_.writer();
  // Groups, packets and slots are negative if there is none.
  const auto set_or_empty = [&waves](Variable variable, std::int64_t value) {
    if (value < 0) waves.set_empty(variable);
    else waves.set(variable, static_cast<std::uint64_t>(value));
  };
  Variable variable = first_;
  set_or_empty(variable++, engine.slot_of_cycle());
  for (const auto& [from, to] : shown_.couplers) {
    const std::size_t coupler = engine.coupler(to, from);
    const CouplerState state = engine.state(coupler);
    waves.set(variable, static_cast<std::uint64_t>(state));
    if (state == CouplerState::carrying) {
      const Message& message = engine.message(coupler);
      waves.set(variable + 1, static_cast<std::uint64_t>(message.packet));
      waves.set(variable + 2, static_cast<std::uint64_t>(message.kind));
    } else if (state == CouplerState::idle) {
      waves.set_empty(variable + 1);
      waves.set_empty(variable + 2);
    } else {
      waves.set_unknown(variable + 1);
      waves.set_unknown(variable + 2);
    }
    variable += 3;
  }
  for (const auto& [node, listens] : shown_.processors) {
    if (listens) set_or_empty(variable++, engine.listens(node));
    const Variable occupancy = variable++;
    std::uint64_t held = 0;
    for (const PacketId packet : engine.controller(node).buffered()) {
      set_or_empty(variable++, packet);
      held += packet != no_packet ? 1 : 0;
    }
    waves.set(occupancy, held);
  }
}

}  // namespace starloom::pops
