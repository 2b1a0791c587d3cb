// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `links.svg`: the load of every link, laid out like the network.
#include <string>

#include <starloom/core/links/link_use.hpp>
#include <starloom/pictures/links/captions.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::links {

/// A heat map of utilisations.
std::string links_picture(const LinkNetwork& network, const LinkUse& use, const std::string& title,
                          const Captions& captions = {});

}  // namespace starloom::links
