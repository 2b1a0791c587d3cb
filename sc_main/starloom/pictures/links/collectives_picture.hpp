// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `collectives.svg`: the operations of a program, ranks by time.
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// The part of a rank in an operation.
struct OperationBar {
  std::int32_t rank = 0;
  std::string name;           ///< of the operation
  std::int64_t instance = 0;  ///< among those of its name
  bool is_compute = false;
  Step start = no_step;   ///< the rank enters; no_step: it has not
  Step finish = no_step;  ///< the rank finishes; no_step: it has not
};

/// A row for each rank with a bar for each of its operations; operations at the same time have bars one below the
/// other. Computations are grey, other operations coloured by name. Of more than 256 ranks every k-th one has a row.
/// If there are more than 6,000 bars, the picture shows those that are under way in the middle of its columns of
/// pixels, so that it has at most about a megabyte.
/// \param ranks of the program. \param end the last step: a bar without a finish ends there.
std::string collectives_picture(std::vector<OperationBar> bars, std::int32_t ranks, Step end, const std::string& title);

}  // namespace starloom::links
