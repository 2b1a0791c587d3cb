// SPDX-License-Identifier: Apache-2.0
/// \file The engine of routers whose channels share the places of an in-port (docs/router-buffers.md).
#include <starloom/router/router_engine.hpp>

namespace starloom::links {

/// Enters the credits of a step.
template <int words>
void RouterEngine<words>::return_places(NodeId node, NodeState& state, const Credits& back) {
  router::PortPlaces* const ports = &places_[static_cast<std::size_t>(node) * port_count_];
  PortIndices changed{};
  back.outputs.for_each([&](int out) {
    const router::OutputChannel& output = state.table.output(out);
    ports[output.port_index].credit(shape_.number(out));
    changed.add(output.port_index);
  });
  permit_outputs(node, state, changed, now_);
  back.source.for_each([&](int channel) { source_places_[static_cast<std::size_t>(node)].credit(channel); });
  permit_source(node, state);
}

/// Enters what a round has decided; until its end all decisions are about the places at its beginning.
template <int words>
void RouterEngine<words>::take_places(NodeId node, NodeState& state, const ChannelFrame<words>& frame) {
  router::PortPlaces* const ports = &places_[static_cast<std::size_t>(node) * port_count_];
  PortIndices changed{};
  for (int i = 0; i < frame.owned; ++i) {
    const int out_index = shape_.port_index(frame.owners[i].out);
    ports[out_index].begin_packet();
    changed.add(out_index);
  }
  for (int i = 0; i < frame.passed; ++i) {
    const router::InputChannel& input = state.table.input(frame.passing[i]);
    // A tail has freed the channel that it took.
    ports[input.out_index].send(shape_.number(input.output), state.table.free().has(input.output));
    changed.add(input.out_index);
  }
  permit_outputs(node, state, changed, now_ + cycle_steps(node));
}

/// \param ports indices of out-ports.
template <int words>
void RouterEngine<words>::permit_outputs(NodeId node, NodeState& state, const PortIndices& ports, Step from) {
  ports.for_each([&](int out_index) {
    const router::PortPlaces& places =
        places_[static_cast<std::size_t>(node) * port_count_ + static_cast<std::size_t>(out_index)];
    for (int channel = 0; channel < shape_.channels; ++channel)
      state.table.permit(shape_.first(out_index) + channel, places.free(channel) > 0, from);
  });
}

template <int words>
void RouterEngine<words>::permit_source(NodeId node, NodeState& state) {
  state.source_credits = {};
  for (int channel = 0; channel < shape_.channels; ++channel)
    state.source_credits.add_if(source_places_[static_cast<std::size_t>(node)].free(channel) > 0, channel);
}

/// A flit of the processor takes a place.
template <int words>
void RouterEngine<words>::take_source_place(NodeId node, NodeState& state, int channel, FlitKind kind) {
  router::PortPlaces& places = source_places_[static_cast<std::size_t>(node)];
  if (is_head(kind)) places.begin_packet();
  places.send(channel, is_tail(kind));
  permit_source(node, state);
}

template void RouterEngine<1>::return_places(NodeId, NodeState&, const Credits&);
template void RouterEngine<1>::take_places(NodeId, NodeState&, const ChannelFrame<1>&);
template void RouterEngine<1>::take_source_place(NodeId, NodeState&, int, FlitKind);
template void RouterEngine<router::any_words>::return_places(NodeId, NodeState&, const Credits&);
template void RouterEngine<router::any_words>::take_places(NodeId, NodeState&, const ChannelFrame<router::any_words>&);
template void RouterEngine<router::any_words>::take_source_place(NodeId, NodeState&, int, FlitKind);

}  // namespace starloom::links
