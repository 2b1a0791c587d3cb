// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The packets of several classes of traffic.
#include <memory>
#include <vector>

#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// The packets of all classes, which are either all open loop or all lists: in the order of their creation, those of a
/// step by source, those of a source by class.
/// \param classes [class] null: a class that has only replies. Others are at least one.
std::unique_ptr<Traffic> of_classes(std::vector<std::unique_ptr<Traffic>> classes);

}  // namespace starloom
