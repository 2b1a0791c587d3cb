#pragma once
/// \file `starloom explain`: what the keys of an experiment file mean.
#include <optional>
#include <starloom/experiment/catalogue.hpp>
#include <string>

namespace starloom {

/// The keys that a word names, with type, unit, range, default and meaning: a path (`limits.steps`), a last part
/// (`steps`), a section, an algorithm or a pattern; nothing: all keys. \throws InputError if the word names none.
std::string explain_text(const Catalogue& catalogue, const std::optional<std::string>& word);

/// The reference page `docs/keys.md`.
std::string explain_markdown(const Catalogue& catalogue);

}  // namespace starloom
