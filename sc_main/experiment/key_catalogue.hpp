#pragma once
/// \file Every key of the experiment file, collected from the tables by which files are read.
#include <string>
#include <vector>

#include <starloom/core/keys.hpp>
#include <starloom/experiment/catalogue.hpp>

namespace starloom {

/// A key, or several algorithms' or patterns' keys that are the same in every respect.
struct CatalogueKey {
  KeySpec spec;
  std::string path;                 ///< `limits.steps`
  std::vector<std::string> owners;  ///< the topologies, algorithms or patterns that take it; none: everybody's
  std::vector<std::string> others;  ///< those that do not
  std::vector<std::string> values;  ///< all legal ones, where they can be listed
};

/// A top-level key: a section, or a plain value (`name` is empty: all of those together).
struct CatalogueSection {
  std::string name;
  std::string meaning;
  std::vector<CatalogueKey> keys;
};

/// An algorithm, a pattern or a topology: what the word behind `routing.algorithm` and the like means.
struct CatalogueName {
  std::string selector;  ///< `routing.algorithm`
  std::string name;
  std::string meaning;
};

/// In the order of the file.
std::vector<CatalogueSection> key_catalogue(const Catalogue& catalogue);
/// In the order of `starloom list`.
std::vector<CatalogueName> name_catalogue(const Catalogue& catalogue);

}  // namespace starloom
