// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/explain.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include <starloom/campaign/campaign_keys.hpp>
#include <starloom/commands/output_words.hpp>
#include <starloom/experiment/explained.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

constexpr const char* campaign_files = "campaign files";

std::string line_of(const std::string& name, const std::string& text) {
  return text.empty() ? "" : fmt::format("  {:<8} {}\n", name, text);
}

/// `file`: the kind of file with the key, if that is not an experiment.
std::string key_text(const ExplainedKey& key, const std::string& file) {
  std::string text = key.path + "\n";
  text += line_of("in", file);
  text += line_of("meaning", key.spec.meaning);
  text += line_of("type", type_text(key.spec));
  text += line_of("unit", key.spec.unit);
  text += line_of(key.values.empty() ? "range" : "one of", values_text(key));
  text += line_of("default", default_text(key.spec));
  text += line_of("for", owners_text(key, ""));
  return text + "\n";
}

std::string name_text(const ExplainedName& name) {
  return fmt::format("{}: {} ({})\n", name.name, name.meaning, name.selector) + line_of("on", name.networks) +
         line_of("storage", name.storage) + "\n";
}

std::string metric_text(const ExplainedMetric& metric) {
  std::string text = metric.spec.path + "\n";
  text += line_of("in", "result.json");
  text += line_of("meaning", metric.spec.meaning);
  text += line_of("type", metric_type_text(metric.spec.type));
  text += line_of("unit", metric.spec.unit);
  text += line_of("only if", metric.spec.only_if);
  text += line_of("null if", metric.spec.null_if);
  text += line_of("for", joined(metric.owners));
  return text + "\n";
}

/// The last line does not end a paragraph.
std::string without_last_line_end(std::string text) {
  text.pop_back();
  return text;
}

/// Collects the entries that one word names.
class Search {
 public:
  Search(const Catalogue& catalogue, std::string word) : word_(std::move(word)) {
    if (const PatternEntry* const pattern = find_entry(catalogue.patterns, word_)) word_ = pattern->name;
    for (const ExplainedName& name : explained_names(catalogue)) {
      if (!known(name.name)) continue;
      text_ += name_text(name);
      part_keys_.insert(part_keys_.end(), name.keys.begin(), name.keys.end());
    }
    for (const OutputWord& one : output_words())
      if (known(one.word)) text_ += fmt::format("{}: {} ({})\n\n", one.word, one.meaning, one.where);
    entries_ = {{"network", catalogue.topologies.size()},
                {"routing", catalogue.algorithms.size()},
                {"traffic", catalogue.patterns.size()}};
    for (const ExplainedSection& section : explained_keys(catalogue)) visit(section, "");
    for (const ExplainedSection& section : explained_keys(plain_campaign_keys(), campaign_sections()))
      visit(section, campaign_files);
    for (const ExplainedMetric& metric : explained_metrics(catalogue)) visit(metric);
  }

  std::string text() const {
    if (text_.empty())
      throw InputError(
          fmt::format("starloom explain: {} is not a key, metric, name or word of an output{}; see starloom explain",
                      word_, did_you_mean(word_, names_)));
    return without_last_line_end(text_);
  }

 private:
  void visit(const ExplainedSection& section, const std::string& file) {
    const bool whole = !section.name.empty() && known(section.name);
    if (whole) text_ += fmt::format("{}{}: {}\n\n", section.name, file.empty() ? "" : " in " + file, section.meaning);
    for (const ExplainedKey& key : section.keys) {
      const bool in_full = known(key.path);
      const bool by_last_part = known(key.spec.name);
      if (whole || in_full || by_last_part) text_ += key_text(key, file);
      else if (contains(key.owners, word_)) visit_own(section, key);
      else if (section.name == "routing" && contains(part_keys_, key.spec.name)) text_ += key_text(key, "");
    }
    if (!common_.empty())
      text_ += fmt::format("{} common to most entries: {}; see starloom explain {}\n\n",
                           common_.size() == 1 ? "key" : "keys", joined(common_), section.name);
    common_.clear();
  }
  /// A key of most entries of a table is not explained for each of them.
  void visit_own(const ExplainedSection& section, const ExplainedKey& key) {
    const auto entries = entries_.find(section.name);
    if (entries != entries_.end() && 2 * key.owners.size() > entries->second) common_.push_back(key.path);
    else text_ += key_text(key, "");
  }
  void visit(const ExplainedMetric& metric) {
    const std::string& path = metric.spec.path;
    const bool in_full = known(path);
    const bool by_last_part = known(path.substr(path.rfind('.') + 1));
    const bool below = path.compare(0, word_.size() + 1, word_ + ".") == 0;
    if (in_full || by_last_part || below || contains(metric.owners, word_)) text_ += metric_text(metric);
  }
  bool known(const std::string& name) {
    names_.push_back(name);
    return name == word_;
  }

  std::string word_;
  std::vector<std::string> names_;
  std::string text_;
  std::map<std::string, std::size_t> entries_;  ///< number of entries of the table whose keys a section has
  std::vector<std::string> common_;
  std::vector<std::string> part_keys_;  ///< of the part of algorithms that the word names
};

std::string section_line(const ExplainedSection& section, const std::string& name) {
  const std::string count = section.keys.empty() ? "" : std::to_string(section.keys.size());
  return fmt::format("  {:<14} {:>3}  {}\n", name, count, section.meaning);
}

/// Sections of one kind of file, a line each.
std::string sections_text(const std::string& heading, const std::vector<ExplainedSection>& sections) {
  std::string text = heading + "\n", plain;
  for (const ExplainedSection& section : sections) {
    if (!section.name.empty()) text += section_line(section, section.name);
    else
      for (const ExplainedKey& key : section.keys) plain += (plain.empty() ? "" : ", ") + key.path;
  }
  return text + fmt::format("  {:<14} {:>3}  {}\n\n", "(top level)", "", plain);
}

/// Metrics by the first part of their path.
std::string metrics_text(const Catalogue& catalogue) {
  std::vector<std::string> groups;
  for (const ExplainedMetric& metric : explained_metrics(catalogue)) {
    const std::string group = metric.spec.path.substr(0, metric.spec.path.find('.'));
    if (!contains(groups, group)) groups.push_back(group);
  }
  return fmt::format("Metrics of result.json\n  {}\n\n", joined(groups));
}

/// One screen: the sections and metrics, and how to query them.
std::string overview(const Catalogue& catalogue) {
  return sections_text("Keys of an experiment: section, number of keys, meaning", explained_keys(catalogue)) +
         sections_text("Keys of a campaign", explained_keys(plain_campaign_keys(), campaign_sections())) +
         metrics_text(catalogue) +
         "Algorithms, routing functions, topologies and patterns: starloom list\n\n"
         "Try: starloom explain traffic         a section\n"
         "     starloom explain traffic.rate    a key, also by its last part: starloom explain rate\n"
         "     starloom explain latency         a metric; all of them: starloom explain --figures\n"
         "     starloom explain west-first      a name of starloom list\n"
         "     starloom explain stretched       a word of an output\n";
}

}  // namespace

std::string explain_text(const Catalogue& catalogue, const std::optional<std::string>& word) {
  return word ? Search(catalogue, *word).text() : overview(catalogue);
}

std::string explain_metrics(const Catalogue& catalogue) {
  std::string text;
  for (const ExplainedMetric& metric : explained_metrics(catalogue)) text += metric_text(metric);
  return without_last_line_end(text);
}

}  // namespace starloom
