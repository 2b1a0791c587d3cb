// SPDX-License-Identifier: Apache-2.0
#include "support/stepper.hpp"

#include <stdexcept>

#include "support/plain_channels.hpp"
#include "support/plain_flits.hpp"
#include "support/plain_worms.hpp"

namespace starloom::links {

StepperResult run_stepper(const LinkNetwork& network, const Algorithm& algorithm, PacketSource& source,
                          const StepperOptions& options) {
  if (algorithm.declaration().storage == StorageModel::virtual_channels)
    return PlainChannels(network, algorithm, source, options).run();
  const bool many_ports = network.graph.ports() > ports_per_word;
  if (!moves_worms(algorithm.declaration().storage))
    return many_ports ? PlainFlits<ManyPorts>(network, algorithm, source, options).run()
                      : PlainFlits<PortMask>(network, algorithm, source, options).run();
  if (network.graph.greatest_latency() != 1) throw std::invalid_argument("worms move over links of latency 1");
  return PlainWorms(network, algorithm, source, options).run();
}

}  // namespace starloom::links
