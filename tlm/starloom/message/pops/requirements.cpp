// SPDX-License-Identifier: Apache-2.0
#include <starloom/message/pops/requirements.hpp>

#include <string>

#include <starloom/support/error.hpp>

namespace starloom::pops {

void require_couplers(const Pops& pops) {
  if (pops.couplers() > Pops::most_couplers)
    throw InputError("a model of " + std::to_string(pops.couplers()) + " couplers needs " +
                     std::to_string(pops.couplers() >> 28) + " GiB; the limit is 2^29 couplers");
}

}  // namespace starloom::pops
