// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file JSON as text. The parser of the library is compiled once, here, because it takes the compiler a second and a half.
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace starloom {

/// The document in a text.
/// \throws nlohmann::json::exception if it is not one, or a number in it is too large
nlohmann::ordered_json parse_json(const std::string& text);

/// The document in the text of the file NAME.
/// \throws InputError "NAME:LINE:COLUMN: this is not JSON" with the place where the parser stopped, or "NAME: a number in the
///         file is too large", both with the advice at the end
nlohmann::ordered_json parse_json_file(const std::string& text, const std::string& name,
                                       const std::string& advice = "");

/// What the library says of a value, without the library's name: `[json.exception.type_error.302] type must be ...`.
std::string without_library(const std::string& text);

}  // namespace starloom
