// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/side_wires.hpp>

#include <algorithm>

#include <starloom/core/most_steps.hpp>

namespace starloom::links {

std::optional<std::size_t> SideWires::change(const FaultEvent& event) {
  if (event.port == context_.graph().ports()) return std::nullopt;
  const std::size_t location = event.port == no_port ? context_.link_slots() + static_cast<std::size_t>(event.node)
                                                     : static_cast<std::size_t>(context_.link(event.node, event.port));
  std::vector<Silence>& times = silent_[location];
  if (event.dies) {
    times.push_back({event.step - credit_word, most_steps});
  } else {
    if (times.empty()) times.push_back({-most_steps, most_steps});  // dead from step 0 on
    times.back().to = event.step;
  }
  return location;
}

NodeId SideWires::node_of(std::size_t buffer) const {
  const std::size_t location = location_of(buffer);
  return location >= context_.link_slots() ? static_cast<NodeId>(location - context_.link_slots())
                                           : context_.far_end(static_cast<LinkId>(location));
}

bool SideWires::was_silent(std::size_t location, Step from, Step to) const {
  const auto times = silent_.find(location);
  return times != silent_.end() && std::any_of(times->second.begin(), times->second.end(), [&](const Silence& silence) {
           return silence.from <= to && from < silence.to;
         });
}

bool SideWires::was_repaired(std::size_t location, Step left, Step row) const {
  const auto times = silent_.find(location);
  return times != silent_.end() && std::any_of(times->second.begin(), times->second.end(), [&](const Silence& silence) {
           return left < silence.to && silence.to <= row;
         });
}

void SideWires::reject(Step step, std::size_t buffer, const std::string& text) const {
  const std::size_t location = location_of(buffer);
  const std::string port =
      location >= context_.link_slots() ? "the local in-port" : context_.link_name(static_cast<LinkId>(location));
  CheckContext::reject(step, node_of(buffer), context_.node_name(node_of(buffer)),
                       text + " channel " + std::to_string(buffer % channels_) + " of " + port);
}

}  // namespace starloom::links
