// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The packets of several classes of traffic.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// The number of the class that a data file names by its number or name; empty if neither is known. Valid only if
/// `class_error` finds no error.
std::optional<std::int64_t> class_number(std::string_view text, const std::vector<ClassPattern>& classes);
/// The error in the number or name of a class; empty if there is none.
std::optional<std::string> class_error(std::string_view text, const std::vector<ClassPattern>& classes);

/// The packets of all classes, which are either all open loop or all lists: in the order of their creation, those of a
/// step by source, those of a source by class.
/// \param classes [class] null: a class that has only replies. Others are at least one.
std::unique_ptr<Traffic> of_classes(std::vector<std::unique_ptr<Traffic>> classes);

}  // namespace starloom
