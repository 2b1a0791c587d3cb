// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Every key of a file and every figure of a result, collected from the tables by which they are read and
/// written, with those who have them: what `explain` says.
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
  std::vector<std::string> owners;  ///< the topologies, algorithms or patterns that take it; none: everybody's
  std::vector<std::string> others;  ///< those that do not
  std::vector<std::string> values;  ///< all legal ones, where they can be listed
};

/// A top-level key: a section, or a plain value (`name` is empty: all of those together).
struct ExplainedSection {
  std::string name;
  std::string meaning;
  std::vector<ExplainedKey> keys;
};

/// An algorithm, a routing function, a pattern or a topology: a value of `routing.algorithm` and the like.
struct ExplainedName {
  std::string selector;  ///< `routing.algorithm`
  std::string name;
  std::string meaning;
  std::string networks;             ///< those it works on; empty: not limited by their names
  std::string storage;              ///< storage models, of algorithms on networks of links; else empty
  std::vector<std::string> keys{};  ///< below `routing:`, of a part of algorithms
};

/// A figure, or several algorithms' figures that are the same in every respect.
struct ExplainedMetric {
  MetricSpec spec;                  ///< with its whole path
  std::vector<std::string> owners;  ///< the algorithms that have it; none: every result
};

/// All legal values, or the range of numbers, in words.
std::string values_text(const ExplainedKey& key);
/// Those who take a key, or `all but` those who do not, whichever are fewer; `quote` stands around names.
std::string owners_text(const ExplainedKey& key, const std::string& quote);
/// `integer`, `section`, ...
std::string metric_type_text(MetricType type);

/// Of experiment files, in their order.
std::vector<ExplainedSection> explained_keys(const Catalogue& catalogue);
/// Of any file that is read by such tables.
std::vector<ExplainedSection> explained_keys(const std::vector<KeySpec>& plain,
                                             const std::vector<SectionSpec>& sections);
/// In the order of `starloom list`.
std::vector<ExplainedName> explained_names(const Catalogue& catalogue);
/// Of result.json, in its order.
std::vector<ExplainedMetric> explained_metrics(const Catalogue& catalogue);

/// A meaning as a sentence: a capital letter in front, a full stop behind. \param text not empty.
std::string sentence(std::string text);

}  // namespace starloom
