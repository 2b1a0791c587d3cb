// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/explain.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <starloom/campaign/campaign_keys.hpp>
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

/// `file`: what the key stands in, if that is no experiment.
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

std::string figure_text(const ExplainedFigure& figure) {
  std::string text = figure.spec.path + "\n";
  text += line_of("in", "result.json");
  text += line_of("meaning", figure.spec.meaning);
  text += line_of("type", figure_type_text(figure.spec.type));
  text += line_of("unit", figure.spec.unit);
  text += line_of("only if", figure.spec.only_if);
  text += line_of("null if", figure.spec.null_if);
  text += line_of("for", joined(figure.owners));
  return text + "\n";
}

std::string keys_text(const std::vector<ExplainedSection>& sections, const std::string& file) {
  std::string text;
  for (const ExplainedSection& section : sections) {
    if (section.keys.empty())
      text += section.name + "\n" + line_of("in", file) + line_of("meaning", section.meaning) + "\n";
    for (const ExplainedKey& key : section.keys) text += key_text(key, file);
  }
  return text;
}

/// The last line ends no paragraph.
std::string without_last_line_end(std::string text) {
  text.pop_back();
  return text;
}

/// Collects what one word names.
class Search {
 public:
  Search(const Catalogue& catalogue, std::string word) : word_(std::move(word)) {
    for (const ExplainedName& name : explained_names(catalogue))
      if (known(name.name)) text_ += name_text(name);
    for (const ExplainedSection& section : explained_keys(catalogue)) visit(section, "");
    for (const ExplainedSection& section : explained_keys(plain_campaign_keys(), campaign_sections()))
      visit(section, campaign_files);
    for (const ExplainedFigure& figure : explained_figures(catalogue)) visit(figure);
  }

  std::string text() const {
    if (text_.empty())
      throw InputError(
          fmt::format("starloom explain: {} is not a key, metric or name{}; see starloom explain and starloom list",
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
      if (whole || in_full || by_last_part || contains(key.owners, word_)) text_ += key_text(key, file);
    }
  }
  void visit(const ExplainedFigure& figure) {
    const std::string& path = figure.spec.path;
    const bool in_full = known(path);
    const bool by_last_part = known(path.substr(path.rfind('.') + 1));
    const bool below = path.compare(0, word_.size() + 1, word_ + ".") == 0;
    if (in_full || by_last_part || below || contains(figure.owners, word_)) text_ += figure_text(figure);
  }
  bool known(const std::string& name) {
    names_.push_back(name);
    return name == word_;
  }

  std::string word_;
  std::vector<std::string> names_;
  std::string text_;
};

/// The one word of summaries that is neither a key nor a figure.
std::string makespan_text(const Catalogue& catalogue) {
  std::string text = "makespan: the metric steps, in summaries\n\n";
  for (const ExplainedFigure& figure : explained_figures(catalogue))
    if (figure.spec.path == "steps") text += figure_text(figure);
  return without_last_line_end(text);
}

}  // namespace

std::string explain_text(const Catalogue& catalogue, const std::optional<std::string>& word) {
  if (word == "makespan") return makespan_text(catalogue);
  if (word) return Search(catalogue, *word).text();
  return without_last_line_end(keys_text(explained_keys(catalogue), "") +
                               keys_text(explained_keys(plain_campaign_keys(), campaign_sections()), campaign_files));
}

std::string explain_figures(const Catalogue& catalogue) {
  std::string text;
  for (const ExplainedFigure& figure : explained_figures(catalogue)) text += figure_text(figure);
  return without_last_line_end(text);
}

}  // namespace starloom
