// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Every key of a file and every metric of a result, collected from the tables that also read and write them,
/// with the entries that have them: the content of `explain`.
#include <string>
#include <vector>

#include <starloom/experiment/catalogue.hpp>
#include <starloom/experiment/sections.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/schema/metrics.hpp>

namespace starloom {

/// A key, or several entries' keys that are the same in every respect.
struct ExplainedKey {
  KeySpec spec;
  std::string path;                 ///< `limits.steps`
  std::vector<std::string> owners;  ///< the topologies, algorithms or patterns that accept it; none: all of them
  std::vector<std::string> others;  ///< those that do not
  std::vector<std::string> values;  ///< all legal values, if they can be listed
};

/// A top-level key: a section, or a plain value (`name` is empty: all of those together).
struct ExplainedSection {
  std::string name;
  std::string meaning;
  std::vector<ExplainedKey> keys;
};

/// An algorithm, a routing function, a pattern or a topology: a value of `routing.algorithm` or a similar key.
struct ExplainedName {
  std::string selector;  ///< `routing.algorithm`
  std::string name;
  std::string meaning;
  std::string networks;             ///< the supported ones; empty: not limited by their names
  std::string storage;              ///< storage models, for algorithms on networks of links; else empty
  std::vector<std::string> keys{};  ///< below `routing:`, for a part of algorithms
};

/// A metric, or several algorithms' metrics that are the same in every respect.
struct ExplainedMetric {
  MetricSpec spec;                  ///< with its whole path
  std::vector<std::string> owners;  ///< the algorithms that have it; none: every result
};

/// All legal values, or the range of numbers, in words.
std::string values_text(const ExplainedKey& key);
/// The entries that accept a key, or `all but` those that do not, whichever are fewer; `quote` is placed around
/// names.
std::string owners_text(const ExplainedKey& key, const std::string& quote);
/// `integer`, `section`, ...
std::string metric_type_text(MetricType type);

/// For experiment files, in their order.
std::vector<ExplainedSection> explained_keys(const Catalogue& catalogue);
/// For any file that is read with such tables.
std::vector<ExplainedSection> explained_keys(const std::vector<KeySpec>& plain,
                                             const std::vector<SectionSpec>& sections);
/// In the order of `starloom list`.
std::vector<ExplainedName> explained_names(const Catalogue& catalogue);
/// For result.json, in its order.
std::vector<ExplainedMetric> explained_metrics(const Catalogue& catalogue);

/// A meaning as a sentence: with a capital letter at the beginning, and a full stop at the end. \param text not
/// empty.
std::string sentence(std::string text);

}  // namespace starloom
