// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The list `traffic.classes` of an experiment (docs/traffic-classes.md).
#include <starloom/config/document.hpp>
#include <starloom/control/links/traffic_class.hpp>
#include <starloom/traffic/traffic.hpp>
#include <string>
#include <vector>

namespace starloom {

/// An entry of the list.
struct ClassConfig {
  TrafficClass facts;
  const PatternEntry* pattern = nullptr;  ///< null: its packets are in the file of all classes, or are replies only
  KeyValues keys{};                       ///< of the pattern
  std::string reply_class{};              ///< the name of the class of the replies to its packets; empty: none
};

/// Errors are added to `diagnostics`. \param patterns of which a class has one; null: the packets are in a file.
std::vector<ClassConfig> read_classes(const DocumentValue& list, const std::vector<PatternEntry>* patterns,
                                      Diagnostics& diagnostics);

/// The keys of a pattern that a class may have: those of phases are common to all classes, and each class has the
/// key `reply`.
std::vector<KeySpec> keys_of_class(const PatternEntry& pattern);

/// The value of `subnet` of a class whose packets draw their subnets.
inline constexpr const char* any_subnet = "any";

/// The path of an entry: `traffic.classes.NAME`.
std::string class_path(const std::string& name);

}  // namespace starloom
