// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Conversion of a document's value to JSON.
#include <nlohmann/json.hpp>

#include <starloom/config/document.hpp>

namespace starloom {

nlohmann::ordered_json document_json(const DocumentValue& value);

}  // namespace starloom
