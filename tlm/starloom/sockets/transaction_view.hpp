// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The three views of a network that carries transactions. Without SystemC.
#include <string_view>

namespace starloom {

/// The source of the times of packets.
enum class TransactionView {
  loosely_timed,        ///< their times in an empty network
  approximately_timed,  ///< the same, and every link serves one packet after the other
  cycle_accurate        ///< the hardware
};
/// In the order of the enumeration.
inline constexpr std::string_view transaction_view_names[] = {"loosely-timed", "approximately-timed", "cycle-accurate"};

}  // namespace starloom
