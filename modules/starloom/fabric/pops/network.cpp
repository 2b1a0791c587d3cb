// SPDX-License-Identifier: Apache-2.0
#include <starloom/fabric/pops/network.hpp>

#include <stdexcept>

#include <starloom/engines/permuted_order.hpp>

namespace starloom::pops {

Network::Network(const sc_core::sc_module_name& name, const Pops& pops, ControllerArray& controllers,
                 const Program& program, std::vector<NodeId> destination, const NetworkOptions& options)
    : sc_module(name),
      fabric("fabric",
             {&pops, &controllers, program, std::move(destination), options.seed, options.shuffle, options.threads},
             options.period.value_or(sc_core::sc_time(1, sc_core::SC_NS))),
      pops_(pops),
      couplers_(static_cast<std::size_t>(pops.couplers())),
      rows_(static_cast<std::size_t>(pops.groups())),
      columns_(rows_.size()),
      processors_(static_cast<std::size_t>(pops.nodes())) {
  if (controllers.size() != pops.nodes())
    throw std::invalid_argument("a network of " + std::to_string(processors_.size()) + " processors got " +
                                std::to_string(controllers.size()) + " controllers");
  build_couplers(options);
  for (const std::int32_t group : permuted_order(pops.groups(), options.shuffle, construction_order)) {
    const auto at = static_cast<std::size_t>(group);
    rows_[at] = std::make_unique<TransmitRow>(pops.row_name(group).c_str());
    columns_[at] = std::make_unique<ReceiveColumn>(pops.column_name(group).c_str());
    for (std::int32_t other = 0; other < pops.groups(); ++other) {
      rows_[at]->couplers.bind(coupler(other, group));
      columns_[at]->couplers.bind(coupler(group, other));
    }
    fabric.add(*rows_[at]);
    fabric.add(*columns_[at]);
  }
  for (const NodeId id : permuted_order(pops.nodes(), options.shuffle, construction_order)) {
    const auto at = static_cast<std::size_t>(id), group = static_cast<std::size_t>(pops.group_of(id));
    processors_[at] = std::make_unique<Processor>(pops.node_name(id).c_str(), id, controllers.at(id));
    processors_[at]->transmit.bind(*rows_[group]);
    processors_[at]->receive.bind(*columns_[group]);
    fabric.add(*processors_[at]);
  }
}

void Network::build_couplers(const NetworkOptions& options) {
  for (const std::int32_t from : permuted_order(pops_.groups(), options.shuffle, construction_order))
    for (std::int32_t to = 0; to < pops_.groups(); ++to) {
      const std::string name = pops_.coupler_name(to, from);
      const bool dead = options.dead != nullptr && options.dead->contains(to, from);
      couplers_[static_cast<std::size_t>(pops_.coupler(to, from))] =
          options.make_coupler ? options.make_coupler(name.c_str(), to, from)
                               : std::make_unique<PassiveStar>(name.c_str(), dead);
    }
}

}  // namespace starloom::pops
