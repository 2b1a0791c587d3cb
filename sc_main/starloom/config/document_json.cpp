// SPDX-License-Identifier: Apache-2.0
#include <starloom/config/document_json.hpp>

namespace starloom {

nlohmann::ordered_json document_json(const DocumentValue& value) {
  using Json = nlohmann::ordered_json;
  switch (value.kind) {
    case DocumentValue::Kind::null: return nullptr;
    case DocumentValue::Kind::list: {
      Json list = Json::array();
      for (const DocumentValue& item : value.items) list.push_back(document_json(item));
      return list;
    }
    case DocumentValue::Kind::map: {
      Json section = Json::object();
      for (const DocumentEntry& entry : value.entries) section[entry.key] = document_json(entry.value);
      return section;
    }
    case DocumentValue::Kind::scalar: break;
  }
  if (const auto whole = value.integer()) return *whole;
  if (const auto real = value.number()) return *real;
  if (const auto truth = value.boolean()) return *truth;
  return value.scalar;
}

}  // namespace starloom
