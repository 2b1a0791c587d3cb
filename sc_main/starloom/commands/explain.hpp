// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom explain`: what the keys of experiment and campaign files mean, and the figures of result.json.
#include <optional>
#include <starloom/experiment/catalogue.hpp>
#include <string>

namespace starloom {

/// The keys and figures that a word names, with type, unit, range, default and meaning: a path (`limits.steps`), a last
/// part (`steps`), a section, an algorithm, a routing function, a topology or a pattern; and what a word of an output
/// means. Nothing: one screen of sections and metrics. \throws InputError if the word names none.
std::string explain_text(const Catalogue& catalogue, const std::optional<std::string>& word);
/// All figures of result.json.
std::string explain_metrics(const Catalogue& catalogue);

}  // namespace starloom
