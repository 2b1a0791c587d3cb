// SPDX-License-Identifier: Apache-2.0
#include <starloom/config/overrides.hpp>

#include <fmt/format.h>

#include <starloom/config/key_reader.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>

namespace starloom {
namespace {

DocumentEntry& entry_of(DocumentValue& section, const std::string& key, const SourceLocation& location) {
  for (auto& entry : section.entries)
    if (entry.key == key) return entry;
  DocumentValue value;
  value.location = location;
  section.entries.push_back({key, location, value});
  return section.entries.back();
}

/// The section of this name in a list of sections, or null.
DocumentValue* item_named(DocumentValue& list, const std::string& name) {
  for (DocumentValue& item : list.items)
    if (const DocumentValue* own = item.find("name"); own != nullptr && own->scalar == name) return &item;
  return nullptr;
}

}  // namespace

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string path = text.substr(0, equals);
  const bool hollow = path.empty() || path.front() == '.' || path.back() == '.' || path.find("..") != std::string::npos;
  if (equals == std::string::npos || hollow)
    throw InputError(
        fmt::format("--set {}: the form is --set key.path=value, e.g. --set limits.steps=1000", escape(text)));
  return {"--set " + escape(path), path, text.substr(equals + 1)};
}

void apply_override(DocumentValue& document, const Override& given) {
  put_value(document, given.path, {given.option, 0, 0}, parse_option_value(given.value, given.option));
}

void put_value(DocumentValue& document, const std::string& path, const SourceLocation& location,
               const DocumentValue& value) {
  DocumentValue* section = &document;
  std::string walked;
  std::string rest = path;
  while (true) {
    if (section->kind == DocumentValue::Kind::null) section->kind = DocumentValue::Kind::map;
    if (DocumentValue* const item = item_named(*section, rest.substr(0, rest.find('.')));
        item != nullptr && rest.find('.') != std::string::npos) {
      walked = key_path(walked, rest.substr(0, rest.find('.')));
      rest.erase(0, rest.find('.') + 1);
      section = item;
    }
    if (section->kind != DocumentValue::Kind::map)
      throw InputError(fmt::format("{}: {} is {}, not a section", location.text(),
                                   walked.empty() ? "the file" : escape(walked), section->described()));
    const std::size_t dot = walked == "expect" ? std::string::npos : rest.find('.');
    const std::string key = rest.substr(0, dot);
    walked = key_path(walked, key);
    DocumentEntry& entry = entry_of(*section, key, location);
    if (dot == std::string::npos) {
      entry.location = location;
      entry.value = value;
      return;
    }
    section = &entry.value;
    rest.erase(0, dot + 1);
  }
}

}  // namespace starloom
