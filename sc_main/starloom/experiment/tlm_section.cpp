// SPDX-License-Identifier: Apache-2.0
#include <starloom/experiment/tlm_section.hpp>

#include <fmt/format.h>

#include <charconv>

#include <starloom/config/key_reader.hpp>
#include <starloom/experiment/sections.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Kind = DocumentValue::Kind;

/// An integer of 64 bits from 0 on, decimal or hexadecimal after 0x.
std::uint64_t read_address(const DocumentValue& value, const std::string& name, Diagnostics& diagnostics) {
  std::string_view digits = value.scalar;
  const bool hexadecimal = digits.substr(0, 2) == "0x";
  if (hexadecimal) digits.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
  if (value.kind != Kind::scalar || error != std::errc{} || end != digits.data() + digits.size())
    diagnostics.add(value.location,
                    fmt::format("{}: an integer of at most 64 bits, such as 4096 or 0x1000, is expected, not {}", name,
                                value.described()));
  return number;
}

TlmConfig::Target read_target(const DocumentValue& item, Diagnostics& diagnostics) {
  TlmConfig::Target target;
  if (item.kind != Kind::map) {
    diagnostics.add(item.location,
                    fmt::format("tlm.targets: a target such as {{node: 5, base: 0x1000, size: 4096}} is expected, "
                                "not {}",
                                item.described()));
    return target;
  }
  check_key_names(item, {"node", "base", "size"}, "tlm.targets", diagnostics);
  for (const char* const key : {"node", "base", "size"})
    if (item.find(key) == nullptr) diagnostics.add(item.location, fmt::format("tlm.targets: {} is missing", key));
  if (const DocumentValue* node = item.find("node")) {
    const auto number = node->integer();
    if (number) target.node = *number;
    else
      diagnostics.add(node->location,
                      fmt::format("tlm.targets.node: an integer is expected, not {}", node->described()));
  }
  if (const DocumentValue* base = item.find("base")) target.base = read_address(*base, "tlm.targets.base", diagnostics);
  if (const DocumentValue* size = item.find("size")) target.size = read_address(*size, "tlm.targets.size", diagnostics);
  return target;
}

}  // namespace

nlohmann::ordered_json TlmConfig::json() const {
  nlohmann::ordered_json json = {{"view", view}, {"initiators", initiators}};
  json["targets"] = nlohmann::ordered_json::array();
  for (const Target& target : targets)
    json["targets"].push_back({{"node", target.node}, {"base", target.base}, {"size", target.size}});
  return json;
}

TlmConfig read_tlm(const DocumentValue& section, Diagnostics& diagnostics) {
  TlmConfig config;
  DocumentValue without_targets = section;
  // A table of keys cannot describe a list of sections.
  for (DocumentEntry& entry : without_targets.entries) {
    if (entry.key != "targets") continue;
    if (entry.value.kind != Kind::list)
      diagnostics.add(entry.value.location,
                      fmt::format("tlm.targets: a list of targets such as {{node: 5, base: 0x1000, size: "
                                  "4096}} is expected, not {}",
                                  entry.value.described()));
    for (const DocumentValue& item : entry.value.items) config.targets.push_back(read_target(item, diagnostics));
    entry.value = {};
    entry.value.kind = Kind::scalar;
    entry.value.scalar.assign(1, '*');
  }
  const auto& keys = section_spec("tlm").keys;
  check_key_names(without_targets, names_of(keys), "tlm", diagnostics);
  const KeyValues values = read_keys(without_targets, keys, "tlm", diagnostics);
  config.view = values.text("view");
  if (values.has("initiators")) config.initiators = values.list("initiators");
  return config;
}

}  // namespace starloom
