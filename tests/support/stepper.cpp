#include "support/stepper.hpp"

#include <stdexcept>

#include "support/plain_flits.hpp"
#include "support/plain_worms.hpp"

namespace starloom::links {

StepperResult run_stepper(const Grid& topology, const Algorithm& algorithm, PacketSource& source,
                          const StepperOptions& options) {
  if (options.link_latency < 1) throw std::invalid_argument("a link has a latency of at least 1");
  if (!moves_worms(algorithm.declaration().storage)) return PlainFlits(topology, algorithm, source, options).run();
  if (options.link_latency != 1) throw std::invalid_argument("worms move over links of latency 1");
  return PlainWorms(topology, algorithm, source, options).run();
}

}  // namespace starloom::links
