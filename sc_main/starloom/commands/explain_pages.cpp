// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/explain_pages.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <starloom/campaign/campaign_keys.hpp>
#include <starloom/experiment/explained.hpp>
#include <starloom/schema/key_text.hpp>

namespace starloom {
namespace {

/// The cell of a Markdown table: `|` and `<` would be interpreted as markup.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' || c == '<' || c == '*' ? std::string("\\") + c : std::string(1, c);
  return out;
}

std::string words(const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("`{}`", fmt::join(names, "`, `"));
}

std::string key_rows(const ExplainedSection& section, bool owned) {
  std::string text;
  for (const ExplainedKey& key : section.keys) {
    if (key.owners.empty() == owned) continue;
    const std::string values = key.values.empty() ? cell(values_text(key)) : words(key.values);
    text +=
        fmt::format("| `{}` | {}{} | {} | {} | {} | {} |\n", key.spec.name, owned ? owners_text(key, "`") + " | " : "",
                    type_text(key.spec), key.spec.unit, values, cell(default_text(key.spec)), cell(key.spec.meaning));
  }
  if (text.empty()) return "";
  return fmt::format(
      "| key | {}type | unit | range | default | meaning |\n| --- | {}--- | --- | --- | --- | --- |\n{}\n",
      owned ? "for | " : "", owned ? "--- | " : "", text);
}

std::string section_pages(const std::vector<ExplainedSection>& sections, const std::string& level) {
  std::string text;
  for (const ExplainedSection& section : sections) {
    text += section.name.empty()
                ? fmt::format("{} At the top\n\n", level)
                : fmt::format("{} `{}`\n\n{}\n\n", level, section.name, sentence(cell(section.meaning)));
    text += key_rows(section, false) + key_rows(section, true);
  }
  return text;
}

std::string metric_row(const ExplainedMetric& metric) {
  const MetricSpec& spec = metric.spec;
  std::string meaning = spec.meaning;
  if (!spec.only_if.empty()) meaning += "; only if " + spec.only_if;
  if (!spec.null_if.empty()) meaning += "; null if " + spec.null_if;
  return fmt::format("| `{}` | {}{} | {} | {} |\n", spec.path,
                     metric.owners.empty() ? "" : words(metric.owners) + " | ", metric_type_text(spec.type), spec.unit,
                     cell(meaning));
}

}  // namespace

std::string keys_markdown(const Catalogue& catalogue) {
  const std::string text =
      "# Keys of an experiment file\n"
      "\n"
      "Every key of an experiment file. `starloom explain KEY` prints the same for\none key. This page is written by "
      "`starloom explain --markdown`; a test compares the two.\n"
      "\n"
      "Default `required`: the key must be set. Default `none`: the key is optional and has no default. "
      "Ranges\ninclude their ends; ranges of lists hold for every element.\n"
      "\n" +
      section_pages(explained_keys(catalogue), "##") +
      "# Keys of a campaign file\n"
      "\n"
      "How to use them: [campaigns](campaigns.md).\n"
      "\n" +
      section_pages(explained_keys(plain_campaign_keys(), campaign_sections()), "##");
  return text.substr(0, text.size() - 1);
}

std::string metrics_markdown(const Catalogue& catalogue) {
  std::string common, own;
  for (const ExplainedMetric& metric : explained_metrics(catalogue))
    (metric.owners.empty() ? common : own) += metric_row(metric);
  return "| metric | type | unit | meaning |\n| --- | --- | --- | --- |\n" + common +
         "\nMetrics of algorithms:\n\n| metric | for | type | unit | meaning |\n| --- | --- | --- | --- | --- |\n" +
         own;
}

}  // namespace starloom
