// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom explain`: the keys of experiment and campaign files, and the metrics of result.json.
#include <optional>
#include <starloom/experiment/catalogue.hpp>
#include <string>

namespace starloom {

/// The keys and metrics that a word names, with type, unit, range, default and meaning: a path (`limits.steps`), a
/// last part (`steps`), a section, an algorithm, a routing function, a topology or a pattern; and the meaning of a
/// word of an output. Empty: one screen of sections and metrics. \throws InputError if the word is unknown.
std::string explain_text(const Catalogue& catalogue, const std::optional<std::string>& word);
/// All metrics of result.json.
std::string explain_metrics(const Catalogue& catalogue);

}  // namespace starloom
