// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `power.svg`: the mean power of every router and link, laid out like the network.
#include <optional>
#include <string>
#include <vector>

#include <starloom/pictures/links/captions.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::links {

/// mW over the measured steps.
struct PowerUse {
  double network = 0;
  std::vector<std::optional<double>> routers;  ///< [node] empty: the node has no router
  std::vector<double> links;                   ///< [node * ports + out-port]
};

/// A heat map of routers and links. Routers and links have a scale each, because a router takes many times the power
/// of a link; both begin at 0 and end at the greatest value of the picture.
std::string power_picture(const LinkNetwork& network, const PowerUse& power, const std::string& title,
                          const Captions& captions = {});

}  // namespace starloom::links
