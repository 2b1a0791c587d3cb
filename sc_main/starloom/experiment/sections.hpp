// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The keys of an experiment file as data: sections, their keys, defaults and meanings.
#include <string>
#include <vector>

#include <starloom/schema/keys.hpp>

namespace starloom {

/// A top-level key whose value is a section of keys.
struct SectionSpec {
  std::string name;
  std::string meaning;
  bool required = false;
  std::vector<KeySpec> keys;  ///< for `network`, `routing` and `traffic` without those that the named entry adds
};

/// Top-level keys with a plain value.
const std::vector<KeySpec>& plain_keys();
/// All sections, in the order of a file.
const std::vector<SectionSpec>& sections();
/// \throws std::out_of_range if there is no such section.
const SectionSpec& section_named(const std::vector<SectionSpec>& sections, const std::string& name);
/// The section of an experiment with this name.
const SectionSpec& section_spec(const std::string& name);
/// Every top-level key.
std::vector<std::string> top_level_names();

}  // namespace starloom
