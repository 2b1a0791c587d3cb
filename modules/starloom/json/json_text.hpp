// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file JSON as text. The parser of the library is compiled here alone: it takes the compiler a second and a half.
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace starloom {

/// The document in a text.
/// \throws nlohmann::json::exception if it is not one, or a number in it is too large
nlohmann::ordered_json parse_json(const std::string& text);

/// The document in the text of the file NAME.
/// \throws InputError "NAME:LINE:COLUMN: this is not JSON" with the place where the parser stopped, or
///         "NAME: a number in the file is too large"; both end with the advice
nlohmann::ordered_json parse_json_file(const std::string& text, const std::string& name,
                                       const std::string& advice = "");

/// A message of the library without its prefix: `type must be ...` of
/// `[json.exception.type_error.302] type must be ...`.
std::string without_library(const std::string& text);

}  // namespace starloom
