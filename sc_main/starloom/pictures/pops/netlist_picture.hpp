// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The netlist of a POPS network as a picture.
#include <string>

#include <starloom/core/packets.hpp>
#include <starloom/fabric/pops/network.hpp>

namespace starloom::pops {

/// The couplers as a matrix: a transmit row crosses it from the processors of each group, on the left, a receive
/// column leads down to them again. A coupler is a dot where the two that are bound to it meet, and a ring if it is
/// dead. Of more than 16 groups, and of more than 8 processors in a group, the middle is omitted. The ports must be
/// bound.
/// \param packets their destinations are shown in the processors that drive; null: not known before the run.
std::string netlist_picture(Network& network, const Pops& pops, const Packets* packets, const std::string& title);

}  // namespace starloom::pops
