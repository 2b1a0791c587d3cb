// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/function_table.hpp>

#include <algorithm>

#include <starloom/routing/adaptive.hpp>
#include <starloom/routing/destination_tag.hpp>
#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/dragonfly_minimal.hpp>
#include <starloom/routing/dragonfly_valiant.hpp>
#include <starloom/routing/layered.hpp>
#include <starloom/routing/legal_ways.hpp>
#include <starloom/routing/min_adaptive.hpp>
#include <starloom/routing/nearest_ancestor.hpp>
#include <starloom/routing/negative_first.hpp>
#include <starloom/routing/north_last.hpp>
#include <starloom/routing/nue.hpp>
#include <starloom/routing/o1turn.hpp>
#include <starloom/routing/odd_even.hpp>
#include <starloom/routing/planar_adaptive.hpp>
#include <starloom/routing/romm.hpp>
#include <starloom/routing/shortest.hpp>
#include <starloom/routing/table.hpp>
#include <starloom/routing/ugal.hpp>
#include <starloom/routing/up_down.hpp>
#include <starloom/routing/up_down_adaptive.hpp>
#include <starloom/routing/valiant.hpp>
#include <starloom/routing/west_first.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/support/names.hpp>

namespace starloom::routing {
namespace {

/// `a mesh`, `an express-mesh`
std::string with_article(const Capabilities& offers) {
  const std::string& topology = offers.front();
  return (std::string("aeiou").find(topology.front()) == std::string::npos ? "a " : "an ") + topology;
}

}  // namespace

std::vector<FunctionEntry> standard_functions() {
  return {dimension_order_entry(),
          dimension_order_plain_entry(),
          yx_entry(),
          o1turn_entry(),
          xy_yx_adaptive_entry(),
          west_first_entry(),
          north_last_entry(),
          negative_first_entry(),
          odd_even_entry(),
          adaptive_entry(),
          min_adaptive_entry(),
          planar_adaptive_entry(),
          valiant_entry(),
          romm_entry(),
          nearest_ancestor_entry(),
          destination_tag_entry(),
          dragonfly_minimal_entry(),
          dragonfly_valiant_entry(),
          ugal_entry(),
          up_down_entry(),
          up_down_adaptive_entry(),
          legal_ways_entry(),
          layered_entry(),
          nue_entry(),
          shortest_entry(),
          table_entry()};
}

void refuse_network(const std::vector<FunctionEntry>& functions, const FunctionEntry& function,
                    const Capabilities& offers, std::size_t dimensions) {
  if (function.service(offers) != nullptr) {
    if (function.rows_and_columns && dimensions != 2)
      throw ConfigError("function", function.name + " works on meshes of two dimensions, not of " +
                                        std::to_string(dimensions) + (dimensions == 1 ? " dimension" : " dimensions"));
    return;
  }
  std::vector<std::string> served, others;
  for (const Service& service : function.serves) served.push_back(service.capability);
  for (const FunctionEntry& other : functions)
    if (other.service(offers) != nullptr) others.push_back(other.name);
  throw ConfigError("function", function.name + " works on " + joined_with_and(served) + ", not on " +
                                    with_article(offers) + "; these do: " + joined_with_and(others));
}

void refuse_channels(const FunctionEntry& function, const Capabilities& offers, const std::vector<std::int64_t>& sides,
                     int channels, const std::string& whose) {
  const Service& service = *function.service(offers);
  if (channels >= service.channels_for(sides)) return;
  throw ConfigError("channels", function.name + " on " + with_article(offers) + " needs " +
                                    std::to_string(service.channels) + " channels" +
                                    (service.purpose.empty() ? "" : " for " + service.purpose) + whose + ", not " +
                                    std::to_string(channels) + (service.advice.empty() ? "" : "; " + service.advice));
}

}  // namespace starloom::routing
