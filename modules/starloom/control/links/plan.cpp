// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/links/plan.hpp>

#include <algorithm>

namespace starloom::links {

Step Plan::length() const {
  Step last = 0;
  for (const Journey& journey : journeys) last = std::max(last, journey.arrival(flits));
  return last;
}

bool ScheduleSpace::has_places() const {
  return std::any_of(places.begin(), places.end(), [](std::int64_t most) { return most > 0; });
}

}  // namespace starloom::links
