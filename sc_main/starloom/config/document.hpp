// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A YAML text as a tree in which every value and every key has its location. Preserves information that the
/// nodes of yaml-cpp lose: duplicate keys, and the quotes of scalars.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/config/diagnostics.hpp>

namespace starloom {

struct DocumentEntry;

/// One value of a document.
struct DocumentValue {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  SourceLocation location;
  std::string scalar;
  bool quoted = false;                 ///< a quoted scalar is always a text
  std::vector<DocumentValue> items;    ///< of a list
  std::vector<DocumentEntry> entries;  ///< of a map, in the order of the text, duplicates included

  /// The first value of a key, or null.
  const DocumentValue* find(const std::string& key) const;
  /// The integer, the finite number, the truth value of a plain scalar (YAML 1.2, decimal only).
  std::optional<std::int64_t> integer() const;
  std::optional<double> number() const;
  std::optional<bool> boolean() const;
  /// For messages: `"abc"`, `12`, `a list`, `a section`, `nothing`.
  std::string described() const;
};

struct DocumentEntry {
  std::string key;
  SourceLocation location;
  DocumentValue value;
};

/// A scalar without a place.
inline DocumentValue word_value(std::string word) {
  DocumentValue value;
  value.kind = DocumentValue::Kind::scalar;
  value.scalar = std::move(word);
  return value;
}

/// The integer of a decimal text, if it is one and fits into 64 bits: without sign `+`, without leading zeros.
std::optional<std::int64_t> parse_integer(const std::string& text);

/// Parses one YAML document. `name` represents the text in locations.
/// \throws InputError if it is not YAML, has more than one document, or uses features that experiment files do not
/// support: tags, keys that are lists or sections, aliases inside their own value.
DocumentValue parse_document(const std::string& text, const std::string& name);
/// A value given with an option: the option is the location of all its parts.
DocumentValue parse_option_value(const std::string& text, const std::string& option);
/// Reads a file and parses it. \throws InputError if it cannot be read or is empty, or as `parse_document`.
DocumentValue load_document(const std::filesystem::path& file);

}  // namespace starloom
